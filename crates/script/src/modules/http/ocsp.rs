//! What a server sends along about its certificate, in the words of k6.

use netload_net::{OcspStatus, TlsFacts};

/// The instant that stands for none: the beginning of the year 1, in seconds since 1970.
pub(super) const NEVER_S: i64 = -62_135_596_800;

/// The status as responses and tags have it; unknown when the server says nothing that can be read.
pub(super) fn status(tls: &TlsFacts) -> &'static str {
    match tls.ocsp.map(|ocsp| ocsp.status) {
        Some(OcspStatus::Good) => "good",
        Some(OcspStatus::Revoked { .. }) => "revoked",
        Some(OcspStatus::Unknown) | None => "unknown",
    }
}

/// The name of a `CRLReason` (RFC 5280, 5.3.1); those without a name are unspecified.
pub(super) fn reason(number: u8) -> &'static str {
    match number {
        1 => "key_compromise",
        2 => "ca_compromise",
        3 => "affiliation_changed",
        4 => "superseded",
        5 => "cessation_of_operation",
        6 => "certificate_hold",
        8 => "remove_from_crl",
        9 => "privilege_withdrawn",
        10 => "aa_compromise",
        _ => "unspecified",
    }
}
