//! URLs by the rules of Go's `net/url`, because that is what scripts were written against.
//!
//! Owns parsing, resolving of references and the request target. Leaves out form encoding (`form`). Invariant: a
//! parsed URL has no control characters, so its target cannot smuggle a line.

use std::fmt;

use netload_net::{Origin, Scheme};

use crate::error::HttpError;

/// Longest URL, in bytes.
pub const URL_LIMIT_BYTES: usize = 1 << 20;

/// A parsed URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Url {
    scheme: String,
    user: Option<UserInfo>,
    /// Host and port as written, brackets included.
    host: String,
    /// Escaped as it is sent; empty when the URL has none.
    path: String,
    /// What follows the scheme when that is not a path (`mailto:x`).
    opaque: bool,
    query: Option<String>,
    fragment: Option<String>,
}

/// The credentials in a URL, decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserInfo {
    /// Before the colon.
    pub name: String,
    /// Behind the colon, if there is one.
    pub password: Option<String>,
}

impl Url {
    /// Parses an absolute URL or a reference.
    ///
    /// # Errors
    /// With Go's words when the text is no URL. A missing or foreign scheme is found by [`Url::origin`].
    pub fn parse(text: &str) -> Result<Self, HttpError> {
        parse(text).map_err(|reason| HttpError::Url {
            reason: format!("parse {text:?}: {reason}"),
        })
    }

    /// The scheme in lower case; empty when there is none.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Host and port as written (`[::1]:8080`), as the `Host` header has them.
    pub fn host(&self) -> &str {
        self.host.strip_suffix(':').unwrap_or(&self.host)
    }

    /// The host without port and brackets.
    pub fn hostname(&self) -> &str {
        split_host(&self.host).0
    }

    /// The port, if the URL names one.
    pub fn port(&self) -> Option<&str> {
        split_host(&self.host).1.filter(|port| !port.is_empty())
    }

    /// The escaped path; empty when the URL has none.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What stands between `?` and `#`, as written.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// What follows `#`.
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// The credentials, if the URL has any.
    pub fn user(&self) -> Option<&UserInfo> {
        self.user.as_ref()
    }

    /// Replaces the credentials.
    pub fn set_user(&mut self, user: Option<UserInfo>) {
        self.user = user;
    }

    /// Replaces the query, which must be encoded already.
    ///
    /// # Errors
    /// When it holds a control character.
    pub fn set_query(&mut self, query: Option<&str>) -> Result<(), HttpError> {
        if query.is_some_and(|query| query.bytes().any(is_control)) {
            return Err(HttpError::Url {
                reason: "net/url: invalid control character in URL".to_owned(),
            });
        }
        self.query = query.map(str::to_owned);
        Ok(())
    }

