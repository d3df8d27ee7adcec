//! Bytes in, one response out.
//!
//! Owns the decoding of a whole response, interim ones skipped. Invariant: `out` holds the raw head followed by the
//! body without its framing, also when the response turns out broken.

use super::chunked::{Chunked, Step};
use super::head::{Framing, Head};
use super::recent::RecentHeads;
use super::{BODY_LIMIT_BYTES, H1Error, HEAD_LIMIT_BYTES, INTERIM_LIMIT};

/// Most bytes reserved for a body before they arrive; a server's promise is not worth more.
const RESERVE_LIMIT_BYTES: u64 = 1 << 20;

/// What happens to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyMode {
    /// It is kept.
    #[default]
    Keep,
    /// It is counted and forgotten.
    Discard,
}

/// How far a response has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More bytes are needed.
    More,
    /// The response is complete.
    Done {
        /// Whether the connection may carry another exchange.
        reusable: bool,
    },
}

#[derive(Debug)]
enum State {
    Head { next_attempt: usize },
    Length { left: u64 },
    Chunked(Chunked),
    UntilClose,
    Done,
}

/// Decodes one response.
#[derive(Debug)]
pub struct Decoder {
    state: State,
    mode: BodyMode,
    head_request: bool,
    head: Option<Head>,
    body_bytes: u64,
    interims: u32,
}

impl Decoder {
    /// `head_request` tells that the request was a HEAD.
    pub fn new(mode: BodyMode, head_request: bool) -> Self {
        Self {
            state: State::Head { next_attempt: 0 },
            mode,
            head_request,
            head: None,
            body_bytes: 0,
            interims: 0,
        }
    }

