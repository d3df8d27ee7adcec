//! Exchanges over HTTP/2: which connection carries them, and when they are sent again.
//!
//! Owns a client's connections of HTTP/2, the choice between them by the rules of Go's client, and the repeats.
//! Invariants: while a connection to an origin is being established nobody establishes a second one; a request that
//! the server may have worked on is not repeated unless its method allows it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use netload_net::{NetError, Origin, Speaks};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::client::{Client, ExchangeOptions};
use crate::error::HttpError;
use crate::exchange::{Exchange, Stamps};
use crate::h2::{H2Error, Link, Outcome, Wanted};
use crate::pool::{Pooled, same};
use crate::request::Prepared;

/// Most connections of HTTP/2 to one origin; when all are full, requests wait.
const LINKS_PER_ORIGIN: usize = 32;

/// How often a request is sent again that the server has refused to look at.
const REPEATS: u32 = 6;

/// Pause before the second repeat; it doubles from there.
const PAUSE: Duration = Duration::from_secs(1);

/// A client's connections of HTTP/2.
#[derive(Debug, Default)]
pub(crate) struct Links {
    open: RefCell<Vec<(Rc<Origin>, Rc<Link>)>>,
    /// Origins that are being connected to.
    dialing: RefCell<Vec<Rc<Origin>>>,
    /// Told when one of them is not any more.
    dialed: Notify,
    /// Origins that turned out to speak HTTP/1.
    plain: RefCell<Vec<Rc<Origin>>>,
}

/// What an origin has for a request.
enum Choice {
    Link(Rc<Link>),
    /// All connections are full, and there may be no more.
    Full(Rc<Link>),
    None,
}

impl Links {
    fn choose(&self, origin: &Rc<Origin>, one: bool) -> Choice {
        let mut open = self.open.borrow_mut();
        open.retain(|(_, link)| !link.is_closed());
        let here = || open.iter().filter(|(key, _)| same(key, origin));
        if let Some((_, link)) = here().find(|(_, link)| link.has_room()) {
            return Choice::Link(link.clone());
        }
        let most = if one { 1 } else { LINKS_PER_ORIGIN };
        match here().next_back() {
            Some((_, link)) if here().count() >= most => Choice::Full(link.clone()),
            _ => Choice::None,
        }
    }

    fn is_dialing(&self, origin: &Rc<Origin>) -> bool {
        self.dialing.borrow().iter().any(|key| same(key, origin))
    }

    fn is_plain(&self, origin: &Rc<Origin>) -> bool {
        self.plain.borrow().iter().any(|key| same(key, origin))
    }

    /// Forgets the connections; each is closed when its last exchange is over.
    pub(crate) fn clear(&self) {
        self.open.borrow_mut().clear();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        let open = self.open.borrow();
        open.iter().filter(|(_, link)| !link.is_closed()).count()
    }
}

/// Says that an origin is being connected to, as long as it lives.
struct Dialing<'a>(&'a Links, Rc<Origin>);

impl Drop for Dialing<'_> {
    fn drop(&mut self) {
        self.0
            .dialing
            .borrow_mut()
            .retain(|key| !Rc::ptr_eq(key, &self.1));
        self.0.dialed.notify_waiters();
    }
}

/// What a new connection speaks.
enum Fresh {
    Http1(Box<Pooled>),
    Http2(Rc<Link>),
}

/// How an attempt to use HTTP/2 ended.
pub(crate) enum Multiplexed {
    Done(Result<(), HttpError>),
    /// The origin speaks HTTP/1; perhaps there is a new connection for it already.
    Http1(Option<Box<Pooled>>),
}

impl Client {
    /// Sends a request over HTTP/2 if that is what its origin speaks.
    pub(crate) async fn multiplexed(
        &self,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
    ) -> Multiplexed {
        let mut repeats = 0;
        loop {
            let link = match self.links.choose(&request.origin, self.config.one_link) {
                Choice::Link(link) if !self.config.no_reuse => {
                    exchange.reused = link.is_used();
                    link
                }
                choice => {
                    if self.has_idle(&request.origin) {
                        return Multiplexed::Http1(None);
                    }
                    // Boxed, because it is rare and its state is large.
                    match Box::pin(self.another_link(request, options, exchange, choice)).await {
                        Ok(Some(Fresh::Http2(link))) => link,
                        Ok(Some(Fresh::Http1(pooled))) => return Multiplexed::Http1(Some(pooled)),
                        Ok(None) => continue,
                        Err(error) => return Multiplexed::Done(Err(error)),
                    }
                }
            };
            let outcome = self.on_link(&link, request, options, exchange).await;
            let error = self.settle(&link, outcome, exchange);
            let Some((error, again)) = error else {
                return Multiplexed::Done(Ok(()));
            };
            let again = match again {
                Again::Never => false,
                Again::Untouched => repeats < REPEATS,
                Again::DiedIdle => exchange.reused && request.repeatable,
            };
            if !again {
                return Multiplexed::Done(Err(error));
            }
            repeats += 1;
            if repeats > 1
                && let Err(timeout) = Box::pin(self.pause(repeats, options)).await
            {
                return Multiplexed::Done(Err(timeout.into()));
            }
            exchange.stamps = Stamps {
                t1_asked_ns: exchange.stamps.t1_asked_ns,
                ..Stamps::default()
            };
        }
    }

