//! What goes from pages to JavaScript, and back.

use netload_html::FieldValue;
use rquickjs::{Array, Ctx, Exception, Function, Result, String as JsString, Value};

use crate::native::Call;

pub(super) fn text<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    Ok(JsString::from_str(ctx.clone(), text)?.into_value())
}

pub(super) fn texts<'js>(ctx: &Ctx<'js>, all: &[String]) -> Result<Value<'js>> {
    let array = Array::new(ctx.clone())?;
    for (at, one) in all.iter().enumerate() {
        array.set(at, text(ctx, one)?)?;
    }
    Ok(array.into_value())
}

pub(super) fn field_value<'js>(ctx: &Ctx<'js>, value: &FieldValue) -> Result<Value<'js>> {
    match value {
        FieldValue::One(one) => text(ctx, one),
        FieldValue::Many(all) => texts(ctx, all),
    }
}

/// The value of a `data-` attribute: JSON, a number, a truth value or else the text. Undefined for nothing and null.
pub(super) fn data<'js>(ctx: &Ctx<'js>, value: &str) -> Result<Value<'js>> {
    match value {
        "" | "null" => return Ok(Value::new_undefined(ctx.clone())),
        "true" => return Ok(Value::new_bool(ctx.clone(), true)),
        "false" => return Ok(Value::new_bool(ctx.clone(), false)),
        _ => {}
    }
    if value.starts_with(['{', '[']) {
        return match ctx.json_parse(value) {
            Ok(parsed) => Ok(parsed),
            Err(_) => {
                // What is no JSON stays a text; the exception is dropped.
                ctx.catch();
                text(ctx, value)
            }
        };
    }
    match value.parse::<f64>() {
        // `007` and `1e3` are texts.
        Ok(number) if number.is_finite() && number.to_string() == value => {
            Ok(Value::new_number(ctx.clone(), number))
        }
        _ => text(ctx, value),
    }
}

/// `camelCase` as it stands in attributes: `camel-case`.
pub(super) fn with_dashes(key: &str) -> String {
    let mut name = String::with_capacity(key.len() + 2);
    for character in key.chars() {
        if character.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(character.to_ascii_lowercase());
    }
    name
}

/// `camel-case` as it stands in JavaScript: `camelCase`.
pub(super) fn with_humps(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    let mut raise = false;
    for character in name.chars() {
        match character {
            '-' => raise = true,
            c if raise => {
                key.push(c.to_ascii_uppercase());
                raise = false;
            }
            c => key.push(c),
        }
    }
    key
}

/// The function that a method calls for each node.
pub(super) fn callback<'js>(call: &Call<'_, 'js>, method: &str) -> Result<Function<'js>> {
    let function = call.arg(0).into_function();
    function.ok_or_else(|| {
        let text = format!("the argument to {method}() must be a function");
        Exception::throw_type(call.ctx(), &text)
    })
}
