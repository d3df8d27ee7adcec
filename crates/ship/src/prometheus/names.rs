//! Which series a metric becomes, with names, labels and units.
//!
//! Times are seconds. A counter gets `_total`, a rate `_rate`, a trend the name of each statistic or, as a native
//! histogram, its unit.

use netload_metrics::{Aggregate, Contains, Histogram, Metric, TagSet};

use super::Trends;
use super::message::{Point, Value};
use super::native::Native;
use crate::totals::Total;

const PREFIX: &str = "k6_";

/// A number that a trend is sent as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stat {
    Count,
    Sum,
    Min,
    Max,
    Avg,
    Med,
    Percentile(f64),
}

impl Stat {
    pub(super) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "count" => Self::Count,
            "sum" => Self::Sum,
            "min" => Self::Min,
            "max" => Self::Max,
            "avg" => Self::Avg,
            "med" => Self::Med,
            other => {
                let number = other.strip_prefix("p(")?.strip_suffix(')')?;
                let percent: f64 = number.parse().ok()?;
                (0.0..=100.0).contains(&percent).then_some(())?;
                Self::Percentile(percent)
            }
        })
    }

    /// `p99`, and `p999` for `p(99.9)` as in k6.
    fn suffix(self) -> String {
        match self {
            Self::Count => "count".to_owned(),
            Self::Sum => "sum".to_owned(),
            Self::Min => "min".to_owned(),
            Self::Max => "max".to_owned(),
            Self::Avg => "avg".to_owned(),
            Self::Med => "med".to_owned(),
            Self::Percentile(percent) => format!("p{}", percent.to_string().replace('.', "")),
        }
    }

    fn of(self, h: &Histogram, scale: f64) -> f64 {
        match self {
            // k6 divides the count of times by 1000 too; a count has no unit.
            Self::Count => h.count() as f64,
            Self::Sum => h.sum() * scale,
            Self::Min => h.min() * scale,
            Self::Max => h.max() * scale,
            Self::Avg => h.mean() * scale,
            Self::Med => h.percentile(50.0) * scale,
            Self::Percentile(percent) => h.percentile(percent) * scale,
        }
    }
}

/// What values are multiplied by.
pub(super) fn scale(metric: &Metric) -> f64 {
    match metric.contains {
        Contains::Time => 1e-3,
        Contains::Default | Contains::Data => 1.0,
    }
}

/// `k6_` and the name.
pub(super) fn base(metric: &Metric) -> String {
    format!("{PREFIX}{}", metric.name)
}

/// The name with its unit, as Prometheus wants it.
pub(super) fn with_unit(metric: &Metric) -> String {
    let unit = match metric.contains {
        Contains::Time => "_seconds",
        Contains::Data => "_bytes",
        Contains::Default => "",
    };
    format!("{PREFIX}{}{unit}", metric.name)
}

/// A name that every receiver takes: letters, digits and underscores, no digit in front.
pub(super) fn label(key: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = key.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

/// The labels of a set of tags without the name, sorted; two tags that become the same label are one.
pub(super) fn labels(tags: &TagSet) -> Vec<(String, String)> {
    let filled = tags.iter().filter(|(k, v)| !k.is_empty() && !v.is_empty());
    let mut labels: Vec<(String, String)> = filled
        .map(|(key, value)| (label(key), value.to_owned()))
        .filter(|(key, _)| key != "__name__")
        .collect();
    labels.sort();
    labels.dedup_by(|a, b| a.0 == b.0);
    labels
}

/// Appends the points of a series.
pub(super) fn points(total: &Total, trends: &Trends, out: &mut Vec<Point>) {
    let labels = labels(&total.tags);
    let base = base(&total.metric);
    let scale = scale(&total.metric);
    let mut add = |name: String, value: Value, is_counter: bool| {
        let labels = labels.clone();
        out.push(Point::new(name, labels, value, is_counter));
    };
    match &total.data {
        Aggregate::Counter(c) => add(format!("{base}_total"), Value::Float(c.sum), true),
        Aggregate::Gauge(g) => add(base, Value::Float(g.last * scale), false),
        Aggregate::Rate(r) => {
            let share = r.share().unwrap_or_default();
            add(format!("{base}_rate"), Value::Float(share), false);
        }
        Aggregate::Trend(h) => match trends {
            Trends::Native => {
                let native = Native::of(h, scale);
                add(
                    with_unit(&total.metric),
                    Value::Native(Box::new(native)),
                    false,
                );
            }
            Trends::Stats(stats) => {
                for stat in stats {
                    let name = format!("{base}_{}", stat.suffix());
                    add(name, Value::Float(stat.of(h, scale)), false);
                }
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_named_as_in_k6() {
        let suffix = |text: &str| Stat::parse(text).map(Stat::suffix);
        assert_eq!(suffix("p(99)").as_deref(), Some("p99"));
        assert_eq!(suffix("p(99.9)").as_deref(), Some("p999"));
        assert_eq!(suffix("med").as_deref(), Some("med"));
        for wrong in ["p99", "p(101)", "p(x)", "mean", "p(NaN)"] {
            assert_eq!(suffix(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn labels_are_what_every_receiver_takes() {
        let tags = TagSet::new([
            ("run-tag", "x y"),
            ("0a", "b"),
            ("none", ""),
            ("run_tag", "z"),
        ]);
        let expected = [("_0a", "b"), ("run_tag", "x y")];
        let expected = expected.map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(labels(&tags), expected);
    }
}
