//! The small encodings of k6's line formats: JSON texts, numbers as Go prints them, RFC 3339 time stamps.
//!
//! Everything is appended to a byte buffer; nothing is allocated per value. Output is the same as Go's encoders make.

use std::io::Write;

use jiff::Timestamp;
use jiff::tz::TimeZone;

const SECOND_NS: u64 = 1_000_000_000;
/// Decimals of most measured values: nanoseconds in milliseconds.
const DECIMALS: usize = 6;

/// Appends a text as a JSON string.
pub(crate) fn json_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.find(needs_escape) {
        let (clean, tail) = rest.split_at(at);
        out.extend_from_slice(clean.as_bytes());
        let mut tail = tail.chars();
        if let Some(c) = tail.next() {
            escape(c, out);
        }
        rest = tail.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
}

fn needs_escape(c: char) -> bool {
    // Line separators are legal in JSON but not in the JavaScript of old.
    matches!(c, '"' | '\\' | '\0'..='\x1f' | '\u{2028}' | '\u{2029}')
}

fn escape(c: char, out: &mut Vec<u8>) {
    let short: &[u8] = match c {
        '"' => b"\\\"",
        '\\' => b"\\\\",
        '\n' => b"\\n",
        '\r' => b"\\r",
        '\t' => b"\\t",
        other => {
            let hex = format!("\\u{:04x}", u32::from(other));
            out.extend_from_slice(hex.as_bytes());
            return;
        }
    };
    out.extend_from_slice(short);
}

/// Appends a number with the fewest digits that read back as the same number; with an exponent below 1e-6 and from 1e21
/// on. What JSON cannot say is `null`.
pub(crate) fn json_number(value: f64, out: &mut Vec<u8>) {
    if !value.is_finite() {
        out.extend_from_slice(b"null");
        return;
    }
    if scaled(value).is_some_and(|digits| {
        push_scaled(digits, out);
        true
    }) {
        return;
    }
    let magnitude = value.abs();
    let text = if value == 0.0 || (1e-6..1e21).contains(&magnitude) {
        value.to_string()
    } else {
        format!("{value:e}").replace('e', if magnitude < 1.0 { "e" } else { "e+" })
    };
    out.extend_from_slice(text.as_bytes());
}

/// The value as a whole number of millionths, if it is exactly the float nearest to that decimal number. With at most
/// 15 digits that decimal number is then also the shortest one.
fn scaled(value: f64) -> Option<u64> {
    const FIFTEEN_DIGITS: f64 = 1e15;
    let millionths = (value * 1e6).round();
    let exact = (0.0..FIFTEEN_DIGITS).contains(&millionths) && millionths / 1e6 == value;
    // A negative zero keeps its sign on the slow path.
    (exact && value.is_sign_positive()).then_some(millionths as u64)
}

/// Appends millionths as a decimal number without zeros at the end.
fn push_scaled(millionths: u64, out: &mut Vec<u8>) {
    let (whole, mut fraction) = (millionths / 1_000_000, millionths % 1_000_000);
    push_integer(whole, out);
    if fraction == 0 {
        return;
    }
    let mut digits = DECIMALS;
    while fraction.is_multiple_of(10) {
        fraction /= 10;
        digits -= 1;
    }
    out.push(b'.');
    push_padded(fraction, digits, out);
}

/// Appends a number with exactly six decimals.
pub(crate) fn six_decimals(value: f64, out: &mut Vec<u8>) {
    if let Some(millionths) = scaled(value) {
        push_integer(millionths / 1_000_000, out);
        out.push(b'.');
        push_padded(millionths % 1_000_000, DECIMALS, out);
        return;
    }
    // Writing into memory cannot fail.
    let _ = write!(out, "{value:.6}");
}

/// Appends a whole number.
pub(crate) fn push_integer(number: u64, out: &mut Vec<u8>) {
    let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
    push_padded(number, digits, out);
}

