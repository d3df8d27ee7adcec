//! Answers: JSON documents, refusals, and the headers that every answer has.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::control::Refusal;
use crate::door::Shut;

/// What a page may load: only what comes from here, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A JSON document.
pub(crate) fn document(body: &Value) -> Response {
    text(body.to_string())
}

/// A JSON document that is text already.
pub(crate) fn text(body: String) -> Response {
    typed("application/json", body.into())
}

/// Some bytes of a type.
pub(crate) fn typed(media: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    let media = HeaderValue::from_static(media);
    response.headers_mut().insert(header::CONTENT_TYPE, media);
    response
}

/// Done, and nothing to say.
pub(crate) fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut error = json!({ "message": self.message });
        if !self.hint.is_empty() {
            error["hint"] = self.hint.into();
        }
        let mut response = document(&json!({ "error": error }));
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        response
    }
}

impl IntoResponse for Shut {
    fn into_response(self) -> Response {
        let (status, message, hint) = match self {
            Self::Host => (
                403,
                "this server does not answer to that name",
                "use the address that it printed",
            ),
            Self::Foreign => (403, "requests of other web sites are not answered", ""),
            Self::Token => (
                401,
                "the token is missing or wrong",
                "open the link that the server printed, or send `Authorization: Bearer TOKEN`",
            ),
        };
        Refusal {
            status,
            message: message.to_owned(),
            hint: hint.to_owned(),
        }
        .into_response()
    }
}

/// Adds the headers that keep a browser from doing more than it should.
pub(crate) fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