    /// Whom to connect to.
    ///
    /// # Errors
    /// When the scheme is neither `http` nor `https`, there is no host, or the port is out of range.
    pub fn origin(&self) -> Result<Origin, HttpError> {
        let scheme = match self.scheme.as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            other => {
                return Err(HttpError::request(format!(
                    "unsupported protocol scheme {other:?}"
                )));
            }
        };
        let (host, port) = split_host(&self.host);
        if self.opaque || host.is_empty() {
            return Err(HttpError::request("http: no Host in request URL"));
        }
        let port = match port {
            None | Some("") => scheme.default_port(),
            Some(digits) => digits.parse().map_err(|_| {
                HttpError::Net(netload_net::NetError::Dial {
                    reason: "invalid port".to_owned(),
                    errno: None,
                })
            })?,
        };
        Ok(Origin::new(scheme, host, port))
    }

    /// Appends the request target: the path with the query.
    pub(crate) fn write_target(&self, out: &mut Vec<u8>) {
        if !self.path.starts_with('/') {
            out.push(b'/');
        }
        out.extend_from_slice(self.path.as_bytes());
        if let Some(query) = &self.query {
            out.push(b'?');
            out.extend_from_slice(query.as_bytes());
        }
    }

    /// The request target: the path with the query, as digest authentication and cookies see it.
    pub fn target(&self) -> String {
        let mut target = Vec::new();
        self.write_target(&mut target);
        String::from_utf8_lossy(&target).into_owned()
    }

    /// Resolves a reference such as the `Location` of a redirect against this URL.
    ///
    /// # Errors
    /// When the reference is no URL.
    pub fn join(&self, reference: &str) -> Result<Self, HttpError> {
        let mut url = Self::parse(reference)?;
        if !url.scheme.is_empty() {
            url.path = remove_dots(&url.path, url.opaque);
            return Ok(url);
        }
        url.scheme.clone_from(&self.scheme);
        if !url.host.is_empty() || url.user.is_some() {
            url.path = remove_dots(&url.path, false);
            return Ok(url);
        }
        url.host.clone_from(&self.host);
        url.user.clone_from(&self.user);
        if url.path.is_empty() {
            url.path = remove_dots(&self.path, false);
            if url.query.is_none() {
                url.query.clone_from(&self.query);
                if url.fragment.is_none() {
                    url.fragment.clone_from(&self.fragment);
                }
            }
        } else if url.path.starts_with('/') {
            url.path = remove_dots(&url.path, false);
        } else {
            let parent = self.path.rfind('/').map_or("", |at| &self.path[..=at]);
            url.path = remove_dots(&format!("{parent}{}", url.path), false);
        }
        Ok(url)
    }

    /// The URL with its credentials replaced by `****:****`, as tags show it.
    pub fn masked(&self) -> String {
        match &self.user {
            None => self.to_string(),
            Some(user) => {
                let mut masked = self.clone();
                masked.user = None;
                let text = masked.to_string();
                let stars = if user.password.is_some() {
                    "****:****@"
                } else {
                    "****@"
                };
                text.replacen("//", &format!("//{stars}"), 1)
            }
        }
    }
}

impl fmt::Display for Url {
    /// Without normalising more than parsing did.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if !self.opaque && (!self.scheme.is_empty() || !self.host.is_empty() || self.user.is_some())
        {
            f.write_str("//")?;
            if let Some(UserInfo { name, password }) = &self.user {
                write!(f, "{}", escape(name.as_bytes(), is_user_byte))?;
                if let Some(password) = password {
                    write!(f, ":{}", escape(password.as_bytes(), is_user_byte))?;
                }
                f.write_str("@")?;
            }
            f.write_str(&self.host)?;
        }
        f.write_str(&self.path)?;
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

fn parse(text: &str) -> Result<Url, String> {
    if text.len() > URL_LIMIT_BYTES {
        return Err(format!("longer than {URL_LIMIT_BYTES} bytes"));
    }
    if text.bytes().any(is_control) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let mut url = Url::default();
    let (rest, fragment) = cut(text, '#');
    url.fragment = fragment.filter(|text| !text.is_empty()).map(str::to_owned);
    let (scheme, rest) = split_scheme(rest)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (rest, query) = cut(rest, '?');
    url.query = query.map(str::to_owned);
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            url.opaque = true;
            url.path = rest.to_owned();
            return Ok(url);
        }
        let segment = rest.split('/').next().unwrap_or_default();
        if segment.contains(':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let mut path = rest;
    if (!url.scheme.is_empty() || !rest.starts_with("///"))
        && let Some(after) = rest.strip_prefix("//")
    {
        let end = after.find('/').unwrap_or(after.len());
        path = &after[end..];
        parse_authority(&mut url, &after[..end])?;
    }
    url.path = escaped_path(path)?;
    Ok(url)
}

fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn parse_authority(url: &mut Url, authority: &str) -> Result<(), String> {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    check_host(host)?;
    url.host = ascii_host(host)?;
    let Some(user) = user else { return Ok(()) };
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !user.bytes().all(fine) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = cut(user, ':');
    url.user = Some(UserInfo {
        name: unescape(name)?,
        password: password.map(unescape).transpose()?,
    });
    Ok(())
}

fn check_host(host: &str) -> Result<(), String> {
    let after = if host.starts_with('[') {
        let end = host
            .rfind(']')
            .ok_or_else(|| "missing ']' in host".to_owned())?;
        &host[end + 1..]
    } else {
        host.rfind(':').map_or("", |at| &host[at..])
    };
    let port_fine = match after.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|digit| digit.is_ascii_digit()),
        None => after.is_empty(),
    };
    if !port_fine {
        return Err(format!("invalid port {after:?} after host"));
    }
    let fine = |letter: char| {
        !letter.is_ascii()
            || letter.is_ascii_alphanumeric()
            || "-_.~!$&'()*+,;=:[]<>\"%".contains(letter)
    };
    if let Some(letter) = host.chars().find(|letter| !fine(*letter)) {
        let letter = letter.to_string();
        return Err(format!("invalid character {letter:?} in host name"));
    }
    unescape_bytes(host).map(|_| ())
}

