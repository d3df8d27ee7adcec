//! A record as the columns that pages draw: what `web/data.ts` describes, field by field.
//!
//! Times of exchanges are milliseconds, times in a run seconds since it started, shares from 0 to 1. Numbers are rounded
//! to what can be seen. A percentile that its sample cannot carry is null. Invariant: the size depends on the number of
//! series and is bounded in the length of the run.

mod latency;
mod metrics;
mod numbers;
mod parts;
mod rows;

use netload_record::{Key, Point, Record};
use serde_json::{Map, Value, json};

pub use rows::row;

/// The version of the layout.
pub const FORMAT: u32 = 1;
/// Rows over time at most; an hour of seconds.
const ROWS: usize = 3_600;
/// Rows at most in what is drawn small: all metrics over time.
const SPAN_ROWS: usize = 300;
/// Points of a line inside a table at most.
const SPARK_POINTS: usize = 60;

/// Trends that can stand for the whole run, the first that has values does.
const MAIN: [&str; 5] = [
    "http_req_duration",
    "grpc_req_duration",
    "ws_session_duration",
    "browser_http_req_duration",
    "iteration_duration",
];

/// Everything that a page shows of a run. Findings come from whoever has the rules: objects with `rule`, `severity`,
/// `title`, `sentence`, `since_ns`, `until_ns`, `chart` and `evidence`.
pub fn of(record: &Record, findings: Vec<Value>) -> Value {
    let tail = record.tail.as_ref();
    let document = tail.map_or(&Value::Null, |tail| &tail.document);
    let main = main_trend(record);
    let mut view = json!({
        "format": FORMAT,
        "head": head(record),
        "state": if tail.is_some() { "finished" } else { "interrupted" },
        "ended": tail.map(|tail| json!({
            "exit_code": tail.exit_code,
            "sentence": tail.ending,
            "failed": tail.failed,
        })),
        "elapsed_s": numbers::seconds(record.elapsed_ns()),
        "main": main,
        "totals": totals(record),
        "rows": rows::rows(record),
    });
    let mut put = |name: &str, value: Value| view[name] = value;
    put("latency", latency::columns(record, main));
    put("heat", latency::heat(record, main));
    put("histogram", latency::histogram(record, main));
    put("metrics", metrics::totals(record, document));
    put("spans", metrics::over_time(record));
    parts::tables(record, &mut put);
    put("thresholds", metrics::thresholds(record, document));
    put("generator", generator(record, document));
    put("accuracy", document["accuracy"].clone());
    put("findings", findings.into());
    put("options", record.head.options.clone());
    put("script", json!(record.head.script));
    put("notes", notes(record).into());
    view
}

/// The same of a run that goes on.
pub fn of_running(record: &Record, findings: Vec<Value>) -> Value {
    let mut view = of(record, findings);
    view["state"] = "running".into();
    view
}

fn head(record: &Record) -> Value {
    let head = &record.head;
    json!({
        "id": head.id,
        "started_ms": head.started_unix_ns / 1_000_000,
        "command": head.command,
        "title": head.title,
        "labels": head.labels,
        "tool_version": head.tool_version,
        "host": head.host,
        "workers": head.workers,
    })
}

/// The trend that stands for the run.
fn main_trend(record: &Record) -> &'static str {
    let has = |name: &&str| record.key(&Key::whole(name)).is_some();
    MAIN.into_iter().find(has).unwrap_or(MAIN[0])
}

fn totals(record: &Record) -> Value {
    let sum = |metric: &str| {
        let total = record.total(&Key::whole(metric));
        total.map_or(0.0, |point| point.sum())
    };
    let failed = match record.total(&Key::whole("http_req_failed")) {
        Some(Point::Rate { passes, .. }) => passes,
        _ => 0,
    };
    let frames = &record.seconds;
    let planned = frames.iter().filter_map(|f| f.planned);
    let planned = planned.reduce(u64::saturating_add);
    json!({
        "requests": sum("http_reqs"),
        "failed": failed,
        "iterations": sum("iterations"),
        "planned": planned,
        "started": frames.iter().map(|f| f.started).sum::<u64>(),
        "dropped": frames.iter().map(|f| f.dropped).sum::<u64>(),
        "vus_max": frames.iter().map(|f| f.vus_max).max().unwrap_or(0),
    })
}

/// The verdict on the generator with its evidence, from the end of the run.
fn generator(record: &Record, document: &Value) -> Value {
    let mut generator = document["generator"].clone();
    let evidence = record.tail.iter().flat_map(|tail| &tail.evidence);
    let mut evidence: Vec<Value> = evidence.cloned().collect();
    if generator.is_object() {
        if evidence.is_empty() {
            evidence = generator["evidence"]
                .as_array()
                .cloned()
                .unwrap_or_default();
        }
        numbers::round_all(&mut evidence);
        generator["evidence"] = evidence.into();
    }
    generator
}

/// Sentences about what the record does not hold.
fn notes(record: &Record) -> Vec<String> {
    let mut notes = Vec::new();
    if record.is_folded() {
        notes.push(format!(
            "There were more than {} series of names, groups and the like; the rest is counted together as {}.",
            netload_record::SERIES_LIMIT,
            Record::OTHER
        ));
    }
    notes
}

/// An object out of pairs.
fn object<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let pairs = pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Value::Object(pairs.collect::<Map<_, _>>())
}
