//! The load at which responses begin to take longer.

use serde_json::json;

use super::line;
use super::plateau::rising;
use super::view::{View, median, ms, number, seconds};
use super::{Finding, Rule, Severity};

/// How many times the usual p95 the last one must be.
const TIMES: f64 = 2.0;
/// Growth below this does not matter, in milliseconds.
const AT_LEAST_MS: f64 = 1.0;
/// How much of the scatter the bend must explain.
const EXPLAINED: f64 = 0.5;
/// How much the load must grow in all.
const GROWTH: f64 = 1.5;

pub(super) const RULE: Rule = Rule {
    name: "latency-knee",
    law: "While the load grows, p95 bends upwards and ends at twice its value before the bend or more, and the bend \
          explains at least half of the scatter around a straight line.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let mut windows = rising(view);
    windows.retain(|w| w.p95_ms.is_some());
    let x: Vec<f64> = windows.iter().map(|w| w.load()).collect();
    let y: Vec<f64> = windows.iter().filter_map(|w| w.p95_ms).collect();
    let Some(bend) = line::bend(&x, &y) else {
        return Vec::new();
    };
    let usual = median(y[..bend.at].iter().copied());
    let end = median(y.iter().rev().take(3).copied());
    let (first, knee, last) = (windows[0], windows[bend.at], windows[windows.len() - 1]);
    let rises = bend.slope_after > 0.0 && bend.slope_after > 2.0 * bend.slope_before.max(0.0);
    let grown = last.load() >= first.load() * GROWTH;
    if !rises
        || !grown
        || end < usual * TIMES
        || end - usual < AT_LEAST_MS
        || bend.explained < EXPLAINED
    {
        return Vec::new();
    }
    let what = knee.load_unit();
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Problem,
        title: "Responses slow down under load".to_owned(),
        sentence: format!(
            "Up to {} {what} p95 is near {}; from {} on it grows, to {} at {}.",
            number(knee.load()),
            ms(usual),
            seconds(knee.at_ns),
            ms(end),
            number(last.load())
        ),
        since_ns: knee.at_ns,
        until_ns: last.until_ns,
        chart: "latency",
        evidence: json!({
            "knee_load": knee.load(), "usual_p95_ms": usual, "end_p95_ms": end, "highest_load": last.load(),
            "explained": bend.explained,
        }),
    }]
}
