//! Everything that can go wrong below HTTP.
//!
//! Owns the classification of failures; the numbers k6 gives them are the HTTP layer's. Invariant: `Display` is
//! short and names no host or address, so it can serve as a tag of few values; `detail` has the particulars.

use std::io;
use std::net::IpAddr;

/// A failure between asking for a connection and moving bytes over it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// A setting that cannot be used; `message` says what to do.
    #[error("{option}: {message}")]
    Config {
        /// The option as users write it.
        option: &'static str,
        /// One sentence.
        message: String,
    },
    /// The name does not exist.
    #[error("lookup: no such host")]
    NoSuchHost {
        /// The name.
        host: Box<str>,
    },
    /// The look-up failed for another reason.
    #[error("lookup: {reason}")]
    Lookup {
        /// The name.
        host: Box<str>,
        /// What the resolver said.
        reason: String,
    },
    /// The address is on the user's black list.
    #[error("ip is blacklisted")]
    Blacklisted {
        /// The address.
        ip: IpAddr,
        /// The entry that matched.
        range: String,
    },
    /// The name is on the user's block list.
    #[error("hostname is blocked")]
    Blocked {
        /// The name.
        host: Box<str>,
        /// The pattern that matched.
        pattern: String,
    },
    /// No connection within the time allowed for connecting.
    #[error("dial: i/o timeout")]
    DialTimeout,
    /// Nobody listens there.
    #[error("dial: connection refused")]
    Refused,
    /// Connecting failed for another reason the kernel gave.
    #[error("dial: {reason}")]
    Dial {
        /// The kernel's or our own text.
        reason: String,
        /// The kernel's number, when it was the kernel.
        errno: Option<i32>,
    },
    /// The proxy did not open the tunnel.
    #[error("proxy: {reason}")]
    Proxy {
        /// Its status line or what else happened.
        reason: String,
    },
    /// The certificate's issuer is not among the roots.
    #[error("x509: unknown authority")]
    UnknownAuthority,
    /// The certificate is for another name.
    #[error("x509: certificate doesn't match hostname")]
    HostMismatch {
        /// The particulars.
        reason: String,
    },
    /// The peer does not speak TLS.
    #[error("tls: first record does not look like a TLS handshake")]
    BadRecordHeader,
    /// Any other failure of TLS.
    #[error("tls: {reason}")]
    Tls {
        /// What the library said.
        reason: String,
    },
    /// The peer reset the connection.
    #[error("{op}: connection reset by peer")]
    Reset {
        /// `read` or `write`.
        op: &'static str,
    },
    /// We wrote to a connection the peer had closed.
    #[error("{op}: broken pipe")]
    BrokenPipe {
        /// `read` or `write`.
        op: &'static str,
    },
    /// The request's own deadline passed.
    #[error("request timeout")]
    Timeout,
    /// Anything else the kernel says on an established connection.
    #[error("{op}: {reason}")]
    Io {
        /// `read` or `write`.
        op: &'static str,
        /// The kernel's text.
        reason: String,
        /// The kernel's number, where there is one.
        errno: Option<i32>,
    },
}

impl NetError {
    /// The long form for logs, with names and addresses.
    pub fn detail(&self) -> String {
        match self {
            Self::NoSuchHost { host } => format!("lookup {host}: no such host"),
            Self::Lookup { host, reason } => format!("lookup {host}: {reason}"),
            Self::Blacklisted { ip, range } => {
                format!("IP ({ip}) is in a blacklisted range ({range})")
            }
            Self::Blocked { host, pattern } => {
                format!("hostname ({host}) is in a blocked pattern ({pattern})")
            }
            Self::UnknownAuthority => "x509: certificate signed by unknown authority".to_owned(),
            Self::HostMismatch { reason } => format!("x509: {reason}"),
            other => other.to_string(),
        }
    }

    /// Classifies a failure of `connect`.
    pub(crate) fn from_dial(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::TimedOut => Self::DialTimeout,
            _ => Self::Dial {
                reason: plain_text(error),
                errno: error.raw_os_error(),
            },
        }
    }

    /// Classifies a failure on an established connection. `op` is `read` or `write`.
    pub fn from_io(op: &'static str, error: &io::Error) -> Self {
        if let Some(tls) = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<rustls::Error>())
        {
            return Self::from_tls(tls);
        }
        match error.kind() {
            io::ErrorKind::ConnectionReset => Self::Reset { op },
            io::ErrorKind::BrokenPipe => Self::BrokenPipe { op },
            _ => Self::Io {
                op,
                reason: plain_text(error),
                errno: error.raw_os_error(),
            },
        }
    }

    /// Classifies a failure of the TLS library.
    pub(crate) fn from_tls(error: &rustls::Error) -> Self {
        use rustls::{CertificateError, Error, InvalidMessage};

        match error {
            Error::InvalidCertificate(CertificateError::UnknownIssuer) => Self::UnknownAuthority,
            Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            ) => Self::HostMismatch {
                reason: error.to_string(),
            },
            Error::InvalidMessage(
                InvalidMessage::InvalidContentType | InvalidMessage::UnknownProtocolVersion,
            ) => Self::BadRecordHeader,
            Error::AlertReceived(alert) => Self::Tls {
                reason: format!("remote error: {}", alert_text(*alert)),
            },
            other => Self::Tls {
                reason: other.to_string(),
            },
        }
    }
}

/// The kernel's sentence as Go prints it: lower case, without the number.
fn plain_text(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text
        .split_once(" (os error")
        .map_or(text.as_str(), |(text, _)| text);
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        // An acronym keeps its capitals.
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// `HandshakeFailure` -> `handshake failure`.
fn alert_text(alert: rustls::AlertDescription) -> String {
    let name = format!("{alert:?}");
    let mut text = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_texts_lose_their_number_and_capital() {
        let error = io::Error::from_raw_os_error(libc::ENETUNREACH);
        assert_eq!(
            NetError::from_dial(&error).to_string(),
            "dial: network is unreachable"
        );
    }

    #[test]
    fn alerts_read_as_words() {
        let error = rustls::Error::AlertReceived(rustls::AlertDescription::HandshakeFailure);
        assert_eq!(
            NetError::from_tls(&error).to_string(),
            "tls: remote error: handshake failure"
        );
    }
}
