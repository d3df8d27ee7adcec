//! Proxies from the environment, by the rules of Go's HTTP client.
//!
//! Owns which proxy serves which origin; speaking to it is `dial`'s. Invariant: loopback targets never go through a
//! proxy.

use std::net::IpAddr;

use base64::Engine as _;

use crate::error::NetError;
use crate::hosts::Range;
use crate::origin::{Origin, Scheme};

/// What the environment (or the caller) says about proxies. Empty texts mean none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProxySettings {
    /// For `http://` targets, e.g. `http://user:pass@proxy:3128`; the scheme may be left out.
    pub http: String,
    /// For `https://` targets.
    pub https: String,
    /// Targets that are reached directly: `*`, names, `.suffix`, addresses, CIDR ranges, each with an optional port.
    pub no_proxy: String,
}

impl ProxySettings {
    /// Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, or their lower-case forms.
    pub fn from_env() -> Self {
        let read = |upper: &str, lower: &str| {
            [upper, lower]
                .into_iter()
                .filter_map(|name| std::env::var(name).ok())
                .find(|text| !text.is_empty())
                .unwrap_or_default()
        };
        Self {
            http: read("HTTP_PROXY", "http_proxy"),
            https: read("HTTPS_PROXY", "https_proxy"),
            no_proxy: read("NO_PROXY", "no_proxy"),
        }
    }
}

/// One HTTP proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The value of `Proxy-Authorization`, when the URL had credentials.
    pub authorization: Option<String>,
}

impl Proxy {
    fn parse(option: &'static str, text: &str) -> Result<Option<Self>, NetError> {
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = |message: String| NetError::Config { option, message };
        let rest = match text.split_once("://") {
            Some(("http", rest)) => rest,
            Some((scheme, _)) => {
                return Err(wrong(format!(
                    "proxies of type \"{scheme}\" are not supported, only http."
                )));
            }
            None => text,
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, address) = match authority.rsplit_once('@') {
            Some((user, address)) => (Some(user), address),
            None => (None, authority),
        };
        let (host, port) = split_port(address);
        let port = match port {
            Some(digits) => digits
                .parse()
                .map_err(|_| wrong(format!("\"{digits}\" is not a port.")))?,
            None => 80,
        };
        if host.is_empty() {
            return Err(wrong(format!("\"{text}\" names no host.")));
        }
        let authorization = user.map(|user| {
            let user = percent_decode(user);
            let user = if user.contains(&b':') {
                user
            } else {
                [user.as_slice(), b":"].concat()
            };
            format!(
                "Basic {}",
                base64::engine::general_purpose::STANDARD.encode(user)
            )
        });
        Ok(Some(Self {
            host: host.to_ascii_lowercase(),
            port,
            authorization,
        }))
    }
}

/// Splits `host:port` or `[v6]:port`; the host comes without brackets.
fn split_port(text: &str) -> (&str, Option<&str>) {
    if let Some(rest) = text.strip_prefix('[')
        && let Some((host, after)) = rest.split_once(']')
    {
        return (host, after.strip_prefix(':'));
    }
    match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host, Some(port)),
        _ => (text, None),
    }
}

fn percent_decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .and_then(|pair| std::str::from_utf8(pair).ok())
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// The proxies of a run and the exceptions from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    everything_direct: bool,
    direct: Vec<Exception>,
}

#[derive(Clone, Debug)]
struct Exception {
    target: Target,
    port: Option<u16>,
}

#[derive(Clone, Debug)]
enum Target {
    Range(Range),
    /// The name itself and everything below it.
    Domain(String),
    /// Only what is below the name; starts with a dot.
    Below(String),
}

impl Proxies {
    pub(crate) fn parse(settings: &ProxySettings) -> Result<Self, NetError> {
        let mut proxies = Self {
            http: Proxy::parse("HTTP_PROXY", &settings.http)?,
            https: Proxy::parse("HTTPS_PROXY", &settings.https)?,
            ..Self::default()
        };
        for part in settings.no_proxy.split(',').map(str::trim) {
            match part {
                "" => {}
                "*" => proxies.everything_direct = true,
                part => proxies.direct.push(exception(part)),
            }
        }
        Ok(proxies)
    }

