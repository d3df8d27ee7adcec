//! Statuses, redirects, response headers and cookies.

use std::collections::BTreeMap;

use serde_json::json;

use super::Call;
use crate::limits;
use crate::reply::{Body, Reply};

pub(super) fn status(call: &Call<'_>) -> Reply {
    match call.argument(0).parse::<u16>() {
        Ok(code @ 200..=999) => Reply::empty(code),
        _ => Reply::usage("/status/CODE with a code from 200 to 999"),
    }
}

pub(super) fn redirect(call: &Call<'_>) -> Reply {
    match call.argument(0).parse::<usize>() {
        Ok(1) => Reply::redirect(302, "/get"),
        Ok(left @ 2..=limits::REDIRECTS) => Reply::redirect(302, format!("/redirect/{}", left - 1)),
        _ => Reply::usage("/redirect/N with N from 1 to 1000"),
    }
}

pub(super) fn redirect_to(call: &Call<'_>) -> Reply {
    let query = |name| call.request.query_value(name);
    let status = query("status").or_else(|| query("status_code"));
    let status = status.map_or(Ok(302), |text| text.parse::<u16>());
    match (query("url"), status) {
        (Some(url), Ok(status @ 300..=399)) if is_field_value(&url) => Reply::redirect(status, url),
        _ => Reply::usage("/redirect-to?url=URL&status=CODE with a code from 300 to 399"),
    }
}

pub(super) fn response_headers(call: &Call<'_>) -> Reply {
    let pairs = call.request.query_pairs();
    if !pairs.iter().all(is_field) {
        return Reply::usage("/response-headers?Name=value without line ends");
    }
    let sent: Vec<_> = pairs.iter().map(|(n, v)| format!("{n}: {v}\n")).collect();
    pairs
        .into_iter()
        .fold(Reply::text(sent.concat()), |reply, (name, value)| {
            reply.with(name, value)
        })
}

pub(super) fn answer(call: &Call<'_>) -> Reply {
    let (bodies, fields): (Vec<_>, Vec<_>) = call
        .request
        .query_pairs()
        .into_iter()
        .partition(|(name, _)| name == "body");
    let status = call.argument(0).parse::<u16>();
    let (Ok(status @ 200..=999), true) = (status, fields.iter().all(is_field)) else {
        return Reply::usage("/answer/CODE?Name=value&body=text with a code from 200 to 999");
    };
    let body: String = bodies.into_iter().map(|(_, text)| text).collect();
    let reply = Reply::empty(status).body(Body::Whole(body.into_bytes().into()));
    fields
        .into_iter()
        .fold(reply, |reply, (name, value)| reply.with(name, value))
}

fn is_field((name, value): &(String, String)) -> bool {
    let letters = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    !name.is_empty() && name.bytes().all(letters) && is_field_value(value)
}

pub(super) fn cookies(call: &Call<'_>) -> Reply {
    let cookies: BTreeMap<_, _> = call.request.cookies().into_iter().collect();
    Reply::json(&json!({ "cookies": cookies }))
}

pub(super) fn set_cookies(call: &Call<'_>) -> Reply {
    with_cookies(call, |name, value| format!("{name}={value}; Path=/"))
}

pub(super) fn delete_cookies(call: &Call<'_>) -> Reply {
    with_cookies(call, |name, _| {
        format!("{name}=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
    })
}

fn with_cookies(call: &Call<'_>, cookie: impl Fn(&str, &str) -> String) -> Reply {
    let pairs = call.request.query_pairs();
    if !pairs
        .iter()
        .all(|(name, value)| is_field_value(name) && is_field_value(value))
    {
        return Reply::usage("/cookies/set?name=value without line ends");
    }
    pairs
        .iter()
        .fold(Reply::redirect(302, "/cookies"), |reply, (name, value)| {
            reply.with("Set-Cookie", cookie(name, value))
        })
}

/// Line ends would let a query write header fields or a second answer.
fn is_field_value(text: &str) -> bool {
    !text.bytes().any(|b| matches!(b, b'\r' | b'\n' | 0))
}
