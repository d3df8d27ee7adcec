//! Paths that want credentials: basic, digest (RFC 7616) and bearer.
//!
//! Nonces are fixed, not random: what clients send must be reproducible, and
//! nothing is protected here.

use aws_lc_rs::digest::{SHA256, digest as sha};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use serde_json::json;

use super::Call;
use crate::codec;
use crate::reply::Reply;

const NONCE: &str = "5f2c7d1be90a4386b1c4d8e7f6a50312";
const OPAQUE: &str = "9a1d3c5b7e80f246";
const REALM: &str = "netload";

pub(super) fn basic(call: &Call<'_>) -> Reply {
    let user = codec::segment(call.argument(0));
    let password = codec::segment(call.argument(1));
    let wanted = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
    if call.request.field("authorization") == Some(wanted.as_str()) {
        welcome(&user)
    } else {
        Reply::empty(401).with("WWW-Authenticate", format!("Basic realm=\"{REALM}\""))
    }
}

pub(super) fn bearer(call: &Call<'_>) -> Reply {
    let token = call
        .request
        .field("authorization")
        .and_then(|value| value.strip_prefix("Bearer "));
    match token {
        Some(token) => Reply::json(&json!({ "authenticated": true, "token": token })),
        None => Reply::empty(401).with("WWW-Authenticate", "Bearer"),
    }
}

pub(super) fn digest(call: &Call<'_>) -> Reply {
    let qop = call.argument(0);
    let algorithm = match call.argument(3) {
        "" | "MD5" => Algorithm::Md5,
        "SHA-256" => Algorithm::Sha256,
        _ => return Reply::usage("/digest-auth/QOP/USER/PASSWORD[/MD5 or /SHA-256]"),
    };
    let user = codec::segment(call.argument(1));
    let password = codec::segment(call.argument(2));
    if has_proof(call, &user, &password, algorithm) {
        return welcome(&user);
    }
    Reply::empty(401).with(
        "WWW-Authenticate",
        format!(
            "Digest realm=\"{REALM}\", nonce=\"{NONCE}\", qop=\"{qop}\", opaque=\"{OPAQUE}\", \
             algorithm={}, stale=FALSE",
            algorithm.name()
        ),
    )
}

fn has_proof(call: &Call<'_>, user: &str, password: &str, algorithm: Algorithm) -> bool {
    let Some(fields) = call
        .request
        .field("authorization")
        .and_then(|value| value.strip_prefix("Digest "))
        .map(parameters)
    else {
        return false;
    };
    let field = |name: &str| {
        fields
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value.as_str())
    };
    let hash = |text: String| algorithm.hash(&text);
    let secret = hash(format!("{user}:{REALM}:{password}"));
    let asked = hash(format!("{}:{}", call.request.method, field("uri")));
    let middle = match field("qop") {
        "" => NONCE.to_owned(),
        qop => format!("{NONCE}:{}:{}:{qop}", field("nc"), field("cnonce")),
    };
    field("username") == user
        && field("nonce") == NONCE
        && field("uri") == call.request.target
        && field("response") == hash(format!("{secret}:{middle}:{asked}"))
}

fn parameters(text: &str) -> Vec<(String, String)> {
    text.split(',')
        .filter_map(|part| part.trim().split_once('='))
        .map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned()))
        .collect()
}

fn welcome(user: &str) -> Reply {
    Reply::json(&json!({ "authenticated": true, "user": user }))
}

#[derive(Debug, Clone, Copy)]
enum Algorithm {
    Md5,
    Sha256,
}

impl Algorithm {
    fn name(self) -> &'static str {
        match self {
            Algorithm::Md5 => "MD5",
            Algorithm::Sha256 => "SHA-256",
        }
    }

    fn hash(self, text: &str) -> String {
        match self {
            Algorithm::Md5 => codec::hex(&Md5::digest(text.as_bytes())),
            Algorithm::Sha256 => codec::hex(sha(&SHA256, text.as_bytes()).as_ref()),
        }
    }
}
