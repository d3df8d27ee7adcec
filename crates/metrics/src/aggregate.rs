//! What is left of a metric's samples: one small value per kind, which can be merged.

use crate::histogram::Histogram;
use crate::registry::Kind;

/// A sum and how many samples made it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counter {
    /// The sum of all values.
    pub sum: f64,
    /// How many values were added.
    pub samples: u64,
}

impl Counter {
    /// The sum per second of a run of `elapsed_s` seconds; 0 when no time has passed.
    pub fn per_second(self, elapsed_s: f64) -> f64 {
        if elapsed_s > 0.0 {
            self.sum / elapsed_s
        } else {
            0.0
        }
    }
}

/// The last, smallest and largest value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gauge {
    /// The latest value.
    pub last: f64,
    /// When it was set, in nanoseconds since 1970; decides which of two is the latest.
    pub set_unix_ns: u64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// How many values were set.
    pub samples: u64,
}

/// How many values were not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// Values that were not zero.
    pub passes: u64,
    /// All values.
    pub total: u64,
}

impl Rate {
    /// The share of values that were not zero; none without values.
    pub fn share(self) -> Option<f64> {
        (self.total > 0).then(|| self.passes as f64 / self.total as f64)
    }
}

/// The merged samples of one metric or series.
#[derive(Clone, Debug)]
pub enum Aggregate {
    /// Of a counter.
    Counter(Counter),
    /// Of a gauge.
    Gauge(Gauge),
    /// Of a rate.
    Rate(Rate),
    /// Of a trend.
    Trend(Box<Histogram>),
}

impl Aggregate {
    /// Without any sample.
    pub fn empty(kind: Kind) -> Self {
        match kind {
            Kind::Counter => Self::Counter(Counter::default()),
            Kind::Gauge => Self::Gauge(Gauge::default()),
            Kind::Rate => Self::Rate(Rate::default()),
            Kind::Trend => Self::Trend(Box::default()),
        }
    }

    /// Adds one sample.
    pub fn add(&mut self, value: f64, unix_ns: u64) {
        match self {
            Self::Counter(c) => {
                c.sum += value;
                c.samples += 1;
            }
            Self::Gauge(g) => g.merge(&Gauge {
                last: value,
                set_unix_ns: unix_ns,
                min: value,
                max: value,
                samples: 1,
            }),
            Self::Rate(r) => {
                r.passes += u64::from(value != 0.0);
                r.total += 1;
            }
            Self::Trend(h) => h.record(value),
        }
    }

    /// Adds several samples, made by `unix_ns`.
    pub fn add_all(&mut self, values: impl Iterator<Item = f64>, unix_ns: u64) {
        match self {
            Self::Trend(h) => values.for_each(|value| h.record(value)),
            other => values.for_each(|value| other.add(value, unix_ns)),
        }
    }

    /// Adds everything that another aggregate of the same kind has seen; other kinds are ignored.
    pub fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Counter(a), Self::Counter(b)) => {
                a.sum += b.sum;
                a.samples += b.samples;
            }
            (Self::Gauge(a), Self::Gauge(b)) => a.merge(b),
            (Self::Rate(a), Self::Rate(b)) => {
                a.passes += b.passes;
                a.total += b.total;
            }
            (Self::Trend(a), Self::Trend(b)) => a.merge(b),
            _ => debug_assert!(false, "aggregates of different kinds are never merged"),
        }
    }

    /// Forgets all samples but keeps the memory.
    pub fn clear(&mut self) {
        match self {
            Self::Counter(c) => *c = Counter::default(),
            Self::Gauge(g) => *g = Gauge::default(),
            Self::Rate(r) => *r = Rate::default(),
            Self::Trend(h) => h.clear(),
        }
    }

    /// How many samples were added.
    pub fn samples(&self) -> u64 {
        match self {
            Self::Counter(c) => c.samples,
            Self::Gauge(g) => g.samples,
            Self::Rate(r) => r.total,
            Self::Trend(h) => h.count(),
        }
    }
}

impl Gauge {
    fn merge(&mut self, other: &Self) {
        if other.samples == 0 {
            return;
        }
        if self.samples == 0 {
            *self = *other;
            return;
        }
        if other.set_unix_ns >= self.set_unix_ns {
            self.last = other.last;
            self.set_unix_ns = other.set_unix_ns;
        }
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.samples += other.samples;
    }
}
