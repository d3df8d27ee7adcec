//! What the server sends, frame by frame.
//!
//! Owns the cutting of bytes into frames, the rules for every frame, and which stamp belongs to which stream.
//! Invariants: the result does not depend on how the bytes are cut (the stamps do); a server that breaks the rules
//! costs one stream or one connection, never more memory than the limits.

use netload_net::Read;

use super::error::ErrorCode;
use super::frame::{self, FrameHeader, HEADER_BYTES, flag, kind, setting};
use super::head::BadHead;
use super::session::{GoAway, Session};
use super::stream::Phase;
use super::{
    BLOCK_LIMIT_BYTES, CONNECTION_WINDOW_BYTES, CONTINUATION_LIMIT, FRAME_LIMIT_BYTES, H2Error,
    STREAM_WINDOW_BYTES, WINDOW_LIMIT_BYTES,
};
use crate::error::HttpError;
use crate::h1::{BODY_LIMIT_BYTES, BodyMode, H1Error, INTERIM_LIMIT};

/// Frames and header blocks that have not come in full.
#[derive(Debug, Default)]
pub(super) struct Partial {
    /// The start of a frame.
    frame: Vec<u8>,
    /// The read that brought its first byte.
    since: Option<Read>,
    block: Option<Block>,
    /// The fragments so far.
    fragments: Vec<u8>,
}

/// A header block whose end has not come.
#[derive(Clone, Copy, Debug)]
struct Block {
    stream: u32,
    end_stream: bool,
    first: Read,
    continuations: u32,
}

/// A frame with the reads that brought its first and its last byte.
struct Frame<'a> {
    header: FrameHeader,
    payload: &'a [u8],
    first: Read,
    last: Read,
}

type Handled = Result<(), ErrorCode>;

impl Session {
    /// Takes what one read brought.
    pub(crate) fn feed(&mut self, input: &[u8], read: Read) {
        if self.death().is_some() {
            return;
        }
        if let Err(code) = self.cut(input, read) {
            self.fail(code);
        }
    }

    /// Cuts bytes into frames; what is incomplete waits for more.
    fn cut(&mut self, mut input: &[u8], read: Read) -> Handled {
        if !self.partial.frame.is_empty() {
            let mut bytes = std::mem::take(&mut self.partial.frame);
            let complete = gather(&mut bytes, &mut input);
            if complete? {
                let first = self.partial.since.unwrap_or(read);
                let handled = self.frame(&bytes, first, read);
                bytes.clear();
                self.partial.frame = bytes;
                handled?;
            } else {
                self.partial.frame = bytes;
                return Ok(());
            }
        }
        while let Some(header) = FrameHeader::parse(input) {
            check_length(header)?;
            let Some((whole, rest)) = input.split_at_checked(HEADER_BYTES + header.length) else {
                break;
            };
            self.frame(whole, read, read)?;
            input = rest;
        }
        if !input.is_empty() {
            self.partial.frame.extend_from_slice(input);
            self.partial.since = Some(read);
        }
        Ok(())
    }

    /// Handles a whole frame.
    fn frame(&mut self, bytes: &[u8], first: Read, last: Read) -> Handled {
        let (Some(header), Some(payload)) = (FrameHeader::parse(bytes), bytes.get(HEADER_BYTES..))
        else {
            return Err(ErrorCode::FRAME_SIZE);
        };
        let frame = Frame {
            header,
            payload,
            first,
            last,
        };
        if !self.greeted {
            if header.kind != kind::SETTINGS || header.has(flag::ACK) {
                return Err(ErrorCode::PROTOCOL);
            }
            self.greeted = true;
        }
        // Nothing may come between the pieces of a header block.
        if self.partial.block.is_some() != (header.kind == kind::CONTINUATION) {
            return Err(ErrorCode::PROTOCOL);
        }
        match header.kind {
            kind::DATA => self.on_data(&frame),
            kind::HEADERS => self.on_headers(&frame),
            kind::CONTINUATION => self.on_continuation(&frame),
            kind::RST_STREAM => self.on_reset(&frame),
            kind::SETTINGS => self.on_settings(&frame),
            kind::PING => self.on_ping(&frame),
            kind::GOAWAY => self.on_goaway(&frame),
            kind::WINDOW_UPDATE => self.on_window_update(&frame),
            // We have forbidden it.
            kind::PUSH_PROMISE => Err(ErrorCode::PROTOCOL),
            kind::PRIORITY if header.length != 5 => Err(ErrorCode::FRAME_SIZE),
            // Unknown kinds are for others.
            _ => Ok(()),
        }
    }

