//! Answers that break the rules on purpose, as data.
//!
//! Each fault is a list of steps. Faults are reached by path (`/fault/NAME`,
//! sent as soon as the request head has arrived) or served to every client of
//! a listener of their own, without waiting for a request.
//!
//! Invariant: a fault never harms the server; endless ones have a named end.

use std::borrow::Cow;
use std::io::Write;
use std::sync::OnceLock;
use std::time::Duration;

use crate::reply::{Reply, Step};
use crate::routes::Call;

/// An "endless" stream of header fields or informational answers ends after this many.
const ENDLESS: usize = 1_000_000;
/// Bytes of the one huge header field: more than any client should accept.
const HUGE_FIELD_BYTES: usize = 16 * 1024 * 1024;
/// What the decompression bomb unpacks to, in bytes.
const BOMB_BYTES: usize = 256 * 1024 * 1024;
/// Bytes of a slow drip, one every tenth of a second.
const DRIP_BYTES: usize = 600;

/// One way to be wrong.
pub(crate) struct Fault {
    /// Its name in paths.
    pub(crate) name: &'static str,
    /// One line for the user.
    pub(crate) about: &'static str,
    /// What is sent.
    pub(crate) steps: fn() -> Vec<Step>,
}

macro_rules! faults {
    ($($name:literal, $about:literal, $steps:expr;)*) => {
        &[$(Fault { name: $name, about: $about, steps: || $steps }),*]
    };
}

