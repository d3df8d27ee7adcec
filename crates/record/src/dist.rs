//! The distribution of a trend in a stretch of time: exponential buckets of a scale, with exact count, sum and ends.
//!
//! Bucket `i` of scale `s` holds the values in `(2^(i/2^s), 2^((i+1)/2^s)]`, the layout of OpenTelemetry and Prometheus;
//! negative values have buckets of their own by their absolute value. Merging adds whole numbers.

use netload_metrics::Histogram;

/// The values of a trend, in the metric's unit (milliseconds for times).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dist {
    /// Buckets in an octave, as a power of two: from 0 to 8.
    pub scale: i8,
    /// How many values there are.
    pub count: u64,
    /// How many of them are zero.
    pub zeros: u64,
    /// Their sum.
    pub sum: f64,
    /// The smallest; 0 without values.
    pub min: f64,
    /// The largest; 0 without values.
    pub max: f64,
    /// Positive values: ascending bucket numbers, and how many values in each.
    pub positive: Vec<(i32, u64)>,
    /// Negative values by their absolute value, the same.
    pub negative: Vec<(i32, u64)>,
}

impl Dist {
    /// The values of a histogram at a scale (0 to 8).
    pub fn of(values: &Histogram, scale: i8) -> Self {
        let scale = scale.clamp(0, Histogram::SCALE as i8);
        let shift = Histogram::SCALE as i8 - scale;
        let in_buckets;
        let values = match values.count() <= Histogram::EXACT as u64 {
            true => {
                in_buckets = values.to_buckets();
                &in_buckets
            }
            false => values,
        };
        Self {
            scale,
            count: values.count(),
            zeros: values.zeros(),
            sum: values.sum(),
            min: values.min(),
            max: values.max(),
            positive: coarser(values.positive_buckets(), shift),
            negative: coarser(values.negative_buckets(), shift),
        }
    }

    /// Adds all values of another one; the coarser of both scales stays.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = other.clone();
            return;
        }
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count += other.count;
        self.zeros += other.zeros;
        self.sum += other.sum;
        if other.scale < self.scale {
            *self = self.at_scale(other.scale);
        }
        let shift = other.scale - self.scale;
        if shift == 0 {
            add(&mut self.positive, &other.positive);
            add(&mut self.negative, &other.negative);
        } else {
            let coarse = |buckets: &[(i32, u64)]| coarser(buckets.iter().copied(), shift);
            add(&mut self.positive, &coarse(&other.positive));
            add(&mut self.negative, &coarse(&other.negative));
        }
    }

    /// The same values in buckets as wide as those of a coarser scale; a finer one changes nothing.
    #[must_use]
    pub fn at_scale(&self, scale: i8) -> Self {
        let shift = (self.scale - scale).max(0);
        Self {
            scale: self.scale - shift,
            positive: coarser(self.positive.iter().copied(), shift),
            negative: coarser(self.negative.iter().copied(), shift),
            ..*self
        }
    }

    /// The mean; 0 without values.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The quantile `q` (0 to 1) by the law of [`Histogram::percentile`]: the value at position `q * (n-1)`. Values are
    /// taken to be spread evenly over their bucket, so it is at most a bucket off: 0.27 % at scale 8, 2.2 % at scale 5.
    /// 0 without values.
    pub fn quantile(&self, q: f64) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let q = if q.is_nan() { 0.0 } else { q.clamp(0.0, 1.0) };
        let position = q * (self.count - 1) as f64;
        if position <= 0.0 {
            return self.min;
        }
        if position >= (self.count - 1) as f64 {
            return self.max;
        }
        // A value of rank r stands in the middle of its share of the bucket.
        let place = position + 0.5;
        let mut below = 0.0;
        for &(index, count) in self.negative.iter().rev() {
            if place <= below + count as f64 {
                let within = 1.0 - (place - below) / count as f64;
                return (-self.inside(index, within)).clamp(self.min, self.max);
            }
            below += count as f64;
        }
        below += self.zeros as f64;
        if place <= below {
            return 0.0f64.clamp(self.min, self.max);
        }
        for &(index, count) in &self.positive {
            if place <= below + count as f64 {
                let within = (place - below) / count as f64;
                return self.inside(index, within).clamp(self.min, self.max);
            }
            below += count as f64;
        }
        self.max
    }

    /// The share of values above a limit, from 0 to 1; inside a bucket values are taken to be spread evenly.
    pub fn share_above(&self, limit: f64) -> f64 {
        if self.count == 0 || limit >= self.max {
            return 0.0;
        }
        if limit < self.min {
            return 1.0;
        }
        let part = |index: i32, limit: f64| {
            // How much of the bucket lies above the limit, by its logarithm.
            let place = limit.log2() * self.per_octave() - f64::from(index);
            1.0 - place.clamp(0.0, 1.0)
        };
        let all =
            |buckets: &[(i32, u64)]| buckets.iter().map(|(_, count)| *count).sum::<u64>() as f64;
        let above = if limit > 0.0 {
            let of = |&(index, count): &(i32, u64)| part(index, limit) * count as f64;
            self.positive.iter().map(of).sum::<f64>()
        } else if limit == 0.0 {
            all(&self.positive)
        } else {
            let of = |&(index, count): &(i32, u64)| (1.0 - part(index, -limit)) * count as f64;
            all(&self.positive) + self.zeros as f64 + self.negative.iter().map(of).sum::<f64>()
        };
        (above / self.count as f64).clamp(0.0, 1.0)
    }

    /// The ends of a positive bucket.
    pub fn bounds(&self, index: i32) -> (f64, f64) {
        (self.inside(index, 0.0), self.inside(index, 1.0))
    }

    /// A place in a bucket, from 0 at its lower end to 1 at its upper.
    fn inside(&self, index: i32, within: f64) -> f64 {
        ((f64::from(index) + within) / self.per_octave()).exp2()
    }

    fn per_octave(&self) -> f64 {
        f64::from(self.scale).exp2()
    }
}

