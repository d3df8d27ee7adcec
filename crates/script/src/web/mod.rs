//! Web standards that k6 lacks and packages expect: URL, URLSearchParams, fetch, Headers, AbortController, AbortSignal
//! and structuredClone. `queueMicrotask`, `performance`, `atob` and `btoa` are the engine's own.
//!
//! All of it is native and made when first asked for: a VU whose script never names it pays nothing, one that could
//! pays for a getter. What an object stands for is kept in properties that cannot be enumerated.

mod abort;
mod clone;
mod fetch;
mod headers;
mod search_params;
mod url;

use rquickjs::object::Property;
use rquickjs::{Coerced, Ctx, Exception, Function, Object, Result, Symbol, Value};

use crate::intrinsics::Intrinsics;
use crate::native::{Call, Native, function, property};

pub(crate) use abort::Aborts;

/// Puts what scripts with these parts can reach in place.
pub(crate) fn install(ctx: &Ctx<'_>, intrinsics: Intrinsics) -> Result<()> {
    if !intrinsics.web() {
        return Ok(());
    }
    let globals = ctx.globals();
    // A global is made when it is first read, and replaced when it is assigned. A native function captures nothing, so
    // each has its name written in.
    macro_rules! lazily {
        ($name:literal, $make:expr) => {
            property(
                &globals,
                $name,
                |call| first(call, $name, $make),
                |call| replace(call, $name),
            )?
        };
    }
    lazily!("URL", url::class);
    lazily!("URLSearchParams", search_params::class);
    lazily!("Headers", headers::class);
    lazily!("AbortController", abort::controller);
    lazily!("AbortSignal", abort::signal);
    lazily!("fetch", |ctx| function(ctx, "fetch", 1, fetch::fetch));
    lazily!("structuredClone", |ctx| function(
        ctx,
        "structuredClone",
        1,
        clone::structured_clone
    ));
    Ok(())
}

fn first<'js>(
    call: &Call<'_, 'js>,
    name: &str,
    make: fn(&Ctx<'js>) -> Result<Function<'js>>,
) -> Result<Value<'js>> {
    let made = make(call.ctx())?.into_value();
    keep(call.ctx(), name, made.clone())?;
    Ok(made)
}

fn replace<'js>(call: &Call<'_, 'js>, name: &str) -> Result<Value<'js>> {
    keep(call.ctx(), name, call.arg(0))?;
    call.undefined()
}

fn keep<'js>(ctx: &Ctx<'js>, name: &str, value: Value<'js>) -> Result<()> {
    let property = Property::from(value).writable().configurable();
    ctx.globals().prop(name, property)
}

/// A class of the web: a global that was made or is made now.
fn global<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Object<'js>> {
    ctx.globals().get(name)
}

/// A new object of the class that `new` was called on, or of a class below it.
fn instance<'js>(call: &Call<'_, 'js>) -> Result<Object<'js>> {
    let new_target = call.this().into_object().ok_or(rquickjs::Error::Unknown)?;
    of_prototype(call.ctx(), &new_target.get("prototype")?)
}

/// A new object of a global class, made without its constructor.
fn of_class<'js>(ctx: &Ctx<'js>, class: &str) -> Result<Object<'js>> {
    of_prototype(ctx, &global(ctx, class)?.get("prototype")?)
}

fn of_prototype<'js>(ctx: &Ctx<'js>, prototype: &Object<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set_prototype(Some(prototype))?;
    Ok(object)
}

/// Sets a property that scripts do not come across.
fn hide<'js, V: rquickjs::IntoJs<'js>>(object: &Object<'js>, key: &str, value: V) -> Result<()> {
    let value = value.into_js(object.ctx())?;
    object.prop(key, Property::from(value).writable().configurable())
}

/// Sets a method, which cannot be enumerated.
fn method<F: Native>(object: &Object<'_>, name: &str, length: u8, native: F) -> Result<()> {
    let made = function(object.ctx(), name, length, native)?;
    hide(object, name, made)
}

