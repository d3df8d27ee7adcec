//! A distribution in constant memory: exact while small, base-2 exponential buckets of scale 8 afterwards.
//!
//! A bucket holds the values in `(2^(i/256), 2^((i+1)/256)]`, which are 0.271 % apart at most, and knows the mean of its
//! values: a server that always takes the same time is measured far more exactly than a bucket is wide. The layout is
//! the one of OpenTelemetry's exponential histograms (scale 8) and Prometheus' native histograms (schema 8); merging
//! adds whole numbers and loses nothing. Up to [`Histogram::EXACT`] values are kept as they are, so that short runs have exact
//! percentiles; which form is used depends only on the number of values, never on how they were merged.

use std::sync::LazyLock;

/// Buckets in one octave: 2 to the power of the scale.
const PER_OCTAVE: i32 = 256;
/// Counts that are allocated together.
const CHUNK: usize = 32;

/// The distribution of the values of a trend, in the metric's unit (milliseconds for times).
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    count: u64,
    zeros: u64,
    sum: f64,
    min: f64,
    max: f64,
    exact: Vec<f64>,
    positive: Buckets,
    negative: Buckets,
}

impl Histogram {
    /// So many values are kept one by one before they become buckets.
    pub const EXACT: usize = 512;
    /// The scale of the buckets as OpenTelemetry and Prometheus count it.
    pub const SCALE: i32 = 8;

    /// Adds one value. NaN is ignored, infinities count as the largest finite numbers.
    pub fn record(&mut self, value: f64) {
        if self.count < Self::EXACT as u64 || !self.exact.is_empty() || !value.is_finite() {
            self.record_carefully(value);
            return;
        }
        if value < self.min {
            self.min = value;
        }
        if value > self.max {
            self.max = value;
        }
        self.count += 1;
        self.sum += value;
        self.count_in_bucket(value);
    }

    /// While values are kept one by one, and for values that are no numbers.
    #[cold]
    fn record_carefully(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        let value = value.clamp(f64::MIN, f64::MAX);
        if self.count == 0 {
            self.min = value;
            self.max = value;
        } else {
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        }
        self.count += 1;
        self.sum += value;
        if self.count <= Self::EXACT as u64 {
            self.exact.push(value);
        } else {
            self.spill();
            self.count_in_bucket(value);
        }
    }

