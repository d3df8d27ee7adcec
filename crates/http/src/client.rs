//! One VU's HTTP client: an exchange from the pool to the pool.
//!
//! Owns the choice of the connection, the deadline and the one retry on a connection that died while idle. Redirects,
//! cookies and authentication are `send`'s. Invariant: a connection returns to the pool only after a complete
//! exchange, so dropping the future midway closes it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

use netload_net::{
    Clock, Connection, Dialer, Ending, NetError, Origin, Speaks, Stamping, TX_REQUEST_LIMIT,
    TxSample, VuLocal,
};
use tokio::time::Instant;

use crate::buffers::Buffers;
use crate::error::HttpError;
use crate::exchange::{Exchange, Opening, Stamps};
use crate::h1::{BodyMode, Decoder, Progress};
use crate::multiplex::{Links, Multiplexed};
use crate::pool::{Pool, PoolLimits, Pooled};
use crate::request::Prepared;
use crate::timer::Timer;

/// A connection that was idle longer than this is asked whether it still lives before it is used.
pub const STALE_CHECK_NS: u64 = 20_000_000;

/// How connections are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientConfig {
    /// How many idle connections are kept.
    pub pool: PoolLimits,
    /// A fresh connection for every exchange (the `noConnectionReuse` option).
    pub no_reuse: bool,
    /// Over HTTP/2, wait when the connection carries as many requests as it may, instead of establishing another.
    pub one_link: bool,
}

/// How one exchange is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExchangeOptions {
    /// When to give up, monotonic; `None` means never.
    pub deadline_ns: Option<u64>,
    /// What happens to the body.
    pub body: BodyMode,
}

/// One VU's client.
pub struct Client {
    dialer: Rc<Dialer>,
    clock: Clock,
    pub(crate) buffers: Rc<Buffers>,
    vu: VuLocal,
    pub(crate) config: ClientConfig,
    pool: RefCell<Pool>,
    pub(crate) links: Links,
    /// Bytes (sent, received) of ended exchanges that nobody has asked for yet.
    bytes: Cell<(u64, u64)>,
    /// How the next exchange relates to the plan.
    opening: Cell<Option<Opening>>,
}

impl Client {
    /// A client without connections. `dialer` and `buffers` are the worker's.
    pub fn new(
        dialer: Rc<Dialer>,
        buffers: Rc<Buffers>,
        vu: VuLocal,
        config: ClientConfig,
    ) -> Self {
        Self {
            clock: dialer.clock().clone(),
            dialer,
            buffers,
            vu,
            config,
            pool: RefCell::new(Pool::new(config.pool)),
            links: Links::default(),
            bytes: Cell::new((0, 0)),
            opening: Cell::new(None),
        }
    }

    /// The start of an iteration: its first exchange counts from the planned start, further ones from their own; none
    /// where no start was planned.
    pub fn open(&self, opening: Option<Opening>) {
        self.opening.set(opening);
    }

    /// The worker's dialer.
    pub fn dialer(&self) -> &Rc<Dialer> {
        &self.dialer
    }

    /// The worker's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Closes the idle connections; those of HTTP/2 when their last exchange is over.
    pub fn close_idle(&self) {
        self.links.clear();
        self.pool.borrow_mut().clear();
    }

    /// Bytes (sent, received) on the sockets of all exchanges that ended since the last call.
    pub fn take_bytes(&self) -> (u64, u64) {
        self.bytes.take()
    }

    /// How many connections are kept: idle ones, and those of HTTP/2.
    pub fn idle(&self) -> usize {
        self.pool.borrow().len() + self.links.len()
    }

    /// Whether there is an idle connection of HTTP/1 to `origin`.
    pub(crate) fn has_idle(&self, origin: &Rc<Origin>) -> bool {
        self.pool.borrow().has(origin)
    }

    /// Sends a request and receives its response. Never fails as such: a failure is in [`Exchange::error`].
    pub async fn exchange(&self, request: &Prepared, options: &ExchangeOptions) -> Exchange {
        let mut exchange = self.blank();
        let asked_ns = self.clock.now_ns();
        self.exchange_in(&mut exchange, asked_ns, request, options)
            .await;
        exchange
    }

    /// The room for an exchange.
    pub fn blank(&self) -> Exchange {
        Exchange::new(self.buffers.take())
    }

