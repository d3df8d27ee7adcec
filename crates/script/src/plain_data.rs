//! JavaScript values that leave their VU as JSON: what `setup` returned, and the exported options.
//!
//! Leaves out who gets them. Invariant: nothing vanishes on the way; what JSON cannot hold is refused with its place,
//! and what k6 sends in another form has that form.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rquickjs::{Array, Ctx, Exception, Function, Object, Result, Value};
use serde_json::Value as Json;

use crate::globals::bytes;
use crate::native::{Call, function};

/// What `setup` returned, as text; none of undefined.
///
/// # Errors
/// A TypeError that says what cannot be passed on, and where it is.
pub(crate) fn of_setup<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Option<String>> {
    if value.is_undefined() {
        return Ok(None);
    }
    let replace = function(ctx, "", 2, replaced)?;
    let text = ctx.json_stringify_replacer(value, replace);
    let text = text.map_err(|error| explained(ctx, error, "what setup() returned"))?;
    text.map(|text| text.to_string()).transpose()
}

/// The exported options; null when there are none.
///
/// # Errors
/// A TypeError when they are no plain data.
pub(crate) fn of_options<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Json> {
    if value.is_function() {
        let text = "the exported options must be an object, not a function";
        return Err(Exception::throw_type(ctx, text));
    }
    let text = ctx.json_stringify(value);
    let text = text.map_err(|error| explained(ctx, error, "the exported options"))?;
    let text = text.map(|text| text.to_string()).transpose()?;
    Ok(serde_json::from_str(&text.unwrap_or_default()).unwrap_or(Json::Null))
}

/// Says of a circle what it is a circle of; other exceptions say it themselves.
fn explained(ctx: &Ctx<'_>, error: rquickjs::Error, what: &str) -> rquickjs::Error {
    if !error.is_exception() {
        return error;
    }
    let thrown = ctx.catch();
    let message = thrown.as_exception().and_then(|e| e.message());
    match message {
        Some(reason) if reason.contains("circular") => {
            let text = format!("{what} cannot be turned into JSON: it refers to itself");
            Exception::throw_type(ctx, &text)
        }
        _ => ctx.throw(thrown),
    }
}

/// The replacer of `JSON.stringify`: `(key, value)`.
fn replaced<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, value) = (call.ctx(), call.arg(1));
    if value.as_number().is_some_and(|number| !number.is_finite()) {
        return Err(refused(call, "which is no number in JSON"));
    }
    if value.is_function() {
        return Err(refused(call, "which no other virtual user could call"));
    }
    if value.type_of() == rquickjs::Type::BigInt {
        return global(ctx, "Number")?.call((value,));
    }
    let Some(object) = value.as_object() else {
        return Ok(value);
    };
    if is_a(object, "Uint8Array")? {
        let text = STANDARD.encode(bytes::of(&value).unwrap_or_default());
        return Ok(rquickjs::String::from_str(ctx.clone(), &text)?.into_value());
    }
    let listed = is_a(object, "Map")? || is_a(object, "Set")?;
    if listed
        || object.get::<_, Option<Object<'js>>>("buffer")?.is_some() && !is_a(object, "DataView")?
    {
        let from: Function<'js> = global(ctx, "Array")?.get("from")?;
        let list: Array<'js> =
            from.call((rquickjs::function::This(global(ctx, "Array")?), value))?;
        return Ok(list.into_value());
    }
    Ok(value)
}

fn refused(call: &Call<'_, '_>, why: &str) -> rquickjs::Error {
    let text = |value: Value<'_>| value.get::<rquickjs::Coerced<String>>().map(|text| text.0);
    let key = text(call.arg(0)).unwrap_or_default();
    let shown = match call.arg(1) {
        value if value.is_function() => "a function".to_owned(),
        value => text(value).unwrap_or_default(),
    };
    let place = if key.is_empty() {
        String::new()
    } else {
        format!(" as `{key}`")
    };
    let text = format!("setup() returned {shown}{place}, {why}");
    Exception::throw_type(call.ctx(), &text)
}

fn global<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Function<'js>> {
    ctx.globals().get(name)
}

/// Whether an object is of a class. A class that the script never names is not there, and has no objects.
fn is_a(object: &Object<'_>, class: &str) -> Result<bool> {
    let class: Value<'_> = object.ctx().globals().get(class)?;
    Ok(class
        .as_object()
        .is_some_and(|class| object.is_instance_of(class)))
}
