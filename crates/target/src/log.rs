//! What arrived, for tests that compare clients on the wire.
//!
//! Off unless asked for, because it costs a lock and copies per request.
//! Invariant: the JSON form of a request depends only on what was sent, apart
//! from the numbers of connections.

use std::sync::{Mutex, PoisonError};

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::{Value, json};

use crate::codec;
use crate::limits;
use crate::request::Request;

/// One request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedRequest {
    /// The connection it came over; numbered from 1 in the order of acceptance.
    pub connection: u64,
    /// Whether it came over TLS.
    pub secure: bool,
    /// The method as it was sent.
    pub method: String,
    /// Path and query as they were sent.
    pub target: String,
    /// 0 for HTTP/1.0, 1 for HTTP/1.1.
    pub minor_version: u8,
    /// Header fields with names as they were sent, sorted by lower-case name, then value.
    pub headers: Vec<(String, String)>,
    /// Length of the body without its framing, in bytes.
    pub body_bytes: usize,
    /// SHA-256 of the body in hexadecimal.
    pub body_sha256: String,
    /// The first 4 KiB of the body as text; bytes that are not UTF-8 are replaced.
    pub body_text: String,
}

impl LoggedRequest {
    /// The request as one JSON object with fixed keys.
    pub fn to_json(&self) -> Value {
        json!({
            "connection": self.connection,
            "secure": self.secure,
            "method": self.method,
            "target": self.target,
            "version": format!("1.{}", self.minor_version),
            "headers": self.headers,
            "body": {
                "bytes": self.body_bytes,
                "sha256": self.body_sha256,
                "text": self.body_text,
            },
        })
    }

    fn new(request: &Request<'_>) -> LoggedRequest {
        let mut headers: Vec<_> = request
            .fields
            .iter()
            .map(|field| {
                let value = String::from_utf8_lossy(field.value).into_owned();
                (field.name.to_owned(), value)
            })
            .collect();
        headers.sort_by_cached_key(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
        let shown = request.body.len().min(limits::LOGGED_BODY_BYTES);
        LoggedRequest {
            connection: request.origin.connection,
            secure: request.origin.secure,
            method: request.method.to_owned(),
            target: request.target.to_owned(),
            minor_version: request.minor_version,
            headers,
            body_bytes: request.body.len(),
            body_sha256: codec::hex(digest(&SHA256, request.body).as_ref()),
            body_text: String::from_utf8_lossy(&request.body[..shown]).into_owned(),
        }
    }
}

/// The requests of one server, in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    requests: Vec<LoggedRequest>,
    left_out: usize,
}

impl RequestLog {
    /// Keeps the request if there is room.
    pub(crate) fn record(&self, request: &Request<'_>) {
        let logged = LoggedRequest::new(request);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.requests.len() < limits::LOGGED_REQUESTS {
            kept.requests.push(logged);
        } else {
            kept.left_out += 1;
        }
    }

    /// All that was kept.
    pub(crate) fn requests(&self) -> Vec<LoggedRequest> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.requests.clone()
    }

    /// All that was kept, and how many did not fit.
    pub(crate) fn to_json(&self) -> Value {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let requests: Vec<_> = kept.requests.iter().map(LoggedRequest::to_json).collect();
        json!({ "requests": requests, "left_out": kept.left_out })
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
    }
}
