//! What a threshold compares: the aggregations and operators, and their evaluation on an [`Aggregate`].
//!
//! The text forms (`p(95)<500`) are parsed in the plan crate; here is only arithmetic.

use crate::aggregate::Aggregate;
use crate::registry::Kind;

/// A number derived from everything a metric has seen so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregation {
    /// Sum of a counter.
    Count,
    /// Sum per second of a counter; share of non-zero values of a rate.
    Rate,
    /// Last value of a gauge.
    Value,
    /// Mean of a trend.
    Avg,
    /// Smallest value of a trend.
    Min,
    /// Largest value of a trend.
    Max,
    /// Median of a trend.
    Med,
    /// Percentile of a trend, 0 to 100.
    Percentile(f64),
}

impl Aggregation {
    /// Whether a metric of this kind has such a number.
    pub fn fits(self, kind: Kind) -> bool {
        match kind {
            Kind::Counter => matches!(self, Self::Count | Self::Rate),
            Kind::Gauge => matches!(self, Self::Value),
            Kind::Rate => matches!(self, Self::Rate),
            Kind::Trend => matches!(
                self,
                Self::Avg | Self::Min | Self::Max | Self::Med | Self::Percentile(_)
            ),
        }
    }

    /// The number itself, in the metric's unit. `elapsed_s` is the length of the run so far, in seconds.
    ///
    /// An empty counter, gauge or trend counts as 0; an empty rate has no value.
    pub fn of(self, data: &Aggregate, elapsed_s: f64) -> Option<f64> {
        match (self, data) {
            (Self::Count, Aggregate::Counter(c)) => Some(c.sum),
            (Self::Rate, Aggregate::Counter(c)) => Some(c.per_second(elapsed_s)),
            (Self::Value, Aggregate::Gauge(g)) => Some(g.last),
            (Self::Rate, Aggregate::Rate(r)) => r.share(),
            (Self::Avg, Aggregate::Trend(h)) => Some(h.mean()),
            (Self::Min, Aggregate::Trend(h)) => Some(h.min()),
            (Self::Max, Aggregate::Trend(h)) => Some(h.max()),
            (Self::Med, Aggregate::Trend(h)) => Some(h.percentile(50.0)),
            (Self::Percentile(p), Aggregate::Trend(h)) => Some(h.percentile(p)),
            _ => None,
        }
    }
}

/// How the number is compared with the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `==` and `===`
    Equal,
    /// `!=`
    NotEqual,
}

impl Operator {
    /// Whether `number OP limit` holds.
    pub fn holds(self, number: f64, limit: f64) -> bool {
        match self {
            Self::Greater => number > limit,
            Self::GreaterEqual => number >= limit,
            Self::Less => number < limit,
            Self::LessEqual => number <= limit,
            Self::Equal => number == limit,
            Self::NotEqual => number != limit,
        }
    }
}

/// Whether the condition holds; an aggregation without a value (an empty rate) passes.
pub fn passes(
    aggregation: Aggregation,
    operator: Operator,
    limit: f64,
    data: &Aggregate,
    elapsed_s: f64,
) -> bool {
    aggregation
        .of(data, elapsed_s)
        .is_none_or(|number| operator.holds(number, limit))
}