    /// The final response's head, once it is complete.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    pub(crate) fn into_head(self) -> Option<Head> {
        self.head
    }

    /// Body bytes so far, without framing.
    pub fn body_bytes(&self) -> u64 {
        self.body_bytes
    }

    /// Takes the next bytes from the connection; head and body are appended to `out`. `recent` only saves time.
    ///
    /// # Errors
    /// What is wrong with the response; it can not be continued then.
    pub fn feed(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        recent: &mut RecentHeads,
    ) -> Result<Progress, H1Error> {
        let mut input = input;
        while let State::Head { next_attempt } = self.state {
            match self.feed_head(&mut input, out, next_attempt, recent) {
                Ok(true) => {}
                Ok(false) => return Ok(Progress::More),
                Err(error) => {
                    out.clear();
                    return Err(error);
                }
            }
        }
        self.feed_body(input, out)
    }

    /// The connection ended; tells whether the response is complete thereby.
    ///
    /// # Errors
    /// When it is not.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<Progress, H1Error> {
        match self.state {
            State::Head { .. } => {
                // What has been put off may be wrong in itself, which says more than that it ended.
                let parsed = Head::parse_all(out, self.head_request);
                out.clear();
                parsed.and(Err(H1Error::EofInHead))
            }
            State::UntilClose | State::Done => Ok(Progress::Done { reusable: false }),
            State::Length { .. } | State::Chunked(_) => Err(H1Error::EofInBody),
        }
    }

    /// Tells whether a head, interim or final, was completed.
    fn feed_head(
        &mut self,
        input: &mut &[u8],
        out: &mut Vec<u8>,
        next_attempt: usize,
        recent: &mut RecentHeads,
    ) -> Result<bool, H1Error> {
        if out.is_empty() {
            // The usual case: everything in one piece, parsed where it is.
            if let Some(head) = self.whole_head(input, recent)? {
                let (raw, rest) = input.split_at(head.bytes);
                *input = rest;
                out.extend_from_slice(raw);
                self.begin_body(head, out)?;
                return Ok(true);
            }
        }
        let had = out.len();
        let take = input.len().min(HEAD_LIMIT_BYTES - had);
        out.extend_from_slice(&input[..take]);
        // Slow heads are parsed when they end or have doubled, not with every byte.
        let due = out.len() >= next_attempt
            || out.len() == HEAD_LIMIT_BYTES
            || ends_head(&out[had.saturating_sub(3)..]);
        if due {
            if let Some(head) = Head::parse(out, self.head_request)? {
                let surplus = out.len() - head.bytes;
                *input = &input[take - surplus..];
                out.truncate(head.bytes);
                self.begin_body(head, out)?;
                return Ok(true);
            }
            if out.len() == HEAD_LIMIT_BYTES {
                return Err(H1Error::HeadTooLong);
            }
            self.state = State::Head {
                next_attempt: out.len() * 2,
            };
        }
        *input = &[];
        Ok(false)
    }

    /// The head that `input` begins with; none when it is incomplete.
    fn whole_head(&self, input: &[u8], recent: &mut RecentHeads) -> Result<Option<Head>, H1Error> {
        if let Some(head) = recent.find(input, self.head_request) {
            return Ok(Some(head));
        }
        let window = &input[..input.len().min(HEAD_LIMIT_BYTES)];
        let head = Head::parse(window, self.head_request)?;
        if let Some(head) = &head {
            recent.keep(input, self.head_request, head);
        }
        Ok(head)
    }

    /// Decides what follows a complete head, which is all that `out` holds.
    fn begin_body(&mut self, head: Head, out: &mut Vec<u8>) -> Result<(), H1Error> {
        match head.status {
            101 => return Err(H1Error::SwitchingProtocols),
            100..200 => {
                self.interims += 1;
                if self.interims > INTERIM_LIMIT {
                    return Err(H1Error::Interim);
                }
                out.clear();
                self.state = State::Head { next_attempt: 0 };
                return Ok(());
            }
            _ => {}
        }
        self.state = match head.framing {
            Framing::None => State::Done,
            Framing::Length(left) => {
                if self.mode == BodyMode::Keep {
                    out.reserve(left.min(RESERVE_LIMIT_BYTES) as usize);
                }
                State::Length { left }
            }
            Framing::Chunked => State::Chunked(Chunked::default()),
            Framing::UntilClose => State::UntilClose,
        };
        self.head = Some(head);
        Ok(())
    }

    fn feed_body(&mut self, mut input: &[u8], out: &mut Vec<u8>) -> Result<Progress, H1Error> {
        match &mut self.state {
            State::Length { left } => {
                let here = usize::try_from(*left).unwrap_or(usize::MAX);
                let (data, rest) = input.split_at(here.min(input.len()));
                *left -= data.len() as u64;
                let complete = *left == 0;
                input = rest;
                self.body(data, out)?;
                if !complete {
                    return Ok(Progress::More);
                }
            }
            State::Chunked(_) => {
                if !self.feed_chunks(&mut input, out)? {
                    return Ok(Progress::More);
                }
            }
            State::UntilClose => {
                self.body(input, out)?;
                return Ok(Progress::More);
            }
            State::Head { .. } | State::Done => {}
        }
        self.state = State::Done;
        let keep_alive = self.head.as_ref().is_some_and(|head| head.keep_alive);
        Ok(Progress::Done {
            // Bytes nobody asked for make the connection useless.
            reusable: keep_alive && input.is_empty(),
        })
    }

    /// Tells whether the last chunk has been seen.
    fn feed_chunks(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Result<bool, H1Error> {
        loop {
            let State::Chunked(chunked) = &mut self.state else {
                return Ok(true);
            };
            match chunked.step(input)? {
                Step::Data(data) => self.body(data, out)?,
                Step::More => return Ok(false),
                Step::Done => return Ok(true),
            }
        }
    }

    fn body(&mut self, data: &[u8], out: &mut Vec<u8>) -> Result<(), H1Error> {
        self.body_bytes += data.len() as u64;
        if self.mode == BodyMode::Keep {
            if self.body_bytes > BODY_LIMIT_BYTES {
                return Err(H1Error::BodyTooLarge);
            }
            out.extend_from_slice(data);
        }
        Ok(())
    }
}

fn ends_head(tail: &[u8]) -> bool {
    tail.windows(2).any(|pair| pair == b"\n\n") || tail.windows(3).any(|pair| pair == b"\n\r\n")
}
