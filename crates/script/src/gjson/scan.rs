//! One pass over JSON text that says whether it is valid and, on the way, finds the value at a plain path.
//!
//! Plain are paths of names and indexes; all others are walked by `eval` when the text is known to be valid. Nothing
//! recurses but the path itself. Invariants: the text is taken for valid exactly when serde_json takes it; what is no
//! UTF-8 is taken for U+FFFD, which may stand wherever it stands.

use super::marks::{EMPTY, Marks, Room};
use super::strings::string_end;
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
    let mut room = EMPTY;
    let mut scan = Scan::of(text, &mut room);
    let whole = scan.next().and_then(|first| scan.value(first));
    whole.is_some() && scan.is_done()
}

/// What a plain path finds in `text`; the outer option is none when the text is not valid.
pub(super) fn find<'a>(text: &'a [u8], path: &str) -> Option<Option<&'a [u8]>> {
    let mut room = EMPTY;
    let mut scan = Scan::of(text, &mut room);
    let first = scan.next()?;
    let found = scan.within(first, path)?;
    scan.is_done().then_some(found)
}

/// What the path has found in a value; the outer option is none when the value is not valid.
type Found<'a> = Option<Option<&'a [u8]>>;

/// A walk from mark to mark. All methods leave it behind what they went over.
struct Scan<'a, 'r> {
    text: &'a [u8],
    marks: Marks<'r>,
    /// The next of those found.
    next: usize,
    /// What closes the containers that are open, but the innermost.
    open: Vec<u8>,
}