    /// Adds all values of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            self.min = other.min;
            self.max = other.max;
        } else {
            self.min = self.min.min(other.min);
            self.max = self.max.max(other.max);
        }
        self.count += other.count;
        self.sum += other.sum;
        if self.count <= Self::EXACT as u64 {
            self.exact.extend_from_slice(&other.exact);
            return;
        }
        self.spill();
        for &value in &other.exact {
            self.count_in_bucket(value);
        }
        self.zeros += other.zeros;
        self.positive.merge(&other.positive);
        self.negative.merge(&other.negative);
    }

    /// Forgets all values but keeps the memory for new ones.
    pub fn clear(&mut self) {
        self.count = 0;
        self.zeros = 0;
        self.sum = 0.0;
        self.min = 0.0;
        self.max = 0.0;
        self.exact.clear();
        self.positive.clear();
        self.negative.clear();
    }

    /// How many values were recorded.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// The smallest value, exact; 0 without values.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The largest value, exact; 0 without values.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The mean; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.sum / self.count as f64
        }
    }

    /// The percentile `p` (0 to 100): all values sorted, position `p/100 * (n-1)`, linear between neighbours
    /// (k6's law). 0 without values. Exact up to [`Self::EXACT`] values, else as exact as the mean of a bucket: within
    /// 0.271 %, and within 0.135 % where values are spread evenly over the bucket.
    pub fn percentile(&self, p: f64) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let position = (p / 100.0).clamp(0.0, 1.0) * (self.count - 1) as f64;
        let below = position.floor();
        let (low, high) = self.neighbours(below as u64);
        low + (high - low) * (position - below)
    }

    /// The positive buckets that are not empty, ascending: index `i` and how many values in `(2^(i/256), 2^((i+1)/256)]`.
    /// Values that are still kept exactly are not in here; see [`Self::to_buckets`].
    pub fn positive_buckets(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        self.positive
            .iter()
            .map(|(index, bucket)| (index, bucket.count))
    }

    /// The same for negative values, by their absolute value.
    pub fn negative_buckets(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        self.negative
            .iter()
            .map(|(index, bucket)| (index, bucket.count))
    }

    /// How many values in the buckets are zero.
    pub fn zeros(&self) -> u64 {
        self.zeros
    }

    /// The same distribution with every value in its bucket, as exporters want it.
    #[must_use]
    pub fn to_buckets(&self) -> Self {
        let mut all = self.clone();
        all.spill();
        all
    }

    /// All values in ascending order, each with how often it occurred: themselves while they are kept exactly, the means
    /// of the buckets afterwards. For those who need other units or fewer values than there are buckets.
    pub fn values(&self) -> Vec<(f64, u64)> {
        if !self.exact.is_empty() {
            let mut sorted = self.exact.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            return sorted.into_iter().map(|value| (value, 1)).collect();
        }
        let within = |value: f64| value.clamp(self.min, self.max);
        let below = self.negative.iter_down();
        let below = below.map(|(index, bucket)| (within(-bucket.mean(index)), bucket.count));
        let zero = (self.zeros > 0).then_some((0.0, self.zeros));
        let above = self.positive.iter();
        let above = above.map(|(index, bucket)| (within(bucket.mean(index)), bucket.count));
        below.chain(zero).chain(above).collect()
    }

    /// Tells how many values are in which positive bucket, also of those that are still kept exactly; in any order.
    pub(crate) fn each_bucket(&self, mut tell: impl FnMut(i32, u64)) {
        self.positive_buckets()
            .for_each(|(index, count)| tell(index, count));
        let exact = self.exact.iter().filter(|value| **value > 0.0);
        exact.for_each(|value| tell(Self::bucket_of(*value), 1));
    }

    /// The bucket of a positive value: `i` for values in `(2^(i/256), 2^((i+1)/256)]`.
    pub fn bucket_of(value: f64) -> i32 {
        place_of(value).index
    }

    /// The values of rank `rank` and `rank + 1` (the last one twice).
    fn neighbours(&self, rank: u64) -> (f64, f64) {
        if self.exact.is_empty() {
            return (
                self.at_rank(rank),
                self.at_rank((rank + 1).min(self.count - 1)),
            );
        }
        let mut sorted = self.exact.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |rank: usize| sorted[rank.min(sorted.len() - 1)];
        (at(rank as usize), at(rank as usize + 1))
    }

    /// The value of a rank (from 0) out of the buckets: the mean of the bucket's values, the ends exact.
    fn at_rank(&self, rank: u64) -> f64 {
        if rank == 0 {
            return self.min;
        }
        if rank + 1 >= self.count {
            return self.max;
        }
        let mut seen = 0;
        for (index, bucket) in self.negative.iter_down() {
            seen += bucket.count;
            if rank < seen {
                return (-bucket.mean(index)).clamp(self.min, self.max);
            }
        }
        seen += self.zeros;
        if rank < seen {
            return 0.0;
        }
        for (index, bucket) in self.positive.iter() {
            seen += bucket.count;
            if rank < seen {
                return bucket.mean(index).clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// Moves the exactly kept values into buckets.
    fn spill(&mut self) {
        while let Some(value) = self.exact.pop() {
            self.count_in_bucket(value);
        }
    }

    fn count_in_bucket(&mut self, value: f64) {
        if value > 0.0 {
            self.positive.add(place_of(value));
        } else if value < 0.0 {
            self.negative.add(place_of(-value));
        } else {
            self.zeros += 1;
        }
    }
}

/// Bits of the fraction of a floating-point number.
const FRACTION_BITS: u32 = 52;
/// Where the exponent of 1 stands.
const EXPONENT_BIAS: i32 = 1023;
/// Offsets inside a bucket are counted in steps of so many bits: some 4,000 in a bucket.
const OFFSET_SHIFT: u32 = 32;

/// Where a positive value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    index: i32,
    /// Steps above the lower end of the bucket.
    offset: u64,
}

/// The bucket of a positive value, and where in it the value lies.
fn place_of(value: f64) -> Place {
    let bits = value.to_bits();
    let biased = (bits >> FRACTION_BITS) as i32;
    if biased == 0 {
        // Subnormal numbers share the lowest normal octave: nothing measured is that small.
        return Place {
            index: (1 - EXPONENT_BIAS) * PER_OCTAVE,
            offset: 0,
        };
    }
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let octave = (biased - EXPONENT_BIAS) * PER_OCTAVE;
    let tables = &*TABLES;
    if fraction == 0 {
        // A power of two is the inclusive upper end of the bucket below.
        let width = (1 << FRACTION_BITS) - tables.bounds[PER_OCTAVE as usize - 1];
        return Place {
            index: octave - 1,
            offset: width >> OFFSET_SHIFT,
        };
    }
    let guess = tables.guess[(fraction >> (FRACTION_BITS - GUESS_BITS)) as usize];
    let above = fraction > tables.bounds[usize::from(guess) + 1];
    let within = usize::from(guess) + usize::from(above);
    Place {
        index: octave + within as i32,
        offset: (fraction - tables.bounds[within]) >> OFFSET_SHIFT,
    }
}

/// One bucket: how many values, and the sum of their offsets. Whole numbers, so that adding them in any order is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bucket {
    count: u64,
    offsets: u64,
}

