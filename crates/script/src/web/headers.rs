//! Headers, by the Fetch standard (fetch.spec.whatwg.org): names without regard to case, values of one name joined.
//!
//! The list is kept as text: a name and a value, each ending in a line end, which neither can contain.

use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use super::{hide, instance, iterable, iterator, method, of_class, pair, pairs, receiver, text};
use crate::native::{Call, constructor};

/// The property with the list.
const LIST: &str = "[[headers]]";
/// The class's name.
const CLASS: &str = "Headers";

/// A list of names, in lower case, and values.
type Pairs = Vec<(String, String)>;

pub(super) fn class<'js>(ctx: &Ctx<'js>) -> Result<Function<'js>> {
    let prototype = Object::new(ctx.clone())?;
    method(&prototype, "append", 2, append)?;
    method(&prototype, "delete", 1, delete)?;
    method(&prototype, "get", 1, get)?;
    method(&prototype, "getSetCookie", 0, |call| {
        let values = own(call)?
            .into_iter()
            .filter(|(name, _)| name == "set-cookie");
        let values: Vec<String> = values.map(|(_, value)| value).collect();
        rquickjs::IntoJs::into_js(values, call.ctx())
    })?;
    method(&prototype, "has", 1, |call| {
        let name = header_name(call, &call.arg(0))?;
        let has = own(call)?.iter().any(|pair| pair.0 == name);
        Ok(Value::new_bool(call.ctx().clone(), has))
    })?;
    method(&prototype, "set", 2, set)?;
    method(&prototype, "forEach", 1, for_each)?;
    method(&prototype, "entries", 0, entries)?;
    method(&prototype, "keys", 0, |call| {
        iterator(
            call.ctx(),
            joined(own(call)?).into_iter().map(|(name, _)| name),
        )
    })?;
    method(&prototype, "values", 0, |call| {
        iterator(
            call.ctx(),
            joined(own(call)?).into_iter().map(|(_, value)| value),
        )
    })?;
    iterable(&prototype, "entries", entries)?;
    constructor(ctx, CLASS, 0, &prototype, new)
}

fn new<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let list = given(call.ctx(), &call.arg(0))?;
    let object = instance(call)?;
    hide(&object, LIST, serialized(&list))?;
    Ok(object.into_value())
}

/// The headers in what a script gives: Headers, a sequence of pairs, or an object.
pub(super) fn given(ctx: &Ctx<'_>, init: &Value<'_>) -> Result<Pairs> {
    let Some(object) = init.as_object() else {
        return Ok(Pairs::new());
    };
    if object.contains_key(LIST)? {
        return list(object);
    }
    let mut checked = Pairs::new();
    for (name, value) in pairs(object, CLASS)? {
        checked.push(valid(ctx, &name, &value)?);
    }
    Ok(checked)
}

/// Headers with this list.
pub(super) fn make<'js>(ctx: &Ctx<'js>, list: &Pairs) -> Result<Object<'js>> {
    let object = of_class(ctx, CLASS)?;
    hide(&object, LIST, serialized(list))?;
    Ok(object)
}

/// Sorted by name, the values of one name together; only cookies stay apart.
pub(super) fn joined(list: Pairs) -> Pairs {
    let mut joined = Pairs::new();
    for (name, value) in list {
        let known = joined
            .iter_mut()
            .find(|pair| pair.0 == name && name != "set-cookie");
        match known {
            Some((_, before)) => {
                before.push_str(", ");
                before.push_str(&value);
            }
            None => joined.push((name, value)),
        }
    }
    joined.sort_by(|a, b| a.0.cmp(&b.0));
    joined
}

fn serialized(list: &Pairs) -> String {
    list.iter()
        .map(|(name, value)| format!("{name}\n{value}\n"))
        .collect()
}

fn list(object: &Object<'_>) -> Result<Pairs> {
    let kept: String = object.get(LIST)?;
    let mut lines = kept.split('\n');
    let mut pairs = Pairs::new();
    while let (Some(name), Some(value)) = (lines.next(), lines.next()) {
        pairs.push((name.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}

fn own(call: &Call<'_, '_>) -> Result<Pairs> {
    list(&receiver(call, LIST, CLASS)?)
}

fn header_name(call: &Call<'_, '_>, name: &Value<'_>) -> Result<String> {
    valid(call.ctx(), &text(name)?, "").map(|(name, _)| name)
}

/// A header as it is kept.
fn valid(ctx: &Ctx<'_>, name: &str, value: &str) -> Result<(String, String)> {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(is_token) {
        let text = format!("'{name}' is not a name of a header");
        return Err(Exception::throw_type(ctx, &text));
    }
    let value = value.trim_matches([' ', '\t', '\r', '\n']);
    if value.contains(['\r', '\n', '\0']) {
        let text = format!("the value of the header '{name}' has a line end or a zero in it");
        return Err(Exception::throw_type(ctx, &text));
    }
    Ok((name.to_ascii_lowercase(), value.to_owned()))
}

fn change<'js>(call: &Call<'_, 'js>, change: impl FnOnce(&mut Pairs)) -> Result<Value<'js>> {
    let object = receiver(call, LIST, CLASS)?;
    let mut pairs = list(&object)?;
    change(&mut pairs);
    hide(&object, LIST, serialized(&pairs))?;
    call.undefined()
}

fn append<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let pair = valid(call.ctx(), &text(&call.arg(0))?, &text(&call.arg(1))?)?;
    change(call, |list| list.push(pair))
}

fn set<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let pair = valid(call.ctx(), &text(&call.arg(0))?, &text(&call.arg(1))?)?;
    change(call, |list| {
        list.retain(|other| other.0 != pair.0);
        list.push(pair);
    })
}

fn delete<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = header_name(call, &call.arg(0))?;
    change(call, |list| list.retain(|pair| pair.0 != name))
}

fn get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = header_name(call, &call.arg(0))?;
    let values = own(call)?.into_iter().filter(|pair| pair.0 == name);
    let values: Vec<String> = values.map(|(_, value)| value).collect();
    if values.is_empty() {
        return Ok(Value::new_null(call.ctx().clone()));
    }
    let value = values.join(", ");
    Ok(rquickjs::String::from_str(call.ctx().clone(), &value)?.into_value())
}

fn for_each<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let Some(callback) = call.arg(0).into_function() else {
        return Err(Exception::throw_type(
            call.ctx(),
            "forEach wants a function",
        ));
    };
    for (name, value) in joined(own(call)?) {
        let this = rquickjs::function::This(call.arg(1));
        callback.call::<_, Value<'js>>((this, value, name, call.this()))?;
    }
    call.undefined()
}

fn entries<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let pairs: Result<Vec<_>> = joined(own(call)?)
        .iter()
        .map(|(name, value)| pair(ctx, name, value))
        .collect();
    iterator(ctx, pairs?)
}
