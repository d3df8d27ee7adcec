//! AbortController and AbortSignal, by the DOM standard (dom.spec.whatwg.org), without the rest of its events.
//!
//! A signal is a plain object; what waits for one in Rust is found by the signal's number in [`Aborts`].

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use rquickjs::{Array, Ctx, Exception, Function, Object, Result, Value};
use tokio::sync::Notify;

use super::{hide, instance, method, named_error, of_class, receiver, text};
use crate::native::{Call, constructor, function, getter};

/// The property that says whether and why a signal is aborted.
const STATE: &str = "[[aborted]]";
/// The property with the reason.
const REASON: &str = "[[reason]]";
/// The property with the functions to call.
const LISTENERS: &str = "[[listeners]]";
/// The property with the number under which something waits.
const NUMBER: &str = "[[number]]";
/// The property of a controller with its signal.
const SIGNAL: &str = "[[signal]]";
/// Functions that wait for one signal at most.
const LISTENERS_AT_MOST: usize = 10_000;

/// What waits for signals in one VU, for the time of an iteration.
#[derive(Debug, Default)]
pub(crate) struct Aborts {
    waiting: RefCell<HashMap<u32, Arc<Notify>>>,
    last: Cell<u32>,
}

impl Aborts {
    /// Forgets all.
    pub(crate) fn clear(&self) {
        if self.last.replace(0) != 0 {
            self.waiting.borrow_mut().clear();
        }
    }
}

pub(super) fn controller<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let prototype = Object::new(ctx.clone())?;
    getter(&prototype, "signal", |call| {
        receiver(call, SIGNAL, "AbortController")?.get(SIGNAL)
    })?;
    method(&prototype, "abort", 0, |call| {
        let signal: Object<'_> = receiver(call, SIGNAL, "AbortController")?.get(SIGNAL)?;
        abort(call, &signal, call.arg(0))?;
        call.undefined()
    })?;
    constructor(ctx, "AbortController", 0, &prototype, |call| {
        let controller = instance(call)?;
        hide(&controller, SIGNAL, new_signal(call.ctx())?)?;
        Ok(controller.into_value())
    })
}

pub(super) fn signal<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let prototype = Object::new(ctx.clone())?;
    getter(&prototype, "aborted", |call| {
        receiver(call, STATE, "AbortSignal")?.get(STATE)
    })?;
    getter(&prototype, "reason", |call| {
        receiver(call, STATE, "AbortSignal")?.get(REASON)
    })?;
    method(&prototype, "throwIfAborted", 0, |call| {
        let signal = receiver(call, STATE, "AbortSignal")?;
        match aborted(&signal)? {
            Some(reason) => Err(call.ctx().throw(reason)),
            None => call.undefined(),
        }
    })?;
    method(&prototype, "addEventListener", 2, add_listener)?;
    method(&prototype, "removeEventListener", 2, remove_listener)?;
    let class = constructor(ctx, "AbortSignal", 0, &prototype, |call| {
        Err(Exception::throw_type(
            call.ctx(),
            "an AbortSignal comes from an AbortController",
        ))
    })?;
    let statics = class.as_object().ok_or(rquickjs::Error::Unknown)?;
    statics.set(
        "abort",
        function(ctx, "abort", 0, |call| {
            let signal = new_signal(call.ctx())?;
            abort(call, &signal, call.arg(0))?;
            Ok(signal.into_value())
        })?,
    )?;
    statics.set("timeout", function(ctx, "timeout", 1, timeout)?)?;
    statics.set("any", function(ctx, "any", 1, any)?)?;
    Ok(class)
}

fn new_signal<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let signal = of_class(ctx, "AbortSignal")?;
    hide(&signal, STATE, false)?;
    hide(&signal, REASON, Value::new_undefined(ctx.clone()))?;
    Ok(signal)
}

/// Whether an object is a signal.
pub(super) fn is_signal(object: &Object<'_>) -> bool {
    object.contains_key(STATE).unwrap_or(false)
}

/// The reason of a signal that is aborted.
pub(super) fn aborted<'js>(signal: &Object<'js>) -> Result<Option<Value<'js>>> {
    if signal.get::<_, bool>(STATE)? {
        return signal.get(REASON).map(Some);
    }
    Ok(None)
}

/// What is told when the signal is aborted in this iteration.
pub(super) fn until<'js>(ctx: &Ctx<'js>, signal: &Object<'js>) -> Result<Arc<Notify>> {
    let aborts = &crate::context::VuContext::of(ctx).aborts;
    let known: Option<u32> = signal.get(NUMBER)?;
    let number = match known {
        Some(number) => number,
        None => {
            let number = aborts.last.get().wrapping_add(1);
            aborts.last.set(number);
            hide(signal, NUMBER, number)?;
            number
        }
    };
    aborts.last.set(aborts.last.get().max(number));
    let notify = aborts
        .waiting
        .borrow_mut()
        .entry(number)
        .or_default()
        .clone();
    Ok(notify)
}

