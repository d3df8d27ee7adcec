//! Numbers as people read them, in k6's way: durations, bytes, shares and plain numbers.
//!
//! Durations and shares are cut, not rounded: 99.999 % is not 100 %. The cut is made on whole nanoseconds, so a
//! duration that was measured as 4.35 ms is shown as 4.35ms whatever its binary fraction looks like.

use netload_metrics::Contains;

use crate::OutputError;

const NS_PER_MS: f64 = 1e6;
const US_NS: u128 = 1_000;
const MS_NS: u128 = 1_000_000;
const SECOND_NS: u128 = 1_000_000_000;
const MINUTE_NS: u128 = 60 * SECOND_NS;
const HOUR_NS: u128 = 60 * MINUTE_NS;
/// Half the error that arithmetic may leave on a whole number of nanoseconds.
const NOISE: f64 = 1e-4;

/// The unit in which the summary shows durations (`summaryTimeUnit`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// The unit that suits the number.
    #[default]
    Auto,
    /// Seconds with two decimals.
    Seconds,
    /// Milliseconds with two decimals.
    Milliseconds,
    /// Microseconds with two decimals.
    Microseconds,
}

impl TimeUnit {
    /// The unit by the name users write: nothing, `s`, `ms` or `us`.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(text: &str) -> Result<Self, OutputError> {
        match text {
            "" => Ok(Self::Auto),
            "s" => Ok(Self::Seconds),
            "ms" => Ok(Self::Milliseconds),
            "us" => Ok(Self::Microseconds),
            other => Err(OutputError::UnknownTimeUnit(other.to_owned())),
        }
    }

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "",
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
        }
    }
}

/// A value of a metric in its unit: milliseconds, bytes or plain.
pub fn value(value: f64, contains: Contains, unit: TimeUnit) -> String {
    match contains {
        Contains::Time => duration(value, unit),
        Contains::Data => bytes(value),
        Contains::Default => plain(value),
    }
}

/// A duration given in milliseconds: `999.99µs`, `1.23ms`, `59.99s`, `1m1s`, `25h1m1s`; cut to two decimals.
pub fn duration(ms: f64, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Auto => auto_duration(ms),
        TimeUnit::Seconds => format!("{:.2}s", ms / 1e3),
        TimeUnit::Milliseconds => format!("{ms:.2}ms"),
        TimeUnit::Microseconds => format!("{:.2}µs", ms * 1e3),
    }
}

/// How far `low` and `high` are from a duration, in the unit it is shown in: `+0.05/-0.31`. An unknown end is `?`.
pub fn spread(ms: f64, low: f64, high: Option<f64>) -> String {
    let unit = match ms {
        _ if ms < 1e-3 => 1e6,
        _ if ms < 1.0 => 1e3,
        _ if ms < 1e3 => 1.0,
        _ => 1e-3,
    };
    let digits = |distance: f64| match (distance * unit).max(0.0) {
        large if large >= 99.95 => format!("{large:.0}"),
        middle if middle >= 9.995 => format!("{middle:.1}"),
        small => format!("{small:.2}"),
    };
    let above = high.map_or("?".to_owned(), |high| digits(high - ms));
    format!("+{above}/-{}", digits(ms - low))
}

fn auto_duration(ms: f64) -> String {
    if !ms.is_finite() {
        return plain(ms);
    }
    if ms == 0.0 {
        return "0s".to_owned();
    }
    if ms < 0.0 {
        return format!("-{}", auto_duration(-ms));
    }
    // A duration too long for the integer is cut to its largest value by the cast.
    let ns = (ms * NS_PER_MS + NOISE).floor() as u128;
    match ns {
        0..US_NS => format!("{ns}ns"),
        US_NS..MS_NS => format!("{}µs", hundredths(ns, US_NS)),
        MS_NS..SECOND_NS => format!("{}ms", hundredths(ns, MS_NS)),
        SECOND_NS..MINUTE_NS => format!("{}s", hundredths(ns, SECOND_NS)),
        MINUTE_NS..HOUR_NS => format!("{}m{}s", ns / MINUTE_NS, ns % MINUTE_NS / SECOND_NS),
        _ => format!(
            "{}h{}m{}s",
            ns / HOUR_NS,
            ns % HOUR_NS / MINUTE_NS,
            ns % MINUTE_NS / SECOND_NS
        ),
    }
}

