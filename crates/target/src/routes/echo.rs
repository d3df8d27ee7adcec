//! Answers that say what was sent.
//!
//! Invariant: keys are sorted and nothing depends on the time, so that two
//! clients that send the same get the same bytes.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::Call;
use crate::codec;
use crate::reply::Reply;
use crate::request::Request;

pub(super) fn echo(call: &Call<'_>) -> Reply {
    let request = call.request;
    let headers: Vec<_> = request
        .fields
        .iter()
        .map(|field| json!([field.name, String::from_utf8_lossy(field.value)]))
        .collect();
    Reply::json(&json!({
        "method": request.method,
        "target": request.target,
        "version": format!("HTTP/1.{}", request.minor_version),
        "headers": headers,
        "body": String::from_utf8_lossy(request.body),
    }))
}

pub(super) fn get(call: &Call<'_>) -> Reply {
    only(call, &["GET", "HEAD"])
}

pub(super) fn post(call: &Call<'_>) -> Reply {
    only(call, &["POST"])
}

pub(super) fn put(call: &Call<'_>) -> Reply {
    only(call, &["PUT"])
}

pub(super) fn patch(call: &Call<'_>) -> Reply {
    only(call, &["PATCH"])
}

pub(super) fn delete(call: &Call<'_>) -> Reply {
    only(call, &["DELETE"])
}

pub(super) fn anything(call: &Call<'_>) -> Reply {
    Reply::json(&document(call.request))
}

pub(super) fn headers(call: &Call<'_>) -> Reply {
    Reply::json(&json!({ "headers": header_object(call.request) }))
}

pub(super) fn upload(call: &Call<'_>) -> Reply {
    let body = call.request.body;
    Reply::json(&json!({
        "bytes": body.len(),
        "content_type": call.request.field("content-type"),
        "sha256": codec::hex(digest(&SHA256, body).as_ref()),
    }))
}

fn only(call: &Call<'_>, methods: &[&str]) -> Reply {
    if methods.contains(&call.request.method) {
        anything(call)
    } else {
        Reply::empty(405).with("Allow", methods.join(", "))
    }
}

/// Everything about a request in the shape made popular by httpbin.
pub(super) fn document(request: &Request<'_>) -> Value {
    let body = Received::read(request);
    let scheme = if request.origin.secure {
        "https"
    } else {
        "http"
    };
    let host = request.field("host").unwrap_or("");
    let local = &request.target[request.target.find(request.path).unwrap_or(0)..];
    json!({
        "args": grouped(request.query_pairs()),
        "data": body.data,
        "files": body.files,
        "form": body.form,
        "headers": header_object(request),
        "json": body.json,
        "method": request.method,
        "origin": request.origin.peer.ip().to_string(),
        "url": format!("{scheme}://{host}{local}"),
    })
}

/// A body taken apart by its content type.
struct Received {
    data: String,
    files: Value,
    form: Value,
    json: Value,
}

impl Received {
    fn read(request: &Request<'_>) -> Received {
        let mut received = Received {
            data: String::new(),
            files: json!({}),
            form: json!({}),
            json: Value::Null,
        };
        let content_type = request.field("content-type").unwrap_or("");
        if content_type.starts_with("application/x-www-form-urlencoded") {
            let text = String::from_utf8_lossy(request.body);
            received.form = grouped(codec::form_pairs(&text));
        } else if content_type.starts_with("multipart/form-data")
            && let Some(parts) = codec::multipart(content_type, request.body)
        {
            let (files, fields): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| part.filename.is_some());
            let text = |part: codec::Part| (part.name, readable(&part.data));
            received.files = grouped(files.into_iter().map(text).collect());
            received.form = grouped(fields.into_iter().map(text).collect());
        } else {
            received.data = readable(request.body);
            received.json = serde_json::from_slice(request.body).unwrap_or(Value::Null);
        }
        received
    }
}

/// Text as it is, anything else as a data URL.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => format!(
            "data:application/octet-stream;base64,{}",
            STANDARD.encode(bytes)
        ),
    }
}

/// Names sorted; a name that comes several times gets a list.
fn grouped(pairs: Vec<(String, String)>) -> Value {
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in pairs {
        by_name.entry(name).or_default().push(value);
    }
    let object: Map<String, Value> = by_name
        .into_iter()
        .map(|(name, mut values)| match values.len() {
            1 => (name, Value::String(values.swap_remove(0))),
            _ => (name, json!(values)),
        })
        .collect();
    Value::Object(object)
}

fn header_object(request: &Request<'_>) -> Value {
    let mut joined: BTreeMap<String, String> = BTreeMap::new();
    for field in request.fields {
        let value = String::from_utf8_lossy(field.value);
        joined
            .entry(codec::header_name(field.name))
            .and_modify(|before| {
                before.push_str(", ");
                before.push_str(&value);
            })
            .or_insert_with(|| value.clone().into_owned());
    }
    json!(joined)
}
