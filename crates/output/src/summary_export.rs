//! The file of `--summary-export`: k6's old layout, which many pipelines still read.
//!
//! Differences to [`crate::handle_summary`]: no `options` and `state`; values stand directly in the metric; the share of
//! a rate is called `value`; a threshold maps to **true when it failed**; groups and checks are objects by name;
//! four blanks of indentation.

use netload_metrics::summary::{Group, MetricSummary};
use netload_metrics::{Kind, Summary};
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};

use crate::TrendStat;
use crate::handle_summary::{SummaryContext, check, id, k6_metrics, values};

/// The content of the file.
pub fn render(summary: &Summary, context: &SummaryContext) -> String {
    indented(&document(summary, context))
}

/// The same as a value.
pub fn document(summary: &Summary, context: &SummaryContext) -> Value {
    let one = |m: &MetricSummary| {
        let value = metric(m, summary.elapsed_ns, &context.trend_stats);
        (m.name.clone(), value)
    };
    let metrics: Map<String, Value> = k6_metrics(summary).map(one).collect();
    let mut document = json!({ "root_group": group(&summary.root), "metrics": metrics });
    if let Some(setup) = &context.setup_data {
        document["setup_data"] = setup.clone();
    }
    document
}

fn metric(metric: &MetricSummary, elapsed_ns: u64, trend_stats: &[TrendStat]) -> Value {
    let mut object: Map<String, Value> = values(metric, elapsed_ns, trend_stats)
        .into_iter()
        .map(|(name, value)| match (metric.kind, name.as_str()) {
            (Kind::Rate, "rate") => ("value".to_owned(), value),
            _ => (name, value),
        })
        .collect();
    if !metric.thresholds.is_empty() {
        let failed = metric.thresholds.iter();
        let failed: Map<String, Value> = failed
            .map(|t| (t.source.clone(), Value::from(!t.ok)))
            .collect();
        object.insert("thresholds".to_owned(), failed.into());
    }
    object.into()
}

fn group(group: &Group) -> Value {
    let groups: Map<String, Value> = group
        .groups
        .iter()
        .map(|g| (g.name.clone(), self::group(g)))
        .collect();
    let checks: Map<String, Value> = group
        .checks
        .iter()
        .map(|c| (c.name.clone(), check(c)))
        .collect();
    json!({
        "name": group.name,
        "path": group.path,
        "id": id(&group.path),
        "groups": groups,
        "checks": checks,
    })
}

/// JSON with four blanks of indentation, as k6 writes its files.
pub(crate) fn indented(value: &Value) -> String {
    let mut out = Vec::new();
    let mut serializer =
        Serializer::with_formatter(&mut out, PrettyFormatter::with_indent(b"    "));
    // Writing a `Value` into memory has no way to fail; its keys are texts.
    let written = serde::Serialize::serialize(value, &mut serializer);
    debug_assert!(written.is_ok(), "a JSON value can be written to memory");
    String::from_utf8_lossy(&out).into_owned()
}
