//! `http.request` and its relatives, blocking and as promises.

use rquickjs::{Ctx, Exception, Result, Value};

use super::arguments::{Parts, Refusal, method};
use super::fetch::{Fetched, fetch};
use super::job::Job;
use super::response::ResponseData;
use super::{warn, warn_failed};
use crate::context::Running;
use crate::native::Call;

/// What making a request is called in messages.
pub(super) const MAKING_REQUESTS: &str = "making http requests";

/// `http.head(url, params?)`.
pub(super) fn head<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    without_body(call, "HEAD", "head")
}

/// A method whose arguments are `(url, params?)`.
pub(super) fn without_body<'js>(
    call: &Call<'_, 'js>,
    method: &str,
    function: &str,
) -> Result<Value<'js>> {
    if call.len() > 2 {
        let text = format!(
            "http.{function} only accepts a url and a params argument (2 arguments), but {} were given",
            call.len()
        );
        warn(call.ctx(), text);
    }
    let parts = Parts {
        method: method.to_owned(),
        url: call.arg(0),
        body: Value::new_undefined(call.ctx().clone()),
        params: call.arg(1),
    };
    blocking(call, &parts)
}

/// `http.post(url, body?, params?)`.
pub(super) fn post<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    with_body(call, "POST")
}

/// `http.put(url, body?, params?)`.
pub(super) fn put<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    with_body(call, "PUT")
}

/// `http.patch(url, body?, params?)`.
pub(super) fn patch<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    with_body(call, "PATCH")
}

/// `http.del(url, body?, params?)`.
pub(super) fn del<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    with_body(call, "DELETE")
}

/// `http.options(url, body?, params?)`.
pub(super) fn options<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    with_body(call, "OPTIONS")
}

fn with_body<'js>(call: &Call<'_, 'js>, method: &str) -> Result<Value<'js>> {
    let parts = Parts {
        method: method.to_owned(),
        url: call.arg(0),
        body: call.arg(1),
        params: call.arg(2),
    };
    blocking(call, &parts)
}

/// `http.request(method, url, body?, params?)`.
pub(super) fn request<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    blocking(call, &given_parts(call)?)
}

/// `http.asyncRequest(method, url, body?, params?)`.
pub(super) fn async_request<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let running = call.vu().running(ctx, MAKING_REQUESTS)?;
    let parts = given_parts(call)?;
    match parse(ctx, running, &parts) {
        Ok(job) => {
            let throw = job.throw;
            call.vu().promise(ctx, fetch(job), move |ctx, fetched| {
                conclude(ctx, fetched, throw)
            })
        }
        Err(refused) => {
            let (promise, resolve, reject) = ctx.promise()?;
            match refused.and_then(|data| data.into_value(ctx)) {
                Ok(response) => resolve.call::<_, ()>((response,))?,
                Err(rquickjs::Error::Exception) => reject.call::<_, ()>((ctx.catch(),))?,
                Err(other) => return Err(other),
            }
            Ok(promise.into_value())
        }
    }
}

/// An asynchronous request that can be given up.
pub(crate) struct Asynchronous<'js> {
    /// Its method, sent as it is.
    pub(crate) method: String,
    /// Where to.
    pub(crate) url: Value<'js>,
    /// What is sent.
    pub(crate) body: Value<'js>,
    /// As in `http.asyncRequest`.
    pub(crate) params: Value<'js>,
}

impl<'js> Asynchronous<'js> {
    /// Sends it and returns the promise of its response. When `until` is done first, the connection is closed and the
    /// promise rejected with what `given_up` throws.
    pub(crate) fn start(
        self,
        ctx: &Ctx<'js>,
        until: impl Future<Output = ()> + 'static,
        given_up: impl for<'a> FnOnce(&Ctx<'a>) -> rquickjs::Error + 'static,
    ) -> Result<Value<'js>> {
        let vu = crate::context::VuContext::of(ctx);
        let running = vu.running(ctx, MAKING_REQUESTS)?;
        let parts = Parts {
            method: self.method,
            url: self.url,
            body: self.body,
            params: self.params,
        };
        let job = match parse(ctx, running, &parts) {
            Ok(job) => job,
            Err(refused) => {
                let response = refused?.into_value(ctx)?;
                let (promise, resolve, _) = ctx.promise()?;
                resolve.call::<_, ()>((response,))?;
                return Ok(promise.into_value());
            }
        };
        let throw = job.throw;
        let outcome = async move {
            tokio::select! {
                biased;
                () = until => None,
                fetched = fetch(job) => Some(fetched),
            }
        };
        vu.promise(ctx, outcome, move |ctx, fetched| match fetched {
            Some(fetched) => conclude(ctx, fetched, throw),
            None => Err(given_up(ctx)),
        })
    }
}

fn given_parts<'js>(call: &Call<'_, 'js>) -> Result<Parts<'js>> {
    Ok(Parts {
        method: method(&call.arg(0))?,
        url: call.arg(1),
        body: call.arg(2),
        params: call.arg(3),
    })
}

/// Sends a request and waits for its response.
pub(super) fn blocking<'js>(call: &Call<'_, 'js>, parts: &Parts<'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let running = call.vu().running(ctx, MAKING_REQUESTS)?;
    match parse(ctx, running, parts) {
        Ok(job) => {
            let throw = job.throw;
            let fetched = call.vu().wait_in(ctx, fetch(job))?;
            conclude(ctx, fetched, throw)
        }
        Err(refused) => refused?.into_value(ctx),
    }
}

/// The job that the parts describe, or the response of a request that is not sent.
pub(super) fn parse<'js>(
    ctx: &Ctx<'js>,
    running: &Running,
    parts: &Parts<'js>,
) -> std::result::Result<Job, Result<Box<ResponseData>>> {
    parts.parse(ctx, running).map_err(|refusal| match refusal {
        Refusal::Thrown(error) => Err(error),
        Refusal::Invalid { text, .. } if running.host.worker.plan.http.throw => {
            Err(Exception::throw_message(ctx, &text))
        }
        Refusal::Invalid { code, text } => {
            warn_failed(ctx, "Request Failed", &text);
            Ok(Box::new(ResponseData::refused(code, &text)))
        }
    })
}

/// The response of a job, or its exception.
pub(super) fn conclude<'js>(ctx: &Ctx<'js>, fetched: Fetched, throw: bool) -> Result<Value<'js>> {
    if let Some(failure) = &fetched.failure {
        if throw || failure.fatal {
            return Err(Exception::throw_message(ctx, &failure.detail));
        }
        warn_failed(ctx, "Request Failed", &failure.detail);
    }
    fetched.response.into_value(ctx)
}
