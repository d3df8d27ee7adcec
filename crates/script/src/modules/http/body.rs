//! Request bodies: what a script may give, and the bytes it becomes.

use netload_http::Headers;
use netload_http::form::{self, Part};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rquickjs::{Ctx, Object, Value};

use super::arguments::{Refusal, type_name};
use super::{file, go_text};
use crate::context::VuContext;
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
    let refuse = |kind: &str| Refusal::invalid(format!("unknown request body type {kind}"));
    let object = match value.as_object() {
        Some(object) if !object.is_array() && !object.is_function() => object,
        _ => return Err(refuse(type_name(value))),
    };
    if file::from_value(value)?.is_some() {
        return Err(refuse(
            "http.file; put it into an object: { field: http.file(...) }",
        ));
    }
    if let Some(kind) = no_form(object)? {
        return Err(refuse(kind));
    }
    encode_form(ctx, object, headers).map(Some)
}

/// The class of objects that hold something, but no fields of a form.
fn no_form(object: &Object<'_>) -> rquickjs::Result<Option<&'static str>> {
    let globals = object.ctx().globals();
    for name in ["Date", "Map", "Set", "Promise"] {
        let class: Value<'_> = globals.get(name)?;
        if class
            .as_object()
            .is_some_and(|class| object.is_instance_of(class))
        {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// One field of a form.
enum Field {
    Texts(Vec<String>),
    File(file::File),
}

fn encode_form<'js>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    headers: &mut Headers,
) -> Result<Vec<u8>, Refusal> {
    let mut given = Vec::new();
    let mut has_file = false;
    for property in object.props::<String, Value<'js>>() {
        let (name, value) = property?;
        let file = file::from_value(&value)?;
        has_file |= file.is_some();
        given.push((name, value, file));
    }
    let mut fields = Vec::with_capacity(given.len());
    for (name, value, file) in given {
        let field = match file {
            Some(file) => Field::File(file),
            // Only url-encoded forms repeat the name for the elements of an array.
            None if has_file => Field::Texts(vec![go_text::text(&value)?]),
            None => Field::Texts(texts(&value)?),
        };
        fields.push((name, field));
    }
    let (body, content_type) = if has_file {
        multipart(&fields, VuContext::of(ctx).now_ns())
    } else {
        let content_type = "application/x-www-form-urlencoded".to_owned();
        (url_encoded(&fields), content_type)
    };
    if headers.first("Content-Type").is_none() {
        headers.set("Content-Type", content_type);
    }
    Ok(body)
}

/// The texts of a field: one, or one for each element of an array.
fn texts(value: &Value<'_>) -> rquickjs::Result<Vec<String>> {
    match value.as_array() {
        None => Ok(vec![go_text::text(value)?]),
        Some(array) => array
            .iter::<Value<'_>>()
            .map(|item| go_text::text(&item?))
            .collect(),
    }
}

fn url_encoded(fields: &[(String, Field)]) -> Vec<u8> {
    let mut pairs = Vec::new();
    for (name, field) in fields {
        if let Field::Texts(texts) = field {
            pairs.extend(texts.iter().map(|text| (name, text)));
        }
    }
    form::encode_form(&pairs).into_bytes()
}

fn multipart(fields: &[(String, Field)], seed: u64) -> (Vec<u8>, String) {
    let mut parts = Vec::new();
    for (name, field) in fields {
        match field {
            Field::Texts(texts) => parts.extend(texts.iter().map(|text| Part {
                name,
                file: None,
                data: text.as_bytes(),
            })),
            Field::File(file) => parts.push(Part {
                name,
                file: Some((&file.filename, &file.content_type)),
                data: &file.data,
            }),
        }
    }
    // It only has to differ from what is in the parts; nobody gains by guessing it.
    let boundary = form::boundary(SmallRng::seed_from_u64(seed).random());
    let content_type = format!("multipart/form-data; boundary={boundary}");
    (form::encode_multipart(&parts, &boundary), content_type)
}