/// Sets what `for ... of` calls.
fn iterable<F: Native>(object: &Object<'_>, name: &str, native: F) -> Result<()> {
    let ctx = object.ctx();
    let made = function(ctx, name, 0, native)?;
    let property = Property::from(made).writable().configurable();
    object.prop(Symbol::iterator(ctx.clone()), property)
}

/// The object whose method is called, which must have been made by our constructor.
fn receiver<'js>(call: &Call<'_, 'js>, key: &str, class: &str) -> Result<Object<'js>> {
    let object = call.this().into_object();
    match object.filter(|object| object.contains_key(key).unwrap_or(false)) {
        Some(object) => Ok(object),
        None => {
            let text = format!("this is not a {class}");
            Err(Exception::throw_type(call.ctx(), &text))
        }
    }
}

/// An argument as text.
fn text(value: &Value<'_>) -> Result<String> {
    Ok(value.get::<Coerced<String>>()?.0)
}

/// An iterator over a list.
fn iterator<'js, V: rquickjs::IntoJs<'js>>(
    ctx: &Ctx<'js>,
    values: impl IntoIterator<Item = V>,
) -> Result<Value<'js>> {
    let list = rquickjs::Array::new(ctx.clone())?;
    for (at, value) in values.into_iter().enumerate() {
        list.set(at, value)?;
    }
    let values: Function<'js> = list.as_object().get("values")?;
    values.call((rquickjs::function::This(list),))
}

/// A pair as a list of two.
fn pair<'js>(ctx: &Ctx<'js>, name: &str, value: &str) -> Result<Value<'js>> {
    let list = rquickjs::Array::new(ctx.clone())?;
    list.set(0, name)?;
    list.set(1, value)?;
    Ok(list.into_value())
}

/// The pairs in what a constructor got: a list or other sequence of pairs, or an object.
fn pairs(init: &Object<'_>, class: &str) -> Result<Vec<(String, String)>> {
    let ctx = init.ctx();
    let sequence: Value<'_> = init.get(Symbol::iterator(ctx.clone()))?;
    if !sequence.is_function() {
        let mut pairs = Vec::new();
        for property in init.props::<String, Value<'_>>() {
            let (name, value) = property?;
            pairs.push((name, text(&value)?));
        }
        return Ok(pairs);
    }
    let from: Function<'_> = global(ctx, "Array")?.get("from")?;
    let list: Vec<Value<'_>> = from.call((init.clone(),))?;
    let mut pairs = Vec::new();
    for one in list {
        let one: Vec<Value<'_>> = match one.into_object() {
            Some(one) => from.call((one,))?,
            None => Vec::new(),
        };
        let [name, value] = one.as_slice() else {
            let text = format!("{class} wants pairs of a name and a value");
            return Err(Exception::throw_type(ctx, &text));
        };
        pairs.push((text(name)?, text(value)?));
    }
    Ok(pairs)
}

/// A promise that is settled already.
fn settled<'js>(ctx: &Ctx<'js>, value: Result<Value<'js>>) -> Result<Value<'js>> {
    let (promise, resolve, reject) = ctx.promise()?;
    match value {
        Ok(value) => resolve.call::<_, ()>((value,))?,
        Err(rquickjs::Error::Exception) => reject.call::<_, ()>((ctx.catch(),))?,
        Err(error) => return Err(error),
    }
    Ok(promise.into_value())
}

/// Throws an error with a name of the web, such as `AbortError`.
fn throw_named(ctx: &Ctx<'_>, name: &str, message: &str) -> rquickjs::Error {
    named_error(ctx, name, message)
        .map(|error| ctx.throw(error))
        .unwrap_or_else(|error| error)
}

/// An error with a name of the web.
fn named_error<'js>(ctx: &Ctx<'js>, name: &str, message: &str) -> Result<Value<'js>> {
    let error = Exception::from_message(ctx.clone(), message)?.into_object();
    hide(&error, "name", name)?;
    Ok(error.into_value())
}