impl Bucket {
    /// The mean of its values, `index` being its own.
    fn mean(&self, index: i32) -> f64 {
        let octave = index.div_euclid(PER_OCTAVE);
        let lower = TABLES.bounds[index.rem_euclid(PER_OCTAVE) as usize];
        // Offsets were cut off, by half a step in the mean.
        const HALF_STEP: u64 = 1 << (OFFSET_SHIFT - 1);
        let steps = self.offsets as f64 / self.count.max(1) as f64;
        let offset = (steps * (1u64 << OFFSET_SHIFT) as f64) as u64 + HALF_STEP;
        let exponent = ((octave + EXPONENT_BIAS) as u64) << FRACTION_BITS;
        // The upper end of an octave's last bucket carries into the exponent, as it should.
        f64::from_bits(exponent + lower + offset).min(f64::MAX)
    }
}

const GUESS_BITS: u32 = 9;

/// The mantissas of `2^(i/256)`, and for each 512th of an octave the bucket in which it begins. A 512th is narrower
/// than any bucket, so at most one boundary lies inside.
struct Tables {
    bounds: [u64; PER_OCTAVE as usize + 1],
    guess: [u8; 1 << GUESS_BITS],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    const FRACTION: u64 = (1 << 52) - 1;
    let mut bounds = [u64::MAX; PER_OCTAVE as usize + 1];
    for (i, bound) in bounds.iter_mut().take(PER_OCTAVE as usize).enumerate() {
        *bound = (i as f64 / f64::from(PER_OCTAVE)).exp2().to_bits() & FRACTION;
    }
    let mut guess = [0u8; 1 << GUESS_BITS];
    for (cell, slot) in guess.iter_mut().enumerate() {
        let start = (cell as u64) << (52 - GUESS_BITS);
        let below = bounds[..PER_OCTAVE as usize].partition_point(|&b| b <= start);
        *slot = (below - 1) as u8;
    }
    Tables { bounds, guess }
});

/// Buckets by index, allocated in chunks where values fall.
#[derive(Clone, Debug, Default)]
struct Buckets {
    /// The number of the first chunk.
    first: i32,
    /// One after the other without gaps; none where no value fell.
    chunks: Vec<Option<Box<[Bucket; CHUNK]>>>,
}

impl Buckets {
    fn add(&mut self, place: Place) {
        let number = place.index.div_euclid(CHUNK as i32);
        let within = place.index.rem_euclid(CHUNK as i32) as usize;
        let at = number.wrapping_sub(self.first) as usize;
        let bucket = match self.chunks.get_mut(at) {
            Some(Some(chunk)) => &mut chunk[within],
            _ => &mut self.chunk(number)[within],
        };
        bucket.count += 1;
        bucket.offsets += place.offset;
    }

