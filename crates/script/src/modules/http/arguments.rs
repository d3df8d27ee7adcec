//! The arguments of requests: URL, method and parameters, from JavaScript values to a [`Job`].
//!
//! What is wrong with them becomes a [`Refusal`], which the caller turns into a failed response or an exception.

use netload_http::{Request, Url};
use rquickjs::{Array, Coerced, Ctx, Error, Object, Result as JsResult, Value};

use super::body;
use super::cookies::{self, JarRef};
use super::expectation::Expectation;
use super::job::{Auth, Job};
use super::response::BodyKind;
use super::template;
use crate::context::Running;
use crate::modules::tags;

/// k6's error code of a URL that cannot be parsed.
const INVALID_URL: u16 = 1020;

/// How long a request may take unless it says otherwise.
pub(super) const DEFAULT_TIMEOUT_NS: u64 = 60_000_000_000;

/// Why there is no request.
pub(super) enum Refusal {
    /// JavaScript threw.
    Thrown(Error),
    /// An argument is wrong.
    Invalid {
        /// k6's error code.
        code: u16,
        /// One sentence.
        text: String,
    },
}

impl Refusal {
    /// A wrong argument, for which k6 has no code.
    pub(super) fn invalid(text: impl Into<String>) -> Self {
        Self::Invalid {
            code: 0,
            text: text.into(),
        }
    }

    fn url(text: String) -> Self {
        Self::Invalid {
            code: INVALID_URL,
            text,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Thrown(error)
    }
}

/// What k6 calls the type of a value in its messages.
pub(super) fn type_name(value: &Value<'_>) -> &'static str {
    if value.is_undefined() || value.is_null() {
        return "<nil>";
    }
    if value.is_bool() {
        return "bool";
    }
    if value.is_string() {
        return "string";
    }
    if let Some(number) = value.as_number() {
        return if number.fract() == 0.0 {
            "int64"
        } else {
            "float64"
        };
    }
    match value.as_object() {
        Some(object) if object.is_array() => "[]interface {}",
        Some(object) if object.is_function() => "func(sobek.FunctionCall) sobek.Value",
        _ => "map[string]interface {}",
    }
}

/// Where a request goes.
pub(super) struct Target {
    /// The parsed URL.
    pub(super) url: Url,
    /// The name that `http.url` gave it.
    pub(super) name: Option<String>,
}

impl Target {
    /// Parses the argument that names the URL.
    pub(super) fn parse(value: &Value<'_>) -> Result<Self, Refusal> {
        let (text, name) = match value.as_string() {
            Some(text) => (text.to_string()?, None),
            None => match template::from_value(value)? {
                Some((url, name)) => (url, Some(name)),
                None => {
                    let shown = super::go_text::text(value)?;
                    return Err(Refusal::url(format!("invalid URL: '#{shown}'")));
                }
            },
        };
        let url = Url::parse(&text).map_err(|error| Refusal::url(error.detail()))?;
        Ok(Self { url, name })
    }
}

/// The parts of a request as a script gave them.
pub(super) struct Parts<'js> {
    /// The method, as it is sent.
    pub(super) method: String,
    /// The URL.
    pub(super) url: Value<'js>,
    /// The body; undefined when there is none.
    pub(super) body: Value<'js>,
    /// The parameters; undefined when there are none.
    pub(super) params: Value<'js>,
}

impl<'js> Parts<'js> {
    /// Turns the values into a request that can be sent without JavaScript.
    pub(super) fn parse(&self, ctx: &Ctx<'js>, running: &Running) -> Result<Job, Refusal> {
        let Target { url, name } = Target::parse(&self.url)?;
        let mut job = Job::new(ctx, running, Request::new(&self.method, url));
        if let Some(name) = name {
            job.name = Some(name.into());
        }
        let mut compression = None;
        if let Some(params) = self.params.as_object() {
            read_params(ctx, running, params, &mut job, &mut compression)?;
        }
        let body = body::encode(ctx, &self.body, &mut job.request.headers)?;
        job.set_body(body, compression.as_deref(), |text| {
            super::warn(ctx, text);
        })?;
        Ok(job)
    }
}

fn read_params<'js>(
    ctx: &Ctx<'js>,
    running: &Running,
    params: &Object<'js>,
    job: &mut Job,
    compression: &mut Option<String>,
) -> Result<(), Refusal> {
    for property in params.props::<String, Value<'js>>() {
        let (key, value) = property?;
        match key.as_str() {
            // Explicitly absent is not the same as absent: k6 refuses it here and nowhere else.
            "timeout" => job.timeout_ns = timeout(&value)?,
            _ if value.is_undefined() || value.is_null() && key != "responseCallback" => {}
            "headers" => read_headers(&value, job)?,
            "cookies" => job.request.cookies = cookies::parameters(&value)?,
            "jar" => {
                if let Some(jar) = JarRef::from_value(&value) {
                    job.jar = jar;
                }
            }
            "tags" => read_tags(ctx, running, &value, job)?,
            "auth" => {
                job.auth = auth(&value)?;
                job.request.withhold_credentials = job.auth == Auth::Ntlm;
            }
            "redirects" => {
                // Digits are a number, other texts none.
                let limit = value.get::<Coerced<f64>>()?.0;
                job.redirects.limit = limit.max(0.0) as u64;
                job.redirects.chosen = true;
            }
            "compression" => {
                let names = value.get::<Coerced<String>>()?.0;
                *compression = Some(names).filter(|names| !names.is_empty());
            }
            "responseType" => job.body_kind = response_type(&value)?,
            "responseCallback" => {
                job.expectation = Expectation::from_value(&value)
                    .ok_or_else(|| Refusal::invalid("unsupported responseCallback"))?;
            }
            "throw" => job.throw = truthy(&value)?,
            _ => {}
        }
    }
    Ok(())
}

