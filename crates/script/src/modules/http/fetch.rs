//! Sending a job: the limit on requests per second, the exchange with its redirects, the samples of every hop.

use std::rc::Rc;
use std::time::Duration;

use netload_engine::worker::Worker;
use netload_http::{BodyMode, Exchange, ExchangeOptions, Prepared};

use super::job::Job;
use super::record::{self, Hop, Outcome};
use super::response::{Body, BodyKind, ResponseData, Sent};

/// What came of a job.
pub(super) struct Fetched {
    /// The response, also of a failure.
    pub(super) response: ResponseData,
    /// The failure with all particulars, for the log and for exceptions.
    pub(super) failure: Option<String>,
    /// Whether the failure is an exception even without `throw`.
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
pub(super) async fn fetch(job: Job) -> Fetched {
    let worker = job.local.worker.clone();
    wait_for_rate(&worker).await;
    let deadline_ns = worker.clock.now_ns().saturating_add(job.timeout_ns);
    let options = options(deadline_ns, job.body_kind);
    let exchange = match Prepared::new(&job.request, &job.local.http_local.encoding, None) {
        Ok(prepared) => job.client.exchange(&prepared, &options).await,
        Err(error) => Exchange::failed(error),
    };
    proceed(job, exchange, deadline_ns).await
}

/// Goes on with a job whose first exchange is done.
pub(super) async fn proceed(job: Job, exchange: Exchange, _deadline_ns: u64) -> Fetched {
    let worker = job.local.worker.clone();
    let local = &job.local.http_local;
    let url: Rc<str> = job.request.url.to_string().into();
    let sent = Rc::new(Sent::new(&job.request, url.clone(), &local.encoding));
    let error = exchange.error.as_ref().map(|e| (e.code(), e.to_string(), e.detail()));
    let masked = job.request.url.masked();
    let hop = Hop {
        method: &job.request.method,
        name: job.name.as_deref().unwrap_or(&masked),
        tags: job.tags,
        expected: job.expectation.judge(exchange.status),
        outcome: match &error {
            None => Outcome::of_status(exchange.status),
            Some((code, text, _)) => Outcome {
                status: 0,
                error: text,
                error_code: *code,
            },
        },
    };
    record::record(&worker, local, &hop, &exchange, job.vu);
    let body = Body::plain(&exchange);
    let response = ResponseData::answered(exchange, url, sent, body, job.body_kind);
    match error {
        None => Fetched {
            response,
            failure: None,
            fatal: false,
        },
        Some((code, text, detail)) => Fetched {
            response: response.failed(code, &text),
            failure: Some(detail),
            fatal: false,
        },
    }
}
