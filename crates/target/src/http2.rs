//! HTTP/2, for clients that choose it by ALPN, or begin with it where there is no TLS (RFC 9113, 3.3): the same paths,
//! several requests at once.
//!
//! Leaves out frames and flow control, which are the library's, and the service log, which tells answers apart by their
//! order on a connection. Invariant: an answer that breaks the rules of HTTP/1.1 on purpose resets its stream here.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::server::SendResponse;
use h2::{Reason, RecvStream, SendStream};
use http::Response;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::limits;
use crate::reply::{Body, Due, Message, Reply};
use crate::request::{Origin, Request};
use crate::routes;
use crate::state::State;
use crate::stream::Stream;
use crate::timer::Timer;

/// What every client begins with (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Requests at once on one connection; as in Go's server.
const STREAMS_AT_ONCE: u32 = 250;
/// Bytes of bodies that may be under way to the server, on a stream and on a connection.
const WINDOW_BYTES: u32 = 1 << 20;
/// Pieces per second of a slow body.
const SLOW_PIECES_PER_SECOND: f64 = 100.0;

/// What the answers of one connection need.
struct Shared {
    stream: Rc<RefCell<Stream>>,
    origin: Origin,
    state: Arc<State>,
    timer: Rc<Timer>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.state.close_connection();
    }
}

/// The first bytes of a connection without TLS: those of HTTP/2, or as many as tell that it is something else.
///
/// # Errors
/// When the client went away.
pub(crate) async fn first_bytes(stream: &mut Stream) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    while first.len() < PREFACE.len() && PREFACE.starts_with(&first) {
        let mut space = [0; PREFACE.len()];
        let count = stream.read(&mut space[first.len()..]).await?;
        if count == 0 {
            break;
        }
        first.extend_from_slice(&space[first.len()..][..count]);
    }
    Ok(first)
}

/// Whether a client that began like this speaks HTTP/2.
pub(crate) fn is_preface(first: &[u8]) -> bool {
    first == PREFACE
}

/// Serves a connection, of which these bytes have been read, until either side closes it.
pub(crate) async fn serve(
    stream: Stream,
    first: Vec<u8>,
    origin: Origin,
    state: Arc<State>,
    timer: Rc<Timer>,
) {
    let stream = Rc::new(RefCell::new(stream));
    let shared = Rc::new(Shared {
        stream: stream.clone(),
        origin,
        state,
        timer,
    });
    let mut builder = h2::server::Builder::new();
    builder
        .max_concurrent_streams(STREAMS_AT_ONCE)
        .initial_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES);
    let Ok(mut connection) = builder.handshake::<_, Bytes>(Io { stream, first }).await else {
        return;
    };
    // An error says that the client went away or broke the protocol, which the library has told it.
    while let Some(Ok((request, respond))) = connection.accept().await {
        let shared = shared.clone();
        tokio::task::spawn_local(async move {
            // A client that has cancelled its request needs no answer.
            let _ = answer(&shared, request, respond).await;
        });
    }
}

async fn answer(
    shared: &Shared,
    request: http::Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
) -> Result<(), h2::Error> {
    let received = Instant::now();
    let (head, body) = request.into_parts();
    let Some(body) = read(body).await? else {
        respond.send_reset(Reason::ENHANCE_YOUR_CALM);
        return Ok(());
    };
    let head_only = head.method == http::Method::HEAD;
    match handle(shared, &text_of(&head), &body) {
        Reply::Message(message) => send(shared, &message, received, head_only, respond).await,
        Reply::Wire(_) => {
            respond.send_reset(Reason::INTERNAL_ERROR);
            Ok(())
        }
    }
}

/// The whole body; none when it is too large.
async fn read(mut body: RecvStream) -> Result<Option<Vec<u8>>, h2::Error> {
    let mut whole = Vec::new();
    while let Some(piece) = body.data().await {
        let piece = piece?;
        if whole.len() + piece.len() > limits::BODY_BYTES {
            return Ok(None);
        }
        whole.extend_from_slice(&piece);
        body.flow_control().release_capacity(piece.len())?;
    }
    Ok(Some(whole))
}

