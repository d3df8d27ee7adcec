//! The wall clock was set during the run: stamps of the kernel and times of other machines do not fit together.

use serde_json::{Value, json};

use super::view::{View, ms};
use super::{Finding, Rule, Severity};

pub(super) const RULE: Rule = Rule {
    name: "clock-skew",
    law: "The machine's clock was set at least once during the run.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let Some(tail) = &view.record.tail else {
        return Vec::new();
    };
    let stepped = |e: &&Value| e["clock_steps"].as_u64().unwrap_or(0) > 0;
    let slices: Vec<&Value> = tail.evidence.iter().filter(stepped).collect();
    let (Some(first), Some(last)) = (slices.first(), slices.last()) else {
        return Vec::new();
    };
    let steps: u64 = slices
        .iter()
        .filter_map(|e| e["clock_steps"].as_u64())
        .sum();
    let furthest = slices
        .iter()
        .filter_map(|e| e["clock_step_ms"].as_f64())
        .fold(0.0, f64::max);
    let at = |e: &Value, name: &str| (e[name].as_f64().unwrap_or(0.0) * 1e9) as u64;
    let times = if steps == 1 {
        "once".to_owned()
    } else {
        format!("{steps} times")
    };
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: "The clock was set during the run".to_owned(),
        sentence: format!(
            "The machine's clock was set {times}, by up to {}. Durations are safe; times in logs and traces of other \
             machines do not fit these.",
            ms(furthest)
        ),
        since_ns: at(first, "at_s"),
        until_ns: at(last, "at_s") + at(last, "span_s"),
        chart: "generator",
        evidence: json!({ "steps": steps, "furthest_ms": furthest }),
    }]
}
