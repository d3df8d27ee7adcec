//! The life of one connection: read a request, answer it, again.
//!
//! Leaves out what the answers are. Invariant: answers leave in the order of
//! their requests, and pipelined requests that arrived together are answered
//! with one write.

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::limits;
use crate::recorder::{Answers, Recorder};
use crate::reply::{Body, Due, Message, Reply, Step, reason};
use crate::request::{self, BodyFrame, Dechunker, Frame, Keep, Kind, Malformed, Origin, Request};
use crate::routes;
use crate::state::State;
use crate::stream::Stream;
use crate::timer::Timer;

/// The whole answer of `/` and `/fast`.
const FAST: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nhello, world";
/// The same for an HTTP/1.0 client that keeps its connection.
const FAST_ANNOUNCED: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\
    Connection: keep-alive\r\nContent-Length: 12\r\n\r\nhello, world";
/// Pieces per second of a slow body.
const SLOW_PIECES_PER_SECOND: f64 = 100.0;

/// What follows an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Read,
    Close,
    Reset,
}

/// One accepted connection.
pub(crate) struct Connection {
    stream: Stream,
    input: Input,
    out: Vec<u8>,
    origin: Origin,
    state: Arc<State>,
    timer: Rc<Timer>,
    /// When the bytes that completed the current request arrived, or were read where that is not known.
    received: Instant,
    /// Present when the kernel's stamps are logged.
    answers: Option<Answers>,
}

impl Connection {
    /// A connection of which only these bytes have been read.
    pub(crate) fn new(
        stream: Stream,
        first: Vec<u8>,
        origin: Origin,
        state: Arc<State>,
        timer: Rc<Timer>,
        recorder: Option<Rc<Recorder>>,
    ) -> Connection {
        Connection {
            answers: recorder.map(|recorder| Answers::new(recorder, origin.connection)),
            received: last_arrival(&stream),
            stream,
            input: Input::of(first),
            out: Vec::new(),
            origin,
            state,
            timer,
        }
    }

    /// Serves until either side closes. Errors mean the client went away.
    pub(crate) async fn serve(mut self) -> io::Result<()> {
        loop {
            let next = match self.next_frame().await {
                Ok(Some(frame)) => self.answer(frame).await?,
                Ok(None) => return Ok(()),
                Err(Refused::Malformed(malformed)) => self.refuse(malformed).await?,
                Err(Refused::Io(error)) => return Err(error),
            };
            match next {
                Next::Read => {}
                Next::Close => return self.close().await,
                Next::Reset => {
                    self.flush().await?;
                    return self.stream.reset_when_dropped();
                }
            }
        }
    }

    /// Plays `steps` without reading anything first, as soon as a client connects.
    pub(crate) async fn serve_steps(mut self, steps: &[Step]) -> io::Result<()> {
        match self.play(steps, 0).await? {
            Next::Reset => self.stream.reset_when_dropped(),
            Next::Read | Next::Close => self.close().await,
        }
    }

    /// The next complete head; sends what is pending before it waits for bytes.
    async fn next_frame(&mut self) -> Result<Option<Frame>, Refused> {
        loop {
            if !self.input.filled().is_empty()
                && let Some(frame) = request::frame(self.input.filled())?
            {
                return Ok(Some(frame));
            }
            if self.input.filled().len() >= limits::HEAD_BYTES {
                return Err(Malformed::TooManyFields.into());
            }
            self.flush().await?;
            if self.read_more(1).await? == 0 {
                return Ok(None);
            }
        }
    }

    async fn answer(&mut self, frame: Frame) -> io::Result<Next> {
        match (frame.kind, frame.keep_alive, frame.body) {
            (Kind::Fast, Keep::Open, BodyFrame::Length(0)) if self.state.log.is_none() => {
                self.answer_fast(frame, FAST).await
            }
            (Kind::Fast, Keep::OpenAnnounced, BodyFrame::Length(0)) if self.state.log.is_none() => {
                self.answer_fast(frame, FAST_ANNOUNCED).await
            }
            (Kind::Fault, _, _) => {
                let reply = self.handle(frame, &[]);
                self.send(reply, frame, false).await
            }
            _ => self.answer_routed(frame).await,
        }
    }

    async fn answer_fast(&mut self, frame: Frame, bytes: &[u8]) -> io::Result<Next> {
        self.out.extend_from_slice(bytes);
        self.rendered(Duration::ZERO);
        self.input.consume(frame.head_len);
        if self.out.len() > limits::OUTPUT_BYTES {
            self.flush().await?;
        }
        Ok(Next::Read)
    }

