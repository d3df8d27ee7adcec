//! The file of `--summary-export` with `--new-machine-readable-summary`: k6's layout `version 1.0.0`.
//!
//! `config` (`duration` in seconds, `execution`, `script` as text), `metadata` (`generated_at`, `k6_version`), `results`
//! with `checks` (`metrics` and `results` of each check) and `metrics`, each `{name, type, contains, values}`. Values:
//! counters have only `count`; rates have `matches`, `rate`, `total`; percentiles are called `p95`, not `p(95)`.
//! Thresholds are not part of this layout. Netload's own metrics are left out.

use netload_metrics::aggregate::Rate;
use netload_metrics::summary::{Check, Group, MetricSummary};
use netload_metrics::{Aggregate, Summary};
use serde_json::{Map, Value, json};

use crate::TrendStat;
use crate::encode::Clock;
use crate::handle_summary::{k6_metrics, number, values};
use crate::summary_export::indented;

/// The version of the layout.
pub const VERSION: &str = "1.0.0";
/// The version of k6 whose layout and semantics these are.
pub const K6_VERSION: &str = "2.2.0";

/// What the document says besides the results.
#[derive(Clone, Debug)]
pub struct MachineContext<'a> {
    /// The statistics of trends.
    pub trend_stats: &'a [TrendStat],
    /// The text of the script.
    pub script: &'a str,
    /// Now, in nanoseconds since 1970.
    pub generated_unix_ns: u64,
}

/// The content of the file.
pub fn render(summary: &Summary, context: &MachineContext<'_>) -> String {
    indented(&document(summary, context))
}

/// The same as a value.
pub fn document(summary: &Summary, context: &MachineContext<'_>) -> Value {
    let mut generated = Vec::new();
    Clock::utc().rfc3339_nano(context.generated_unix_ns, &mut generated);
    let metrics: Vec<Value> = k6_metrics(summary)
        .filter(|m| m.name != "checks" && m.name != "group_duration")
        .map(|m| metric(m, summary.elapsed_ns, context.trend_stats))
        .collect();
    let mut results = Vec::new();
    collect_checks(&summary.root, &mut results);
    json!({
        "config": {
            "duration": number(summary.elapsed_ns as f64 / 1e9),
            "execution": "local",
            "script": context.script,
        },
        "metadata": {
            "generated_at": String::from_utf8_lossy(&generated),
            "k6_version": K6_VERSION,
        },
        "results": {
            "checks": { "metrics": check_metrics(summary), "results": results },
            "metrics": metrics,
        },
        "version": VERSION,
    })
}

fn check_metrics(summary: &Summary) -> Vec<Value> {
    let Some(Aggregate::Rate(checks)) = summary.metric("checks").map(|m| &m.data) else {
        return Vec::new();
    };
    let Rate { passes, total } = *checks;
    let part = |name: &str, matches: u64| {
        let rate = Rate {
            passes: matches,
            total,
        };
        json!({ "contains": "default", "name": name, "type": "rate", "values": shares(rate) })
    };
    vec![
        json!({
            "contains": "default",
            "name": "checks_total",
            "type": "counter",
            "values": { "count": total },
        }),
        part("checks_failed", total - passes),
        part("checks_succeeded", passes),
    ]
}

fn collect_checks(group: &Group, out: &mut Vec<Value>) {
    let one = |c: &Check| json!({ "fails": c.fails, "name": c.name, "passes": c.passes });
    out.extend(group.checks.iter().map(one));
    for child in &group.groups {
        collect_checks(child, out);
    }
}

fn metric(metric: &MetricSummary, elapsed_ns: u64, trend_stats: &[TrendStat]) -> Value {
    let values: Map<String, Value> = match &metric.data {
        Aggregate::Rate(rate) => shares(*rate),
        Aggregate::Counter(counter) => Map::from_iter([("count".to_owned(), number(counter.sum))]),
        _ => values(metric, elapsed_ns, trend_stats)
            .into_iter()
            .map(|(name, value)| (name.replace(['(', ')'], ""), value))
            .collect(),
    };
    json!({
        "contains": metric.contains.name(),
        "name": metric.name,
        "type": metric.kind.name(),
        "values": values,
    })
}

fn shares(rate: Rate) -> Map<String, Value> {
    let share = number(rate.share().unwrap_or(0.0));
    Map::from_iter([
        ("matches".to_owned(), Value::from(rate.passes)),
        ("rate".to_owned(), share),
        ("total".to_owned(), Value::from(rate.total)),
    ])
}
