//! One exchange on a connection of HTTP/2: what is still to be sent, and what has come.
//!
//! Owns the state of a stream. Invariant: a slot belongs to one stream until the caller has taken what came of it.

use std::rc::Rc;
use std::task::Waker;

use crate::buffers::Buffer;
use crate::error::HttpError;
use crate::exchange::Stamps;
use crate::h1::{BodyMode, Head};

/// Names a stream; ids are never used twice on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamKey {
    pub(super) slot: u32,
    pub(super) id: u32,
}

/// How far a stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nobody's.
    #[default]
    Free,
    /// Under way.
    Open,
    /// Over; the caller has not taken it yet.
    Over,
}

/// What the caller wants of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) mode: BodyMode,
    /// The request is a HEAD, whose response has no body.
    pub(crate) head_request: bool,
    /// When to give up, monotonic; `u64::MAX` means never.
    pub(crate) deadline_ns: u64,
}

/// A stream's place.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub(super) id: u32,
    pub(super) phase: Phase,
    pub(super) waker: Option<Waker>,
    pub(super) mode: BodyMode,
    pub(super) head_request: bool,
    pub(super) deadline_ns: u64,
    pub(super) outcome: Outcome,
    /// Interim responses so far.
    pub(super) interims: u32,
    /// What the head promised.
    pub(super) length: Option<u64>,
    /// The rest of the body is `body[sent..]`.
    pub(super) body: Option<Rc<[u8]>>,
    pub(super) sent: usize,
    /// What we may send.
    pub(super) send_window: i64,
    /// What the server may send.
    pub(super) receive_window: i64,
}

/// What came of a stream.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) stamps: Stamps,
    pub(crate) head: Option<Head>,
    pub(crate) message: Buffer,
    pub(crate) body_bytes: u64,
    /// Why it failed.
    pub(crate) error: Option<HttpError>,
    /// The server has certainly not worked on it: it may be sent again, whatever it is.
    pub(crate) untouched: bool,
    /// Whether anything came for it.
    pub(crate) answered: bool,
}

impl Slot {
    /// What remains of the body.
    pub(super) fn rest(&self) -> &[u8] {
        let body = self.body.as_deref().unwrap_or_default();
        body.get(self.sent..).unwrap_or_default()
    }

    /// Notes the end of the stream and tells its owner.
    pub(super) fn finish(&mut self, error: Option<HttpError>) {
        self.phase = Phase::Over;
        self.outcome.error = error;
        self.body = None;
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }
}
