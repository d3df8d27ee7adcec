//! All metrics: their values over the whole run, their course, their thresholds.

use std::collections::HashMap;

use netload_record::{Frame, Key, Part, Point, Record};
use serde_json::{Map, Value, json};

use super::SPAN_ROWS;
use super::numbers::{number, quantile, seconds, summary};

/// Metrics over time at most; the rest is in the table only.
const COURSES: usize = 80;

/// What a metric is, by its name.
struct Kinds<'a>(HashMap<&'a str, (&'a str, &'a str)>);

impl<'a> Kinds<'a> {
    fn of(record: &'a Record) -> Self {
        let all = record.head.metrics.iter();
        Self(
            all.map(|m| (m.name.as_str(), (m.kind.as_str(), m.contains.as_str())))
                .collect(),
        )
    }

    /// Kind and unit; of a sub-metric those of its metric.
    fn named(&self, name: &str) -> (&'a str, &'a str) {
        let plain = name.split('{').next().unwrap_or(name);
        self.0.get(plain).copied().unwrap_or(("counter", "default"))
    }
}

/// The metrics of the whole run: what the result says, and from the record what it does not have.
pub(super) fn totals(record: &Record, document: &Value) -> Value {
    let kinds = Kinds::of(record);
    let mut all: Vec<Value> = Vec::new();
    let mut told: HashMap<&str, ()> = HashMap::new();
    for (name, metric) in document["metrics"].as_object().into_iter().flatten() {
        told.insert(name, ());
        let mut entry = Map::new();
        entry.insert("name".to_owned(), json!(name));
        entry.insert("kind".to_owned(), metric["type"].clone());
        for field in ["contains", "values", "intervals", "needs"] {
            if !metric[field].is_null() {
                entry.insert(field.to_owned(), metric[field].clone());
            }
        }
        all.push(entry.into());
    }
    let elapsed_s = (record.elapsed_ns() as f64 / 1e9).max(1e-9);
    for key in &record.keys {
        let Some(name) = full_name(key) else { continue };
        if told.contains_key(name.as_str()) {
            continue;
        }
        let Some(point) = record.total(key) else {
            continue;
        };
        let (kind, contains) = kinds.named(&name);
        let (values, needs) = values(&point, elapsed_s);
        all.push(json!({
            "name": name, "kind": kind, "contains": contains, "values": values, "needs": needs,
        }));
    }
    all.into()
}

/// The name of a series of the whole run; none for parts.
fn full_name(key: &Key) -> Option<String> {
    match &key.part {
        Part::Whole => Some(key.metric.clone()),
        Part::Tagged(tags) => Some(format!("{}{tags}", key.metric)),
        _ => None,
    }
}

/// Values under the names of the machine-readable result, and what a trend has too few values for.
fn values(point: &Point, elapsed_s: f64) -> (Value, Value) {
    let values = match point {
        Point::Counter { sum, .. } => {
            json!({ "count": number(*sum), "rate": number(sum / elapsed_s) })
        }
        Point::Gauge { last, min, max } => {
            json!({ "value": number(*last), "min": number(*min), "max": number(*max) })
        }
        Point::Rate { passes, total } => json!({
            "rate": point.share().map(number), "passes": passes, "fails": total - passes,
        }),
        Point::Trend(dist) => {
            let mut all = summary(dist);
            let mean = all.remove("mean").unwrap_or_default();
            let p999 = all.remove("p999").unwrap_or_default();
            all.insert("avg".to_owned(), mean);
            all.insert("p99.9".to_owned(), p999);
            let missing = all.iter().filter(|(_, value)| value.is_null());
            let needs: Map<String, Value> = missing
                .filter_map(|(name, _)| {
                    let percentile = name.strip_prefix('p')?.parse().ok()?;
                    let needed = netload_metrics::interval::samples_needed(percentile);
                    Some((name.clone(), needed.into()))
                })
                .collect();
            return (all.into(), needs.into());
        }
    };
    (values, json!({}))
}

/// Every metric over time in coarse steps.
pub(super) fn over_time(record: &Record) -> Value {
    let frames = Frame::at_most(&record.seconds, SPAN_ROWS);
    let kinds = Kinds::of(record);
    let keys = record.keys.iter().zip(0u32..);
    let wholes = keys.filter(|(key, _)| key.part == Part::Whole);
    let metrics: Vec<Value> = wholes
        .take(COURSES)
        .map(|(key, number)| {
            let (kind, contains) = kinds.named(&key.metric);
            let columns = course(&frames, number, kind);
            json!({ "name": key.metric, "kind": kind, "contains": contains, "columns": columns })
        })
        .collect();
    let t = frames.iter().map(|f| seconds(f.until_ns()));
    json!({ "t": t.collect::<Vec<_>>(), "metrics": metrics })
}

/// The columns of one metric.
fn course(frames: &[Frame], key: u32, kind: &str) -> Value {
    let names: &[&str] = match kind {
        "trend" => &["mean", "p50", "p95", "p99"],
        "counter" => &["rate"],
        "rate" => &["share"],
        _ => &["last", "min", "max"],
    };
    let mut columns: Vec<Vec<Value>> = names.iter().map(|_| Vec::new()).collect();
    for frame in frames {
        let span = frame.span_s().max(1e-9);
        let values: Vec<Value> = match frame.point(key) {
            Some(Point::Counter { sum, .. }) => vec![number(sum / span)],
            Some(Point::Gauge { last, min, max }) => [*last, *min, *max].map(number).to_vec(),
            Some(rate @ Point::Rate { .. }) => vec![rate.share().map_or(Value::Null, number)],
            Some(Point::Trend(dist)) => {
                let mean = number(dist.mean());
                let rest = [0.5, 0.95, 0.99].map(|q| quantile(dist, q));
                [mean].into_iter().chain(rest).collect()
            }
            None if kind == "counter" => vec![Value::from(0)],
            None => Vec::new(),
        };
        for (at, column) in columns.iter_mut().enumerate() {
            column.push(values.get(at).cloned().unwrap_or_default());
        }
    }
    let columns = columns.into_iter().map(Value::from);
    super::object(names.iter().copied().zip(columns))
}

/// Every threshold with what it was compared with, in the order of the result.
pub(super) fn thresholds(record: &Record, document: &Value) -> Value {
    let kinds = Kinds::of(record);
    let mut all = Vec::new();
    for (metric, outcomes) in document["thresholds"].as_object().into_iter().flatten() {
        let (kind, contains) = kinds.named(metric);
        for outcome in outcomes.as_array().into_iter().flatten() {
            all.push(json!({
                "metric": metric,
                "expression": outcome["expression"],
                "ok": outcome["ok"],
                "value": outcome["value"],
                "kind": kind,
                "contains": contains,
            }));
        }
    }
    all.into()
}