    async fn answer_routed(&mut self, frame: Frame) -> io::Result<Next> {
        if frame.expects_continue {
            self.flush().await?;
            self.stream
                .write_all(b"HTTP/1.1 100 Continue\r\n\r\n")
                .await?;
        }
        let (dechunked, consumed) = match self.read_body(frame).await {
            Ok(body) => body,
            Err(Refused::Malformed(malformed)) => return self.refuse(malformed).await,
            Err(Refused::Io(error)) => return Err(error),
        };
        let head_only = self.input.filled().starts_with(b"HEAD ");
        let reply = match &dechunked {
            Some(body) => self.handle(frame, body),
            None => self.handle(frame, &self.input.filled()[frame.head_len..consumed]),
        };
        self.input.consume(consumed);
        self.send(reply, frame, head_only).await
    }

    /// Waits for the body; gives it if it was chunked, and the length of head and body.
    async fn read_body(&mut self, frame: Frame) -> Result<(Option<Vec<u8>>, usize), Refused> {
        match frame.body {
            BodyFrame::Length(length) => {
                let whole = frame.head_len + length;
                while self.input.filled().len() < whole {
                    self.flush().await?;
                    let missing = whole - self.input.filled().len();
                    if self.read_more(missing).await? == 0 {
                        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                    }
                }
                Ok((None, whole))
            }
            BodyFrame::Chunked => {
                let mut body = Dechunker::default();
                loop {
                    let raw = &self.input.filled()[frame.head_len..];
                    if let Some(raw_len) = body.advance(raw)? {
                        return Ok((Some(body.into_body()), frame.head_len + raw_len));
                    }
                    self.flush().await?;
                    if self.read_more(limits::INPUT_BYTES).await? == 0 {
                        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                    }
                }
            }
        }
    }

    fn handle(&self, frame: Frame, body: &[u8]) -> Reply {
        let mut fields = [httparse::EMPTY_HEADER; limits::HEADER_FIELDS];
        let head = &self.input.filled()[..frame.head_len];
        let Some(request) = Request::parse(head, &mut fields, body, self.origin) else {
            return Reply::empty(400).closing();
        };
        if let Some(log) = &self.state.log
            && !request.path.starts_with(routes::LOG_PATH)
        {
            log.record(&request);
        }
        routes::answer(&request, &self.state, self.stream.session())
    }

    async fn send(&mut self, reply: Reply, frame: Frame, head_only: bool) -> io::Result<Next> {
        match reply {
            Reply::Message(message) => {
                self.send_message(&message, frame.keep_alive, head_only)
                    .await
            }
            Reply::Wire(steps) => {
                self.flush().await?;
                let unread = match frame.body {
                    BodyFrame::Length(length) => frame.head_len + length,
                    BodyFrame::Chunked => frame.head_len,
                };
                self.play(&steps, unread).await
            }
        }
    }

    async fn send_message(
        &mut self,
        message: &Message,
        keep: Keep,
        head_only: bool,
    ) -> io::Result<Next> {
        let wait = match message.due {
            Due::Now => Duration::ZERO,
            Due::After(delay) => delay,
            Due::At(instant) => instant.saturating_duration_since(self.received),
        };
        if !wait.is_zero() {
            self.flush().await?;
            self.timer.wait_until(self.received + wait).await;
        }
        message.render(keep, head_only, &mut self.out);
        if let (Body::Slow { bytes, over }, false) = (&message.body, head_only) {
            self.flush().await?;
            self.drip(*bytes, *over).await?;
            self.rendered(wait + *over);
            self.flushed();
            return Ok(next(message, keep));
        }
        self.rendered(wait);
        if self.out.len() > limits::OUTPUT_BYTES {
            self.flush().await?;
        }
        Ok(next(message, keep))
    }

    /// The answer to the current request is complete, and was wanted `script` after its arrival.
    fn rendered(&mut self, script: Duration) {
        if let Some(answers) = &mut self.answers {
            let script_ns = u64::try_from(script.as_nanos()).unwrap_or(u64::MAX);
            answers.rendered(self.stream.socket().received_unix_ns(), script_ns);
        }
    }

    /// Everything rendered so far is with the kernel.
    fn flushed(&mut self) {
        if let Some(answers) = &mut self.answers {
            let socket = self.stream.socket();
            answers.flushed(socket.sent());
            socket.collect_stamps(answers);
        }
    }

    /// Sends a body in equal pieces at equal distances; the last byte leaves at the end of `over`.
    async fn drip(&mut self, bytes: usize, over: Duration) -> io::Result<()> {
        let wanted = (over.as_secs_f64() * SLOW_PIECES_PER_SECOND).ceil() as usize;
        let pieces = wanted.clamp(1, bytes.max(1));
        let start = Instant::now();
        let mut sent = 0;
        for piece in 1..=pieces {
            self.timer
                .wait_until(start + over.mul_f64(piece as f64 / pieces as f64))
                .await;
            let until = bytes / pieces * piece + (bytes % pieces * piece) / pieces;
            self.stream.write_all(&vec![b'x'; until - sent]).await?;
            sent = until;
        }
        Ok(())
    }

