//! `Response`: what a request returns to the script, made lazily from the exchange.
//!
//! Owns the Rust half and the methods; the JavaScript class is in `class`, its fields in `fields`.

mod class;
mod fields;
mod json;
mod same_headers;

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use netload_engine::worker::Worker;
use netload_http::{Exchange, Headers, Request, canonical_name};
use netload_net::TlsFacts;
use rquickjs::{Ctx, Exception, Object, Result, Value};

pub(crate) use class::ResponseClass;

use super::forms::Received;
use super::state::HttpLocal;
use crate::gjson::{self, text_of};
use crate::native::{Call, method};

/// In which form a script wants the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// As a string.
    #[default]
    Text,
    /// As an ArrayBuffer.
    Binary,
    /// Not at all: read and dropped.
    None,
}

impl BodyKind {
    /// The kind of requests that do not choose one.
    pub(super) fn of_plan(worker: &Worker) -> Self {
        if worker.plan.http.discard_response_bodies {
            Self::None
        } else {
            Self::Text
        }
    }

    /// The kind with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "text" => Some(Self::Text),
            "binary" => Some(Self::Binary),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// Where the body's bytes are.
#[derive(Debug, Default)]
pub(super) enum Body {
    /// There is none.
    #[default]
    Missing,
    /// In the exchange, not encoded.
    AsReceived,
    /// Decoded.
    Decoded(Vec<u8>),
}

/// The request as the script sees it in `res.request`.
#[derive(Debug)]
pub(super) struct Sent {
    /// As sent.
    pub(super) method: Rc<str>,
    /// With everything the user wrote.
    pub(super) url: Rc<str>,
    /// The user agent that was added; empty when none was.
    pub(super) user_agent: Rc<str>,
    /// The user's own headers.
    pub(super) own_headers: Headers,
    /// The bytes of the body.
    pub(super) body: Option<Rc<[u8]>>,
    /// Names and values of the cookies that went out.
    pub(super) cookies: Vec<(String, String)>,
}

impl Body {
    /// The body of an exchange that is not encoded.
    pub(super) fn plain(exchange: &Exchange) -> Self {
        match exchange.head().map(|head| head.status) {
            // Statuses that cannot have one.
            None | Some(100..200 | 204 | 304) => Self::Missing,
            Some(_) => Self::AsReceived,
        }
    }
}

impl Sent {
    /// The request, shown with this URL, without cookies.
    pub(super) fn new(request: &Request, url: Rc<str>, local: &HttpLocal) -> Self {
        Self {
            method: request.method.as_str().into(),
            url,
            user_agent: local.user_agent.clone(),
            own_headers: request.headers.clone(),
            body: request.body.clone(),
            cookies: Vec::new(),
        }
    }

    /// All header lines that scripts see.
    fn headers(&self) -> Vec<(&str, Cow<'_, str>)> {
        let own = |name: &str| self.own_headers.first(name);
        let mut all = Vec::new();
        if own("User-Agent").is_none() && !self.user_agent.is_empty() {
            all.push(("User-Agent", Cow::from(&*self.user_agent)));
        }
        let others = self
            .own_headers
            .iter()
            .filter(|(name, _)| *name != "Cookie");
        all.extend(others.map(|(name, value)| (name, Cow::from(value))));
        let cookies = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let cookies: Vec<_> = own("Cookie")
            .map(str::to_owned)
            .into_iter()
            .chain(cookies)
            .collect();
        if !cookies.is_empty() {
            all.push(("Cookie", Cow::from(cookies.join("; "))));
        }
        all
    }
}

/// Whether a `Connection` field says that this was the last answer of its connection.
fn says_close(value: &[u8]) -> bool {
    let mut words = value.split(|byte| *byte == b',');
    words.any(|word| word.trim_ascii().eq_ignore_ascii_case(b"close"))
}

/// Everything a response is made from.
pub(super) struct ResponseData {
    /// The last hop; none when the arguments were wrong.
    pub(super) exchange: Option<Exchange>,
    /// 0 when there was no usable response.
    pub(super) status: u16,
    /// k6's code.
    pub(super) error_code: u16,
    /// The error's text; empty without.
    pub(super) error: Box<str>,
    /// The URL of the last hop.
    pub(super) url: Rc<str>,
    /// The first request; none when the arguments were wrong.
    pub(super) request: Option<Rc<Sent>>,
    /// The body.
    pub(super) body: Body,
    /// Its form in JavaScript.
    pub(super) body_kind: BodyKind,
    /// Whether the body is valid JSON, once somebody asked.
    valid_json: Cell<Option<bool>>,
    /// What was already turned into JavaScript.
    made: class::Made,
}

impl ResponseData {
    /// Of a request that was never sent.
    pub(super) fn refused(code: u16, error: &str) -> Self {
        Self {
            exchange: None,
            status: 0,
            error_code: code,
            error: error.into(),
            url: "".into(),
            request: None,
            body: Body::Missing,
            body_kind: BodyKind::Text,
            valid_json: Cell::new(None),
            made: class::Made::default(),
        }
    }

