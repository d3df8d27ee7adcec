//! A connection of HTTP/2 with its socket: the task that reads and writes, and the handle that opens streams.
//!
//! Owns when the socket is read and written: all requests that are queued while the event loop is busy leave in one
//! write. Invariants: the task ends when the last handle is dropped or the connection is lost, and every stream ends
//! before it.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use netload_net::{
    Clock, Connection, Dialer, NetError, Stamping, TX_REQUEST_LIMIT, TlsFacts, TxSample,
};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::request::Outgoing;
use super::session::Session;
use super::stream::{Outcome, StreamKey, Wanted};
use crate::buffers::{Buffer, Buffers};
use crate::timer::Timer;

/// Reads in a row before other tasks have their turn.
const READS_PER_TURN: usize = 16;

/// An established connection of HTTP/2. Dropping the last handle closes it.
#[derive(Debug)]
pub(crate) struct Link {
    shared: Rc<Shared>,
    task: AbortHandle,
    /// The peer.
    pub(crate) remote: Option<std::net::SocketAddr>,
    /// What TLS agreed on.
    pub(crate) tls: Option<Rc<TlsFacts>>,
}

/// What the task and the handles share.
struct Shared {
    session: RefCell<Session>,
    /// The task's, once it has run.
    waker: RefCell<Option<Waker>>,
    /// Whether the task will run anyway.
    woken: Cell<bool>,
    /// Told when a stream may have become free.
    room: Notify,
    waiting: Cell<usize>,
    /// Bytes (sent, received) on the socket.
    bytes: Cell<(u64, u64)>,
    /// Those of them that exchanges have been charged with.
    charged: Cell<(u64, u64)>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Shared {
    fn wake(&self) {
        if !self.woken.replace(true)
            && let Some(waker) = &*self.waker.borrow()
        {
            waker.wake_by_ref();
        }
    }

    /// Lets those that wait for a stream look again.
    fn tell_room(&self) {
        if self.waiting.get() > 0 {
            self.room.notify_waiters();
        }
    }
}

impl Link {
    /// Starts to speak HTTP/2 on a connection. Must be called inside a `LocalSet`, whose task it becomes.
    pub(crate) fn start(
        connection: Connection,
        dialer: Rc<Dialer>,
        buffers: Rc<Buffers>,
    ) -> Rc<Self> {
        let shared = Rc::new(Shared {
            session: RefCell::new(Session::new()),
            waker: RefCell::new(None),
            woken: Cell::new(true),
            room: Notify::new(),
            waiting: Cell::new(0),
            bytes: Cell::new((0, 0)),
            charged: Cell::new((0, 0)),
        });
        let (remote, tls) = (connection.remote, connection.tls.clone());
        let driver = Driver {
            shared: shared.clone(),
            connection,
            clock: dialer.clock().clone(),
            dialer,
            buffers,
            timer: Timer::default(),
            blocked: false,
            asked: None,
        };
        Rc::new(Self {
            task: tokio::task::spawn_local(driver).abort_handle(),
            shared,
            remote,
            tls,
        })
    }

    /// Whether no further stream will ever be opened.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.session.borrow().is_closed()
    }

    /// Whether a stream may be opened now.
    pub(crate) fn has_room(&self) -> bool {
        self.shared.session.borrow().has_room()
    }

    /// Waits until there may be room again, or the connection is closed.
    pub(crate) async fn room(&self) {
        let notified = self.shared.room.notified();
        if self.has_room() || self.is_closed() {
            return;
        }
        let _waiting = Waiting::new(&self.shared.waiting);
        notified.await;
    }

    /// Whether a stream was opened before.
    pub(crate) fn is_used(&self) -> bool {
        self.shared.session.borrow().is_used()
    }

    /// Opens a stream. To be called only while there is room.
    pub(crate) fn open(
        self: &Rc<Self>,
        request: &Outgoing,
        wanted: Wanted,
        message: Buffer,
    ) -> Running {
        let key = self
            .shared
            .session
            .borrow_mut()
            .open(request, wanted, message);
        self.shared.wake();
        Running {
            link: self.clone(),
            key: Some(key),
        }
    }

    /// Bytes (sent, received) on the socket since the last call.
    pub(crate) fn charge(&self) -> (u64, u64) {
        let all = self.shared.bytes.get();
        let charged = self.shared.charged.replace(all);
        (all.0 - charged.0, all.1 - charged.1)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Counts one who waits, as long as it lives.
struct Waiting<'a>(&'a Cell<usize>);

impl<'a> Waiting<'a> {
    fn new(count: &'a Cell<usize>) -> Self {
        count.set(count.get() + 1);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// A stream under way. Dropping it before its end resets the stream.
pub(crate) struct Running {
    link: Rc<Link>,
    /// None when it is over.
    key: Option<StreamKey>,
}

impl Future for Running {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(key) = self.key else {
            return Poll::Ready(Outcome::default());
        };
        let outcome = {
            let mut session = self.link.shared.session.borrow_mut();
            if !session.is_over(key, cx) {
                return Poll::Pending;
            }
            session.take(key)
        };
        self.key = None;
        self.link.shared.tell_room();
        Poll::Ready(outcome)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(key) = self.key.take() else { return };
        let shared = &self.link.shared;
        if shared.session.borrow_mut().abandon(key) {
            shared.wake();
        }
        shared.tell_room();
    }
}

/// The task of a connection.
struct Driver {
    shared: Rc<Shared>,
    connection: Connection,
    clock: Clock,
    dialer: Rc<Dialer>,
    buffers: Rc<Buffers>,
    timer: Timer,
    /// The last write was not taken in full.
    blocked: bool,
    /// The write for which the kernel was asked when it left, and has not answered.
    asked: Option<Asked>,
}

/// A sampled write: when it began and returned, and how long after its beginning it was assumed to leave.
#[derive(Clone, Copy)]
struct Asked {
    before_ns: u64,
    after_ns: u64,
    assumed_ns: u64,
}

impl Future for Driver {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        this.shared.woken.set(true);
        this.remember(cx.waker());
        let turn = this.turn(cx);
        let socket = this.connection.socket();
        this.shared.bytes.set((socket.sent(), socket.received()));
        this.shared.tell_room();
        // From here on somebody has to wake us.
        this.shared.woken.set(false);
        turn
    }
}

impl Driver {
    fn remember(&self, waker: &Waker) {
        let mut known = self.shared.waker.borrow_mut();
        if !known.as_ref().is_some_and(|w| w.will_wake(waker)) {
            *known = Some(waker.clone());
        }
    }

