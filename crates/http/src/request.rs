//! Requests: what is asked, and the bytes it becomes.
//!
//! Owns the encoding, in the order Go's client uses. Invariant: what was prepared once is sent unchanged as often as
//! wanted; header names and values are checked, so no value can smuggle a line.

use std::cell::OnceCell;
use std::rc::Rc;

use netload_net::{Origin, Proxy};

use crate::error::HttpError;
use crate::h2::Outgoing;
use crate::url::Url;
use crate::{auth, cookies};

/// A body up to this size is copied behind the head, so that one write carries both.
const INLINE_BODY_BYTES: usize = 16 * 1024;

/// A request before it is turned into bytes.
#[derive(Clone, Debug)]
pub struct Request {
    /// Sent as it is, not upper-cased.
    pub method: String,
    /// Where to.
    pub url: Url,
    /// Header lines; a `Host` replaces the URL's, a `Content-Length` is ignored.
    pub headers: Headers,
    /// The body, `None` for none.
    pub body: Option<Rc<[u8]>>,
    /// Cookies of this request alone.
    pub cookies: Vec<RequestCookie>,
    /// Credentials in the URL are for challenges only, not sent with the request.
    pub withhold_credentials: bool,
}

/// A cookie of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestCookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Leave out the jar's cookie of the same name; otherwise both are sent.
    pub replace: bool,
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: &str, url: Url) -> Self {
        Self {
            method: method.to_owned(),
            url,
            headers: Headers::default(),
            body: None,
            cookies: Vec::new(),
            withhold_credentials: false,
        }
    }
}

/// Header lines with canonical names (`Content-Type`), sorted by name as they are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Replaces all lines of that name.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let name = canonical_name(name);
        self.0.retain(|(key, _)| *key != name);
        self.insert(name, value.into());
    }

    /// Adds a line behind those of the same name.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        self.insert(canonical_name(name), value.into());
    }

    fn insert(&mut self, name: String, value: String) {
        let at = self.0.partition_point(|(key, _)| *key <= name);
        self.0.insert(at, (name, value));
    }

    /// The first value of that name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// Drops all lines of that name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
    }

    /// All lines, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// The canonical form of a header name: the first letter and those behind `-` in upper case, the others in lower
/// case. A name that is no token stays as it is.
pub fn canonical_name(name: &str) -> String {
    if !name.bytes().all(is_token) {
        return name.to_owned();
    }
    let mut upper = true;
    name.chars()
        .map(|letter| {
            let canonical = if upper {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            };
            upper = letter == '-';
            canonical
        })
        .collect()
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// How requests are turned into bytes, the same for a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Sent unless the request sets its own; empty means none.
    pub user_agent: String,
    /// Ask the server to close after each response.
    pub close: bool,
}

/// A request as bytes.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(crate) origin: Rc<Origin>,
    /// The head, and a small body behind it.
    pub(crate) bytes: Vec<u8>,
    /// A large body, written behind `bytes`.
    pub(crate) body: Option<Rc<[u8]>>,
    pub(crate) head_request: bool,
    /// May be sent again when a reused connection turns out to be dead.
    pub(crate) repeatable: bool,
    /// The same for HTTP/2, once a connection has wanted it.
    outgoing: OnceCell<Outgoing>,
}

impl Prepared {
    /// Encodes a request. `proxy` is the plain proxy that must be asked in absolute form, if there is one.
    ///
    /// # Errors
    /// When the scheme is not HTTP, or a method, header name or value cannot be sent.
    pub fn new(
        request: &Request,
        encoding: &Encoding,
        proxy: Option<&Proxy>,
    ) -> Result<Self, HttpError> {
        Self::with_cookies(request, encoding, proxy, "")
    }

    /// Encodes a request with cookies from a jar (`a=1; b=2`) behind its own.
    ///
    /// # Errors
    /// As [`Prepared::new`].
    pub fn with_cookies(
        request: &Request,
        encoding: &Encoding,
        proxy: Option<&Proxy>,
        jar_cookies: &str,
    ) -> Result<Self, HttpError> {
        let origin = Rc::new(request.url.origin()?);
        let mut bytes = Vec::with_capacity(256);
        write_request_line(&mut bytes, request, proxy)?;
        write_headers(&mut bytes, request, encoding, proxy, jar_cookies)?;
        let body = request.body.clone().filter(|body| !body.is_empty());
        let body = match body {
            Some(body) if body.len() <= INLINE_BODY_BYTES => {
                bytes.extend_from_slice(&body);
                None
            }
            other => other,
        };
        Ok(Self {
            origin,
            bytes,
            body,
            head_request: request.method == "HEAD",
            repeatable: matches!(
                request.method.as_str(),
                "GET" | "HEAD" | "OPTIONS" | "TRACE"
            ),
            outgoing: OnceCell::new(),
        })
    }

