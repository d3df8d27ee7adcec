//! Where a request goes: scheme, host and port.
//!
//! Owns the identity under which connections are pooled. Leaves out paths and credentials. Invariant: two equal
//! origins may share a connection.

use std::fmt;
use std::net::IpAddr;

/// Whether the connection is in the clear or under TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Plain TCP, port 80 unless said otherwise.
    Http,
    /// TLS, port 443 unless said otherwise.
    Https,
}

impl Scheme {
    /// The port used when a URL names none.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }

    /// `http` or `https`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// The versions of HTTP that a connection to an origin may turn out to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// HTTP/1.1, known beforehand.
    Http1,
    /// What TLS agrees on by ALPN.
    Either,
    /// HTTP/2; anything else is a failure.
    Http2,
}

/// A server as URLs name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Plain or TLS.
    pub scheme: Scheme,
    /// Host name in lower case, or an IP address without brackets.
    pub host: Box<str>,
    /// Port, the scheme's own when the URL named none.
    pub port: u16,
}

impl Origin {
    /// Builds an origin; the host is lower-cased and loses its brackets.
    pub fn new(scheme: Scheme, host: &str, port: u16) -> Self {
        let bare = host
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap_or(host);
        Self {
            scheme,
            host: bare.to_ascii_lowercase().into(),
            port,
        }
    }

    /// The host as an address, when it is one. A zone (`fe80::1%eth0`) is not kept.
    pub fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheme, host, port } = self;
        if host.contains(':') {
            write!(f, "{}://[{host}]:{port}", scheme.as_str())
        } else {
            write!(f, "{}://{host}:{port}", scheme.as_str())
        }
    }
}