    /// [`Self::exchange`] in the caller's room, which is blank: an exchange is large, and what a future returns is copied
    /// from place to place. `asked_ns` is now, which the caller has read to make the deadline from it.
    pub async fn exchange_in(
        &self,
        exchange: &mut Exchange,
        asked_ns: u64,
        request: &Prepared,
        options: &ExchangeOptions,
    ) {
        let opening = self.opening.get();
        self.opening.set(opening.map(|_| Opening::default()));
        exchange.stamps.t1_asked_ns = asked_ns;
        let watch = Watch::begin(self, asked_ns);
        let result = if options
            .deadline_ns
            .is_some_and(|deadline_ns| deadline_ns <= asked_ns)
        {
            Err(NetError::Timeout.into())
        } else {
            self.attempts(request, options, exchange).await
        };
        if exchange.stamps.t6_done_ns == 0 {
            exchange.stamps.t6_done_ns = self.clock.now_ns();
        }
        if !self.dialer.stamps_wanted() && exchange.stamps.t5_last_ns != 0 {
            // Where other tools look at the clock: when the response is complete to them.
            exchange.stamps.t5_last_ns = exchange.stamps.t6_done_ns;
        }
        watch.end(&exchange.stamps, result.as_ref().err());
        exchange.timings.derive(&exchange.stamps, opening);
        let (sent, received) = self.bytes.get();
        self.bytes
            .set((sent + exchange.sent, received + exchange.received));
        match result {
            Ok(()) => exchange.status = exchange.head.as_ref().map_or(0, |head| head.status),
            Err(error) => exchange.error = Some(error),
        }
    }

    /// Counts a response over HTTP/2, whose connection is shared and not at hand.
    fn note_response(&self, exchange: &Exchange) {
        let stamping = match self.dialer.stamps_wanted() {
            true => Stamping::Kernel,
            false => Stamping::Unwanted,
        };
        if exchange.stamps.t5_last_ns != 0 {
            let has_stamp = exchange.stamps.krx_last_ns.is_some();
            self.dialer.instrument().response(has_stamp, stamping);
        }
    }

    async fn attempts(
        &self,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
    ) -> Result<(), HttpError> {
        let asks = self.dialer.speaks(&request.origin) != Speaks::Http1;
        let mut pooled = loop {
            if asks {
                match self.multiplexed(request, options, exchange).await {
                    Multiplexed::Done(result) => {
                        self.note_response(exchange);
                        return result;
                    }
                    Multiplexed::Http1(Some(pooled)) => break pooled,
                    Multiplexed::Http1(None) => {}
                }
            }
            while let Some(mut pooled) = self.idle_connection(request, exchange.stamps.t1_asked_ns)
            {
                let before = (
                    pooled.connection.socket().sent(),
                    pooled.connection.socket().received(),
                );
                exchange.reused = true;
                let failure = match self
                    .on_connection(&mut pooled, request, options, exchange, before)
                    .await
                {
                    Ok(reusable) => {
                        self.keep(request, pooled, reusable, exchange);
                        return Ok(());
                    }
                    Err(failure) => failure,
                };
                let nothing_sent = exchange.sent == 0;
                let died_idle = exchange.received == 0 && !failure.is_timeout();
                if !(died_idle && (request.repeatable || nothing_sent)) {
                    return Err(failure);
                }
                exchange.stamps = Stamps {
                    t1_asked_ns: exchange.stamps.t1_asked_ns,
                    ..Stamps::default()
                };
            }
            exchange.reused = false;
            if !asks {
                // Boxed, because its state is large and would be part of every exchange that finds an idle connection.
                break Box::pin(self.fresh_connection(request, options, exchange)).await?;
            }
        };
        let reusable = self
            .on_connection(&mut pooled, request, options, exchange, (0, 0))
            .await?;
        self.keep(request, pooled, reusable, exchange);
        Ok(())
    }

    fn idle_connection(&self, request: &Prepared, now_ns: u64) -> Option<Box<Pooled>> {
        loop {
            let mut pooled = self.pool.borrow_mut().take(&request.origin)?;
            let rested_ns = now_ns.saturating_sub(pooled.idle_since_ns);
            if rested_ns < STALE_CHECK_NS || !pooled.connection.is_stale() {
                return Some(pooled);
            }
        }
    }

    pub(crate) async fn fresh_connection(
        &self,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
    ) -> Result<Box<Pooled>, HttpError> {
        let connecting = self.dialer.connect(&request.origin, &self.vu);
        let connected = match options.deadline_ns {
            Some(deadline_ns) => {
                let at = Instant::from_std(self.clock.instant(deadline_ns));
                tokio::time::timeout_at(at, connecting)
                    .await
                    .unwrap_or(Err(NetError::Timeout))
            }
            None => connecting.await,
        };
        let connection = connected?;
        let timings = &mut exchange.timings;
        timings.looking_up_ns = connection.times.lookup_ns;
        timings.connecting_ns = connection.times.connect_ns;
        timings.tls_ns = connection.times.tls_ns;
        Ok(Box::new(Pooled {
            connection,
            timer: Timer::default(),
            idle_since_ns: 0,
        }))
    }