    /// Writes and reads until there is nothing to do. Ready when the connection is over.
    fn turn(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let shared = self.shared.clone();
        let mut session = shared.session.borrow_mut();
        for _ in 0..READS_PER_TURN {
            if let Err(error) = self.write(cx, &mut session) {
                // What the server said before it closed explains it better.
                while session.death().is_none() && self.read(cx, &mut session).is_ready() {}
                session.lose(Some(error));
            }
            // A last word to a server that broke the rules has been tried to say.
            if session.death().is_some() || (session.is_closed() && session.active() == 0) {
                return Poll::Ready(());
            }
            match self.read(cx, &mut session) {
                Poll::Ready(()) => {}
                Poll::Pending if session.unsent().is_empty() || self.blocked => {
                    self.expire(cx, &mut session);
                    if session.unsent().is_empty() || self.blocked {
                        return Poll::Pending;
                    }
                }
                Poll::Pending => {}
            }
        }
        self.expire(cx, &mut session);
        // A server that never pauses must not keep the others from running.
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    fn expire(&mut self, cx: &mut Context<'_>, session: &mut Session) {
        while session.deadline_ns() != u64::MAX
            && self
                .timer
                .poll_passed(cx, session.deadline_ns(), &self.clock)
        {
            session.expire(self.clock.now_ns());
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, session: &mut Session) -> Result<(), NetError> {
        while self.blocked || !session.unsent().is_empty() {
            let before_ns = self.clock.now_ns();
            let sampled = self.begin_write(session);
            let assumed_ns = self.assumed_ns();
            let mut done = 0;
            let written = self
                .connection
                .poll_write_all(cx, session.unsent(), &mut done);
            let after_ns = self.clock.now_ns();
            session.left(done, (before_ns, after_ns), assumed_ns);
            self.blocked = written.is_pending();
            if sampled {
                self.asked = Some(Asked {
                    before_ns,
                    after_ns,
                    assumed_ns,
                });
                self.take_departure(false);
            }
            match written {
                Poll::Pending => return Ok(()),
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Err(NetError::from_io("write", &error)),
            }
        }
        Ok(())
    }

    /// How long after the beginning of a write its bytes leave, as far as is known, in nanoseconds.
    fn assumed_ns(&self) -> u64 {
        let tls = self.connection.tls.is_some();
        match self.connection.socket().stamping() {
            Stamping::Kernel => self.dialer.instrument().send_delay_ns(tls),
            _ => 0,
        }
    }

    /// Whether the kernel is asked when the next write leaves: a write with requests, as often as one alone would be.
    fn begin_write(&mut self, session: &Session) -> bool {
        let sampled = self.connection.socket().stamping() == Stamping::Kernel
            && !self.blocked
            && session.sends_requests()
            && session.unsent().len() <= TX_REQUEST_LIMIT
            && self.dialer.instrument().is_sampling();
        if sampled {
            self.take_departure(true);
        }
        // Answers to earlier requests may have come before this write: it bounds no stamp from below.
        self.connection.socket_mut().begin_write(0, sampled);
        sampled
    }

    /// Reads when the sampled write left; `last` is the last look.
    fn take_departure(&mut self, last: bool) {
        let Some(asked) = self.asked else { return };
        let now_ns = self.clock.now_ns();
        let left_ns = self.connection.socket_mut().take_departure(now_ns);
        if left_ns.is_none() && !last {
            return;
        }
        self.asked = None;
        let sample = left_ns.map(|left_ns| TxSample {
            left_ns: left_ns as i64 - asked.before_ns as i64,
            returned_ns: asked.after_ns - asked.before_ns,
            assumed_ns: asked.assumed_ns,
        });
        let tls = self.connection.tls.is_some();
        self.dialer.instrument().departure(tls, sample);
    }

    /// One read. Ready when something came.
    fn read(&mut self, cx: &mut Context<'_>, session: &mut Session) -> Poll<()> {
        self.take_departure(false);
        let mut buffer = self.buffers.read.borrow_mut();
        match self.connection.poll_read(cx, &mut buffer) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(read)) => {
                match read.bytes {
                    0 => session.lose(None),
                    bytes => session.feed(&buffer[..bytes], read),
                }
                Poll::Ready(())
            }
            Poll::Ready(Err(error)) => {
                session.lose(Some(NetError::from_io("read", &error)));
                Poll::Ready(())
            }
        }
    }
}