    /// The place of the stream a frame is for; none when it is over already.
    fn place(&self, header: FrameHeader) -> Result<Option<u32>, ErrorCode> {
        if self.is_idle(header.stream) {
            return Err(ErrorCode::PROTOCOL);
        }
        Ok(self.find(header.stream))
    }

    fn on_data(&mut self, frame: &Frame<'_>) -> Handled {
        let place = self.place(frame.header)?;
        let bytes = frame.header.length as i64;
        self.receive_window -= bytes;
        if self.receive_window < 0 {
            return Err(ErrorCode::FLOW_CONTROL);
        }
        if self.receive_window < CONNECTION_WINDOW_BYTES / 2 {
            let more = (CONNECTION_WINDOW_BYTES - self.receive_window) as u32;
            self.answer(kind::WINDOW_UPDATE, 0, 0, &more.to_be_bytes())?;
            self.receive_window = CONNECTION_WINDOW_BYTES;
        }
        let data = frame::content(frame.header, frame.payload).ok_or(ErrorCode::PROTOCOL)?;
        let Some(place) = place else { return Ok(()) };
        let slot = &mut self.slots[place as usize];
        slot.receive_window -= bytes;
        let lawless = slot.outcome.head.is_none() || (slot.head_request && !data.is_empty());
        if slot.receive_window < 0 || lawless {
            let code = match lawless {
                true => ErrorCode::PROTOCOL,
                false => ErrorCode::FLOW_CONTROL,
            };
            return self.reset(place, code, Some(H2Error::Stream(code).into()));
        }
        let before = slot.outcome.body_bytes;
        let total = before + data.len() as u64;
        slot.outcome.body_bytes = total;
        if let Some(length) = slot.length.filter(|length| total > *length) {
            slot.outcome.body_bytes = length;
            if slot.mode == BodyMode::Keep {
                let promised = &data[..(length - before) as usize];
                slot.outcome.message.extend_from_slice(promised);
            }
            let error = H2Error::BodyTooLong;
            return self.reset(place, ErrorCode::PROTOCOL, Some(error.into()));
        }
        if slot.mode == BodyMode::Keep {
            if total > BODY_LIMIT_BYTES {
                let error = H1Error::BodyTooLarge;
                return self.reset(place, ErrorCode::CANCEL, Some(error.into()));
            }
            slot.outcome.message.extend_from_slice(data);
        }
        slot.arrived(frame.last);
        if frame.header.has(flag::END_STREAM) {
            return self.complete(place);
        }
        if slot.receive_window < STREAM_WINDOW_BYTES / 2 {
            let more = (STREAM_WINDOW_BYTES - slot.receive_window) as u32;
            slot.receive_window = STREAM_WINDOW_BYTES;
            let id = frame.header.stream;
            self.answer(kind::WINDOW_UPDATE, 0, id, &more.to_be_bytes())?;
        }
        Ok(())
    }

    fn on_headers(&mut self, frame: &Frame<'_>) -> Handled {
        let fragment = frame::content(frame.header, frame.payload).ok_or(ErrorCode::PROTOCOL)?;
        if self.is_idle(frame.header.stream) {
            return Err(ErrorCode::PROTOCOL);
        }
        let block = Block {
            stream: frame.header.stream,
            end_stream: frame.header.has(flag::END_STREAM),
            first: frame.first,
            continuations: 0,
        };
        if frame.header.has(flag::END_HEADERS) {
            return self.on_block(block, fragment, frame.last);
        }
        self.partial.fragments.clear();
        self.partial.fragments.extend_from_slice(fragment);
        self.partial.block = Some(block);
        Ok(())
    }

    fn on_continuation(&mut self, frame: &Frame<'_>) -> Handled {
        let Some(mut block) = self.partial.block.take() else {
            return Err(ErrorCode::PROTOCOL);
        };
        if block.stream != frame.header.stream {
            return Err(ErrorCode::PROTOCOL);
        }
        block.continuations += 1;
        let bytes = self.partial.fragments.len() + frame.payload.len();
        if block.continuations > CONTINUATION_LIMIT || bytes > BLOCK_LIMIT_BYTES {
            return Err(ErrorCode::ENHANCE_YOUR_CALM);
        }
        self.partial.fragments.extend_from_slice(frame.payload);
        if !frame.header.has(flag::END_HEADERS) {
            self.partial.block = Some(block);
            return Ok(());
        }
        let fragments = std::mem::take(&mut self.partial.fragments);
        let handled = self.on_block(block, &fragments, frame.last);
        self.partial.fragments = fragments;
        handled
    }

