//! The blocks of metrics: which block a metric belongs to, what its line says, and how columns are aligned.
//!
//! All lines of a section share their columns. A trend whose values do not fit beside its name continues on the next
//! line, in the same columns; the number of lines is the smallest that fits.

use netload_metrics::Aggregate;
use netload_metrics::summary::MetricSummary;

use super::{Mode, Page, tare};
use crate::line::Line;
use crate::palette::Style;
use crate::{is_own_metric, number};

/// The blocks in the order in which they are shown, each with the beginnings of the names that belong to it. What no
/// block claims is custom. Web vitals stand before the rest of the browser's metrics so that they are found first.
const BLOCKS: [(&str, &[&str]); 7] = [
    ("HTTP", &["http_req"]),
    ("EXECUTION", &["vus", "iteration", "dropped_iterations"]),
    ("NETWORK", &["data_sent", "data_received"]),
    ("WEB_VITALS", &["browser_web_vital"]),
    ("BROWSER", &["browser_"]),
    ("GRPC", &["grpc_"]),
    ("WEBSOCKET", &["ws_"]),
];
const CUSTOM: &str = "CUSTOM";
/// Shown elsewhere, in every mode; a metric whose name only begins like this is hidden too, as in k6.
const HIDDEN: [&str; 2] = ["checks", "group_duration"];
/// Phases of requests that only the full summary shows.
const HIDDEN_IN_COMPACT: [&str; 6] = [
    "http_req_blocked",
    "http_req_connecting",
    "http_req_tls_handshaking",
    "http_req_sending",
    "http_req_waiting",
    "http_req_receiving",
];

/// The blocks of `metrics`. The table of gross, tare and net follows the HTTP block when these are all results.
pub(super) fn write(page: &mut Page<'_>, metrics: &[MetricSummary], indent: usize) {
    let shown: Vec<(&str, Row)> = metrics
        .iter()
        .filter(|m| is_shown(&m.name, page.options.mode))
        .map(|m| (block_of(&m.name), row(page, m)))
        .collect();
    let grid = Grid::of(shown.iter().map(|(_, row)| row), page.width, indent);
    let all = std::ptr::eq(metrics, page.summary.metrics.as_slice());
    for title in std::iter::once(CUSTOM).chain(BLOCKS.map(|(title, _)| title)) {
        let mut rows = shown.iter().filter(|(block, _)| *block == title).peekable();
        if rows.peek().is_none() {
            continue;
        }
        page.blank();
        page.line(Line::indented(indent).styled(Style::Title, title));
        for (_, row) in rows {
            grid.write(page, row);
        }
        if all && title == "HTTP" {
            tare::write(page);
        }
    }
    page.blank();
}

fn is_shown(name: &str, mode: Mode) -> bool {
    let starts = |beginnings: &[&str]| beginnings.iter().any(|b| name.starts_with(b));
    let compact = mode != Mode::Full;
    !starts(&HIDDEN) && !(compact && (starts(&HIDDEN_IN_COMPACT) || is_own_metric(name)))
}

fn block_of(name: &str) -> &'static str {
    let claims = |beginnings: &[&str]| beginnings.iter().any(|b| name.starts_with(b));
    let block = BLOCKS.iter().find(|(_, beginnings)| claims(beginnings));
    block.map_or(CUSTOM, |(title, _)| title)
}

/// One line of a block before it is laid out.
pub(super) struct Row {
    name: String,
    cells: Vec<Cell>,
    /// Trends and the other kinds have columns of their own.
    is_trend: bool,
}

/// One value on a line.
pub(super) struct Cell {
    label: String,
    value: String,
    style: Style,
}

impl Cell {
    pub(super) fn value(value: String) -> Self {
        Self::labelled(String::new(), value)
    }

    pub(super) fn aside(value: String) -> Self {
        Self {
            label: String::new(),
            value,
            style: Style::Aside,
        }
    }

    fn labelled(label: String, value: String) -> Self {
        Self {
            label,
            value,
            style: Style::Value,
        }
    }

    fn width(&self) -> usize {
        self.label.chars().count() + self.value.chars().count()
    }
}

impl Row {
    pub(super) fn plain(name: &str, cells: Vec<Cell>) -> Self {
        Self {
            name: name.to_owned(),
            cells,
            is_trend: false,
        }
    }
}

fn row(page: &Page<'_>, metric: &MetricSummary) -> Row {
    let name = match &metric.parent {
        Some(parent) => {
            let braces = &metric.name[parent.len()..];
            let inner = braces.trim_start_matches('{').trim_end_matches('}');
            format!("  {{ {} }}", inner.trim())
        }
        None => metric.name.clone(),
    };
    Row {
        name,
        cells: cells(page, metric),
        is_trend: matches!(metric.data, Aggregate::Trend(_)),
    }
}

