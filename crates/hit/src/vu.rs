//! The program and its VU: prepared bytes, one exchange per iteration, samples with cached slots.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use netload_engine::exchange::{ExchangeSlots, ExchangeTimes, TagFacts};
use netload_engine::{
    Activation, FailedExchange, Iteration, Outcome, Program, ProgramError, Vu, VuHost, Worker,
};
use netload_http::{
    AuthMode, BodyMode, Buffers, Call, Client, ClientConfig, Encoding, Exchange, ExchangeOptions,
    Hop, PoolLimits, Prepared, Request, SendOptions, Url,
};
use netload_metrics::TagsId;

/// The request that is sent over and over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The method, as sent.
    pub method: String,
    /// An absolute `http` or `https` URL.
    pub url: String,
    /// Headers in the order of sending.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Vec<u8>>,
    /// Sent unless the headers have one; empty sends none.
    pub user_agent: String,
    /// Longest time of one exchange, in nanoseconds.
    pub timeout_ns: u64,
    /// Whether connections are used again.
    pub keep_alive: bool,
    /// Requests at once on one connection; more than one only makes sense over HTTP/2.
    pub streams: u64,
    /// Redirects that are followed; each hop is an exchange of its own.
    pub redirects: u32,
}

/// Idle connections that a VU keeps when redirects may lead it to other hosts.
const REDIRECTED_CONNECTIONS: PoolLimits = PoolLimits {
    total: 8,
    per_host: 1,
};

/// The request cannot be sent.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[error("cannot send this request: {0}")]
pub struct HitError(String);

/// A fixed request as a program of the engine.
#[derive(Debug)]
pub struct Hit {
    target: Target,
}

impl Hit {
    /// Checks that the request can be sent.
    ///
    /// # Errors
    /// When the URL, method or a header is malformed.
    pub fn new(target: Target) -> Result<Self, HitError> {
        let hit = Self { target };
        hit.prepare(None).map_err(HitError)?;
        Ok(hit)
    }

    fn prepare(&self, worker: Option<&Worker>) -> Result<(Prepared, Request), String> {
        let target = &self.target;
        let url = Url::parse(&target.url).map_err(|e| e.to_string())?;
        let mut request = Request::new(&target.method, url);
        for (name, value) in &target.headers {
            request.headers.add(name, value.clone());
        }
        request.body = target.body.as_deref().map(Into::into);
        let origin = request.url.origin().map_err(|e| e.to_string())?;
        let proxy = worker.and_then(|w| w.dialer.plain_proxy(&origin));
        let prepared =
            Prepared::new(&request, &self.encoding(), proxy).map_err(|e| e.to_string())?;
        Ok((prepared, request))
    }

    fn encoding(&self) -> Encoding {
        Encoding {
            user_agent: self.target.user_agent.clone(),
            close: !self.target.keep_alive,
        }
    }
}

/// What the VUs of a worker share.
pub struct HitLocal {
    prepared: Prepared,
    request: Request,
    encoding: Rc<Encoding>,
    buffers: Rc<Buffers>,
    /// The URL without credentials, as tags show it.
    url: String,
    redirects: u32,
    timeout_ns: u64,
    keep_alive: bool,
    streams: u64,
    /// The connection that VUs are added to, and how many it has.
    shared: RefCell<Option<(Rc<Client>, u64)>>,
}

impl HitLocal {
    /// The connection for one more VU: every `streams` VUs share one.
    fn client(&self, host: &VuHost) -> Rc<Client> {
        let mut shared = self.shared.borrow_mut();
        if let Some((client, vus)) = shared.as_mut().filter(|(_, vus)| *vus < self.streams) {
            *vus += 1;
            return client.clone();
        }
        let dialer = host.worker.dialer.clone();
        let network = dialer.vu_local(host.id);
        let config = ClientConfig {
            pool: match self.redirects {
                0 => PoolLimits {
                    total: 1,
                    per_host: 1,
                },
                _ => REDIRECTED_CONNECTIONS,
            },
            no_reuse: !self.keep_alive,
            one_link: true,
        };
        let client = Rc::new(Client::new(dialer, self.buffers.clone(), network, config));
        *shared = Some((client.clone(), 1));
        client
    }
}

impl Program for Hit {
    type Local = HitLocal;
    type Vu = HitVu;

    fn local(&self, worker: &Rc<Worker>) -> Result<HitLocal, ProgramError> {
        let (prepared, request) = self.prepare(Some(worker)).map_err(ProgramError::Invalid)?;
        Ok(HitLocal {
            prepared,
            url: request.url.masked(),
            request,
            encoding: Rc::new(self.encoding()),
            buffers: Buffers::new(),
            redirects: self.target.redirects,
            timeout_ns: self.target.timeout_ns,
            keep_alive: self.target.keep_alive,
            streams: self.target.streams,
            shared: RefCell::new(None),
        })
    }

    fn neighbours(&self) -> u64 {
        self.target.streams
    }

    async fn vu(&self, local: &Rc<HitLocal>, host: VuHost) -> Result<HitVu, ProgramError> {
        Ok(HitVu {
            client: local.client(&host),
            local: local.clone(),
            host,
            tags: TagsId::EMPTY,
            last: RefCell::new(None),
            bytes: Cell::new((0, 0)),
            tare_ns: Cell::new(0),
        })
    }
}

/// The VU: one request at a time, on a connection of its own or, over HTTP/2, on one that it shares.
pub struct HitVu {
    host: VuHost,
    local: Rc<HitLocal>,
    client: Rc<Client>,
    tags: TagsId,
    /// The slots of the last successful exchange and the status they are for.
    last: RefCell<Option<(u16, ExchangeSlots)>>,
    bytes: Cell<(u64, u64)>,
    /// What the tool added to the last exchange after its start.
    tare_ns: Cell<u64>,
}

