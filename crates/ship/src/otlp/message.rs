//! `ExportMetricsServiceRequest` of OTLP 1, field by field.
//!
//! <https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto>, with the names beside
//! the numbers. All series of a metric are points of one metric, as receivers expect.

use std::collections::BTreeMap;

use netload_metrics::aggregate::{Counter, Rate};
use netload_metrics::{Aggregate, Contains, Histogram, TagSet};

use crate::protobuf::Message;
use crate::totals::{Since, Total};

/// The widest run of buckets that is sent, empty ones included: 16 octaves at scale 8. Wider ones are sent at a smaller
/// scale, each step of which puts two buckets together.
const BUCKETS_LIMIT: i32 = 4_096;

const DELTA: u64 = 1;
const CUMULATIVE: u64 = 2;

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) service: String,
    pub(super) version: String,
    /// Before the name of every metric.
    pub(super) prefix: String,
}

/// The time that values are of, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) since: Since,
    pub(super) start_ns: u64,
    pub(super) end_ns: u64,
}

impl Span {
    fn temporality(self) -> u64 {
        match self.since {
            Since::Report => DELTA,
            Since::Start => CUMULATIVE,
        }
    }

    /// start_time_unix_nano and time_unix_nano, which have the same numbers in all points.
    fn write(self, point: &mut Message) {
        point.fixed(2, self.start_ns);
        point.fixed(3, self.end_ns);
    }
}

/// One request.
pub(super) fn request(totals: &[&Total], identity: &Identity, span: Span) -> Vec<u8> {
    let mut families: BTreeMap<&str, Vec<&Total>> = BTreeMap::new();
    for total in totals {
        families.entry(&total.metric.name).or_default().push(total);
    }
    let mut request = Message::default();
    // resource_metrics
    request.message(1, |of_resource| {
        // resource, its attributes
        of_resource.message(1, |resource| {
            attribute(resource, 1, "service.name", &identity.service);
            attribute(resource, 1, "service.version", &identity.version);
        });
        // scope_metrics
        of_resource.message(2, |of_scope| {
            // scope: name, version
            of_scope.message(1, |scope| {
                scope.text(1, "netload");
                scope.text(2, env!("CARGO_PKG_VERSION"));
            });
            for totals in families.values() {
                // metrics
                of_scope.message(2, |metric| family(metric, totals, identity, span));
            }
        });
    });
    request.0
}

fn family(metric: &mut Message, totals: &[&Total], identity: &Identity, span: Span) {
    let Some(first) = totals.first() else { return };
    // name, unit
    let rate = matches!(first.data, Aggregate::Rate(_));
    let total = if rate { ".total" } else { "" };
    metric.text(
        1,
        &format!("{}{}{total}", identity.prefix, first.metric.name),
    );
    let unit = match first.metric.contains {
        Contains::Time => "ms",
        Contains::Data => "By",
        Contains::Default => "",
    };
    if !unit.is_empty() {
        metric.text(3, unit);
    }
    // 5 gauge, 7 sum, 10 exponential_histogram
    let field = match first.data {
        Aggregate::Gauge(_) => 5,
        Aggregate::Counter(_) | Aggregate::Rate(_) => 7,
        Aggregate::Trend(_) => 10,
    };
    metric.message(field, |data| {
        for total in totals {
            // data_points
            match &total.data {
                Aggregate::Gauge(g) => data.message(1, |p| number(p, &total.tags, g.last, span)),
                Aggregate::Counter(c) => data.message(1, |p| counter(p, &total.tags, *c, span)),
                Aggregate::Rate(r) => rate_points(data, &total.tags, *r, span),
                Aggregate::Trend(h) => data.message(1, |p| histogram(p, &total.tags, h, span)),
            }
        }
        // aggregation_temporality, is_monotonic
        if field != 5 {
            data.number(2, span.temporality());
        }
        if field == 7 {
            data.number(3, 1);
        }
    });
}

