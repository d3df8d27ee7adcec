//! The pages: files that the binary brings, and the cookie that keeps the token out of the address.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::answer;
use crate::control::Refusal;
use crate::door::{COOKIE, token_of_query};

/// A file of the UI.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path: `/` or `/assets/app.js`.
    pub path: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// Answers a request for a file.
pub(crate) fn answer(assets: &[Asset], uri: &Uri) -> Response {
    if let ("/", Some(token)) = (uri.path(), token_of_query(uri)) {
        return remembered(token);
    }
    match assets.iter().find(|asset| asset.path == uri.path()) {
        Some(asset) => answer::typed(asset.media, Body::from(asset.bytes)),
        None => Refusal::missing("there is no such page").into_response(),
    }
}

/// Puts the token, which the door has checked, into a cookie and takes it out of the address.
fn remembered(token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}