fn abort<'js>(call: &Call<'_, 'js>, signal: &Object<'js>, reason: Value<'js>) -> Result<()> {
    let ctx = call.ctx();
    if aborted(signal)?.is_some() {
        return Ok(());
    }
    let reason = if reason.is_undefined() {
        named_error(ctx, "AbortError", "This operation was aborted")?
    } else {
        reason
    };
    hide(signal, STATE, true)?;
    hide(signal, REASON, reason.clone())?;
    if let Some(number) = signal.get::<_, Option<u32>>(NUMBER)? {
        let notify = call.vu().aborts.waiting.borrow_mut().remove(&number);
        if let Some(notify) = notify {
            notify.notify_waiters();
            // Also for what has not begun to wait.
            notify.notify_one();
        }
    }
    let event = Object::new(ctx.clone())?;
    event.set("type", "abort")?;
    event.set("target", signal.clone())?;
    let mut listeners: Vec<Value<'js>> = Vec::new();
    listeners.push(signal.get("onabort")?);
    if let Some(list) = signal.get::<_, Option<Array<'js>>>(LISTENERS)? {
        for listener in list.iter::<Value<'js>>() {
            listeners.push(listener?);
        }
    }
    for listener in listeners {
        if let Some(function) = listener.as_function() {
            let this = rquickjs::function::This(signal.clone());
            function.call::<_, Value<'js>>((this, event.clone()))?;
        } else if let Some(dependent) = listener.as_object().filter(|o| is_signal(o)) {
            abort(call, dependent, reason.clone())?;
        }
    }
    Ok(())
}

/// Adds a function, or a signal that is to be aborted too.
fn listen<'js>(ctx: &Ctx<'js>, signal: &Object<'js>, listener: Value<'js>) -> Result<()> {
    let list = match signal.get::<_, Option<Array<'js>>>(LISTENERS)? {
        Some(list) => list,
        None => {
            let list = Array::new(ctx.clone())?;
            hide(signal, LISTENERS, list.clone())?;
            list
        }
    };
    if list.len() >= LISTENERS_AT_MOST {
        let text = format!("more than {LISTENERS_AT_MOST} functions wait for one signal");
        return Err(Exception::throw_range(ctx, &text));
    }
    list.set(list.len(), listener)
}

fn add_listener<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let signal = receiver(call, STATE, "AbortSignal")?;
    if text(&call.arg(0))? == "abort" && call.arg(1).is_function() {
        listen(call.ctx(), &signal, call.arg(1))?;
    }
    call.undefined()
}

fn remove_listener<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let signal = receiver(call, STATE, "AbortSignal")?;
    let left = Array::new(call.ctx().clone())?;
    let gone = call.arg(1);
    if let Some(list) = signal.get::<_, Option<Array<'js>>>(LISTENERS)? {
        for listener in list.iter::<Value<'js>>() {
            let listener = listener?;
            if listener != gone {
                left.set(left.len(), listener)?;
            }
        }
        hide(&signal, LISTENERS, left)?;
    }
    call.undefined()
}

/// A signal that is aborted after some milliseconds.
fn timeout<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let delay_ms = call.arg(0).get::<rquickjs::Coerced<f64>>()?.0;
    let signal = new_signal(ctx)?;
    let expire = function(ctx, "expire", 1, |call| {
        if let Some(signal) = call.arg(0).into_object() {
            let text = "The operation was aborted due to timeout";
            let reason = named_error(call.ctx(), "TimeoutError", text)?;
            abort(call, &signal, reason)?;
        }
        call.undefined()
    })?;
    // Saturates: what is not a number counts as nothing.
    let delay_ns = (delay_ms.max(0.0) * 1e6) as u64;
    let args = vec![signal.clone().into_value()];
    vu.event_loop
        .add_timer(ctx, vu.now_ns(), delay_ns, false, expire, args)?;
    Ok(signal.into_value())
}

/// A signal that is aborted when the first of some is.
fn any<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let signals: Vec<Object<'js>> = call.arg(0).get()?;
    let dependent = new_signal(ctx)?;
    for signal in signals {
        if !is_signal(&signal) {
            return Err(Exception::throw_type(ctx, "AbortSignal.any wants signals"));
        }
        if let Some(reason) = aborted(&signal)? {
            abort(call, &dependent, reason)?;
            break;
        }
        listen(ctx, &signal, dependent.clone().into_value())?;
    }
    Ok(dependent.into_value())
}
