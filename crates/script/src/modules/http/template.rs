//! `` http.url`...` ``: a URL whose filled-in values do not make a metric of their own.

use rquickjs::{Coerced, Object, Result, Value};

use crate::native::Call;

/// The tag of the template. The result has the URL with its values, and a name with `${}` in their place.
pub(super) fn url<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let Some(parts) = call.arg(0).into_array() else {
        let text = "http.url is a template tag: write http.url`https://example.com/${id}`";
        return Err(rquickjs::Exception::throw_type(ctx, text));
    };
    let (mut url, mut name) = (String::new(), String::new());
    for (index, part) in parts.iter::<Coerced<String>>().enumerate() {
        let part = part?.0;
        if index > 0 {
            let value = call.arg(index);
            // Nothing is filled in where there is nothing.
            if !value.is_undefined() && !value.is_null() {
                url.push_str(&value.get::<Coerced<String>>()?.0);
            }
            name.push_str("${}");
        }
        url.push_str(&part);
        name.push_str(&part);
    }
    let result = Object::new(ctx.clone())?;
    result.set("name", name)?;
    result.set("url", url.as_str())?;
    result.set("clean_url", masked(&url))?;
    Ok(result.into_value())
}

/// URL and name behind a value, none when it is no result of [`url`].
pub(super) fn from_value(value: &Value<'_>) -> Result<Option<(String, String)>> {
    let Some(object) = value.as_object() else {
        return Ok(None);
    };
    if !object.contains_key("clean_url")? {
        return Ok(None);
    }
    let text = |key: &str| object.get::<_, Value<'_>>(key);
    let (url, name) = (text("url")?, text("name")?);
    match (url.as_string(), name.as_string()) {
        (Some(url), Some(name)) => Ok(Some((url.to_string()?, name.to_string()?))),
        _ => Ok(None),
    }
}

fn masked(url: &str) -> String {
    netload_http::Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.masked())
}