/// The head as handlers know it: that of HTTP/1.1.
fn text_of(head: &http::request::Parts) -> Vec<u8> {
    let target = head
        .uri
        .path_and_query()
        .map_or("/", |target| target.as_str());
    let mut text = format!("{} {target} HTTP/1.1\r\n", head.method).into_bytes();
    let mut line = |name: &str, value: &[u8]| {
        text.extend_from_slice(name.as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value);
        text.extend_from_slice(b"\r\n");
    };
    if let Some(authority) = head.uri.authority() {
        line("host", authority.as_str().as_bytes());
    }
    // Cookies may come in several fields (RFC 9113, 8.2.3).
    let cookies: Vec<&[u8]> = head
        .headers
        .get_all(http::header::COOKIE)
        .iter()
        .map(http::HeaderValue::as_bytes)
        .collect();
    if !cookies.is_empty() {
        line("cookie", &cookies.join(&b"; "[..]));
    }
    for (name, value) in &head.headers {
        if name != http::header::COOKIE {
            line(name.as_str(), value.as_bytes());
        }
    }
    text.extend_from_slice(b"\r\n");
    text
}

fn handle(shared: &Shared, head: &[u8], body: &[u8]) -> Reply {
    let mut fields = [httparse::EMPTY_HEADER; limits::HEADER_FIELDS];
    let Some(request) = Request::parse(head, &mut fields, body, shared.origin) else {
        return Reply::empty(400);
    };
    if let Some(log) = &shared.state.log
        && !request.path.starts_with(routes::LOG_PATH)
    {
        log.record(&request);
    }
    let stream = shared.stream.borrow();
    routes::answer(&request, &shared.state, stream.session())
}

async fn send(
    shared: &Shared,
    message: &Message,
    received: Instant,
    head_only: bool,
    mut respond: SendResponse<Bytes>,
) -> Result<(), h2::Error> {
    match message.due {
        Due::Now => {}
        Due::After(delay) => shared.timer.wait_until(received + delay).await,
        Due::At(instant) => shared.timer.wait_until(instant).await,
    }
    let mut response = Response::builder().status(message.status);
    for (name, value) in &message.fields {
        // Fields about the connection are errors in HTTP/2.
        if !name.eq_ignore_ascii_case("connection") {
            response = response.header(&**name, value);
        }
    }
    let bodiless = message.status < 200 || matches!(message.status, 204 | 304);
    let length = match &message.body {
        Body::Whole(body) => Some(body.len()),
        Body::Slow { bytes, .. } => Some(*bytes),
        Body::Chunked(_) => None,
    };
    if let Some(length) = length.filter(|_| !bodiless) {
        response = response.header("content-length", length);
    }
    let Ok(response) = response.body(()) else {
        respond.send_reset(Reason::INTERNAL_ERROR);
        return Ok(());
    };
    let empty = bodiless || head_only || length == Some(0);
    let mut stream = respond.send_response(response, empty)?;
    if empty {
        return Ok(());
    }
    match &message.body {
        Body::Whole(body) => stream.send_data(Bytes::copy_from_slice(body), true),
        Body::Chunked(pieces) => {
            for piece in pieces {
                stream.send_data(Bytes::copy_from_slice(piece), false)?;
            }
            stream.send_data(Bytes::new(), true)
        }
        Body::Slow { bytes, over } => drip(shared, stream, *bytes, *over).await,
    }
}

/// Sends a body in equal pieces at equal distances; the last byte leaves at the end of `over`.
async fn drip(
    shared: &Shared,
    mut stream: SendStream<Bytes>,
    bytes: usize,
    over: Duration,
) -> Result<(), h2::Error> {
    let wanted = (over.as_secs_f64() * SLOW_PIECES_PER_SECOND).ceil() as usize;
    let pieces = wanted.clamp(1, bytes.max(1));
    let start = Instant::now();
    let mut sent = 0;
    for piece in 1..=pieces {
        let share = piece as f64 / pieces as f64;
        shared.timer.wait_until(start + over.mul_f64(share)).await;
        let until = bytes / pieces * piece + (bytes % pieces * piece) / pieces;
        stream.send_data(vec![b'x'; until - sent].into(), piece == pieces)?;
        sent = until;
    }
    Ok(())
}

/// The connection as the library wants it. The handlers look at its session between two polls.
struct Io {
    stream: Rc<RefCell<Stream>>,
    /// Read before, and not yet given to the library.
    first: Vec<u8>,
}

impl AsyncRead for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.first.is_empty() {
            let count = self.first.len().min(buffer.remaining());
            buffer.put_slice(&self.first[..count]);
            self.first.drain(..count);
            return Poll::Ready(Ok(()));
        }
        let space = buffer.initialize_unfilled();
        let read = self.stream.borrow_mut().poll_read(cx, space);
        read.map_ok(|count| buffer.advance(count))
    }
}

impl AsyncWrite for Io {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream.borrow_mut().poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.borrow_mut().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.borrow_mut().poll_close(cx)
    }
}
