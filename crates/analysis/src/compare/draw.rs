//! Drawing windows again, in blocks: what a side could have been by chance.

use super::series::Series;

/// A side with fewer independent blocks says nothing about its scatter.
pub(crate) const BLOCKS_LEAST: f64 = 4.0;
/// Draws for each row.
pub(crate) const DRAWS: usize = 300;

/// Random numbers that are the same on every machine (SplitMix64, Steele and others 2014).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// The sum of all rows of all runs.
pub(crate) fn sum(runs: &[Series]) -> Vec<f64> {
    let mut sum = vec![0.0; runs.first().map_or(0, |run| run.width)];
    for run in runs {
        (0..run.len()).for_each(|at| add(&mut sum, run.row(at)));
    }
    sum
}

/// The sum of as many rows, drawn by chance: runs first when there are several, then blocks of neighbouring windows.
pub(crate) fn draw(runs: &[Series], block: usize, chance: &mut Chance, sum: &mut Vec<f64>) {
    sum.clear();
    sum.resize(runs.first().map_or(0, |run| run.width), 0.0);
    for _ in 0..runs.len() {
        let run = &runs[chance.below(runs.len())];
        let windows = run.len();
        if windows == 0 {
            continue;
        }
        let mut left = windows;
        while left > 0 {
            let start = chance.below(windows);
            let length = block.clamp(1, left);
            // The end is followed by the beginning, so that every window is drawn as often as any other.
            (0..length).for_each(|i| add(sum, run.row((start + i) % windows)));
            left -= length;
        }
    }
}

fn add(sum: &mut [f64], row: &[f64]) {
    for (all, more) in sum.iter_mut().zip(row) {
        *all += more;
    }
}

/// The best length of blocks for values that depend on their neighbours: the automatic choice of Politis and White
/// (2004, with the correction of 2009) for the circular block bootstrap. At least 1, and never so long that there would be
/// fewer than `BLOCKS_LEAST` of them.
pub(crate) fn block_length(values: &[f64]) -> usize {
    let n = values.len();
    if n < 6 {
        return 1;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let covariance = |lag: usize| {
        let pairs = values.iter().zip(&values[lag..]);
        pairs.map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>() / n as f64
    };
    let variance = covariance(0);
    if variance <= 0.0 {
        return 1;
    }
    let size = n as f64;
    let small = 2.0 * (size.log10() / size).sqrt();
    let needed = 5.max(size.log10().sqrt().ceil() as usize);
    let furthest = (size.sqrt().ceil() as usize + needed).min(n - 1);
    let is_small = |lag: usize| lag > furthest || (covariance(lag) / variance).abs() < small;
    let quiet = (1..=furthest).find(|lag| (*lag..*lag + needed).all(is_small));
    let reach = (2 * (quiet.unwrap_or(furthest) - 1)).clamp(1, n - 1);
    let window = |lag: usize| (2.0 * (1.0 - lag as f64 / reach as f64)).clamp(0.0, 1.0);
    let (mut slope, mut spectrum) = (0.0, variance);
    for lag in 1..=reach {
        let weighted = 2.0 * window(lag) * covariance(lag);
        slope += weighted * lag as f64;
        spectrum += weighted;
    }
    if spectrum <= 0.0 {
        return 1;
    }
    let best = (2.0 * slope * slope / (4.0 / 3.0 * spectrum * spectrum)).cbrt() * size.cbrt();
    let most = (3.0 * size.sqrt()).min(size / BLOCKS_LEAST).max(1.0);
    best.round().clamp(1.0, most.floor()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of which each remembers the one before by this share.
    fn walk(n: usize, memory: f64) -> Vec<f64> {
        let mut chance = Chance::new(7);
        let mut last = 0.0;
        let mut next = || {
            last = memory * last + chance.below(10_001) as f64 / 1e4 - 0.5;
            last
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn values_that_remember_need_longer_blocks() {
        let independent = block_length(&walk(200, 0.0));
        let dependent = block_length(&walk(200, 0.8));
        assert!(independent <= 4, "{independent}");
        assert!(dependent >= 8, "{dependent}");
        assert!(dependent <= 42, "{dependent}");
        let restless = block_length(&walk(23, 0.99));
        assert!(restless as f64 * BLOCKS_LEAST <= 23.0, "{restless}");
        assert_eq!(block_length(&[1.0; 50]), 1);
        assert_eq!(block_length(&[]), 1);
    }

    #[test]
    fn a_draw_has_as_many_windows_as_the_side() {
        let run = |n: usize| Series {
            width: 2,
            cells: (0..n).flat_map(|i| [1.0, i as f64]).collect(),
        };
        let runs = [run(20), run(20)];
        let mut sum = Vec::new();
        let mut chance = Chance::new(1);
        for block in [1, 3, 20, 100] {
            draw(&runs, block, &mut chance, &mut sum);
            assert_eq!(sum[0], 40.0);
        }
        assert_eq!(super::sum(&runs), [40.0, 380.0]);
    }
}
