//! The parts of a run: names, groups, scenarios, hosts, protocols, statuses, errors, checks, each with its course.

use std::collections::HashMap;

use netload_record::{Frame, Part, Point, Record};
use serde_json::{Map, Value, json};

use super::SPARK_POINTS;
use super::numbers::{number, quantile, seconds, summary};

/// The tables of parts, by what labels a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Table {
    Names,
    Groups,
    Scenarios,
    Hosts,
    Addresses,
    Protocols,
}

impl Table {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Names, "names"),
        (Self::Groups, "groups"),
        (Self::Scenarios, "scenarios"),
        (Self::Hosts, "hosts"),
        (Self::Addresses, "addresses"),
        (Self::Protocols, "protocols"),
    ];
}

/// One row: by metric the number of its series.
type Row<'a> = HashMap<&'a str, u32>;

/// Puts every table of parts, with the busiest rows first.
pub(super) fn tables(record: &Record, put: &mut impl FnMut(&str, Value)) {
    let spans = Frame::at_most(&record.spans, SPARK_POINTS);
    let spans = &*spans;
    let totals = totals(record.keys.len(), spans);
    let mut rows: HashMap<(Table, &str), Row<'_>> = HashMap::new();
    let (mut statuses, mut errors, mut checks) = (Vec::new(), Vec::new(), Vec::new());
    for (key, number) in record.keys.iter().zip(0u32..) {
        let place = match &key.part {
            Part::Whole | Part::Tagged(_) => continue,
            Part::Name(name) => (Table::Names, name.as_str()),
            Part::Group(path) => (Table::Groups, path.as_str()),
            Part::Scenario(name) => (Table::Scenarios, name.as_str()),
            Part::Host(host) => (Table::Hosts, host.as_str()),
            Part::Ip(address) => (Table::Addresses, address.as_str()),
            Part::Protocol(protocol) => (Table::Protocols, protocol.as_str()),
            Part::Status(status) => {
                statuses.push(json!({
                    "status": status, "count": sum(&totals, number), "spark": rate(spans, number),
                }));
                continue;
            }
            Part::Error { code, text } => {
                errors.push(error(spans, &totals, number, (code, text)));
                continue;
            }
            Part::Check { group, name } => {
                let (passes, fails) = rates(&totals, number);
                checks.push(json!({
                    "group": group, "name": name, "passes": passes, "fails": fails,
                }));
                continue;
            }
        };
        rows.entry(place).or_default().insert(&key.metric, number);
    }
    let elapsed_s = (record.elapsed_ns() as f64 / 1e9).max(1e-9);
    for (table, name) in Table::ALL {
        let found = rows.iter().filter(|((of, _), _)| *of == table);
        let mut found: Vec<_> = found.map(|((_, label), row)| (*label, row)).collect();
        found.sort_by(|(a, x), (b, y)| {
            let busy = |row: &Row<'_>| row.get("http_reqs").map_or(0.0, |k| sum(&totals, *k));
            busy(y).total_cmp(&busy(x)).then_with(|| a.cmp(b))
        });
        let all = found.into_iter();
        let all = all.map(|(label, keys)| part(spans, &totals, label, keys, elapsed_s));
        put(name, all.collect());
    }
    sort(&mut statuses);
    sort(&mut errors);
    put("statuses", statuses.into());
    put("errors", errors.into());
    put("checks", checks.into());
}

/// What each series has seen in all, by its number.
fn totals(keys: usize, spans: &[Frame]) -> Vec<Option<Point>> {
    let mut totals: Vec<Option<Point>> = vec![None; keys];
    for (number, point) in spans.iter().flat_map(|frame| &frame.points) {
        match totals.get_mut(*number as usize) {
            Some(Some(total)) => total.merge(point),
            Some(none) => *none = Some(point.clone()),
            None => {}
        }
    }
    totals
}

fn total(totals: &[Option<Point>], key: u32) -> Option<&Point> {
    totals.get(key as usize)?.as_ref()
}

fn sum(totals: &[Option<Point>], key: u32) -> f64 {
    total(totals, key).map_or(0.0, Point::sum)
}

/// Of a rate the values that were not zero, and those that were.
fn rates(totals: &[Option<Point>], key: u32) -> (u64, u64) {
    match total(totals, key) {
        Some(Point::Rate { passes, total }) => (*passes, total - passes),
        _ => (0, 0),
    }
}