/// `ns / unit`, cut to two decimals, without zeros at the end.
fn hundredths(ns: u128, unit: u128) -> String {
    let cut = ns / (unit / 100);
    let text = format!("{}.{:02}", cut / 100, cut % 100);
    trim_zeros(&text).to_owned()
}

/// Bytes with a unit of base 1000: `985 B`, `4.2 kB`, `12 MB`; one decimal below ten.
pub fn bytes(bytes: f64) -> String {
    const UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    if !bytes.is_finite() {
        return plain(bytes);
    }
    if bytes < 0.0 {
        return format!("-{}", self::bytes(-bytes));
    }
    if bytes < 10.0 {
        return format!("{bytes:.0} B");
    }
    let mut scaled = bytes;
    let mut unit = 0;
    while scaled >= 1000.0 && unit + 1 < UNITS.len() {
        scaled /= 1000.0;
        unit += 1;
    }
    let scaled = (scaled * 10.0 + 0.5).floor() / 10.0;
    let decimals = usize::from(scaled < 10.0);
    format!("{scaled:.decimals$} {}", UNITS[unit])
}

/// A number with up to six decimals, without zeros at the end; from 1e21 on with an exponent.
pub fn plain(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    if value.abs() >= 1e21 {
        return format!("{value:e}").replace('e', "e+");
    }
    let text = format!("{value:.6}");
    match trim_zeros(&text) {
        "-0" => "0".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

/// A share of 1 as a percentage, cut to two decimals: `98.35%`.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return plain(share);
    }
    let cut = (share.max(0.0) * 1e4 + NOISE).floor() as u64;
    format!("{}.{:02}%", cut / 100, cut % 100)
}

/// `part` of `total` as a percentage, cut to two decimals; 0 of 0 is `0.00%`.
pub fn percent_of(part: u64, total: u64) -> String {
    let cut = u128::from(part) * 10_000 / u128::from(total.max(1));
    format!("{}.{:02}%", cut / 100, cut % 100)
}

