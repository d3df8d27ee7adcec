//! HTTP/2 as bytes, and the task that moves them.
//!
//! Owns framing, HPACK, streams, flow control and their limits (RFC 9113, RFC 7541) for a client. `link` alone does
//! I/O; everything else takes bytes and instants. Invariant: the stamps of a stream are those of the reads and writes
//! that carried its own frames.

mod error;
mod frame;
mod head;
mod hpack;
mod huffman;
mod link;
mod reason;
mod receive;
mod request;
mod session;
mod stream;
mod table;
#[cfg(test)]
mod tests;

pub use error::{ErrorCode, H2Error};
pub(crate) use link::Link;
pub(crate) use request::Outgoing;
pub(crate) use stream::{Outcome, Wanted};

/// Longest frame we take or send, in bytes of payload: the least that everybody must take.
pub const FRAME_LIMIT_BYTES: usize = 16_384;

/// What a server may send on a stream before we ask for more, in bytes.
pub const STREAM_WINDOW_BYTES: i64 = 4 << 20;

/// What a server may send on a connection before we ask for more, in bytes.
pub const CONNECTION_WINDOW_BYTES: i64 = 1 << 30;

/// Both windows before anybody has said anything, in bytes.
const DEFAULT_WINDOW_BYTES: i64 = 65_535;

/// Largest window there can be, in bytes.
const WINDOW_LIMIT_BYTES: i64 = 0x7fff_ffff;

/// Streams at once on a connection while the server has not said how many it takes.
pub const FIRST_STREAMS: u32 = 100;

/// Most streams at once on a connection, whatever the server takes.
pub const STREAMS_LIMIT: u32 = 10_000;

/// Longest header block, in bytes as sent.
pub const BLOCK_LIMIT_BYTES: usize = 256 * 1024;

/// Most CONTINUATION frames of a header block.
pub const CONTINUATION_LIMIT: u32 = 64;

/// Bodies wait while this much is queued for the socket, in bytes.
const OUT_TARGET_BYTES: usize = 64 * 1024;

/// Most bytes that are queued for the socket; a connection that has so many takes no more streams and no answers.
pub const OUT_LIMIT_BYTES: usize = 1 << 20;
