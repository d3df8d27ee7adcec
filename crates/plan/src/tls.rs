//! TLS options: versions, cipher suites by their IANA names, client certificates.
//!
//! Owns the vocabulary and its text forms. Leaves out the TLS library and reading certificates.

use std::fmt;
use std::str::FromStr;

/// A version of TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TlsVersion {
    /// `tls1.0`
    V1_0,
    /// `tls1.1`
    V1_1,
    /// `tls1.2`
    V1_2,
    /// `tls1.3`
    V1_3,
}

impl TlsVersion {
    /// All versions, oldest first.
    pub const ALL: [Self; 4] = [Self::V1_0, Self::V1_1, Self::V1_2, Self::V1_3];

    /// Its name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1_0 => "tls1.0",
            Self::V1_1 => "tls1.1",
            Self::V1_2 => "tls1.2",
            Self::V1_3 => "tls1.3",
        }
    }
}

impl FromStr for TlsVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|version| version.name() == text)
            .ok_or_else(|| format!("`{text}` is no TLS version"))
    }
}

impl fmt::Display for TlsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The oldest and newest version allowed; an open end leaves it to the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TlsVersions {
    /// Oldest version allowed.
    pub min: Option<TlsVersion>,
    /// Newest version allowed.
    pub max: Option<TlsVersion>,
}

/// A client certificate and the hosts it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCertificate {
    /// Certificate chain, PEM.
    pub cert: String,
    /// Private key, PEM.
    pub key: String,
    /// Password of the key.
    pub password: Option<String>,
    /// Hosts it is shown to, with wildcards; empty means all.
    pub domains: Vec<String>,
}

/// Cipher suites that scripts may name.
pub const CIPHER_SUITES: [&str; 25] = [
    "TLS_RSA_WITH_RC4_128_SHA",
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_256_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
];

/// A cipher suite, by its IANA name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CipherSuite(&'static str);

impl CipherSuite {
    /// Its IANA name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl FromStr for CipherSuite {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Two suites were known without the hash at the end of their name.
        let long = format!("{text}_SHA256");
        CIPHER_SUITES
            .into_iter()
            .find(|name| *name == text || (text.ends_with("_POLY1305") && **name == *long))
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no cipher suite"))
    }
}

impl fmt::Display for CipherSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
