//! The machine-readable result of `netload run` and `netload hit` with `--format json`.
//!
//! Times are milliseconds, data is bytes, rates of counters are per second, shares are from 0 to 1.
//!
//! - `version`: version of this layout, now 1. Fields may be added; a field that changes or goes raises it.
//! - `tool`: `{name, version}` of what wrote the document.
//! - `metrics`: by name, sub-metrics as `name{tag:value}`; only metrics that have samples or a threshold. Each:
//!   - `type`: `counter`, `gauge`, `rate` or `trend`
//!   - `contains`: `time`, `data` or `default`
//!   - `values`: of a counter `count` (the sum), `rate`; of a gauge `value`, `min`, `max`; of a rate `rate` (the share),
//!     `passes` (values that were not zero), `fails`; of a trend `avg`, `min`, `p50`, `p90`, `p95`, `p99`, `p99.9`, `max`,
//!     `count`.
//!   - only trends: `intervals`, by percentile `[low, high]`, between which it lies with 95 % confidence by the size of
//!     the sample and the error of the instrument, `high` null when the sample cannot say; `n_eff`, how many independent
//!     samples the sample is worth; `needs`, by percentile how many samples it takes where there are too few.
//! - `root_group`: the groups and checks, as in [`crate::handle_summary`].
//! - `thresholds`: by the full name of the metric a list of `{expression, ok, value}`; `value` is the number that was
//!   compared, `null` if there was none. Absent metrics have no thresholds.
//! - `state`: `elapsed_ms`; `thresholds_failed`: whether any threshold failed; `series`: distinct series kept;
//!   `folded_tags`: tags whose values were too many to be kept apart, the worst first; `samples_lost`: samples that did
//!   not reach the outputs (they are in the metrics).
//! - `generator`: whether the numbers are the server's; see [`crate::generator`]. Absent in documents made while the run
//!   goes on.
//! - `accuracy`: how far the numbers can be trusted. `basis` (`net` or `gross`); `stamps`: responses with a kernel stamp
//!   (`kernel`, as a share `coverage`) and without, by reason; `departures`: the sampled transmit stamps, how long after
//!   the clock read before its write a request left (`delay_us`), how long the write took (`bracket_us`), and the real
//!   departure minus the assumed one (`residual_us`); `clock`: the wall clock behind the stamps; `instrument_ms`: how far
//!   a net time can be wrong; `exchanges`: begun = finished + failed + unfinished; `censored`: what is only known from
//!   below; `conservation`: what became of the plan; `compat`: whose definition `http_req_compat` follows.
//! - `deliveries`: only with outputs over a network: a list of `{output, offered, lost, reason}`, in samples.
//! - `statuses`, `errors`: only if they were counted: responses by status (`{"200": 5}`), exchanges without a response
//!   as a list of `{error, code, count}`, the most frequent first.
//!
//! Unlike k6's formats it has netload's own metrics: `http_req_response`, `http_req_gross`, `http_req_tare`,
//! `http_req_compat`, `iteration_lateness`.

use netload_metrics::interval::effective_count;
use netload_metrics::summary::{Delivery, MetricSummary};
use netload_metrics::{Aggregate, Histogram, Summary};
use serde_json::{Map, Value, json};

use crate::accuracy;
use crate::generator;
use crate::handle_summary::{group, number, values};
use crate::stat::samples_needed;
use crate::tally::Tally;

/// The version of the layout.
pub const VERSION: u32 = 1;

/// The percentiles of trends and what they are called.
const PERCENTILES: [(&str, f64); 5] = [
    ("p50", 50.0),
    ("p90", 90.0),
    ("p95", 95.0),
    ("p99", 99.0),
    ("p99.9", 99.9),
];