    /// The chunk of that number, made when there is none.
    #[cold]
    fn chunk(&mut self, number: i32) -> &mut [Bucket; CHUNK] {
        if self.chunks.is_empty() {
            self.first = number;
        }
        if number < self.first {
            let missing = (self.first - number) as usize;
            self.chunks.splice(0..0, std::iter::repeat_n(None, missing));
            self.first = number;
        }
        let at = (number - self.first) as usize;
        if at >= self.chunks.len() {
            self.chunks.resize(at + 1, None);
        }
        self.chunks[at].get_or_insert_with(|| Box::new([Bucket::default(); CHUNK]))
    }

    fn merge(&mut self, other: &Self) {
        for (number, theirs) in other.numbered() {
            if theirs.iter().all(|bucket| bucket.count == 0) {
                continue;
            }
            for (mine, theirs) in self.chunk(number).iter_mut().zip(theirs) {
                mine.count += theirs.count;
                mine.offsets += theirs.offsets;
            }
        }
    }

    fn clear(&mut self) {
        for chunk in self.chunks.iter_mut().flatten() {
            chunk.fill(Bucket::default());
        }
    }

    /// The chunks with their numbers, ascending.
    fn numbered(&self) -> impl DoubleEndedIterator<Item = (i32, &[Bucket; CHUNK])> + '_ {
        let chunks = self.chunks.iter().enumerate();
        chunks.filter_map(|(at, chunk)| Some((self.first + at as i32, chunk.as_deref()?)))
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = (i32, Bucket)> + '_ {
        self.numbered().flat_map(|(number, chunk)| {
            let first = number * CHUNK as i32;
            let buckets = chunk.iter().enumerate();
            buckets
                .filter(|(_, bucket)| bucket.count > 0)
                .map(move |(i, bucket)| (first + i as i32, *bucket))
        })
    }

    fn iter_down(&self) -> impl Iterator<Item = (i32, Bucket)> + '_ {
        self.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[f64]) -> Histogram {
        let mut h = Histogram::default();
        values.iter().for_each(|v| h.record(*v));
        h
    }

    fn true_percentile(values: &[f64], p: f64) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let position = p / 100.0 * (sorted.len() - 1) as f64;
        let low = sorted[position as usize];
        let high = sorted[(position as usize + 1).min(sorted.len() - 1)];
        low + (high - low) * position.fract()
    }

    #[test]
    fn few_values_have_exact_percentiles() {
        let h = of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
        assert!((h.percentile(95.0) - 9.55).abs() < 1e-12);
        assert_eq!(h.percentile(50.0), 5.5);
        assert_eq!(
            (h.min(), h.max(), h.mean(), h.count()),
            (1.0, 10.0, 5.5, 10)
        );
    }

    #[test]
    fn an_empty_histogram_is_all_zero() {
        let h = Histogram::default();
        assert_eq!(
            (h.percentile(99.0), h.min(), h.max(), h.mean()),
            (0.0, 0.0, 0.0, 0.0)
        );
    }

    #[test]
    fn buckets_are_those_of_the_definition() {
        for index in [-2560, -257, -1, 0, 1, 255, 256, 4711] {
            let upper = (f64::from(index + 1) / 256.0).exp2();
            let inside = ((f64::from(index) + 0.5) / 256.0).exp2();
            assert_eq!(place_of(inside).index, index);
            // The upper end belongs to the bucket; computed powers may be one unit in the last place off.
            let found = place_of(upper).index;
            assert!(found == index || found == index + 1);
        }
        assert_eq!(place_of(1.0).index, -1);
        assert_eq!(place_of(2.0).index, 255);
        assert_eq!(place_of(f64::MIN_POSITIVE / 4.0).index, -1022 * 256);
        assert!(place_of(f64::MAX).index < 1024 * 256);
    }

    #[test]
    fn a_bucket_of_equal_values_is_that_value() {
        for value in [1.0, 2.0, 1024.0, 10.006, 0.001, 99.99, 1e300, f64::MAX] {
            let Place { index, offset } = place_of(value);
            let bucket = Bucket {
                count: 3,
                offsets: 3 * offset,
            };
            let mean = bucket.mean(index);
            assert!((mean / value - 1.0).abs() < 1e-6, "{mean} for {value}");
        }
    }

    proptest! {
        #[test]
        fn percentiles_stay_within_the_stated_error(
            values in prop::collection::vec(1e-6f64..1e7, 1..3_000), p in 0.0f64..100.0,
        ) {
            let got = of(&values).percentile(p);
            let want = true_percentile(&values, p);
            prop_assert!((got - want).abs() <= want * 0.00272, "{got} for {want}");
        }

        /// What a server that always takes the same time needs: the error is no larger than the spread.
        #[test]
        fn values_that_lie_together_are_kept_apart_from_their_bucket(
            value in 1e-6f64..1e7, spread in prop::collection::vec(0.0f64..1e-4, 600..1_000), p in 0.0f64..100.0,
        ) {
            let values: Vec<f64> = spread.iter().map(|s| value * (1.0 + s)).collect();
            let got = of(&values).percentile(p);
            let want = true_percentile(&values, p);
            prop_assert!((got - want).abs() <= want * 1.01e-4, "{got} for {want}");
        }

        /// A spread-out distribution is no worse than with the middle of each bucket.
        #[test]
        fn values_that_are_spread_evenly_are_half_a_bucket_off(low in 1e-3f64..1e3, p in 1.0f64..99.0) {
            let values: Vec<f64> = (0..20_000).map(|i| low * (1.0 + f64::from(i) / 2e4)).collect();
            let got = of(&values).percentile(p);
            let want = true_percentile(&values, p);
            prop_assert!((got - want).abs() <= want * 0.00137, "{got} for {want}");
        }

        #[test]
        fn merging_equals_recording_everything(
            values in prop::collection::vec(-1e3f64..1e6, 1..2_000), cuts in prop::collection::vec(0usize..2_000, 0..6),
        ) {
            let mut parts: Vec<Histogram> = vec![Histogram::default(); cuts.len() + 1];
            for (i, v) in values.iter().enumerate() {
                let part = cuts.iter().filter(|c| i >= **c).count();
                parts[part].record(*v);
            }
            let mut merged = Histogram::default();
            parts.iter().for_each(|p| merged.merge(p));
            let whole = of(&values);
            prop_assert_eq!(merged.count(), whole.count());
            prop_assert_eq!(merged.min(), whole.min());
            prop_assert_eq!(merged.max(), whole.max());
            let buckets = |h: &Histogram| h.to_buckets().positive_buckets().collect::<Vec<_>>();
            prop_assert_eq!(buckets(&merged), buckets(&whole));
            for p in [0.0, 1.0, 50.0, 99.9, 100.0] {
                prop_assert_eq!(merged.percentile(p), whole.percentile(p));
            }
        }

        #[test]
        fn a_cleared_histogram_is_a_new_one(values in prop::collection::vec(-1e3f64..1e6, 1..2_000)) {
            let mut used = of(&[0.5; 700]);
            used.clear();
            values.iter().for_each(|v| used.record(*v));
            let new = of(&values);
            prop_assert_eq!(used.percentile(90.0), new.percentile(90.0));
            prop_assert_eq!(used.min(), new.min());
        }

        #[test]
        fn values_are_all_values_in_order(values in prop::collection::vec(-1e3f64..1e6, 1..1_200)) {
            let h = of(&values);
            let listed = h.values();
            prop_assert!(listed.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            prop_assert_eq!(listed.iter().map(|(_, count)| count).sum::<u64>(), h.count());
            let sum: f64 = listed.iter().map(|(value, count)| value * *count as f64).sum();
            let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
            prop_assert!((sum - h.sum()).abs() <= magnitude * 1e-5 + 1e-9);
        }

        #[test]
        fn nothing_makes_it_panic(values in prop::collection::vec(any::<f64>(), 0..1_200), p in any::<f64>()) {
            let h = of(&values);
            let _ = h.percentile(p);
        }
    }
}
