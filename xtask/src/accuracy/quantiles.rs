//! The percentiles that are compared, and their errors.
//!
//! Times are nanoseconds as floating point: they come from many programs in many units. Invariant: a percentile that
//! nobody told is absent, never zero.

/// What is compared; the fourth nines need more requests than a short run has.
pub(super) const PERCENTILES: [f64; 5] = [50.0, 90.0, 96.0, 99.0, 99.9];
/// Those that tables and charts show.
pub(super) const SHOWN: [f64; 4] = [50.0, 90.0, 99.0, 99.9];

/// A time for each percentile, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Quantiles([Option<f64>; PERCENTILES.len()]);

/// How a percentile is taken from ordered times; tools differ, which matters where times are sparse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    /// The time of the nearest rank.
    Nearest,
    /// Position `p / 100 * (n - 1)`, linear between neighbours: k6's law and ours.
    Linear,
}

impl Law {
    /// The percentile of times in ascending order; `None` when there are none.
    fn of(self, percentile: f64, times: &[f64]) -> Option<f64> {
        match self {
            Law::Nearest => {
                // What floating point adds to a whole number must not make it the next one.
                let rank = (percentile / 100.0 * times.len() as f64 - 1e-6).ceil() as usize;
                times.get(rank.checked_sub(1)?).copied()
            }
            Law::Linear => {
                let position = percentile / 100.0 * times.len().checked_sub(1)? as f64;
                let low = *times.get(position as usize)?;
                let high = times.get(position as usize + 1).unwrap_or(&low);
                Some(low + (high - low) * position.fract())
            }
        }
    }
}

impl Quantiles {
    /// Asks `told` for each percentile.
    pub(super) fn from_fn(told: impl Fn(f64) -> Option<f64>) -> Quantiles {
        Quantiles(PERCENTILES.map(told))
    }

    /// Those of times in any order.
    pub(super) fn of(mut times: Vec<f64>, law: Law) -> Quantiles {
        times.sort_by(f64::total_cmp);
        Quantiles::from_fn(|percentile| law.of(percentile, &times))
    }

    /// The time at that percentile.
    pub(super) fn at(&self, percentile: f64) -> Option<f64> {
        let index = PERCENTILES.iter().position(|p| *p == percentile)?;
        self.0[index]
    }

    /// How far these are above `truth`, where both are known.
    pub(super) fn minus(&self, truth: &Quantiles) -> Quantiles {
        Quantiles::from_fn(|p| Some(self.at(p)? - truth.at(p)?))
    }
}

/// The error in the middle when they are ordered by size; it keeps its sign.
pub(super) fn median_error(mut errors: Vec<f64>) -> Option<f64> {
    errors.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    errors.get(errors.len() / 2).copied()
}

/// The middle of these numbers.
pub(super) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// A duration for people, with its sign if it is an error.
pub(super) fn shown(ns: f64) -> String {
    let (value, unit) = match ns.abs() {
        second if second >= 1e9 => (ns / 1e9, "s"),
        milli if milli >= 1e6 => (ns / 1e6, "ms"),
        _ => (ns / 1e3, "us"),
    };
    let digits = match value.abs() {
        large if large >= 100.0 => 0,
        middle if middle >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {unit}")
}

/// The same with a plus where it is too large.
pub(super) fn shown_error(ns: f64) -> String {
    let sign = if ns > 0.0 { "+" } else { "" };
    format!("{sign}{}", shown(ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_follow_their_law() {
        let times: Vec<f64> = (1..=1000).rev().map(f64::from).collect();
        let found = |law| PERCENTILES.map(|p| Quantiles::of(times.clone(), law).at(p));
        assert_eq!(
            found(Law::Nearest),
            [500.0, 900.0, 960.0, 990.0, 999.0].map(Some)
        );
        let linear = found(Law::Linear).map(|time| (time.unwrap() * 1e3).round() / 1e3);
        assert_eq!(linear, [500.5, 900.1, 960.04, 990.01, 999.001]);
        for law in [Law::Nearest, Law::Linear] {
            assert_eq!(Quantiles::of(Vec::new(), law), Quantiles::default());
            assert_eq!(Quantiles::of(vec![7.0], law).at(99.9), Some(7.0));
        }
    }

    #[test]
    fn the_median_error_keeps_its_sign() {
        assert_eq!(median_error(vec![-3.0, 1.0, 100.0]), Some(-3.0));
        assert_eq!(median_error(vec![]), None);
    }

    #[test]
    fn times_are_shown_with_three_digits() {
        assert_eq!(shown(1_234_567.0), "1.23 ms");
        assert_eq!(shown_error(12_345.0), "+12.3 us");
        assert_eq!(shown_error(-123_456.0), "-123 us");
    }
}
