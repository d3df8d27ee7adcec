//! The section that says which thresholds held, with the number each was judged by.

use netload_metrics::summary::{MetricSummary, ThresholdOutcome};
use netload_metrics::{Contains, Kind};

use super::{INDENT, Page};
use crate::line::Line;
use crate::number;
use crate::palette::Style;

pub(super) fn write(page: &mut Page<'_>) {
    let judged: Vec<&MetricSummary> = page
        .summary
        .metrics
        .iter()
        .filter(|m| !m.thresholds.is_empty())
        .collect();
    if judged.is_empty() {
        return;
    }
    page.title("THRESHOLDS");
    for metric in &judged {
        page.blank();
        // Below a parent that is listed too, the part in braces says enough.
        let parent = metric
            .parent
            .as_deref()
            .filter(|p| judged.iter().any(|other| other.name == *p));
        let (name, indent) = match parent {
            Some(parent) => (&metric.name[parent.len()..], INDENT + 2),
            None => (metric.name.as_str(), INDENT),
        };
        page.line(Line::indented(indent).text(name));
        for threshold in &metric.thresholds {
            let line = judgement(page, metric, threshold, indent);
            page.line(line);
        }
    }
    page.blank();
}

fn judgement(
    page: &Page<'_>,
    metric: &MetricSummary,
    threshold: &ThresholdOutcome,
    indent: usize,
) -> Line {
    let (mark, style) = if threshold.ok {
        ("✓", Style::Good)
    } else {
        ("✗", Style::Bad)
    };
    let aggregation = aggregation(&threshold.source);
    let number = judged_number(page, metric, aggregation, threshold.number.unwrap_or(0.0));
    Line::indented(indent)
        .styled(style, mark)
        .text(format!(" '{}' {aggregation}=", threshold.source))
        .styled(Style::Value, number)
}

/// What stands before the operator: `p(95)` of `p(95) < 500`.
fn aggregation(source: &str) -> &str {
    source
        .split(['<', '>', '=', '!'])
        .next()
        .unwrap_or("")
        .trim()
}

fn judged_number(
    page: &Page<'_>,
    metric: &MetricSummary,
    aggregation: &str,
    number: f64,
) -> String {
    let unit = page.options.time_unit;
    match (metric.kind, aggregation) {
        (Kind::Rate, _) => number::percent(number),
        (Kind::Counter, "rate") => {
            format!("{}/s", number::value(number, metric.contains, unit))
        }
        (Kind::Trend, "count") => number::value(number, Contains::Default, unit),
        _ => number::value(number, metric.contains, unit),
    }
}
