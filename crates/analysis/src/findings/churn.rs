//! A new connection for nearly every request.

use serde_json::json;

use super::view::{View, ms, number, percent};
use super::{Finding, Rule, Severity};

/// The share of requests with a connection of their own.
const SHARE: f64 = 0.5;
/// Shorter runs are mostly first connections.
const REQUESTS: u64 = 200;

pub(super) const RULE: Rule = Rule {
    name: "connection-churn",
    law: "At least half of 200 or more requests made a new connection.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let Some(connecting) = view.trend("http_req_connecting") else {
        return Vec::new();
    };
    let fresh = connecting.count - connecting.zeros;
    let share = fresh as f64 / connecting.count as f64;
    if connecting.count < REQUESTS || share < SHARE {
        return Vec::new();
    }
    let tls = view
        .trend("http_req_tls_handshaking")
        .map_or(0.0, |dist| dist.sum);
    let each = (connecting.sum + tls) / fresh.max(1) as f64;
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: "Connections are not reused".to_owned(),
        sentence: format!(
            "{} of the requests made a new connection ({} of them, {} each). The server closes them, or \
             noConnectionReuse or a `Connection: close` asks for it.",
            percent(share),
            number(fresh as f64),
            ms(each)
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "latency",
        evidence: json!({ "connections": fresh, "requests": connecting.count, "share": share, "cost_ms": each }),
    }]
}
