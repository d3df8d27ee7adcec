//! Walking over JSON text without building anything: kinds, members, elements, strings.
//!
//! The text must be valid JSON; on anything else the walk just ends early. Nothing here recurses, so deep nesting
//! costs no stack.

use std::borrow::Cow;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

/// The kind of a value, none for empty or broken text.
pub(super) fn kind(raw: &str) -> Option<Kind> {
    Some(match raw.bytes().next()? {
        b'{' => Kind::Object,
        b'[' => Kind::Array,
        b'"' => Kind::String,
        b't' => Kind::True,
        b'f' => Kind::False,
        // `nan` and `inf` can only be written as literals in a path.
        b'n' if !raw.starts_with("na") => Kind::Null,
        b'-' | b'+' | b'0'..=b'9' | b'n' | b'i' => Kind::Number,
        _ => return None,
    })
}

/// Where the value that starts at `at` ends.
pub(super) fn value_end(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => string_end(text, at),
        Some(b'{' | b'[' | b'(') => container_end(text, at),
        _ => {
            let delimiter = |b: &u8| matches!(b, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
            let rest = text.get(at..).unwrap_or_default();
            at + rest.iter().position(delimiter).unwrap_or(rest.len())
        }
    }
}

/// Where the string whose opening quote is at `at` ends, behind its closing quote.
pub(super) fn string_end(text: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while i < text.len() {
        match text[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    text.len()
}

fn container_end(text: &[u8], at: usize) -> usize {
    let (mut i, mut depth) = (at, 0_usize);
    while i < text.len() {
        match text[i] {
            b'"' => {
                i = string_end(text, i);
                continue;
            }
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
            _ => {}
        }
        i += 1;
    }
    text.len()
}

fn skip_separators(text: &[u8], mut at: usize) -> usize {
    while matches!(
        text.get(at),
        Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b':')
    ) {
        at += 1;
    }
    at
}

/// The elements of an array, or a single value that stands for an array of one.
pub(super) struct Elements<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Elements<'a> {
    /// The elements of the array `raw`.
    pub(super) fn of(raw: &'a str) -> Self {
        let text = raw.strip_prefix('[').unwrap_or_default();
        Self { text, at: 0 }
    }

    /// The values that stand one after the other in `text`.
    pub(super) fn lines(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let start = skip_separators(bytes, self.at);
        if matches!(bytes.get(start), None | Some(b']' | b'}')) {
            self.at = bytes.len();
            return None;
        }
        self.at = value_end(bytes, start);
        self.text.get(start..self.at)
    }
}

/// The members of an object, as raw key and raw value.
pub(super) fn members(raw: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut items = Elements {
        text: raw.strip_prefix('{').unwrap_or_default(),
        at: 0,
    };
    std::iter::from_fn(move || Some((items.next()?, items.next()?)))
}

/// The text of a raw string; lone surrogates and broken escapes become U+FFFD.
pub(super) fn unquote(raw: &str) -> Cow<'_, str> {
    let inner = raw.strip_prefix('"').unwrap_or(raw);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(escape) = rest.chars().next() else {
            break;
        };
        rest = &rest[escape.len_utf8()..];
        match escape {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => rest = unquote_unicode(rest, &mut text),
            other => text.push(other),
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Decodes the digits behind `\u`, together with a following low surrogate, and returns what is behind.
fn unquote_unicode<'a>(rest: &'a str, text: &mut String) -> &'a str {
    let unit = |s: &str| s.get(..4).and_then(|d| u32::from_str_radix(d, 16).ok());
    let Some(first) = unit(rest) else {
        text.push(char::REPLACEMENT_CHARACTER);
        return rest;
    };
    let rest = &rest[4..];
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = rest.strip_prefix("\\u").and_then(unit)
        && (0xDC00..0xE000).contains(&second)
    {
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        return &rest[6..];
    }
    text.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
    rest
}

/// `text` as a JSON string.
pub(super) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
