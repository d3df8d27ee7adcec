//! `http.get`, the hot path: a URL without parameters, no cookies, no redirect, nothing encoded.

use std::rc::Rc;

use netload_http::Exchange;
use rquickjs::{Result, Value};

use super::arguments::DEFAULT_TIMEOUT_NS;
use super::debug;
use super::fetch::{self, wait_for_rate};
use super::job::Job;
use super::prepared::{self, PlainGet};
use super::record::{self, Hop, Outcome};
use super::request::{MAKING_REQUESTS, conclude, without_body};
use super::response::{self, BodyKind};
use crate::context::Running;
use crate::native::Call;

/// `http.get(url, params?)`.
pub(super) fn get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let running = call.vu().running(call.ctx(), MAKING_REQUESTS)?;
    let plain = if call.len() == 1 {
        find(call, running)?
    } else {
        None
    };
    match plain {
        Some(get) => send(call, running, &get),
        None => without_body(call, "GET", "get"),
    }
}

/// The prepared request for the URL, unless it needs the long way.
fn find(call: &Call<'_, '_>, running: &Running) -> Result<Option<Rc<PlainGet>>> {
    let state = &call.vu().http_state;
    if !state.jar.borrow().is_empty() {
        return Ok(None);
    }
    let last = state.last_get.find(call.raw_arg(0));
    if last.is_some() {
        return Ok(last);
    }
    let Some(url) = call.arg(0).into_string() else {
        return Ok(None);
    };
    let url = url.to_cstring()?;
    let local = &running.local.http_local;
    let known = local.prepared.borrow().find(url.as_str());
    let get = known
        .or_else(|| prepared::make(&running.host.worker, local, &running.client, url.as_str()));
    if let Some(get) = &get {
        state.last_get.keep(call.ctx(), call.raw_arg(0), get);
    }
    Ok(get)
}

fn send<'js>(call: &Call<'_, 'js>, running: &Running, get: &Rc<PlainGet>) -> Result<Value<'js>> {
    let vu = call.vu();
    let worker = &running.host.worker;
    let body_kind = BodyKind::of_plan(worker);
    if worker.rate_limit.is_some() {
        vu.wait_in(call.ctx(), wait_for_rate(worker))?;
    }
    let client = &running.client;
    let mut exchange = client.blank();
    let now_ns = vu.now_ns();
    let deadline_ns = now_ns.saturating_add(DEFAULT_TIMEOUT_NS);
    let options = fetch::options(deadline_ns, body_kind);
    let done = client.exchange_in(&mut exchange, now_ns, get.call.prepared(), &options);
    vu.wait_in(call.ctx(), done)?;
    if !is_plain(&exchange) || debug::is_on(worker) {
        return go_on(call, running, get, exchange, deadline_ns);
    }
    count(call, running, get, &exchange);
    let (url, sent) = (get.url.clone(), get.sent.clone());
    response::plain_value(call.ctx(), exchange, url, sent, body_kind)
}

/// The long way for an exchange that turned out not to be plain. Kept out of [`send`], whose frame is on the stack of
/// every waiting VU.
#[inline(never)]
fn go_on<'js>(
    call: &Call<'_, 'js>,
    running: &Running,
    get: &PlainGet,
    exchange: Exchange,
    deadline_ns: u64,
) -> Result<Value<'js>> {
    let job = Job::new(call.ctx(), running, get.call.request().clone());
    let rest = Box::pin(fetch::proceed(&job, &get.call, exchange, deadline_ns));
    let fetched = call.vu().wait_in(call.ctx(), rest)?;
    conclude(call.ctx(), fetched, job.throw)
}

/// Whether nothing is left to do but to count the exchange and to show it.
fn is_plain(exchange: &Exchange) -> bool {
    let Some(head) = exchange.head() else {
        return false;
    };
    exchange.error.is_none()
        && head.status != 101
        && !(head.has_cookies || head.has_encoding)
        && !(head.has_location && (300..400).contains(&head.status))
}

/// [`record::record`] for a request whose last series are remembered.
fn count(call: &Call<'_, '_>, running: &Running, get: &PlainGet, exchange: &Exchange) {
    let vu = call.vu();
    let worker = &running.host.worker;
    let tags = vu.tags.get();
    let expected = vu.http_state.expectation.borrow().judge(exchange.status);
    let own_name;
    let mut hop = Hop {
        method: "GET",
        name: &get.name,
        tags,
        expected,
        outcome: Outcome::of_status(exchange.status),
    };
    let key = record::exchange_key(&hop, exchange, || get.key);
    let slots = match (key, get.last.get()) {
        (Some(key), Some((last, slots))) if key == last => slots,
        (key, _) => {
            own_name = record::name_of_tags(worker, tags);
            if let Some(name) = &own_name {
                hop.name = name;
            }
            let slots = record::find_slots(worker, key.as_ref(), &hop, exchange);
            get.last.set(
                key.filter(|_| !record::by_connection(worker))
                    .map(|key| (key, slots)),
            );
            slots
        }
    };
    let stamp = record::stamp(worker, exchange, record::ids(vu));
    record::add(worker, &slots, &exchange.timings, expected, stamp);
    record::note_failure(worker, &hop, exchange, stamp);
}
