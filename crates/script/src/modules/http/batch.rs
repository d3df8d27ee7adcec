//! `http.batch`: several requests at once, within the limits of the plan.

use std::collections::HashMap;
use std::rc::Rc;

use futures_util::future::join_all;
use netload_http::Url;
use rquickjs::{Atom, Coerced, Ctx, Exception, Object, Result, Value, qjs};
use tokio::sync::Semaphore;

use super::arguments::{Parts, Refusal, parts_of_array, type_name};
use super::fetch::{Fetched, fetch};
use super::get::{self, Plain};
use super::job::Job;
use super::request::conclude;
use super::response::{self, ResponseData};
use super::template;
use crate::context::Running;
use crate::native::Call;

/// Requests in one batch at most; they are all held in memory.
const REQUESTS_LIMIT: usize = 100_000;

/// One element: a request to be sent, or why it is not.
enum Element {
    Plain(Plain),
    Job(Box<Job>),
    Refused(Box<ResponseData>),
}

/// What came of one element.
enum Done {
    Fetched(Box<Fetched>, bool),
    Shown(Box<ResponseData>),
}

/// `http.batch(array or object)`.
pub(super) fn batch<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let running = call.vu().running(ctx, "http.batch()")?;
    let requests = requests(call)?;
    let mut keys = Vec::new();
    let mut elements = Vec::new();
    for given in given(ctx, &requests) {
        let (key, value) = given?;
        if elements.len() >= REQUESTS_LIMIT {
            let text = format!("http.batch() takes at most {REQUESTS_LIMIT} requests");
            return Err(Exception::throw_range(ctx, &text));
        }
        elements.push(element(ctx, running, &key, &value)?);
        keys.push(key);
    }
    let done = call.vu().wait_in(ctx, send_all(ctx, running, elements))?;
    let results = match requests.is_array() {
        true => rquickjs::Array::new(ctx.clone())?.into_object(),
        false => Object::new(ctx.clone())?,
    };
    let as_array = results.as_array().cloned();
    for (index, (key, done)) in keys.into_iter().zip(done).enumerate() {
        let response = match done {
            Done::Fetched(fetched, throw) => conclude(ctx, *fetched, throw)?,
            Done::Shown(data) => response::show(ctx, data)?,
        };
        match &as_array {
            Some(array) => array.set(index, response)?,
            None => results.set(key, response)?,
        }
    }
    Ok(results.into_value())
}

/// The elements with their names. A hole in an array is an element, too, so that results stay in their places.
fn given<'js>(
    ctx: &Ctx<'js>,
    requests: &Object<'js>,
) -> Box<dyn Iterator<Item = Result<(Atom<'js>, Value<'js>)>> + 'js> {
    let ctx = ctx.clone();
    match requests.as_array().cloned() {
        Some(array) => Box::new((0..array.len()).map(move |index| {
            let value: Value<'js> = array.get(index)?;
            Ok((Atom::from_u32(ctx.clone(), index as u32)?, value))
        })),
        None => Box::new(requests.props::<Atom<'js>, Value<'js>>()),
    }
}

fn requests<'js>(call: &Call<'_, 'js>) -> Result<Object<'js>> {
    let refuse = |text: &str| Err(Exception::throw_message(call.ctx(), text));
    let given = call.arg(0);
    match (call.len(), given.as_object()) {
        (0, _) => refuse("no argument was provided to http.batch()"),
        (1, Some(object)) if !object.is_function() => Ok(object.clone()),
        (1, _) => refuse(&format!(
            "invalid http.batch() argument type {}",
            type_name(&given)
        )),
        _ => refuse("http.batch() accepts only an array or an object of requests"),
    }
}

fn element<'js>(
    ctx: &Ctx<'js>,
    running: &Running,
    key: &Atom<'js>,
    value: &Value<'js>,
) -> Result<Element> {
    if value.is_string()
        && let Some(plain) = get::find(ctx, running, value.as_raw(), qjs::JS_UNDEFINED)?
    {
        return Ok(Element::Plain(plain));
    }
    let parsed = parts(ctx, key, value).and_then(|parts| of_parts(ctx, running, &parts));
    match parsed {
        Ok(element) => Ok(element),
        Err(Refusal::Thrown(error)) => Err(error),
        Err(Refusal::Invalid { text, .. }) if running.host.worker.plan.http.throw => {
            Err(Exception::throw_message(ctx, &text))
        }
        Err(Refusal::Invalid { code, text }) => {
            super::warn_failed(ctx, "A batch request failed", &text);
            Ok(Element::Refused(Box::new(ResponseData::refused(
                code, &text,
            ))))
        }
    }
}

