//! The result of `netload hit` for people: totals, percentiles of gross, net and tare, a histogram, statuses, errors.
//!
//! A percentile that the number of samples cannot carry is shown as `-`. Fits into 80 columns with usual names.

use netload_metrics::aggregate::{Counter, Rate};
use netload_metrics::summary::MetricSummary;
use netload_metrics::{Aggregate, Basis, Histogram, Summary};

use crate::accuracy;
use crate::generator;
use crate::line::{Line, wrap};
use crate::number::{self, grouped};
use crate::palette::{Palette, Style};
use crate::stat::samples_needed;
use crate::tally::Tally;
use crate::text::{compat_lines, percentile_text, spread_text, undelivered};
use crate::{TimeUnit, TrendStat};

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub struct HitView<'a> {
    /// Method and address: `GET http://127.0.0.1:8080/`.
    pub request: &'a str,
    /// The load in words: `64 connections for 10s`.
    pub load: &'a str,
    /// What was measured.
    pub summary: &'a Summary,
    /// Statuses and errors.
    pub tally: &'a Tally,
}

const INDENT: usize = 2;
/// Where values stand, counted from the left.
const VALUES_AT: usize = 14;
const COLUMN_WIDTH: usize = 12;
/// Where sentences are wrapped.
const WIDTH: usize = 80;
/// Beside the first column: ` +0.05/-0.31`.
const INTERVAL_WIDTH: usize = 10;
const HISTOGRAM_ROWS: usize = 10;
const BAR_WIDTH: usize = 40;
const PERCENTILES: [f64; 8] = [50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0];
/// Errors shown one by one.
const ERRORS_SHOWN: usize = 10;

/// The whole text, with an empty line before and after.
pub fn render(view: &HitView<'_>, palette: Palette) -> String {
    let mut lines = vec![Line::new()];
    lines.push(Line::indented(INDENT).styled(Style::Title, view.request));
    lines.push(Line::indented(INDENT).styled(Style::Faint, view.load));
    lines.push(Line::new());
    totals(view.summary, &mut lines);
    let any_response = view.tally.statuses.values().any(|count| *count > 0);
    if let Some(net) = trend(view.summary, "http_req_duration").filter(|_| any_response) {
        percentiles(view.summary, &mut lines);
        histogram(net, &mut lines);
    }
    statuses(view.tally, &mut lines);
    errors(view.tally, &mut lines);
    verdict(view.summary, &mut lines);
    compat(view.summary, &mut lines);
    notices(view.summary, &mut lines);
    lines.push(Line::new());
    let painted: Vec<String> = lines.iter().map(|l| l.paint(palette)).collect();
    painted.join("\n") + "\n"
}

fn totals(summary: &Summary, lines: &mut Vec<Line>) {
    let elapsed_s = summary.elapsed_ns as f64 / 1e9;
    let requests = counter(summary, "http_reqs");
    let per_second = number::plain((requests.per_second(elapsed_s) * 10.0).floor() / 10.0);
    lines.push(
        field("Requests")
            .styled(Style::Value, grouped(requests.sum as u64))
            .text(" in ")
            .text(number::duration(elapsed_s * 1e3, TimeUnit::Auto))
            .text(", ")
            .styled(Style::Value, format!("{per_second}/s")),
    );
    let failed = match summary.metric("http_req_failed").map(|m| &m.data) {
        Some(Aggregate::Rate(rate)) => *rate,
        _ => Rate::default(),
    };
    let style = if failed.passes == 0 {
        Style::Good
    } else {
        Style::Bad
    };
    lines.push(
        field("Failed")
            .styled(style, grouped(failed.passes))
            .text(format!(
                ", {}",
                number::percent_of(failed.passes, failed.total)
            )),
    );
    for (name, metric) in [("Received", "data_received"), ("Sent", "data_sent")] {
        let data = counter(summary, metric);
        let rate = number::bytes(data.per_second(elapsed_s));
        lines.push(
            field(name)
                .styled(Style::Value, number::bytes(data.sum))
                .text(format!(", {rate}/s")),
        );
    }
    let balance = accuracy::balance(&summary.accuracy).unwrap_or_default();
    let width = WIDTH - VALUES_AT;
    let sums = balance.split("; ").filter(|sum| !sum.is_empty());
    for (at, text) in sums.flat_map(|sum| wrap(sum, width)).enumerate() {
        let line = if at == 0 {
            field("Balance")
        } else {
            Line::indented(VALUES_AT)
        };
        lines.push(line.text(text));
    }
}

/// The columns in their order: the metric, what it is called, and how it looks. The first that exists has intervals.
const COLUMNS: [(&str, &str, Style); 4] = [
    ("http_req_response", "response", Style::Value),
    ("http_req_duration", "net", Style::Value),
    ("http_req_gross", "gross", Style::Aside),
    ("http_req_tare", "tare", Style::Aside),
];