    /// Does the exchange on one connection and tells whether it may be used again. `before` are the socket's counts
    /// that belong to earlier exchanges.
    async fn on_connection(
        &self,
        pooled: &mut Pooled,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
        before: (u64, u64),
    ) -> Result<bool, HttpError> {
        exchange.message.clear();
        exchange.remote = pooled.connection.remote;
        exchange.tls.clone_from(&pooled.connection.tls);
        let start_ns = if exchange.reused && exchange.sent == 0 {
            exchange.stamps.t1_asked_ns
        } else {
            self.clock.now_ns()
        };
        exchange.stamps.t2_before_write_ns = start_ns;
        let stamping = pooled.connection.socket().stamping();
        let sampled = stamping == Stamping::Kernel && self.begin_write(pooled, request, exchange);
        exchange.timings.blocked_ns = start_ns - exchange.stamps.t1_asked_ns;
        let mut drive = Drive {
            client: self,
            request,
            deadline_ns: options.deadline_ns,
            connection: &mut pooled.connection,
            timer: &mut pooled.timer,
            exchange,
            decoder: Decoder::new(options.body, request.head_request),
            part: Part::Head,
            written: 0,
            write_error: None,
            sampled,
        };
        let result = poll_fn(|cx| drive.poll(cx)).await;
        if drive.sampled {
            // The stamp was not there when the write returned; if it is not there by now it is lost.
            drive.take_departure(true);
        }
        let decoder = drive.decoder;
        exchange.body_bytes = decoder.body_bytes();
        exchange.head = decoder.into_head();
        if exchange.stamps.t5_last_ns != 0 {
            let has_stamp = exchange.stamps.krx_last_ns.is_some();
            self.dialer.instrument().response(has_stamp, stamping);
        }
        let socket = pooled.connection.socket();
        exchange.sent = socket.sent() - before.0;
        exchange.received = socket.received() - before.1;
        result
    }

    /// Tells the socket what is coming and assumes when it will leave; whether the kernel is asked for the truth.
    fn begin_write(
        &self,
        pooled: &mut Pooled,
        request: &Prepared,
        exchange: &mut Exchange,
    ) -> bool {
        let instrument = self.dialer.instrument();
        let sampled = request.bytes.len() <= TX_REQUEST_LIMIT && instrument.is_sampling();
        let start_ns = exchange.stamps.t2_before_write_ns;
        let socket = pooled.connection.socket_mut();
        socket.begin_write(start_ns, sampled);
        exchange.stamps.left_ns = start_ns + instrument.send_delay_ns(exchange.tls.is_some());
        sampled
    }

    fn keep(
        &self,
        request: &Prepared,
        mut pooled: Box<Pooled>,
        reusable: bool,
        exchange: &Exchange,
    ) {
        if reusable && !self.config.no_reuse {
            pooled.idle_since_ns = exchange.stamps.t6_done_ns;
            self.pool.borrow_mut().put(&request.origin, pooled);
        }
    }
}

/// Counts an exchange when it begins and when it ends, also when it is cut off from outside.
struct Watch<'a> {
    client: &'a Client,
    begun_ns: u64,
    over: bool,
}

impl<'a> Watch<'a> {
    fn begin(client: &'a Client, begun_ns: u64) -> Self {
        client.dialer.instrument().begin();
        Self {
            client,
            begun_ns,
            over: false,
        }
    }

    fn end(mut self, stamps: &Stamps, error: Option<&HttpError>) {
        self.over = true;
        let lasted_ns = stamps.t6_done_ns.saturating_sub(self.begun_ns);
        self.client.dialer.instrument().end(match error {
            None => Ending::Finished,
            Some(error) if error.is_timeout() => Ending::TimedOut(lasted_ns),
            Some(_) => Ending::Failed,
        });
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if !self.over {
            let lasted_ns = self.client.clock.now_ns().saturating_sub(self.begun_ns);
            let instrument = self.client.dialer.instrument();
            instrument.end(Ending::Unfinished(lasted_ns));
        }
    }
}

/// What of the request is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Head,
    Body,
    Done,
}

/// One exchange on one connection, as a state machine.
struct Drive<'a> {
    client: &'a Client,
    request: &'a Prepared,
    deadline_ns: Option<u64>,
    connection: &'a mut Connection,
    timer: &'a mut Timer,
    exchange: &'a mut Exchange,
    decoder: Decoder,
    part: Part,
    written: usize,
    write_error: Option<NetError>,
    /// Whether the kernel was asked when the request left, and has not answered.
    sampled: bool,
}

