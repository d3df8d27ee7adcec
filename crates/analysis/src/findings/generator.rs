//! The generator was not up to it: the numbers are not the server's alone.

use serde_json::json;

use super::view::View;
use super::{Finding, Rule, Severity};

pub(super) const RULE: Rule = Rule {
    name: "generator-trouble",
    law: "The verdict on the generator is not clean.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let report = view.document("/generator");
    let text = |name: &str| report[name].as_str().unwrap_or_default().to_owned();
    let (verdict, detail, meaning) = (text("verdict"), text("detail"), text("meaning"));
    if verdict.is_empty() || verdict == "clean" {
        return Vec::new();
    }
    let at = |name: &str| report[name].as_f64().map(|s| (s * 1e9) as u64);
    let sentence = [detail, meaning]
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| capital(&part));
    vec![Finding {
        rule: RULE.name,
        severity: match verdict.as_str() {
            "disturbed" => Severity::Warning,
            _ => Severity::Problem,
        },
        title: format!("The generator was {verdict}"),
        sentence: sentence.collect::<Vec<_>>().join(". ") + ".",
        since_ns: at("since_s").unwrap_or(0),
        until_ns: at("until_s").unwrap_or(view.elapsed_ns()),
        chart: "generator",
        evidence: json!({ "verdict": verdict, "cause": report["cause"], "confidence": report["confidence"] }),
    }]
}

fn capital(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
