//! The same load, slower and slower: a leak, a growing table, a queue that fills up.

use serde_json::json;

use super::line;
use super::view::{View, Window, median, ms, seconds};
use super::{Finding, Rule, Severity};

/// How much p95 must grow from the first quarter to the last.
const GROWTH: f64 = 1.3;
/// Growth below this does not matter, in milliseconds.
const AT_LEAST_MS: f64 = 0.5;
/// The share of pairs of windows of which the later one is slower.
const PAIRS: f64 = 0.75;
/// Shorter stretches say nothing, in nanoseconds and windows.
const SPAN_NS: u64 = 20_000_000_000;
const WINDOWS: usize = 12;

pub(super) const RULE: Rule = Rule {
    name: "slow-growth",
    law: "Under constant load for at least 20 seconds, p95 of the last quarter is 1.3 times that of the first or more, \
          and in three of four pairs of windows the later one is slower.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let busy = view.busy();
    let highest = busy.iter().map(|w| w.load()).fold(0.0, f64::max);
    let steady = |w: &&&Window| w.load() >= 0.9 * highest && w.p95_ms.is_some();
    let windows: Vec<&Window> = busy.iter().filter(steady).copied().collect();
    let (Some(first), Some(last)) = (windows.first(), windows.last()) else {
        return Vec::new();
    };
    let span_ns = last.until_ns - first.at_ns;
    if windows.len() < WINDOWS || span_ns < SPAN_NS {
        return Vec::new();
    }
    let x: Vec<f64> = windows.iter().map(|w| w.at_ns as f64).collect();
    let y: Vec<f64> = windows.iter().filter_map(|w| w.p95_ms).collect();
    let quarter = y.len() / 4;
    let (start, end) = (
        median(y[..quarter].iter().copied()),
        median(y[y.len() - quarter..].iter().copied()),
    );
    let (_, growing) = line::theil_sen(&x, &y);
    if end < start * GROWTH || end - start < AT_LEAST_MS || growing < PAIRS {
        return Vec::new();
    }
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: "Responses get slower at the same load".to_owned(),
        sentence: format!(
            "Under constant load p95 grew from {} to {} within {}. Something fills up: memory, a queue, a table.",
            ms(start),
            ms(end),
            seconds(span_ns)
        ),
        since_ns: first.at_ns,
        until_ns: last.until_ns,
        chart: "latency",
        evidence: json!({ "first_p95_ms": start, "last_p95_ms": end, "growing_pairs": growing }),
    }]
}
