//! A frame as few bytes: whole numbers in sevens of bits, neighbours as differences.
//!
//! Invariants: what [`Frame::encode`] writes, [`Frame::decode`] reads back unchanged; any other bytes are refused, and what
//! was read can be added up without overflow.

use crate::dist::Dist;
use crate::frame::Frame;
use crate::point::Point;

/// The version of the layout, its first byte. A reader refuses versions that it does not know.
pub const FORMAT: u8 = 1;

/// Counts beyond this are damage: so many could not have been measured, and sums of them stay below 2^64.
const COUNT_LIMIT: u64 = 1 << 48;
/// Times beyond this are damage, in nanoseconds: 146 years.
const TIME_LIMIT_NS: u64 = 1 << 62;
/// No number has a bucket beyond this.
const BUCKET_LIMIT: i64 = 1 << 20;
/// Numbers of keys beyond this are damage.
const KEY_LIMIT: u64 = 1 << 20;

const COUNTER: u8 = 0;
const GAUGE: u8 = 1;
const RATE: u8 = 2;
const TREND: u8 = 3;

/// Why bytes are no frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// They are of another version.
    #[error("frames of version {0} cannot be read by this version of netload")]
    Version(u8),
    /// They end too early.
    #[error("a frame ends too early")]
    Short,
    /// They go on after the end.
    #[error("a frame is followed by something else")]
    Long,
    /// A number cannot be.
    #[error("a frame is damaged: {0}")]
    Damaged(&'static str),
}

impl Frame {
    /// Appends the frame's bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(FORMAT);
        for number in [self.at_ns, self.span_ns, self.vus, self.vus_max] {
            put(out, number);
        }
        out.push(u8::from(self.planned.is_some()));
        put(out, self.planned.unwrap_or(0));
        put(out, self.started);
        put(out, self.dropped);
        put(out, self.points.len() as u64);
        let mut next = 0;
        for (key, point) in &self.points {
            put(out, u64::from(key.wrapping_sub(next)));
            next = key.wrapping_add(1);
            put_point(out, point);
        }
    }

    /// Reads the bytes of one frame.
    ///
    /// # Errors
    /// Another version, and everything that [`Self::encode`] does not write.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut rest = Rest(bytes);
        let version = rest.byte()?;
        if version != FORMAT {
            return Err(DecodeError::Version(version));
        }
        let mut frame = Self {
            at_ns: rest.at_most(TIME_LIMIT_NS)?,
            span_ns: rest.at_most(TIME_LIMIT_NS)?,
            vus: rest.count()?,
            vus_max: rest.count()?,
            ..Self::default()
        };
        let has_plan = rest.byte()? != 0;
        let planned = rest.count()?;
        frame.planned = has_plan.then_some(planned);
        frame.started = rest.count()?;
        frame.dropped = rest.count()?;
        let points = rest.count()?;
        let mut next = 0;
        for _ in 0..points {
            let key = rest.at_most(KEY_LIMIT)? + next;
            next = key + 1;
            let key = u32::try_from(key).map_err(|_| DecodeError::Damaged("a key is too large"))?;
            frame.points.push((key, rest.point()?));
        }
        match rest.0 {
            [] => Ok(frame),
            _ => Err(DecodeError::Long),
        }
    }
}

fn put_point(out: &mut Vec<u8>, point: &Point) {
    match point {
        Point::Counter { sum, samples } => {
            out.push(COUNTER);
            put_float(out, *sum);
            put(out, *samples);
        }
        Point::Gauge { last, min, max } => {
            out.push(GAUGE);
            for value in [last, min, max] {
                put_float(out, *value);
            }
        }
        Point::Rate { passes, total } => {
            out.push(RATE);
            put(out, *passes);
            put(out, *total);
        }
        Point::Trend(dist) => {
            out.push(TREND);
            out.push(dist.scale as u8);
            put(out, dist.count);
            put(out, dist.zeros);
            for value in [dist.sum, dist.min, dist.max] {
                out.extend(value.to_le_bytes());
            }
            put_buckets(out, &dist.positive);
            put_buckets(out, &dist.negative);
        }
    }
}

