//! One pass over JSON text that says whether it is valid and, on the way, finds the value at a plain path.
//!
//! Plain are paths of names and indexes; all others are walked by `eval` when the text is known to be valid. Nothing
//! recurses but the path itself. Invariants: the text is taken for valid exactly when serde_json takes it; what is no
//! UTF-8 is taken for U+FFFD, which may stand wherever it stands.

use super::strings::{plain_end, string_end};
use super::{DEPTH_LIMIT, raw};

/// Closes nothing: the value is in no container.
const NO_CLOSE: u8 = 0;

/// Whether `path` consists of names and indexes alone.
pub(super) fn is_plain(path: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    !path.is_empty()
        && !path.starts_with("..")
        && path.bytes().all(plain)
        && path.bytes().filter(|b| *b == b'.').count() < DEPTH_LIMIT as usize
}

/// Whether `text` is one valid JSON value.
pub(super) fn is_valid(text: &[u8]) -> bool {
    let end = value_end(text, 0, &mut Open::new());
    end.is_some_and(|end| space_end(text, end) == text.len())
}

/// What a plain path finds in `text`; the outer option is none when the text is not valid.
pub(super) fn find<'a>(text: &'a [u8], path: &str) -> Option<Option<&'a [u8]>> {
    let (end, found) = within(text, 0, path, &mut Open::new())?;
    (space_end(text, end) == text.len()).then_some(found)
}

/// What closes the containers that are open, but the innermost.
type Open = Vec<u8>;

/// Where something ends, and what the path has found in it.
type Found<'a> = Option<(usize, Option<&'a [u8]>)>;

/// Where the value at `at` ends, and what the path finds in it.
fn within<'a>(text: &'a [u8], at: usize, path: &str, open: &mut Open) -> Found<'a> {
    match visible(text, at)? {
        (b'{', at) => in_object(text, at, path, open),
        (b'[', at) => in_array(text, at, path, open),
        (_, at) => Some((value_end(text, at, open)?, None)),
    }
}

fn in_object<'a>(text: &'a [u8], at: usize, path: &str, open: &mut Open) -> Found<'a> {
    let (name, rest) = split(path);
    let (mut i, mut found) = (space_end(text, at + 1), None);
    if text.get(i) == Some(&b'}') {
        return Some((i + 1, None));
    }
    loop {
        let key = space_end(text, i);
        i = key_end(text, key)?;
        // A key that leads nowhere does not hide a later one of the same name.
        let wanted = found.is_none() && is_named(&text[key..i], name);
        i = colon_end(text, i)?;
        (i, found) = step(text, i, wanted.then_some(rest), found, open)?;
        match visible(text, i)? {
            (b',', at) => i = at + 1,
            (b'}', at) => return Some((at + 1, found)),
            _ => return None,
        }
    }
}

/// Whether the raw key means `name`, which is one of a plain path.
fn is_named(key: &[u8], name: &str) -> bool {
    let text = &key[1..key.len() - 1];
    text == name.as_bytes()
        || (text.contains(&b'\\') && raw::unquote(&String::from_utf8_lossy(key)) == name)
}

fn in_array<'a>(text: &'a [u8], at: usize, path: &str, open: &mut Open) -> Found<'a> {
    let (index, rest) = split(path);
    let index: Option<usize> = index.parse().ok();
    let (mut i, mut found) = (space_end(text, at + 1), None);
    if text.get(i) == Some(&b']') {
        return Some((i + 1, None));
    }
    let mut number = 0;
    loop {
        let wanted = (index == Some(number)).then_some(rest);
        (i, found) = step(text, i, wanted, found, open)?;
        match visible(text, i)? {
            (b',', at) => i = at + 1,
            (b']', at) => return Some((at + 1, found)),
            _ => return None,
        }
        number += 1;
    }
}

