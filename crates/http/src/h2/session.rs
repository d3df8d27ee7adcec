//! One connection of HTTP/2 without its socket: streams in, bytes out.
//!
//! Owns the streams, both flow controls of what is sent, and the instants of writing. What comes from the server is
//! `receive`'s. Reads no clock and no socket. Invariants: a stream ends exactly once; bytes leave in the order they
//! were queued; the queue is bounded.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use netload_net::NetError;

use super::error::ErrorCode;
use super::frame::{self, flag, kind, setting};
use super::head::Heads;
use super::receive::Partial;
use super::request::Outgoing;
use super::stream::{Outcome, Phase, Slot, StreamKey, Wanted};
use super::{
    CONNECTION_WINDOW_BYTES, DEFAULT_WINDOW_BYTES, FIRST_STREAMS, H2Error, OUT_LIMIT_BYTES,
    OUT_TARGET_BYTES, STREAM_WINDOW_BYTES, STREAMS_LIMIT, hpack,
};
use crate::buffers::Buffer;
use crate::error::HttpError;
use crate::exchange::Stamps;
use crate::h1::{H1Error, HEAD_LIMIT_BYTES};

/// The highest id of a stream that a client may use.
const LAST_ID: u32 = 0x7fff_ffff;

/// What the server has announced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    pub(super) streams: u32,
    pub(super) initial_window: i64,
    /// Its table for our fields; we use none.
    pub(super) table_bytes: u32,
}

/// The server goes away.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoAway {
    pub(super) last: u32,
    pub(super) code: ErrorCode,
}

/// A place in the bytes that leave, and what its leaving means.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// It is passed when so many bytes have left.
    upto: u64,
    key: StreamKey,
    end: bool,
}

/// One connection.
pub(crate) struct Session {
    pub(super) heads: Heads,
    pub(super) partial: Partial,
    pub(super) slots: Vec<Slot>,
    free: Vec<u32>,
    by_id: HashMap<u32, u32, BuildHasherDefault<IdHasher>>,
    pub(super) next_id: u32,
    pub(super) peer: Peer,
    pub(super) send_window: i64,
    pub(super) receive_window: i64,
    /// Queued bytes; those before `out_done` have left.
    out: Vec<u8>,
    out_done: usize,
    /// How many bytes had left when `out` was last emptied.
    out_base: u64,
    marks: VecDeque<Mark>,
    /// Streams with more body to send.
    senders: VecDeque<StreamKey>,
    /// The next head has to announce that our table is empty.
    pub(super) announce_no_table: bool,
    pub(super) going_away: Option<GoAway>,
    /// Whether anything came from the server yet.
    pub(super) greeted: bool,
    dead: Option<HttpError>,
    /// No stream's deadline is before this.
    deadline_ns: u64,
}

impl Session {
    /// A connection that has just been established.
    pub(crate) fn new() -> Self {
        let mut out = Vec::with_capacity(4096);
        out.extend_from_slice(frame::PREFACE);
        let settings = [
            (setting::ENABLE_PUSH, 0),
            (setting::INITIAL_WINDOW_SIZE, STREAM_WINDOW_BYTES as u32),
            (setting::MAX_HEADER_LIST_SIZE, HEAD_LIMIT_BYTES as u32),
        ];
        frame::put_settings(&settings, &mut out);
        let more = (CONNECTION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES) as u32;
        frame::put(kind::WINDOW_UPDATE, 0, 0, &more.to_be_bytes(), &mut out);
        Self {
            heads: Heads::default(),
            partial: Partial::default(),
            slots: Vec::new(),
            free: Vec::new(),
            by_id: HashMap::default(),
            next_id: 1,
            peer: Peer {
                streams: FIRST_STREAMS,
                initial_window: DEFAULT_WINDOW_BYTES,
                table_bytes: hpack::TABLE_LIMIT_BYTES as u32,
            },
            send_window: DEFAULT_WINDOW_BYTES,
            receive_window: CONNECTION_WINDOW_BYTES,
            out,
            out_done: 0,
            out_base: 0,
            marks: VecDeque::new(),
            senders: VecDeque::new(),
            announce_no_table: false,
            going_away: None,
            greeted: false,
            dead: None,
            deadline_ns: u64::MAX,
        }
    }

