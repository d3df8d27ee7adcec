//! The small text formats that routes need: durations, sizes, percent-encoded
//! forms, multipart bodies, hex, header names.
//!
//! Leaves out meaning. Invariant: no input makes any of these panic.

use std::time::Duration;

use crate::limits;

/// Reads `10ms`, `1.5s`, `250us`, `2m`; a bare number has the unit `bare`.
pub(crate) fn duration(text: &str, bare: Duration) -> Option<Duration> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..digits].parse().ok()?;
    let unit = match &text[digits..] {
        "" => bare,
        "ns" => Duration::from_nanos(1),
        "us" | "µs" => Duration::from_micros(1),
        "ms" => Duration::from_millis(1),
        "s" => Duration::from_secs(1),
        "m" => Duration::from_secs(60),
        _ => return None,
    };
    let value = Duration::try_from_secs_f64(number * unit.as_secs_f64()).ok()?;
    (value.as_secs() <= limits::DELAY_SECONDS).then_some(value)
}

/// Reads a fraction between 0 and 1 from `10%` or `0.1`.
pub(crate) fn fraction(text: &str) -> Option<f64> {
    let value = match text.strip_suffix('%').or_else(|| text.strip_suffix("%25")) {
        Some(percent) => percent.parse::<f64>().ok()? / 100.0,
        None => text.parse().ok()?,
    };
    (0.0..=1.0).contains(&value).then_some(value)
}

/// Reads a number of bytes to produce: `512`, `64k`, `1m`.
pub(crate) fn size(text: &str) -> Option<usize> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 1024),
        b'm' | b'M' => (&text[..text.len() - 1], 1024 * 1024),
        _ => (text, 1),
    };
    let bytes = digits.parse::<usize>().ok()?.checked_mul(factor)?;
    (bytes <= limits::PRODUCED_BYTES).then_some(bytes)
}

/// Decodes `a=1&b=two+words&c=%21` in order.
pub(crate) fn form_pairs(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name, true), decode(value, true))
        })
        .collect()
}

/// Decodes one segment of a path.
pub(crate) fn segment(text: &str) -> String {
    decode(text, false)
}

fn decode(text: &str, plus_is_blank: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match escaped {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                let blank = plus_is_blank && bytes[at] == b'+';
                out.push(if blank { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into())
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// `content-type` as `Content-Type`, the usual spelling of header names.
pub(crate) fn header_name(name: &str) -> String {
    let mut start = true;
    name.chars()
        .map(|c| {
            let cased = if start {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            };
            start = c == '-';
            cased
        })
        .collect()
}

/// One part of a `multipart/form-data` body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The form field.
    pub(crate) name: String,
    /// Present when the part is a file.
    pub(crate) filename: Option<String>,
    /// The part's own `Content-Type`.
    pub(crate) content_type: Option<String>,
    /// What it carries.
    pub(crate) data: Vec<u8>,
}

/// Splits a multipart body; `None` when it does not follow its own boundary.
pub(crate) fn multipart(content_type: &str, body: &[u8]) -> Option<Vec<Part>> {
    let boundary = parameter(content_type, "boundary")?;
    let opening = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let mut rest = body.strip_prefix(opening.as_bytes())?;
    let mut parts = Vec::new();
    while let Some(part) = rest.strip_prefix(b"\r\n") {
        if parts.len() >= limits::MULTIPART_PARTS {
            return None;
        }
        let end = find(part, between.as_bytes())?;
        parts.push(one_part(&part[..end])?);
        rest = &part[end + between.len()..];
    }
    rest.starts_with(b"--").then_some(parts)
}

fn one_part(bytes: &[u8]) -> Option<Part> {
    let head_end = find(bytes, b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..head_end]).ok()?;
    let mut part = Part {
        name: String::new(),
        filename: None,
        content_type: None,
        data: bytes[head_end + 4..].to_vec(),
    };
    for line in head.split("\r\n") {
        let (name, value) = line.split_once(':')?;
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-disposition") {
            part.name = parameter(value, "name")?;
            part.filename = parameter(value, "filename");
        } else if name.eq_ignore_ascii_case("content-type") {
            part.content_type = Some(value.to_owned());
        }
    }
    Some(part)
}

/// The value of `; name=value` or `; name="value"` in a header.
fn parameter(header: &str, name: &str) -> Option<String> {
    header.split(';').skip(1).find_map(|part| {
        let (key, value) = part.trim().split_once('=')?;
        key.eq_ignore_ascii_case(name)
            .then(|| value.trim_matches('"').to_owned())
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_units_and_refuse_nonsense() {
        let ms = Duration::from_millis(1);
        assert_eq!(duration("10ms", ms), Some(Duration::from_millis(10)));
        assert_eq!(duration("1.5s", ms), Some(Duration::from_millis(1500)));
        assert_eq!(duration("250us", ms), Some(Duration::from_micros(250)));
        assert_eq!(duration("7", ms), Some(Duration::from_millis(7)));
        for bad in ["", "ms", "1h", "-1s", "1e99s", "601s", "1.2.3s"] {
            assert_eq!(duration(bad, ms), None, "{bad}");
        }
    }

    #[test]
    fn forms_decode_and_survive_broken_escapes() {
        let pairs = form_pairs("a=1&b=two+words&c=%21&d=%zz&&e");
        let text: Vec<_> = pairs.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(text, ["a=1", "b=two words", "c=!", "d=%zz", "e="]);
    }

    #[test]
    fn multipart_bodies_split_into_fields_and_files() {
        let body = b"--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n\
            --B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\n\
            Content-Type: text/plain\r\n\r\nline\r\n\r\n--B--\r\n";
        let parts = multipart("multipart/form-data; boundary=B", body).unwrap();
        assert_eq!(parts[0].name, "a");
        assert_eq!(parts[0].data, b"one");
        assert_eq!(parts[1].filename.as_deref(), Some("x.txt"));
        assert_eq!(parts[1].data, b"line\r\n");
        assert_eq!(multipart("multipart/form-data; boundary=C", body), None);
    }
}