fn cells(page: &Page<'_>, metric: &MetricSummary) -> Vec<Cell> {
    let show = |v: f64| number::value(v, metric.contains, page.options.time_unit);
    match &metric.data {
        Aggregate::Counter(counter) => vec![
            Cell::value(show(counter.sum)),
            Cell::aside(format!("{}/s", show(counter.per_second(page.elapsed_s())))),
        ],
        Aggregate::Gauge(gauge) => vec![
            Cell::value(show(gauge.last)),
            Cell::aside(format!("min={}", show(gauge.min))),
            Cell::aside(format!("max={}", show(gauge.max))),
        ],
        Aggregate::Rate(rate) => vec![
            Cell::value(number::percent_of(rate.passes, rate.total)),
            Cell::aside(format!("{} out of {}", rate.passes, rate.total)),
        ],
        Aggregate::Trend(trend) => {
            let stats = page.options.trend_stats.iter();
            stats
                .map(|stat| {
                    let number = stat.of(trend);
                    let text = if stat.is_count() {
                        number::plain(number)
                    } else {
                        show(number)
                    };
                    Cell::labelled(format!("{}=", stat.name()), text)
                })
                .collect()
        }
    }
}

/// The columns of a section.
pub(super) struct Grid {
    indent: usize,
    /// Where values begin.
    values_at: usize,
    /// The widest name that is followed by its values on the same line.
    name_limit: usize,
    trend: Vec<usize>,
    other: Vec<usize>,
}

impl Grid {
    /// The dots behind the longest name.
    const DOTS: usize = 3;

    /// Columns for these rows. A name that would take more than half of the line stands alone and does not count.
    pub(super) fn of<'a>(
        rows: impl IntoIterator<Item = &'a Row>,
        width: usize,
        indent: usize,
    ) -> Self {
        let rows: Vec<&Row> = rows.into_iter().collect();
        let name_limit = width / 2 - Self::DOTS - 4;
        let names = rows.iter().map(|r| r.name.chars().count());
        let name = names.filter(|n| *n <= name_limit).max().unwrap_or(0);
        // Behind the dots come a colon and a blank.
        let values_at = indent + name + Self::DOTS + 2;
        let widths = |is_trend: bool| {
            let mut widths: Vec<usize> = Vec::new();
            for row in rows.iter().filter(|r| r.is_trend == is_trend) {
                widths.resize(widths.len().max(row.cells.len()), 0);
                for (width, cell) in widths.iter_mut().zip(&row.cells) {
                    *width = cell.width().max(*width);
                }
            }
            widths
        };
        Self {
            indent,
            values_at,
            name_limit: name.max(1),
            trend: fold(&widths(true), width.saturating_sub(values_at)),
            other: widths(false),
        }
    }

    pub(super) fn write(&self, page: &mut Page<'_>, row: &Row) {
        let mut line = Line::indented(self.indent).text(row.name.clone());
        if row.name.chars().count() <= self.name_limit {
            let dots = (self.values_at - 2).saturating_sub(line.width());
            let dots = format!("{}:", ".".repeat(dots));
            line = line.styled(Style::Faint, dots);
        } else {
            page.line(line.styled(Style::Faint, "...:"));
            line = Line::new();
        }
        line = line.blank_to(self.values_at);
        let widths = if row.is_trend {
            &self.trend
        } else {
            &self.other
        };
        let per_line = widths.len().max(1);
        for (at, cell) in row.cells.iter().enumerate() {
            if at > 0 && at.is_multiple_of(per_line) {
                page.line(std::mem::take(&mut line));
                line = Line::indented(self.values_at);
            }
            let end = line.width() + widths[at % per_line] + 1;
            line = line
                .text(cell.label.clone())
                .styled(cell.style, cell.value.clone())
                .blank_to(end);
        }
        page.line(line);
    }
}

/// The columns that remain when cells of these widths are broken into as few equal lines as fit into `room`.
fn fold(cells: &[usize], room: usize) -> Vec<usize> {
    for lines in 1..cells.len() {
        let columns = cells.len().div_ceil(lines);
        let mut widths = vec![0; columns];
        for (at, cell) in cells.iter().enumerate() {
            widths[at % columns] = widths[at % columns].max(*cell);
        }
        if widths.iter().sum::<usize>() + columns - 1 <= room {
            return widths;
        }
    }
    cells
        .iter()
        .max()
        .map_or(Vec::new(), |widest| vec![*widest])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fold_into_the_fewest_lines() {
        assert_eq!(fold(&[5, 5, 5, 5], 23), [5, 5, 5, 5]);
        assert_eq!(fold(&[5, 5, 5, 5], 22), [5, 5]);
        assert_eq!(fold(&[5, 9, 5], 16), [5, 9]);
        assert_eq!(fold(&[5, 9, 5], 10), [9]);
        assert_eq!(fold(&[], 10), [0; 0]);
    }

    #[test]
    fn blocks_are_found_by_the_beginning_of_the_name() {
        assert_eq!(block_of("http_reqs{a:b}"), "HTTP");
        assert_eq!(block_of("http_foo"), "CUSTOM");
        assert_eq!(block_of("browser_web_vital_lcp"), "WEB_VITALS");
        assert_eq!(block_of("iteration_duration"), "EXECUTION");
        assert!(!is_shown("checks_of_mine", Mode::Full));
        assert!(!is_shown("http_req_tare", Mode::Compact));
        assert!(is_shown("http_req_tare", Mode::Full));
        assert!(is_shown("http_req_duration", Mode::Compact));
    }
}
