//! Requests as they arrive: framing (where one ends) and the parsed view that
//! handlers get.
//!
//! Leaves out sockets: these are functions from bytes to values.
//! Invariant: `Frame` and `Request` of the same bytes agree on the head.

use std::net::SocketAddr;

use crate::limits;

/// What must be known of a head before its body can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Bytes of the head, with its empty line.
    pub(crate) head_len: usize,
    /// How the body is delimited.
    pub(crate) body: BodyFrame,
    /// Whether the connection stays open after the answer.
    pub(crate) keep_alive: Keep,
    /// The client waits for `100 Continue` before it sends the body.
    pub(crate) expects_continue: bool,
    /// What the path asks for, as far as it decides how to go on.
    pub(crate) kind: Kind,
}

/// How a request body is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyFrame {
    /// `Content-Length`, 0 when there is none.
    Length(usize),
    /// `Transfer-Encoding: chunked`.
    Chunked,
}

/// What happens to the connection after the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// HTTP/1.1 without `Connection: close`: stays open, nothing needs to be said.
    Open,
    /// HTTP/1.0 with `Connection: keep-alive`: stays open and must be told so.
    OpenAnnounced,
    /// Closed after the answer.
    Close,
}

/// The few distinctions that are made before the request is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `GET /` or `GET /fast`: answered with prepared bytes.
    Fast,
    /// `/fault/...`: answered before the body is read.
    Fault,
    /// Everything else.
    Routed,
}

/// Why bytes are not a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// Not HTTP.
    Syntax,
    /// `Content-Length` is missing digits, or contradicts itself.
    Length,
    /// The body is larger than the server accepts.
    TooLarge,
    /// More header fields than the server accepts.
    TooManyFields,
}

impl Malformed {
    /// The status that tells the client.
    pub(crate) fn status(self) -> u16 {
        match self {
            Malformed::Syntax | Malformed::Length => 400,
            Malformed::TooLarge => 413,
            Malformed::TooManyFields => 431,
        }
    }
}

/// Looks for a complete head at the start of `bytes`; `None` asks for more.
pub(crate) fn frame(bytes: &[u8]) -> Result<Option<Frame>, Malformed> {
    let mut fields = [httparse::EMPTY_HEADER; limits::HEADER_FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    let head_len = match head.parse(bytes) {
        Ok(httparse::Status::Complete(len)) => len,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Malformed::TooManyFields),
        Err(_) => return Err(Malformed::Syntax),
    };
    let (Some(method), Some(target)) = (head.method, head.path) else {
        return Err(Malformed::Syntax);
    };
    let mut frame = Frame {
        head_len,
        body: BodyFrame::Length(0),
        keep_alive: if head.version == Some(0) {
            Keep::Close
        } else {
            Keep::Open
        },
        expects_continue: false,
        kind: kind(method, target),
    };
    let mut length = None;
    for field in head.headers.iter() {
        read_field(&mut frame, &mut length, field)?;
    }
    if let (Some(length), BodyFrame::Length(_)) = (length, frame.body) {
        frame.body = BodyFrame::Length(length);
    }
    Ok(Some(frame))
}

fn kind(method: &str, target: &str) -> Kind {
    match target {
        "/" | "/fast" if method == "GET" => Kind::Fast,
        _ if target.starts_with("/fault/") => Kind::Fault,
        _ => Kind::Routed,
    }
}

fn read_field(
    frame: &mut Frame,
    length: &mut Option<usize>,
    field: &httparse::Header<'_>,
) -> Result<(), Malformed> {
    match field.name.len() {
        14 if field.name.eq_ignore_ascii_case("content-length") => {
            let text = std::str::from_utf8(field.value).map_err(|_| Malformed::Length)?;
            if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Malformed::Length);
            }
            let value: usize = text.parse().map_err(|_| Malformed::TooLarge)?;
            if length.is_some_and(|before| before != value) {
                return Err(Malformed::Length);
            }
            if value > limits::BODY_BYTES {
                return Err(Malformed::TooLarge);
            }
            *length = Some(value);
        }
        17 if field.name.eq_ignore_ascii_case("transfer-encoding") => {
            if !field.value.eq_ignore_ascii_case(b"chunked") {
                return Err(Malformed::Syntax);
            }
            frame.body = BodyFrame::Chunked;
        }
        10 if field.name.eq_ignore_ascii_case("connection") => {
            if field.value.eq_ignore_ascii_case(b"close") {
                frame.keep_alive = Keep::Close;
            } else if field.value.eq_ignore_ascii_case(b"keep-alive")
                && frame.keep_alive == Keep::Close
            {
                frame.keep_alive = Keep::OpenAnnounced;
            }
        }
        6 if field.name.eq_ignore_ascii_case("expect") => {
            frame.expects_continue = field.value.eq_ignore_ascii_case(b"100-continue");
        }
        _ => {}
    }
    Ok(())
}

