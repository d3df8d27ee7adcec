//! The fields of a response as the head that the rest of the crate reads.
//!
//! Owns the rules for fields (RFC 9113, section 8) and the memory of the last head. Invariant: what is written is a
//! well-formed HTTP/1 head with the version `HTTP/2.0`, so no field can smuggle a line.

use super::hpack::{BadBlock, Reader};
use super::reason::reason;
use crate::h1::{HEAD_LIMIT_BYTES, Head, Version};

/// Longest block that is remembered, in bytes.
const REMEMBERED_BYTES: usize = 2048;

/// Why a block is no head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadHead {
    /// It cannot be read; the connection is lost.
    Block,
    /// Its fields are not those of a response; the stream is lost.
    Malformed,
    /// They are too long.
    TooLong,
}

impl From<BadBlock> for BadHead {
    fn from(_: BadBlock) -> Self {
        Self::Block
    }
}

/// A head with what only framing needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) head: Head,
    /// What `content-length` promises.
    pub(super) length: Option<u64>,
}

/// Reads heads; knows the last one, because servers repeat themselves.
#[derive(Debug, Default)]
pub(super) struct Heads {
    reader: Reader,
    block: Vec<u8>,
    /// The state of the reader's table that `block` was read with.
    changes: u64,
    text: Vec<u8>,
    answer: Answer,
}

impl Heads {
    /// Reads a block and appends its head to `out`.
    ///
    /// # Errors
    /// See [`BadHead`]; except for the first kind the reader stays usable.
    pub(super) fn read(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<Answer, BadHead> {
        let known = !self.block.is_empty() && self.changes == self.reader.changes();
        if known && self.block == block {
            out.extend_from_slice(&self.text);
            return Ok(self.answer.clone());
        }
        let before = self.reader.changes();
        let start = out.len();
        let mut writer = Writer::new(out);
        self.reader
            .read(block, |name, value| writer.field(name, value))?;
        let answer = writer.finish()?;
        // A block that changes the table means something else the next time.
        if self.reader.changes() == before && block.len() <= REMEMBERED_BYTES {
            self.block.clear();
            self.block.extend_from_slice(block);
            self.text.clear();
            self.text.extend_from_slice(&out[start..]);
            self.answer = answer.clone();
            self.changes = before;
        }
        Ok(answer)
    }

    /// Reads a block for its effect on the table alone.
    pub(super) fn skip(&mut self, block: &[u8]) -> Result<(), BadHead> {
        Ok(self.reader.read(block, |_, _| {})?)
    }
}

/// Writes a head field by field.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    answer: Answer,
    bad: Option<BadHead>,
}

impl<'a> Writer<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        let mut answer = Answer::default();
        answer.head.version = Version::Http2;
        answer.head.keep_alive = true;
        Self {
            start: out.len(),
            out,
            answer,
            bad: None,
        }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        if self.bad.is_some() {
            return;
        }
        let length = self.out.len() - self.start + name.len() + value.len() + 4;
        if length > HEAD_LIMIT_BYTES {
            self.bad = Some(BadHead::TooLong);
        } else if !self.take(name, value) {
            self.bad = Some(BadHead::Malformed);
        }
    }

    /// Tells whether the field may be there.
    fn take(&mut self, name: &[u8], value: &[u8]) -> bool {
        if name.first() == Some(&b':') {
            return name == b":status" && self.status(value);
        }
        let token = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || MARKS.contains(b);
        let named = !name.is_empty() && name.iter().all(token);
        let valued = !value.iter().any(|b| matches!(b, b'\r' | b'\n' | 0));
        if !named || !valued || self.answer.head.status == 0 {
            return false;
        }
        let head = &mut self.answer.head;
        match name {
            b"content-length" => {
                let length = std::str::from_utf8(value).ok().filter(|text| {
                    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
                });
                let length = length.and_then(|text| text.parse().ok());
                if length.is_none()
                    || (self.answer.length.is_some() && self.answer.length != length)
                {
                    return false;
                }
                self.answer.length = length;
            }
            b"set-cookie" => head.has_cookies = true,
            b"location" => head.has_location = true,
            b"content-encoding" => head.has_encoding = true,
            _ => {}
        }
        for part in [name, b": ", value, b"\r\n"] {
            self.out.extend_from_slice(part);
        }
        true
    }

    /// The status stands before all fields, once.
    fn status(&mut self, value: &[u8]) -> bool {
        let &[a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] = value else {
            return false;
        };
        if self.answer.head.status != 0 || self.out.len() != self.start {
            return false;
        }
        let status = [a, b, c]
            .iter()
            .fold(0, |n, digit| n * 10 + u16::from(digit - b'0'));
        let reason = reason(status);
        self.answer.head.status = status;
        let from = (b"HTTP/2.0 200 ".len()) as u32;
        self.answer.head.reason = from..from + reason.len() as u32;
        for part in [b"HTTP/2.0 ", value, b" ", reason.as_bytes(), b"\r\n"] {
            self.out.extend_from_slice(part);
        }
        true
    }

    fn finish(mut self) -> Result<Answer, BadHead> {
        if let Some(bad) = self.bad {
            self.out.truncate(self.start);
            return Err(bad);
        }
        if self.answer.head.status == 0 {
            return Err(BadHead::Malformed);
        }
        self.out.extend_from_slice(b"\r\n");
        self.answer.head.bytes = self.out.len() - self.start;
        Ok(self.answer)
    }
}

