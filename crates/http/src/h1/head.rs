//! The head of a response: what framing and redirects need at once, everything else on demand.
//!
//! Owns the parsing of the head and the reading of header lines from its raw bytes. Invariant: `Head` holds ranges
//! and flags, never copies.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::ops::Range;

use super::{H1Error, HEADER_LIMIT, QUOTE_LIMIT_BYTES};

/// The version a server answered with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// HTTP/1.0.
    Http10,
    /// HTTP/1.1.
    #[default]
    Http11,
    /// HTTP/2.
    Http2,
}

impl Version {
    /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2.0`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http10 => "HTTP/1.0",
            Self::Http11 => "HTTP/1.1",
            Self::Http2 => "HTTP/2.0",
        }
    }
}

/// How the end of a body is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Framing {
    #[default]
    None,
    Length(u64),
    Chunked,
    UntilClose,
}

/// What was learnt when a head was parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Status code.
    pub status: u16,
    /// HTTP version.
    pub version: Version,
    /// Whether there is a `Set-Cookie` header.
    pub has_cookies: bool,
    /// Whether there is a `Location` header.
    pub has_location: bool,
    /// Whether there is a `Content-Encoding` header.
    pub has_encoding: bool,
    /// Where the reason phrase is in the raw head.
    pub(crate) reason: Range<u32>,
    /// Whether the server lets the connection live.
    pub(crate) keep_alive: bool,
    pub(crate) framing: Framing,
    /// Length of the raw head, the empty line included.
    pub(crate) bytes: usize,
}

impl Head {
    /// Parses the head at the start of `input`; `None` while it is incomplete. `head_request` tells that the request
    /// was a HEAD, whose response has no body whatever it announces.
    pub(crate) fn parse(input: &[u8], head_request: bool) -> Result<Option<Self>, H1Error> {
        // What is quoted in the error must not depend on how much has come by chance.
        let quotable = input.len() > QUOTE_LIMIT_BYTES || input.contains(&b'\n');
        match Self::parse_all(input, head_request) {
            Err(H1Error::Line(_)) if !quotable => Ok(None),
            other => other,
        }
    }

    /// Like [`Head::parse`], when nothing more can come.
    pub(crate) fn parse_all(input: &[u8], head_request: bool) -> Result<Option<Self>, H1Error> {
        // The parser would skip empty lines; servers may not send them.
        if matches!(input.first(), Some(b'\r' | b'\n')) {
            return Err(malformed_line(input));
        }
        let mut headers = [const { MaybeUninit::uninit() }; HEADER_LIMIT];
        let mut response = httparse::Response::new(&mut []);
        let mut config = httparse::ParserConfig::default();
        config.allow_obsolete_multiline_headers_in_responses(true);
        let parsed = config.parse_response_with_uninit_headers(&mut response, input, &mut headers);
        let bytes = match parsed {
            Ok(httparse::Status::Complete(bytes)) => bytes,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(explain(error, input)),
        };
        let reason = response.reason.unwrap_or_default();
        let start = (reason.as_ptr() as usize).saturating_sub(input.as_ptr() as usize);
        let start = if reason.is_empty() || start > bytes {
            0
        } else {
            start as u32
        };
        let version = match response.version {
            Some(0) => Version::Http10,
            _ => Version::Http11,
        };
        let mut head = Self {
            status: response.code.unwrap_or_default(),
            version,
            reason: start..start + reason.len() as u32,
            keep_alive: version == Version::Http11,
            bytes,
            ..Self::default()
        };
        head.frame(response.headers, head_request)?;
        Ok(Some(head))
    }

    fn frame(
        &mut self,
        headers: &[httparse::Header<'_>],
        head_request: bool,
    ) -> Result<(), H1Error> {
        let mut length: Option<u64> = None;
        let mut chunked = false;
        for header in headers {
            // The length decides quickly which names can matter at all.
            match header.name.len() {
                14 if header.name.eq_ignore_ascii_case("content-length") => {
                    let value = content_length(header.value)?;
                    if let Some(earlier) = length
                        && earlier != value
                    {
                        return Err(H1Error::ContentLengthConflict(earlier, value));
                    }
                    length = Some(value);
                }
                17 if header.name.eq_ignore_ascii_case("transfer-encoding")
                    && self.version == Version::Http11 =>
                {
                    if chunked || !header.value.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                        return Err(H1Error::TransferEncoding(quote(header.value)));
                    }
                    chunked = true;
                }
                10 if header.name.eq_ignore_ascii_case("connection") => {
                    self.connection(header.value);
                }
                10 if header.name.eq_ignore_ascii_case("set-cookie") => self.has_cookies = true,
                8 if header.name.eq_ignore_ascii_case("location") => self.has_location = true,
                16 if header.name.eq_ignore_ascii_case("content-encoding") => {
                    self.has_encoding = true;
                }
                _ => {}
            }
        }
        let bodiless =
            head_request || matches!(self.status, 204 | 304) || (100..200).contains(&self.status);
        self.framing = match length {
            _ if bodiless => Framing::None,
            _ if chunked => Framing::Chunked,
            Some(0) => Framing::None,
            Some(length) => Framing::Length(length),
            None => Framing::UntilClose,
        };
        if self.framing == Framing::UntilClose {
            self.keep_alive = false;
        }
        Ok(())
    }

    fn connection(&mut self, value: &[u8]) {
        for token in value.split(|byte| *byte == b',') {
            let token = token.trim_ascii();
            if token.eq_ignore_ascii_case(b"close") {
                self.keep_alive = false;
                return;
            }
            if token.eq_ignore_ascii_case(b"keep-alive") {
                self.keep_alive = true;
            }
        }
    }
}

fn content_length(value: &[u8]) -> Result<u64, H1Error> {
    let digits = value.trim_ascii();
    std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|digits| digits.parse::<i64>().ok())
        .map(i64::unsigned_abs)
        .ok_or_else(|| H1Error::ContentLength(quote(digits)))
}

fn malformed_line(input: &[u8]) -> H1Error {
    let line = input.split(|byte| *byte == b'\n').next().unwrap_or(input);
    H1Error::Line(quote(line))
}

/// What is wrong, as Go would say it.
fn explain(error: httparse::Error, input: &[u8]) -> H1Error {
    let what = match error {
        httparse::Error::HeaderName => "malformed MIME header: missing colon or malformed name",
        httparse::Error::HeaderValue => "malformed MIME header: invalid value",
        httparse::Error::NewLine => "malformed MIME header: malformed line end",
        httparse::Error::TooManyHeaders => "malformed MIME header: too many lines",
        httparse::Error::Status => "malformed HTTP status code",
        _ => return malformed_line(input),
    };
    H1Error::Head(what.to_owned())
}

/// The start of what a server sent, made presentable.
fn quote(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(QUOTE_LIMIT_BYTES)];
    String::from_utf8_lossy(start)
        .trim()
        .chars()
        .map(|letter| if letter.is_control() { '?' } else { letter })
        .collect()
}

/// The header lines of a raw head, in order, as `(name, value)`. Values lose surrounding blanks; folded ones are
/// joined with one blank.
#[derive(Clone, Debug)]
pub struct HeaderIter<'a> {
    rest: &'a [u8],
}

impl<'a> HeaderIter<'a> {
    /// `head` is a head that was parsed successfully, status line included.
    pub(crate) fn new(head: &'a [u8]) -> Self {
        let mut lines = Self { rest: head };
        lines.line();
        lines
    }

    fn line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

impl<'a> Iterator for HeaderIter<'a> {
    type Item = (&'a str, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.line()?;
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = std::str::from_utf8(&line[..colon]).ok()?;
        let mut value = Cow::Borrowed(line[colon + 1..].trim_ascii());
        while matches!(self.rest.first(), Some(b' ' | b'\t')) {
            let more = self.line()?.trim_ascii();
            let value = value.to_mut();
            value.push(b' ');
            value.extend_from_slice(more);
        }
        Some((name, value))
    }
}