/// Names in other scripts are sent in their ASCII form.
fn ascii_host(host: &str) -> Result<String, String> {
    if host.is_ascii() {
        return Ok(host.to_owned());
    }
    let (name, port) = split_host(host);
    let name = idna::domain_to_ascii(name).map_err(|_| "invalid host name".to_owned())?;
    Ok(match port {
        Some(port) => format!("{name}:{port}"),
        None => name,
    })
}

/// The path as it is sent: as written when that is a valid encoding, otherwise decoded and encoded anew.
fn escaped_path(path: &str) -> Result<String, String> {
    let decoded = unescape_bytes(path)?;
    let valid = |byte: u8| byte == b'?' || is_path_byte(byte) || b"!'()*[]%".contains(&byte);
    if path.bytes().all(valid) {
        Ok(path.to_owned())
    } else {
        Ok(escape(&decoded, is_path_byte))
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)
}

fn is_path_byte(byte: u8) -> bool {
    is_unreserved(byte) || b"$&+,/:;=@".contains(&byte)
}

fn is_user_byte(byte: u8) -> bool {
    is_unreserved(byte) || b"$&+,;=".contains(&byte)
}

fn is_control(byte: u8) -> bool {
    byte < b' ' || byte == 0x7f
}

/// Percent-encodes every byte that `keep` does not let through.
pub(crate) fn escape(bytes: &[u8], keep: impl Fn(u8) -> bool) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        if keep(byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    out
}

fn unescape(text: &str) -> Result<String, String> {
    unescape_bytes(text).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn unescape_bytes(text: &str) -> Result<Vec<u8>, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let digit = |offset: usize| {
            let byte = bytes.get(at + offset)?;
            char::from(*byte).to_digit(16)
        };
        let (Some(high), Some(low)) = (digit(1), digit(2)) else {
            let end = bytes.len().min(at + 3);
            let wrong = String::from_utf8_lossy(&bytes[at..end]);
            return Err(format!("invalid URL escape {wrong:?}"));
        };
        out.push((high << 4 | low) as u8);
        at += 3;
    }
    Ok(out)
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Host without brackets, and the port.
fn split_host(host: &str) -> (&str, Option<&str>) {
    if let Some(rest) = host.strip_prefix('[')
        && let Some((name, after)) = rest.rsplit_once(']')
    {
        return (name, after.strip_prefix(':'));
    }
    match host.rsplit_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (host, None),
    }
}

