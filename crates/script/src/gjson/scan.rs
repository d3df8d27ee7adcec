//! One pass over JSON text that says whether it is valid and, on the way, finds the value at a plain path.
//!
//! Plain are paths of names and indexes; all others are walked by `eval` when the text is known to be valid. Nothing
//! recurses but the path itself. Invariant: the text is taken for valid exactly when serde_json takes it.

use super::{DEPTH_LIMIT, raw};

const LOW_BITS: u64 = u64::MAX / 255;
const HIGH_BITS: u64 = LOW_BITS << 7;

/// Whether `path` consists of names and indexes alone.
pub(super) fn is_plain(path: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    !path.is_empty()
        && !path.starts_with("..")
        && path.bytes().all(plain)
        && path.bytes().filter(|b| *b == b'.').count() < DEPTH_LIMIT as usize
}

/// Whether `text` is one valid JSON value.
pub(super) fn is_valid(text: &str) -> bool {
    let bytes = text.as_bytes();
    let end = value_end(bytes, space_end(bytes, 0), &mut Open::new());
    end.is_some_and(|end| space_end(bytes, end) == bytes.len())
}

/// What a plain path finds in `text`; the outer option is none when the text is not valid.
pub(super) fn find<'a>(text: &'a str, path: &str) -> Option<Option<&'a str>> {
    let bytes = text.as_bytes();
    let (end, found) = within(text, space_end(bytes, 0), path, &mut Open::new())?;
    (space_end(bytes, end) == bytes.len()).then_some(found)
}

/// What closes the containers that are open.
type Open = Vec<u8>;

/// Where something ends, and what the path has found in it.
type Found<'a> = Option<(usize, Option<&'a str>)>;

/// Where the value at `at` ends, and what the path finds in it.
fn within<'a>(text: &'a str, at: usize, path: &str, open: &mut Open) -> Found<'a> {
    match text.as_bytes().get(at)? {
        b'{' => in_object(text, at, path, open),
        b'[' => in_array(text, at, path, open),
        _ => Some((value_end(text.as_bytes(), at, open)?, None)),
    }
}

fn in_object<'a>(text: &'a str, at: usize, path: &str, open: &mut Open) -> Found<'a> {
    let bytes = text.as_bytes();
    let (name, rest) = split(path);
    let (mut i, mut found) = (space_end(bytes, at + 1), None);
    if bytes.get(i) == Some(&b'}') {
        return Some((i + 1, None));
    }
    loop {
        let key = i;
        i = string_end(bytes, i)?;
        // A key that leads nowhere does not hide a later one of the same name.
        let wanted = found.is_none() && raw::unquote(&text[key..i]) == name;
        i = colon_end(bytes, i)?;
        (i, found) = step(text, i, wanted.then_some(rest), found, open)?;
        match bytes.get(i)? {
            b',' => i = space_end(bytes, i + 1),
            b'}' => return Some((i + 1, found)),
            _ => return None,
        }
    }
}

fn in_array<'a>(text: &'a str, at: usize, path: &str, open: &mut Open) -> Found<'a> {
    let bytes = text.as_bytes();
    let (index, rest) = split(path);
    let index: Option<usize> = index.parse().ok();
    let (mut i, mut found) = (space_end(bytes, at + 1), None);
    if bytes.get(i) == Some(&b']') {
        return Some((i + 1, None));
    }
    let mut number = 0;
    loop {
        (i, found) = step(
            text,
            i,
            (index == Some(number)).then_some(rest),
            found,
            open,
        )?;
        match bytes.get(i)? {
            b',' => i = space_end(bytes, i + 1),
            b']' => return Some((i + 1, found)),
            _ => return None,
        }
        number += 1;
    }
}

/// Goes over one member or element and the space behind it; `wanted` is the rest of the path when it is on the path.
fn step<'a>(
    text: &'a str,
    at: usize,
    wanted: Option<Option<&str>>,
    found: Option<&'a str>,
    open: &mut Open,
) -> Found<'a> {
    let bytes = text.as_bytes();
    let (end, found) = match wanted {
        Some(Some(rest)) => within(text, at, rest, open)?,
        Some(None) => {
            let end = value_end(bytes, at, open)?;
            (end, text.get(at..end))
        }
        None => (value_end(bytes, at, open)?, found),
    };
    Some((space_end(bytes, end), found))
}