    /// Whether no further stream will ever be opened.
    pub(crate) fn is_closed(&self) -> bool {
        self.dead.is_some() || self.going_away.is_some() || self.next_id > LAST_ID
    }

    /// Why the connection is lost.
    pub(crate) fn death(&self) -> Option<&HttpError> {
        self.dead.as_ref()
    }

    /// Whether a stream may be opened now.
    pub(crate) fn has_room(&self) -> bool {
        let most = self.peer.streams.min(STREAMS_LIMIT) as usize;
        !self.is_closed() && self.by_id.len() < most && self.unsent().len() < OUT_LIMIT_BYTES
    }

    /// Whether a stream was opened before.
    pub(crate) fn is_used(&self) -> bool {
        self.next_id > 1
    }

    /// Streams under way.
    pub(crate) fn active(&self) -> usize {
        self.by_id.len()
    }

    /// Opens a stream and queues its request. To be called only while there is room.
    pub(crate) fn open(
        &mut self,
        request: &Outgoing,
        wanted: Wanted,
        message: Buffer,
    ) -> StreamKey {
        let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
        if slot as usize == self.slots.len() {
            self.slots.push(Slot::default());
        }
        let key = StreamKey {
            slot,
            id: self.next_id,
        };
        self.next_id += 2;
        self.by_id.insert(key.id, slot);
        self.deadline_ns = self.deadline_ns.min(wanted.deadline_ns);
        let place = &mut self.slots[slot as usize];
        *place = Slot {
            id: key.id,
            phase: Phase::Open,
            waker: place.waker.take(),
            mode: wanted.mode,
            head_request: wanted.head_request,
            deadline_ns: wanted.deadline_ns,
            outcome: Outcome {
                message,
                ..Outcome::default()
            },
            body: request.body.clone(),
            send_window: self.peer.initial_window,
            receive_window: STREAM_WINDOW_BYTES,
            ..Slot::default()
        };
        let bodiless = request.body.is_none();
        self.mark(key, 1, false);
        self.put_head(key.id, &request.block, bodiless);
        if bodiless {
            self.mark(key, 0, true);
        } else {
            self.senders.push_back(key);
            self.pump();
        }
        key
    }

    fn put_head(&mut self, id: u32, block: &[u8], bodiless: bool) {
        let announced;
        let mut rest = block;
        if std::mem::take(&mut self.announce_no_table) {
            let mut whole = Vec::with_capacity(block.len() + 1);
            hpack::write_no_table(&mut whole);
            whole.extend_from_slice(block);
            announced = whole;
            rest = &announced;
        }
        let mut kind = kind::HEADERS;
        let mut flags = if bodiless { flag::END_STREAM } else { 0 };
        loop {
            let (piece, behind) = rest.split_at(rest.len().min(super::FRAME_LIMIT_BYTES));
            if behind.is_empty() {
                flags |= flag::END_HEADERS;
            }
            frame::put(kind, flags, id, piece, &mut self.out);
            if behind.is_empty() {
                return;
            }
            (rest, kind, flags) = (behind, kind::CONTINUATION, 0);
        }
    }

    /// Remembers the end of the queue plus `ahead` as the begin or end of a request.
    fn mark(&mut self, key: StreamKey, ahead: u64, end: bool) {
        self.marks.push_back(Mark {
            upto: self.out_base + self.out.len() as u64 + ahead,
            key,
            end,
        });
    }

    /// Queues as much of the bodies as windows and queue allow, in turns.
    pub(super) fn pump(&mut self) {
        while self.pump_round() {}
    }

    /// One frame of every body that may send. Tells whether it was worth it.
    fn pump_round(&mut self) -> bool {
        let mut progress = false;
        for _ in 0..self.senders.len() {
            let Some(key) = self.senders.pop_front() else {
                break;
            };
            let queued = self.unsent().len();
            let slot = &mut self.slots[key.slot as usize];
            if slot.id != key.id || slot.phase != Phase::Open {
                continue;
            }
            let window = slot.send_window.min(self.send_window).max(0) as usize;
            let bytes = slot.rest().len().min(window).min(super::FRAME_LIMIT_BYTES);
            if bytes == 0 || queued >= OUT_TARGET_BYTES {
                self.senders.push_back(key);
                continue;
            }
            progress = true;
            slot.send_window -= bytes as i64;
            self.send_window -= bytes as i64;
            let last = bytes == slot.rest().len();
            let flags = if last { flag::END_STREAM } else { 0 };
            frame::put(
                kind::DATA,
                flags,
                key.id,
                &slot.rest()[..bytes],
                &mut self.out,
            );
            slot.sent += bytes;
            if last {
                slot.body = None;
                self.mark(key, 0, true);
            } else {
                self.senders.push_back(key);
            }
        }
        progress
    }

