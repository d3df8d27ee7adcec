//! Worse than before: what a comparison with a baseline comes to, as a finding.

use serde_json::json;

use super::{Finding, Severity};
use crate::compare::{Comparison, Row, Verdict};

/// The name of the rule: a number of the whole run is worse than the baseline's, beyond margin and chance.
pub(super) const NAME: &str = "changed";

/// What got worse against the baseline (the first side); none when nothing did.
pub fn change(comparison: &Comparison, until_ns: u64) -> Option<Finding> {
    let worse: Vec<&Row> = comparison
        .rows
        .iter()
        .filter(|row| row.verdict == Verdict::Worse)
        .collect();
    let words: Vec<String> = worse
        .iter()
        .map(|row| {
            let amount = match row.stat {
                "share" => format!("{:+.1} points", row.change * 100.0),
                _ => format!("{:+.1} %", row.change * 100.0),
            };
            format!("{} of {} {amount}", row.stat, row.metric)
        })
        .collect();
    if words.is_empty() {
        return None;
    }
    Some(Finding {
        rule: NAME,
        severity: Severity::Problem,
        title: "Worse than the baseline".to_owned(),
        sentence: format!(
            "Against {}: {}.",
            comparison.sides[0].runs.join(", "),
            words.join(", ")
        ),
        since_ns: 0,
        until_ns,
        chart: "latency",
        evidence: json!({ "rows": worse.iter().map(|row| row.value()).collect::<Vec<_>>() }),
    })
}
