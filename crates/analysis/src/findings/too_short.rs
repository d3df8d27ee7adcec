//! Too little to go by.

use serde_json::json;

use super::view::{View, number, seconds};
use super::{Finding, Rule, Severity};

/// Shorter runs show the start more than the rest, in nanoseconds.
const SPAN_NS: u64 = 30_000_000_000;
/// A p99 of fewer requests is a matter of chance.
const REQUESTS: u64 = 1_000;

pub(super) const RULE: Rule = Rule {
    name: "too-short",
    law: "The run lasted less than 30 seconds or made fewer than 1,000 requests.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let (elapsed_ns, requests) = (view.elapsed_ns(), view.requests());
    if requests == 0 || (elapsed_ns >= SPAN_NS && requests >= REQUESTS) {
        return Vec::new();
    }
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Note,
        title: "A short run".to_owned(),
        sentence: format!(
            "{} requests in {}: enough to see whether it works, not to compare or to trust high percentiles.",
            number(requests as f64),
            seconds(elapsed_ns)
        ),
        since_ns: 0,
        until_ns: elapsed_ns,
        chart: "rate",
        evidence: json!({ "requests": requests, "elapsed_ns": elapsed_ns }),
    }]
}