impl<'a: 'r, 'r> Scan<'a, 'r> {
    fn of(text: &'a [u8], room: &'r mut Room) -> Self {
        Self {
            text,
            marks: Marks::of(text, room),
            next: 0,
            open: Vec::new(),
        }
    }

    /// The next mark.
    fn next(&mut self) -> Option<usize> {
        let mut next = self.next;
        let mark = self.next_of(&mut next);
        self.next = next;
        mark
    }

    /// The same for those who keep the number of the next one by themselves, in a register.
    #[inline(always)]
    fn next_of(&mut self, next: &mut usize) -> Option<usize> {
        if let Some(mark) = self.marks.found().get(*next) {
            *next += 1;
            return Some(*mark);
        }
        *next = 1;
        self.marks.find_more();
        self.marks.found().first().copied()
    }

    /// Whether the text ends here, and nothing was wrong in it.
    fn is_done(&mut self) -> bool {
        self.next().is_none() && self.marks.is_sound()
    }

    /// The value that begins at `mark`, and what the path finds in it.
    fn within(&mut self, mark: usize, path: &str) -> Found<'a> {
        match self.text.get(mark)? {
            b'{' => self.in_object(path),
            b'[' => self.in_array(path),
            _ => self.value(mark).map(|()| None),
        }
    }

    /// The rest of an object behind its bracket.
    fn in_object(&mut self, path: &str) -> Found<'a> {
        let (name, rest) = split(path);
        let mut found = None;
        let mut mark = self.next()?;
        if self.text[mark] == b'}' {
            return Some(None);
        }
        loop {
            if self.text[mark] != b'"' {
                return None;
            }
            let key = &self.text[mark..string_end(self.text, mark + 1)?];
            // A key that leads nowhere does not hide a later one of the same name.
            let wanted = found.is_none() && is_named(key, name);
            let colon = self.next()?;
            if self.text[colon] != b':' {
                return None;
            }
            mark = self.next()?;
            found = self.step(mark, wanted.then_some(rest), found)?;
            mark = self.next()?;
            match self.text[mark] {
                b',' => mark = self.next()?,
                b'}' => return Some(found),
                _ => return None,
            }
        }
    }

    /// The rest of an array behind its bracket.
    fn in_array(&mut self, path: &str) -> Found<'a> {
        let (index, rest) = split(path);
        let index: Option<usize> = index.parse().ok();
        let mut found = None;
        let mut mark = self.next()?;
        if self.text[mark] == b']' {
            return Some(None);
        }
        let mut number = 0;
        loop {
            let wanted = (index == Some(number)).then_some(rest);
            found = self.step(mark, wanted, found)?;
            mark = self.next()?;
            match self.text[mark] {
                b',' => mark = self.next()?,
                b']' => return Some(found),
                _ => return None,
            }
            number += 1;
        }
    }

    /// Goes over the member's value or the element at `mark`; `wanted` is the rest of the path when it is on the path.
    fn step(
        &mut self,
        mark: usize,
        wanted: Option<Option<&str>>,
        found: Option<&'a [u8]>,
    ) -> Found<'a> {
        match wanted {
            Some(Some(rest)) => self.within(mark, rest),
            Some(None) => {
                self.value(mark)?;
                Some(self.text.get(mark..self.end_of(mark)?))
            }
            None => self.value(mark).map(|()| found),
        }
    }

    /// Where the value ends that begins at `mark` and was just gone over.
    fn end_of(&self, mark: usize) -> Option<usize> {
        match self.text.get(mark)? {
            b'{' | b'[' => Some(self.marks.found().get(self.next - 1)? + 1),
            b'"' => string_end(self.text, mark + 1),
            _ => scalar_end(self.text, mark),
        }
    }

    /// Goes over the value that begins at `mark`; none when it is not valid.
    fn value(&mut self, mut mark: usize) -> Option<()> {
        self.open.clear();
        let text = self.text;
        let mut next = self.next;
        let mut close = NO_CLOSE;
        loop {
            let byte = *text.get(mark)?;
            match byte {
                b'"' => {}
                b'{' | b'[' => {
                    mark = self.next_of(&mut next)?;
                    // Both closing brackets stand two places behind the opening ones.
                    if *text.get(mark)? != byte + 2 {
                        self.open.push(close);
                        close = byte + 2;
                        if close == b'}' {
                            mark = self.member(mark, &mut next)?;
                        }
                        continue;
                    }
                }
                _ => {
                    scalar_end(text, mark)?;
                }
            }
            loop {
                if close == NO_CLOSE {
                    self.next = next;
                    return Some(());
                }
                mark = self.next_of(&mut next)?;
                let byte = *text.get(mark)?;
                if byte == b',' {
                    mark = self.next_of(&mut next)?;
                    if close == b'}' {
                        mark = self.member(mark, &mut next)?;
                    }
                    break;
                }
                if byte != close {
                    return None;
                }
                close = self.open.pop()?;
            }
        }
    }

    /// Where the value of the member begins whose key is at `mark`.
    #[inline(always)]
    fn member(&mut self, mark: usize, next: &mut usize) -> Option<usize> {
        let colon = self.next_of(next)?;
        let fits = self.text.get(mark) == Some(&b'"') && self.text.get(colon) == Some(&b':');
        if fits { self.next_of(next) } else { None }
    }
}

/// Whether the raw key means `name`, which is one of a plain path.
fn is_named(key: &[u8], name: &str) -> bool {
    let text = &key[1..key.len() - 1];
    text == name.as_bytes()
        || (text.contains(&b'\\') && raw::unquote(&String::from_utf8_lossy(key)) == name)
}

/// The first component, and the others.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

/// Where the number or literal at `at` ends; none when it is not valid.
fn scalar_end(text: &[u8], at: usize) -> Option<usize> {
    let end = match text.get(at)? {
        b't' => literal_end(text, at, b"true"),
        b'f' => literal_end(text, at, b"false"),
        b'n' => literal_end(text, at, b"null"),
        _ => number_end(text, at),
    }?;
    let ends = |byte: &u8| match byte {
        // What has a mark of its own.
        b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' => true,
        byte => matches!(byte, b' ' | b'\n' | b'\r' | b'\t'),
    };
    text.get(end).is_none_or(ends).then_some(end)
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
