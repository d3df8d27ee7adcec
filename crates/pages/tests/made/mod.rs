//! A record made up for tests: a server that slows down in the last third while some names fail.
//!
//! Nothing is random, so that golden files stay what they are.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use netload_metrics::Histogram;
use netload_record::{Dist, Frame, Head, Key, MetricInfo, Part, Point, Record, Tail};
use serde_json::json;

/// Seconds of a span.
const SPAN_S: u64 = 10;
const SECOND_NS: u64 = 1_000_000_000;
/// Requests in a second.
const RATE: u64 = 400;

const METRICS: [(&str, &str, &str); 11] = [
    ("http_req_duration", "trend", "time"),
    ("http_req_gross", "trend", "time"),
    ("http_req_tare", "trend", "time"),
    ("http_req_response", "trend", "time"),
    ("http_req_waiting", "trend", "time"),
    ("iteration_duration", "trend", "time"),
    ("basket_size", "trend", "default"),
    ("http_reqs", "counter", "default"),
    ("data_received", "counter", "data"),
    ("vus", "gauge", "default"),
    ("http_req_failed", "rate", "default"),
];

/// A text that must never become markup.
pub(crate) const HOSTILE: &str =
    "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>";

/// A run of so many seconds with so many names.
pub(crate) fn record(seconds: u64, names: u64) -> Record {
    let keys = keys(names);
    let frames = (0..seconds).map(|at| second(at, seconds, &keys));
    let spans = (0..seconds.div_ceil(SPAN_S)).map(|at| span(at, seconds, &keys));
    Record {
        head: head(),
        seconds: frames.collect(),
        spans: spans.collect(),
        tail: Some(tail(seconds)),
        keys,
    }
}

fn head() -> Head {
    Head {
        format: 1,
        id: "20261122-044512-7f3a".to_owned(),
        started_unix_ns: 1_795_322_712_000_000_000,
        command: "run".to_owned(),
        title: format!("shop {HOSTILE}"),
        labels: BTreeMap::from([("branch".to_owned(), "main".to_owned())]),
        tool_version: "0.1.0".to_owned(),
        host: "build-7".to_owned(),
        workers: 2,
        options: json!({ "scenarios": { "default": { "executor": "constant-vus", "vus": 20 } } }),
        script: Some(format!("// {HOSTILE}\nexport default function () {{}}\n")),
        metrics: METRICS
            .map(|(name, kind, contains)| MetricInfo {
                name: name.to_owned(),
                kind: kind.to_owned(),
                contains: contains.to_owned(),
            })
            .to_vec(),
    }
}

fn tail(seconds: u64) -> Tail {
    Tail {
        elapsed_ns: seconds * SECOND_NS,
        exit_code: 99,
        ending: "a threshold on `http_req_duration` failed".to_owned(),
        failed: true,
        document: json!({
            "metrics": { "http_req_duration": {
                "type": "trend", "contains": "time",
                "values": { "avg": 14.5, "min": 9.1, "p50": 12.25, "p90": 21.5, "p95": 24.75, "p99": 40.5, "p99.9": 77.5, "max": 99.5, "count": seconds * RATE },
                "intervals": { "p95": [24.5, 25.1] }, "needs": {},
            } },
            "thresholds": { "http_req_duration": [ { "expression": "p(95)<20", "ok": false, "value": 24.75 } ] },
            "generator": {
                "verdict": "clean", "since_s": null, "until_s": null, "cause": null, "detail": "",
                "meaning": "the numbers are the server's", "episodes": [], "contradictions": [],
                "unread": [], "clean_window": null, "evidence": evidence(seconds),
            },
        }),
        evidence: Vec::new(),
    }
}

fn evidence(seconds: u64) -> serde_json::Value {
    let one = |at: u64| {
        json!({
            "at_s": at, "span_s": 1, "verdict": "clean", "tare_ms": { "count": RATE, "p50": 0.011_234_5, "p99": 0.031 },
            "lateness_ms": { "count": 0 }, "all_busy": 0, "worker_run": 0.45, "worker_wait": 0.01, "machine_busy": 0.5,
            "own_cpu": 0.4, "steal": 0, "throttled": null, "ports_used": 0.01, "files_used": 0.02,
        })
    };
    (0..seconds.min(600)).map(one).collect()
}