    /// Queues an answer that the server provokes.
    ///
    /// # Errors
    /// When it provokes them faster than it takes them.
    pub(super) fn answer(
        &mut self,
        kind: u8,
        flags: u8,
        id: u32,
        payload: &[u8],
    ) -> Result<(), ErrorCode> {
        if self.unsent().len() >= OUT_LIMIT_BYTES {
            return Err(ErrorCode::ENHANCE_YOUR_CALM);
        }
        frame::put(kind, flags, id, payload, &mut self.out);
        Ok(())
    }

    /// Bytes that have to leave.
    pub(crate) fn unsent(&self) -> &[u8] {
        &self.out[self.out_done..]
    }

    /// Whether among them is the beginning or the end of a request.
    pub(crate) fn sends_requests(&self) -> bool {
        !self.marks.is_empty()
    }

    /// `bytes` of [`Session::unsent`] were taken by a write between two instants, and leave `delay_ns` after the first.
    pub(crate) fn left(&mut self, bytes: usize, (before_ns, after_ns): (u64, u64), delay_ns: u64) {
        self.out_done += bytes;
        let upto = self.out_base + self.out_done as u64;
        while let Some(mark) = self.marks.front().filter(|mark| mark.upto <= upto) {
            if let Some(slot) = self.slots.get_mut(mark.key.slot as usize)
                && slot.id == mark.key.id
            {
                let stamps = &mut slot.outcome.stamps;
                match mark.end {
                    false => {
                        stamps.t2_before_write_ns = before_ns;
                        stamps.left_ns = before_ns + delay_ns;
                    }
                    true => stamps.t3_after_write_ns = after_ns,
                }
            }
            self.marks.pop_front();
        }
        if self.out_done == self.out.len() {
            self.out_base = upto;
            self.out.clear();
            self.out_done = 0;
        }
        if !self.senders.is_empty() {
            self.pump();
        }
    }

    /// The stream with that id, if it is under way.
    pub(super) fn find(&self, id: u32) -> Option<u32> {
        self.by_id.get(&id).copied()
    }

    /// Whether the stream was never opened by us.
    pub(super) fn is_idle(&self, id: u32) -> bool {
        id >= self.next_id || id.is_multiple_of(2)
    }

    /// Ends a stream.
    pub(super) fn end(&mut self, slot: u32, error: Option<HttpError>) {
        let place = &mut self.slots[slot as usize];
        self.by_id.remove(&place.id);
        place.finish(error);
    }

    /// Ends a stream and tells the server.
    pub(super) fn reset(
        &mut self,
        slot: u32,
        code: ErrorCode,
        error: Option<HttpError>,
    ) -> Result<(), ErrorCode> {
        let id = self.slots[slot as usize].id;
        self.end(slot, error);
        self.answer(kind::RST_STREAM, 0, id, &code.0.to_be_bytes())
    }

    /// Whether the stream is over; if not, its owner is woken when it is.
    pub(crate) fn is_over(&mut self, key: StreamKey, cx: &std::task::Context<'_>) -> bool {
        let slot = &mut self.slots[key.slot as usize];
        if slot.phase != Phase::Open {
            return true;
        }
        let known = slot.waker.as_ref().is_some_and(|w| w.will_wake(cx.waker()));
        if !known {
            slot.waker = Some(cx.waker().clone());
        }
        false
    }

    /// What came of a stream that is over. Its place is free then.
    pub(crate) fn take(&mut self, key: StreamKey) -> Outcome {
        let slot = &mut self.slots[key.slot as usize];
        slot.phase = Phase::Free;
        slot.id = 0;
        self.free.push(key.slot);
        std::mem::take(&mut slot.outcome)
    }