/// One line per percentile: the response where starts are planned, net, gross and tare, as far as they were measured.
fn percentiles(summary: &Summary, lines: &mut Vec<Line>) {
    let columns: Vec<(&MetricSummary, &Histogram, &str, Style)> = COLUMNS
        .into_iter()
        .filter_map(|(metric, name, style)| {
            let name = match summary.accuracy.basis {
                Basis::Gross if name == "net" => "gross",
                _ => name,
            };
            Some((
                summary.metric(metric)?,
                trend(summary, metric)?,
                name,
                style,
            ))
        })
        .collect();
    let Some((first, main, ..)) = columns.first().copied() else {
        return;
    };
    lines.push(Line::new());
    let mut head = Line::indented(INDENT).styled(Style::Title, "Latency");
    for (at, (_, _, name, _)) in columns.iter().enumerate() {
        head = right(head, at, Style::Faint, name);
    }
    lines.push(head);
    let stats = ["avg", "min"].map(TrendStat::parse).into_iter().flatten();
    for stat in stats {
        let mut line = Line::indented(INDENT + 2).text(stat.name());
        for (at, (_, trend, _, style)) in columns.iter().enumerate() {
            let text = number::duration(stat.of(trend), TimeUnit::Auto);
            line = right(line, at, *style, &text);
        }
        lines.push(line);
    }
    for percentile in PERCENTILES {
        let name = if percentile < 100.0 {
            format!("p{percentile}")
        } else {
            "max".to_owned()
        };
        let mut line = Line::indented(INDENT + 2).text(name);
        for (at, (_, trend, _, style)) in columns.iter().enumerate() {
            let text = percentile_text(trend, percentile, TimeUnit::Auto);
            line = right(line, at, *style, &text);
            if at == 0 {
                let aside = beside(summary, first, main, percentile);
                line = line.text(" ").styled(Style::Faint, aside);
            }
        }
        lines.push(line);
    }
    if columns.len() > 1 {
        let meaning = Line::indented(INDENT + 2).styled(
            Style::Faint,
            "+/- is 95 % sure; gross - tare = net: netload's own share is taken out",
        );
        lines.push(meaning);
    }
}

/// How sure a percentile is, or what it would take to have one.
fn beside(summary: &Summary, metric: &MetricSummary, trend: &Histogram, percentile: f64) -> String {
    let needed = samples_needed(percentile);
    if percentile < 100.0 && trend.count() < needed {
        return format!("needs {}", grouped(needed));
    }
    spread_text(summary, metric, percentile).unwrap_or_default()
}

/// Rows of equal width on a logarithmic scale between the smallest and the largest value.
fn histogram(net: &Histogram, lines: &mut Vec<Line>) {
    let rows = histogram_rows(net);
    let Some(most) = rows.iter().map(|r| r.count).max().filter(|m| *m > 0) else {
        return;
    };
    lines.push(Line::new());
    lines.push(
        Line::indented(INDENT)
            .styled(Style::Title, "Histogram")
            .styled(Style::Faint, " of net, up to and including"),
    );
    for row in rows {
        let bound = number::duration(row.upper, TimeUnit::Auto);
        let line = Line::indented(INDENT + 2)
            .blank_to((INDENT + 11_usize).saturating_sub(bound.chars().count()))
            .text(bound)
            .text(" ")
            .styled(Style::Value, bar(row.count, most))
            .blank_to(INDENT + 12 + BAR_WIDTH + 1);
        let share = number::percent_of(row.count, net.count());
        let count = grouped(row.count);
        lines.push(line.text(format!("{count:>12} {share:>8}")));
    }
}

#[derive(Debug, PartialEq)]
struct HistogramRow {
    /// The largest value of the row, in milliseconds.
    upper: f64,
    count: u64,
}

fn histogram_rows(trend: &Histogram) -> Vec<HistogramRow> {
    let buckets = trend.to_buckets();
    let middle = |index: i32| ((f64::from(index) + 0.5) / f64::from(1 << Histogram::SCALE)).exp2();
    let Some((first, _)) = buckets.positive_buckets().next() else {
        return Vec::new();
    };
    let low = trend.min().max(middle(first)).ln();
    let high = trend.max().ln();
    let rows = if high - low > f64::EPSILON {
        HISTOGRAM_ROWS
    } else {
        1
    };
    let step = (high - low) / rows as f64;
    let mut found: Vec<HistogramRow> = (1..=rows)
        .map(|row| HistogramRow {
            upper: (low + step * row as f64).exp(),
            count: 0,
        })
        .collect();
    found[rows - 1].upper = trend.max();
    // Values of zero or below have no place on a logarithmic scale and stand in the first row.
    found[0].count = buckets.zeros() + buckets.negative_buckets().map(|b| b.1).sum::<u64>();
    for (index, count) in buckets.positive_buckets() {
        let position = (middle(index).ln() - low) / step;
        let row = (position.ceil() - 1.0).clamp(0.0, (rows - 1) as f64);
        found[row as usize].count += count;
    }
    found
}

