//! More load, no more answers: the throughput of the server has an upper end, and this is where.

use serde_json::json;

use super::line;
use super::view::{View, Window, number, seconds};
use super::{Finding, Rule, Severity};

/// How much the load must grow after the knee, and throughput before it.
const GROWTH: f64 = 1.3;
/// Throughput that follows the load grows by the same share; less than this part of it is a plateau.
const FOLLOWS: f64 = 0.2;

pub(super) const RULE: Rule = Rule {
    name: "throughput-plateau",
    law: "While the load (planned starts, else virtual users) still grows by 30 % or more, the rate of requests grows by \
          less than a fifth of that, after it had grown by 30 % or more before; the knee is the bend that fits best.",
    check,
};

/// The windows while the load rises, ascending.
pub(super) fn rising<'v>(view: &'v View<'_>) -> Vec<&'v Window> {
    let busy = view.busy();
    let highest = busy.iter().map(|w| w.load()).fold(0.0, f64::max);
    let top = busy.iter().position(|w| w.load() >= highest).unwrap_or(0);
    let mut rising: Vec<&Window> = Vec::new();
    for window in &busy[..busy.len().min(top + 1)] {
        if rising
            .last()
            .is_none_or(|last| window.load() >= last.load())
        {
            rising.push(window);
        }
    }
    rising
}

fn check(view: &View<'_>) -> Vec<Finding> {
    let windows = rising(view);
    let x: Vec<f64> = windows.iter().map(|w| w.load()).collect();
    let y: Vec<f64> = windows.iter().map(|w| w.rate).collect();
    let Some(bend) = line::bend(&x, &y) else {
        return Vec::new();
    };
    let (knee, last) = (windows[bend.at], windows[windows.len() - 1]);
    let grown = last.load() / knee.load().max(1e-9);
    let followed = (super::view::median(y[bend.at..].iter().rev().take(3).copied())
        / knee.rate.max(1e-9)
        - 1.0)
        .max(0.0);
    let before = knee.rate / y.iter().take(3).copied().fold(f64::MAX, f64::min).max(1e-9);
    // Bounded by Theil and Sen as well, which single windows cannot move.
    let (slope, _) = line::theil_sen(&x[bend.at..], &y[bend.at..]);
    let elasticity = slope * knee.load() / knee.rate.max(1e-9);
    if grown < GROWTH
        || before < GROWTH
        || followed > FOLLOWS * (grown - 1.0)
        || elasticity > FOLLOWS
    {
        return Vec::new();
    }
    let what = knee.load_unit();
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Problem,
        title: "Throughput has reached its end".to_owned(),
        sentence: format!(
            "From {} on, at {} {what}, the rate stays near {} requests a second although the load grows to {}.",
            seconds(knee.at_ns),
            number(knee.load()),
            number(knee.rate),
            number(last.load())
        ),
        since_ns: knee.at_ns,
        until_ns: last.until_ns,
        chart: "rate",
        evidence: json!({
            "knee_load": knee.load(), "knee_rate_per_s": knee.rate, "highest_load": last.load(), "elasticity": elasticity,
            "explained": bend.explained,
        }),
    }]
}
