//! The tags that netload itself puts on samples, as a set.
//!
//! Owns their names and the default selection. Leaves out their values, which the engine knows.

/// A tag set by netload itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SystemTag {
    /// Protocol of the request, such as `HTTP/1.1`.
    Proto,
    /// Sub-protocol of a WebSocket.
    Subproto,
    /// Status of the response.
    Status,
    /// Method of the request.
    Method,
    /// URL of the request.
    Url,
    /// Name of the request; its URL unless set by the script.
    Name,
    /// Path of the group.
    Group,
    /// Name of the check.
    Check,
    /// Error text of a failed request.
    Error,
    /// Error code of a failed request.
    ErrorCode,
    /// TLS version of the connection.
    TlsVersion,
    /// Name of the scenario.
    Scenario,
    /// Service of a gRPC call.
    Service,
    /// Whether the response was expected.
    ExpectedResponse,
    /// Number of the iteration.
    Iter,
    /// Number of the VU.
    Vu,
    /// Address of the server.
    Ip,
    /// OCSP status of the server's certificate.
    OcspStatus,
}

/// Every system tag with its name; those before `iter` are on unless the user says otherwise.
const NAMES: [(SystemTag, &str); 18] = [
    (SystemTag::Proto, "proto"),
    (SystemTag::Subproto, "subproto"),
    (SystemTag::Status, "status"),
    (SystemTag::Method, "method"),
    (SystemTag::Url, "url"),
    (SystemTag::Name, "name"),
    (SystemTag::Group, "group"),
    (SystemTag::Check, "check"),
    (SystemTag::Error, "error"),
    (SystemTag::ErrorCode, "error_code"),
    (SystemTag::TlsVersion, "tls_version"),
    (SystemTag::Scenario, "scenario"),
    (SystemTag::Service, "service"),
    (SystemTag::ExpectedResponse, "expected_response"),
    (SystemTag::Iter, "iter"),
    (SystemTag::Vu, "vu"),
    (SystemTag::Ip, "ip"),
    (SystemTag::OcspStatus, "ocsp_status"),
];

impl SystemTag {
    /// All of them, in the order of the reference.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(tag, _)| *tag)
    }

    /// The tag with this name.
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, n)| *n == name).map(|(tag, _)| *tag)
    }

    /// Its name, as it appears in results.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }
}

/// A set of system tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemTags(u32);

impl SystemTags {
    /// No tag at all.
    pub const NONE: Self = Self(0);

    /// The same set with one more tag.
    pub const fn with(self, tag: SystemTag) -> Self {
        Self(self.0 | 1 << tag as u8)
    }

    /// Whether the tag is in the set.
    pub const fn contains(self, tag: SystemTag) -> bool {
        self.0 & (1 << tag as u8) != 0
    }

    /// The tags in the set.
    pub fn iter(self) -> impl Iterator<Item = SystemTag> {
        SystemTag::all().filter(move |tag| self.contains(*tag))
    }
}

impl FromIterator<SystemTag> for SystemTags {
    fn from_iter<I: IntoIterator<Item = SystemTag>>(tags: I) -> Self {
        tags.into_iter().fold(Self::NONE, Self::with)
    }
}

impl Default for SystemTags {
    /// All tags except `iter`, `vu`, `ip` and `ocsp_status`.
    fn default() -> Self {
        SystemTag::all()
            .filter(|tag| (*tag as u8) < SystemTag::Iter as u8)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_the_index_of_their_tag() {
        for tag in SystemTag::all() {
            assert_eq!(SystemTag::named(tag.name()), Some(tag));
        }
    }

    #[test]
    fn tags_that_explode_series_are_off_by_default() {
        let tags = SystemTags::default();
        assert_eq!(tags.iter().count(), 14);
        assert!(!tags.contains(SystemTag::Vu));
        assert!(tags.with(SystemTag::Vu).contains(SystemTag::Vu));
    }
}
