//! `res.json()`: JSON text to JavaScript, whole or what a GJSON path finds in it.

use std::borrow::Cow;

use rquickjs::{Ctx, Error, Exception, Result, String as JsString, Value};

use crate::gjson;

/// The whole document.
pub(super) fn whole<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    match ctx.json_parse(text) {
        Ok(value) => Ok(value),
        Err(Error::Exception) => {
            let thrown = ctx.catch();
            match serde_json::from_str::<serde::de::IgnoredAny>(text) {
                Err(error) => Err(Exception::throw_message(ctx, &explain(&error))),
                // Too deep or too large for the engine rather than wrong.
                Ok(_) => Err(ctx.throw(thrown)),
            }
        }
        Err(other) => Err(other),
    }
}

/// What a path has found; undefined when that is nothing.
pub(super) fn selected<'js>(ctx: &Ctx<'js>, found: Option<Cow<'_, str>>) -> Result<Value<'js>> {
    let Some(raw) = found else {
        return Ok(Value::new_undefined(ctx.clone()));
    };
    if let Some(text) = gjson::as_text(&raw) {
        return Ok(JsString::from_str(ctx.clone(), &text)?.into_value());
    }
    match raw.parse::<f64>() {
        Ok(number) => Ok(Value::new_number(ctx.clone(), number)),
        Err(_) => whole(ctx, &raw),
    }
}

fn explain(error: &serde_json::Error) -> String {
    let full = error.to_string();
    let reason = match error.is_eof() {
        true => "unexpected end of JSON input",
        false => full.split(" at line ").next().unwrap_or(&full),
    };
    format!(
        "cannot parse json due to an error at line {}, character {} , error: {reason}",
        error.line(),
        error.column()
    )
}
