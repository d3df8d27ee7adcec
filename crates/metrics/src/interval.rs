//! Percentiles with their error: what the sample can say, and what the instrument can.
//!
//! Owns the arithmetic. The sampling part is the distribution-free interval between two order statistics, whose ranks
//! come from the binomial distribution of the effective sample size. The instrument part widens it by what is known of
//! stamps and clocks, and by half a bucket. Invariant: the interval contains the percentile itself.

use crate::batches::Dispersion;
use crate::histogram::Histogram;

/// How sure an interval is.
pub const CONFIDENCE: f64 = 0.95;

/// Half of what is left to doubt: the mass beyond either end.
const TAIL: f64 = (1.0 - CONFIDENCE) / 2.0;

/// Up to this mean the binomial distribution is summed up; beyond it the normal one is as good.
const EXACT_MEAN: f64 = 150.0;

/// Half the width of a bucket, relative to its middle.
const HALF_BUCKET: f64 = 0.001_355;

/// How far the instrument can be wrong, in the unit of the trend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InstrumentError {
    /// The truth may be smaller by so much.
    pub below: f64,
    /// The truth may be larger by so much.
    pub above: f64,
    /// The share of values that are too large by an unknown amount (no stamp: our own delay is in them).
    pub inflated: f64,
    /// The share of values that may be wrong in either direction (the clock jumped).
    pub astray: f64,
}

/// Where a percentile lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Not below this.
    pub low: f64,
    /// Not above this; none when the sample cannot say.
    pub high: Option<f64>,
}

/// The interval of a percentile (0 to 100); none without values.
pub fn interval(
    trend: &Histogram,
    percentile: f64,
    dispersion: &Dispersion,
    instrument: &InstrumentError,
) -> Option<Interval> {
    if trend.count() == 0 {
        return None;
    }
    let effective = effective_count(trend.count(), dispersion.at(percentile));
    let (low, high) = shares(effective, percentile / 100.0);
    let bucket = if trend.count() > Histogram::EXACT as u64 {
        HALF_BUCKET
    } else {
        0.0
    };
    let at = |share: f64| trend.percentile(share * 100.0);
    let value = trend.percentile(percentile);
    let low = at((low - instrument.inflated - instrument.astray).max(0.0));
    let high = high.map(|high| high + instrument.astray);
    let high = high.filter(|high| *high <= 1.0).map(at);
    Some(Interval {
        low: (low * (1.0 - bucket) - instrument.below)
            .min(value)
            .max(0.0),
        high: high.map(|high| (high * (1.0 + bucket) + instrument.above).max(value)),
    })
}

/// How many independent values are as good as `count` values of this dispersion; at least 1.
pub fn effective_count(count: u64, dispersion: f64) -> u64 {
    (count as f64 / dispersion.max(1.0)).max(1.0) as u64
}

/// How many samples a percentile needs before it means anything: enough that, with 95 % certainty, one of them lies
/// beyond it.
pub fn samples_needed(percentile: f64) -> u64 {
    let below = (percentile / 100.0).clamp(0.0, 1.0);
    if below >= 1.0 {
        // Nothing lies beyond the largest possible value.
        return u64::MAX;
    }
    if below <= 0.0 {
        return 1;
    }
    (0.05_f64.ln() / below.ln()).ceil() as u64
}

/// The shares of a sorted sample of `n` independent values between which the quantile `p` (0 to 1) lies with
/// [`CONFIDENCE`]: 0 is the smallest value, 1 the largest. The upper one is missing when the sample is too small for it.
pub fn shares(n: u64, p: f64) -> (f64, Option<f64>) {
    let (low, high) = ranks(n, p);
    let last = n.saturating_sub(1).max(1) as f64;
    let share = |rank: u64| (rank.saturating_sub(1) as f64 / last).min(1.0);
    (share(low), (high <= n).then(|| share(high)))
}

/// Ranks (from 1) of the order statistics around the quantile; 0 and `n + 1` mean that there is none.
fn ranks(n: u64, p: f64) -> (u64, u64) {
    let p = p.clamp(0.0, 1.0);
    let mean = n as f64 * p;
    let rest = n as f64 * (1.0 - p);
    if mean.min(rest) > EXACT_MEAN {
        const Z: f64 = 1.959_963_985;
        let half = Z * (mean * (1.0 - p)).sqrt();
        let low = (mean - half).floor().max(0.0) as u64;
        let high = (mean + half).ceil() as u64 + 1;
        return (low, high.min(n + 1));
    }
    if p <= 0.5 {
        let (below, reached) = tails(n, p);
        (below, reached + 1)
    } else {
        // The values above the quantile are few: count those.
        let (below, reached) = tails(n, 1.0 - p);
        (n.saturating_sub(reached), n + 1 - below)
    }
}

