//! fetch and its responses: a thin layer over the asynchronous requests of `k6/http`, measured like any other.
//!
//! A request that fails rejects with a TypeError, one that is aborted with the signal's reason; every status is a
//! response. Left out: streams, caches, CORS, `Request`.

use rquickjs::{ArrayBuffer, Ctx, Exception, Function, Object, Persistent, Result, Value};

use super::{abort, headers, hide, method, search_params, settled, text};
use crate::modules;
use crate::native::{Call, function};

/// The property of a response with its bytes, until they are read.
const BODY: &str = "[[body]]";

/// `fetch(url, init)`.
pub(super) fn fetch<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    settled_or(ctx, send(call))
}

/// A promise stays one; an exception becomes one.
fn settled_or<'js>(ctx: &Ctx<'js>, promise: Result<Value<'js>>) -> Result<Value<'js>> {
    match promise {
        Err(rquickjs::Error::Exception) => settled(ctx, Err(rquickjs::Error::Exception)),
        other => other,
    }
}

fn send<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let url = text(&call.arg(0))?;
    let init = match call.arg(1).into_object() {
        Some(init) => init,
        None => Object::new(ctx.clone())?,
    };
    let method: Option<String> = init.get("method")?;
    let method = method.unwrap_or_else(|| "GET".to_owned());
    let (body, kind) = body(&init)?;
    let params = params(ctx, &init, kind)?;
    let signal: Option<Object<'js>> = init.get("signal")?;
    let redirect: Option<String> = init.get("redirect")?;
    if redirect.as_deref().is_some_and(|r| r != "follow") {
        params.set("redirects", 0)?;
    }
    let request = modules::http::Asynchronous {
        method: upper(&method),
        url: rquickjs::String::from_str(ctx.clone(), &url)?.into_value(),
        body,
        params: params.into_value(),
    };
    let pending = match signal.filter(abort::is_signal) {
        Some(signal) => {
            if let Some(reason) = abort::aborted(&signal)? {
                return Err(ctx.throw(reason));
            }
            let told = abort::until(ctx, &signal)?;
            let until = async move { told.notified().await };
            let signal = Persistent::save(ctx, signal);
            request.start(ctx, until, move |ctx| {
                let reason = signal.restore(ctx).and_then(|s| abort::aborted(&s));
                match reason {
                    Ok(Some(reason)) => ctx.throw(reason),
                    Ok(None) => Exception::throw_message(ctx, "aborted"),
                    Err(error) => error,
                }
            })?
        }
        None => {
            let never = |ctx: &Ctx<'_>| Exception::throw_message(ctx, "aborted");
            request.start(ctx, std::future::pending(), never)?
        }
    };
    let pending = pending.into_object().ok_or(rquickjs::Error::Unknown)?;
    let then: Function<'js> = pending.get("then")?;
    let convert = if redirect.as_deref() == Some("error") {
        function(ctx, "response", 1, unredirected)?
    } else {
        function(ctx, "response", 1, response)?
    };
    then.call((rquickjs::function::This(pending), convert))
}

/// The methods that the standard writes in capitals.
fn upper(method: &str) -> String {
    let capitals = method.to_ascii_uppercase();
    let known = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];
    if known.contains(&capitals.as_str()) {
        capitals
    } else {
        method.to_owned()
    }
}

/// What is sent, and its content type when nobody says another.
fn body<'js>(init: &Object<'js>) -> Result<(Value<'js>, Option<&'static str>)> {
    let ctx = init.ctx();
    let body: Value<'js> = init.get("body")?;
    let as_text = |text: &str| -> Result<Value<'js>> {
        Ok(rquickjs::String::from_str(ctx.clone(), text)?.into_value())
    };
    if body.is_undefined() || body.is_null() {
        return Ok((Value::new_null(ctx.clone()), None));
    }
    if let Some(object) = body.as_object() {
        if let Some(query) = search_params::text_of(object)? {
            let kind = "application/x-www-form-urlencoded;charset=UTF-8";
            return Ok((as_text(&query)?, Some(kind)));
        }
        if let Some(bytes) = crate::globals::bytes::of(&body) {
            let copy = ArrayBuffer::new(ctx.clone(), bytes)?;
            return Ok((copy.into_value(), None));
        }
    }
    Ok((as_text(&text(&body)?)?, Some("text/plain;charset=UTF-8")))
}

