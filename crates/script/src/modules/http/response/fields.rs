//! The fields of a response: their names in k6's order, and how each value is made from the exchange. In k6 its methods
//! are among them.

use netload_net::{Ocsp, OcspStatus};
use rquickjs::{ArrayBuffer, Ctx, IntoJs, Object, Result, String as JsString, Value};

use super::{Body, BodyKind, ResponseData, class};
use crate::context::VuContext;
use crate::layout::Values;
use crate::modules::http::{cookies, ocsp};

/// Nanoseconds per millisecond, the unit of `timings`.
const NS_PER_MS: f64 = 1e6;

/// The names in `timings`, in the order scripts see.
const TIMINGS: [&str; 8] = [
    "duration",
    "blocked",
    "looking_up",
    "connecting",
    "tls_handshaking",
    "sending",
    "waiting",
    "receiving",
];

/// One field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Field {
    RemoteIp,
    RemotePort,
    Url,
    Status,
    StatusText,
    Proto,
    Headers,
    Cookies,
    Body,
    Timings,
    TlsVersion,
    TlsCipherSuite,
    Ocsp,
    Error,
    ErrorCode,
    Request,
    ClickLink,
    Html,
    Json,
    SubmitForm,
}

impl Field {
    /// How many there are.
    pub(super) const COUNT: usize = 20;

    /// How many of them keep their value once it is made, because it is large or has an identity.
    pub(super) const KEPT: usize = 6;

    /// All of them, in the order scripts see.
    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::RemoteIp,
        Self::RemotePort,
        Self::Url,
        Self::Status,
        Self::StatusText,
        Self::Proto,
        Self::Headers,
        Self::Cookies,
        Self::Body,
        Self::Timings,
        Self::TlsVersion,
        Self::TlsCipherSuite,
        Self::Ocsp,
        Self::Error,
        Self::ErrorCode,
        Self::Request,
        Self::ClickLink,
        Self::Html,
        Self::Json,
        Self::SubmitForm,
    ];

    /// Its name in scripts.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::RemoteIp => "remote_ip",
            Self::RemotePort => "remote_port",
            Self::Url => "url",
            Self::Status => "status",
            Self::StatusText => "status_text",
            Self::Proto => "proto",
            Self::Headers => "headers",
            Self::Cookies => "cookies",
            Self::Body => "body",
            Self::Timings => "timings",
            Self::TlsVersion => "tls_version",
            Self::TlsCipherSuite => "tls_cipher_suite",
            Self::Ocsp => "ocsp",
            Self::Error => "error",
            Self::ErrorCode => "error_code",
            Self::Request => "request",
            Self::ClickLink => "clickLink",
            Self::Html => "html",
            Self::Json => "json",
            Self::SubmitForm => "submitForm",
        }
    }

    /// Where its value is kept, none when it is made anew each time.
    pub(super) fn kept(self) -> Option<usize> {
        match self {
            Self::Headers => Some(0),
            Self::Cookies => Some(1),
            Self::Body => Some(2),
            Self::Timings => Some(3),
            Self::Ocsp => Some(4),
            Self::Request => Some(5),
            _ => None,
        }
    }
}

/// Makes the value of a field.
pub(super) fn make<'js>(ctx: &Ctx<'js>, data: &ResponseData, field: Field) -> Result<Value<'js>> {
    let exchange = data.exchange.as_ref();
    match field {
        Field::Status => data.status.into_js(ctx),
        Field::ErrorCode => data.error_code.into_js(ctx),
        Field::Error => text(ctx, &data.error),
        Field::Url => text(ctx, &data.url),
        Field::Body => body(ctx, data),
        Field::Headers => headers(ctx, data),
        Field::Cookies => response_cookies(ctx, data),
        Field::Timings => timings(ctx, data),
        Field::Request => request(ctx, data),
        Field::Ocsp => ocsp(ctx, data),
        Field::ClickLink | Field::Html | Field::Json | Field::SubmitForm => {
            class::method(ctx, field)
        }
        Field::StatusText => match exchange.filter(|_| data.status != 0) {
            Some(exchange) => text(
                ctx,
                format!("{} {}", data.status, exchange.reason()).trim_end(),
            ),
            None => text(ctx, ""),
        },
        Field::Proto => match exchange.filter(|_| data.status != 0) {
            Some(exchange) => text(ctx, exchange.version().as_str()),
            None => text(ctx, ""),
        },
        Field::RemoteIp => match exchange.and_then(|e| e.remote) {
            Some(remote) => text(ctx, &remote.ip().to_string()),
            None => text(ctx, ""),
        },
        Field::RemotePort => exchange
            .and_then(|e| e.remote)
            .map_or(0, |remote| remote.port())
            .into_js(ctx),
        Field::TlsVersion => text(ctx, data.tls().map_or("", |tls| tls.version)),
        Field::TlsCipherSuite => text(ctx, data.tls().map_or("", |tls| &*tls.cipher_suite)),
    }
}

