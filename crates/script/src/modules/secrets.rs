//! The module `k6/secrets`: values from the sources that `--secret-source` names. They never appear in log lines.

use rquickjs::{Coerced, Ctx, Object, Result, Value};

use crate::context::VuContext;
use crate::native::{Call, function};
use crate::promises::{settled, throw_named};
use crate::secrets::Obtained;

/// The property of a source that keeps its name.
const NAME: &str = "__name";

pub(crate) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    let get = function(ctx, "get", 1, |call| obtain(call, None))?;
    exports.set("get", get)?;
    exports.set("source", function(ctx, "source", 1, source)?)?;
    Ok(exports)
}

/// A source by its name; whether there is one shows when it is asked.
fn source<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let source = Object::new(ctx.clone())?;
    source.prop(NAME, text(&call.arg(0))?)?;
    let get = function(ctx, "get", 1, |call| {
        let this = call.this();
        let name = this.as_object().map(|source| source.get::<_, String>(NAME));
        match name {
            Some(Ok(name)) => obtain(call, Some(name)),
            _ => {
                let error = throw_named(call.ctx(), "TypeError", "get() belongs to a source");
                settled(call.ctx(), Err(error))
            }
        }
    })?;
    source.set("get", get)?;
    Ok(source.into_value())
}

fn obtain<'js>(call: &Call<'_, 'js>, source: Option<String>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let key = text(&call.arg(0))?;
    match vu.shared.secrets.obtain(source.as_deref(), &key) {
        Ok(Obtained::Value(value)) => settled(ctx, string(ctx, &value)),
        Ok(Obtained::Later(answer)) => vu.promise(ctx, answer, |ctx, answer| match answer {
            Ok(value) => {
                VuContext::of(ctx).shared.secrets.hide(&value);
                string(ctx, &value)
            }
            Err(reason) => Err(refuse(ctx, &reason)),
        }),
        Err(reason) => settled(ctx, Err(refuse(ctx, &reason))),
    }
}

fn text(value: &Value<'_>) -> Result<String> {
    match value.is_undefined() || value.is_null() {
        true => Ok(String::new()),
        false => Ok(value.get::<Coerced<String>>()?.0),
    }
}

fn string<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    Ok(rquickjs::String::from_str(ctx.clone(), text)?.into_value())
}

fn refuse(ctx: &Ctx<'_>, reason: &str) -> rquickjs::Error {
    throw_named(ctx, "SecretError", reason)
}
