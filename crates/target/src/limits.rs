//! Every limit of the server in one place, each with its unit and reason.

use std::time::Duration;

/// How long a closed connection is read on, so that the client gets the answer.
pub(crate) const LINGER: Duration = Duration::from_secs(2);
/// Longest request head, in bytes: enough for any sensible test of large headers.
pub(crate) const HEAD_BYTES: usize = 256 * 1024;
/// Most header fields in one request.
pub(crate) const HEADER_FIELDS: usize = 256;
/// Largest request body, in bytes; larger ones are answered with 413.
pub(crate) const BODY_BYTES: usize = 256 * 1024 * 1024;
/// Room for a first read, in bytes; grows up to what a request needs.
pub(crate) const INPUT_BYTES: usize = 16 * 1024;
/// Answers to pipelined requests are sent when they exceed this many bytes.
pub(crate) const OUTPUT_BYTES: usize = 256 * 1024;
/// Largest body that `/bytes/N` and its like produce, in bytes.
pub(crate) const PRODUCED_BYTES: usize = 256 * 1024 * 1024;
/// Longest service time that a path can ask for, in seconds.
pub(crate) const DELAY_SECONDS: u64 = 600;
/// Longest chain of `/redirect/N`.
pub(crate) const REDIRECTS: usize = 1_000;
/// Requests kept in the log; later ones are only counted.
pub(crate) const LOGGED_REQUESTS: usize = 100_000;
/// Bytes of a body that the log keeps as text; its length and hash are always kept.
pub(crate) const LOGGED_BODY_BYTES: usize = 4 * 1024;
/// Accepted connections waiting to be picked up by a worker.
pub(crate) const ACCEPTED_WAITING: usize = 4 * 1024;
/// Pending connections in the kernel's accept queue.
pub(crate) const ACCEPT_QUEUE: u32 = 4 * 1024;
/// Pause after a failed accept.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(10);
/// Connections served at the same time by one server; later ones are closed.
pub(crate) const CONNECTIONS: usize = 200_000;
/// Parts in one multipart body.
pub(crate) const MULTIPART_PARTS: usize = 1_000;
/// Names that `/counter/NAME` remembers.
pub(crate) const COUNTERS: usize = 10_000;
/// Places that `/queue/TIME/PLACES` may have.
pub(crate) const QUEUE_PLACES: u32 = 1_000;
/// Requests that one thread's service log holds, 32 bytes each; later ones are only counted.
pub(crate) const SERVED_REQUESTS: usize = 8 * 1024 * 1024;
/// Answers of one connection whose send stamps are waited for; older ones are logged without.
pub(crate) const STAMPS_AWAITED: usize = 1024;
/// The kernel may take this long to begin stamping; a few milliseconds were seen.
pub(crate) const STAMPS_START: Duration = Duration::from_secs(2);
/// A request read later than this after its arrival counts as arrived when it was read: rather the wall clock was set.
pub(crate) const STAMP_AGE: Duration = Duration::from_secs(1);