/// What a name may hold besides lower-case letters and digits.
const MARKS: &[u8] = b"!#$%&'*+-.^_`|~";

#[cfg(test)]
mod tests {
    use super::super::hpack;
    use super::*;

    fn block(fields: &[(&str, &str)]) -> Vec<u8> {
        let mut block = Vec::new();
        for (name, value) in fields {
            hpack::write(name.as_bytes(), value.as_bytes(), &mut block);
        }
        block
    }

    fn check(fields: &[(&str, &str)], expected: Result<&str, BadHead>) {
        let mut heads = Heads::default();
        // The second time it comes from memory, which may change nothing.
        for _ in 0..2 {
            let mut out = Vec::new();
            let read = heads.read(&block(fields), &mut out).map(|answer| {
                assert_eq!(answer.head.bytes, out.len());
                String::from_utf8_lossy(&out).replace("\r\n", "|")
            });
            assert_eq!(read.as_deref(), expected.as_ref().map(|text| *text));
        }
    }

    #[test]
    fn fields_become_lines() {
        check(
            &[(":status", "404"), ("server", "x"), ("x-a", " b ")],
            Ok("HTTP/2.0 404 Not Found|server: x|x-a:  b ||"),
        );
        check(&[(":status", "299")], Ok("HTTP/2.0 299 ||"));
    }

    #[test]
    fn what_is_no_response_is_refused() {
        for fields in [
            &[][..],
            &[("server", "x")],
            &[("server", "x"), (":status", "200")],
            &[(":status", "200"), (":status", "200")],
            &[(":status", "200"), (":path", "/")],
            &[(":status", "20")],
            &[(":status", "abc")],
            &[(":status", "200"), ("X-Upper", "x")],
            &[(":status", "200"), ("a b", "x")],
            &[(":status", "200"), ("", "x")],
            &[(":status", "200"), ("a", "x\r\nb: c")],
            &[(":status", "200"), ("a", "x\0")],
            &[(":status", "200"), ("content-length", "-1")],
            &[(":status", "200"), ("content-length", "")],
            &[
                (":status", "200"),
                ("content-length", "1"),
                ("content-length", "2"),
            ],
        ] {
            check(fields, Err(BadHead::Malformed));
        }
        let long = "x".repeat(HEAD_LIMIT_BYTES);
        check(&[(":status", "200"), ("a", &long)], Err(BadHead::TooLong));
    }

    #[test]
    fn memory_does_not_outlive_the_table() {
        let mut heads = Heads::default();
        let mut read = |block: &[u8]| {
            let mut out = Vec::new();
            heads.read(block, &mut out).unwrap();
            String::from_utf8_lossy(&out).replace("\r\n", "|")
        };
        let keep = |value: &[u8]| [&[0x88, 0x40, 1, b'a', 1][..], value].concat();
        let indexed = [0x88, 0xbe];
        assert_eq!(read(&keep(b"1")), "HTTP/2.0 200 OK|a: 1||");
        assert_eq!(read(&indexed), "HTTP/2.0 200 OK|a: 1||");
        assert_eq!(read(&indexed), "HTTP/2.0 200 OK|a: 1||");
        assert_eq!(read(&keep(b"2")), "HTTP/2.0 200 OK|a: 2||");
        assert_eq!(read(&indexed), "HTTP/2.0 200 OK|a: 2||");
    }
}
