//! URLSearchParams, by the WHATWG standard (url.spec.whatwg.org).
//!
//! The list is kept as the text it serialises to; that of a URL's `searchParams` is the query of the URL itself, so that
//! both always agree.

use ::url::form_urlencoded;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use super::{
    hide, instance, iterable, iterator, method, of_class, pair, pairs, receiver, text, url,
};
use crate::native::{Call, constructor, getter};

/// The property with the text, or with the URL.
const LIST: &str = "[[query]]";
/// The class's name.
const CLASS: &str = "URLSearchParams";

/// A list of names and values.
type Pairs = Vec<(String, String)>;

pub(super) fn class<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let prototype = Object::new(ctx.clone())?;
    method(&prototype, "append", 2, append)?;
    method(&prototype, "delete", 1, delete)?;
    method(&prototype, "get", 1, get)?;
    method(&prototype, "getAll", 1, get_all)?;
    method(&prototype, "has", 1, has)?;
    method(&prototype, "set", 2, set)?;
    method(&prototype, "sort", 0, sort)?;
    method(&prototype, "forEach", 1, for_each)?;
    method(&prototype, "entries", 0, entries)?;
    method(&prototype, "keys", 0, |call| {
        iterator(call.ctx(), own(call)?.into_iter().map(|(name, _)| name))
    })?;
    method(&prototype, "values", 0, |call| {
        iterator(call.ctx(), own(call)?.into_iter().map(|(_, value)| value))
    })?;
    method(&prototype, "toString", 0, |call| {
        let text = serialized(&own(call)?);
        Ok(rquickjs::String::from_str(call.ctx().clone(), &text)?.into_value())
    })?;
    getter(&prototype, "size", |call| {
        let size = own(call)?.len();
        Ok(Value::new_number(call.ctx().clone(), size as f64))
    })?;
    iterable(&prototype, "entries", entries)?;
    constructor(ctx, CLASS, 0, &prototype, new)
}

fn new<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let init = call.arg(0);
    let list = match init.as_object() {
        Some(init) => pairs(init, CLASS)?,
        None if init.is_undefined() => Pairs::new(),
        None => {
            let given = text(&init)?;
            parsed(given.strip_prefix('?').unwrap_or(&given))
        }
    };
    let object = instance(call)?;
    hide(&object, LIST, serialized(&list))?;
    Ok(object.into_value())
}

/// The parameters of a URL object.
pub(super) fn of_url<'js>(ctx: &Ctx<'js>, url: &Object<'js>) -> Result<Object<'js>> {
    let object = of_class(ctx, CLASS)?;
    hide(&object, LIST, url.clone())?;
    Ok(object)
}

/// The text of an object of this class, none of others.
pub(super) fn text_of(object: &Object<'_>) -> Result<Option<String>> {
    if !object.contains_key(LIST)? {
        return Ok(None);
    }
    list(object).map(|list| Some(serialized(&list)))
}

fn parsed(query: &str) -> Pairs {
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

fn serialized(list: &Pairs) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(list)
        .finish()
}

fn list(object: &Object<'_>) -> Result<Pairs> {
    let kept: Value<'_> = object.get(LIST)?;
    let query = match kept.as_object() {
        Some(owner) => url::query(object.ctx(), owner)?,
        None => text(&kept)?,
    };
    Ok(parsed(&query))
}

fn own(call: &Call<'_, '_>) -> Result<Pairs> {
    list(&receiver(call, LIST, CLASS)?)
}

fn change<'js>(call: &Call<'_, 'js>, change: impl FnOnce(&mut Pairs)) -> Result<Value<'js>> {
    let object = receiver(call, LIST, CLASS)?;
    let mut pairs = list(&object)?;
    change(&mut pairs);
    let query = serialized(&pairs);
    let kept: Value<'js> = object.get(LIST)?;
    match kept.as_object() {
        Some(owner) => url::set_query(call.ctx(), owner, &query)?,
        None => hide(&object, LIST, query)?,
    }
    call.undefined()
}

fn append<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (name, value) = (text(&call.arg(0))?, text(&call.arg(1))?);
    change(call, |list| list.push((name, value)))
}

/// The condition of `has` and `delete`: the name, and the value where one is given.
fn named(call: &Call<'_, '_>) -> Result<impl Fn(&(String, String)) -> bool> {
    let name = text(&call.arg(0))?;
    let value = match call.arg(1) {
        value if value.is_undefined() => None,
        value => Some(text(&value)?),
    };
    Ok(move |pair: &(String, String)| {
        pair.0 == name && value.as_ref().is_none_or(|value| *value == pair.1)
    })
}

fn delete<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let is_named = named(call)?;
    change(call, |list| list.retain(|pair| !is_named(pair)))
}

fn has<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let is_named = named(call)?;
    let has = own(call)?.iter().any(is_named);
    Ok(Value::new_bool(call.ctx().clone(), has))
}

fn get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = text(&call.arg(0))?;
    match own(call)?.into_iter().find(|pair| pair.0 == name) {
        Some((_, value)) => {
            Ok(rquickjs::String::from_str(call.ctx().clone(), &value)?.into_value())
        }
        None => Ok(Value::new_null(call.ctx().clone())),
    }
}

fn get_all<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = text(&call.arg(0))?;
    let found = rquickjs::Array::new(call.ctx().clone())?;
    let values = own(call)?.into_iter().filter(|pair| pair.0 == name);
    for (at, (_, value)) in values.enumerate() {
        found.set(at, value)?;
    }
    Ok(found.into_value())
}

fn set<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (name, value) = (text(&call.arg(0))?, text(&call.arg(1))?);
    change(call, |list| {
        let Some(at) = list.iter().position(|pair| pair.0 == name) else {
            list.push((name, value));
            return;
        };
        list[at].1 = value;
        let mut index = 0;
        list.retain(|pair| {
            index += 1;
            index <= at + 1 || pair.0 != name
        });
    })
}

fn sort<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    // The standard sorts by code units.
    change(call, |list| {
        list.sort_by_cached_key(|pair| pair.0.encode_utf16().collect::<Vec<_>>())
    })
}

fn for_each<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let Some(callback) = call.arg(0).into_function() else {
        return Err(Exception::throw_type(
            call.ctx(),
            "forEach wants a function",
        ));
    };
    for (name, value) in own(call)? {
        let this = rquickjs::function::This(call.arg(1));
        callback.call::<_, Value<'js>>((this, value, name, call.this()))?;
    }
    call.undefined()
}

fn entries<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let pairs: Result<Vec<_>> = own(call)?
        .iter()
        .map(|(name, value)| pair(ctx, name, value))
        .collect();
    iterator(ctx, pairs?)
}
