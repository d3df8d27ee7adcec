//! Requests waited before they were sent: what users would feel and the duration alone does not show.

use serde_json::json;

use super::view::{View, ms};
use super::{Finding, Rule, Severity};

/// How much longer the response from the planned start must be.
const TIMES: f64 = 1.5;
/// Differences below this do not matter, in milliseconds.
const AT_LEAST_MS: f64 = 1.0;
/// A p99 needs so many requests.
const REQUESTS: u64 = 1_000;

pub(super) const RULE: Rule = Rule {
    name: "hidden-waiting",
    law: "In the open model p99 of http_req_response, counted from the planned start, is 1.5 times p99 of \
          http_req_duration or more.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let (Some(response), Some(duration)) = (
        view.trend("http_req_response"),
        view.trend("http_req_duration"),
    ) else {
        return Vec::new();
    };
    let (felt, shown) = (response.quantile(0.99), duration.quantile(0.99));
    if response.count < REQUESTS || felt < shown * TIMES || felt - shown < AT_LEAST_MS {
        return Vec::new();
    }
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: "Requests waited before they were sent".to_owned(),
        sentence: format!(
            "From the planned start p99 is {} (http_req_response), from the first byte sent only {} \
             (http_req_duration): requests waited for a free user or connection.",
            ms(felt),
            ms(shown)
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "latency",
        evidence: json!({ "response_p99_ms": felt, "duration_p99_ms": shown }),
    }]
}