fn counter(point: &mut Message, tags: &TagSet, counter: Counter, span: Span) {
    number(point, tags, counter.sum, span);
}

fn number(point: &mut Message, tags: &TagSet, value: f64, span: Span) {
    // attributes, times, as_double
    attributes(point, 7, tags);
    span.write(point);
    point.double(4, value);
}

/// How many values were zero and how many were not, as up to two points; k6 sends none for what never happened.
fn rate_points(data: &mut Message, tags: &TagSet, rate: Rate, span: Span) {
    let conditions = [("nonzero", rate.passes), ("zero", rate.total - rate.passes)];
    for (condition, count) in conditions.into_iter().filter(|(_, count)| *count > 0) {
        data.message(1, |point| {
            attributes(point, 7, tags);
            attribute(point, 7, "condition", condition);
            span.write(point);
            // as_int
            point.fixed(6, count);
        });
    }
}

fn histogram(point: &mut Message, tags: &TagSet, h: &Histogram, span: Span) {
    let buckets = h.to_buckets();
    let positive: Vec<(i32, u64)> = buckets.positive_buckets().collect();
    let negative: Vec<(i32, u64)> = buckets.negative_buckets().collect();
    let steps = steps(&positive).max(steps(&negative));
    // attributes, times, count, sum, scale, zero_count
    attributes(point, 1, tags);
    span.write(point);
    point.fixed(4, h.count());
    point.double(5, h.sum());
    point.zigzag(6, i64::from(Histogram::SCALE - steps));
    point.fixed(7, buckets.zeros());
    // positive, negative
    side(point, 8, &positive, steps);
    side(point, 9, &negative, steps);
    // min, max
    point.double(12, h.min());
    point.double(13, h.max());
}

/// How often neighbours must be put together until the buckets are no more than allowed.
fn steps(buckets: &[(i32, u64)]) -> i32 {
    let (Some((first, _)), Some((last, _))) = (buckets.first(), buckets.last()) else {
        return 0;
    };
    let fits = |steps: &i32| (last >> steps) - (first >> steps) < BUCKETS_LIMIT;
    (0..i32::BITS as i32 - 1).find(fits).unwrap_or_default()
}

/// offset, bucket_counts
fn side(point: &mut Message, field: u64, buckets: &[(i32, u64)], steps: i32) {
    let Some((first, _)) = buckets.first() else {
        return;
    };
    let offset = first >> steps;
    let mut counts = Vec::new();
    for (index, count) in buckets {
        let at = ((index >> steps) - offset) as usize;
        if at >= counts.len() {
            counts.resize(at + 1, 0);
        }
        counts[at] += count;
    }
    point.message(field, |side| {
        side.zigzag(1, i64::from(offset));
        side.numbers(2, counts.into_iter());
    });
}

fn attributes(message: &mut Message, field: u64, tags: &TagSet) {
    // k6 leaves out what is empty, such as the group of what stands in none.
    let filled = |(key, value): &(&str, &str)| !key.is_empty() && !value.is_empty();
    for (key, value) in tags.iter().filter(filled) {
        attribute(message, field, key, value);
    }
}

fn attribute(message: &mut Message, field: u64, key: &str, value: &str) {
    message.message(field, |pair| {
        // key, value: string_value
        pair.text(1, key);
        pair.message(2, |any| any.text(1, value));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_trends_are_sent_at_a_smaller_scale() {
        assert_eq!(steps(&[]), 0);
        assert_eq!(steps(&[(-5, 1), (4_090, 1)]), 0);
        assert_eq!(steps(&[(-5, 1), (4_091, 1)]), 1);
        assert_eq!(steps(&[(-262_000, 1), (262_000, 1)]), 7);
        let mut point = Message::default();
        // Buckets 2 and 3 become bucket 1, and -1 stays below zero.
        side(&mut point, 8, &[(-1, 5), (2, 1), (3, 2)], 1);
        assert_eq!(point.0, [0x42, 7, 0x08, 1, 0x12, 3, 5, 0, 3]);
    }
}
