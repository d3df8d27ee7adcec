//! The numbers that a trend is shown by (`summaryTrendStats`).
//!
//! A statistic keeps the name the user wrote, because that name is the key in data and text.

use netload_metrics::Histogram;
pub use netload_metrics::interval::samples_needed;

use crate::OutputError;

/// One statistic of a trend with the name it goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendStat {
    name: String,
    kind: StatKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum StatKind {
    Avg,
    Min,
    Med,
    Max,
    Count,
    Percentile(f64),
}

impl TrendStat {
    /// The statistics that are shown unless the user chooses others.
    pub const DEFAULT: [&str; 6] = ["avg", "min", "med", "max", "p(90)", "p(95)"];

    /// `avg`, `min`, `med`, `max`, `count` or `p(N)` with N from 0 to 100.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(name: &str) -> Result<Self, OutputError> {
        let unknown = || OutputError::UnknownStat(name.to_owned());
        let kind = match name {
            "avg" => StatKind::Avg,
            "min" => StatKind::Min,
            "med" => StatKind::Med,
            "max" => StatKind::Max,
            "count" => StatKind::Count,
            _ => {
                let inner = name.strip_prefix("p(").and_then(|n| n.strip_suffix(')'));
                let percent: f64 = inner.ok_or_else(unknown)?.parse().map_err(|_| unknown())?;
                if !(0.0..=100.0).contains(&percent) {
                    return Err(unknown());
                }
                StatKind::Percentile(percent)
            }
        };
        Ok(Self {
            name: name.to_owned(),
            kind,
        })
    }

    /// All of a list.
    ///
    /// # Errors
    /// The first text that is no statistic.
    pub fn parse_all<S: AsRef<str>>(names: &[S]) -> Result<Vec<Self>, OutputError> {
        names.iter().map(|n| Self::parse(n.as_ref())).collect()
    }

    /// The default statistics.
    pub fn defaults() -> Vec<Self> {
        let of = |(name, kind): (&str, StatKind)| Self {
            name: name.to_owned(),
            kind,
        };
        let kinds = [
            StatKind::Avg,
            StatKind::Min,
            StatKind::Med,
            StatKind::Max,
            StatKind::Percentile(90.0),
            StatKind::Percentile(95.0),
        ];
        Self::DEFAULT.into_iter().zip(kinds).map(of).collect()
    }

    /// The name as written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it counts samples and has no unit.
    pub fn is_count(&self) -> bool {
        self.kind == StatKind::Count
    }

    /// The percentile, 0 to 100, if it is one.
    pub fn percentile(&self) -> Option<f64> {
        match self.kind {
            StatKind::Percentile(percent) => Some(percent),
            _ => None,
        }
    }

    /// The number, in the unit of the trend.
    pub fn of(&self, trend: &Histogram) -> f64 {
        match self.kind {
            StatKind::Avg => trend.mean(),
            StatKind::Min => trend.min(),
            StatKind::Med => trend.percentile(50.0),
            StatKind::Max => trend.max(),
            StatKind::Count => trend.count() as f64,
            StatKind::Percentile(percent) => trend.percentile(percent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_as_written() {
        let stats = TrendStat::parse_all(&["count", "p(99.90)", "med"]).unwrap();
        assert_eq!(stats[1].name(), "p(99.90)");
        assert_eq!(stats[1].percentile(), Some(99.9));
        for bad in [
            "", "p(101)", "p(-1)", "p(x)", "p95", "AVG", "p(NaN)", "p(95",
        ] {
            assert!(TrendStat::parse(bad).is_err(), "{bad}");
        }
        let names: Vec<_> = TrendStat::defaults()
            .iter()
            .map(|s| s.name().to_owned())
            .collect();
        assert_eq!(
            TrendStat::parse_all(&names).unwrap(),
            TrendStat::defaults(),
            "the table and the parser agree"
        );
    }

    #[test]
    fn rare_percentiles_need_many_samples() {
        assert_eq!(samples_needed(50.0), 5);
        assert_eq!(samples_needed(99.0), 299);
        assert_eq!(samples_needed(99.9), 2_995);
        assert_eq!(samples_needed(0.0), 1);
        assert_eq!(samples_needed(100.0), u64::MAX);
    }
}
