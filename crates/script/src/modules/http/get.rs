//! `http.get`, the hot path: a URL with nothing but tags, no cookies, no redirect, nothing encoded.

use std::rc::Rc;

use netload_http::Exchange;
use rquickjs::{Ctx, Result, Value, qjs};

use super::arguments::DEFAULT_TIMEOUT_NS;
use super::debug;
use super::fetch::{self, Fetched, wait_for_rate};
use super::job::Job;
use super::label::{Asked, Label};
use super::prepared::{self, PlainGet};
use super::record::{self, Hop, Outcome};
use super::request::{MAKING_REQUESTS, conclude, without_body};
use super::response::{self, BodyKind, ResponseData};
use crate::context::{Running, VuContext};
use crate::native::Call;

/// A request of the hot path.
pub(super) struct Plain {
    /// What is sent.
    get: Rc<PlainGet>,
    /// The tags it was given.
    label: Option<Rc<Label>>,
}

impl Plain {
    /// What is sent.
    pub(super) fn get(&self) -> &PlainGet {
        &self.get
    }

    /// The same for the long way.
    fn job(&self, ctx: &Ctx<'_>, running: &Running) -> Job {
        let mut job = Job::new(ctx, running, self.get.call.request().clone());
        if let Some(label) = &self.label {
            label.put_on(&mut job);
        }
        job
    }

    /// Its response. Inlined, so that it is made where it stays: it is large.
    #[inline(always)]
    fn answered(&self, exchange: Exchange, body_kind: BodyKind) -> Box<ResponseData> {
        let (url, sent) = (self.get.url.clone(), self.get.sent.clone());
        response::plain(exchange, url, sent, body_kind)
    }
}

/// `http.get(url, params?)`.
pub(super) fn get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let running = call.vu().running(call.ctx(), MAKING_REQUESTS)?;
    let plain = match call.len() {
        1 | 2 => find(call.ctx(), running, call.raw_arg(0), call.raw_arg(1))?,
        _ => None,
    };
    match plain {
        Some(plain) => send(call, running, &plain),
        None => without_body(call, "GET", "get"),
    }
}

/// The prepared request for a URL with these parameters, unless it needs the long way. Both values are alive and belong
/// to the context. Kept out of [`send`], as [`go_on`].
#[inline(never)]
pub(super) fn find(
    ctx: &Ctx<'_>,
    running: &Running,
    url: qjs::JSValue,
    params: qjs::JSValue,
) -> Result<Option<Plain>> {
    let state = &VuContext::of(ctx).http_state;
    if !state.jar.borrow().is_empty() {
        return Ok(None);
    }
    let label = match state.labels.asked(ctx, running, params)? {
        Asked::Nothing => None,
        Asked::Tags(label) => Some(label),
        Asked::More => return Ok(None),
    };
    let get = match state.last_get.find(url) {
        Some(last) => Some(last),
        None => prepared::find(ctx, running, url)?,
    };
    Ok(get.map(|get| Plain { get, label }))
}

fn send<'js>(call: &Call<'_, 'js>, running: &Running, plain: &Plain) -> Result<Value<'js>> {
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
    let done = client.exchange_in(&mut exchange, now_ns, plain.get.call.prepared(), &options);
    vu.wait_in(call.ctx(), done)?;
    if !is_plain(&exchange) || debug::is_on(worker) {
        return go_on(call, running, plain, exchange, deadline_ns);
    }
    count(vu, running, plain, &exchange);
    response::show(call.ctx(), plain.answered(exchange, body_kind))
}

/// Sends an element of a batch when it is its turn. The response, or the long way's end and whether a failure throws.
pub(super) async fn send_in_batch(
    ctx: &Ctx<'_>,
    running: &Running,
    plain: &Plain,
) -> std::result::Result<Box<ResponseData>, (Box<Fetched>, bool)> {
    let vu = VuContext::of(ctx);
    let worker = &running.host.worker;
    if !vu.http_state.jar.borrow().is_empty() {
        // An element before it has brought a cookie, which goes along.
        let job = plain.job(ctx, running);
        let throw = job.throw;
        return Err((Box::new(fetch::fetch(job).await), throw));
    }
    if worker.rate_limit.is_some() {
        wait_for_rate(worker).await;
    }
    let body_kind = BodyKind::of_plan(worker);
    let client = &running.client;
    let mut exchange = client.blank();
    let now_ns = vu.now_ns();
    let deadline_ns = now_ns.saturating_add(DEFAULT_TIMEOUT_NS);
    let options = fetch::options(deadline_ns, body_kind);
    client
        .exchange_in(&mut exchange, now_ns, plain.get.call.prepared(), &options)
        .await;
    if !is_plain(&exchange) || debug::is_on(worker) {
        let job = plain.job(ctx, running);
        // Boxed, because it is rare and its state is large.
        let rest = Box::pin(fetch::proceed(&job, &plain.get.call, exchange, deadline_ns));
        return Err((Box::new(rest.await), job.throw));
    }
    count(vu, running, plain, &exchange);
    Ok(plain.answered(exchange, body_kind))
}

/// The long way for an exchange that turned out not to be plain. Kept out of [`send`], whose frame is on the stack of
/// every waiting VU.
#[inline(never)]
fn go_on<'js>(
    call: &Call<'_, 'js>,
    running: &Running,
    plain: &Plain,
    exchange: Exchange,
    deadline_ns: u64,
) -> Result<Value<'js>> {
    let job = plain.job(call.ctx(), running);
    let rest = Box::pin(fetch::proceed(&job, &plain.get.call, exchange, deadline_ns));
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
fn count(vu: &VuContext, running: &Running, plain: &Plain, exchange: &Exchange) {
    let worker = &running.host.worker;
    let get = &plain.get;
    let (tags, named) = match &plain.label {
        Some(label) => (label.tags, label.named.as_ref()),
        None => (vu.tags.get(), None),
    };
    let (name, key, last) = match named {
        Some(named) => (&named.name, named.key, &named.last),
        None => (&get.name, get.key, &get.last),
    };
    let expected = vu.http_state.expectation.borrow().judge(exchange.status);
    let own_name;
    let mut hop = Hop {
        method: "GET",
        name,
        tags,
        expected,
        outcome: Outcome::of_status(exchange.status),
    };
    let key = record::exchange_key(&hop, exchange, || key);
    let slots = match (key, last.get()) {
        (Some(key), Some((last, slots))) if key == last => slots,
        (key, _) => {
            own_name = record::name_of_tags(worker, tags);
            if let Some(name) = &own_name {
                hop.name = name;
            }
            let slots = record::find_slots(worker, key.as_ref(), &hop, exchange);
            last.set(
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