/// All faults.
pub(crate) const FAULTS: &[Fault] = faults! {
    "reset", "reset instead of an answer", vec![Step::ReadBody, Step::Reset];
    "reset-mid-head", "reset in the middle of the head",
        vec![Step::ReadBody, Step::send("HTTP/1.1 200 OK\r\nContent-Ty"), settle(), Step::Reset];
    "reset-mid-body", "reset in the middle of the body",
        vec![Step::ReadBody, Step::send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), settle(), Step::Reset];
    "close", "closed without an answer", vec![Step::ReadBody];
    "close-mid-head", "closed in the middle of the head",
        vec![Step::ReadBody, Step::send("HTTP/1.1 200 OK\r\nContent-Ty")];
    "stall", "no answer, the connection stays open", vec![Step::Stall];
    "stall-mid-head", "half a head, then nothing",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Ty"), Step::Stall];
    "stall-mid-body", "half a body, then nothing",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), Step::Stall];
    "slow-drip", "one byte of the body every 100 ms for a minute", vec![
        Step::send("HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n"),
        repeat(b".", DRIP_BYTES, Duration::from_millis(100)),
    ];
    "endless-headers", "header fields without end", vec![
        Step::send("HTTP/1.1 200 OK\r\n"),
        repeat(b"X-Again: and again and again and again and again\r\n", ENDLESS, Duration::ZERO),
    ];
    "huge-header", "one header field of 16 MiB", vec![
        Step::send("HTTP/1.1 200 OK\r\nX-Huge: "),
        repeat(&[b'x'; 4096], HUGE_FIELD_BYTES / 4096, Duration::ZERO),
        Step::send("\r\nContent-Length: 2\r\n\r\nok"),
    ];
    "bad-status-line", "a status line without a number",
        vec![Step::send("HTTP/1.1 fine OK\r\nContent-Length: 2\r\n\r\nok")];
    "bad-version", "an unknown protocol version",
        vec![Step::send("HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok")];
    "bad-header", "a header line without a colon",
        vec![Step::send("HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok")];
    "http09", "a body without any head", vec![Step::send("<p>This is 1991.</p>\r\n")];
    "garbage", "bytes that mean nothing",
        vec![Step::Send(Cow::Borrowed(b"\x16\x03\x01\x00\xff\xfe\x80\r\n\x00\x01\r\n\r\n"))];
    "length-too-long", "fewer bytes than Content-Length says",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")];
    "length-too-short", "more bytes than Content-Length says",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nmore than five bytes")];
    "length-invalid", "a Content-Length that is not a number",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nok")];
    "length-negative", "a negative Content-Length",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nok")];
    "length-conflict", "two different Content-Lengths",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nok")];
    "length-and-chunked", "Content-Length and chunked encoding at once",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")];
    "length-overflow", "a Content-Length beyond 64 bits",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok")];
    "chunk-bad-size", "a chunk size that is not hexadecimal",
        vec![Step::send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n")];
    "chunk-huge-size", "a chunk size beyond 64 bits",
        vec![Step::send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nok\r\n0\r\n\r\n")];
    "chunk-no-end", "a chunk that is longer than its size",
        vec![Step::send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n")];
    "chunk-truncated", "closed inside a chunk",
        vec![Step::send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf")];
    "chunk-no-last", "closed before the last chunk",
        vec![Step::send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")];
    "chunk-trailers", "fields behind the last chunk, which is allowed",
        vec![Step::send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n2;a=b\r\nok\r\n0\r\nX-Late: yes\r\n\r\n")];
    "gzip-truncated", "a gzip body that is cut", gzip_truncated();
    "gzip-garbage", "a gzip body that is not gzip",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip")];
    "gzip-bomb", "a gzip body of 256 KB that unpacks to 256 MiB", gzip_bomb();
    "unknown-encoding", "a Content-Encoding nobody knows",
        vec![Step::send("HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2\r\n\r\nbx")];
    "early-answer", "413 before the body is read, then closed",
        vec![Step::send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 8\r\nConnection: close\r\n\r\ntoo much")];
    "switching", "101 to a request that did not ask for it",
        vec![Step::ReadBody, Step::send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: nothing\r\nConnection: Upgrade\r\n\r\n")];
    "informational", "103 twice, then a good answer", vec![
        Step::ReadBody,
        Step::send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"),
        Step::send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"),
    ];
    "informational-flood", "103 without end",
        vec![repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n", ENDLESS, Duration::ZERO)];
    "unasked", "a good answer and a second one nobody asked for",
        vec![Step::ReadBody, Step::send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmore"), Step::Stall];
    "no-length", "a body that ends with the connection",
        vec![Step::ReadBody, Step::send("HTTP/1.1 200 OK\r\n\r\nuntil the end")];
    "redirect-nowhere", "a redirect without a location",
        vec![Step::ReadBody, Step::send("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")];
};

/// Names and descriptions of all faults.
pub fn faults() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAULTS.iter().map(|fault| (fault.name, fault.about))
}

/// The steps of the fault with that name.
pub(crate) fn steps(name: &str) -> Option<Vec<Step>> {
    let fault = FAULTS.iter().find(|fault| fault.name == name)?;
    Some((fault.steps)())
}

/// The handler of `/fault/{name}`.
pub(crate) fn answer(call: &Call<'_>) -> Reply {
    match steps(call.argument(0)) {
        Some(steps) => Reply::Wire(steps),
        None => Reply::new(404, "text/plain", "no such fault\n").closing(),
    }
}

/// Gives the client time to read what was sent before the reset discards it.
fn settle() -> Step {
    Step::Wait(Duration::from_millis(20))
}

fn repeat(bytes: &'static [u8], times: usize, pause: Duration) -> Step {
    Step::Repeat {
        bytes: Cow::Borrowed(bytes),
        times,
        pause,
    }
}

fn gzip_truncated() -> Vec<Step> {
    let whole = gzipped(std::iter::once(
        b"the end of this sentence never arrives".as_slice(),
    ));
    let cut = &whole[..whole.len() / 2];
    vec![Step::Send(Cow::Owned(with_gzip_head(cut)))]
}

fn gzip_bomb() -> Vec<Step> {
    const ZEROS: &[u8] = &[0; 64 * 1024];
    // Packing takes a second, which the other connections of the worker must not pay each time.
    static BOMB: OnceLock<Vec<u8>> = OnceLock::new();
    let bomb = BOMB.get_or_init(|| {
        with_gzip_head(&gzipped(std::iter::repeat_n(
            ZEROS,
            BOMB_BYTES / ZEROS.len(),
        )))
    });
    vec![Step::Send(Cow::Borrowed(bomb))]
}

fn gzipped<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for piece in pieces {
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(piece);
    }
    encoder.finish().unwrap_or_default()
}

fn with_gzip_head(body: &[u8]) -> Vec<u8> {
    let mut answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    answer.extend_from_slice(body);
    answer
}
