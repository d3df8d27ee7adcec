//! Request bodies: what a script may give, and the bytes it becomes.

use netload_http::Headers;
use rquickjs::{Ctx, Object, Value};

use super::arguments::{Refusal, type_name};
use super::{file, go_text};
use crate::globals::bytes;

/// The bytes of a request body; sets the type of forms unless the script did. None when there is no body.
pub(super) fn encode<'js>(
    ctx: &Ctx<'js>,
    value: &Value<'js>,
    headers: &mut Headers,
) -> Result<Option<Vec<u8>>, Refusal> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    if let Some(bytes) = bytes::of(value) {
        return Ok(Some(bytes));
    }
    match value.as_object() {
        Some(object) if !object.is_array() && !object.is_function() => {
            form(ctx, object, headers).map(Some)
        }
        _ => Err(Refusal::invalid(format!(
            "unknown request body type {}",
            type_name(value)
        ))),
    }
}

/// One field of a form.
enum Field {
    Texts(Vec<String>),
    File(file::File),
}

fn form<'js>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    headers: &mut Headers,
) -> Result<Vec<u8>, Refusal> {
    let mut fields = Vec::new();
    for property in object.props::<String, Value<'js>>() {
        let (name, value) = property?;
        let field = match file::from_value(&value)? {
            Some(file) => Field::File(file),
            None => Field::Texts(texts(ctx, &value)?),
        };
        fields.push((name, field));
    }
    let multipart = fields.iter().any(|(_, f)| matches!(f, Field::File(_)));
    let (body, content_type) = if multipart {
        multipart_form(&fields)
    } else {
        (url_encoded(&fields), "application/x-www-form-urlencoded".to_owned())
    };
    if headers.first("Content-Type").is_none() {
        headers.set("Content-Type", content_type);
    }
    Ok(body)
}

/// The texts of a field: one, or one for each element of an array.
fn texts<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> rquickjs::Result<Vec<String>> {
    match value.as_array() {
        None => Ok(vec![go_text::text(ctx, value)?]),
        Some(array) => array
            .iter::<Value<'js>>()
            .map(|item| go_text::text(ctx, &item?))
            .collect(),
    }
}

fn url_encoded(fields: &[(String, Field)]) -> Vec<u8> {
    let mut sorted: Vec<&(String, Field)> = fields.iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    let _ = sorted;
    Vec::new()
}

fn multipart_form(_: &[(String, Field)]) -> (Vec<u8>, String) {
    (Vec::new(), String::new())
}