fn auth(value: &Value<'_>) -> JsResult<Auth> {
    Ok(match &*value.get::<Coerced<String>>()?.0 {
        "digest" => Auth::Digest,
        "ntlm" => Auth::Ntlm,
        _ => Auth::Basic,
    })
}

fn truthy(value: &Value<'_>) -> JsResult<bool> {
    Ok(value.get::<Coerced<bool>>()?.0)
}

fn read_headers(value: &Value<'_>, job: &mut Job) -> JsResult<()> {
    let Some(headers) = value.as_object() else {
        return Ok(());
    };
    for property in headers.props::<String, Coerced<String>>() {
        let (name, value) = property?;
        job.request.headers.set(&name, value.0);
    }
    Ok(())
}

fn read_tags<'js>(
    ctx: &Ctx<'js>,
    running: &Running,
    value: &Value<'js>,
    job: &mut Job,
) -> Result<(), Refusal> {
    let Some(object) = value.as_object() else {
        return Ok(());
    };
    let mut given = Vec::new();
    for property in object.props::<String, Value<'js>>() {
        let (name, value) = property?;
        let text = tags::text(ctx, &name, &value).map_err(|error| match error {
            Error::Exception => {
                let thrown = ctx.catch();
                let text = thrown.as_exception().and_then(|e| e.message());
                let text = text.unwrap_or_default();
                Refusal::invalid(format!("invalid HTTP request metric tags: {text}"))
            }
            other => Refusal::Thrown(other),
        })?;
        if name == "name" {
            job.name = Some(text.as_str().into());
        }
        given.push((name, text));
    }
    let extra: Vec<_> = given
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    let mut recorder = running.host.worker.recorder.borrow_mut();
    job.tags = recorder.tags.extend(job.tags, &extra);
    Ok(())
}

fn response_type(value: &Value<'_>) -> Result<BodyKind, Refusal> {
    let name = value.get::<Coerced<String>>()?.0;
    BodyKind::named(&name)
        .ok_or_else(|| Refusal::invalid(format!("{name} does not belong to ResponseType values")))
}

/// A timeout: milliseconds as number or digits, or a duration such as `1m30s`.
fn timeout(value: &Value<'_>) -> Result<u64, Refusal> {
    let refuse = |reason: String| Refusal::invalid(format!("invalid timeout value: {reason}"));
    if let Some(ms) = value.as_number() {
        return Ok((ms.max(0.0) * 1e6) as u64);
    }
    let Some(text) = value.as_string() else {
        let name = type_name(value);
        return Err(refuse(format!(
            "unable to use type {name} as a duration value"
        )));
    };
    let text = text.to_string()?;
    netload_plan::duration::parse_k6(&text).map_err(|error| refuse(error.to_string()))
}

/// The method that a value names; undefined, null and the empty text stand for GET.
pub(super) fn method(value: &Value<'_>) -> JsResult<String> {
    let given = !value.is_undefined() && !value.is_null();
    let name = given.then(|| value.get::<Coerced<String>>()).transpose()?;
    let named = name.map(|name| name.0).filter(|name| !name.is_empty());
    Ok(named.unwrap_or_else(|| "GET".to_owned()))
}

/// The elements that are given in place of arguments: `[method, url, body, params]`.
pub(super) fn parts_of_array<'js>(array: &Array<'js>) -> JsResult<Option<Parts<'js>>> {
    if array.len() < 2 {
        return Ok(None);
    }
    let at = |index: usize| -> JsResult<Value<'js>> {
        if index < array.len() {
            array.get(index)
        } else {
            Ok(Value::new_undefined(array.ctx().clone()))
        }
    };
    Ok(Some(Parts {
        method: method(&array.get(0)?)?,
        url: at(1)?,
        body: at(2)?,
        params: at(3)?,
    }))
}