    /// The proxy to use for `origin`; `None` means direct.
    pub(crate) fn find(&self, origin: &Origin) -> Option<&Proxy> {
        let proxy = match origin.scheme {
            Scheme::Http => self.http.as_ref(),
            Scheme::Https => self.https.as_ref(),
        }?;
        let ip = origin.ip();
        let loopback = &*origin.host == "localhost" || ip.is_some_and(|ip| ip.is_loopback());
        let direct = self.everything_direct
            || loopback
            || self
                .direct
                .iter()
                .any(|exception| exception.holds(&origin.host, ip, origin.port));
        (!direct).then_some(proxy)
    }
}

fn exception(text: &str) -> Exception {
    let text = text.to_ascii_lowercase();
    if let Some(range) = Range::parse(&text) {
        return Exception {
            target: Target::Range(range),
            port: None,
        };
    }
    let (host, port) = split_port(&text);
    let target = match (Range::parse(host), host.strip_prefix('*')) {
        (Some(range), _) => Target::Range(range),
        (None, Some(rest)) if rest.starts_with('.') => Target::Below(rest.to_owned()),
        (None, _) if host.starts_with('.') => Target::Below(host.to_owned()),
        (None, _) => Target::Domain(host.to_owned()),
    };
    Exception {
        target,
        port: port.and_then(|digits| digits.parse().ok()),
    }
}

impl Exception {
    fn holds(&self, host: &str, ip: Option<IpAddr>, port: u16) -> bool {
        let target = match &self.target {
            Target::Range(range) => ip.is_some_and(|ip| range.contains(ip)),
            Target::Below(suffix) => host.ends_with(suffix.as_str()),
            Target::Domain(name) => host
                .strip_suffix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.')),
        };
        target && self.port.is_none_or(|wanted| wanted == port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goes_through(no_proxy: &str, scheme: Scheme, host: &str, port: u16) -> bool {
        let settings = ProxySettings {
            http: "http://p:3128".into(),
            https: "p2".into(),
            no_proxy: no_proxy.into(),
        };
        Proxies::parse(&settings)
            .unwrap()
            .find(&Origin::new(scheme, host, port))
            .is_some()
    }

    #[test]
    fn loopback_is_direct() {
        for host in ["localhost", "127.0.0.1", "127.9.9.9", "::1"] {
            assert!(!goes_through("", Scheme::Http, host, 80), "{host}");
        }
        assert!(goes_through("", Scheme::Http, "example.com", 80));
    }

    #[test]
    fn exceptions_match_like_go() {
        let through = |no_proxy, host, port| goes_through(no_proxy, Scheme::Https, host, port);
        assert!(!through("*", "a.com", 443));
        assert!(!through("a.com", "a.com", 443));
        assert!(!through("a.com", "b.a.com", 443));
        assert!(through("a.com", "ba.com", 443));
        assert!(through(".a.com", "a.com", 443));
        assert!(!through("*.a.com", "b.a.com", 443));
        assert!(!through("x, 10.0.0.0/8", "10.1.1.1", 443));
        assert!(!through("a.com:443", "a.com", 443));
        assert!(through("a.com:80", "a.com", 443));
        assert!(!through("[fd00::1]:443", "fd00::1", 443));
    }

    #[test]
    fn credentials_become_a_header() {
        let settings = ProxySettings {
            http: "http://us%40er:pa@ss@h:1/".into(),
            ..ProxySettings::default()
        };
        let proxies = Proxies::parse(&settings).unwrap();
        let proxy = proxies.find(&Origin::new(Scheme::Http, "x", 80)).unwrap();
        assert_eq!((proxy.host.as_str(), proxy.port), ("h", 1));
        assert_eq!(
            proxy.authorization.as_deref(),
            Some("Basic dXNAZXI6cGFAc3M=")
        );
    }

    #[test]
    fn a_proxy_we_cannot_speak_to_is_refused() {
        let settings = ProxySettings {
            https: "socks5://h:1".into(),
            ..ProxySettings::default()
        };
        assert_eq!(
            Proxies::parse(&settings).unwrap_err().to_string(),
            "HTTPS_PROXY: proxies of type \"socks5\" are not supported, only http."
        );
    }
}
