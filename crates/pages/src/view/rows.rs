//! The load over time, one row per second, and the row that a second adds to a page that is open.

use netload_record::{Frame, Key, Part, Point, Record};
use serde_json::{Value, json};

use super::latency::{TRENDS, heat_column};
use super::numbers::{number, seconds, summary};
use super::{MAIN, ROWS, object};

/// What a row has beside its time.
const NAMES: [&str; 7] = [
    "rate", "planned", "started", "dropped", "failed", "vus", "vus_max",
];

/// The columns of load, by seconds; in long runs by longer steps.
pub(super) fn rows(record: &Record) -> Value {
    let frames = Frame::at_most(&record.seconds, ROWS);
    let find = |metric: &str| record.key(&Key::whole(metric));
    let keys = (find("http_reqs"), find("http_req_failed"));
    let mut columns: [Vec<Value>; NAMES.len()] = Default::default();
    for frame in &*frames {
        for (column, value) in columns.iter_mut().zip(load(frame, keys)) {
            column.push(value);
        }
    }
    let time = |of: fn(&Frame) -> u64| -> Value {
        let times = frames.iter().map(|frame| seconds(of(frame)));
        times.collect()
    };
    let mut rows = object(NAMES.into_iter().zip(columns.map(Value::from)));
    rows["t"] = time(Frame::until_ns);
    rows["span"] = time(|frame| frame.span_ns);
    rows
}

/// The load of one frame in the order of [`NAMES`].
fn load(frame: &Frame, (requests, failed): (Option<u32>, Option<u32>)) -> [Value; NAMES.len()] {
    let span = frame.span_s().max(1e-9);
    let per_second = |count: f64| number(count / span);
    let point = |key: Option<u32>| key.and_then(|key| frame.point(key));
    let failures = match point(failed) {
        Some(Point::Rate { passes, .. }) => *passes as f64,
        _ => 0.0,
    };
    [
        per_second(point(requests).map_or(0.0, Point::sum)),
        frame.planned.map_or(Value::Null, |n| per_second(n as f64)),
        per_second(frame.started as f64),
        per_second(frame.dropped as f64),
        per_second(failures),
        frame.vus.into(),
        frame.vus_max.into(),
    ]
}

/// What a second adds to a page that is open: the `Row` of `web/data.ts`. `keys` are all keys known so far.
pub fn row(keys: &[Key], frame: &Frame) -> Value {
    let find = |metric: &str| {
        let is = |key: &Key| key.part == Part::Whole && key.metric == metric;
        let at = keys.iter().position(is)?;
        u32::try_from(at).ok()
    };
    let values = load(frame, (find("http_reqs"), find("http_req_failed")));
    let mut row = object(NAMES.into_iter().zip(values));
    row["t"] = seconds(frame.until_ns());
    row["span"] = seconds(frame.span_ns);
    let dist = |metric: &str| frame.point(find(metric)?)?.dist();
    let main = MAIN.into_iter().find(|name| find(name).is_some());
    let main = main.unwrap_or(MAIN[0]);
    for (name, metric) in TRENDS {
        let metric = if name == "net" { main } else { metric };
        row[name] = dist(metric).map_or_else(|| json!({}), |d| summary(d).into());
    }
    let (low, counts) = dist(main).map(heat_column).unwrap_or_default();
    row["heat"] = json!({ "low": low, "counts": counts });
    row
}
