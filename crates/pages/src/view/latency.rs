//! The main trend over time and as a whole: percentiles by rows, the heat map, the histogram.

use netload_record::{Dist, Frame, Key, Record};
use serde_json::{Map, Value, json};

use super::numbers::{seconds, summary};
use super::{ROWS, object};
use netload_metrics::interval::samples_needed;

/// The trends that are drawn as bands, by their names in columns; the main one may be another.
pub(super) const TRENDS: [(&str, &str); 4] = [
    ("net", "http_req_duration"),
    ("gross", "http_req_gross"),
    ("tare", "http_req_tare"),
    ("response", "http_req_response"),
];

/// Buckets in an octave of the heat map and the histogram, as a power of two: 8, so 9 % wide.
const SCALE: i8 = 3;
/// Buckets at most; what lies beyond counts for the last.
const BUCKETS: usize = 200;
/// Columns of the heat map at most.
const HEAT_COLUMNS: usize = 400;
/// Fewer rows than this say nothing about time.
const ROWS_WANTED: usize = 40;
/// Seconds that may become one row, so that it carries its percentiles.
const WIDTHS: [usize; 6] = [1, 2, 5, 10, 30, 60];

/// Percentiles over time. Rows are as long as it takes for most of them to carry the 99th percentile, where that leaves
/// enough rows.
pub(super) fn columns(record: &Record, main: &str) -> Value {
    let bounded = Frame::at_most(&record.seconds, ROWS);
    let key = |metric: &str| record.key(&Key::whole(metric));
    let width = row_width(&bounded, key(main));
    let frames = &*Frame::at_most(&bounded, bounded.len().div_ceil(width));
    let mut all = Map::new();
    all.insert("t".to_owned(), times(frames, Frame::until_ns));
    all.insert("span".to_owned(), times(frames, |frame| frame.span_ns));
    for (name, metric) in TRENDS {
        let metric = if name == "net" { main } else { metric };
        all.insert(name.to_owned(), quantiles(frames, key(metric)));
    }
    Value::Object(all)
}

fn times(frames: &[Frame], of: fn(&Frame) -> u64) -> Value {
    frames.iter().map(|frame| seconds(of(frame))).collect()
}

/// How many frames become one row.
fn row_width(frames: &[Frame], key: Option<u32>) -> usize {
    let counts: Vec<u64> = frames.iter().map(|f| count(f, key)).collect();
    let carried = |width: usize, percentile: f64| {
        let needed = samples_needed(percentile);
        let rows: Vec<u64> = counts.chunks(width).map(|c| c.iter().sum()).collect();
        let busy = rows.iter().filter(|n| **n > 0).count();
        let enough = rows.iter().filter(|n| **n >= needed).count();
        rows.len() >= ROWS_WANTED.min(counts.len()) && enough * 10 >= busy * 9
    };
    let width = |percentile| WIDTHS.into_iter().find(|w| carried(*w, percentile));
    width(99.0).or_else(|| width(95.0)).unwrap_or(1)
}

fn count(frame: &Frame, key: Option<u32>) -> u64 {
    let dist = key.and_then(|key| frame.point(key)?.dist());
    dist.map_or(0, |dist| dist.count)
}

/// The columns of one trend; empty when it has no values.
fn quantiles(frames: &[Frame], key: Option<u32>) -> Value {
    let Some(key) = key else {
        return json!({});
    };
    let rows: Vec<Map<String, Value>> = frames
        .iter()
        .map(|frame| {
            let dist = frame.point(key).and_then(|point| point.dist());
            dist.map(summary).unwrap_or_default()
        })
        .collect();
    let names = [
        "count", "mean", "min", "p50", "p75", "p90", "p95", "p99", "p999", "max",
    ];
    let column = |name: &str| -> Option<Value> {
        let values = rows.iter().map(|row| row.get(name).cloned());
        let values: Vec<Value> = values.map(Option::unwrap_or_default).collect();
        let any = values.iter().any(|value| !value.is_null());
        any.then(|| values.into())
    };
    object(names.into_iter().filter_map(|n| Some((n, column(n)?))))
}

/// Counts by time and duration; null without values.
pub(super) fn heat(record: &Record, main: &str) -> Value {
    let Some(key) = record.key(&Key::whole(main)) else {
        return Value::Null;
    };
    let frames = Frame::at_most(&record.seconds, HEAT_COLUMNS);
    let columns: Vec<(i32, Vec<u64>)> = frames
        .iter()
        .map(|frame| frame.point(key).and_then(|point| point.dist()))
        .map(|dist| dist.map(heat_column).unwrap_or_default())
        .collect();
    let used = columns.iter().filter(|(_, counts)| !counts.is_empty());
    let Some(low) = used.clone().map(|(low, _)| *low).min() else {
        return Value::Null;
    };
    let counts: Vec<Vec<u64>> = columns
        .iter()
        .map(|(first, counts)| match counts.is_empty() {
            true => Vec::new(),
            false => {
                let before = usize::try_from(first - low).unwrap_or(0);
                fold(std::iter::repeat_n(0, before.min(BUCKETS)).chain(counts.iter().copied()))
            }
        })
        .collect();
    let mut t: Vec<Value> = frames.iter().map(|f| seconds(f.at_ns)).collect();
    t.extend(frames.last().map(|f| seconds(f.until_ns())));
    json!({ "per_octave": 1 << SCALE, "low": low, "t": t, "counts": counts })
}

/// The first bucket of a distribution at the scale of the heat map, and the counts from there.
pub(super) fn heat_column(dist: &Dist) -> (i32, Vec<u64>) {
    let dist = dist.at_scale(SCALE);
    let Some((low, _)) = dist.positive.first().copied() else {
        return (0, Vec::new());
    };
    let mut counts = Vec::new();
    for (index, count) in dist.positive {
        let at = usize::try_from(index - low).unwrap_or(0).min(BUCKETS - 1);
        if counts.len() <= at {
            counts.resize(at + 1, 0);
        }
        counts[at] += count;
    }
    (low, counts)
}

/// At most [`BUCKETS`] counts; the last takes what would come behind it.
fn fold(counts: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut kept: Vec<u64> = Vec::new();
    for count in counts {
        match kept.get_mut(BUCKETS - 1) {
            Some(last) => *last += count,
            None => kept.push(count),
        }
    }
    kept
}

/// The distribution of the whole run; null without values.
pub(super) fn histogram(record: &Record, main: &str) -> Value {
    let total = record.total(&Key::whole(main));
    let column = total
        .as_ref()
        .and_then(|point| point.dist())
        .map(heat_column);
    match column {
        Some((low, counts)) if !counts.is_empty() => {
            json!({ "per_octave": 1 << SCALE, "low": low, "counts": counts })
        }
        _ => Value::Null,
    }
}
