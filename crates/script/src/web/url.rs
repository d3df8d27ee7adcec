//! URL, by the WHATWG standard (url.spec.whatwg.org), over the `url` crate.
//!
//! An object keeps its serialisation; every part is read from there and written back through the standard's setters.

use ::url::{Url, quirks};
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use super::{hide, instance, method, of_class, receiver, search_params, text};
use crate::native::{Call, constructor, function, getter, property};

/// The property with the serialisation.
const HREF: &str = "[[href]]";
/// The property with the URLSearchParams, once somebody asked for them.
const PARAMS: &str = "[[params]]";

/// A part that can be read and written.
macro_rules! part {
    ($prototype:expr, $name:literal, $read:expr, $write:expr) => {
        property(
            $prototype,
            $name,
            |call| read(call, |url| $read(url).to_owned()),
            |call| {
                write(call, |url, value| {
                    // The standard ignores what cannot be.
                    let _ = $write(url, value);
                })
            },
        )?
    };
}

pub(super) fn class<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let prototype = Object::new(ctx.clone())?;
    let parts = &prototype;
    property(parts, "href", href, set_href)?;
    getter(parts, "origin", |call| read(call, quirks::origin))?;
    part!(parts, "protocol", quirks::protocol, quirks::set_protocol);
    part!(parts, "username", quirks::username, quirks::set_username);
    part!(parts, "password", quirks::password, quirks::set_password);
    part!(parts, "host", quirks::host, quirks::set_host);
    part!(parts, "hostname", quirks::hostname, quirks::set_hostname);
    part!(parts, "port", quirks::port, quirks::set_port);
    part!(parts, "pathname", quirks::pathname, quirks::set_pathname);
    part!(parts, "search", quirks::search, quirks::set_search);
    part!(parts, "hash", quirks::hash, quirks::set_hash);
    getter(parts, "searchParams", params)?;
    method(parts, "toString", 0, href)?;
    method(parts, "toJSON", 0, href)?;
    let class = constructor(ctx, "URL", 1, &prototype, new)?;
    let statics = class.as_object().ok_or(rquickjs::Error::Unknown)?;
    statics.set(
        "canParse",
        function(ctx, "canParse", 1, |call| {
            let can = parse(call)?.is_ok();
            Ok(Value::new_bool(call.ctx().clone(), can))
        })?,
    )?;
    statics.set("parse", function(ctx, "parse", 1, parse_static)?)?;
    Ok(class)
}

/// The URL in the arguments, or the text that is none.
fn parse(call: &Call<'_, '_>) -> Result<std::result::Result<Url, String>> {
    let given = text(&call.arg(0))?;
    let base = match call.arg(1) {
        base if base.is_undefined() => None,
        base => match Url::parse(&text(&base)?) {
            Ok(base) => Some(base),
            Err(_) => return Ok(Err(given)),
        },
    };
    let parsed = Url::options().base_url(base.as_ref()).parse(&given);
    Ok(parsed.map_err(|_| given))
}

fn new<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let url = parse(call)?
        .map_err(|given| Exception::throw_type(call.ctx(), &format!("Invalid URL: '{given}'")))?;
    let object = instance(call)?;
    hide(&object, HREF, url.as_str())?;
    Ok(object.into_value())
}

fn parse_static<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let Ok(url) = parse(call)? else {
        return Ok(Value::new_null(call.ctx().clone()));
    };
    let object = of_class(call.ctx(), "URL")?;
    hide(&object, HREF, url.as_str())?;
    Ok(object.into_value())
}

/// What an object of the class stands for.
fn url(ctx: &Ctx<'_>, object: &Object<'_>) -> Result<Url> {
    let href: String = object.get(HREF)?;
    // Nothing but a URL is ever kept.
    Url::parse(&href).map_err(|_| Exception::throw_type(ctx, "Invalid URL"))
}

fn read<'js>(call: &Call<'_, 'js>, part: impl FnOnce(&Url) -> String) -> Result<Value<'js>> {
    let object = receiver(call, HREF, "URL")?;
    let part = part(&url(call.ctx(), &object)?);
    Ok(rquickjs::String::from_str(call.ctx().clone(), &part)?.into_value())
}

fn write<'js>(call: &Call<'_, 'js>, part: impl FnOnce(&mut Url, &str)) -> Result<Value<'js>> {
    let object = receiver(call, HREF, "URL")?;
    let mut url = url(call.ctx(), &object)?;
    part(&mut url, &text(&call.arg(0))?);
    hide(&object, HREF, url.as_str())?;
    call.undefined()
}

fn href<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    receiver(call, HREF, "URL")?.get(HREF)
}

fn set_href<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let object = receiver(call, HREF, "URL")?;
    let given = text(&call.arg(0))?;
    let url = Url::parse(&given)
        .map_err(|_| Exception::throw_type(call.ctx(), &format!("Invalid URL: '{given}'")))?;
    hide(&object, HREF, url.as_str())?;
    call.undefined()
}

fn params<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let object = receiver(call, HREF, "URL")?;
    let known: Value<'js> = object.get(PARAMS)?;
    if known.is_object() {
        return Ok(known);
    }
    let params = search_params::of_url(call.ctx(), &object)?;
    hide(&object, PARAMS, params.clone())?;
    Ok(params.into_value())
}

/// The query of a URL object, without its `?`.
pub(super) fn query(ctx: &Ctx<'_>, object: &Object<'_>) -> Result<String> {
    Ok(url(ctx, object)?.query().unwrap_or_default().to_owned())
}

/// Changes the query of a URL object; an empty one is taken away.
pub(super) fn set_query(ctx: &Ctx<'_>, object: &Object<'_>, query: &str) -> Result<()> {
    let mut url = url(ctx, object)?;
    url.set_query(Some(query).filter(|query| !query.is_empty()));
    hide(object, HREF, url.as_str())
}