/// Of a binomial variable with few successes: how many counts from 0 on lie below the lower tail, and the first count
/// at which all but the upper tail is reached.
fn tails(n: u64, p: f64) -> (u64, u64) {
    if p <= 0.0 {
        return (0, 0);
    }
    let odds = p / (1.0 - p);
    let mut term = (n as f64 * (-p).ln_1p()).exp();
    let (mut sum, mut below, mut count) = (term, 0, 0);
    while sum < 1.0 - TAIL && count < n {
        if sum <= TAIL {
            below = count + 1;
        }
        term *= (n - count) as f64 / (count + 1) as f64 * odds;
        count += 1;
        sum += term;
    }
    (below, count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::batches::Batches;

    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state >> 11) + 1) as f64 / (1u64 << 53) as f64
        }
    }

    #[test]
    fn ranks_are_those_of_the_tables() {
        // Two-sided 95 % for the median of 100 values: order statistics 40 and 61.
        assert_eq!(ranks(100, 0.5), (40, 61));
        // The smallest samples for which a two-sided bound exists.
        for (p, n) in [(0.95, 72), (0.99, 368), (0.999, 3_688)] {
            assert!(shares(n, p).1.is_some_and(|high| high <= 1.0), "{p}");
            assert!(shares(n - 1, p).1.is_none(), "{p}");
        }
    }

    #[test]
    fn nothing_is_known_of_nothing() {
        let empty = Histogram::default();
        let no_error = InstrumentError::default();
        assert_eq!(
            interval(&empty, 99.0, &Dispersion::default(), &no_error),
            None
        );
        assert!(shares(0, 0.5).1.is_none());
        assert!(shares(1, 0.999).1.is_none());
    }

    /// How often the true quantile lies inside, over many samples of an exponential distribution.
    fn coverage(n: usize, percentile: f64, seed: u64) -> f64 {
        let mut random = noise(seed);
        let truth = -(1.0 - percentile / 100.0).ln();
        let rounds = 400;
        let inside = (0..rounds).filter(|_| {
            let mut trend = Histogram::default();
            (0..n).for_each(|_| trend.record(-random().ln()));
            let no_error = InstrumentError::default();
            let found = interval(&trend, percentile, &Dispersion::default(), &no_error);
            found.is_some_and(|i| i.low <= truth && i.high.is_none_or(|high| truth <= high))
        });
        inside.count() as f64 / f64::from(rounds)
    }

    #[test]
    fn independent_values_are_covered() {
        for (n, percentile) in [(40, 50.0), (400, 90.0), (700, 99.0), (4_000, 99.0)] {
            let covered = coverage(n, percentile, 7 + n as u64);
            assert!(covered >= 0.925, "{covered} of p{percentile} with {n}");
        }
    }

    #[test]
    fn values_that_come_in_waves_are_covered_too() {
        let mut random = noise(11);
        let rounds = 150;
        let (mut plain, mut corrected) = (0, 0);
        for _ in 0..rounds {
            let (mut batches, mut all) = (Batches::default(), Histogram::default());
            for _ in 0..30 {
                // A level for each second: the median of all levels is the truth.
                let level = (2.0 * random() - 1.0).exp();
                let mut window = Histogram::default();
                (0..100).for_each(|_| window.record(level * (0.9 + 0.2 * random())));
                batches.absorb(&window);
                batches.close_window();
                all.merge(&window);
            }
            let holds = |d: &Dispersion| {
                let found = interval(&all, 50.0, d, &InstrumentError::default());
                found.is_some_and(|i| i.low <= 1.0 && i.high.is_none_or(|high| 1.0 <= high))
            };
            plain += u32::from(holds(&Dispersion::default()));
            corrected += u32::from(holds(&batches.dispersion(&all)));
        }
        assert!(corrected * 100 >= rounds * 90, "{corrected} of {rounds}");
        assert!(plain * 100 < rounds * 50, "the waves matter: {plain}");
    }

    #[test]
    fn missing_stamps_only_lower_the_lower_end() {
        let mut trend = Histogram::default();
        (1..=1_000).for_each(|i| trend.record(f64::from(i)));
        let independent = Dispersion::default();
        let exact = interval(&trend, 90.0, &independent, &InstrumentError::default()).unwrap();
        let blind = InstrumentError {
            inflated: 0.2,
            ..InstrumentError::default()
        };
        let blind = interval(&trend, 90.0, &independent, &blind).unwrap();
        assert!(blind.low < exact.low - 150.0);
        assert_eq!(blind.high, exact.high);
    }

    proptest! {
        #[test]
        fn the_percentile_is_inside(
            values in prop::collection::vec(0.0f64..1e4, 1..2_000), percentile in 0.0f64..100.0,
            below in 0.0f64..1.0, above in 0.0f64..1.0, inflated in 0.0f64..1.0, astray in 0.0f64..1.0,
        ) {
            let mut trend = Histogram::default();
            values.iter().for_each(|v| trend.record(*v));
            let error = InstrumentError { below, above, inflated, astray };
            let found = interval(&trend, percentile, &Dispersion::default(), &error).unwrap();
            let value = trend.percentile(percentile);
            prop_assert!(found.low <= value && found.high.is_none_or(|high| value <= high));
            prop_assert!(found.low >= 0.0);
        }

        #[test]
        fn more_values_narrow_it(n in 100u64..100_000, p in 0.01f64..0.99) {
            let width = |n| { let (low, high) = shares(n, p); high.unwrap_or(1.0) - low };
            prop_assert!(width(n * 16) <= width(n) + 1e-9);
        }
    }
}