    /// Of an exchange without error.
    #[inline(always)]
    pub(super) fn answered(
        exchange: Exchange,
        url: Rc<str>,
        request: Rc<Sent>,
        body: Body,
        body_kind: BodyKind,
    ) -> Self {
        Self {
            status: exchange.status,
            error_code: super::record::status_code(exchange.status),
            error: "".into(),
            url,
            request: Some(request),
            body,
            body_kind,
            exchange: Some(exchange),
            valid_json: Cell::new(None),
            made: class::Made::default(),
        }
    }

    /// The same as a failure.
    #[must_use]
    pub(super) fn failed(mut self, code: u16, error: &str) -> Self {
        self.status = 0;
        self.error_code = code;
        self.error = error.into();
        self
    }

    /// The body's bytes; none when there is no body or it was not wanted.
    fn body_bytes(&self) -> Option<&[u8]> {
        match (&self.body, &self.exchange) {
            _ if self.body_kind == BodyKind::None => None,
            (Body::AsReceived, Some(exchange)) => Some(exchange.body()),
            (Body::Decoded(bytes), _) => Some(bytes),
            (Body::AsReceived | Body::Missing, _) => None,
        }
    }

    /// What it holds outside of JavaScript's heap, roughly.
    fn bytes(&self) -> u64 {
        let received = self
            .exchange
            .as_ref()
            .map_or(0, |e| e.raw_head().len() + e.body().len());
        let decoded = match &self.body {
            Body::Decoded(bytes) => bytes.len(),
            Body::AsReceived | Body::Missing => 0,
        };
        (size_of::<Self>() + received + decoded) as u64
    }

    /// Canonical names and joined values, in the order they came. What concerns only the connection or the framing of the
    /// body is left out, as Go's client does.
    fn headers(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        let Some(exchange) = self.exchange.as_ref().filter(|_| self.status != 0) else {
            return all;
        };
        for (name, value) in exchange.headers() {
            let name = canonical_name(name);
            let value = String::from_utf8_lossy(&value);
            match all.iter_mut().find(|(n, _)| *n == name) {
                Some((_, known)) => {
                    known.push_str(", ");
                    known.push_str(&value);
                }
                None => all.push((name, value.into_owned())),
            }
        }
        let chunked = all.iter().any(|(name, _)| name == "Transfer-Encoding");
        all.retain(|(name, value)| match name.as_str() {
            "Connection" => !says_close(value.as_bytes()),
            "Transfer-Encoding" => false,
            "Trailer" | "Content-Length" => !chunked,
            _ => true,
        });
        all
    }

    fn tls(&self) -> Option<&TlsFacts> {
        self.exchange.as_ref()?.tls.as_deref()
    }

    /// Makes the JavaScript object.
    pub(super) fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        class::wrap(ctx, class::keep(|| self))
    }
}

/// The response of an exchange without error, whose body is not encoded.
#[inline(always)]
pub(super) fn plain(
    exchange: Exchange,
    url: Rc<str>,
    request: Rc<Sent>,
    body_kind: BodyKind,
) -> Box<ResponseData> {
    class::keep(|| {
        let body = Body::plain(&exchange);
        ResponseData::answered(exchange, url, request, body, body_kind)
    })
}

/// The JavaScript object of a response.
pub(super) fn show<'js>(ctx: &Ctx<'js>, data: Box<ResponseData>) -> Result<Value<'js>> {
    class::wrap(ctx, data)
}

/// Registers the class in the VU's runtime.
pub(super) fn install(ctx: &Ctx<'_>) -> Result<()> {
    let prototype = Object::new(ctx.clone())?;
    prototype.set("json", method(ctx, "json", 1, json)?)?;
    prototype.set("html", method(ctx, "html", 1, html)?)?;
    prototype.set("submitForm", method(ctx, "submitForm", 1, submit_form)?)?;
    prototype.set("clickLink", method(ctx, "clickLink", 1, click_link)?)?;
    class::register(ctx, prototype)
}

fn json<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let this = call.this();
    let Some(data) = class::data(&this) else {
        let text = "json() is a method of responses";
        return Err(Exception::throw_type(call.ctx(), text));
    };
    let Some(body) = data.body_bytes() else {
        let text = "the body is null so we can't transform it to JSON - \
                    this likely was because of a request error getting the response";
        return Err(Exception::throw_message(call.ctx(), text));
    };
    if call.len() == 0 {
        return json::whole(call.ctx(), &text_of(body));
    }
    let path = call.arg(0).get::<rquickjs::Coerced<String>>()?.0;
    let text;
    let found = match data.valid_json.get() {
        Some(true) => {
            text = text_of(body);
            gjson::query(&text, &path)
        }
        Some(false) => None,
        None => {
            let found = gjson::query_unknown(body, &path);
            data.valid_json.set(Some(found.is_some()));
            found.flatten()
        }
    };
    json::selected(call.ctx(), found)
}

fn html<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    received(call, &call.this(), "html")?.html(call)
}

fn submit_form<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    received(call, &call.this(), "submitForm")?.submit_form(call)
}

fn click_link<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    received(call, &call.this(), "clickLink")?.click_link(call)
}

/// The page that a response is.
fn received<'a>(call: &Call<'_, '_>, this: &'a Value<'_>, method: &str) -> Result<Received<'a>> {
    let Some(data) = class::data(this) else {
        let text = format!("{method}() is a method of responses");
        return Err(Exception::throw_type(call.ctx(), &text));
    };
    Ok(Received {
        body: data.body_bytes(),
        url: &data.url,
    })
}
