//! Planned starts that never happened.

use serde_json::json;

use super::view::{View, number, percent};
use super::{Finding, Rule, Severity};

/// The share of planned starts that may be missing.
const SHARE: f64 = 0.01;

pub(super) const RULE: Rule = Rule {
    name: "dropped-arrivals",
    law: "In the open model more than 1 % of the planned starts were dropped.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let frames = || view.record.seconds.iter();
    let planned: u64 = frames().filter_map(|f| f.planned).sum();
    let dropped: u64 = frames()
        .filter(|f| f.planned.is_some())
        .map(|f| f.dropped)
        .sum();
    let share = dropped as f64 / planned.max(1) as f64;
    if planned == 0 || share <= SHARE {
        return Vec::new();
    }
    let with = || frames().filter(|f| f.dropped > 0);
    let vus = frames().map(|f| f.vus_max).max().unwrap_or(0);
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Problem,
        title: "Planned starts were dropped".to_owned(),
        sentence: format!(
            "{} of {} planned starts ({}) were dropped because all {} virtual users were busy: the load was smaller than \
             planned. More users (maxVUs) or a faster server are needed.",
            number(dropped as f64),
            number(planned as f64),
            percent(share),
            number(vus as f64)
        ),
        since_ns: with().next().map_or(0, |f| f.at_ns),
        until_ns: with().next_back().map_or(0, |f| f.until_ns()),
        chart: "rate",
        evidence: json!({ "planned": planned, "dropped": dropped, "share": share, "vus_max": vus }),
    }]
}
