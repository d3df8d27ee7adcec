//! Cookies: what servers set, what is kept, what is sent.
//!
//! Owns parsing and the jar, by RFC 6265 as Go's jar follows it, without a list of public suffixes. Reads no clock:
//! the time (seconds since 1970) is an argument. Invariant: a cookie is only sent where its domain, path and scheme
//! allow it.

use std::borrow::Cow;

use crate::date::parse_http_date;
use crate::url::Url;

/// Most cookies in a jar; the oldest makes room for the newest.
pub const COOKIE_LIMIT: usize = 3_000;

/// Longest `Set-Cookie` value that is looked at, in bytes.
pub const COOKIE_LIMIT_BYTES: usize = 16 * 1024;

/// A cookie as a server (or a script) sets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetCookie {
    /// Its name.
    pub name: String,
    /// Its value, without quotes.
    pub value: String,
    /// Whether the value stood in quotes.
    pub quoted: bool,
    /// The `Domain` attribute; empty when absent.
    pub domain: String,
    /// The `Path` attribute; empty when absent.
    pub path: String,
    /// Not for scripts in pages.
    pub http_only: bool,
    /// Only over TLS.
    pub secure: bool,
    /// The `Max-Age` attribute in seconds; 0 or below deletes.
    pub max_age_s: Option<i64>,
    /// The `Expires` attribute, seconds since 1970.
    pub expires_s: Option<i64>,
}

impl SetCookie {
    /// Parses the value of a `Set-Cookie` header; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > COOKIE_LIMIT_BYTES {
            return None;
        }
        let mut parts = text.split(';').map(str::trim);
        let (name, value) = parts.next()?.split_once('=')?;
        let name = name.trim_end();
        if name.is_empty() || !name.bytes().all(is_name_byte) {
            return None;
        }
        let (value, quoted) = unquote(value);
        if !value.bytes().all(is_value_byte) {
            return None;
        }
        let mut cookie = Self {
            name: name.to_owned(),
            value: value.to_owned(),
            quoted,
            ..Self::default()
        };
        for part in parts {
            cookie.attribute(part);
        }
        Some(cookie)
    }

    fn attribute(&mut self, part: &str) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let (name, value) = (name.trim(), unquote(value.trim()).0);
        match name.to_ascii_lowercase().as_str() {
            "domain" => self.domain = value.to_owned(),
            "path" => self.path = value.to_owned(),
            "secure" => self.secure = true,
            "httponly" => self.http_only = true,
            // An unreadable date does not make a session cookie of it in Go, but leaves it without end.
            "expires" => self.expires_s = parse_http_date(value),
            "max-age" => {
                let leading_zero = value.len() > 1 && value.starts_with('0');
                if !leading_zero {
                    self.max_age_s = value.parse().ok();
                }
            }
            _ => {}
        }
    }
}

fn unquote(value: &str) -> (&str, bool) {
    match value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(inner) => (inner, true),
        None => (value, false),
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn is_value_byte(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) && !b"\";\\".contains(&byte)
}

/// A name as it may be sent.
pub(crate) fn sent_name(name: &str) -> Cow<'_, str> {
    if name.contains(['\n', '\r']) {
        Cow::Owned(name.replace(['\n', '\r'], "-"))
    } else {
        Cow::Borrowed(name)
    }
}

/// A value as it may be sent: unfit bytes are dropped, blanks and commas need quotes.
pub(crate) fn sent_value(value: &str, quoted: bool) -> Cow<'_, str> {
    let clean = if value.bytes().all(is_value_byte) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(
            value
                .chars()
                .filter(|letter| u8::try_from(*letter).is_ok_and(is_value_byte))
                .collect(),
        )
    };
    if quoted || clean.contains([' ', ',']) {
        Cow::Owned(format!("\"{clean}\""))
    } else {
        clean
    }
}

/// A kept cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    name: String,
    value: String,
    quoted: bool,
    domain: String,
    host_only: bool,
    path: String,
    secure: bool,
    /// Seconds since 1970; `None` lives as long as the jar.
    expires_s: Option<i64>,
    /// Order of creation.
    created: u64,
}

impl Kept {
    fn is_for(&self, url: &Target<'_>, now_s: i64) -> bool {
        let domain =
            self.domain == url.host || (!self.host_only && is_below(&url.host, &self.domain));
        domain
            && (!self.secure || url.secure)
            && path_matches(url.path, &self.path)
            && self.expires_s.is_none_or(|expires_s| expires_s > now_s)
    }
}

/// The parts of a URL that cookies look at.
struct Target<'a> {
    host: String,
    path: &'a str,
    secure: bool,
}

impl<'a> Target<'a> {
    fn of(url: &'a Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let host = url.hostname().trim_end_matches('.').to_ascii_lowercase();
        Some(Self {
            path: url.path(),
            secure: url.scheme() == "https" || is_own_machine(&host),
            host,
        })
    }

    fn default_path(&self) -> &'a str {
        match self.path.rfind('/') {
            Some(at) if self.path.starts_with('/') && at > 0 => &self.path[..at],
            _ => "/",
        }
    }
}