/// The largest count first.
fn sort(rows: &mut [Value]) {
    rows.sort_by(|a, b| {
        let count = |row: &Value| row["count"].as_f64().unwrap_or(0.0);
        count(b).total_cmp(&count(a))
    });
}

/// One row of a table: the `Part` of `web/data.ts`.
fn part(
    spans: &[Frame],
    totals: &[Option<Point>],
    label: &str,
    keys: &Row<'_>,
    elapsed_s: f64,
) -> Value {
    let mut row = Map::new();
    row.insert("label".to_owned(), label.into());
    let mut put = |name: &str, value: Value| row.insert(name.to_owned(), value);
    let count = |metric: &str| keys.get(metric).map(|key| sum(totals, *key));
    if let Some(requests) = count("http_reqs") {
        put("requests", number_exactly(requests));
        put("rate", number(requests / elapsed_s));
    }
    if let Some(key) = keys.get("http_req_failed") {
        put("failed", rates(totals, *key).0.into());
    }
    for (name, metric) in [
        ("iterations", "iterations"),
        ("dropped", "dropped_iterations"),
    ] {
        if let Some(value) = count(metric) {
            put(name, number_exactly(value));
        }
    }
    if let Some(key) = keys.get("checks") {
        let (passes, fails) = rates(totals, *key);
        put("passes", passes.into());
        put("fails", fails.into());
    }
    let trends = [
        ("net", "http_req_duration"),
        ("waiting", "http_req_waiting"),
        ("iteration", "iteration_duration"),
        ("group", "group_duration"),
    ];
    for (name, metric) in trends {
        let dist = keys.get(metric).and_then(|key| total(totals, *key)?.dist());
        if let Some(dist) = dist {
            put(name, summary(dist).into());
        }
    }
    put("spark", sparks(spans, keys));
    row.into()
}

/// The lines of a row.
fn sparks(spans: &[Frame], keys: &Row<'_>) -> Value {
    let mut lines = Map::new();
    let busy = keys.get("http_reqs").or_else(|| keys.get("iterations"));
    if let Some(key) = busy {
        lines.insert("rate".to_owned(), rate(spans, *key));
    }
    if let Some(key) = keys.get("http_req_duration") {
        let points = spans.iter().map(|frame| {
            let dist = frame.point(*key).and_then(|point| point.dist());
            dist.map_or(Value::Null, |dist| quantile(dist, 0.95))
        });
        let points: Vec<Value> = points.collect();
        if points.iter().any(|point| !point.is_null()) {
            lines.insert("p95".to_owned(), points.into());
        }
    }
    if let Some(key) = keys.get("http_req_failed") {
        let points: Vec<Value> = spans
            .iter()
            .map(|frame| match frame.point(*key) {
                Some(Point::Rate { passes, .. }) => {
                    number(*passes as f64 / frame.span_s().max(1e-9))
                }
                _ => Value::from(0),
            })
            .collect();
        if points.iter().any(|point| *point != 0) {
            lines.insert("failed".to_owned(), points.into());
        }
    }
    lines.into()
}

/// A counter per second over the run.
fn rate(spans: &[Frame], key: u32) -> Value {
    let per_second = |frame: &Frame| {
        let sum = frame.point(key).map_or(0.0, Point::sum);
        number(sum / frame.span_s().max(1e-9))
    };
    spans.iter().map(per_second).collect()
}

fn error(spans: &[Frame], totals: &[Option<Point>], key: u32, (code, text): (&str, &str)) -> Value {
    let mut seen = spans.iter().filter(|f| f.point(key).is_some());
    let first = seen.next();
    let last = seen.next_back().or(first);
    json!({
        "code": code,
        "text": text,
        "count": sum(totals, key),
        "first_s": first.map(|frame| seconds(frame.at_ns)),
        "last_s": last.map(|frame| seconds(frame.until_ns())),
        "spark": rate(spans, key),
    })
}

/// A count as it is.
fn number_exactly(count: f64) -> Value {
    if count.fract() == 0.0 && count.abs() < 9e15 {
        Value::from(count as i64)
    } else {
        number(count)
    }
}
