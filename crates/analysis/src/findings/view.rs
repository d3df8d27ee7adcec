//! A run as columns: what the rules look at.

use netload_record::{Dist, Frame, Key, Part, Point, Record};

/// Rules about the course of a run look at so many windows at most.
const WINDOWS: usize = 120;

/// A window of the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub(super) at_ns: u64,
    pub(super) until_ns: u64,
    pub(super) vus: f64,
    /// Planned starts per second; none in the closed model.
    pub(super) planned: Option<f64>,
    /// Requests per second.
    pub(super) rate: f64,
    pub(super) requests: u64,
    pub(super) failed: u64,
    pub(super) p95_ms: Option<f64>,
}

impl Window {
    /// What the test asked of the server: planned starts, else virtual users.
    pub(super) fn load(&self) -> f64 {
        self.planned.unwrap_or(self.vus)
    }

    /// What [`Self::load`] counts.
    pub(super) fn load_unit(&self) -> &'static str {
        match self.planned {
            Some(_) => "planned starts a second",
            None => "virtual users",
        }
    }
}

/// A run, prepared.
pub(super) struct View<'a> {
    pub(super) record: &'a Record,
    pub(super) windows: Vec<Window>,
}

impl<'a> View<'a> {
    pub(super) fn of(record: &'a Record) -> Self {
        let numbers = ["http_reqs", "http_req_failed", "http_req_duration"]
            .map(|m| record.key(&Key::whole(m)));
        let together = record.seconds.len().div_ceil(WINDOWS).max(1);
        let mut windows: Vec<Window> = record
            .seconds
            .chunks(together)
            .filter_map(|frames| window(frames, numbers))
            .collect();
        // The rest of a second at the end is no window like the others.
        if let [.., before, last] = windows.as_slice()
            && (last.until_ns - last.at_ns) * 2 < before.until_ns - before.at_ns
        {
            windows.pop();
        }
        Self { record, windows }
    }

    /// Everything that a series has seen.
    pub(super) fn total(&self, metric: &str) -> Option<Point> {
        self.record.total(&Key::whole(metric))
    }

    /// The distribution of a trend.
    pub(super) fn trend(&self, metric: &str) -> Option<Dist> {
        match self.total(metric)? {
            Point::Trend(dist) if dist.count > 0 => Some(dist),
            _ => None,
        }
    }

    /// Requests in all.
    pub(super) fn requests(&self) -> u64 {
        self.total("http_reqs").map_or(0, |point| point.samples())
    }

    /// Requests by a part of the run, the most frequent first.
    pub(super) fn counts(&self, choose: fn(&Part) -> Option<&String>) -> Vec<(String, u64)> {
        let parts = self.record.parts("http_reqs", choose);
        let mut counts: Vec<(String, u64)> = parts
            .map(|(_, key, name)| {
                let count = self.record.total(key).map_or(0, |point| point.samples());
                (name.clone(), count)
            })
            .collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts
    }

    /// A value out of the machine-readable result; null when there is none.
    pub(super) fn document(&self, path: &str) -> &'a serde_json::Value {
        const NULL: &serde_json::Value = &serde_json::Value::Null;
        let tail = self.record.tail.as_ref();
        tail.and_then(|tail| tail.document.pointer(path))
            .unwrap_or(NULL)
    }

    pub(super) fn elapsed_ns(&self) -> u64 {
        self.record.elapsed_ns()
    }

    /// Windows in which the server was asked for something.
    pub(super) fn busy(&self) -> Vec<&Window> {
        self.windows.iter().filter(|w| w.requests > 0).collect()
    }
}

fn window(frames: &[Frame], [requests, failed, duration]: [Option<u32>; 3]) -> Option<Window> {
    let (first, rest) = frames.split_first()?;
    let mut frame = first.clone();
    rest.iter().for_each(|next| frame.merge(next));
    let span_s = frame.span_s().max(1e-9);
    let point = |key: Option<u32>| key.and_then(|key| frame.point(key));
    let requests = point(requests).map_or(0, Point::samples);
    let failed = match point(failed) {
        Some(Point::Rate { passes, .. }) => *passes,
        _ => 0,
    };
    Some(Window {
        at_ns: frame.at_ns,
        until_ns: frame.until_ns(),
        vus: frame.vus as f64,
        planned: frame.planned.map(|planned| planned as f64 / span_s),
        rate: requests as f64 / span_s,
        requests,
        failed,
        p95_ms: point(duration)
            .and_then(Point::dist)
            .map(|dist| dist.quantile(0.95)),
    })
}

/// The middle value; 0 without values.
pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// Seconds with a unit: `12s`.
pub(super) fn seconds(ns: u64) -> String {
    let s = ns as f64 / 1e9;
    if s >= 10.0 || s.fract() < 0.05 {
        format!("{s:.0}s")
    } else {
        format!("{s:.1}s")
    }
}

/// A share as a percentage: `12.3 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 10.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// Milliseconds in three digits.
pub(super) fn ms(ms: f64) -> String {
    match ms {
        ms if ms >= 10_000.0 => format!("{:.1} s", ms / 1e3),
        ms if ms >= 100.0 => format!("{ms:.0} ms"),
        ms if ms >= 10.0 => format!("{ms:.1} ms"),
        ms => format!("{ms:.2} ms"),
    }
}

/// A whole number with commas, or a small one with a digit.
pub(super) fn number(value: f64) -> String {
    if value < 10.0 && value.fract() > 0.05 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