/// Cookies kept for one VU.
#[derive(Clone, Debug, Default)]
pub struct Jar {
    cookies: Vec<Kept>,
    created: u64,
}

impl Jar {
    /// An empty jar.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.cookies.is_empty()
    }

    /// Keeps (or deletes) a cookie that came from, or is set for, `url`. A cookie for a foreign domain is ignored.
    pub fn set(&mut self, url: &Url, cookie: &SetCookie, now_s: i64) {
        let Some(target) = Target::of(url) else {
            return;
        };
        let Some((domain, host_only)) = domain_of(&target.host, &cookie.domain) else {
            return;
        };
        let path = if cookie.path.starts_with('/') {
            cookie.path.as_str()
        } else {
            target.default_path()
        };
        let expires_s = match cookie.max_age_s {
            Some(age @ 1..) => Some(now_s.saturating_add(age)),
            Some(_) => Some(i64::MIN),
            None => cookie.expires_s,
        };
        let same =
            |kept: &Kept| kept.name == cookie.name && kept.domain == domain && kept.path == path;
        let old = self.cookies.iter().position(same);
        if expires_s.is_some_and(|expires_s| expires_s <= now_s) {
            if let Some(at) = old {
                self.cookies.remove(at);
            }
            return;
        }
        let created = match old {
            Some(at) => self.cookies.remove(at).created,
            None => {
                self.created += 1;
                self.created
            }
        };
        if self.cookies.len() >= COOKIE_LIMIT {
            self.cookies.remove(0);
        }
        self.cookies.push(Kept {
            name: cookie.name.clone(),
            value: cookie.value.clone(),
            quoted: cookie.quoted,
            host_only,
            path: path.to_owned(),
            secure: cookie.secure,
            expires_s,
            created,
            domain,
        });
    }

    fn matching(&self, url: &Url, now_s: i64) -> Vec<&Kept> {
        let Some(target) = Target::of(url) else {
            return Vec::new();
        };
        let fits = |kept: &&Kept| kept.is_for(&target, now_s);
        let mut found: Vec<_> = self.cookies.iter().filter(fits).collect();
        found.sort_by_key(|kept| (std::cmp::Reverse(kept.path.len()), kept.created));
        found
    }

    /// The cookies that go to `url`, as `(name, value)`, in the order they are sent.
    pub fn cookies_for(&self, url: &Url, now_s: i64) -> Vec<(&str, &str)> {
        let found = self.matching(url, now_s);
        found
            .into_iter()
            .map(|kept| (kept.name.as_str(), kept.value.as_str()))
            .collect()
    }

    /// The value of the `Cookie` header for `url`, without those whose name `skip` wants left out; may be empty.
    pub fn header_for(&self, url: &Url, now_s: i64, skip: impl Fn(&str) -> bool) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut line = String::new();
        for kept in self.matching(url, now_s) {
            if skip(&kept.name) {
                continue;
            }
            if !line.is_empty() {
                line.push_str("; ");
            }
            line.push_str(&kept.name);
            line.push('=');
            line.push_str(&sent_value(&kept.value, kept.quoted));
        }
        line
    }

    /// Deletes the cookies of that name that would go to `url`.
    pub fn delete(&mut self, url: &Url, name: &str, now_s: i64) {
        if let Some(target) = Target::of(url) {
            self.cookies
                .retain(|kept| !(kept.name == name && kept.is_for(&target, now_s)));
        }
    }

    /// Deletes all cookies that would go to `url`.
    pub fn clear(&mut self, url: &Url, now_s: i64) {
        if let Some(target) = Target::of(url) {
            self.cookies.retain(|kept| !kept.is_for(&target, now_s));
        }
    }

    /// Deletes everything.
    pub fn clear_all(&mut self) {
        self.cookies.clear();
    }
}

/// The domain a cookie is kept under and whether it is for that host alone; `None` when the host may not set it.
fn domain_of(host: &str, attribute: &str) -> Option<(String, bool)> {
    let attribute = attribute.strip_prefix('.').unwrap_or(attribute);
    if attribute.is_empty() {
        return Some((host.to_owned(), true));
    }
    let domain = attribute.to_ascii_lowercase();
    if host.parse::<std::net::IpAddr>().is_ok() {
        return (domain == host).then_some((domain, true));
    }
    if domain.starts_with('.') || domain.ends_with('.') {
        return None;
    }
    (domain == host || is_below(host, &domain)).then_some((domain, false))
}

/// Whether what is sent to the host stays on this machine and is as safe as under TLS.
fn is_own_machine(host: &str) -> bool {
    match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost" || is_below(host, "localhost"),
    }
}

/// Whether `host` is a name below `domain`.
pub(crate) fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain)
        .is_some_and(|rest| rest.ends_with('.'))
}