    /// A whole header block: an interim response, the head, or trailers.
    fn on_block(&mut self, block: Block, bytes: &[u8], last: Read) -> Handled {
        let Some(place) = self.find(block.stream) else {
            return self.heads.skip(bytes).map_err(|_| ErrorCode::COMPRESSION);
        };
        let slot = &mut self.slots[place as usize];
        if slot.outcome.stamps.t5_first_ns == 0 {
            slot.outcome.stamps.krx_first_ns = block.first.kernel_ns;
            slot.outcome.stamps.t5_first_ns = block.first.returned_ns;
        }
        slot.arrived(last);
        if slot.outcome.head.is_some() {
            self.heads.skip(bytes).map_err(|_| ErrorCode::COMPRESSION)?;
            return match block.end_stream {
                true => self.complete(place),
                false => self.malformed(place),
            };
        }
        let answer = match self.heads.read(bytes, &mut slot.outcome.message) {
            Ok(answer) => answer,
            Err(BadHead::Block) => return Err(ErrorCode::COMPRESSION),
            Err(BadHead::Malformed) => return self.malformed(place),
            Err(BadHead::TooLong) => {
                return self.reset(
                    place,
                    ErrorCode::PROTOCOL,
                    Some(H2Error::HeadTooLong.into()),
                );
            }
        };
        if (100..200).contains(&answer.head.status) {
            slot.interims += 1;
            slot.outcome.message.clear();
            if block.end_stream || answer.head.status == 101 {
                return self.malformed(place);
            }
            if slot.interims > INTERIM_LIMIT {
                return self.reset(place, ErrorCode::PROTOCOL, Some(H1Error::Interim.into()));
            }
            return Ok(());
        }
        let bodiless = slot.head_request || matches!(answer.head.status, 204 | 304);
        slot.length = answer.length.filter(|_| !bodiless);
        slot.outcome.head = Some(answer.head);
        match block.end_stream {
            true => self.complete(place),
            false => Ok(()),
        }
    }

    /// The response breaks the rules in a way that only costs its stream.
    fn malformed(&mut self, place: u32) -> Handled {
        let code = ErrorCode::PROTOCOL;
        self.reset(place, code, Some(H2Error::Stream(code).into()))
    }

    /// The last frame of a response has come.
    fn complete(&mut self, place: u32) -> Handled {
        let slot = &self.slots[place as usize];
        if slot.outcome.head.is_none() {
            return self.malformed(place);
        }
        let cut = slot
            .length
            .is_some_and(|length| slot.outcome.body_bytes < length);
        let error: Option<HttpError> = cut.then(|| H1Error::EofInBody.into());
        if slot.body.is_some() {
            // The server needs no more of the request.
            return self.reset(place, ErrorCode::CANCEL, error);
        }
        self.end(place, error);
        Ok(())
    }

    fn on_reset(&mut self, frame: &Frame<'_>) -> Handled {
        if frame.payload.len() != 4 {
            return Err(ErrorCode::FRAME_SIZE);
        }
        let Some(place) = self.place(frame.header)? else {
            return Ok(());
        };
        let code = ErrorCode(frame::number(frame.payload));
        let slot = &mut self.slots[place as usize];
        slot.outcome.untouched = code == ErrorCode::REFUSED_STREAM;
        slot.arrived(frame.last);
        self.end(place, Some(H2Error::Stream(code).into()));
        Ok(())
    }

    fn on_settings(&mut self, frame: &Frame<'_>) -> Handled {
        if frame.header.stream != 0 {
            return Err(ErrorCode::PROTOCOL);
        }
        if frame.header.has(flag::ACK) {
            return match frame.payload.is_empty() {
                true => Ok(()),
                false => Err(ErrorCode::FRAME_SIZE),
            };
        }
        if !frame.payload.len().is_multiple_of(6) {
            return Err(ErrorCode::FRAME_SIZE);
        }
        for (name, value) in frame::settings(frame.payload) {
            self.on_setting(name, value)?;
        }
        self.answer(kind::SETTINGS, flag::ACK, 0, &[])?;
        self.pump();
        Ok(())
    }

