//! Most answers say that nothing has changed: a cache was tested.

use netload_record::Part;
use serde_json::json;

use super::view::{View, percent};
use super::{Finding, Rule, Severity};

/// The share of such answers.
const SHARE: f64 = 0.5;
const REQUESTS: u64 = 100;

pub(super) const RULE: Rule = Rule {
    name: "caching",
    law: "At least half of 100 or more responses have the status 304.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let counts = view.counts(|part| match part {
        Part::Status(status) => Some(status),
        _ => None,
    });
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let unchanged = counts
        .iter()
        .find(|(status, _)| status == "304")
        .map_or(0, |(_, count)| *count);
    let share = unchanged as f64 / all.max(1) as f64;
    if all < REQUESTS || share < SHARE {
        return Vec::new();
    }
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: "Caches answered most requests".to_owned(),
        sentence: format!(
            "{} of the responses have the status 304: they carry no content and cost the server little. Leave out \
             If-None-Match and If-Modified-Since to load the server itself.",
            percent(share)
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "statuses",
        evidence: json!({ "not_modified": unchanged, "responses": all, "share": share }),
    }]
}