/// Ascending buckets, each `2^shift` of them put together.
fn coarser(buckets: impl Iterator<Item = (i32, u64)>, shift: i8) -> Vec<(i32, u64)> {
    let mut found: Vec<(i32, u64)> = Vec::new();
    for (index, count) in buckets {
        let index = index >> shift;
        match found.last_mut() {
            Some(last) if last.0 == index => last.1 += count,
            _ => found.push((index, count)),
        }
    }
    found
}

/// Adds ascending buckets to ascending buckets.
fn add(mine: &mut Vec<(i32, u64)>, theirs: &[(i32, u64)]) {
    let mut known = mine.iter().map(|bucket| bucket.0).peekable();
    let is_fresh = |bucket: &&(i32, u64)| -> bool {
        while known.next_if(|index| *index < bucket.0).is_some() {}
        known.next_if(|index| *index == bucket.0).is_none()
    };
    let fresh = theirs.iter().filter(is_fresh).count();
    let (mut a, mut b) = (mine.len(), theirs.len());
    mine.resize(a + fresh, (0, 0));
    let mut end = mine.len();
    // From the back, so that nothing is overwritten before it was moved.
    while b > 0 {
        let other = theirs[b - 1];
        let next = match a.checked_sub(1).map(|at| mine[at]) {
            Some(own) if own.0 > other.0 => {
                a -= 1;
                own
            }
            Some(own) if own.0 == other.0 => {
                (a, b) = (a - 1, b - 1);
                (own.0, own.1 + other.1)
            }
            _ => {
                b -= 1;
                other
            }
        };
        end -= 1;
        mine[end] = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn histogram(values: &[f64]) -> Histogram {
        let mut all = Histogram::default();
        values.iter().for_each(|value| all.record(*value));
        all
    }

    #[test]
    fn an_empty_one_is_all_zero() {
        let none = Dist::default();
        assert_eq!(
            (none.quantile(0.5), none.mean(), none.share_above(0.0)),
            (0.0, 0.0, 0.0)
        );
    }

    #[test]
    fn one_value_is_itself() {
        let one = Dist::of(&histogram(&[12.5]), 5);
        assert_eq!(
            (one.quantile(0.0), one.quantile(0.99), one.mean()),
            (12.5, 12.5, 12.5)
        );
        assert_eq!((one.share_above(12.5), one.share_above(12.0)), (0.0, 1.0));
    }

    proptest! {
        #[test]
        fn quantiles_are_those_of_the_histogram(
            values in prop::collection::vec(1e-3f64..1e5, 1..2_000), q in 0.0f64..=1.0, fine in any::<bool>(),
        ) {
            let all = histogram(&values);
            let (scale, width) = if fine { (8, 0.0055) } else { (5, 0.045) };
            let got = Dist::of(&all, scale).quantile(q);
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let position = q * (sorted.len() - 1) as f64;
            // Between two values far apart the buckets cannot say where.
            let low = sorted[position as usize] * (1.0 - width);
            let high = sorted[(position as usize + 1).min(sorted.len() - 1)] * (1.0 + width);
            prop_assert!((low..=high).contains(&got), "{got} is not in {low}..{high}");
        }

        #[test]
        fn merging_is_recording_everything(
            values in prop::collection::vec(-1e3f64..1e5, 1..1_500), cut in 0usize..1_500, scales in (0i8..=8, 0i8..=8),
        ) {
            let cut = cut.min(values.len());
            let mut merged = Dist::of(&histogram(&values[..cut]), scales.0);
            merged.merge(&Dist::of(&histogram(&values[cut..]), scales.1));
            let empty_side = cut == 0 || cut == values.len();
            let scale = if empty_side { merged.scale } else { scales.0.min(scales.1) };
            let whole = Dist::of(&histogram(&values), scale);
            prop_assert_eq!(&merged.positive, &whole.positive);
            prop_assert_eq!(&merged.negative, &whole.negative);
            prop_assert_eq!((merged.count, merged.min, merged.max), (whole.count, whole.min, whole.max));
            prop_assert!((merged.sum - whole.sum).abs() <= 1e-9 * values.iter().map(|v| v.abs()).sum::<f64>());
        }

        #[test]
        fn the_share_above_a_quantile_is_the_rest(values in prop::collection::vec(-1e3f64..1e5, 600..900), q in 0.05f64..0.95) {
            let all = Dist::of(&histogram(&values), 8);
            let above = all.share_above(all.quantile(q));
            prop_assert!((above - (1.0 - q)).abs() < 0.01, "{above} above quantile {q}");
        }
    }
}