    fn on_setting(&mut self, name: u16, value: u32) -> Handled {
        match name {
            setting::HEADER_TABLE_SIZE => {
                // Only going below what counted before has to be announced; we announce none at all, once.
                self.announce_no_table |= value < self.peer.table_bytes;
                self.peer.table_bytes = self.peer.table_bytes.min(value);
            }
            setting::ENABLE_PUSH if value != 0 => return Err(ErrorCode::PROTOCOL),
            setting::MAX_CONCURRENT_STREAMS => self.peer.streams = value,
            setting::INITIAL_WINDOW_SIZE => {
                let bytes = i64::from(value);
                if bytes > WINDOW_LIMIT_BYTES {
                    return Err(ErrorCode::FLOW_CONTROL);
                }
                self.set_initial_window(bytes)?;
            }
            // Larger frames than we take we never send either.
            setting::MAX_FRAME_SIZE if !FRAME_SIZES.contains(&value) => {
                return Err(ErrorCode::PROTOCOL);
            }
            _ => {}
        }
        Ok(())
    }

    fn on_ping(&mut self, frame: &Frame<'_>) -> Handled {
        if frame.header.stream != 0 {
            return Err(ErrorCode::PROTOCOL);
        }
        if frame.payload.len() != 8 {
            return Err(ErrorCode::FRAME_SIZE);
        }
        match frame.header.has(flag::ACK) {
            true => Ok(()),
            false => self.answer(kind::PING, flag::ACK, 0, frame.payload),
        }
    }

    fn on_goaway(&mut self, frame: &Frame<'_>) -> Handled {
        if frame.header.stream != 0 {
            return Err(ErrorCode::PROTOCOL);
        }
        if frame.payload.len() < 8 {
            return Err(ErrorCode::FRAME_SIZE);
        }
        self.go_away(GoAway {
            last: frame::number(frame.payload) & 0x7fff_ffff,
            code: ErrorCode(frame::number(&frame.payload[4..])),
        });
        Ok(())
    }

    fn on_window_update(&mut self, frame: &Frame<'_>) -> Handled {
        if frame.payload.len() != 4 {
            return Err(ErrorCode::FRAME_SIZE);
        }
        let more = i64::from(frame::number(frame.payload) & 0x7fff_ffff);
        if frame.header.stream == 0 {
            self.send_window += more;
            if more == 0 {
                return Err(ErrorCode::PROTOCOL);
            }
            if self.send_window > WINDOW_LIMIT_BYTES {
                return Err(ErrorCode::FLOW_CONTROL);
            }
        } else if let Some(place) = self.place(frame.header)? {
            let slot = &mut self.slots[place as usize];
            slot.send_window += more;
            let code = match more {
                0 => Some(ErrorCode::PROTOCOL),
                _ if slot.send_window > WINDOW_LIMIT_BYTES => Some(ErrorCode::FLOW_CONTROL),
                _ => None,
            };
            if let Some(code) = code {
                return self.reset(place, code, Some(H2Error::Stream(code).into()));
            }
        }
        self.pump();
        Ok(())
    }
}

impl super::stream::Slot {
    /// Something came for the stream.
    fn arrived(&mut self, read: Read) {
        debug_assert!(self.phase == Phase::Open);
        self.outcome.answered = true;
        if self.outcome.stamps.t5_first_ns != 0 {
            self.outcome.stamps.krx_last_ns = read.kernel_ns;
            self.outcome.stamps.t5_last_ns = read.returned_ns;
        }
    }
}

/// What a server may say about the longest frame it takes.
const FRAME_SIZES: std::ops::Range<u32> = FRAME_LIMIT_BYTES as u32..1 << 24;

fn check_length(header: FrameHeader) -> Handled {
    match header.length {
        ..=FRAME_LIMIT_BYTES => Ok(()),
        _ => Err(ErrorCode::FRAME_SIZE),
    }
}

/// Completes the start of a frame from `input`, as far as it goes; tells whether the frame is whole.
fn gather(frame: &mut Vec<u8>, input: &mut &[u8]) -> Result<bool, ErrorCode> {
    loop {
        let header = FrameHeader::parse(frame);
        let whole = match header {
            Some(header) => {
                check_length(header)?;
                HEADER_BYTES + header.length
            }
            None => HEADER_BYTES,
        };
        let missing = whole - frame.len();
        if missing == 0 {
            return Ok(true);
        }
        if input.is_empty() {
            return Ok(false);
        }
        let (piece, rest) = input.split_at(missing.min(input.len()));
        frame.extend_from_slice(piece);
        *input = rest;
    }
}
