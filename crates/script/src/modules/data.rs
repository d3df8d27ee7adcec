//! The module `k6/data`: SharedArray, one copy of the data for the whole process.
//!
//! Elements are kept as JSON text; every access makes a frozen value of one, so no VU can change what others see.

use std::sync::Arc;

use rquickjs::class::{JsClass, Readable, Trace, Tracer};
use rquickjs::function::Constructor;
use rquickjs::proxy::ProxyHandler;
use rquickjs::{Array, Class, Ctx, Exception, Object, Proxy, Result, Value};

use crate::context::VuContext;
use crate::globals::freeze;
use crate::native::{Call, constructor, function};

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    let prototype = Object::new(ctx.clone())?;
    let class = constructor(ctx, "SharedArray", 2, &prototype, make)?;
    exports.set("SharedArray", class)?;
    Ok(exports)
}

/// The elements of a shared array, as JSON texts one after another.
#[derive(Debug, Default)]
pub(crate) struct ArrayData {
    text: String,
    /// Where each element ends; an element without text was undefined.
    ends: Vec<usize>,
}

impl ArrayData {
    fn of_array<'js>(ctx: &Ctx<'js>, array: &Array<'js>) -> Result<Self> {
        let mut data = Self::default();
        for element in array.iter::<Value<'js>>() {
            if let Some(json) = ctx.json_stringify(element?)? {
                data.text.push_str(&json.to_string()?);
            }
            data.ends.push(data.text.len());
        }
        Ok(data)
    }

    /// Adds an element, as JSON text.
    pub(super) fn push(&mut self, json: &str) {
        self.text.push_str(json);
        self.ends.push(self.text.len());
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn element(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }
}

/// The handler behind a shared array's proxy.
struct Handler {
    data: Arc<ArrayData>,
}

impl<'js> Trace<'js> for Handler {
    fn trace<'a>(&self, _tracer: Tracer<'a, 'js>) {}
}

impl<'js> JsClass<'js> for Handler {
    const NAME: &'static str = "SharedArrayHandler";
    type Mutable = Readable;

    fn prototype(ctx: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        let prototype = Object::new(ctx.clone())?;
        for (name, length) in [
            ("set", 4),
            ("defineProperty", 3),
            ("deleteProperty", 2),
            ("setPrototypeOf", 2),
        ] {
            prototype.set(name, function(ctx, name, length, refuse)?)?;
        }
        prototype.set("get", function(ctx, "get", 3, get)?)?;
        prototype.set("has", function(ctx, "has", 2, has)?)?;
        prototype.set("ownKeys", function(ctx, "ownKeys", 1, own_keys)?)?;
        let describe = function(ctx, "getOwnPropertyDescriptor", 2, describe)?;
        prototype.set("getOwnPropertyDescriptor", describe)?;
        Ok(Some(prototype))
    }

    fn constructor(_ctx: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

crate::lifetime::without_js!(Handler);

fn make<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let refuse = |text: &str| Err(Exception::throw_type(ctx, text));
    if !vu.in_init() {
        return refuse("new SharedArray must be called in the init context");
    }
    let name: String = call.arg(0).get::<rquickjs::Coerced<String>>()?.0;
    if call.arg(0).is_undefined() || name.is_empty() {
        return refuse("empty name provided to SharedArray's constructor");
    }
    let Some(fill) = call.arg(1).into_function() else {
        return refuse(
            "a function is expected as the second argument of SharedArray's constructor",
        );
    };
    let data = match vu.shared.array(&name) {
        Some(data) => data,
        None => {
            let filled: Value<'js> = fill.call(())?;
            let Some(array) = filled.as_array() else {
                return refuse(
                    "only arrays can be made into SharedArray; \
                     the function must return one, and not be async",
                );
            };
            vu.shared
                .keep_array(&name, ArrayData::of_array(ctx, array)?)
        }
    };
    shared(ctx, data)
}

/// The array that scripts see.
pub(super) fn shared<'js>(ctx: &Ctx<'js>, data: Arc<ArrayData>) -> Result<Value<'js>> {
    let target = Array::new(ctx.clone())?;
    target.as_object().set("length", data.len())?;
    let handler = Class::instance(ctx.clone(), Handler { data })?.into_inner();
    let proxy = Proxy::new(
        ctx.clone(),
        target.into_object(),
        ProxyHandler::from_object(handler)?,
    )?;
    Ok(proxy.into_value())
}

/// What `read` makes of the elements behind the handler.
fn with_data<T>(call: &Call<'_, '_>, read: impl FnOnce(&ArrayData) -> Result<T>) -> Result<T> {
    let this = call.this();
    let handler = this.as_object().and_then(Class::<Handler>::from_object);
    let handler = handler.ok_or(rquickjs::Error::Unknown)?;
    let handler = handler.borrow();
    read(&handler.data)
}

/// The place in the array that a property means.
fn index(property: &Value<'_>) -> Option<usize> {
    let text = property.as_string()?.clone().to_cstring().ok()?;
    let text = text.as_str();
    // `01` and `+1` are ordinary properties.
    let plain = text == "0" || !text.starts_with(['0', '+']);
    if plain { text.parse().ok() } else { None }
}

fn element<'js>(ctx: &Ctx<'js>, data: &ArrayData, index: usize) -> Result<Value<'js>> {
    match data.element(index) {
        None => Ok(Value::new_undefined(ctx.clone())),
        Some("") => Err(Exception::throw_type(
            ctx,
            "this element of the SharedArray cannot be shared: it was undefined or a function",
        )),
        Some(json) => {
            if let Some(line) = VuContext::of(ctx).rows.object(ctx, json)? {
                return Ok(line);
            }
            let value = ctx.json_parse(json)?;
            freeze::deeply(ctx, &value)?;
            Ok(value)
        }
    }
}

fn get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let property = call.arg(1);
    if let Some(index) = index(&property) {
        return with_data(call, |data| element(call.ctx(), data, index));
    }
    let target = call.arg(0).into_object().ok_or(rquickjs::Error::Unknown)?;
    target.get(property)
}

fn has<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let property = call.arg(1);
    let found = match index(&property) {
        Some(index) => with_data(call, |data| Ok(index < data.len()))?,
        None => {
            let target = call.arg(0).into_object().ok_or(rquickjs::Error::Unknown)?;
            target.contains_key(property)?
        }
    };
    Ok(Value::new_bool(call.ctx().clone(), found))
}

fn own_keys<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let keys = Array::new(call.ctx().clone())?;
    let count = with_data(call, |data| Ok(data.len()))?;
    for index in 0..count {
        keys.set(index, index.to_string())?;
    }
    keys.set(count, "length")?;
    Ok(keys.into_value())
}

fn describe<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, property) = (call.ctx(), call.arg(1));
    with_data(call, |data| description(ctx, data, &property))
}

fn description<'js>(ctx: &Ctx<'js>, data: &ArrayData, property: &Value<'js>) -> Result<Value<'js>> {
    let description = Object::new(ctx.clone())?;
    let is_element = match index(property) {
        Some(index) if index < data.len() => {
            description.set("value", element(ctx, data, index)?)?;
            true
        }
        _ if property
            .as_string()
            .is_some_and(|p| p.to_string().is_ok_and(|p| p == "length")) =>
        {
            description.set("value", data.len())?;
            description.set("writable", true)?;
            false
        }
        _ => return Ok(Value::new_undefined(ctx.clone())),
    };
    description.set("enumerable", is_element)?;
    description.set("configurable", is_element)?;
    Ok(description.into_value())
}

fn refuse<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    Err(Exception::throw_type(
        call.ctx(),
        "SharedArray is immutable",
    ))
}
