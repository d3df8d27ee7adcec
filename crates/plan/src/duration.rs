//! Durations as text: Go's syntax, k6's additions to it, and back.
//!
//! Owns the two grammars (command line: Go with units only; scripts, JSON and environment: also
//! days and bare milliseconds) and Go's way of printing. Every duration is an unsigned number of
//! nanoseconds that fits Go's signed 64 bits; anything else is an error, never a wrapped value.

use serde_json::Value;

/// A duration in nanoseconds.
pub type Nanos = u64;

/// Longest duration accepted, in nanoseconds (about 292 years, Go's limit).
pub const LONGEST_NS: Nanos = i64::MAX as u64;

const SECOND_NS: u64 = 1_000_000_000;
const MINUTE_NS: u64 = 60 * SECOND_NS;
const HOUR_NS: u64 = 60 * MINUTE_NS;
const DAY_NS: u64 = 24 * HOUR_NS;

/// Why a text or JSON value is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DurationError {
    /// The text is empty or holds no number where one is needed.
    #[error("`{0}` is not a duration")]
    Malformed(String),
    /// A number without unit where one is required.
    #[error("the unit is missing in the duration `{0}`")]
    MissingUnit(String),
    /// A unit that does not exist.
    #[error("`{unit}` is not a unit of time (in `{text}`)")]
    UnknownUnit {
        /// The unit as typed.
        unit: String,
        /// The whole text.
        text: String,
    },
    /// A duration below zero.
    #[error("the duration `{0}` is negative")]
    Negative(String),
    /// A duration of more than 292 years.
    #[error("the duration `{0}` is too long")]
    TooLong(String),
    /// A JSON value that is neither number nor text.
    #[error("a duration is a number of milliseconds or a text such as \"30s\", not {0}")]
    WrongType(&'static str),
}

impl DurationError {
    /// What to write instead.
    pub fn hint(&self) -> &'static str {
        "write it like 30s, 1m30s or 250ms"
    }
}

/// Parses Go's duration syntax: numbers with unit (`1h2m3.5s`, `10ms`), or `0`.
pub fn parse_go(text: &str) -> Result<Nanos, DurationError> {
    let unsigned = unsigned(text)?;
    if unsigned == "0" {
        return Ok(0);
    }
    within_limit(text, u128_ns(text, unsigned)?)
}

/// Parses the syntax of scripts, JSON and environment: Go's, plus leading days (`2d12h`) and bare
/// numbers, which are milliseconds.
pub fn parse_k6(text: &str) -> Result<Nanos, DurationError> {
    let rest = unsigned(text)?;
    if let Ok(ms) = rest.parse::<f64>()
        && rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return from_ms(text, ms);
    }
    let Some((days, rest)) = rest.split_once('d') else {
        return parse_go(text);
    };
    let days: u128 = days
        .parse()
        .map_err(|_| DurationError::Malformed(text.to_owned()))?;
    let days_ns = days
        .checked_mul(u128::from(DAY_NS))
        .ok_or_else(|| DurationError::TooLong(text.to_owned()))?;
    let rest_ns = match rest {
        "" => 0,
        rest => u128_ns(text, rest)?,
    };
    within_limit(text, days_ns.saturating_add(rest_ns))
}

/// Reads a duration from JSON: a number of milliseconds or a text as in [`parse_k6`].
pub fn from_json(value: &Value) -> Result<Nanos, DurationError> {
    match value {
        Value::String(text) => parse_k6(text),
        Value::Number(number) => {
            let text = number.to_string();
            let ms = number.as_f64().unwrap_or(f64::NAN);
            if ms < 0.0 {
                return Err(DurationError::Negative(text));
            }
            from_ms(&text, ms)
        }
        other => Err(DurationError::WrongType(kind_of(other))),
    }
}

/// What a JSON value is, in words.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn unsigned(text: &str) -> Result<&str, DurationError> {
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            Err(DurationError::Negative(text.to_owned()))
        }
        Some(_) => Err(DurationError::Malformed(text.to_owned())),
        None => Ok(text.strip_prefix('+').unwrap_or(text)),
    }
}

