//! The request of `netload hit`, in curl's forms.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use netload_hit::{Load, Target};

use super::body::{self, Body};
use crate::failure::Failure;
use crate::typed::Typed;

/// The content codings asked for by `--compressed`.
const CODINGS: &str = "deflate, gzip, br, zstd";

/// Redirects that `--location` follows.
const DEFAULT_REDIRECTS: u32 = 50;

/// Reads the request that makes this load.
pub(crate) fn request(typed: &Typed, load: &Load) -> Result<Target, Failure> {
    let operand = typed.operands.first().map_or("", String::as_str);
    let (mut url, user_info) = url(operand)?;
    let mut body = body::body(typed)?;
    let in_query = typed.switch("get")?;
    if let Some(data) = body.take_if(|_| in_query) {
        url = with_query(&url, &String::from_utf8_lossy(&data.bytes));
    }
    let method = match (typed.text("request"), typed.switch("head")?, &body) {
        (Some(method), _, _) => token("method", method)?,
        (None, true, _) => "HEAD".to_owned(),
        (None, false, Some(_)) => "POST".to_owned(),
        (None, false, None) => "GET".to_owned(),
    };
    let headers = headers(typed, body.as_ref(), user_info)?;
    let body = body.map(|b| b.bytes);
    Ok(Target {
        method,
        url,
        headers,
        body,
        // It is among the headers, where the user can take it away.
        user_agent: String::new(),
        timeout_ns: load.timeout_ns,
        streams: load.streams,
        keep_alive: !typed.switch("noKeepalive")?,
        redirects: redirects(typed)?,
    })
}

/// How many redirects are followed: none unless asked for, and by default as many as curl follows.
fn redirects(typed: &Typed) -> Result<u32, Failure> {
    if !typed.switch("location")? {
        return Ok(0);
    }
    let Some(text) = typed.text("maxRedirs") else {
        return Ok(DEFAULT_REDIRECTS);
    };
    text.parse().map_err(|_| {
        Failure::usage(format!("`{text}` is not a number of redirects")).at("--max-redirs")
    })
}

/// An absolute URL without fragment, and the user and password that stood in it.
fn url(typed: &str) -> Result<(String, Option<String>), Failure> {
    let (scheme, rest) = typed.split_once("://").unwrap_or(("http", typed));
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "http" && scheme != "https" {
        return Err(
            Failure::usage(format!("`{scheme}` is not a scheme netload can request"))
                .hint("a URL starts with http:// or https://"),
        );
    }
    if typed.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(Failure::usage(format!(
            "the URL `{}` has a blank in it",
            typed.escape_debug()
        ))
        .hint("write a blank as %20"));
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (user_info, host) = match authority.rsplit_once('@') {
        Some((user_info, host)) => (Some(user_info.to_owned()), host),
        None => (None, authority),
    };
    if host.is_empty() || host.starts_with(':') {
        return Err(Failure::usage(format!("the URL `{typed}` names no host")));
    }
    let slash = if path.starts_with('/') { "" } else { "/" };
    Ok((format!("{scheme}://{host}{slash}{path}"), user_info))
}

fn with_query(url: &str, data: &str) -> String {
    let separator = match url.split_once('?') {
        None => "?",
        Some((_, "")) => "",
        Some((_, query)) if query.ends_with('&') => "",
        Some(_) => "&",
    };
    format!("{url}{separator}{data}")
}

/// curl's own headers, then the user's, which replace or remove those of the same name.
fn headers(
    typed: &Typed,
    body: Option<&Body>,
    user_info: Option<String>,
) -> Result<Vec<(String, String)>, Failure> {
    let agent = concat!("netload/", env!("CARGO_PKG_VERSION"));
    let mut headers = Headers::default();
    headers.add("User-Agent", typed.text("userAgent").unwrap_or(agent));
    headers.add("Accept", "*/*");
    if let Some(credentials) = typed.text("user").map(str::to_owned).or(user_info) {
        let colon = if credentials.contains(':') { "" } else { ":" };
        headers.add(
            "Authorization",
            &format!("Basic {}", STANDARD.encode(credentials + colon)),
        );
    }
    if let Some(referer) = typed.text("referer") {
        headers.add("Referer", referer);
    }
    if typed.switch("compressed")? {
        headers.add("Accept-Encoding", CODINGS);
    }
    let cookies = typed.texts("cookie");
    if let Some(file) = cookies.iter().find(|c| !c.contains('=')) {
        return Err(Failure::usage(format!("`{file}` is no cookie"))
            .at("--cookie")
            .hint("a cookie is NAME=VALUE; files with cookies cannot be read"));
    }
    if !cookies.is_empty() {
        headers.add("Cookie", &cookies.join("; "));
    }
    if let Some(body) = body {
        if body.content_type == body::JSON {
            headers.set("Accept", Some(body::JSON));
        }
        headers.add("Content-Type", &body.content_type);
    }
    headers.0.retain(|(_, value)| !value.is_empty());
    headers.take_users(typed)?;
    Ok(headers.0)
}

#[derive(Default)]
struct Headers(Vec<(String, String)>);

impl Headers {
    fn add(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        self.0.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    /// Takes `-H`: what a user gives for a name replaces what we would send, but not what the user gave before.
    fn take_users(&mut self, typed: &Typed) -> Result<(), Failure> {
        let mut lines = Vec::new();
        for text in typed.texts("header") {
            match text.strip_prefix('@') {
                Some(file) => {
                    let bytes = body::read(file)?;
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    lines.extend(
                        text.lines()
                            .filter(|l| !l.trim().is_empty())
                            .map(str::to_owned),
                    );
                }
                None => lines.push(text.clone()),
            }
        }
        let users: Vec<(String, Option<String>)> = lines
            .iter()
            .map(|line| header(line))
            .collect::<Result<_, _>>()?;
        for (name, _) in &users {
            self.set(name, None);
        }
        for (name, value) in users {
            self.0.extend(value.map(|value| (name, value)));
        }
        Ok(())
    }
}

/// `Name: value`, `Name;` for an empty value, `Name:` for none at all.
fn header(line: &str) -> Result<(String, Option<String>), Failure> {
    let (name, value) = match (line.split_once(':'), line.strip_suffix(';')) {
        (Some((name, value)), _) => (name, Some(value.trim()).filter(|v| !v.is_empty())),
        (None, Some(name)) => (name, Some("")),
        (None, None) => {
            return Err(Failure::usage(format!("`{line}` is no header"))
                .at("--header")
                .hint("a header is written `Name: value`"));
        }
    };
    if value.is_some_and(|v| v.contains(['\r', '\n', '\0'])) {
        return Err(
            Failure::usage(format!("the header `{name}` has a line end in its value"))
                .at("--header"),
        );
    }
    Ok((token("name of a header", name)?, value.map(str::to_owned)))
}

fn token(what: &str, text: &str) -> Result<String, Failure> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if text.is_empty() || !text.chars().all(allowed) {
        let text = text.escape_debug();
        return Err(Failure::usage(format!("`{text}` cannot be the {what}")));
    }
    Ok(text.to_owned())
}
