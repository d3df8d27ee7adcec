//! Gross, tare and net of the requests: what was seen, what netload added, and what server and network took.
//!
//! Each line is a distribution of its own, so the lines do not subtract column by column. A percentile that the number
//! of samples cannot carry is not shown.

use netload_metrics::summary::MetricSummary;
use netload_metrics::{Aggregate, Histogram, Summary};

use super::{INDENT, Mode, Page, SummaryOptions};
use crate::TimeUnit;
use crate::accuracy;
use crate::line::{Line, wrap};
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
const ROWS: [(&str, &str, &str); 4] = [
    RESPONSE,
    ("gross", "what a client sees", "http_req_gross"),
    ("tare", "netload's own part", "http_req_tare"),
    ("net", "server and network", "http_req_duration"),
];
/// Only where starts are planned in time.
const RESPONSE: (&str, &str, &str) = ("resp.", "from planned start", "http_req_response");
const COLUMN_WIDTH: usize = 9;
/// Room for a percentile with its interval.
const INTERVAL_WIDTH: usize = 24;

pub(super) fn write(page: &mut Page<'_>) {
    let lines = table(page.summary, page.options.time_unit, INDENT, page.width);
    if lines.is_empty() {
        return;
    }
    page.blank();
    for line in lines {
        page.line(line);
    }
    if page.options.mode == Mode::Full {
        page.blank();
        for line in certainty(page.summary, page.options.time_unit) {
            page.line(line);
        }
    }
    if let Some(text) = accuracy::balance(&page.summary.accuracy) {
        page.blank();
        for line in wrap(
            &text,
            page.width.min(SummaryOptions::DEFAULT_WIDTH) - INDENT,
        ) {
            page.line(Line::indented(INDENT).styled(Style::Faint, line));
        }
    }
    compat(page);
}

/// The percentiles of net and response with the interval in which they lie.
fn certainty(summary: &Summary, unit: TimeUnit) -> Vec<Line> {
    let columns = [("net", ROWS[3].2), ("resp.", RESPONSE.2)];
    let found: Vec<_> = columns
        .into_iter()
        .filter_map(|(name, metric)| Some((name, summary.metric(metric)?)))
        .collect();
    let mut head = Line::indented(INDENT).styled(Style::Title, "95 % SURE");
    for (at, (name, _)) in found.iter().enumerate() {
        head = head
            .blank_to(INDENT + 12 + at * INTERVAL_WIDTH)
            .styled(Style::Faint, *name);
    }
    let mut lines = vec![head];
    for (name, percentile) in COLUMNS.into_iter().filter(|(_, p)| *p < 100.0) {
        let mut line = Line::indented(INDENT).text(name);
        for (at, (_, metric)) in found.iter().enumerate() {
            line = line.blank_to(INDENT + 12 + at * INTERVAL_WIDTH);
            let Aggregate::Trend(trend) = &metric.data else {
                continue;
            };
            line = line.styled(Style::Value, percentile_text(trend, percentile, unit));
            if let Some(spread) = spread_text(summary, metric, percentile) {
                line = line.text(" ").styled(Style::Faint, spread);
            }
        }
        lines.push(line);
    }
    lines
}

/// `+0.05/-0.31`, when the sample can carry the percentile.
pub(crate) fn spread_text(
    summary: &Summary,
    metric: &MetricSummary,
    percentile: f64,
) -> Option<String> {
    let Aggregate::Trend(trend) = &metric.data else {
        return None;
    };
    if percentile >= 100.0 || trend.count() < samples_needed(percentile) {
        return None;
    }
    let found = summary.interval(metric, percentile)?;
    let value = trend.percentile(percentile);
    Some(number::spread(value, found.low, found.high))
}

/// What another tool would have called the response time, if somebody asked.
fn compat(page: &mut Page<'_>) {
    let lines = compat_lines(page.summary, page.options.time_unit, INDENT);
    if !lines.is_empty() {
        page.blank();
    }
    for line in lines {
        page.line(line);
    }
}

/// The tool's word, its two events, and its percentiles.
pub(crate) fn compat_lines(summary: &Summary, unit: TimeUnit, indent: usize) -> Vec<Line> {
    let metric = summary.metric("http_req_compat").map(|m| &m.data);
    let (Some(tool), Some(Aggregate::Trend(trend))) = (summary.accuracy.compat, metric) else {
        return Vec::new();
    };
    let title = format!("AS {} WOULD SAY", tool.name().to_uppercase());
    let mut values = Line::indented(indent).text(tool.term()).text(": ");
    for (name, percentile) in COLUMNS {
        values = values
            .styled(Style::Faint, format!("{name}="))
            .styled(Style::Value, percentile_text(trend, percentile, unit))
            .text(" ");
    }
    vec![
        Line::indented(indent).styled(Style::Title, title),
        values,
        Line::indented(indent).styled(Style::Faint, format!("from: {}", tool.start())),
        Line::indented(indent).styled(Style::Faint, format!("to: {}", tool.end())),
    ]
}

/// The table; nothing when no tare was measured.
fn table(summary: &Summary, unit: TimeUnit, indent: usize, width: usize) -> Vec<Line> {
    let mut trends = Vec::new();
    for (name, meaning, metric) in ROWS {
        match summary.metric(metric).map(|m| &m.data) {
            Some(Aggregate::Trend(trend)) if trend.count() > 0 => {
                trends.push((name, meaning, trend));
            }
            _ if metric == RESPONSE.2 => {}
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