    /// One attempt on a connection that has room.
    async fn on_link(
        &self,
        link: &Rc<Link>,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
    ) -> Outcome {
        exchange.remote = link.remote;
        exchange.tls.clone_from(&link.tls);
        exchange.message.clear();
        let wanted = Wanted {
            mode: options.body,
            head_request: request.head_request,
            deadline_ns: options.deadline_ns.unwrap_or(u64::MAX),
        };
        let message = std::mem::take(&mut exchange.message);
        link.open(request.outgoing(), wanted, message).await
    }

    /// Takes over what came of a stream. The failure, if it is one, and whether it may be tried again.
    fn settle(
        &self,
        link: &Link,
        outcome: Outcome,
        exchange: &mut Exchange,
    ) -> Option<(HttpError, Again)> {
        let t1_asked_ns = exchange.stamps.t1_asked_ns;
        exchange.stamps = Stamps {
            t1_asked_ns,
            ..outcome.stamps
        };
        let stamps = &mut exchange.stamps;
        if stamps.t6_done_ns == 0 {
            stamps.t6_done_ns = self.clock().now_ns();
        }
        if stamps.t2_before_write_ns != 0 {
            exchange.timings.blocked_ns = stamps.t2_before_write_ns.saturating_sub(t1_asked_ns);
        }
        exchange.message = outcome.message;
        exchange.head = outcome.head;
        exchange.body_bytes = outcome.body_bytes;
        let (sent, received) = link.charge();
        exchange.sent += sent;
        exchange.received += received;
        let error = outcome.error?;
        let again = if outcome.untouched {
            Again::Untouched
        } else if !outcome.answered && link.is_closed() && !error.is_timeout() {
            Again::DiedIdle
        } else {
            Again::Never
        };
        Some((error, again))
    }

    /// Waits before a repeat, or until the time is over.
    async fn pause(&self, repeats: u32, options: &ExchangeOptions) -> Result<(), NetError> {
        let pause = PAUSE * 2u32.saturating_pow(repeats.saturating_sub(2));
        self.in_time(options, tokio::time::sleep(pause)).await
    }

    /// Gets a connection with room: waits for one, or establishes it. None when there is one to be chosen now.
    async fn another_link(
        &self,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
        choice: Choice,
    ) -> Result<Option<Fresh>, HttpError> {
        let origin = &request.origin;
        if self.config.no_reuse {
            return self.dial_either(request, options, exchange).await.map(Some);
        }
        if let Choice::Full(link) = choice {
            self.in_time(options, link.room()).await?;
            return Ok(None);
        }
        if self.links.is_plain(origin) {
            return self.dial_either(request, options, exchange).await.map(Some);
        }
        let dialed = self.links.dialed.notified();
        if self.links.is_dialing(origin) {
            self.in_time(options, dialed).await?;
            return Ok(None);
        }
        let _dialing = Dialing(&self.links, origin.clone());
        self.links.dialing.borrow_mut().push(origin.clone());
        let fresh = self.dial_either(request, options, exchange).await?;
        match &fresh {
            Fresh::Http2(link) => {
                let entry = (origin.clone(), link.clone());
                self.links.open.borrow_mut().push(entry);
            }
            Fresh::Http1(_) => self.links.plain.borrow_mut().push(origin.clone()),
        }
        Ok(Some(fresh))
    }

    async fn dial_either(
        &self,
        request: &Prepared,
        options: &ExchangeOptions,
        exchange: &mut Exchange,
    ) -> Result<Fresh, HttpError> {
        exchange.reused = false;
        let pooled = self.fresh_connection(request, options, exchange).await?;
        let tls = pooled.connection.tls.as_ref();
        let agreed = tls.and_then(|facts| facts.alpn.as_deref()) == Some(b"h2");
        match self.dialer().speaks(&request.origin) {
            Speaks::Http2 if tls.is_some() && !agreed => Err(H2Error::NotAgreed.into()),
            Speaks::Either if !agreed => Ok(Fresh::Http1(pooled)),
            _ => Ok(Fresh::Http2(Link::start(
                pooled.connection,
                self.dialer().clone(),
                self.buffers.clone(),
            ))),
        }
    }

    async fn in_time(
        &self,
        options: &ExchangeOptions,
        wait: impl Future<Output = ()>,
    ) -> Result<(), NetError> {
        let Some(deadline_ns) = options.deadline_ns else {
            wait.await;
            return Ok(());
        };
        let at = Instant::from_std(self.clock().instant(deadline_ns));
        tokio::time::timeout_at(at, wait)
            .await
            .map_err(|_| NetError::Timeout)
    }
}

/// Whether a failed request may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    Never,
    /// The server has certainly not worked on it.
    Untouched,
    /// The connection was lost before anything came; it may have been dying already.
    DiedIdle,
}