/// A complete request, as handlers see it.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// The method as it was sent.
    pub(crate) method: &'a str,
    /// Path and query as they were sent.
    pub(crate) target: &'a str,
    /// The target up to the first `?`.
    pub(crate) path: &'a str,
    /// The target after the first `?`; empty when there is none.
    pub(crate) query: &'a str,
    /// 0 for HTTP/1.0, 1 for HTTP/1.1.
    pub(crate) minor_version: u8,
    /// Header fields in order of arrival.
    pub(crate) fields: &'a [httparse::Header<'a>],
    /// The body without its framing.
    pub(crate) body: &'a [u8],
    /// Who sent it, and over what.
    pub(crate) origin: Origin,
}

/// Where a request came from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    /// The client's address.
    pub(crate) peer: SocketAddr,
    /// Connections are numbered from 1 in the order they were accepted.
    pub(crate) connection: u64,
    /// Whether it came over TLS.
    pub(crate) secure: bool,
}

impl<'a> Request<'a> {
    /// Parses a head that `frame` has accepted.
    pub(crate) fn parse(
        head: &'a [u8],
        fields: &'a mut [httparse::Header<'a>],
        body: &'a [u8],
        origin: Origin,
    ) -> Option<Request<'a>> {
        let mut parsed = httparse::Request::new(fields);
        if !parsed.parse(head).ok()?.is_complete() {
            return None;
        }
        let target = parsed.path?;
        // A proxy's client sends the absolute form; handlers want the path.
        let local = strip_authority(target);
        let (path, query) = local.split_once('?').unwrap_or((local, ""));
        Some(Request {
            method: parsed.method?,
            target,
            path,
            query,
            minor_version: parsed.version?,
            fields: parsed.headers,
            body,
            origin,
        })
    }

    /// The first field of that name as text; names compare without case.
    pub(crate) fn field(&self, name: &str) -> Option<&'a str> {
        self.fields
            .iter()
            .find(|field| field.name.eq_ignore_ascii_case(name))
            .and_then(|field| std::str::from_utf8(field.value).ok())
    }

    /// Decoded name and value pairs of the query, in order.
    pub(crate) fn query_pairs(&self) -> Vec<(String, String)> {
        crate::codec::form_pairs(self.query)
    }

    /// The first query value of that name.
    pub(crate) fn query_value(&self, name: &str) -> Option<String> {
        self.query_pairs()
            .into_iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    /// Cookies as sent, in order.
    pub(crate) fn cookies(&self) -> Vec<(String, String)> {
        self.fields
            .iter()
            .filter(|field| field.name.eq_ignore_ascii_case("cookie"))
            .flat_map(|field| {
                String::from_utf8_lossy(field.value)
                    .split("; ")
                    .filter_map(|pair| pair.split_once('='))
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

fn strip_authority(target: &str) -> &str {
    match target
        .strip_prefix("http://")
        .or_else(|| target.strip_prefix("https://"))
    {
        Some(rest) => rest.find('/').map_or("/", |slash| &rest[slash..]),
        None => target,
    }
}

/// Takes the chunks out of a chunked body, however it is cut into reads.
#[derive(Debug, Default)]
pub(crate) struct Dechunker {
    body: Vec<u8>,
    at: usize,
    left: usize,
    stage: Stage,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    #[default]
    Size,
    Data,
    DataEnd,
    Trailer,
}

impl Dechunker {
    /// Goes on with `raw`, all that has arrived after the head so far.
    /// Gives the number of raw bytes once the body is complete.
    pub(crate) fn advance(&mut self, raw: &[u8]) -> Result<Option<usize>, Malformed> {
        loop {
            let rest = &raw[self.at..];
            match self.stage {
                Stage::Size => match httparse::parse_chunk_size(rest) {
                    Ok(httparse::Status::Complete((used, size))) => {
                        self.at += used;
                        self.left = usize::try_from(size).map_err(|_| Malformed::TooLarge)?;
                        if self.body.len().saturating_add(self.left) > limits::BODY_BYTES {
                            return Err(Malformed::TooLarge);
                        }
                        self.stage = if size == 0 {
                            Stage::Trailer
                        } else {
                            Stage::Data
                        };
                    }
                    Ok(httparse::Status::Partial) => return Ok(None),
                    Err(_) => return Err(Malformed::Syntax),
                },
                Stage::Data => {
                    let taken = rest.len().min(self.left);
                    self.body.extend_from_slice(&rest[..taken]);
                    self.at += taken;
                    self.left -= taken;
                    if self.left > 0 {
                        return Ok(None);
                    }
                    self.stage = Stage::DataEnd;
                }
                Stage::DataEnd | Stage::Trailer => {
                    let Some(line) = rest.windows(2).position(|pair| pair == b"\r\n") else {
                        return Ok(None);
                    };
                    self.at += line + 2;
                    match (self.stage, line) {
                        (Stage::DataEnd, 0) => self.stage = Stage::Size,
                        (Stage::DataEnd, _) => return Err(Malformed::Syntax),
                        (_, 0) => return Ok(Some(self.at)),
                        (_, _) => {}
                    }
                }
            }
        }
    }

    /// The body without its framing.
    pub(crate) fn into_body(self) -> Vec<u8> {
        self.body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str) -> Result<Option<Frame>, Malformed> {
        frame(text.as_bytes())
    }

    #[test]
    fn a_head_is_found_only_when_it_is_complete() {
        let text = "POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
        let head_len = text.len() - 5;
        for cut in 0..head_len {
            assert_eq!(framed(&text[..cut]), Ok(None), "cut at {cut}");
        }
        let frame = framed(text).unwrap().unwrap();
        assert_eq!(
            (frame.head_len, frame.body),
            (head_len, BodyFrame::Length(5))
        );
    }

    #[test]
    fn versions_and_connection_fields_decide_about_keeping_the_connection() {
        for (version, field, keep) in [
            ("1.1", "", Keep::Open),
            ("1.1", "Connection: keep-alive\r\n", Keep::Open),
            ("1.1", "connection: Close\r\n", Keep::Close),
            ("1.0", "", Keep::Close),
            ("1.0", "Connection: Keep-Alive\r\n", Keep::OpenAnnounced),
        ] {
            let frame = framed(&format!("GET / HTTP/{version}\r\n{field}\r\n"));
            assert_eq!(
                frame.unwrap().unwrap().keep_alive,
                keep,
                "{version} {field}"
            );
        }
    }

    #[test]
    fn contradicting_or_broken_lengths_are_refused() {
        for fields in [
            "Content-Length: 1\r\nContent-Length: 2",
            "Content-Length: -1",
            "Content-Length: +1",
            "Content-Length: ",
        ] {
            let answer = framed(&format!("POST / HTTP/1.1\r\n{fields}\r\n\r\n"));
            assert_eq!(answer, Err(Malformed::Length), "{fields}");
        }
    }

    #[test]
    fn chunks_come_out_the_same_however_they_are_cut() {
        let raw = b"5;x=y\r\nhello\r\n1\r\n,\r\n6\r\n world\r\n0\r\nTrailer: t\r\n\r\nNEXT";
        let whole = raw.len() - 4;
        for cut in 0..whole {
            let mut body = Dechunker::default();
            assert_eq!(body.advance(&raw[..cut]), Ok(None), "cut at {cut}");
            assert_eq!(body.advance(raw), Ok(Some(whole)), "cut at {cut}");
            assert_eq!(body.into_body(), b"hello, world");
        }
    }

    #[test]
    fn a_chunk_longer_than_its_size_is_refused() {
        assert_eq!(
            Dechunker::default().advance(b"2\r\nabc\r\n"),
            Err(Malformed::Syntax)
        );
    }
}