    /// Plays steps that break the rules; `unread` is where the request's body would end.
    async fn play(&mut self, steps: &[Step], unread: usize) -> io::Result<Next> {
        for step in steps {
            match step {
                Step::Send(bytes) => self.stream.write_all(bytes).await?,
                Step::Repeat {
                    bytes,
                    times,
                    pause,
                } => {
                    for _ in 0..*times {
                        if !pause.is_zero() {
                            self.timer.wait_until(Instant::now() + *pause).await;
                        }
                        self.stream.write_all(bytes).await?;
                    }
                }
                Step::Wait(time) => self.timer.wait_until(Instant::now() + *time).await,
                Step::ReadBody => {
                    while self.input.filled().len() < unread {
                        let missing = unread - self.input.filled().len();
                        if self.read_more(missing).await? == 0 {
                            break;
                        }
                    }
                }
                Step::Stall => self.wait_for_end().await?,
                Step::Reset => return Ok(Next::Reset),
            }
        }
        Ok(Next::Close)
    }

    /// Ends the connection, but goes on reading for a moment: closing a socket with
    /// unread bytes would reset it, and the client might lose the answer.
    async fn close(&mut self) -> io::Result<()> {
        self.flush().await?;
        self.stream.close().await?;
        match tokio::time::timeout(limits::LINGER, self.wait_for_end()).await {
            Ok(ended) => ended,
            Err(_) => Ok(()),
        }
    }

    async fn wait_for_end(&mut self) -> io::Result<()> {
        let mut ignored = [0; 1024];
        while self.stream.read(&mut ignored).await? > 0 {}
        Ok(())
    }

    async fn refuse(&mut self, malformed: Malformed) -> io::Result<Next> {
        let status = malformed.status();
        let answer = Reply::new(status, "text/plain", reason(status)).closing();
        if let Reply::Message(message) = answer {
            message.render(Keep::Close, false, &mut self.out);
        }
        Ok(Next::Close)
    }

    async fn read_more(&mut self, at_least: usize) -> io::Result<usize> {
        let space = self.input.space(at_least);
        let count = self.stream.read(space).await?;
        self.input.fill(count);
        self.received = last_arrival(&self.stream);
        Ok(count)
    }

    async fn flush(&mut self) -> io::Result<()> {
        if !self.out.is_empty() {
            self.stream.write_all(&self.out).await?;
            self.out.clear();
            self.flushed();
        }
        Ok(())
    }
}

/// What follows an answer that was sent as a whole.
fn next(message: &Message, keep: Keep) -> Next {
    if message.closes || keep == Keep::Close {
        Next::Close
    } else {
        Next::Read
    }
}

/// When the bytes that were read last arrived, or were read where that is not known.
fn last_arrival(stream: &Stream) -> Instant {
    let stamp = stream.socket().received_unix_ns();
    stamp.map_or_else(Instant::now, arrival)
}

/// The instant of a stamp that was just read. A stamp that the wall clock was set past, or that is too old to be of the
/// read just done, is replaced by now.
fn arrival(unix_ns: u64) -> Instant {
    let stamped = SystemTime::UNIX_EPOCH + Duration::from_nanos(unix_ns);
    // The wall clock first: what passes between the two makes an answer late, never early.
    let age = SystemTime::now().duration_since(stamped);
    let now = Instant::now();
    match age {
        Ok(age) if age < limits::STAMP_AGE => now.checked_sub(age).unwrap_or(now),
        _ => now,
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The last stamps may have come after the last answer.
        if let Some(answers) = &mut self.answers {
            self.stream.socket().collect_stamps(answers);
        }
        self.state.close_connection();
    }
}

/// Why no request could be read.
enum Refused {
    Malformed(Malformed),
    Io(io::Error),
}

impl From<Malformed> for Refused {
    fn from(malformed: Malformed) -> Refused {
        Refused::Malformed(malformed)
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Io(error)
    }
}

/// Bytes that have arrived and are not consumed yet.
#[derive(Default)]
struct Input {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Input {
    fn of(bytes: Vec<u8>) -> Input {
        let end = bytes.len();
        Input {
            bytes,
            start: 0,
            end,
        }
    }

    fn filled(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
            // A large body must not keep its memory for the rest of the connection.
            if self.bytes.len() > limits::HEAD_BYTES {
                self.bytes = Vec::new();
            }
        }
    }

    /// Free room at the end, at least one byte; moves or grows only when it must.
    fn space(&mut self, at_least: usize) -> &mut [u8] {
        if self.bytes.len() - self.end < at_least {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            if self.bytes.len() - self.end < at_least {
                let wanted = (self.end + at_least).next_power_of_two();
                self.bytes.resize(wanted.max(limits::INPUT_BYTES), 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    fn fill(&mut self, count: usize) {
        self.end += count;
    }
}
