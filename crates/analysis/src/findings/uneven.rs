//! Several addresses behind one test, and one of them gets most of it.

use netload_record::Part;
use serde_json::json;

use super::view::{View, percent};
use super::{Finding, Rule, Severity};

/// How many times its fair share an address may get.
const TIMES: f64 = 1.5;
/// Fewer requests are spread unevenly by chance.
const REQUESTS: u64 = 200;

pub(super) const RULE: Rule = Rule {
    name: "uneven-targets",
    law: "Of several addresses (system tag ip) one got 1.5 times its fair share of at least 200 requests, or one got \
          less than half of it.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let counts = view.counts(|part| match part {
        Part::Ip(ip) => Some(ip),
        _ => None,
    });
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let ([most, .., least], true) = (counts.as_slice(), all >= REQUESTS) else {
        return Vec::new();
    };
    let fair = all as f64 / counts.len() as f64;
    if (most.1 as f64) < fair * TIMES && least.1 as f64 > fair / 2.0 {
        return Vec::new();
    }
    let share = |count: u64| count as f64 / all as f64;
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: "The load is spread unevenly".to_owned(),
        sentence: format!(
            "Of {} addresses {} got {} of the requests and {} only {}.",
            counts.len(),
            most.0,
            percent(share(most.1)),
            least.0,
            percent(share(least.1))
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "hosts",
        evidence: json!({ "addresses": counts }),
    }]
}