    /// The request in the form of HTTP/2.
    pub(crate) fn outgoing(&self) -> &Outgoing {
        self.outgoing
            .get_or_init(|| Outgoing::new(&self.bytes, self.body.as_ref(), self.origin.scheme))
    }

    /// Where it goes.
    pub fn origin(&self) -> &Rc<Origin> {
        &self.origin
    }

    /// Uses an origin that is already known, so that pooled connections are found by identity.
    pub fn share_origin(&mut self, origin: &Rc<Origin>) {
        if *self.origin == **origin {
            self.origin = origin.clone();
        }
    }

    /// Bytes on the wire, body included.
    pub fn len(&self) -> usize {
        self.bytes.len() + self.body.as_ref().map_or(0, |body| body.len())
    }

    /// Never; a request has at least a request line.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The head and a small body, as they are written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Puts all that is written in the place of what is in `out`.
    pub fn copy_to(&self, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(&self.bytes);
        out.extend_from_slice(self.body.as_deref().unwrap_or_default());
    }
}

fn write_request_line(
    out: &mut Vec<u8>,
    request: &Request,
    proxy: Option<&Proxy>,
) -> Result<(), HttpError> {
    let Request { method, url, .. } = request;
    if method.is_empty() || !method.bytes().all(is_token) {
        return Err(HttpError::request(format!(
            "net/http: invalid method {method:?}"
        )));
    }
    out.extend_from_slice(method.as_bytes());
    out.push(b' ');
    if proxy.is_some() {
        out.extend_from_slice(url.scheme().as_bytes());
        out.extend_from_slice(b"://");
        out.extend_from_slice(url.host().as_bytes());
    }
    url.write_target(out);
    out.extend_from_slice(b" HTTP/1.1\r\n");
    Ok(())
}

/// Host, User-Agent and Content-Length first, then the rest by name, then what belongs to the connection.
fn write_headers(
    out: &mut Vec<u8>,
    request: &Request,
    encoding: &Encoding,
    proxy: Option<&Proxy>,
    jar_cookies: &str,
) -> Result<(), HttpError> {
    let headers = &request.headers;
    write_line(
        out,
        "Host",
        headers
            .first("Host")
            .filter(|host| !host.is_empty())
            .unwrap_or(request.url.host()),
    )?;
    let agent = headers.first("User-Agent").unwrap_or(&encoding.user_agent);
    if !agent.is_empty() {
        write_line(out, "User-Agent", agent)?;
    }
    match &request.body {
        Some(body) if !body.is_empty() => {
            write_line(out, "Content-Length", &body.len().to_string())?;
        }
        _ if matches!(request.method.as_str(), "POST" | "PUT" | "PATCH") => {
            write_line(out, "Content-Length", "0")?;
        }
        _ => {}
    }
    let authorization = match request.url.user() {
        Some(user) if !request.withhold_credentials && headers.first("Authorization").is_none() => {
            Some(auth::basic(user))
        }
        _ => None,
    };
    let cookies = cookie_line(request, jar_cookies);
    let mut lines: Vec<(&str, &str)> = headers
        .iter()
        .filter(|(name, _)| !WRITTEN_APART.contains(name))
        .filter(|(name, _)| !(encoding.close && *name == "Connection"))
        .collect();
    lines.extend(
        authorization
            .as_deref()
            .map(|value| ("Authorization", value)),
    );
    if !cookies.is_empty() {
        lines.push(("Cookie", &cookies));
    }
    lines.sort_by_key(|(name, _)| *name);
    for (name, value) in lines {
        write_line(out, name, value)?;
    }
    if encoding.close {
        write_line(out, "Connection", "close")?;
    }
    if let Some(credentials) = proxy.and_then(|proxy| proxy.authorization.as_deref()) {
        write_line(out, "Proxy-Authorization", credentials)?;
    }
    out.extend_from_slice(b"\r\n");
    Ok(())
}

/// Headers that are written at a fixed place, or not at all because we frame the body ourselves.
const WRITTEN_APART: [&str; 6] = [
    "Host",
    "User-Agent",
    "Content-Length",
    "Transfer-Encoding",
    "Trailer",
    "Cookie",
];

/// The cookies of the header, of the request and of the jar, in this order.
fn cookie_line(request: &Request, jar_cookies: &str) -> String {
    let own = request.cookies.iter().map(|cookie| {
        let value = cookies::sent_value(&cookie.value, false);
        format!("{}={value}", cookies::sent_name(&cookie.name))
    });
    let header = request.headers.first("Cookie").map(str::to_owned);
    let jar = (!jar_cookies.is_empty()).then(|| jar_cookies.to_owned());
    let all: Vec<_> = header.into_iter().chain(own).chain(jar).collect();
    all.join("; ")
}

