//! Errors begin in the middle of the run.

use netload_record::{Part, Point};
use serde_json::json;

use super::view::{View, number, percent, seconds};
use super::{Finding, Rule, Severity};

/// How far above the share of failures at the start.
const ABOVE: f64 = 0.10;
/// Windows with fewer requests say nothing.
const REQUESTS: u64 = 10;

pub(super) const RULE: Rule = Rule {
    name: "error-onset",
    law: "From some window on the share of failed requests is 10 points above that of the first windows, in that window \
          and the next.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let windows: Vec<_> = view
        .windows
        .iter()
        .filter(|w| w.requests >= REQUESTS)
        .collect();
    let first = (windows.len() / 10).max(1);
    if windows.len() < first + 3 {
        return Vec::new();
    }
    let requests: u64 = windows[..first].iter().map(|w| w.requests).sum();
    let failed: u64 = windows[..first].iter().map(|w| w.failed).sum();
    let baseline = failed as f64 / requests as f64;
    let share = |at: usize| windows[at].failed as f64 / windows[at].requests as f64;
    let is_high = |at: usize| share(at) > baseline + ABOVE;
    let Some(onset) = (first..windows.len() - 1).find(|at| is_high(*at) && is_high(at + 1)) else {
        return Vec::new();
    };
    let last = (onset..windows.len())
        .rev()
        .find(|at| is_high(*at))
        .unwrap_or(onset);
    let worst = (onset..=last).map(share).fold(0.0, f64::max);
    let at = windows[onset];
    let load = match at.planned {
        Some(planned) => format!("{} planned starts a second", number(planned)),
        None => format!("{} virtual users", number(at.vus)),
    };
    let cause = cause(view).map_or_else(String::new, |cause| format!(", mostly with {cause}"));
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Problem,
        title: "Errors begin under load".to_owned(),
        sentence: format!(
            "From {} on, at {load} and {} requests a second, up to {} of the requests fail{cause}; at the start it was {}.",
            seconds(at.at_ns),
            number(at.rate),
            percent(worst),
            percent(baseline)
        ),
        since_ns: at.at_ns,
        until_ns: windows[last].until_ns,
        chart: "errors",
        evidence: json!({
            "baseline": baseline, "worst": worst, "vus": at.vus, "planned_per_s": at.planned, "rate_per_s": at.rate,
        }),
    }]
}

/// The most frequent failure, in words: `status 503` or the text of the error.
pub(super) fn cause(view: &View<'_>) -> Option<String> {
    let failures = view.record.parts("http_reqs", |part| match part {
        Part::Status(status) if status.as_str() >= "400" => Some(format!("status {status}")),
        Part::Error { text, .. } => Some(text.clone()),
        _ => None,
    });
    let count = |key| view.record.total(key).as_ref().map_or(0, Point::samples);
    let most = failures.map(|(_, key, words)| (count(key), words)).max();
    most.filter(|(count, _)| *count > 0).map(|(_, words)| words)
}