impl Drive<'_> {
    /// Ready when the response is complete (telling whether the connection is reusable) or the exchange failed.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, HttpError>> {
        if self.part != Part::Done {
            self.poll_write(cx);
        }
        // Also while writing: a server may answer before it has heard everything.
        if let Poll::Ready(result) = self.poll_response(cx) {
            return Poll::Ready(result);
        }
        if let Some(deadline_ns) = self.deadline_ns
            && self.timer.poll_passed(cx, deadline_ns, &self.client.clock)
        {
            return Poll::Ready(Err(self.timeout()));
        }
        Poll::Pending
    }

    fn poll_write(&mut self, cx: &mut Context<'_>) {
        loop {
            let bytes = match (self.part, &self.request.body) {
                (Part::Head, _) => &self.request.bytes[..],
                (Part::Body, Some(body)) => body,
                _ => {
                    self.part = Part::Done;
                    self.exchange.stamps.t3_after_write_ns = self.client.clock.now_ns();
                    if self.sampled {
                        self.take_departure(false);
                    }
                    return;
                }
            };
            match self.connection.poll_write_all(cx, bytes, &mut self.written) {
                Poll::Pending => return,
                Poll::Ready(Ok(())) => {
                    self.written = 0;
                    self.part = match self.part {
                        Part::Head => Part::Body,
                        _ => Part::Done,
                    };
                }
                Poll::Ready(Err(error)) => {
                    // The server may have answered before it closed; only if it has not, this is what counts.
                    self.write_error = Some(NetError::from_io("write", &error));
                    self.part = Part::Done;
                    return;
                }
            }
        }
    }

    /// Reads when the request left. On loopback the kernel knows it when the write returns, elsewhere a little later;
    /// `last` is the last look.
    fn take_departure(&mut self, last: bool) {
        let stamps = &self.exchange.stamps;
        let start_ns = stamps.t2_before_write_ns;
        let now_ns = stamps.t3_after_write_ns.max(stamps.t6_done_ns);
        let left_ns = self.connection.socket_mut().take_departure(now_ns);
        if left_ns.is_none() && !last {
            return;
        }
        self.sampled = false;
        let sample = left_ns.map(|left_ns| TxSample {
            left_ns: left_ns as i64 - start_ns as i64,
            returned_ns: stamps.t3_after_write_ns.saturating_sub(start_ns),
            assumed_ns: stamps.left_ns - start_ns,
        });
        let tls = self.exchange.tls.is_some();
        self.client.dialer.instrument().departure(tls, sample);
    }

    fn poll_response(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, HttpError>> {
        let buffers = self.client.buffers.clone();
        let mut buffer = buffers.read.borrow_mut();
        loop {
            let read = match self.connection.poll_read(cx, &mut buffer) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(read)) => read,
                Poll::Ready(Err(error)) => {
                    return Poll::Ready(
                        Err(self.failure(NetError::from_io("read", &error).into())),
                    );
                }
            };
            let stamps = &mut self.exchange.stamps;
            let message = &mut self.exchange.message;
            let progress = if read.bytes == 0 {
                if stamps.t5_first_ns != 0 {
                    // Where the end is the close, its arrival is the end; the kernel does not stamp it.
                    stamps.krx_last_ns = None;
                    stamps.t5_last_ns = read.returned_ns;
                }
                self.decoder.finish(message)
            } else {
                if stamps.t5_first_ns == 0 {
                    stamps.krx_first_ns = read.kernel_ns;
                    stamps.t5_first_ns = read.returned_ns;
                }
                stamps.krx_last_ns = read.kernel_ns;
                stamps.t5_last_ns = read.returned_ns;
                let mut recent = buffers.recent_heads.borrow_mut();
                self.decoder
                    .feed(&buffer[..read.bytes], message, &mut recent)
            };
            match progress {
                Ok(Progress::Done { reusable }) => {
                    stamps.t6_done_ns = self.client.clock.now_ns();
                    let all_sent = self.part == Part::Done && self.write_error.is_none();
                    return Poll::Ready(Ok(reusable && all_sent));
                }
                Ok(Progress::More) => {}
                Err(error) => return Poll::Ready(Err(self.failure(error.into()))),
            }
            // A body that never pauses never gets to the timer.
            if self
                .deadline_ns
                .is_some_and(|deadline_ns| read.returned_ns >= deadline_ns)
            {
                return Poll::Ready(Err(self.timeout()));
            }
        }
    }

    /// The deadline passed: the silence before it belongs to the phase the response was in.
    fn timeout(&mut self) -> HttpError {
        let stamps = &mut self.exchange.stamps;
        stamps.t6_done_ns = self.client.clock.now_ns();
        if stamps.t5_first_ns != 0 {
            stamps.krx_last_ns = None;
            stamps.t5_last_ns = stamps.t6_done_ns;
        }
        NetError::Timeout.into()
    }

    /// What to report when reading failed: an earlier failure to write explains it better.
    fn failure(&mut self, error: HttpError) -> HttpError {
        match self.write_error.take() {
            Some(error) if self.decoder.head().is_none() => error.into(),
            _ => error,
        }
    }
}