/// Goes over one member's value or one element; `wanted` is the rest of the path when it is on the path.
fn step<'a>(
    text: &'a [u8],
    at: usize,
    wanted: Option<Option<&str>>,
    found: Option<&'a [u8]>,
    open: &mut Open,
) -> Found<'a> {
    match wanted {
        Some(Some(rest)) => within(text, at, rest, open),
        Some(None) => {
            let at = space_end(text, at);
            let end = value_end(text, at, open)?;
            Some((end, text.get(at..end)))
        }
        None => Some((value_end(text, at, open)?, found)),
    }
}

/// The first component, and the others.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

/// Where the value at `at` or behind the space there ends; none when it is not valid.
fn value_end(text: &[u8], mut at: usize, open: &mut Open) -> Option<usize> {
    open.clear();
    let mut close = NO_CLOSE;
    loop {
        if close == b'}' {
            at = member_end(text, at)?;
        }
        let byte;
        (byte, at) = visible(text, at)?;
        match byte {
            b'"' => {
                let end = plain_end(text, at + 1);
                // Most values are short texts with another one behind them.
                if close != NO_CLOSE && pair(text, end) == Some(*b"\",") {
                    at = end + 2;
                    continue;
                }
                at = match text.get(end) {
                    Some(b'"') => end + 1,
                    _ => string_end(text, end)?,
                };
            }
            b'{' | b'[' => {
                let next;
                (next, at) = visible(text, at + 1)?;
                // Both closing brackets stand two places behind the opening ones.
                if next != byte + 2 {
                    open.push(close);
                    close = byte + 2;
                    continue;
                }
                at += 1;
            }
            b't' => at = literal_end(text, at, b"true")?,
            b'f' => at = literal_end(text, at, b"false")?,
            b'n' => at = literal_end(text, at, b"null")?,
            _ => at = number_end(text, at)?,
        }
        loop {
            if close == NO_CLOSE {
                return Some(at);
            }
            let byte;
            (byte, at) = visible(text, at)?;
            at += 1;
            if byte == b',' {
                break;
            }
            if byte != close {
                return None;
            }
            close = open.pop()?;
        }
    }
}

/// The first byte from `at` on that is no space, and where it is.
#[inline(always)]
fn visible(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match *text.get(at)? {
        0..=b' ' => {
            let at = spaces_end(text, at);
            Some((*text.get(at)?, at))
        }
        byte => Some((byte, at)),
    }
}

/// Where the space at `at` ends, if there is some.
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

/// Where the value of the member at `at` or behind the space there begins.
#[inline(always)]
fn member_end(text: &[u8], at: usize) -> Option<usize> {
    let (b'"', at) = visible(text, at)? else {
        return None;
    };
    let end = plain_end(text, at + 1);
    if pair(text, end) == Some(*b"\":") {
        return Some(end + 2);
    }
    long_member_end(text, end)
}

/// The same for a key that is long or has escapes, or a colon behind space; `at` is somewhere in the key.
#[cold]
fn long_member_end(text: &[u8], at: usize) -> Option<usize> {
    colon_end(text, string_end(text, at)?)
}

/// Two bytes at once.
#[inline(always)]
fn pair(text: &[u8], at: usize) -> Option<[u8; 2]> {
    text.get(at..)?.first_chunk().copied()
}

/// Where the key at `at` or behind the space there ends.
#[inline(always)]
fn key_end(text: &[u8], at: usize) -> Option<usize> {
    match visible(text, at)? {
        (b'"', at) => string_end(text, at + 1),
        _ => None,
    }
}

/// Where the colon behind the key that ends at `at` ends.
#[inline(always)]
fn colon_end(text: &[u8], at: usize) -> Option<usize> {
    match visible(text, at)? {
        (b':', at) => Some(at + 1),
        _ => None,
    }
}

fn literal_end(text: &[u8], at: usize, literal: &[u8]) -> Option<usize> {
    text[at..]
        .starts_with(literal)
        .then_some(at + literal.len())
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
#[inline(always)]
fn digits_end(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    while text.get(end).is_some_and(u8::is_ascii_digit) {
        end += 1;
    }
    (end > at).then_some(end)
}
