//! Thresholds as text: which metric, which of its samples, and what must hold.
//!
//! Owns the grammar (`http_req_duration{name:home}`, `p(95)<500`) and the check of an aggregation
//! against the kind of its metric. Leaves out their evaluation (the metrics crate does that) and
//! whether the metric exists, which only the script knows.

use netload_metrics::Kind;
use netload_metrics::threshold::{Aggregation, Operator};

use crate::duration::Nanos;

/// Why a threshold cannot be understood. `at` counts characters from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// No operator in the expression.
    #[error("`{0}` compares nothing")]
    NoOperator(String),
    /// Not an aggregation on the left.
    #[error("`{name}` is no aggregation (at character {at} of `{source_text}`)")]
    UnknownAggregation {
        /// What stands there.
        name: String,
        /// Where it begins.
        at: usize,
        /// The whole expression.
        source_text: String,
    },
    /// A percentile that is no number from 0 to 100.
    #[error("`{number}` is no percentile from 0 to 100 (at character {at} of `{source_text}`)")]
    BadPercentile {
        /// What stands in the brackets.
        number: String,
        /// Where it begins.
        at: usize,
        /// The whole expression.
        source_text: String,
    },
    /// Not a number on the right.
    #[error("`{number}` is no number (at character {at} of `{source_text}`)")]
    BadLimit {
        /// What stands there.
        number: String,
        /// Where it begins.
        at: usize,
        /// The whole expression.
        source_text: String,
    },
    /// Braces that do not match, or something behind them.
    #[error("the braces of `{0}` do not match")]
    BadBraces(String),
    /// A tag without value, or nothing between commas.
    #[error("`{tag}` is no tag (at character {at} of `{source_text}`)")]
    BadTag {
        /// What stands there.
        tag: String,
        /// Where it begins.
        at: usize,
        /// The whole name.
        source_text: String,
    },
    /// An aggregation that metrics of this kind do not have.
    #[error("`{source_text}` does not fit `{metric}`, which is a {}", kind.name())]
    WrongKind {
        /// The expression.
        source_text: String,
        /// The metric it is applied to.
        metric: String,
        /// The kind of the metric.
        kind: Kind,
    },
}

impl ThresholdError {
    /// What to write instead.
    pub fn hint(&self) -> String {
        match self {
            Self::NoOperator(_) => {
                "write it like p(95)<500; operators are <, <=, >, >=, ==, !=".to_owned()
            }
            Self::UnknownAggregation { .. } => {
                "aggregations are count, rate, value, avg, min, max, med and p(N)".to_owned()
            }
            Self::BadPercentile { .. } => "write it like p(95) or p(99.9)".to_owned(),
            Self::BadLimit { .. } => {
                "the right side is a plain number; times are in milliseconds".to_owned()
            }
            Self::BadBraces(_) | Self::BadTag { .. } => {
                "write it like http_req_duration{name:home,status:200}; an empty value is \"\""
                    .to_owned()
            }
            Self::WrongKind { kind, .. } => format!("it supports {}", supported(*kind)),
        }
    }
}

/// One condition on a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The expression as typed.
    pub source: String,
    /// The number that is compared.
    pub aggregation: Aggregation,
    /// How.
    pub operator: Operator,
    /// With what, in the metric's unit (milliseconds for times).
    pub limit: f64,
    /// Whether the test stops when it does not hold.
    pub abort_on_fail: bool,
    /// Aborts are put off until the test has run for so long, in nanoseconds.
    pub delay_abort_eval_ns: Nanos,
}

/// All conditions on one metric or sub-metric.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdSet {
    /// Metric and tags as typed: the name of the sub-metric in results.
    pub source: String,
    /// Name of the metric.
    pub metric_name: String,
    /// Tags that samples must have; empty for the whole metric.
    pub tags: Vec<(String, String)>,
    /// The conditions, in the order typed.
    pub expressions: Vec<Threshold>,
}

impl ThresholdSet {
    /// Checks that a metric of this kind has every number that is compared.
    pub fn check_kind(&self, kind: Kind) -> Result<(), ThresholdError> {
        match self.expressions.iter().find(|e| !e.aggregation.fits(kind)) {
            None => Ok(()),
            Some(threshold) => Err(ThresholdError::WrongKind {
                source_text: threshold.source.clone(),
                metric: self.source.clone(),
                kind,
            }),
        }
    }
}

/// The aggregations of a kind of metric, for messages.
pub fn supported(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "count and rate",
        Kind::Gauge => "value",
        Kind::Rate => "rate",
        Kind::Trend => "avg, min, max, med and p(N)",
    }
}

