//! Sending a job: the limit on requests per second, redirects, and the samples of every hop.

use std::borrow::Cow;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use netload_engine::log::{Level, Record};
use netload_engine::worker::Worker;
use netload_http::compression::Coding;
use netload_http::h1::H1Error;
use netload_http::{
    AuthMode, BodyMode, Call, Exchange, ExchangeOptions, Hop, HttpError, Request, SendOptions, Url,
    compression,
};
use netload_net::NetError;

use super::cookies;
use super::debug;
use super::job::{Auth, Job};
use super::record::{self, Outcome};
use super::response::{Body, BodyKind, ResponseData, Sent};

/// What came of a job.
pub(super) struct Fetched {
    /// The response, also of a failure.
    pub(super) response: ResponseData,
    /// Why there is no usable response.
    pub(super) failure: Option<Failure>,
}

/// Why there is no usable response.
pub(super) struct Failure {
    /// All particulars, for the log and for exceptions.
    pub(super) detail: String,
    /// Whether it is an exception even without `throw`.
    pub(super) fatal: bool,
}

/// Waits until the run's limit on requests per second lets one through.
pub(super) async fn wait_for_rate(worker: &Worker) {
    let Some(limit) = &worker.rate_limit else {
        return;
    };
    let now_ns = worker.clock.now_ns();
    let at_ns = limit.reserve(now_ns);
    if at_ns > now_ns {
        tokio::time::sleep(Duration::from_nanos(at_ns - now_ns)).await;
    }
}

/// How the exchanges of a request are done.
pub(super) fn options(deadline_ns: u64, body_kind: BodyKind) -> ExchangeOptions {
    ExchangeOptions {
        deadline_ns: Some(deadline_ns),
        body: match body_kind {
            BodyKind::None => BodyMode::Discard,
            BodyKind::Text | BodyKind::Binary => BodyMode::Keep,
        },
    }
}

/// Sends a job and measures its hops.
///
/// The future is on the heap and made here, out of the way: the frames of its callers stay on the stack of a VU as
/// long as it waits.
#[inline(never)]
pub(super) fn fetch(job: Job) -> LocalBoxFuture<'static, Fetched> {
    Box::pin(carry_out_whole(job))
}

async fn carry_out_whole(job: Job) -> Fetched {
    let worker = &job.local.worker;
    wait_for_rate(worker).await;
    let deadline_ns = worker.clock.now_ns().saturating_add(job.timeout_ns);
    let encoding = &job.local.http_local.encoding;
    match Call::new(job.request.clone(), encoding, &job.client) {
        // An explicit 0 is a time that is over before it began.
        Ok(_) if job.timeout_ns == 0 => unsent(&job, NetError::Timeout.into()),
        Ok(call) => carry_out(&job, &call, None, deadline_ns).await,
        Err(error) => unsent(&job, error),
    }
}

/// Goes on with a job whose first exchange is done. `call` is its request, prepared.
pub(super) async fn proceed(
    job: &Job,
    call: &Call,
    exchange: Exchange,
    deadline_ns: u64,
) -> Fetched {
    carry_out(job, call, Some(exchange), deadline_ns).await
}

async fn carry_out(job: &Job, call: &Call, first: Option<Exchange>, deadline_ns: u64) -> Fetched {
    let sent = Rc::new(sent(job));
    let shown = debug::first(&job.local.worker, call);
    let send_options = SendOptions {
        exchange: options(deadline_ns, job.body_kind),
        max_redirects: u32::try_from(job.redirects.limit).unwrap_or(u32::MAX),
        jar: Some(job.jar.cell()),
        auth: match job.auth {
            Auth::Digest => AuthMode::Digest,
            Auth::Basic => AuthMode::Basic,
            Auth::Ntlm => AuthMode::Ntlm,
        },
        sent: shown.as_ref(),
    };
    let mut decoded = Decoded::default();
    let on_hop = |hop: Hop<'_>| {
        if let Some(request) = &shown {
            debug::show(job, &request.borrow(), hop.exchange);
        }
        decoded = decode(job, &hop);
        measure(job, &hop, &decoded);
    };
    let end = match first {
        Some(exchange) => {
            let finishing = job.client.finish(call, exchange, &send_options, on_hop);
            finishing.await
        }
        None => job.client.send(call, &send_options, on_hop).await,
    };
    if end.stopped && !job.redirects.chosen {
        warn_of_redirects(job);
    }
    let url = shown_url(job, &end.url).to_string();
    conclude(job, end.exchange, decoded, url.into(), sent)
}

/// A failure before there was a connection to ask for.
fn unsent(job: &Job, error: HttpError) -> Fetched {
    let exchange = Exchange::failed(error);
    let hop = Hop {
        exchange: &exchange,
        url: &job.request.url,
        method: &job.request.method,
        challenge: false,
    };
    measure(job, &hop, &Decoded::default());
    let url = shown_url(job, &job.request.url).to_string();
    conclude(
        job,
        exchange,
        Decoded::default(),
        url.into(),
        Rc::new(sent(job)),
    )
}

