//! What a series has seen in a stretch of time.

use netload_metrics::Aggregate;

use crate::dist::Dist;

/// What a series has seen in a stretch of time, by the kind of its metric.
#[derive(Clone, Debug, PartialEq)]
pub enum Point {
    /// Of a counter.
    Counter {
        /// The sum of all values.
        sum: f64,
        /// How many values were added.
        samples: u64,
    },
    /// Of a gauge.
    Gauge {
        /// The latest value.
        last: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// Of a rate.
    Rate {
        /// Values that were not zero.
        passes: u64,
        /// All values.
        total: u64,
    },
    /// Of a trend.
    Trend(Dist),
}

impl Point {
    /// The samples of an aggregate; trends at this scale.
    pub fn of(samples: &Aggregate, scale: i8) -> Self {
        match samples {
            Aggregate::Counter(c) => Self::Counter {
                sum: c.sum,
                samples: c.samples,
            },
            Aggregate::Gauge(g) => Self::Gauge {
                last: g.last,
                min: g.min,
                max: g.max,
            },
            Aggregate::Rate(r) => Self::Rate {
                passes: r.passes,
                total: r.total,
            },
            Aggregate::Trend(h) => Self::Trend(Dist::of(h, scale)),
        }
    }

    /// Adds what was seen right afterwards. A point of another kind changes nothing.
    pub fn merge(&mut self, next: &Self) {
        match (self, next) {
            (
                Self::Counter { sum, samples },
                Self::Counter {
                    sum: more,
                    samples: others,
                },
            ) => {
                *sum += more;
                *samples += others;
            }
            (
                Self::Gauge { last, min, max },
                Self::Gauge {
                    last: later,
                    min: low,
                    max: high,
                },
            ) => {
                *last = *later;
                *min = min.min(*low);
                *max = max.max(*high);
            }
            (
                Self::Rate { passes, total },
                Self::Rate {
                    passes: more,
                    total: others,
                },
            ) => {
                *passes += more;
                *total += others;
            }
            (Self::Trend(all), Self::Trend(more)) => all.merge(more),
            _ => {}
        }
    }

    /// The sum of a counter, 0 for other kinds.
    pub fn sum(&self) -> f64 {
        match self {
            Self::Counter { sum, .. } => *sum,
            _ => 0.0,
        }
    }

    /// The distribution of a trend.
    pub fn dist(&self) -> Option<&Dist> {
        match self {
            Self::Trend(dist) => Some(dist),
            _ => None,
        }
    }

    /// The share of values of a rate that were not zero.
    pub fn share(&self) -> Option<f64> {
        match self {
            Self::Rate { passes, total } if *total > 0 => Some(*passes as f64 / *total as f64),
            _ => None,
        }
    }

    /// How many samples it has; 1 for a gauge.
    pub fn samples(&self) -> u64 {
        match self {
            Self::Counter { samples, .. } => *samples,
            Self::Gauge { .. } => 1,
            Self::Rate { total, .. } => *total,
            Self::Trend(dist) => dist.count,
        }
    }
}
