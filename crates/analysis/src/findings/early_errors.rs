//! Requests fail from the start: the script or the access is wrong, not the server slow.

use serde_json::json;

use super::view::{View, percent, seconds};
use super::{Finding, Rule, Severity, error_onset};

/// How many requests make the start.
const FIRST: u64 = 100;
/// The share of failures that is too much.
const SHARE: f64 = 0.15;

pub(super) const RULE: Rule = Rule {
    name: "early-errors",
    law: "More than 15 % of the first 100 requests failed.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let (mut requests, mut failed) = (0, 0);
    let mut until_ns = 0;
    for window in &view.windows {
        requests += window.requests;
        failed += window.failed;
        until_ns = window.until_ns;
        if requests >= FIRST {
            break;
        }
    }
    let share = failed as f64 / requests.max(1) as f64;
    if requests < FIRST || share <= SHARE {
        return Vec::new();
    }
    let cause =
        error_onset::cause(view).map_or_else(String::new, |cause| format!(", mostly with {cause}"));
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Problem,
        title: "Requests fail from the start".to_owned(),
        sentence: format!(
            "{} of the first {requests} requests failed{cause}. That is rarely the load: look at the script, the \
             address and what access needs.",
            percent(share)
        ),
        since_ns: 0,
        until_ns,
        chart: "errors",
        evidence: json!({ "requests": requests, "failed": failed, "share": share, "until": seconds(until_ns) }),
    }]
}