fn text<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    Ok(JsString::from_str(ctx.clone(), text)?.into_value())
}

fn body<'js>(ctx: &Ctx<'js>, data: &ResponseData) -> Result<Value<'js>> {
    let bytes = match (&data.body, &data.exchange) {
        (Body::Missing, _) | (_, None) => return Ok(Value::new_null(ctx.clone())),
        (Body::AsReceived, Some(exchange)) => exchange.body(),
        (Body::Decoded(bytes), _) => bytes,
    };
    match data.body_kind {
        BodyKind::Text => text(ctx, &super::text_of(bytes)),
        BodyKind::Binary => Ok(ArrayBuffer::new_copy(ctx.clone(), bytes)?.into_value()),
        BodyKind::None => Ok(Value::new_null(ctx.clone())),
    }
}

/// Canonical names; lines of the same name are joined. Out of the way of [`make`], whose frame makes the stack of every
/// VU grow.
#[inline(never)]
fn headers<'js>(ctx: &Ctx<'js>, data: &ResponseData) -> Result<Value<'js>> {
    let layout = &VuContext::of(ctx).http_state.class.headers;
    let exchange = data.exchange.as_ref().filter(|_| data.status != 0);
    if let Some(exchange) = exchange
        && let Some(headers) = layout.object(ctx, exchange)?
    {
        return Ok(headers);
    }
    let object = Object::new(ctx.clone())?;
    let all = data.headers();
    for (name, value) in &all {
        object.set(&**name, &**value)?;
    }
    if let Some(exchange) = exchange {
        let names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
        layout.learn(ctx, exchange, &names)?;
    }
    Ok(object.into_value())
}

fn response_cookies<'js>(ctx: &Ctx<'js>, data: &ResponseData) -> Result<Value<'js>> {
    let object = Object::new(ctx.clone())?;
    if let Some(exchange) = &data.exchange {
        cookies::describe_received(ctx, &object, exchange)?;
    }
    Ok(object.into_value())
}

/// Out of the way of [`make`], as [`headers`].
#[inline(never)]
fn timings<'js>(ctx: &Ctx<'js>, data: &ResponseData) -> Result<Value<'js>> {
    let times = data
        .exchange
        .as_ref()
        .map(|e| e.timings)
        .unwrap_or_default();
    let layout = &VuContext::of(ctx).http_state.class.timings;
    layout.learn_once(ctx, &TIMINGS)?;
    let mut values = Values::new(ctx);
    for ns in [
        times.duration_ns,
        times.blocked_ns,
        // k6 measures it and reports 0; looking up is part of blocked.
        0,
        times.connecting_ns,
        times.tls_ns,
        times.sending_ns,
        times.waiting_ns,
        times.receiving_ns,
    ] {
        values.push(&(ns as f64 / NS_PER_MS).into_js(ctx)?);
    }
    layout.object(values)
}

fn request<'js>(ctx: &Ctx<'js>, data: &ResponseData) -> Result<Value<'js>> {
    let Some(sent) = &data.request else {
        return Ok(Value::new_null(ctx.clone()));
    };
    let object = Object::new(ctx.clone())?;
    object.set("method", &*sent.method)?;
    object.set("url", &*sent.url)?;
    let headers = Object::new(ctx.clone())?;
    for (name, value) in sent.headers() {
        headers.set(name, vec![&*value])?;
    }
    object.set("headers", headers)?;
    let body = sent.body.as_deref().unwrap_or_default();
    object.set("body", &*String::from_utf8_lossy(body))?;
    let cookies = Object::new(ctx.clone())?;
    cookies::describe_sent(ctx, &cookies, &sent.cookies)?;
    object.set("cookies", cookies)?;
    Ok(object.into_value())
}

/// What the server sent along about its certificate.
fn ocsp<'js>(ctx: &Ctx<'js>, data: &ResponseData) -> Result<Value<'js>> {
    let tls = data.tls();
    let stated = tls.and_then(|tls| tls.ocsp);
    let (revoked_at, reason) = match stated.map(|ocsp| ocsp.status) {
        None => (0, ""),
        Some(OcspStatus::Revoked { at_s, reason }) => (at_s, ocsp::reason(reason)),
        Some(OcspStatus::Good | OcspStatus::Unknown) => (ocsp::NEVER_S, ocsp::reason(0)),
    };
    let object = Object::new(ctx.clone())?;
    let time = |read: fn(&Ocsp) -> i64| stated.as_ref().map_or(0, read) as f64;
    object.set("produced_at", time(|ocsp| ocsp.produced_at_s))?;
    object.set("this_update", time(|ocsp| ocsp.this_update_s))?;
    let next = |ocsp: &Ocsp| ocsp.next_update_s.unwrap_or(ocsp::NEVER_S);
    object.set("next_update", time(next))?;
    object.set("revoked_at", revoked_at as f64)?;
    object.set("revocation_reason", reason)?;
    object.set("status", tls.map_or("", ocsp::status))?;
    Ok(object.into_value())
}
