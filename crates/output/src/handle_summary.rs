//! The object that a script's `handleSummary` receives, exactly k6's.
//!
//! - `root_group`: `{name, path, id, groups: [...], checks: [{name, path, id, passes, fails}]}`; `id` is the MD5 of the
//!   path in hexadecimal digits.
//! - `options`: `{summaryTrendStats, summaryTimeUnit, noColor}`
//! - `state`: `{isStdOutTTY, isStdErrTTY, testRunDurationMs}`
//! - `metrics`: by name, sub-metrics as `name{tag:value}`: `{type, contains, values, thresholds?: {source: {ok}}}`
//! - `setup_data`: what `setup` returned, or null.
//!
//! Values: of a counter `count`, `rate`; of a gauge `value`, `min`, `max`; of a rate `rate`, `passes`, `fails`; of a
//! trend one key for each of the trend statistics. Netload's own metrics ([`crate::OWN_METRICS`]) are left out.

use md5::{Digest, Md5};
use netload_metrics::summary::{Check, Group, MetricSummary};
use netload_metrics::{Aggregate, Summary};
use serde_json::{Map, Value, json};

use crate::{TimeUnit, TrendStat, is_own_metric};

/// What the object says besides the results.
#[derive(Clone, Debug)]
pub struct SummaryContext {
    /// The statistics of trends.
    pub trend_stats: Vec<TrendStat>,
    /// The unit in which a text would show durations.
    pub time_unit: TimeUnit,
    /// The user does not want colours.
    pub no_color: bool,
    /// The standard streams that are terminals.
    pub terminals: Terminals,
    /// What `setup` returned, if it returned anything.
    pub setup_data: Option<Value>,
}

/// Which standard streams are terminals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminals {
    /// The standard output.
    pub stdout: bool,
    /// The standard error.
    pub stderr: bool,
}

impl Default for SummaryContext {
    fn default() -> Self {
        Self {
            trend_stats: TrendStat::defaults(),
            time_unit: TimeUnit::default(),
            no_color: false,
            terminals: Terminals::default(),
            setup_data: None,
        }
    }
}

/// The object.
pub fn data(summary: &Summary, context: &SummaryContext) -> Value {
    let names: Vec<&str> = context.trend_stats.iter().map(TrendStat::name).collect();
    let metrics: Map<String, Value> = k6_metrics(summary)
        .map(|m| (m.name.clone(), metric(m, summary.elapsed_ns, context)))
        .collect();
    json!({
        "root_group": group(&summary.root),
        "options": {
            "summaryTrendStats": names,
            "summaryTimeUnit": context.time_unit.name(),
            "noColor": context.no_color,
        },
        "state": {
            "isStdOutTTY": context.terminals.stdout,
            "isStdErrTTY": context.terminals.stderr,
            "testRunDurationMs": number(summary.elapsed_ns as f64 / 1e6),
        },
        "metrics": metrics,
        "setup_data": context.setup_data,
    })
}

fn metric(metric: &MetricSummary, elapsed_ns: u64, context: &SummaryContext) -> Value {
    let mut object = json!({
        "type": metric.kind.name(),
        "contains": metric.contains.name(),
        "values": values(metric, elapsed_ns, &context.trend_stats),
    });
    if !metric.thresholds.is_empty() {
        let thresholds: Map<String, Value> = metric
            .thresholds
            .iter()
            .map(|t| (t.source.clone(), json!({ "ok": t.ok })))
            .collect();
        object["thresholds"] = thresholds.into();
    }
    object
}

/// The metrics that k6 has too.
pub(crate) fn k6_metrics(summary: &Summary) -> impl Iterator<Item = &MetricSummary> {
    summary.metrics.iter().filter(|m| !is_own_metric(&m.name))
}

/// The values of a metric by k6's names.
pub(crate) fn values(
    metric: &MetricSummary,
    elapsed_ns: u64,
    trend_stats: &[TrendStat],
) -> Map<String, Value> {
    let mut values = Map::new();
    let mut put = |name: &str, value: f64| values.insert(name.to_owned(), number(value));
    match &metric.data {
        Aggregate::Counter(counter) => {
            put("count", counter.sum);
            put("rate", counter.per_second(elapsed_ns as f64 / 1e9));
        }
        Aggregate::Gauge(gauge) => {
            put("value", gauge.last);
            put("min", gauge.min);
            put("max", gauge.max);
        }
        Aggregate::Rate(rate) => {
            put("rate", rate.share().unwrap_or(0.0));
            put("passes", rate.passes as f64);
            put("fails", (rate.total - rate.passes) as f64);
        }
        Aggregate::Trend(trend) => {
            for stat in trend_stats {
                put(stat.name(), stat.of(trend));
            }
        }
    }
    values
}

/// A group with everything inside.
pub(crate) fn group(group: &Group) -> Value {
    json!({
        "name": group.name,
        "path": group.path,
        "id": id(&group.path),
        "groups": group.groups.iter().map(self::group).collect::<Vec<_>>(),
        "checks": group.checks.iter().map(check).collect::<Vec<_>>(),
    })
}

/// A check with its counts.
pub(crate) fn check(check: &Check) -> Value {
    json!({
        "name": check.name,
        "path": check.path,
        "id": id(&check.path),
        "passes": check.passes,
        "fails": check.fails,
    })
}

/// The MD5 of a path in hexadecimal digits: k6's identity of groups and checks.
pub(crate) fn id(path: &str) -> String {
    let digest = Md5::digest(path.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A number as JavaScript writes it: whole numbers without a fraction; what JSON cannot say is `null`.
pub(crate) fn number(value: f64) -> Value {
    /// Up to here every whole number has a float of its own.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < WHOLE {
        return Value::from(value as i64);
    }
    Value::from(value)
}
