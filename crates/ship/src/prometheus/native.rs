//! A trend as a native histogram of schema 8, whose buckets are as wide as ours.
//!
//! Prometheus counts seconds and we count milliseconds, which is no whole number of buckets: the mean of each bucket
//! decides where its values go, so that none moves by more than the width of one bucket (0.271 %).

use std::collections::BTreeMap;

use netload_metrics::Histogram;

/// Values of the same sign: buckets by their index, ascending, and how many values each holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Side(BTreeMap<i32, u64>);

/// A distribution in Prometheus' terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Native {
    pub(super) count: u64,
    pub(super) sum: f64,
    pub(super) zeros: u64,
    pub(super) positive: Side,
    pub(super) negative: Side,
}

/// A run of buckets without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// From the end of the span before; of the first the index itself.
    pub(super) offset: i32,
    pub(super) length: u32,
}

impl Native {
    /// A trend with all its values multiplied.
    pub(super) fn of(h: &Histogram, scale: f64) -> Self {
        let mut native = Self {
            count: h.count(),
            sum: h.sum() * scale,
            ..Self::default()
        };
        for (value, count) in h.values() {
            let value = value * scale;
            // Prometheus' bucket `i` ends at 2^(i/256), ours begins there.
            let index = |magnitude: f64| Histogram::bucket_of(magnitude) + 1;
            if value > 0.0 {
                native.positive.add(index(value), count);
            } else if value < 0.0 {
                native.negative.add(index(-value), count);
            } else {
                native.zeros += count;
            }
        }
        native
    }
}

impl Side {
    fn add(&mut self, index: i32, count: u64) {
        *self.0.entry(index).or_default() += count;
    }

    pub(super) fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut next = 0;
        for index in self.0.keys() {
            match spans.last_mut() {
                Some(span) if *index == next => span.length += 1,
                _ => spans.push(Span {
                    offset: index - next,
                    length: 1,
                }),
            }
            next = index + 1;
        }
        spans
    }

    /// Each count as the difference to the one before.
    pub(super) fn deltas(&self) -> impl Iterator<Item = i64> + '_ {
        let mut before = 0;
        self.0.values().map(move |count| {
            let delta = *count as i64 - before;
            before = *count as i64;
            delta
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn buckets_are_prometheus_buckets() {
        let mut h = Histogram::default();
        // 1 s is the inclusive end of bucket 0, 2 s of bucket 256.
        for ms in [1_000.0, 2_000.0, 0.0, -1_000.0] {
            h.record(ms);
        }
        let native = Native::of(&h, 1e-3);
        assert_eq!((native.count, native.zeros, native.sum), (4, 1, 2.0));
        assert_eq!(native.positive.0, BTreeMap::from([(0, 1), (256, 1)]));
        assert_eq!(native.negative.0, BTreeMap::from([(0, 1)]));
        let spans = native.positive.spans();
        assert_eq!(
            spans
                .iter()
                .map(|s| (s.offset, s.length))
                .collect::<Vec<_>>(),
            [(0, 1), (255, 1)]
        );
    }

    proptest! {
        #[test]
        fn spans_and_deltas_hold_every_value(values in prop::collection::vec(1e-3f64..1e6, 1..1_500)) {
            let mut h = Histogram::default();
            values.iter().for_each(|v| h.record(*v));
            let side = Native::of(&h, 1e-3).positive;
            let mut count = 0;
            let counts: Vec<i64> = side.deltas().map(|delta| { count += delta; count }).collect();
            let mut read = BTreeMap::new();
            let (mut index, mut at) = (0, 0);
            for span in side.spans() {
                index += span.offset;
                for _ in 0..span.length {
                    read.insert(index, counts[at] as u64);
                    index += 1;
                    at += 1;
                }
            }
            prop_assert_eq!(read.values().sum::<u64>(), values.len() as u64);
            prop_assert_eq!(&read, &side.0);
        }
    }
}
