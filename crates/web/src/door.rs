//! Who may ask: the host a request was sent to, the page it comes from, and the token.
//!
//! Three separate dangers. A page of another site that reaches the server by a name of its own (DNS rebinding) is stopped
//! by the Host header. A page of another site that sends requests here is stopped by Origin and Sec-Fetch-Site. Other
//! people on the network are stopped by the token, which is required wherever the server is not on loopback.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, Method, Uri, header};

/// The cookie that holds the token.
pub(crate) const COOKIE: &str = "netload_token";

/// What is checked before a request is looked at.
#[derive(Clone, Debug)]
pub struct Door {
    /// The name in the address that was asked for, when it is one.
    name: Option<String>,
    token: Option<String>,
}

/// Why a request is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shut {
    /// Sent to a name that is not ours.
    Host,
    /// Sent by a page of another site.
    Foreign,
    /// Without the token, or with a wrong one.
    Token,
}

impl Door {
    /// For a server at `address`, asked for by `name`; `token` is required when there is one.
    pub fn new(name: Option<String>, token: Option<String>) -> Self {
        Self { name, token }
    }

    /// Whether a server there must have a token.
    pub fn needs_token(address: &SocketAddr) -> bool {
        !address.ip().is_loopback()
    }

    pub(crate) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Shut> {
        let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
        let host = text(header::HOST).ok_or(Shut::Host)?;
        if !self.knows(host) {
            return Err(Shut::Host);
        }
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let is_api = uri.path().starts_with("/api/");
        if !reads || is_api {
            let site = headers.get("sec-fetch-site").and_then(|v| v.to_str().ok());
            if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
                return Err(Shut::Foreign);
            }
            let own = |origin: &str| origin.split_once("://").is_some_and(|(_, at)| at == host);
            if headers.contains_key(header::ORIGIN) && !text(header::ORIGIN).is_some_and(own) {
                return Err(Shut::Foreign);
            }
        }
        match &self.token {
            Some(token) if !presented(uri, headers).any(|given| same(given, token)) => {
                Err(Shut::Token)
            }
            _ => Ok(()),
        }
    }

    /// Addresses cannot be rebound, names can: of those only our own are known.
    fn knows(&self, host: &str) -> bool {
        let bare = without_port(host);
        let unbracketed = bare.trim_start_matches('[').trim_end_matches(']');
        unbracketed.parse::<IpAddr>().is_ok()
            || bare.eq_ignore_ascii_case("localhost")
            || self
                .name
                .as_deref()
                .is_some_and(|n| n.eq_ignore_ascii_case(bare))
    }
}

/// The token in the query of a request, for the link that is printed.
pub(crate) fn token_of_query(uri: &Uri) -> Option<&str> {
    let pairs = uri.query()?.split('&');
    pairs.filter_map(|pair| pair.strip_prefix("token=")).next()
}

fn presented<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
    let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
    let bearer = text(header::AUTHORIZATION).and_then(|v| v.strip_prefix("Bearer "));
    let cookies = text(header::COOKIE).unwrap_or_default().split(';');
    let of_cookies = cookies.filter_map(|c| c.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    // Only the page itself takes it from the link; it puts it into a cookie and out of the address.
    let of_query = (uri.path() == "/").then(|| token_of_query(uri)).flatten();
    bearer.into_iter().chain(of_cookies).chain(of_query)
}

/// Compares in a time that does not tell how much of it was right.
fn same(given: &str, token: &str) -> bool {
    let (given, token) = (given.as_bytes(), token.as_bytes());
    let differs = given.len() != token.len();
    let folded = token.iter().enumerate().fold(0, |sum, (at, byte)| {
        sum | (byte ^ given.get(at).unwrap_or(&0))
    });
    std::hint::black_box(folded) == 0 && !differs
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !bare.ends_with(':') => {
            bare
        }
        _ => host,
    }
}

/// A token from 16 bytes that nobody can guess.
pub fn new_token(random: [u8; 16]) -> String {
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(door: &Door, request: &str) -> Result<(), Shut> {
        let mut lines = request.lines();
        let (method, uri) = lines.next().and_then(|l| l.split_once(' ')).unwrap();
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            let name: header::HeaderName = name.parse().unwrap();
            headers.append(name, value.parse().unwrap());
        }
        door.check(&method.parse().unwrap(), &uri.parse().unwrap(), &headers)
    }

    #[test]
    fn foreign_names_are_not_ours() {
        let door = Door::new(Some("load.example".into()), None);
        for host in [
            "127.0.0.1:5665",
            "localhost",
            "[::1]:80",
            "load.example:1",
            "LOCALHOST:1",
        ] {
            assert_eq!(
                check(&door, &format!("GET /\nhost: {host}")),
                Ok(()),
                "{host}"
            );
        }
        for host in [
            "evil.example",
            "evil.example:5665",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
        ] {
            assert_eq!(
                check(&door, &format!("GET /\nhost: {host}")),
                Err(Shut::Host),
                "{host}"
            );
        }
        assert_eq!(check(&door, "GET /"), Err(Shut::Host));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let door = Door::new(None, None);
        let post = |rest: &str| {
            check(
                &door,
                &format!("POST /api/v1/runs\nhost: localhost:1\n{rest}"),
            )
        };
        assert_eq!(
            post("origin: http://localhost:1\nsec-fetch-site: same-origin"),
            Ok(())
        );
        assert_eq!(post("x-of: a-program"), Ok(()));
        for bad in [
            "origin: http://evil.example",
            "origin: null",
            "origin: http://localhost:2",
            "sec-fetch-site: cross-site",
            "sec-fetch-site: same-site",
        ] {
            assert_eq!(post(bad), Err(Shut::Foreign), "{bad}");
        }
        let read = "GET /api/v1/runs\nhost: localhost:1\nsec-fetch-site: cross-site";
        assert_eq!(check(&door, read), Err(Shut::Foreign));
        // A link on another page may lead to the UI.
        let link = "GET /\nhost: localhost:1\nsec-fetch-site: cross-site";
        assert_eq!(check(&door, link), Ok(()));
    }

    #[test]
    fn the_token_comes_by_header_cookie_or_link() {
        let door = Door::new(None, Some("s3cret".into()));
        let get =
            |uri: &str, rest: &str| check(&door, &format!("GET {uri}\nhost: localhost\n{rest}"));
        assert_eq!(get("/api/v1/runs", "authorization: Bearer s3cret"), Ok(()));
        assert_eq!(
            get("/api/v1/runs", "cookie: a=b; netload_token=s3cret"),
            Ok(())
        );
        assert_eq!(get("/?token=s3cret", "x: y"), Ok(()));
        for (uri, rest) in [
            ("/", "x: y"),
            ("/api/v1/runs?token=s3cret", "x: y"),
            ("/?token=s3cre", "x: y"),
            ("/?token=s3cret1", "x: y"),
            ("/api/v1/runs", "authorization: Bearer "),
            ("/api/v1/runs", "cookie: netload_tokens3cret"),
        ] {
            assert_eq!(get(uri, rest), Err(Shut::Token), "{uri} {rest}");
        }
    }
}