/// The parameters for `k6/http`; `tags` and `timeout` are passed on.
fn params<'js>(ctx: &Ctx<'js>, init: &Object<'js>, kind: Option<&str>) -> Result<Object<'js>> {
    let params = Object::new(ctx.clone())?;
    let lines = Object::new(ctx.clone())?;
    let given = headers::given(ctx, &init.get("headers")?)?;
    if let Some(kind) = kind {
        lines.set("content-type", kind)?;
    }
    for (name, value) in headers::joined(given) {
        lines.set(name, value)?;
    }
    params.set("headers", lines)?;
    params.set("responseType", "binary")?;
    for passed in ["tags", "timeout"] {
        let value: Value<'js> = init.get(passed)?;
        if !value.is_undefined() {
            params.set(passed, value)?;
        }
    }
    Ok(params)
}

/// A response of `k6/http` as one of fetch.
fn response<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let answer = call.arg(0).into_object().ok_or(rquickjs::Error::Unknown)?;
    let status: u32 = answer.get("status")?;
    let error: Option<String> = answer.get("error")?;
    if status == 0 {
        let text = format!("fetch failed: {}", error.unwrap_or_default());
        return Err(Exception::throw_type(ctx, &text));
    }
    let made = Object::new(ctx.clone())?;
    made.set("status", status)?;
    made.set("ok", (200..300).contains(&status))?;
    let reason: Option<String> = answer.get("status_text")?;
    let reason = reason.unwrap_or_default();
    let reason = reason.split_once(' ').map_or("", |(_, reason)| reason);
    made.set("statusText", reason)?;
    let url: String = answer.get("url")?;
    let request: Object<'js> = answer.get("request")?;
    made.set("redirected", request.get::<_, String>("url")? != url)?;
    made.set("url", url)?;
    made.set("type", "basic")?;
    let mut lines = Vec::new();
    let all: Object<'js> = answer.get("headers")?;
    for line in all.props::<String, String>() {
        let (name, value) = line?;
        lines.push((name.to_ascii_lowercase(), value));
    }
    made.set("headers", headers::make(ctx, &lines)?)?;
    made.set("bodyUsed", false)?;
    hide(&made, BODY, answer.get::<_, Value<'js>>("body")?)?;
    method(&made, "text", 0, |call| {
        settled(
            call.ctx(),
            take_text(call).and_then(|t| js_text(call.ctx(), &t)),
        )
    })?;
    method(&made, "json", 0, |call| {
        let parsed = take_text(call).and_then(|text| call.ctx().json_parse(text));
        settled(call.ctx(), parsed)
    })?;
    method(&made, "arrayBuffer", 0, |call| {
        settled(call.ctx(), take(call))
    })?;
    Ok(made.into_value())
}

/// [`response`] where a redirect is an error.
fn unredirected<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let answer = call.arg(0).into_object().ok_or(rquickjs::Error::Unknown)?;
    let status: u32 = answer.get("status")?;
    if (300..400).contains(&status) {
        let text = format!("fetch failed: the answer is a redirect ({status})");
        return Err(Exception::throw_type(call.ctx(), &text));
    }
    response(call)
}

fn js_text<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    Ok(rquickjs::String::from_str(ctx.clone(), text)?.into_value())
}

/// The bytes of a response, which can be read once.
fn take<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let response = super::receiver(call, BODY, "Response")?;
    if response.get::<_, bool>("bodyUsed")? {
        return Err(Exception::throw_type(ctx, "the body was read before"));
    }
    response.set("bodyUsed", true)?;
    let body: Value<'js> = response.get(BODY)?;
    hide(&response, BODY, Value::new_undefined(ctx.clone()))?;
    if body.is_object() {
        return Ok(body);
    }
    Ok(ArrayBuffer::new(ctx.clone(), Vec::<u8>::new())?.into_value())
}

fn take_text(call: &Call<'_, '_>) -> Result<String> {
    let bytes = crate::globals::bytes::of(&take(call)?).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
