//! From one exchange to its samples: the tags of a hop, found again by numbers where they can be.

use std::collections::HashMap;
use std::net::IpAddr;

use netload_engine::FailedExchange;
use netload_engine::exchange::{ExchangeKey, ExchangeSlots, ExchangeTimes, RequestKey, TagFacts};
use netload_engine::worker::Worker;
use netload_http::{Exchange, Timings, Version};
use netload_metrics::{Stamp, TagsId};
use netload_plan::SystemTag;

use super::ocsp;
use super::state::HttpLocal;
use crate::context::VuContext;

/// Method and name of requests with a number at most; beyond it they get new ones.
const KEYS_LIMIT: usize = 4_096;

/// Status from which on a response has an error code.
const FIRST_ERROR_STATUS: u16 = 400;

/// The numbers of requests by method and name.
#[derive(Debug, Default)]
pub(super) struct RequestKeys(HashMap<Box<str>, RequestKey>);

impl RequestKeys {
    /// The number of a request. The name is the user's, or the URL.
    pub(super) fn find(&mut self, worker: &Worker, method: &str, name: &str) -> RequestKey {
        let text = format!("{method} {name}");
        if let Some(key) = self.0.get(&*text) {
            return *key;
        }
        if self.0.len() >= KEYS_LIMIT {
            self.0.clear();
        }
        let key = worker.exchanges.borrow_mut().request_key();
        self.0.insert(text.into(), key);
        key
    }
}

/// What is known of a hop besides its exchange.
pub(super) struct Hop<'a> {
    /// As sent.
    pub(super) method: &'a str,
    /// The user's name for the request, or the URL without credentials.
    pub(super) name: &'a str,
    /// The tags of the VU and of the request.
    pub(super) tags: TagsId,
    /// Whether the status was expected; none when nobody judges it.
    pub(super) expected: Option<bool>,
    /// The outcome.
    pub(super) outcome: Outcome<'a>,
}

/// How a hop ended, as tags show it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome<'a> {
    /// 0 when there was no usable response.
    pub(super) status: u16,
    /// The error's text; empty without.
    pub(super) error: &'a str,
    /// k6's code of the error, or 1000 + status from 400 on; 0 without.
    pub(super) error_code: u16,
}

impl Outcome<'static> {
    /// Of a response that came.
    pub(super) fn of_status(status: u16) -> Self {
        Self {
            status,
            error: "",
            error_code: status_code(status),
        }
    }
}

/// k6's error code of a status, 0 for those that are no error.
pub(super) fn status_code(status: u16) -> u16 {
    if status >= FIRST_ERROR_STATUS {
        1000 + status
    } else {
        0
    }
}

/// Counts a hop for all metrics of requests.
pub(super) fn record(
    worker: &Worker,
    local: &HttpLocal,
    hop: &Hop<'_>,
    exchange: &Exchange,
    vu: (u64, u64),
) {
    let key = exchange_key(hop, exchange, || {
        local.keys.borrow_mut().find(worker, hop.method, hop.name)
    });
    let slots = find_slots(worker, key.as_ref(), hop, exchange);
    let at = stamp(worker, exchange, vu);
    add(worker, &slots, &exchange.timings, hop.expected, at);
    note_failure(worker, hop, exchange, at);
}

/// Number of the VU and of its iteration, as samples carry them.
pub(super) fn ids(vu: &VuContext) -> (u64, u64) {
    let iteration = vu.iteration.get().map_or(0, |i| i.in_vu);
    (vu.id_in_test(), iteration)
}

/// The stamp of the samples of an exchange: its end. `vu`: number and iteration.
pub(super) fn stamp(worker: &Worker, exchange: &Exchange, vu: (u64, u64)) -> Stamp {
    let end_ns = match exchange.stamps.t6_done_ns {
        0 => worker.clock.now_ns(),
        end_ns => end_ns,
    };
    Stamp {
        unix_ns: worker.clock.unix_ns(end_ns),
        vu: vu.0,
        iteration: vu.1,
    }
}

