//! Remote write's messages: version 1 (`prometheus.WriteRequest`) and 2 (`io.prometheus.write.v2.Request`).
//!
//! <https://prometheus.io/docs/specs/prw/remote_write_spec/> and its version 2, with the names of the `.proto` files beside
//! the numbers. In version 2 every text is sent once and then known by its place.

use std::collections::HashMap;

use super::native::{Native, Side};
use crate::protobuf::Message;

/// The value that says that a series does not go on (Prometheus' `StaleNaN`).
const STALE_BITS: u64 = 0x7ff0_0000_0000_0002;
/// The schema of the buckets: 2^8 in an octave.
const SCHEMA: i64 = 8;
/// Smaller values count as zero; ours are zero.
const ZERO_THRESHOLD: f64 = 0.0;

/// Which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

impl Version {
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::One => "application/x-protobuf",
            Self::Two => "application/x-protobuf;proto=io.prometheus.write.v2.Request",
        }
    }

    pub(super) fn header(self) -> &'static str {
        match self {
            Self::One => "0.1.0",
            Self::Two => "2.0.0",
        }
    }
}

/// What a series has at one time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Float(f64),
    Native(Box<Native>),
    /// Nothing more.
    Stale,
}

/// A series with one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    /// With the name among them, sorted.
    labels: Vec<(String, String)>,
    value: Value,
    is_counter: bool,
}

impl Point {
    pub(super) fn new(
        name: String,
        mut labels: Vec<(String, String)>,
        value: Value,
        is_counter: bool,
    ) -> Self {
        let at = labels.partition_point(|(key, _)| key.as_str() < "__name__");
        labels.insert(at, ("__name__".to_owned(), name));
        Self {
            labels,
            value,
            is_counter,
        }
    }

    /// Makes it the end of its series.
    pub(super) fn end(&mut self) {
        self.value = Value::Stale;
    }
}

/// One request.
pub(super) fn encode(points: &[Point], unix_ms: u64, version: Version) -> Vec<u8> {
    match version {
        Version::One => first(points, unix_ms),
        Version::Two => second(points, unix_ms),
    }
}

fn first(points: &[Point], unix_ms: u64) -> Vec<u8> {
    let mut request = Message::default();
    for point in points {
        // timeseries
        request.message(1, |series| {
            for (key, value) in &point.labels {
                // labels: name, value
                series.message(1, |label| {
                    label.text(1, key);
                    label.text(2, value);
                });
            }
            // samples; histograms
            value(series, point, unix_ms, 2, 4);
        });
    }
    request.0
}

fn second(points: &[Point], unix_ms: u64) -> Vec<u8> {
    let mut symbols = Symbols::default();
    let mut all = Message::default();
    for point in points {
        // timeseries
        all.message(5, |series| {
            let texts = point.labels.iter().flat_map(|(key, value)| [key, value]);
            let places: Vec<u64> = texts.map(|text| symbols.place(text)).collect();
            // labels_refs
            series.numbers(1, places.into_iter());
            // samples; histograms
            value(series, point, unix_ms, 2, 3);
            // metadata: type (1 counter, 2 gauge, 3 histogram)
            let kind = match (&point.value, point.is_counter) {
                (Value::Native(_), _) => 3,
                (_, true) => 1,
                (_, false) => 2,
            };
            series.message(5, |metadata| metadata.number(1, kind));
        });
    }
    let mut request = Message::default();
    for text in &symbols.texts {
        request.text(4, text);
    }
    request.0.extend_from_slice(&all.0);
    request.0
}

/// Texts and their places; the first is empty, as the specification wants it.
struct Symbols<'a> {
    texts: Vec<&'a str>,
    places: HashMap<&'a str, u64>,
}

impl Default for Symbols<'_> {
    fn default() -> Self {
        Self {
            texts: vec![""],
            places: HashMap::from([("", 0)]),
        }
    }
}

impl<'a> Symbols<'a> {
    fn place(&mut self, text: &'a str) -> u64 {
        *self.places.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u64 - 1
        })
    }
}

fn value(series: &mut Message, point: &Point, unix_ms: u64, samples: u64, histograms: u64) {
    let mut sample = |bits: u64| {
        // value, timestamp
        series.message(samples, |sample| {
            sample.fixed(1, bits);
            sample.signed(2, unix_ms as i64);
        });
    };
    match &point.value {
        Value::Float(value) => sample(value.to_bits()),
        Value::Stale => sample(STALE_BITS),
        Value::Native(native) => {
            series.message(histograms, |message| histogram(message, native, unix_ms));
        }
    }
}

/// The fields of a histogram are the same in both versions.
fn histogram(message: &mut Message, native: &Native, unix_ms: u64) {
    // count_int, sum, schema, zero_threshold, zero_count_int
    message.number(1, native.count);
    message.double(3, native.sum);
    message.zigzag(4, SCHEMA);
    message.double(5, ZERO_THRESHOLD);
    message.number(6, native.zeros);
    // negative_spans, negative_deltas
    side(message, &native.negative, 8, 9);
    // positive_spans, positive_deltas
    side(message, &native.positive, 11, 12);
    // timestamp
    message.signed(15, unix_ms as i64);
}

fn side(message: &mut Message, side: &Side, spans: u64, deltas: u64) {
    for span in side.spans() {
        // offset, length
        message.message(spans, |inner| {
            inner.zigzag(1, i64::from(span.offset));
            inner.number(2, u64::from(span.length));
        });
    }
    message.zigzags(deltas, side.deltas());
}