/// The first component, and the others.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

/// Where the value at `at` ends; none when it is not valid.
fn value_end(text: &[u8], mut at: usize, open: &mut Open) -> Option<usize> {
    open.clear();
    loop {
        match *text.get(at)? {
            b'{' => {
                at = space_end(text, at + 1);
                if text.get(at) != Some(&b'}') {
                    open.push(b'}');
                    at = colon_end(text, string_end(text, at)?)?;
                    continue;
                }
                at += 1;
            }
            b'[' => {
                at = space_end(text, at + 1);
                if text.get(at) != Some(&b']') {
                    open.push(b']');
                    continue;
                }
                at += 1;
            }
            b'"' => at = string_end(text, at)?,
            b't' => at = literal_end(text, at, b"true")?,
            b'f' => at = literal_end(text, at, b"false")?,
            b'n' => at = literal_end(text, at, b"null")?,
            _ => at = number_end(text, at)?,
        }
        loop {
            let Some(close) = open.last().copied() else {
                return Some(at);
            };
            at = space_end(text, at);
            match *text.get(at)? {
                b',' => {
                    at = space_end(text, at + 1);
                    if close == b'}' {
                        at = colon_end(text, string_end(text, at)?)?;
                    }
                    break;
                }
                byte if byte == close => {
                    open.pop();
                    at += 1;
                }
                _ => return None,
            }
        }
    }
}

#[inline(always)]
fn space_end(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(0..=b' ') => spaces_end(text, at),
        _ => at,
    }
}

/// Most JSON that is sent has none.
#[cold]
fn spaces_end(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// Where the value behind a key begins; `at` is where the key ends.
#[inline(always)]
fn colon_end(text: &[u8], at: usize) -> Option<usize> {
    let at = space_end(text, at);
    (text.get(at) == Some(&b':')).then(|| space_end(text, at + 1))
}

fn literal_end(text: &[u8], at: usize, literal: &[u8]) -> Option<usize> {
    text[at..]
        .starts_with(literal)
        .then_some(at + literal.len())
}

/// Where the string that begins at `at` ends, eight bytes at a time.
#[inline]
fn string_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'"') {
        return None;
    }
    let mut i = at + 1;
    while let Some(eight) = text.get(i..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*eight);
        let special = special_bytes(word);
        if special == 0 {
            i += 8;
            continue;
        }
        let bit = special.trailing_zeros() & !7;
        i += bit as usize / 8;
        match (word >> bit) as u8 {
            b'"' => return Some(i + 1),
            b'\\' => i = escape_end(text, i)?,
            _ => return None,
        }
    }
    loop {
        match *text.get(i)? {
            b'"' => return Some(i + 1),
            b'\\' => i = escape_end(text, i)?,
            0..0x20 => return None,
            _ => i += 1,
        }
    }
}

/// The high bit of the first byte that is a quote, a backslash or a control character is the lowest bit set.
fn special_bytes(word: u64) -> u64 {
    let quote = (word ^ (LOW_BITS * b'"' as u64)).wrapping_sub(LOW_BITS);
    let backslash = (word ^ (LOW_BITS * b'\\' as u64)).wrapping_sub(LOW_BITS);
    let control = word.wrapping_sub(LOW_BITS * 0x20);
    // No byte above 0x7f is any of them.
    (quote | backslash | control) & !word & HIGH_BITS
}

fn escape_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => {
            let digits = text.get(at + 2..at + 6)?;
            let all = digits.iter().all(u8::is_ascii_hexdigit);
            all.then_some(at + 6)
        }
        _ => None,
    }
}

fn number_end(text: &[u8], mut at: usize) -> Option<usize> {
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    at = match text.get(at)? {
        b'0' => at + 1,
        _ => digits_end(text, at)?,
    };
    if text.get(at) == Some(&b'.') {
        at = digits_end(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = digits_end(text, at)?;
    }
    Some(at)
}

/// Where the digits end, of which there must be one.
fn digits_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let count = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (count > 0).then_some(at + count)
}