fn put_buckets(out: &mut Vec<u8>, buckets: &[(i32, u64)]) {
    put(out, buckets.len() as u64);
    let mut next = 0i64;
    for (at, (index, count)) in buckets.iter().enumerate() {
        let step = i64::from(*index) - next;
        // Only the first can be below zero: the others ascend.
        match at {
            0 => put(out, ((step << 1) ^ (step >> 63)) as u64),
            _ => put(out, step as u64),
        }
        next = i64::from(*index) + 1;
        put(out, *count);
    }
}

/// Seven bits at a time, the lowest first; the eighth says that more follow.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Whole numbers have many zero bits at their lower end, which come first here and cost nothing.
fn put_float(out: &mut Vec<u8>, value: f64) {
    put(out, value.to_bits().reverse_bits());
}

/// What is not read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn byte(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.0.split_first().ok_or(DecodeError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(DecodeError::Damaged("a number is too long"))
    }

    fn at_most(&mut self, limit: u64) -> Result<u64, DecodeError> {
        let number = self.number()?;
        if number > limit {
            return Err(DecodeError::Damaged("a number is too large"));
        }
        Ok(number)
    }

    fn count(&mut self) -> Result<u64, DecodeError> {
        self.at_most(COUNT_LIMIT)
    }

    fn float(&mut self) -> Result<f64, DecodeError> {
        Ok(f64::from_bits(self.number()?.reverse_bits()))
    }

    fn plain_float(&mut self) -> Result<f64, DecodeError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(DecodeError::Short)?;
        self.0 = rest;
        Ok(f64::from_le_bytes(*bytes))
    }

    fn point(&mut self) -> Result<Point, DecodeError> {
        match self.byte()? {
            COUNTER => Ok(Point::Counter {
                sum: self.float()?,
                samples: self.count()?,
            }),
            GAUGE => Ok(Point::Gauge {
                last: self.float()?,
                min: self.float()?,
                max: self.float()?,
            }),
            RATE => {
                let (passes, total) = (self.count()?, self.count()?);
                if passes > total {
                    return Err(DecodeError::Damaged("a rate is above one"));
                }
                Ok(Point::Rate { passes, total })
            }
            TREND => self.dist().map(Point::Trend),
            _ => Err(DecodeError::Damaged("there is no such kind of metric")),
        }
    }

    fn dist(&mut self) -> Result<Dist, DecodeError> {
        let scale = self.byte()?;
        let dist = Dist {
            scale: i8::try_from(scale).unwrap_or(i8::MAX),
            count: self.count()?,
            zeros: self.count()?,
            sum: self.plain_float()?,
            min: self.plain_float()?,
            max: self.plain_float()?,
            positive: self.buckets()?,
            negative: self.buckets()?,
        };
        if dist.scale > netload_metrics::Histogram::SCALE as i8 {
            return Err(DecodeError::Damaged("there is no such scale"));
        }
        if !(dist.min.is_finite() && dist.max.is_finite() && dist.min <= dist.max) {
            return Err(DecodeError::Damaged(
                "the ends of a trend contradict each other",
            ));
        }
        let buckets = dist.positive.iter().chain(&dist.negative);
        // Every count is below 2^48, and there are fewer than 2^22 buckets: the sum fits into 128 bits with ease.
        let all = buckets.map(|(_, count)| u128::from(*count)).sum::<u128>();
        if all + u128::from(dist.zeros) != u128::from(dist.count) {
            return Err(DecodeError::Damaged("the buckets of a trend do not add up"));
        }
        Ok(dist)
    }

    fn buckets(&mut self) -> Result<Vec<(i32, u64)>, DecodeError> {
        let length = self.count()?;
        let mut buckets = Vec::new();
        let mut next = 0i64;
        for at in 0..length {
            let step = self.number()?;
            let step = match at {
                0 => (step >> 1) as i64 ^ -((step & 1) as i64),
                _ => i64::try_from(step).unwrap_or(i64::MAX),
            };
            let index = next.saturating_add(step);
            if !(-BUCKET_LIMIT..=BUCKET_LIMIT).contains(&index) {
                return Err(DecodeError::Damaged("there is no such bucket"));
            }
            next = index + 1;
            let count = self.count()?;
            if count == 0 {
                return Err(DecodeError::Damaged("an empty bucket was written"));
            }
            buckets.push((index as i32, count));
        }
        Ok(buckets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netload_metrics::Histogram;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Point> {
        let trend =
            (prop::collection::vec(-1e3f64..1e7, 0..40), 0i8..=8).prop_map(|(values, scale)| {
                let mut all = Histogram::default();
                values.iter().for_each(|value| all.record(value.round()));
                Point::Trend(Dist::of(&all, scale))
            });
        prop_oneof![
            (-1e9f64..1e9, 0u64..1 << 40)
                .prop_map(|(sum, samples)| Point::Counter { sum, samples }),
            (-1e9f64..1e9).prop_map(|last| Point::Gauge {
                last,
                min: last - 1.0,
                max: last
            }),
            (0u64..1 << 30, 0u64..1 << 30).prop_map(|(passes, fails)| Point::Rate {
                passes,
                total: passes + fails
            }),
            trend,
        ]
    }

    fn frame() -> impl Strategy<Value = Frame> {
        let points = prop::collection::btree_map(0u32..5_000, point(), 0..12);
        let planned = prop::option::of(0u64..1 << 40);
        (0u64..1 << 50, 0u64..1 << 40, 0u64..100_000, planned, points).prop_map(
            |(at_ns, span_ns, vus, planned, points)| Frame {
                at_ns,
                span_ns,
                vus,
                vus_max: vus + 1,
                planned,
                started: vus * 7,
                dropped: 3,
                points: points.into_iter().collect(),
            },
        )
    }

    proptest! {
        #[test]
        fn a_frame_comes_back_as_it_was(frame in frame()) {
            let mut bytes = Vec::new();
            frame.encode(&mut bytes);
            prop_assert_eq!(Frame::decode(&bytes), Ok(frame));
            for end in 0..bytes.len() {
                prop_assert!(Frame::decode(&bytes[..end]).is_err(), "cut at {end}");
            }
        }

        #[test]
        fn damaged_bytes_are_refused_or_can_be_worked_with(frame in frame(), at in any::<prop::sample::Index>(), value in any::<u8>()) {
            let mut bytes = Vec::new();
            frame.encode(&mut bytes);
            let at = at.index(bytes.len());
            bytes[at] = value;
            if let Ok(mut read) = Frame::decode(&bytes) {
                let again = read.clone();
                read.merge(&again);
                for dist in read.points.iter().filter_map(|(_, point)| point.dist()) {
                    let _ = (dist.quantile(0.5), dist.share_above(1.0), dist.mean());
                }
            }
        }

        #[test]
        fn merging_frames_does_not_depend_on_the_order_of_merging(a in frame(), b in frame(), c in frame()) {
            // Neighbours in time, with whole numbers as values: everything is exact.
            let b = Frame { at_ns: a.until_ns(), ..b };
            let c = Frame { at_ns: b.until_ns(), ..c };
            let mut left = a.clone();
            left.merge(&b);
            left.merge(&c);
            let mut right = b;
            right.merge(&c);
            let mut all = a;
            all.merge(&right);
            let counts = |f: &Frame| f.points.iter().map(|(k, p)| (*k, p.samples())).collect::<Vec<_>>();
            prop_assert_eq!((left.at_ns, left.span_ns, left.planned), (all.at_ns, all.span_ns, all.planned));
            // Points of one key are of one kind in a run; here they need not be, and the first decides.
            prop_assert_eq!(counts(&left).len(), counts(&all).len());
        }
    }

    /// A trend whose first bucket is the smallest number there is; found by the fuzz target.
    #[test]
    fn buckets_that_no_value_has_are_refused() {
        let mut bytes = Vec::new();
        put(&mut bytes, 1);
        put(&mut bytes, u64::MAX);
        put(&mut bytes, 1);
        let mut rest = Rest(&bytes);
        assert!(rest.buckets().is_err());
    }

    #[test]
    fn a_frame_of_another_version_is_refused() {
        assert_eq!(Frame::decode(&[9, 0]), Err(DecodeError::Version(9)));
        assert_eq!(Frame::decode(&[]), Err(DecodeError::Short));
    }

    #[test]
    fn a_second_of_a_thousand_requests_takes_few_bytes() {
        let mut all = Histogram::default();
        (0..1_000).for_each(|i| all.record(5.0 + f64::from(i % 100) / 50.0));
        let frame = Frame {
            points: vec![(0, Point::Trend(Dist::of(&all, 8)))],
            ..Frame::default()
        };
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        assert!(bytes.len() < 300, "{} bytes", bytes.len());
    }
}