fn write_line(out: &mut Vec<u8>, name: &str, value: &str) -> Result<(), HttpError> {
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(HttpError::request(format!(
            "net/http: invalid header field name {name:?}"
        )));
    }
    let value = value.trim_matches([' ', '\t']);
    if value
        .bytes()
        .any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f)
    {
        return Err(HttpError::request(format!(
            "net/http: invalid header field value for {name:?}"
        )));
    }
    for part in [name.as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
        out.extend_from_slice(part);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a request with `|` for line ends, or why there are none.
    fn bytes(request: &Request, encoding: &Encoding, proxy: Option<&Proxy>) -> String {
        match Prepared::new(request, encoding, proxy) {
            Ok(prepared) => String::from_utf8_lossy(prepared.bytes()).replace("\r\n", "|"),
            Err(error) => error.to_string(),
        }
    }

    fn request(method: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::new(method, Url::parse("http://u:p@h:81/x?y").unwrap());
        for (name, value) in headers {
            request.headers.set(name, *value);
        }
        request
    }

    fn agent() -> Encoding {
        Encoding {
            user_agent: "UA".to_owned(),
            close: false,
        }
    }

    #[test]
    fn the_order_of_go() {
        let headers = [
            ("x-empty", ""),
            ("host", "other"),
            ("content-length", "77"),
            ("cookie", "k=v"),
            ("transfer-encoding", "chunked"),
            ("accept", "q"),
        ];
        let mut request = request("POST", &headers);
        request.body = Some(Rc::from(&b"body"[..]));
        assert_eq!(
            bytes(&request, &agent(), None),
            "POST /x?y HTTP/1.1|Host: other|User-Agent: UA|Content-Length: 4|Accept: q|\
             Authorization: Basic dTpw|Cookie: k=v|X-Empty: ||body"
        );
    }

    #[test]
    fn agents_lengths_and_closing() {
        let without = request("PUT", &[("user-agent", ""), ("authorization", "mine")]);
        assert_eq!(
            bytes(&without, &agent(), None),
            "PUT /x?y HTTP/1.1|Host: h:81|Content-Length: 0|Authorization: mine||"
        );
        let closing = Encoding {
            close: true,
            ..agent()
        };
        assert_eq!(
            bytes(&request("DELETE", &[("connection", "x")]), &closing, None),
            "DELETE /x?y HTTP/1.1|Host: h:81|User-Agent: UA|Authorization: Basic dTpw|Connection: close||"
        );
    }

    #[test]
    fn proxies_get_the_whole_url() {
        let proxy = Proxy {
            host: "p".to_owned(),
            port: 1,
            authorization: Some("Basic x".to_owned()),
        };
        let text = bytes(
            &request("GET", &[("authorization", "a")]),
            &agent(),
            Some(&proxy),
        );
        assert_eq!(
            text,
            "GET http://h:81/x?y HTTP/1.1|Host: h:81|User-Agent: UA|Authorization: a|Proxy-Authorization: Basic x||"
        );
    }

    #[test]
    fn nothing_can_smuggle_a_line() {
        let refused = |method: &str, headers: &[(&str, &str)], expected: &str| {
            assert_eq!(bytes(&request(method, headers), &agent(), None), expected);
        };
        refused("G T", &[], "net/http: invalid method \"G T\"");
        refused("", &[], "net/http: invalid method \"\"");
        refused(
            "GET",
            &[("bad name", "x")],
            "net/http: invalid header field name \"bad name\"",
        );
        for name in ["X", "Host", "User-Agent", "Cookie"] {
            refused(
                "GET",
                &[(name, "a\r\nb: c")],
                &format!("net/http: invalid header field value for {name:?}"),
            );
        }
    }

    #[test]
    fn canonical_names() {
        assert_eq!(canonical_name("content-TYPE"), "Content-Type");
        assert_eq!(canonical_name("x-1-aB"), "X-1-Ab");
        assert_eq!(canonical_name("bad name"), "bad name");
    }

    #[test]
    fn large_bodies_are_not_copied() {
        let mut large = request("POST", &[]);
        large.body = Some(vec![0; INLINE_BODY_BYTES + 1].into());
        let prepared = Prepared::new(&large, &agent(), None).unwrap();
        assert!(prepared.bytes().len() < 200);
        assert_eq!(
            prepared.len(),
            prepared.bytes().len() + INLINE_BODY_BYTES + 1
        );
    }
}
