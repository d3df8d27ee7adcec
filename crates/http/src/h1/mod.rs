//! HTTP/1.1 as bytes: requests to bytes, bytes to responses.
//!
//! Owns framing and its limits; does no I/O and reads no clock. Invariant: a response decodes to the same result
//! however its bytes are cut into pieces.

mod chunked;
mod decode;
mod head;
mod recent;

pub use decode::{BodyMode, Decoder, Progress};
pub use head::{Head, HeaderIter, Version};
pub use recent::RecentHeads;

/// Longest response head, in bytes.
pub const HEAD_LIMIT_BYTES: usize = 256 * 1024;

/// Most header lines in a response.
pub const HEADER_LIMIT: usize = 256;

/// Most interim (1xx) responses before the final one.
pub const INTERIM_LIMIT: u32 = 5;

/// Longest chunk-size line, extensions included, in bytes.
pub const CHUNK_LINE_LIMIT_BYTES: usize = 4096;

/// Largest response body that is kept, in bytes. Discarded bodies have no limit.
pub const BODY_LIMIT_BYTES: u64 = 1 << 30;

/// Most bytes of a broken response that are quoted in an error.
pub const QUOTE_LIMIT_BYTES: usize = 64;

/// A response that breaks the rules, in the words of Go's client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum H1Error {
    /// The first line is not that of an HTTP/1.x response.
    #[error("malformed HTTP response {0:?}")]
    Line(String),
    /// The head breaks the rules behind its first line.
    #[error("{0}")]
    Head(String),
    /// The head goes on and on.
    #[error("HTTP response head exceeds {HEAD_LIMIT_BYTES} bytes")]
    HeadTooLong,
    /// `Content-Length` is not a number.
    #[error("bad Content-Length {0:?}")]
    ContentLength(String),
    /// Several different `Content-Length`s.
    #[error("http: message cannot contain multiple Content-Length headers; got [\"{0}\" \"{1}\"]")]
    ContentLengthConflict(u64, u64),
    /// A transfer coding other than `chunked`.
    #[error("unsupported transfer encoding: {0:?}")]
    TransferEncoding(String),
    /// More interim responses than anybody needs.
    #[error("net/http: too many 1xx informational responses")]
    Interim,
    /// The server wants to speak something else.
    #[error("unsupported response status: 101 Switching Protocols")]
    SwitchingProtocols,
    /// A chunk's size line or end is wrong.
    #[error("malformed chunked encoding")]
    Chunk,
    /// A chunk's size line is too long.
    #[error("header line too long")]
    ChunkLine,
    /// The connection ended before the head did.
    #[error("EOF")]
    EofInHead,
    /// The connection ended before the body did.
    #[error("unexpected EOF")]
    EofInBody,
    /// The body is larger than what is kept.
    #[error("response body exceeds {BODY_LIMIT_BYTES} bytes")]
    BodyTooLarge,
}