impl Vu for HitVu {
    fn activate(&mut self, activation: Activation) {
        self.tags = activation.tags;
        *self.last.borrow_mut() = None;
    }

    async fn iterate(&mut self, iteration: Iteration) -> Outcome {
        let worker = &self.host.worker;
        if let Some(limit) = &worker.rate_limit {
            let at_ns = limit.reserve(worker.clock.now_ns());
            let turn = pin!(worker.sleep_until(at_ns));
            if self.host.stop.guard(turn).await.is_err() {
                return Outcome::Interrupted;
            }
        }
        let options = ExchangeOptions {
            deadline_ns: Some(worker.clock.now_ns().saturating_add(self.local.timeout_ns)),
            body: BodyMode::Discard,
        };
        self.client.open(iteration.opening);
        self.tare_ns.set(0);
        let exchange = pin!(self.client.exchange(&self.local.prepared, &options));
        let Ok(exchange) = self.host.stop.guard(exchange).await else {
            return Outcome::Interrupted;
        };
        if self.local.redirects > 0 && (300..400).contains(&exchange.status) {
            return Box::pin(self.follow(exchange, options, iteration.in_vu)).await;
        }
        self.record(&exchange, None, iteration.in_vu);
        Outcome::Finished
    }

    fn tare_ns(&self) -> u64 {
        self.tare_ns.get()
    }

    fn take_bytes(&mut self) -> (u64, u64) {
        self.bytes.take()
    }
}

impl HitVu {
    /// Goes where the first answer leads, by the rules that scripts have.
    async fn follow(&self, first: Exchange, options: ExchangeOptions, iteration: u64) -> Outcome {
        let local = &self.local;
        let call = match Call::new(local.request.clone(), &local.encoding, &self.client) {
            Ok(call) => call,
            // The same request was prepared before the load started.
            Err(error) => {
                self.record(&Exchange::failed(error), None, iteration);
                return Outcome::Finished;
            }
        };
        let options = SendOptions {
            exchange: options,
            max_redirects: local.redirects,
            jar: None,
            auth: AuthMode::Basic,
            sent: None,
        };
        let record = |hop: Hop<'_>| self.record(hop.exchange, Some(&hop), iteration);
        let chain = pin!(self.client.finish(&call, first, &options, record));
        match self.host.stop.guard(chain).await {
            Ok(_) => Outcome::Finished,
            Err(_) => Outcome::Interrupted,
        }
    }

    /// Counts an exchange; `hop` tells where it went, unless that is the request of the plan.
    fn record(&self, exchange: &Exchange, hop: Option<&Hop<'_>>, iteration: u64) {
        let timings = &exchange.timings;
        self.tare_ns.set(timings.tare_ns - timings.late_ns);
        let (sent, received) = self.bytes.get();
        self.bytes
            .set((sent + exchange.sent, received + exchange.received));
        let expected = exchange.error.is_none() && (200..400).contains(&exchange.status);
        let slots = self.slots(exchange, hop, expected);
        let worker = &self.host.worker;
        let times = ExchangeTimes::of(timings, &worker.plan.measurement);
        let stamp = worker.stamp_at(exchange.stamps.t6_done_ns, self.host.id, iteration);
        let mut recorder = worker.recorder.borrow_mut();
        slots.record(&mut recorder, &times, !expected, stamp);
        if !expected {
            worker.state.failures.note(|| FailedExchange {
                unix_ns: stamp.unix_ns,
                method: hop
                    .map_or(&*self.local.request.method, |hop| hop.method)
                    .into(),
                name: match hop {
                    Some(hop) => FailedExchange::text(&hop.url.masked()),
                    None => FailedExchange::text(&self.local.url),
                },
                status: exchange.status,
                error: exchange
                    .error
                    .as_ref()
                    .map_or_else(|| "".into(), |e| FailedExchange::text(&e.to_string())),
                duration_ns: times.duration_ns,
            });
        }
    }

    fn slots(&self, exchange: &Exchange, hop: Option<&Hop<'_>>, expected: bool) -> ExchangeSlots {
        let mut last = self.last.borrow_mut();
        if exchange.error.is_none()
            && hop.is_none()
            && let Some((status, slots)) = *last
            && status == exchange.status
        {
            return slots;
        }
        let error = exchange.error.as_ref();
        let text = error.map(ToString::to_string).unwrap_or_default();
        let ip = exchange.remote.map(|r| r.ip().to_string());
        let hop_url = hop.map(|hop| hop.url.masked());
        let url = hop_url.as_deref().unwrap_or(&self.local.url);
        let facts = TagFacts {
            method: hop.map_or(&self.local.request.method, |hop| hop.method),
            name: url,
            url,
            status: exchange.status,
            proto: error.map_or(exchange.version().as_str(), |_| ""),
            tls_version: exchange.tls.as_ref().map_or("", |t| t.version),
            ocsp_status: "",
            error: &text,
            error_code: match error {
                Some(error) => error.code(),
                None if exchange.status >= 400 => 1000 + exchange.status,
                None => 0,
            },
            ip: ip.as_deref().unwrap_or_default(),
            expected: Some(expected),
        };
        let worker = &self.host.worker;
        let mut recorder = worker.recorder.borrow_mut();
        let slots = ExchangeSlots::new(&mut recorder, &worker.plan, self.tags, &facts);
        if error.is_none() && hop.is_none() {
            *last = Some((exchange.status, slots));
        }
        slots
    }
}