/// A whole number with a comma between thousands: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn trim_zeros(text: &str) -> &str {
    text.trim_end_matches('0').trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_spread_is_in_the_unit_of_its_value() {
        assert_eq!(spread(12.41, 12.1, Some(12.46)), "+0.05/-0.31");
        assert_eq!(spread(0.5, 0.488, None), "+?/-12.0");
        assert_eq!(spread(2_000.0, 1_500.0, Some(2_001.0)), "+0.00/-0.50");
    }

    #[test]
    fn durations_choose_their_unit() {
        let cases = [
            (0.0, "0s"),
            (0.0000005, "0ns"),
            (0.000001, "1ns"),
            (0.00099, "990ns"),
            (0.0015, "1.5µs"),
            (0.99999, "999.99µs"),
            (1.0, "1ms"),
            (1.005, "1ms"),
            (1.239, "1.23ms"),
            (4.35, "4.35ms"),
            (999.999, "999.99ms"),
            (59999.99, "59.99s"),
            (60000.0, "1m0s"),
            (119_999.0, "1m59s"),
            (3_599_999.0, "59m59s"),
            (90_061_001.0, "25h1m1s"),
            (-5.0, "-5ms"),
            (f64::INFINITY, "inf"),
        ];
        for (ms, text) in cases {
            assert_eq!(duration(ms, TimeUnit::Auto), text, "{ms}");
        }
        assert_eq!(duration(61000.5, TimeUnit::Seconds), "61.00s");
        assert_eq!(duration(1.239, TimeUnit::Milliseconds), "1.24ms");
        assert_eq!(duration(0.0015, TimeUnit::Microseconds), "1.50µs");
        assert!(duration(f64::MAX, TimeUnit::Auto).ends_with('s'));
    }

    #[test]
    fn bytes_have_one_decimal_below_ten() {
        let cases = [
            (0.0, "0 B"),
            (9.0, "9 B"),
            (985.2, "985 B"),
            (1000.0, "1.0 kB"),
            (9949.0, "9.9 kB"),
            (9950.0, "10 kB"),
            (12_345_678.0, "12 MB"),
            (1.5e12, "1.5 TB"),
            (-2000.0, "-2.0 kB"),
        ];
        for (count, text) in cases {
            assert_eq!(bytes(count), text, "{count}");
        }
    }

    #[test]
    fn plain_numbers_have_no_idle_zeros() {
        let cases = [
            (1e6, "1000000"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333"),
            (1e-7, "0"),
            (-1e-7, "0"),
            (1e21, "1e+21"),
            (1.5e22, "1.5e+22"),
            (-2.5, "-2.5"),
        ];
        for (number, text) in cases {
            assert_eq!(plain(number), text, "{number}");
        }
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn shares_are_cut() {
        assert_eq!(percent_of(1077, 1095), "98.35%");
        assert_eq!(percent_of(99_999, 100_000), "99.99%");
        assert_eq!(percent_of(0, 0), "0.00%");
        assert_eq!(percent(0.29), "29.00%");
        assert_eq!(percent(2.0 / 3.0), "66.66%");
    }

    /// The number of nanoseconds in a text that `duration` made.
    fn read_back(text: &str) -> f64 {
        let mut total = 0.0;
        let mut number = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c.is_ascii_digit() || c == '.' {
                number.push(c);
                rest = &rest[1..];
                continue;
            }
            let units = [
                ("ns", 1.0),
                ("µs", 1e3),
                ("ms", 1e6),
                ("s", 1e9),
                ("m", 6e10),
                ("h", 3.6e12),
            ];
            let (unit, factor) = units.into_iter().find(|u| rest.starts_with(u.0)).unwrap();
            total += number.parse::<f64>().unwrap() * factor;
            number.clear();
            rest = &rest[unit.len()..];
        }
        total
    }

    proptest! {
        #[test]
        fn a_duration_is_never_shown_longer_and_loses_less_than_a_hundredth(ns in 1u64..1_000_000_000_000_000) {
            let shown = read_back(&duration(ns as f64 / 1e6, TimeUnit::Auto));
            let real = ns as f64;
            let grain = match ns {
                0..1_000 => 1.0,
                1_000..1_000_000 => 10.0,
                1_000_000..1_000_000_000 => 1e4,
                1_000_000_000..60_000_000_000 => 1e7,
                _ => 1e9,
            };
            prop_assert!(shown <= real * (1.0 + 1e-12) && real - shown < grain * (1.0 + 1e-9), "{shown} {real}");
        }

        #[test]
        fn longer_durations_never_look_shorter(a in 0u64..1 << 50, b in 0u64..1 << 50) {
            let shown = |ns: u64| read_back(&duration(ns as f64 / 1e6, TimeUnit::Auto));
            let (low, high) = (a.min(b), a.max(b));
            prop_assert!(shown(low) <= shown(high));
        }

        #[test]
        fn grouped_numbers_read_back(number: u64) {
            prop_assert_eq!(grouped(number).replace(',', "").parse::<u64>().unwrap(), number);
        }

        #[test]
        fn both_percentages_agree(part in 0u64..1_000_000, extra in 0u64..1_000_000) {
            let total = part + extra;
            prop_assume!(total > 0);
            prop_assert_eq!(percent(part as f64 / total as f64), percent_of(part, total));
        }
    }
}