/// A bar in eighths of a column; every count that is not zero is seen.
fn bar(count: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let full = BAR_WIDTH as u128 * 8;
    let length = u128::from(count) * full / u128::from(most.max(1));
    let length = (length.max(u128::from(count > 0))) as usize;
    format!("{}{}", "█".repeat(length / 8), EIGHTHS[length % 8])
}

fn statuses(tally: &Tally, lines: &mut Vec<Line>) {
    if tally.statuses.is_empty() {
        return;
    }
    lines.push(Line::new());
    lines.push(Line::indented(INDENT).styled(Style::Title, "Status"));
    for (status, count) in &tally.statuses {
        let style = match status {
            100..400 => Style::Good,
            _ => Style::Bad,
        };
        lines.push(
            Line::indented(INDENT + 2)
                .styled(style, status.to_string())
                .text(format!("  {}", grouped(*count))),
        );
    }
}

fn errors(tally: &Tally, lines: &mut Vec<Line>) {
    if tally.errors.is_empty() {
        return;
    }
    lines.push(Line::new());
    lines.push(Line::indented(INDENT).styled(Style::Title, "Errors"));
    let mut all: Vec<_> = tally.errors.iter().collect();
    all.sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(b.0)));
    for (text, error) in all.iter().take(ERRORS_SHOWN) {
        let code = match error.code.as_str() {
            "" => String::new(),
            code => format!(" (code {code})"),
        };
        lines.push(
            Line::indented(INDENT + 2)
                .styled(Style::Bad, grouped(error.count))
                .text(format!("  {text}{code}")),
        );
    }
    if let Some(hidden @ 1..) = all.len().checked_sub(ERRORS_SHOWN) {
        let count: u64 = all[ERRORS_SHOWN..].iter().map(|(_, e)| e.count).sum();
        let line = format!("{}  of {hidden} other kinds", grouped(count));
        lines.push(Line::indented(INDENT + 2).text(line));
    }
}

fn verdict(summary: &Summary, lines: &mut Vec<Line>) {
    if let Some(report) = &summary.generator {
        lines.push(Line::new());
        lines.extend(generator::lines(
            report,
            "Generator",
            (INDENT, VALUES_AT),
            WIDTH,
        ));
    }
}

fn compat(summary: &Summary, lines: &mut Vec<Line>) {
    let found = compat_lines(summary, TimeUnit::Auto, INDENT);
    if !found.is_empty() {
        lines.push(Line::new());
        lines.extend(found);
    }
}

/// What the reader should know before trusting the numbers.
fn notices(summary: &Summary, lines: &mut Vec<Line>) {
    let undelivered = summary.deliveries.iter().filter_map(undelivered);
    for notice in undelivered.chain(accuracy::notices(&summary.accuracy)) {
        lines.push(Line::new());
        for text in wrap(&format!("NOTE {notice}"), WIDTH - INDENT) {
            lines.push(Line::indented(INDENT).styled(Style::Warning, text));
        }
    }
}

fn field(name: &str) -> Line {
    Line::indented(INDENT)
        .styled(Style::Title, name)
        .blank_to(VALUES_AT)
}

fn right(line: Line, at: usize, style: Style, text: &str) -> Line {
    // Behind the first column there is room for its interval.
    let room = if at == 0 { 0 } else { INTERVAL_WIDTH };
    let end = VALUES_AT + (at + 1) * COLUMN_WIDTH - 2 + room;
    line.blank_to(end.saturating_sub(text.chars().count()))
        .styled(style, text)
}

fn counter(summary: &Summary, name: &str) -> Counter {
    match summary.metric(name).map(|m| &m.data) {
        Some(Aggregate::Counter(counter)) => *counter,
        _ => Counter::default(),
    }
}

fn trend<'a>(summary: &'a Summary, name: &str) -> Option<&'a Histogram> {
    match summary.metric(name).map(|m| &m.data) {
        Some(Aggregate::Trend(trend)) if trend.count() > 0 => Some(trend),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_value_makes_one_row() {
        let mut trend = Histogram::default();
        for _ in 0..3 {
            trend.record(2.0);
        }
        let rows = histogram_rows(&trend);
        assert_eq!(
            rows,
            [HistogramRow {
                upper: 2.0,
                count: 3
            }]
        );
        assert!(histogram_rows(&Histogram::default()).is_empty());
    }

    #[test]
    fn the_smallest_count_is_seen() {
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(10, 10), "█".repeat(BAR_WIDTH));
    }

    proptest! {
        #[test]
        fn every_value_is_in_a_row(values in prop::collection::vec(0.0..1e5f64, 1..700)) {
            let mut trend = Histogram::default();
            values.iter().for_each(|v| trend.record(*v));
            let rows = histogram_rows(&trend);
            prop_assert_eq!(rows.iter().map(|r| r.count).sum::<u64>(), values.len() as u64);
            prop_assert!(rows.windows(2).all(|w| w[0].upper < w[1].upper));
        }
    }
}