/// Removes `.` and `..` segments (RFC 3986, 5.2.4).
fn remove_dots(path: &str, opaque: bool) -> String {
    if opaque || path.is_empty() {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let absolute = path.strip_prefix('/').unwrap_or(path);
    let mut segments = absolute.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> String {
        match Url::parse(text) {
            Ok(url) => format!("{} {}", url.host(), url.target()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn targets_as_go_sends_them() {
        let check = |text, expected| assert_eq!(target(text), expected, "{text}");
        check("http://h", "h /");
        check("HTTP://H:81?q", "H:81 /?q");
        check("http://h/?", "h /?");
        check("http://h:/x#frag?no", "h /x");
        check("http://h/a b?q=a b&c=é", "h /a%20b?q=a b&c=é");
        check("http://h/%2F!'()*;:@&=+$,[]", "h /%2F!'()*;:@&=+$,[]");
        check("http://h/é%2Fx", "h /%C3%A9/x");
        check("http://u:p@[::1]:8080/x", "[::1]:8080 /x");
        check("http://bücher.example/", "xn--bcher-kva.example /");
    }

    #[test]
    fn what_is_no_url() {
        let check = |text: &str, expected| {
            let reason = format!("invalid URL: parse {text:?}: {expected}");
            assert_eq!(target(text), reason);
        };
        check("://x", "missing protocol scheme");
        check("http://a b/", "invalid character \" \" in host name");
        check("http://x/%zz", "invalid URL escape \"%zz\"");
        check("http://x/%e", "invalid URL escape \"%e\"");
        check("http://[::1", "missing ']' in host");
        check("http://x:ab/", "invalid port \":ab\" after host");
        check("http://a{}b@x/", "net/url: invalid userinfo");
        check("1a:b", "first path segment in URL cannot contain colon");
        let control = Url::parse("http://x/\r\nHost: y").unwrap_err().to_string();
        assert!(control.ends_with("net/url: invalid control character in URL"));
    }

    #[test]
    fn origins() {
        let check = |text, expected: Result<&str, (u16, &str)>| {
            let origin = Url::parse(text).unwrap().origin();
            let origin = origin.map(|origin| origin.to_string());
            let found = origin.map_err(|error| (error.code(), error.to_string()));
            let expected = expected.map(str::to_owned);
            assert_eq!(
                found,
                expected.map_err(|(code, text)| (code, text.to_owned()))
            );
        };
        check("http://Ex.com/", Ok("http://ex.com:80"));
        check("https://ex.com:8443/", Ok("https://ex.com:8443"));
        check("http://[::1]/", Ok("http://[::1]:80"));
        check("", Err((1000, "unsupported protocol scheme \"\"")));
        check("no-scheme", Err((1000, "unsupported protocol scheme \"\"")));
        check(
            "ftp://x/",
            Err((1000, "unsupported protocol scheme \"ftp\"")),
        );
        check("http://", Err((1000, "http: no Host in request URL")));
        check("http:foo", Err((1000, "http: no Host in request URL")));
        check("http://x:99999/", Err((1210, "dial: invalid port")));
    }

    /// The examples of RFC 3986, section 5.4.
    #[test]
    fn references() {
        let base = Url::parse("http://u:p@a/b/c/d?q#f").unwrap();
        let check = |reference, expected: &str| {
            let joined = base.join(reference).unwrap().to_string();
            assert_eq!(joined, expected, "{reference}");
        };
        check("g", "http://u:p@a/b/c/g");
        check("./g/", "http://u:p@a/b/c/g/");
        check("/g", "http://u:p@a/g");
        check("//g", "http://g");
        check("?y", "http://u:p@a/b/c/d?y");
        check("g?y#s", "http://u:p@a/b/c/g?y#s");
        check("", "http://u:p@a/b/c/d?q#f");
        check(".", "http://u:p@a/b/c/");
        check("..", "http://u:p@a/b/");
        check("../../../g", "http://u:p@a/g");
        check("https://x/y/../z", "https://x/z");
        check("/a/./b/..", "http://u:p@a/a/");
    }

    #[test]
    fn credentials_are_masked() {
        let masked = |text| Url::parse(text).unwrap().masked();
        assert_eq!(masked("http://u:p%40@h/x"), "http://****:****@h/x");
        assert_eq!(masked("http://u@h/x"), "http://****@h/x");
        assert_eq!(masked("http://h/x"), "http://h/x");
        let user = Url::parse("http://u:p%40@h/").unwrap().user().cloned();
        assert_eq!(user.unwrap().password.as_deref(), Some("p@"));
    }
}
