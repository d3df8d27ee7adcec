//! The module `k6/timers`, whose functions are also globals: setTimeout, setInterval and their opposites.

use rquickjs::{Ctx, Exception, Object, Result, Value};

use crate::native::{Call, function};

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    define(&exports)?;
    Ok(exports)
}

/// Puts the four functions on an object.
pub(crate) fn define(object: &Object<'_>) -> Result<()> {
    let ctx = object.ctx();
    object.set("setTimeout", function(ctx, "setTimeout", 2, set_timeout)?)?;
    object.set("clearTimeout", function(ctx, "clearTimeout", 1, clear)?)?;
    object.set(
        "setInterval",
        function(ctx, "setInterval", 2, set_interval)?,
    )?;
    object.set("clearInterval", function(ctx, "clearInterval", 1, clear)?)?;
    Ok(())
}

fn set_timeout<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    add(call, false)
}

fn set_interval<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    add(call, true)
}

fn add<'js>(call: &Call<'_, 'js>, repeat: bool) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let Some(callback) = call.arg(0).into_function() else {
        let name = if repeat { "setInterval" } else { "setTimeout" };
        let text = format!("{name} requires a function as its first argument");
        return Err(Exception::throw_type(ctx, &text));
    };
    let delay_ms = if call.len() > 1 {
        call.arg(1).get::<rquickjs::Coerced<f64>>()?.0
    } else {
        0.0
    };
    // An interval of nothing would never let the iteration go on; browsers use the same bound.
    let least_ms = if repeat { 1.0 } else { 0.0 };
    // Saturates: what is not a number counts as nothing.
    let delay_ns = (delay_ms.max(least_ms) * 1e6) as u64;
    let args = (2..call.len()).map(|i| call.arg(i)).collect();
    let id = vu
        .event_loop
        .add_timer(ctx, vu.now_ns(), delay_ns, repeat, callback, args)?;
    Ok(Value::new_number(ctx.clone(), f64::from(id)))
}

fn clear<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    if let Some(id) = call.arg(0).as_number() {
        call.vu().event_loop.clear_timer(id as u32);
    }
    call.undefined()
}