/// The document; statuses and errors are left out when they were not counted.
pub fn document(summary: &Summary, tally: Option<&Tally>) -> Value {
    let mut metrics = Map::new();
    let mut thresholds = Map::new();
    for metric in &summary.metrics {
        metrics.insert(metric.name.clone(), self::metric(metric, summary));
        if !metric.thresholds.is_empty() {
            thresholds.insert(metric.name.clone(), outcomes(metric));
        }
    }
    let mut document = json!({
        "version": VERSION,
        "tool": { "name": "netload", "version": env!("CARGO_PKG_VERSION") },
        "metrics": metrics,
        "root_group": group(&summary.root),
        "thresholds": thresholds,
        "state": {
            "elapsed_ms": number(summary.elapsed_ns as f64 / 1e6),
            "thresholds_failed": summary.thresholds_failed(),
            "series": summary.series,
            "folded_tags": summary.blamed_tags,
            "samples_lost": summary.samples_lost,
        },
        "accuracy": accuracy::object(&summary.accuracy),
    });
    if !summary.deliveries.is_empty() {
        document["deliveries"] = summary.deliveries.iter().map(delivery).collect();
    }
    if let Some(report) = &summary.generator {
        document["generator"] = generator::value(report);
    }
    if let Some(tally) = tally {
        document["statuses"] = statuses(tally);
        document["errors"] = errors(tally);
    }
    document
}

fn delivery(delivery: &Delivery) -> Value {
    json!({
        "output": delivery.output,
        "offered": delivery.offered,
        "lost": delivery.lost,
        "reason": delivery.reason,
    })
}

/// The document as text with an end of line.
pub fn render(summary: &Summary, tally: Option<&Tally>) -> String {
    format!("{:#}\n", document(summary, tally))
}

fn metric(metric: &MetricSummary, summary: &Summary) -> Value {
    let values = match &metric.data {
        Aggregate::Trend(trend) => {
            let mut values = Map::new();
            let mut put = |name: &str, value| values.insert(name.to_owned(), value);
            put("avg", number(trend.mean()));
            put("min", number(trend.min()));
            for (name, percentile) in PERCENTILES {
                put(name, number(trend.percentile(percentile)));
            }
            put("max", number(trend.max()));
            put("count", Value::from(trend.count()));
            values
        }
        _ => values(metric, summary.elapsed_ns, &[]),
    };
    let mut entry = json!({
        "type": metric.kind.name(),
        "contains": metric.contains.name(),
        "values": values,
    });
    if let Aggregate::Trend(trend) = &metric.data {
        entry["intervals"] = intervals(metric, summary);
        let dispersion = metric.dispersion.at(50.0);
        entry["n_eff"] = effective_count(trend.count(), dispersion).into();
        entry["needs"] = needs(trend);
    }
    entry
}

/// Where each percentile lies; the upper end is null when the sample cannot say.
fn intervals(metric: &MetricSummary, summary: &Summary) -> Value {
    let one = |(name, percentile): (&str, f64)| {
        let found = summary.interval(metric, percentile)?;
        let ends = json!([number(found.low), found.high.map(number)]);
        Some((name.to_owned(), ends))
    };
    let all = PERCENTILES.into_iter().filter_map(one);
    all.collect::<Map<_, _>>().into()
}

/// The percentiles that the sample cannot carry, with the number of values it takes.
fn needs(trend: &Histogram) -> Value {
    let needed = PERCENTILES.map(|(name, percentile)| (name, samples_needed(percentile)));
    let missing = needed.into_iter().filter(|(_, n)| trend.count() < *n);
    let missing = missing.map(|(name, n)| (name.to_owned(), Value::from(n)));
    missing.collect::<Map<_, _>>().into()
}

fn outcomes(metric: &MetricSummary) -> Value {
    metric
        .thresholds
        .iter()
        .map(|t| {
            json!({
                "expression": t.source,
                "ok": t.ok,
                "value": t.number.map(number),
            })
        })
        .collect()
}

fn statuses(tally: &Tally) -> Value {
    let one = |(status, count): (&u16, &u64)| (status.to_string(), Value::from(*count));
    tally.statuses.iter().map(one).collect::<Map<_, _>>().into()
}

fn errors(tally: &Tally) -> Value {
    let mut all: Vec<_> = tally.errors.iter().collect();
    all.sort_by_key(|(_, error)| std::cmp::Reverse(error.count));
    all.into_iter()
        .map(|(text, error)| json!({ "error": text, "code": error.code, "count": error.count }))
        .collect()
}