/// Parses an expression such as `p(95) < 500`.
pub fn parse_expression(source: &str) -> Result<(Aggregation, Operator, f64), ThresholdError> {
    /// Longer operators first, so that `<=` is not read as `<`.
    const OPERATORS: [(&str, Operator); 7] = [
        ("===", Operator::Equal),
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        (">=", Operator::GreaterEqual),
        ("<=", Operator::LessEqual),
        (">", Operator::Greater),
        ("<", Operator::Less),
    ];
    let no_operator = || ThresholdError::NoOperator(source.to_owned());
    let start = source.find(['<', '>', '=', '!']).ok_or_else(no_operator)?;
    let (sign, operator) = OPERATORS
        .into_iter()
        .find(|(sign, _)| source[start..].starts_with(sign))
        .ok_or_else(no_operator)?;
    let right = &source[start + sign.len()..];
    let limit_text = right.trim();
    if limit_text.is_empty() {
        return Err(no_operator());
    }
    let aggregation = aggregation(&source[..start], source)?;
    let limit = limit_text
        .parse()
        .ok()
        .filter(|limit: &f64| limit.is_finite());
    let limit = limit.ok_or_else(|| ThresholdError::BadLimit {
        number: limit_text.to_owned(),
        at: at(source, limit_text),
        source_text: source.to_owned(),
    })?;
    Ok((aggregation, operator, limit))
}

/// Parses an aggregation on its own, such as `p(95)`, as in `summaryTrendStats`.
pub fn parse_aggregation(text: &str) -> Result<Aggregation, ThresholdError> {
    aggregation(text, text)
}

fn aggregation(left: &str, source: &str) -> Result<Aggregation, ThresholdError> {
    let name = left.trim();
    Ok(match name {
        "count" => Aggregation::Count,
        "rate" => Aggregation::Rate,
        "value" => Aggregation::Value,
        "avg" => Aggregation::Avg,
        "min" => Aggregation::Min,
        "max" => Aggregation::Max,
        "med" => Aggregation::Med,
        _ => {
            let inner = name.strip_prefix("p(").and_then(|n| n.strip_suffix(')'));
            let Some(number) = inner else {
                return Err(ThresholdError::UnknownAggregation {
                    name: name.to_owned(),
                    at: at(source, name),
                    source_text: source.to_owned(),
                });
            };
            let percentile = number.trim().parse().ok();
            let percentile = percentile.filter(|p| (0.0..=100.0).contains(p));
            Aggregation::Percentile(percentile.ok_or_else(|| ThresholdError::BadPercentile {
                number: number.to_owned(),
                at: at(source, number),
                source_text: source.to_owned(),
            })?)
        }
    })
}

/// A metric name and the tags that samples must have.
pub type MetricSelector = (String, Vec<(String, String)>);

/// Parses a metric name with optional tags, such as `http_reqs{name:home, status:200}`.
///
/// Blanks and quotes around keys and values are dropped. A value is everything behind the first
/// colon, so `group:::checkout` asks for the group `::checkout`.
pub fn parse_metric(source: &str) -> Result<MetricSelector, ThresholdError> {
    let bad_braces = || ThresholdError::BadBraces(source.to_owned());
    let Some((name, rest)) = source.split_once('{') else {
        return match source.contains('}') {
            true => Err(bad_braces()),
            false => Ok((source.to_owned(), Vec::new())),
        };
    };
    let inner = rest.strip_suffix('}').ok_or_else(bad_braces)?;
    let tags = inner
        .split(',')
        .map(|tag| {
            let bad_tag = || ThresholdError::BadTag {
                tag: tag.trim().to_owned(),
                at: at(source, tag),
                source_text: source.to_owned(),
            };
            let (key, value) = tag.split_once(':').ok_or_else(bad_tag)?;
            if value.is_empty() {
                return Err(bad_tag());
            }
            Ok((unquoted(key), unquoted(value)))
        })
        .collect::<Result<_, _>>()?;
    Ok((name.to_owned(), tags))
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = ['"', '\''].into_iter().find_map(|quote| {
        let inner = text.strip_prefix(quote)?;
        inner.strip_suffix(quote)
    });
    inner.unwrap_or(text).to_owned()
}

/// Character position of `part`, which must be a slice of `whole`.
fn at(whole: &str, part: &str) -> usize {
    let bytes = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    let before = whole.get(..bytes).unwrap_or(whole);
    before.chars().count()
}