/// The request as the script sees it.
fn sent(job: &Job) -> Sent {
    let Request { url, cookies, .. } = &job.request;
    let worker = &job.local.worker;
    let now_s = (worker.clock.unix_ns(worker.clock.now_ns()) / 1_000_000_000) as i64;
    let shown: Rc<str> = shown_url(job, url).to_string().into();
    Sent {
        cookies: cookies::outgoing(&job.jar, url, cookies, now_s),
        ..Sent::new(&job.request, shown, &job.local.http_local)
    }
}

/// The URL as responses and tags have it: without the credentials that only answer challenges.
fn shown_url<'a>(job: &Job, url: &'a Url) -> Cow<'a, Url> {
    if job.auth != Auth::Digest || url.user().is_none() {
        return Cow::Borrowed(url);
    }
    let mut url = url.clone();
    url.set_user(None);
    Cow::Owned(url)
}

/// A body that was encoded, or why it could not be decoded.
#[derive(Default)]
struct Decoded {
    body: Option<Vec<u8>>,
    error: Option<HttpError>,
}

/// Decodes the body of a hop, unless nobody will see it.
fn decode(job: &Job, hop: &Hop<'_>) -> Decoded {
    let encoded = |head: &netload_http::Head| head.has_encoding && head.status != 304;
    let wanted = job.body_kind != BodyKind::None && hop.exchange.error.is_none();
    if !wanted || !hop.exchange.head().is_some_and(encoded) {
        return Decoded::default();
    }
    let encoding = hop.exchange.header("Content-Encoding").unwrap_or_default();
    match compression::decode(&String::from_utf8_lossy(&encoding), hop.exchange.body()) {
        Ok(body) => Decoded { body, error: None },
        Err(error) => {
            // A decoder that reads its head only with the body shows an empty body when it fails, the others none.
            let started = matches!(error, HttpError::DecompressCut) || late_head(&encoding);
            Decoded {
                body: started.then(Vec::new),
                error: Some(error),
            }
        }
    }
}

/// Whether the coding that is decoded first has no head of its own that is read before the body is.
fn late_head(encoding: &[u8]) -> bool {
    let text = String::from_utf8_lossy(encoding);
    let known = text.rsplit(',').find_map(|name| Coding::parse(name.trim()));
    matches!(known, Some(Coding::Brotli | Coding::Zstd))
}

fn measure(job: &Job, hop: &Hop<'_>, decoded: &Decoded) {
    let error = hop.exchange.error.as_ref().or(decoded.error.as_ref());
    if error.is_some_and(is_upgrade) {
        // An exception and no result.
        return;
    }
    let text = error.map(ToString::to_string);
    let status = if error.is_some() {
        0
    } else {
        hop.exchange.status
    };
    let outcome = match (error, &text) {
        (Some(error), Some(text)) => Outcome {
            status,
            error: text,
            error_code: error.code(),
        },
        _ => Outcome::of_status(status),
    };
    let judged = job.expectation.judge(status);
    let masked;
    let name = match &job.name {
        Some(name) => name,
        None => {
            masked = shown_url(job, hop.url).masked();
            masked.as_str()
        }
    };
    let facts = record::Hop {
        method: hop.method,
        name,
        tags: job.tags,
        // The challenge is how the scheme works.
        expected: judged.map(|expected| expected || hop.challenge),
        outcome,
    };
    let local = &job.local;
    record::record(
        &local.worker,
        &local.http_local,
        &facts,
        hop.exchange,
        job.vu,
    );
}

fn conclude(
    job: &Job,
    mut exchange: Exchange,
    decoded: Decoded,
    url: Rc<str>,
    sent: Rc<Sent>,
) -> Fetched {
    let error = exchange.error.take().or(decoded.error);
    let body = match (decoded.body, &error) {
        (Some(bytes), _) => Body::Decoded(bytes),
        // What came before the connection failed is shown.
        (None, None | Some(HttpError::Net(_) | HttpError::Response(_) | HttpError::Http2(_))) => {
            Body::plain(&exchange)
        }
        (None, Some(_)) => Body::Missing,
    };
    let response = ResponseData::answered(exchange, url, sent, body, job.body_kind);
    let Some(error) = error else {
        return Fetched {
            response,
            failure: None,
        };
    };
    let failure = Failure {
        detail: if is_upgrade(&error) {
            error.to_string()
        } else {
            detail(job, &error)
        },
        fatal: is_upgrade(&error),
    };
    Fetched {
        response: response.failed(error.code(), &error.to_string()),
        failure: Some(failure),
    }
}

/// Whether the server wants to speak something else than HTTP.
fn is_upgrade(error: &HttpError) -> bool {
    matches!(error, HttpError::Response(H1Error::SwitchingProtocols))
}

/// `Get "http://host/": dial: connection refused`.
fn detail(job: &Job, error: &HttpError) -> String {
    let method = job.request.method.to_ascii_lowercase();
    let mut letters = method.chars();
    let title: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect();
    format!(
        "{title} \"{}\": {}",
        job.request.url.masked(),
        error.detail()
    )
}

/// Says once per worker that the default number of redirects was reached.
fn warn_of_redirects(job: &Job) {
    if job.local.http_local.redirects_warned.replace(true) {
        return;
    }
    let text = format!(
        "Stopped after {} redirects and returned the redirection; pass {{ redirects: n }} in request params \
         or set global maxRedirects to silence this",
        job.redirects.limit
    );
    let record = Record::new(Level::Warning, text).with("url", job.request.url.masked());
    job.local.worker.log(record);
}
