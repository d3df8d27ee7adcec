//! Answers that are content: texts, pages, bytes, compressed documents.
//!
//! Invariant: the same request gets the same bytes, always.

use std::borrow::Cow;
use std::io::Write;

use serde_json::json;

use super::{Call, echo};
use crate::codec;
use crate::reply::{Body, Reply};

/// Most lines of `/stream/N`.
const STREAMED_LINES: usize = 10_000;

/// Codings of `/packed`.
const CODED: [&str; 4] = ["gzip", "deflate", "br", "zstd"];
/// Most codings of `/packed`, one upon the other.
const CODINGS: usize = 8;

const FORM: &str = r#"<!DOCTYPE html>
<html><head><title>Order</title></head><body>
<form method="post" action="/post">
<p><label>Name: <input name="name"></label></p>
<p><label>Telephone: <input type="tel" name="phone"></label></p>
<fieldset><legend>Size</legend>
<label><input type="radio" name="size" value="small"> Small</label>
<label><input type="radio" name="size" value="large"> Large</label></fieldset>
<p><textarea name="comments"></textarea></p>
<p><button type="submit">Send</button></p>
</form></body></html>
"#;

const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en"><head><title>A page</title></head><body>
<h1 id="top">The reference page</h1>
<p class="lead">It never changes, so that tests can count on it.</p>
<ul><li><a href="/get">get</a></li><li><a href="/json">json</a></li><li><a href="/fast?from=page">fast</a></li></ul>
<form id="search" method="get" action="/anything"><input type="text" name="q" value="netload"><input type="hidden" name="page" value="1"><input type="submit" name="go" value="Go"></form>
</body></html>
"#;

pub(super) fn hello(_: &Call<'_>) -> Reply {
    Reply::empty(200)
        .with("Content-Type", "text/plain")
        .body(Body::Whole(Cow::Borrowed(b"hello, world")))
}

pub(super) fn bytes(call: &Call<'_>) -> Reply {
    match codec::size(call.argument(0)) {
        Some(count) => {
            let body: Vec<u8> = (b'a'..=b'z').cycle().take(count).collect();
            Reply::new(200, "application/octet-stream", body)
        }
        None => Reply::usage("/bytes/N, for example /bytes/512 or /bytes/64k"),
    }
}

pub(super) fn file(call: &Call<'_>) -> Reply {
    let path = call.request.path.trim_start_matches("/files/");
    // Plain names only, so that nothing outside of the folders can be named.
    let plain = |part: &str| {
        let letters = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'@');
        !part.starts_with('.') && !part.is_empty() && part.bytes().all(letters)
    };
    if !path.split('/').all(plain) {
        return Reply::empty(404);
    }
    let found = call
        .state
        .files
        .iter()
        .find_map(|folder| std::fs::read(folder.join(path)).ok());
    match found {
        Some(content) => Reply::new(200, "application/octet-stream", content),
        None => Reply::empty(404),
    }
}

pub(super) fn stream(call: &Call<'_>) -> Reply {
    match call.argument(0).parse::<usize>() {
        Ok(count) if count <= STREAMED_LINES => {
            let lines = (0..count).map(|id| format!("{}\n", json!({ "id": id })).into_bytes());
            Reply::empty(200)
                .with("Content-Type", "application/json")
                .body(Body::Chunked(lines.collect()))
        }
        _ => Reply::usage("/stream/N with N up to 10000"),
    }
}

pub(super) fn json_document(_: &Call<'_>) -> Reply {
    Reply::json(&json!({
        "name": "netload",
        "version": 1,
        "ratio": 0.25,
        "big": 9_007_199_254_740_991_i64,
        "negative": -17,
        "open": true,
        "closed": false,
        "nothing": null,
        "empty": { "list": [], "object": {}, "text": "" },
        "text": "quote \" backslash \\ newline \n snowman \u{2603} clef \u{1d11e}",
        "dotted.key": "found",
        "tags": ["alpha", "beta", "gamma"],
        "users": [
            { "id": 1, "name": "Ada", "age": 36, "active": true, "roles": ["admin", "dev"] },
            { "id": 2, "name": "Grace", "age": 45, "active": false, "roles": ["dev"] },
            { "id": 3, "name": "Linus", "age": 21, "active": true, "roles": [] },
        ],
        "matrix": [[1, 2], [3, 4]],
    }))
}

pub(super) fn html_page(_: &Call<'_>) -> Reply {
    Reply::new(200, "text/html; charset=utf-8", PAGE)
}

pub(super) fn form_page(_: &Call<'_>) -> Reply {
    Reply::new(200, "text/html; charset=utf-8", FORM)
}

pub(super) fn utf8(_: &Call<'_>) -> Reply {
    Reply::text("Grüße, мир, 世界, שלום, 🌍\n")
}

pub(super) fn gzip(call: &Call<'_>) -> Reply {
    packed(&plain(call), &["gzip"])
}

pub(super) fn deflate(call: &Call<'_>) -> Reply {
    packed(&plain(call), &["deflate"])
}

pub(super) fn brotli(call: &Call<'_>) -> Reply {
    packed(&plain(call), &["br"])
}

pub(super) fn zstd(call: &Call<'_>) -> Reply {
    packed(&plain(call), &["zstd"])
}

pub(super) fn stacked(call: &Call<'_>) -> Reply {
    let codings: Vec<&str> = call.argument(0).split(',').collect();
    if codings.len() > CODINGS || !codings.iter().all(|c| CODED.contains(c)) {
        return Reply::usage("/packed/CODINGS of gzip, deflate, br and zstd: /packed/gzip,br");
    }
    packed(&plain(call), &codings)
}

fn plain(call: &Call<'_>) -> Vec<u8> {
    echo::document(call.request).to_string().into_bytes()
}

/// The document, compressed by each coding in turn.
fn packed(document: &[u8], codings: &[&str]) -> Reply {
    let whole = codings
        .iter()
        .try_fold(document.to_vec(), |body, coding| pack(coding, &body));
    match whole {
        Ok(body) => {
            Reply::new(200, "application/json", body).with("Content-Encoding", codings.join(", "))
        }
        Err(error) => Reply::new(500, "text/plain", error.to_string()),
    }
}

fn pack(coding: &str, body: &[u8]) -> std::io::Result<Vec<u8>> {
    let level = flate2::Compression::default();
    match coding {
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(body)?;
            encoder.finish()
        }
        "deflate" => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(body)?;
            encoder.finish()
        }
        "br" => {
            let mut packed = Vec::new();
            let parameters = brotli::enc::BrotliEncoderParams::default();
            brotli::BrotliCompress(&mut &*body, &mut packed, &parameters)?;
            Ok(packed)
        }
        _ => zstd::encode_all(body, 0),
    }
}