fn from_ms(text: &str, ms: f64) -> Result<Nanos, DurationError> {
    if !ms.is_finite() {
        return Err(DurationError::Malformed(text.to_owned()));
    }
    let ns = ms * 1e6;
    if ns >= LONGEST_NS as f64 {
        return Err(DurationError::TooLong(text.to_owned()));
    }
    Ok(ns.round() as u64)
}

fn within_limit(text: &str, ns: u128) -> Result<Nanos, DurationError> {
    u64::try_from(ns)
        .ok()
        .filter(|ns| *ns <= LONGEST_NS)
        .ok_or_else(|| DurationError::TooLong(text.to_owned()))
}

/// Sum of `number unit` pairs; `text` is the whole input for messages, `rest` what is to be read.
fn u128_ns(text: &str, mut rest: &str) -> Result<u128, DurationError> {
    let malformed = || DurationError::Malformed(text.to_owned());
    let mut total: u128 = 0;
    if rest.is_empty() {
        return Err(malformed());
    }
    while !rest.is_empty() {
        let number_end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, tail) = rest.split_at(number_end);
        let unit_end = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_end);
        if number.is_empty() || number == "." {
            return Err(malformed());
        }
        if unit.is_empty() {
            return Err(DurationError::MissingUnit(text.to_owned()));
        }
        let unit_ns = unit_ns(unit).ok_or_else(|| DurationError::UnknownUnit {
            unit: unit.to_owned(),
            text: text.to_owned(),
        })?;
        let part = part_ns(number, unit_ns).ok_or_else(malformed)?;
        total = total.saturating_add(part);
        rest = tail;
    }
    Ok(total)
}

fn unit_ns(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => SECOND_NS,
        "m" => MINUTE_NS,
        "h" => HOUR_NS,
        _ => return None,
    })
}

/// `number` units in nanoseconds, truncated; `None` when it is no decimal number.
fn part_ns(number: &str, unit_ns: u64) -> Option<u128> {
    /// Digits behind the point that can matter: an hour has fewer than 10^13 nanoseconds.
    const FRACTION_DIGITS: usize = 15;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') {
        return None;
    }
    let whole: u128 = match whole {
        "" => 0,
        // More digits than fit are too long in any unit; saturating keeps that visible.
        digits => digits.parse().unwrap_or(u128::MAX),
    };
    let fraction = &fraction[..fraction.len().min(FRACTION_DIGITS)];
    let scale = 10u128.pow(fraction.len() as u32);
    let fraction: u128 = match fraction {
        "" => 0,
        digits => digits.parse().ok()?,
    };
    let unit = u128::from(unit_ns);
    Some(
        whole
            .saturating_mul(unit)
            .saturating_add(fraction * unit / scale),
    )
}

/// Prints a duration as Go does: `1m30s`, `500ms`, `1.5s`, `0s`.
pub fn format_go(ns: Nanos) -> String {
    match ns {
        0 => "0s".to_owned(),
        1..1_000 => format!("{ns}ns"),
        1_000..1_000_000 => format!("{}\u{b5}s", decimal(ns, 1_000)),
        1_000_000..SECOND_NS => format!("{}ms", decimal(ns, 1_000_000)),
        _ => {
            let (hours, minutes, rest) = (ns / HOUR_NS, ns / MINUTE_NS % 60, ns % MINUTE_NS);
            let seconds = decimal(rest, SECOND_NS);
            match (hours, minutes) {
                (0, 0) => format!("{seconds}s"),
                (0, minutes) => format!("{minutes}m{seconds}s"),
                (hours, minutes) => format!("{hours}h{minutes}m{seconds}s"),
            }
        }
    }
}

/// Prints a duration as [`format_go`] after rounding it to tenths of a second.
pub fn format_tenths(ns: Nanos) -> String {
    const TENTH_NS: u64 = SECOND_NS / 10;
    format_go(ns.saturating_add(TENTH_NS / 2) / TENTH_NS * TENTH_NS)
}

/// `ns / unit` as an exact decimal without trailing zeros; `unit` is a power of ten.
fn decimal(ns: u64, unit: u64) -> String {
    let (whole, fraction) = (ns / unit, ns % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    let digits = format!("{:0width$}", fraction, width = unit.ilog10() as usize);
    format!("{whole}.{}", digits.trim_end_matches('0'))
}
