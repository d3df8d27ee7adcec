//! How much one second differs from the next: the distribution of a trend in batches of windows, in bounded memory.
//!
//! Requests that follow each other are alike, so a thousand of them say less than a thousand independent ones. The
//! dispersion says how much less: the variance of the number of values above a limit, between batches, over what
//! independent values would have (Fishman's batch means, applied to exceedances). Invariant: never more than
//! [`Batches::LIMIT`] batches; when they are full, neighbours are merged, which changes no count.

use std::collections::BTreeMap;

use crate::histogram::Histogram;

/// A trend's batches.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    full: Vec<Batch>,
    /// The batch that is being filled.
    open: Counts,
    /// Windows in the open batch.
    windows: u32,
    /// Windows in a full batch, as a power of two.
    doublings: u32,
}

/// The percentiles whose dispersion is kept, 0 to 100.
const LEVELS: [f64; 7] = [50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99];

/// The dispersion at several percentiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    levels: [f64; LEVELS.len()],
    /// Whether there were batches enough to know anything.
    pub is_known: bool,
}

impl Default for Dispersion {
    /// That of independent values.
    fn default() -> Self {
        Self {
            levels: [1.0; LEVELS.len()],
            is_known: false,
        }
    }
}

impl Dispersion {
    /// How many values stand for one independent value at this percentile (0 to 100); at least 1.
    pub fn at(&self, percentile: f64) -> f64 {
        let level = LEVELS.iter().position(|level| percentile <= *level);
        self.levels[level.unwrap_or(LEVELS.len() - 1)]
    }
}

impl Batches {
    /// Batches kept at most.
    pub const LIMIT: usize = 32;
    /// Batches that are needed to say something about their scatter.
    const NEEDED: usize = 8;

    /// Adds values of the running window.
    pub fn absorb(&mut self, values: &Histogram) {
        self.open.add(values);
    }

    /// The window is over.
    pub fn close_window(&mut self) {
        if self.full.is_empty() && self.open.total == 0 {
            // Before the load.
            return;
        }
        self.windows += 1;
        if self.windows < 1 << self.doublings {
            return;
        }
        self.windows = 0;
        self.full.push(std::mem::take(&mut self.open).close());
        if self.full.len() == Self::LIMIT {
            self.full = merged(&self.full, 2);
            self.doublings += 1;
        }
    }

    /// The dispersion of the trend with these values in all.
    pub fn dispersion(&self, all: &Histogram) -> Dispersion {
        let mut dispersion = Dispersion {
            is_known: self.full.len() >= Self::NEEDED,
            ..Dispersion::default()
        };
        // Slow waves show only between longer batches.
        let mut batches = self.full.clone();
        while batches.len() >= Self::NEEDED {
            for (level, found) in LEVELS.iter().zip(&mut dispersion.levels) {
                *found = found.max(scatter(&batches, all.percentile(*level)));
            }
            batches = merged(&batches, 2);
        }
        dispersion
    }
}

/// Coarse buckets are wider than a histogram's by this power of two.
const COARSER: u32 = 4;

/// How many values lie where, at a sixteenth of the resolution: enough to compare one second with another.
#[derive(Clone, Debug, Default)]
struct Counts {
    total: u64,
    positive: BTreeMap<i32, u64>,
}

impl Counts {
    fn add(&mut self, values: &Histogram) {
        self.total += values.count();
        values.each_bucket(|index, count| {
            *self.positive.entry(index >> COARSER).or_default() += count;
        });
    }

    fn close(self) -> Batch {
        Batch {
            total: self.total,
            positive: self.positive.into_iter().map(small).collect(),
        }
    }
}

/// A batch that is full: as small as can be, because each trend has dozens.
#[derive(Clone, Debug)]
struct Batch {
    /// All values, zeros and negative ones included.
    total: u64,
    /// Ascending. A bucket counts to four billion: more in a thirty-second of a run says no more about its scatter.
    positive: Box<[(i32, u32)]>,
}

fn small((index, count): (i32, u64)) -> (i32, u32) {
    (index, u32::try_from(count).unwrap_or(u32::MAX))
}

impl Batch {
    /// The values in buckets above the one of `limit`.
    fn above(&self, limit: f64) -> u64 {
        let from = if limit > 0.0 {
            (Histogram::bucket_of(limit) >> COARSER) + 1
        } else {
            i32::MIN
        };
        let first = self.positive.partition_point(|(index, _)| *index < from);
        let counts = self.positive[first..].iter();
        counts.map(|(_, count)| u64::from(*count)).sum()
    }
}

/// Neighbours put together; a rest that makes no full group is left out.
fn merged(batches: &[Batch], together: usize) -> Vec<Batch> {
    let groups = batches.chunks_exact(together);
    groups
        .map(|group| {
            let mut sum = Counts::default();
            for batch in group {
                sum.total += batch.total;
                for (index, count) in &*batch.positive {
                    *sum.positive.entry(*index).or_default() += u64::from(*count);
                }
            }
            sum.close()
        })
        .collect()
}

/// Variance of the values above a limit, between batches, over that of independent values; 1 where nothing varies.
fn scatter(batches: &[Batch], limit: f64) -> f64 {
    let seen: Vec<(f64, f64)> = batches
        .iter()
        .map(|batch| (batch.total as f64, batch.above(limit) as f64))
        .filter(|(total, _)| *total > 0.0)
        .collect();
    let (total, above) = seen
        .iter()
        .fold((0.0, 0.0), |sum, batch| (sum.0 + batch.0, sum.1 + batch.1));
    let share = above / total.max(1.0);
    let independent = share * (1.0 - share);
    if seen.len() < 2 || independent <= 0.0 {
        return 1.0;
    }
    let squares = seen
        .iter()
        .map(|(n, above)| (above - n * share).powi(2) / (n * independent));
    squares.sum::<f64>() / (seen.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cheap stream of numbers from 0 to 1.
    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn fill(windows: usize, mut value: impl FnMut(usize) -> f64) -> (Batches, Histogram) {
        let (mut batches, mut all) = (Batches::default(), Histogram::default());
        for window in 0..windows {
            let mut values = Histogram::default();
            (0..1_000).for_each(|_| values.record(value(window)));
            batches.absorb(&values);
            batches.close_window();
            all.merge(&values);
        }
        (batches, all)
    }

    #[test]
    fn independent_values_scatter_as_they_should() {
        let mut random = noise(1);
        let (batches, all) = fill(60, |_| 1.0 + 10.0 * random());
        let dispersion = batches.dispersion(&all);
        assert!(dispersion.is_known);
        for level in [50.0, 99.0] {
            assert!(dispersion.at(level) < 3.0, "{dispersion:?}");
        }
    }

    #[test]
    fn seconds_that_differ_are_worth_less() {
        let mut random = noise(2);
        // Every fourth second is slow as a whole.
        let (batches, all) = fill(60, |w| if w % 4 == 0 { 20.0 } else { 1.0 } + random());
        assert!(batches.dispersion(&all).at(75.0) > 100.0);
    }

    #[test]
    fn few_windows_say_nothing() {
        let (batches, all) = fill(Batches::NEEDED - 1, |w| 1.0 + w as f64);
        assert_eq!(batches.dispersion(&all), Dispersion::default());
    }

    #[test]
    fn memory_is_bounded_and_nothing_is_lost() {
        let (batches, all) = fill(1_000, |w| 1.0 + w as f64);
        assert!(batches.full.len() < Batches::LIMIT);
        let kept: u64 = batches.full.iter().map(|batch| batch.total).sum();
        assert_eq!(kept + batches.open.total, all.count());
    }
}
