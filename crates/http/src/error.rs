//! Why an exchange failed, and the number k6 gives the reason.
//!
//! Owns the codes. Invariant: every failure has exactly one code, and `Display` is short enough to be a tag.

use netload_net::NetError;

use crate::h1::H1Error;
use crate::h2::H2Error;

/// A failed exchange or an unusable request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// Below HTTP.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The response breaks the rules.
    #[error(transparent)]
    Response(#[from] H1Error),
    /// HTTP/2 failed.
    #[error(transparent)]
    Http2(#[from] H2Error),
    /// The URL cannot be parsed.
    #[error("invalid URL: {reason}")]
    Url {
        /// The particulars, as Go words them.
        reason: String,
    },
    /// The request cannot be sent as it is.
    #[error("{reason}")]
    Request {
        /// What is wrong with it.
        reason: String,
    },
    /// The body's compression is broken.
    #[error("error decompressing response body ({reason})")]
    Decompress {
        /// What the decoder said.
        reason: String,
    },
    /// The compressed body ends early.
    #[error("unexpected EOF")]
    DecompressCut,
    /// The body grows beyond [`DECODED_LIMIT_BYTES`](crate::DECODED_LIMIT_BYTES) when decompressed.
    #[error("error decompressing response body (larger than the limit)")]
    DecompressLimit,
}

impl HttpError {
    /// A request that cannot be sent.
    pub(crate) fn request(reason: impl Into<String>) -> Self {
        Self::Request {
            reason: reason.into(),
        }
    }

    /// k6's `error_code`.
    pub fn code(&self) -> u16 {
        match self {
            Self::Net(error) => net_code(error),
            Self::Http2(error) => error.code(),
            Self::Url { .. } => 1020,
            Self::Decompress { .. } | Self::DecompressLimit => 1701,
            Self::Response(_) | Self::Request { .. } | Self::DecompressCut => 1000,
        }
    }

    /// The long form for logs, with names and addresses.
    pub fn detail(&self) -> String {
        match self {
            Self::Net(error) => error.detail(),
            other => other.to_string(),
        }
    }

    /// Whether it was the request's own deadline that ended it.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Net(NetError::Timeout))
    }
}

fn net_code(error: &NetError) -> u16 {
    match error {
        NetError::Timeout => 1050,
        NetError::Lookup { .. } => 1100,
        NetError::NoSuchHost { .. } => 1101,
        NetError::Blacklisted { .. } => 1110,
        NetError::Blocked { .. } => 1111,
        NetError::BrokenPipe { .. } => 1201,
        NetError::Io { errno: Some(_), .. } => 1202,
        NetError::Io { errno: None, .. } => 1000,
        NetError::Dial { errno: None, .. } => 1210,
        NetError::DialTimeout => 1211,
        NetError::Refused => 1212,
        NetError::Dial { errno: Some(_), .. } => 1213,
        NetError::Reset { .. } => 1220,
        NetError::Tls { .. } => 1300,
        NetError::BadRecordHeader => 1301,
        NetError::UnknownAuthority => 1310,
        NetError::HostMismatch { .. } => 1311,
        _ => 1000,
    }
}
