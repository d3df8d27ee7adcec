//! What goes wrong in HTTP/2, with the standard's codes (RFC 9113, section 7).
//!
//! Owns the names of the codes and k6's numbers for them. Invariant: every failure has exactly one number.

use std::fmt;

/// A code of the standard, as it is on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCode(pub u32);

impl ErrorCode {
    pub(super) const PROTOCOL: Self = Self(1);
    pub(super) const FLOW_CONTROL: Self = Self(3);
    pub(super) const FRAME_SIZE: Self = Self(6);
    pub(super) const REFUSED_STREAM: Self = Self(7);
    pub(super) const CANCEL: Self = Self(8);
    pub(super) const COMPRESSION: Self = Self(9);
    pub(super) const ENHANCE_YOUR_CALM: Self = Self(11);

    /// k6's number: `unknown`, or behind it by the code.
    fn number(self, unknown: u16) -> u16 {
        match u16::try_from(self.0) {
            Ok(code) if usize::from(code) < NAMES.len() => unknown + 1 + code,
            _ => unknown,
        }
    }
}

/// The names of the codes, by number.
const NAMES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(self.0 as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "unknown error code 0x{:x}", self.0),
        }
    }
}

/// A failure of HTTP/2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum H2Error {
    /// The server went away and left the request undone.
    #[error("http2: received GoAway with http2 ErrCode {0}")]
    GoAway(ErrorCode),
    /// One side gave up the stream.
    #[error("http2: stream error with http2 ErrCode {0}")]
    Stream(ErrorCode),
    /// The server broke the rules in a way that ends the connection.
    #[error("http2: connection error with http2 ErrCode {0}")]
    Connection(ErrorCode),
    /// The response's fields are longer than we allow.
    #[error("http2: response header list larger than advertised limit")]
    HeadTooLong,
    /// More body than the response's length says.
    #[error("net/http: server replied with more than declared Content-Length; truncated")]
    BodyTooLong,
    /// The connection was lost at once, or what came is not HTTP/2 at all.
    #[error("the server does not speak HTTP/2")]
    NotHttp2,
    /// TLS agreed on another protocol than the one demanded.
    #[error("the server did not agree to HTTP/2")]
    NotAgreed,
}

impl H2Error {
    /// k6's `error_code`.
    pub(crate) fn code(&self) -> u16 {
        match self {
            Self::GoAway(code) => code.number(1610),
            Self::Stream(code) => code.number(1630),
            Self::Connection(code) => code.number(1650),
            Self::NotHttp2 | Self::NotAgreed => 1600,
            Self::HeadTooLong | Self::BodyTooLong => 1000,
        }
    }
}