    /// The owner of a stream has lost interest. Tells whether the server has to be told.
    pub(crate) fn abandon(&mut self, key: StreamKey) -> bool {
        let slot = &self.slots[key.slot as usize];
        if slot.id != key.id {
            return false;
        }
        let open = slot.phase == Phase::Open;
        if open {
            // If even this cannot be queued the connection is stuck, and will be noticed to be.
            let _ = self.reset(key.slot, ErrorCode::CANCEL, None);
        }
        self.take(key);
        open
    }

    /// No stream's deadline is before this instant.
    pub(crate) fn deadline_ns(&self) -> u64 {
        self.deadline_ns
    }

    /// Ends the streams whose deadlines have passed.
    pub(crate) fn expire(&mut self, now_ns: u64) {
        self.deadline_ns = u64::MAX;
        for at in 0..self.slots.len() {
            let slot = &mut self.slots[at];
            if slot.phase != Phase::Open {
                continue;
            }
            if slot.deadline_ns > now_ns {
                self.deadline_ns = self.deadline_ns.min(slot.deadline_ns);
                continue;
            }
            // The silence before it belongs to the phase the response was in.
            let stamps: &mut Stamps = &mut slot.outcome.stamps;
            stamps.t6_done_ns = now_ns;
            if stamps.t5_first_ns != 0 {
                stamps.krx_last_ns = None;
                stamps.t5_last_ns = now_ns;
            }
            let timeout = Some(NetError::Timeout.into());
            let _ = self.reset(at as u32, ErrorCode::CANCEL, timeout);
        }
    }

    /// The connection broke: all streams end. `error` is the reason, none for the server's goodbye.
    pub(crate) fn lose(&mut self, error: Option<NetError>) {
        if self.dead.is_some() {
            return;
        }
        let reason = match (error, self.going_away) {
            (_, Some(goaway)) => H2Error::GoAway(goaway.code).into(),
            (Some(error), None) => error.into(),
            (None, None) if !self.greeted => H2Error::NotHttp2.into(),
            (None, None) => H1Error::EofInBody.into(),
        };
        self.die(reason);
    }

    /// The server broke the rules: all streams end, and it is told why.
    pub(super) fn fail(&mut self, code: ErrorCode) {
        if self.dead.is_some() {
            return;
        }
        let mut payload = [0; 8];
        payload[4..].copy_from_slice(&code.0.to_be_bytes());
        frame::put(kind::GOAWAY, 0, 0, &payload, &mut self.out);
        let reason = match self.greeted {
            true => H2Error::Connection(code),
            false => H2Error::NotHttp2,
        };
        self.die(reason.into());
    }

    fn die(&mut self, reason: HttpError) {
        for at in 0..self.slots.len() {
            if self.slots[at].phase == Phase::Open {
                self.end(at as u32, Some(reason.clone()));
            }
        }
        self.dead = Some(reason);
    }

    /// The server goes away: streams it has not seen end, and may be sent again elsewhere.
    pub(super) fn go_away(&mut self, goaway: GoAway) {
        let last = self
            .going_away
            .map_or(goaway.last, |old| old.last.min(goaway.last));
        self.going_away = Some(GoAway { last, ..goaway });
        for at in 0..self.slots.len() {
            let slot = &mut self.slots[at];
            if slot.phase == Phase::Open && slot.id > last {
                slot.outcome.untouched = true;
                let error = H2Error::GoAway(goaway.code);
                self.end(at as u32, Some(error.into()));
            }
        }
    }

    /// Changes what every stream may send.
    ///
    /// # Errors
    /// When a window grows beyond its limit.
    pub(super) fn set_initial_window(&mut self, bytes: i64) -> Result<(), ErrorCode> {
        let change = bytes - self.peer.initial_window;
        self.peer.initial_window = bytes;
        for slot in &mut self.slots {
            slot.send_window += change;
            if slot.phase == Phase::Open && slot.send_window > super::WINDOW_LIMIT_BYTES {
                return Err(ErrorCode::FLOW_CONTROL);
            }
        }
        Ok(())
    }
}

/// Ids of streams are all different already; this only spreads them.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, id: u32) {
        self.0 = u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
