//! Requests to hosts that are hardly all the user's own.

use netload_record::Part;
use serde_json::json;

use super::view::View;
use super::{Finding, Rule, Severity};

/// Hosts that one service may well have.
const HOSTS: usize = 3;
/// Hosts that are named.
const NAMED: usize = 5;

pub(super) const RULE: Rule = Rule {
    name: "third-party-hosts",
    law: "Requests went to more than three hosts.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let hosts = view.counts(|part| match part {
        Part::Host(host) => Some(host),
        _ => None,
    });
    if hosts.len() <= HOSTS {
        return Vec::new();
    }
    let named: Vec<&str> = hosts
        .iter()
        .take(NAMED)
        .map(|(host, _)| host.as_str())
        .collect();
    let more = if hosts.len() > NAMED {
        ", and others"
    } else {
        ""
    };
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Note,
        title: "Many hosts were tested".to_owned(),
        sentence: format!(
            "Requests went to {} hosts: {}{more}. Those of others may slow the test down, limit it, or not want it.",
            hosts.len(),
            named.join(", ")
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "hosts",
        evidence: json!({ "hosts": hosts }),
    }]
}