fn of_parts<'js>(
    ctx: &Ctx<'js>,
    running: &Running,
    parts: &Parts<'js>,
) -> std::result::Result<Element, Refusal> {
    let no_body = parts.body.is_undefined() || parts.body.is_null();
    if parts.method == "GET"
        && no_body
        && let Some(plain) = get::find(ctx, running, parts.url.as_raw(), parts.params.as_raw())?
    {
        return Ok(Element::Plain(plain));
    }
    let job = parts.parse(ctx, running)?;
    Ok(Element::Job(Box::new(job)))
}

/// The forms of an element: a URL, `[method, url, body, params]`, `{method, url, body, params}`.
fn parts<'js>(
    ctx: &Ctx<'js>,
    key: &Atom<'js>,
    value: &Value<'js>,
) -> std::result::Result<Parts<'js>, Refusal> {
    let undefined = || Value::new_undefined(ctx.clone());
    if let Some(array) = value.as_array() {
        return parts_of_array(array)?.ok_or_else(|| {
            Refusal::invalid("invalid batch request: [method, url, body, params] is expected")
        });
    }
    let object = match value.as_object() {
        Some(object) if template::from_value(value)?.is_none() => object,
        _ => {
            return Ok(Parts {
                method: "GET".to_owned(),
                url: value.clone(),
                body: undefined(),
                params: undefined(),
            });
        }
    };
    if !object.contains_key("url")? {
        let key = key.to_string()?;
        return Err(Refusal::invalid(format!(
            "batch request {key} doesn't have a url key"
        )));
    }
    let method: Option<Coerced<String>> = object.get("method")?;
    Ok(Parts {
        method: method.map_or_else(|| "GET".to_owned(), |m| m.0),
        url: object.get("url")?,
        body: object.get("body")?,
        params: object.get("params")?,
    })
}

/// Sends all elements, at most `batch` at once and `batchPerHost` to one host; 0 is no limit.
async fn send_all(ctx: &Ctx<'_>, running: &Running, elements: Vec<Element>) -> Vec<Done> {
    let http = &running.host.worker.plan.http;
    let requests = elements.len();
    let overall = limiter(http.batch, requests);
    let mut hosts: HashMap<String, Rc<Semaphore>> = HashMap::new();
    let sending = elements.into_iter().map(|element| {
        let url = match &element {
            Element::Plain(plain) => Some(&plain.get().call.request().url),
            Element::Job(job) => Some(&job.request.url),
            Element::Refused(_) => None,
        };
        // Fewer than the limit need none of it, whatever their hosts.
        let of_host = url.and_then(|url| {
            let new = limiter(http.batch_per_host, requests)?;
            let of_host = hosts.entry(host(url));
            Some(of_host.or_insert_with(|| Rc::new(new)).clone())
        });
        send(ctx, running, element, overall.as_ref(), of_host)
    });
    join_all(sending).await
}

/// Sends one element when it is its turn.
async fn send(
    ctx: &Ctx<'_>,
    running: &Running,
    element: Element,
    overall: Option<&Semaphore>,
    of_host: Option<Rc<Semaphore>>,
) -> Done {
    if let Element::Refused(data) = element {
        return Done::Shown(data);
    }
    // The semaphores are never closed, so a permit always comes.
    let _one_of_all = match overall {
        Some(limiter) => limiter.acquire().await.ok(),
        None => None,
    };
    let _one_of_host = match &of_host {
        Some(limiter) => limiter.acquire().await.ok(),
        None => None,
    };
    // Boxed, because what sends is large and the futures of a batch are moved while they are gathered.
    match element {
        Element::Refused(data) => Done::Shown(data),
        Element::Plain(plain) => match Box::pin(get::send_in_batch(ctx, running, &plain)).await {
            Ok(data) => Done::Shown(data),
            Err((fetched, throw)) => Done::Fetched(fetched, throw),
        },
        Element::Job(job) => {
            let throw = job.throw;
            let fetched = Box::pin(async move { fetch(*job).await }).await;
            Done::Fetched(Box::new(fetched), throw)
        }
    }
}

/// What lets `limit` of `requests` through at once; none when that is all of them.
fn limiter(limit: u64, requests: usize) -> Option<Semaphore> {
    match usize::try_from(limit) {
        Ok(limit) if limit > 0 && limit < requests => {
            Some(Semaphore::new(limit.min(Semaphore::MAX_PERMITS)))
        }
        _ => None,
    }
}

fn host(url: &Url) -> String {
    url.host().to_ascii_lowercase()
}
