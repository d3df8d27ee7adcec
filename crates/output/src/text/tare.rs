//! Gross, tare and net of the requests: what was seen, what netload added, and what server and network took.
//!
//! Each line is a distribution of its own, so the lines do not subtract column by column. A percentile that the number
//! of samples cannot carry is not shown.

use netload_metrics::{Aggregate, Histogram, Summary};

use super::{INDENT, Page};
use crate::TimeUnit;
use crate::line::Line;
use crate::number;
use crate::palette::Style;
use crate::stat::samples_needed;

/// The columns: how they are called, and the percentile; 100 is the largest value.
const COLUMNS: [(&str, f64); 5] = [
    ("p50", 50.0),
    ("p90", 90.0),
    ("p99", 99.0),
    ("p99.9", 99.9),
    ("max", 100.0),
];
const ROWS: [(&str, &str, &str); 3] = [
    ("gross", "what a client sees", "http_req_gross"),
    ("tare", "netload's own part", "http_req_tare"),
    ("net", "server and network", "http_req_duration"),
];
const COLUMN_WIDTH: usize = 9;

pub(super) fn write(page: &mut Page<'_>) {
    let lines = table(page.summary, page.options.time_unit, INDENT, page.width);
    if lines.is_empty() {
        return;
    }
    page.blank();
    for line in lines {
        page.line(line);
    }
}

/// The table; nothing when no tare was measured.
fn table(summary: &Summary, unit: TimeUnit, indent: usize, width: usize) -> Vec<Line> {
    let mut trends = Vec::new();
    for (name, meaning, metric) in ROWS {
        match summary.metric(metric).map(|m| &m.data) {
            Some(Aggregate::Trend(trend)) if trend.count() > 0 => {
                trends.push((name, meaning, trend));
            }
            _ => return Vec::new(),
        }
    }
    // Values end where the page ends, or sooner on a wide page.
    let columns_at = (width - COLUMNS.len() * COLUMN_WIDTH).min(indent + 28);
    let mut head = Line::indented(indent).styled(Style::Title, "GROSS - TARE = NET");
    for (at, (name, _)) in COLUMNS.iter().enumerate() {
        head = right(head, columns_at, at, Style::Faint, name);
    }
    let mut lines = vec![head];
    for (name, meaning, trend) in trends {
        let mut line = Line::indented(indent)
            .text(format!("{name:<6}"))
            .styled(Style::Faint, meaning);
        for (at, (_, percentile)) in COLUMNS.iter().enumerate() {
            let text = percentile_text(trend, *percentile, unit);
            line = right(line, columns_at, at, Style::Value, &text);
        }
        lines.push(line);
    }
    lines
}

/// The percentile as text, `-` when there are too few samples for it; 100 is the largest value, which always exists.
pub(crate) fn percentile_text(trend: &Histogram, percentile: f64, unit: TimeUnit) -> String {
    if percentile >= 100.0 {
        return number::duration(trend.max(), unit);
    }
    if trend.count() < samples_needed(percentile) {
        return "-".to_owned();
    }
    number::duration(trend.percentile(percentile), unit)
}

fn right(line: Line, columns_at: usize, at: usize, style: Style, text: &str) -> Line {
    let end = columns_at + (at + 1) * COLUMN_WIDTH;
    let start = end.saturating_sub(text.chars().count());
    line.blank_to(start).styled(style, text)
}