/// Shows a failed hop to whoever looks on.
pub(super) fn note_failure(worker: &Worker, hop: &Hop<'_>, exchange: &Exchange, at: Stamp) {
    let failed = hop.expected == Some(false) || !hop.outcome.error.is_empty();
    if !failed {
        return;
    }
    worker.state.failures.note(|| FailedExchange {
        unix_ns: at.unix_ns,
        method: hop.method.into(),
        name: FailedExchange::text(hop.name),
        status: hop.outcome.status,
        error: FailedExchange::text(hop.outcome.error),
        duration_ns: exchange.timings.duration_ns,
    });
}

/// Adds the samples of one exchange.
pub(super) fn add(
    worker: &Worker,
    slots: &ExchangeSlots,
    timings: &Timings,
    expected: Option<bool>,
    at: Stamp,
) {
    let times = ExchangeTimes::of(timings, &worker.plan.measurement);
    let failed = expected == Some(false);
    slots.record(&mut worker.recorder.borrow_mut(), &times, failed, at);
}

/// What the series of the hop depend on, when that is nothing but numbers.
pub(super) fn exchange_key(
    hop: &Hop<'_>,
    exchange: &Exchange,
    request: impl FnOnce() -> RequestKey,
) -> Option<ExchangeKey> {
    hop.outcome.error.is_empty().then(|| ExchangeKey {
        base: hop.tags,
        request: request(),
        status: hop.outcome.status,
        error_code: hop.outcome.error_code,
        protocol: protocol(exchange),
        expected: match hop.expected {
            Some(expected) => u8::from(expected),
            None => 2,
        },
    })
}

/// A number for protocol and TLS version.
fn protocol(exchange: &Exchange) -> u8 {
    let version = match exchange.head() {
        None => 0,
        Some(head) => match head.version {
            Version::Http10 => 1,
            Version::Http11 => 2,
            Version::Http2 => 3,
        },
    };
    let tls = match &exchange.tls {
        None => 0,
        // The versions differ in their last character.
        Some(tls) => 1 + tls.version.bytes().last().unwrap_or_default() % 16,
    };
    version + 4 * tls
}

/// The series of a hop, made when there was none like it.
pub(super) fn find_slots(
    worker: &Worker,
    key: Option<&ExchangeKey>,
    hop: &Hop<'_>,
    exchange: &Exchange,
) -> ExchangeSlots {
    let by_connection = by_connection(worker);
    let key = key.filter(|_| !by_connection);
    if let Some(key) = key
        && let Some(slots) = worker.exchanges.borrow().find(key)
    {
        return slots;
    }
    let by_ip = worker.plan.system_tags.contains(SystemTag::Ip);
    let ip = exchange.remote.filter(|_| by_ip).map(|r| r.ip());
    let slots = make_slots(worker, hop, exchange, ip);
    if let Some(key) = key {
        worker.exchanges.borrow_mut().keep(*key, slots);
    }
    slots
}

/// Whether series are told apart by the address or by the state of the certificate. These are in no key; whoever wants
/// them as tags pays for it.
pub(super) fn by_connection(worker: &Worker) -> bool {
    let wanted = &worker.plan.system_tags;
    wanted.contains(SystemTag::Ip) || wanted.contains(SystemTag::OcspStatus)
}

fn make_slots(
    worker: &Worker,
    hop: &Hop<'_>,
    exchange: &Exchange,
    ip: Option<IpAddr>,
) -> ExchangeSlots {
    let ip = ip.map(|ip| ip.to_string()).unwrap_or_default();
    let answered = hop.outcome.status != 0;
    let facts = TagFacts {
        method: hop.method,
        name: hop.name,
        url: hop.name,
        status: hop.outcome.status,
        proto: if answered {
            exchange.version().as_str()
        } else {
            ""
        },
        tls_version: exchange.tls.as_ref().map_or("", |tls| tls.version),
        ocsp_status: exchange.tls.as_deref().map_or("", ocsp::status),
        error: hop.outcome.error,
        error_code: hop.outcome.error_code,
        ip: &ip,
        expected: hop.expected,
    };
    let mut recorder = worker.recorder.borrow_mut();
    ExchangeSlots::new(&mut recorder, &worker.plan, hop.tags, &facts)
}

/// The name that a VU's own tags give all its requests, if they do.
pub(super) fn name_of_tags(worker: &Worker, tags: TagsId) -> Option<Box<str>> {
    let recorder = worker.recorder.borrow();
    recorder.tags.set(tags).value("name").map(Into::into)
}