/// Appends the last `digits` digits of a number.
fn push_padded(mut number: u64, digits: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + digits, b'0');
    for slot in out[start..].iter_mut().rev() {
        *slot = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// Time stamps of one time zone. The part of a stamp that stays the same within a second is made once per second.
#[derive(Debug)]
pub(crate) struct Clock {
    zone: TimeZone,
    second: Option<u64>,
    date_time: Vec<u8>,
    offset: Vec<u8>,
}

impl Clock {
    /// The zone of this machine, as Go uses it.
    pub(crate) fn local() -> Self {
        Self::in_zone(TimeZone::system())
    }

    /// Universal time.
    pub(crate) fn utc() -> Self {
        Self::in_zone(TimeZone::UTC)
    }

    fn in_zone(zone: TimeZone) -> Self {
        Self {
            zone,
            second: None,
            date_time: Vec::new(),
            offset: Vec::new(),
        }
    }

    /// Appends `2026-11-21T22:17:29.888304669Z`; the fraction has no zeros at the end and is left out when it is zero.
    pub(crate) fn rfc3339_nano(&mut self, unix_ns: u64, out: &mut Vec<u8>) {
        self.turn_to(unix_ns / SECOND_NS);
        out.extend_from_slice(&self.date_time);
        let mut fraction = unix_ns % SECOND_NS;
        if fraction > 0 {
            let mut digits = 9;
            while fraction.is_multiple_of(10) {
                fraction /= 10;
                digits -= 1;
            }
            out.push(b'.');
            push_padded(fraction, digits, out);
        }
        out.extend_from_slice(&self.offset);
    }

    /// Appends `2026-11-21T22:17:29Z`.
    pub(crate) fn rfc3339(&mut self, unix_ns: u64, out: &mut Vec<u8>) {
        self.turn_to(unix_ns / SECOND_NS);
        out.extend_from_slice(&self.date_time);
        out.extend_from_slice(&self.offset);
    }

    fn turn_to(&mut self, second: u64) {
        if self.second == Some(second) {
            return;
        }
        self.second = Some(second);
        // A time beyond the calendar stands as its last second.
        let stamp = i64::try_from(second)
            .ok()
            .and_then(|s| Timestamp::from_second(s).ok())
            .unwrap_or(Timestamp::MAX);
        let offset = self.zone.to_offset(stamp);
        let local = offset.to_datetime(stamp);
        self.date_time.clear();
        let (year, month, day) = (local.year(), local.month(), local.day());
        let (hour, minute, second) = (local.hour(), local.minute(), local.second());
        // Writing into memory cannot fail.
        let _ = write!(
            self.date_time,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        );
        self.offset.clear();
        let minutes = offset.seconds() / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        let _ = match minutes.abs() {
            0 => write!(self.offset, "Z"),
            m => write!(self.offset, "{sign}{:02}:{:02}", m / 60, m % 60),
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text_of(value: f64) -> String {
        let mut out = Vec::new();
        json_number(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_look_like_gos() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (1e6, "1000000"),
            (1.5e22, "1.5e+22"),
            (1e21, "1e+21"),
            (1e-5, "0.00001"),
            (1e-7, "1e-7"),
            (0.00012345, "0.00012345"),
            (7.407407339999999, "7.407407339999999"),
            (123456789.125, "123456789.125"),
            (-3.5, "-3.5"),
            (f64::NAN, "null"),
        ];
        for (value, text) in cases {
            assert_eq!(text_of(value), text);
        }
        let mut out = Vec::new();
        six_decimals(1.5, &mut out);
        six_decimals(-1.0 / 3.0, &mut out);
        six_decimals(0.0, &mut out);
        assert_eq!(out, b"1.500000-0.3333330.000000");
    }

    #[test]
    fn texts_are_escaped_as_by_go() {
        let mut out = Vec::new();
        json_text("a\"b\\c<d>&é\n\t\u{2028}\u{1},x", &mut out);
        let expected = r#""a\"b\\c<d>&é\n\t\u2028\u0001,x""#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn stamps_have_the_zone_of_their_moment() {
        let stamp = |zone: TimeZone, unix_ns: u64| {
            let mut out = Vec::new();
            let mut clock = Clock::in_zone(zone);
            clock.rfc3339_nano(unix_ns, &mut out);
            out.push(b' ');
            clock.rfc3339(unix_ns, &mut out);
            String::from_utf8(out).unwrap()
        };
        let ns = 1_795_299_449_888_304_600;
        assert_eq!(
            stamp(TimeZone::UTC, ns),
            "2026-11-21T22:17:29.8883046Z 2026-11-21T22:17:29Z"
        );
        let west = TimeZone::fixed(jiff::tz::offset(-3));
        assert_eq!(
            stamp(west, 1_795_299_449_000_000_000),
            "2026-11-21T19:17:29-03:00 2026-11-21T19:17:29-03:00"
        );
        assert!(stamp(TimeZone::UTC, u64::MAX).starts_with("2554-"));
    }

    proptest! {
        #[test]
        fn a_number_is_the_shortest_that_reads_back(value in any::<f64>()) {
            prop_assume!(value.is_finite());
            let text = text_of(value);
            prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }

        #[test]
        fn both_ways_of_writing_a_measured_value_agree(ns in 0u64..10_000_000_000_000) {
            let value = ns as f64 / 1e6;
            prop_assert_eq!(text_of(value), value.to_string());
            let mut out = Vec::new();
            six_decimals(value, &mut out);
            prop_assert_eq!(String::from_utf8(out).unwrap(), format!("{value:.6}"));
        }

        #[test]
        fn every_text_reads_back(text in any::<String>()) {
            let mut out = Vec::new();
            json_text(&text, &mut out);
            prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
    }
}
