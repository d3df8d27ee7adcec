//! Tags that a script gives as an object: what is allowed in them, and their texts.

use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

/// Tags as names and texts.
pub(crate) type Tags = Vec<(String, String)>;

/// The tags in an object; none in undefined and null.
pub(crate) fn parse<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Tags> {
    let mut tags = Tags::new();
    if value.is_undefined() || value.is_null() {
        return Ok(tags);
    }
    // A text has its letters as members, a number none; k6 takes either.
    let boxed: Value<'js> = match value.as_object() {
        Some(_) => value.clone(),
        None => {
            let object: Function<'js> = ctx.globals().get("Object")?;
            object.call((value.clone(),))?
        }
    };
    let Some(object) = boxed.as_object() else {
        return Ok(tags);
    };
    for property in properties(object) {
        let (name, value) = property?;
        tags.push((name.clone(), text(ctx, &name, &value)?));
    }
    Ok(tags)
}

/// The text of a tag's value.
pub(crate) fn text<'js>(ctx: &Ctx<'js>, name: &str, value: &Value<'js>) -> Result<String> {
    if let Some(text) = value.as_string() {
        return text.to_string();
    }
    if value.is_number() || value.is_bool() {
        return value.get::<rquickjs::Coerced<String>>().map(|c| c.0);
    }
    Err(Exception::throw_type(
        ctx,
        &format!(
            "invalid value for metric tag '{name}': \
             only String, Boolean and Number types are accepted as a metric tag values"
        ),
    ))
}

fn properties<'js>(
    object: &Object<'js>,
) -> impl Iterator<Item = Result<(String, Value<'js>)>> + use<'js> {
    object.props::<String, Value<'js>>()
}