fn keys(names: u64) -> Vec<Key> {
    let mut keys: Vec<Key> = METRICS.iter().map(|(name, ..)| Key::whole(name)).collect();
    for name in 0..names {
        for metric in [
            "http_reqs",
            "http_req_failed",
            "http_req_duration",
            "http_req_waiting",
        ] {
            let name = format!("GET https://shop.example/api/v1/products/{name}");
            keys.push(Key::of(metric, Part::Name(name)));
        }
    }
    let part = |metric: &str, part: Part| Key::of(metric, part);
    keys.push(part("http_reqs", Part::Status("200".to_owned())));
    keys.push(part("http_reqs", Part::Status("503".to_owned())));
    let error = Part::Error {
        code: "1050".to_owned(),
        text: format!("request timeout {HOSTILE}"),
    };
    keys.push(part("http_reqs", error));
    let check = Part::Check {
        group: "::basket".to_owned(),
        name: "status is 200".to_owned(),
    };
    keys.push(part("checks", check));
    keys.push(part("group_duration", Part::Group("::basket".to_owned())));
    keys.push(part("iterations", Part::Scenario("default".to_owned())));
    keys
}

/// What a key sees in `span` seconds from `at` on.
fn point(key: &Key, number: usize, at: u64, seconds: u64, span: u64) -> Option<Point> {
    let slow = at * 3 >= seconds * 2;
    let share = match &key.part {
        Part::Name(_) => 100,
        Part::Status(status) if status == "503" => 50,
        Part::Error { .. } => 200,
        _ => 1,
    };
    if matches!(key.part, Part::Error { .. }) && !slow {
        return None;
    }
    let samples = RATE * span / share;
    let middle = if slow { 30.0 } else { 12.0 } + (at % 7) as f64 + (number % 5) as f64;
    Some(match key.metric.as_str() {
        "http_reqs" | "iterations" | "data_received" => Point::Counter {
            sum: samples as f64,
            samples,
        },
        "vus" => Point::Gauge {
            last: 20.0,
            min: 20.0,
            max: 20.0,
        },
        "http_req_failed" | "checks" => Point::Rate {
            passes: if slow { samples / 40 } else { 0 },
            total: samples,
        },
        "http_req_tare" => trend(samples, middle / 1_000.0),
        _ => trend(samples, middle),
    })
}

thread_local! {
    /// Distributions that were made before, by the number of values and the middle: few differ.
    static MADE: RefCell<HashMap<(u64, u64), Dist>> = RefCell::default();
}

/// A distribution with a long tail around a middle.
fn trend(samples: u64, middle: f64) -> Point {
    MADE.with_borrow_mut(|made| {
        let place = (samples, middle.to_bits());
        let dist = made.entry(place).or_insert_with(|| dist(samples, middle));
        Point::Trend(dist.clone())
    })
}

fn dist(samples: u64, middle: f64) -> Dist {
    let mut values = Histogram::default();
    for n in 0..samples {
        let q = (n as f64 + 0.5) / samples as f64;
        values.record(middle * (0.7 + 0.3 * q + 0.02 / (1.0 - q).sqrt()));
    }
    Dist::of(&values, 5)
}

fn second(at: u64, seconds: u64, keys: &[Key]) -> Frame {
    frame(at, at + 1, seconds, keys, Part::is_by_second)
}

fn span(at: u64, seconds: u64, keys: &[Key]) -> Frame {
    let until = ((at + 1) * SPAN_S).min(seconds);
    frame(at * SPAN_S, until, seconds, keys, |part| {
        !part.is_by_second()
    })
}

fn frame(from: u64, until: u64, seconds: u64, keys: &[Key], wanted: fn(&Part) -> bool) -> Frame {
    let span = until - from;
    let points = keys.iter().enumerate().filter(|(_, key)| wanted(&key.part));
    let points = points.filter_map(|(number, key)| {
        Some((number as u32, point(key, number, from, seconds, span)?))
    });
    Frame {
        at_ns: from * SECOND_NS,
        span_ns: span * SECOND_NS,
        vus: 20,
        vus_max: 20,
        planned: Some(210 * span),
        started: 200 * span,
        dropped: 10 * span,
        points: points.collect(),
    }
}
