//! `http.file`: a file for a multipart form.

use rquickjs::{Object, Result, Value};

use super::arguments::type_name;
use crate::globals::bytes;
use crate::native::Call;

/// Type of a file that names none.
const DEFAULT_TYPE: &str = "application/octet-stream";

/// A file as it goes into a form.
pub(super) struct File {
    /// Its content.
    pub(super) data: Vec<u8>,
    /// Its name.
    pub(super) filename: String,
    /// Its media type.
    pub(super) content_type: String,
}

/// `http.file(data, filename?, contentType?)`.
pub(super) fn file<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let data = call.arg(0);
    if bytes::of(&data).is_none() {
        let text = format!(
            "invalid type {}, expected string or ArrayBuffer",
            type_name(&data)
        );
        return Err(rquickjs::Exception::throw_type(ctx, &text));
    }
    let now_unix_ns = call.vu().stamp().unix_ns;
    let file = Object::new(ctx.clone())?;
    file.set("data", data)?;
    file.set("filename", text_or(call, 1, || now_unix_ns.to_string())?)?;
    file.set(
        "content_type",
        text_or(call, 2, || DEFAULT_TYPE.to_owned())?,
    )?;
    Ok(file.into_value())
}

fn text_or(call: &Call<'_, '_>, index: usize, default: impl Fn() -> String) -> Result<String> {
    let value = call.arg(index);
    if value.is_undefined() || value.is_null() {
        return Ok(default());
    }
    let text = value.get::<rquickjs::Coerced<String>>()?.0;
    Ok(if text.is_empty() { default() } else { text })
}

/// The file behind a value, none when it is no result of [`file`].
pub(super) fn from_value(value: &Value<'_>) -> Result<Option<File>> {
    let Some(object) = value.as_object() else {
        return Ok(None);
    };
    if !object.contains_key("content_type")? || !object.contains_key("filename")? {
        return Ok(None);
    }
    let data: Value<'_> = object.get("data")?;
    let text = |key: &str| object.get::<_, rquickjs::Coerced<String>>(key);
    Ok(match bytes::of(&data) {
        Some(data) => Some(File {
            data,
            filename: text("filename")?.0,
            content_type: text("content_type")?.0,
        }),
        None => None,
    })
}