fn path_matches(path: &str, prefix: &str) -> bool {
    let path = if path.is_empty() { "/" } else { path };
    path.strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || prefix.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;

    fn jar(from: &str, cookies: &[&str]) -> Jar {
        let mut jar = Jar::new();
        let url = Url::parse(from).unwrap();
        for text in cookies {
            if let Some(cookie) = SetCookie::parse(text) {
                jar.set(&url, &cookie, NOW);
            }
        }
        jar
    }

    fn sent(jar: &Jar, url: &str) -> String {
        jar.header_for(&Url::parse(url).unwrap(), NOW, |_| false)
    }

    #[test]
    fn attributes() {
        let cookie = SetCookie::parse(
            "id=\"a b\"; Path=/x; Domain=.Ex.com; Max-Age=5; Secure; HttpOnly; Expires=Thu, 01 Jan 1970 00:00:09 GMT; Foo=1",
        )
        .unwrap();
        assert_eq!(
            cookie,
            SetCookie {
                name: "id".into(),
                value: "a b".into(),
                quoted: true,
                domain: ".Ex.com".into(),
                path: "/x".into(),
                http_only: true,
                secure: true,
                max_age_s: Some(5),
                expires_s: Some(9),
            }
        );
        for text in ["", "=x", "novalue", "a b=c", "a=b\"c", "a=b\\c"] {
            assert_eq!(SetCookie::parse(text), None, "{text}");
        }
    }

    #[test]
    fn hosts_and_domains() {
        let jar = jar(
            "http://www.ex.com/",
            &[
                "host=1",
                "domain=2; Domain=ex.com",
                "foreign=3; Domain=other.com",
                "below=4; Domain=a.www.ex.com",
            ],
        );
        assert_eq!(sent(&jar, "http://www.ex.com/"), "host=1; domain=2");
        assert_eq!(sent(&jar, "http://WWW.ex.com:81/"), "host=1; domain=2");
        assert_eq!(sent(&jar, "http://ex.com/"), "domain=2");
        assert_eq!(sent(&jar, "http://a.www.ex.com/"), "domain=2");
        assert_eq!(sent(&jar, "http://notex.com/"), "");
    }

    #[test]
    fn addresses_have_no_domains() {
        let jar = jar(
            "http://127.0.0.1/",
            &["a=1", "b=2; Domain=127.0.0.1", "c=3; Domain=0.0.1"],
        );
        assert_eq!(sent(&jar, "http://127.0.0.1/"), "a=1; b=2");
        assert_eq!(sent(&jar, "http://9.127.0.0.1/"), "");
    }

    #[test]
    fn paths_longest_first_then_oldest() {
        let jar = jar(
            "http://h/a/b/c",
            &[
                "root=1; Path=/",
                "dir=2",
                "deep=3; Path=/a/b/c",
                "late=4; Path=/",
            ],
        );
        assert_eq!(
            sent(&jar, "http://h/a/b/c"),
            "deep=3; dir=2; root=1; late=4"
        );
        assert_eq!(sent(&jar, "http://h/a/bc"), "root=1; late=4");
        assert_eq!(sent(&jar, "http://h"), "root=1; late=4");
    }

    #[test]
    fn secure_cookies_need_tls() {
        let jar = jar("http://h/", &["s=1; Secure"]);
        assert_eq!(sent(&jar, "http://h/"), "");
        assert_eq!(sent(&jar, "https://h/"), "s=1");
    }

    #[test]
    fn the_own_machine_is_as_safe_as_tls() {
        for host in [
            "127.0.0.1",
            "127.0.0.5",
            "[::1]",
            "localhost",
            "x.localhost",
        ] {
            let url = format!("http://{host}/");
            assert_eq!(sent(&jar(&url, &["s=1; Secure"]), &url), "s=1", "{host}");
        }
    }

    #[test]
    fn cookies_end() {
        let mut jar = jar(
            "http://h/",
            &[
                "a=1; Max-Age=10",
                "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                "c=3",
            ],
        );
        let url = Url::parse("http://h/").unwrap();
        assert_eq!(jar.header_for(&url, NOW + 9, |_| false), "a=1; c=3");
        assert_eq!(jar.header_for(&url, NOW + 10, |_| false), "c=3");
        let gone = SetCookie::parse("c=x; Max-Age=0").unwrap();
        jar.set(&url, &gone, NOW);
        assert_eq!(jar.header_for(&url, NOW, |_| false), "a=1");
        jar.clear(&url, NOW);
        assert!(jar.is_empty());
    }

    #[test]
    fn replaced_cookies_keep_their_place() {
        let jar = jar("http://h/", &["a=1", "b=2", "a=3"]);
        assert_eq!(sent(&jar, "http://h/"), "a=3; b=2");
    }

    #[test]
    fn values_are_made_fit() {
        assert_eq!(sent_value("a b", false), "\"a b\"");
        assert_eq!(sent_value("x", true), "\"x\"");
        assert_eq!(sent_value("a\";\\\r\né", false), "a");
    }

    #[test]
    fn a_jar_is_bounded() {
        let url = Url::parse("http://h/").unwrap();
        let mut jar = Jar::new();
        for number in 0..COOKIE_LIMIT + 2 {
            let cookie = SetCookie::parse(&format!("c{number}=1")).unwrap();
            jar.set(&url, &cookie, NOW);
        }
        let kept = jar.cookies_for(&url, NOW);
        assert_eq!((kept.len(), kept[0].0), (COOKIE_LIMIT, "c2"));
    }
}
