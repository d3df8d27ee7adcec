//! The first part of the run was slower: its numbers are in the totals.

use serde_json::json;

use super::view::{View, median, ms, seconds};
use super::{Finding, Rule, Severity};

/// How many times the usual p95 the first one is.
const TIMES: f64 = 1.5;
const AT_LEAST_MS: f64 = 1.0;
const WINDOWS: usize = 10;

pub(super) const RULE: Rule = Rule {
    name: "warm-up",
    law: "p95 of the first tenth of a run of constant load is 1.5 times that of the rest or more.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let windows = view.busy();
    if windows.len() < WINDOWS {
        return Vec::new();
    }
    let first = windows.len() / 10;
    let p95 = |part: &[&super::view::Window]| median(part.iter().filter_map(|w| w.p95_ms));
    let load = |part: &[&super::view::Window]| median(part.iter().map(|w| w.load()));
    let (start, rest) = windows.split_at(first);
    let (slow, usual) = (p95(start), p95(rest));
    let is_constant = load(start) >= 0.9 * load(rest) && load(start) <= 1.1 * load(rest);
    if !is_constant || slow < usual * TIMES || slow - usual < AT_LEAST_MS {
        return Vec::new();
    }
    let until_ns = start.last().map_or(0, |w| w.until_ns);
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Note,
        title: "The start was slower than the rest".to_owned(),
        sentence: format!(
            "In the first {} p95 was {}, afterwards {}. The totals include both: warm up before, or run longer.",
            seconds(until_ns),
            ms(slow),
            ms(usual)
        ),
        since_ns: 0,
        until_ns,
        chart: "latency",
        evidence: json!({ "first_p95_ms": slow, "usual_p95_ms": usual }),
    }]
}
