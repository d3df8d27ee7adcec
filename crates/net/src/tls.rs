//! TLS settings: versions, cipher suites, roots, client certificates.
//!
//! Owns the translation of k6's options to rustls and the per-VU session store. The bytes on the wire are
//! `tls_stream`'s. Invariant: the crypto provider is always named, never taken from the process.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    SupportedCipherSuite,
};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};

use crate::error::NetError;
use crate::origin::Speaks;

/// How many servers a VU can resume sessions with.
const SESSIONS_PER_VU: usize = 8;

/// A version of TLS that can be spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TlsVersion {
    /// TLS 1.2.
    Tls12,
    /// TLS 1.3.
    Tls13,
}

impl TlsVersion {
    /// Parses k6's names.
    ///
    /// # Errors
    /// For anything but `tls1.2` and `tls1.3`; the older ones get a sentence of their own.
    pub fn parse(text: &str) -> Result<Self, NetError> {
        let message = match text {
            "tls1.2" => return Ok(Self::Tls12),
            "tls1.3" => return Ok(Self::Tls13),
            "tls1.0" | "tls1.1" | "ssl3.0" => {
                format!("\"{text}\" is not supported, use tls1.2 or tls1.3.")
            }
            _ => format!("\"{text}\" is no TLS version, use tls1.2 or tls1.3."),
        };
        Err(NetError::Config {
            option: "tlsVersion",
            message,
        })
    }
}

/// A client certificate and the hosts it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCert {
    /// Hosts it is sent to, each with an optional leading `*.`; none means all.
    pub domains: Vec<String>,
    /// The certificate chain, PEM.
    pub cert_pem: String,
    /// The private key, PEM, not encrypted.
    pub key_pem: String,
}

/// Everything about TLS that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsSettings {
    /// Lowest version offered; `None` means TLS 1.2.
    pub min_version: Option<TlsVersion>,
    /// Highest version offered; `None` means TLS 1.3.
    pub max_version: Option<TlsVersion>,
    /// Cipher suites for TLS 1.2 by their IANA names; empty means all. Those of TLS 1.3 are always offered.
    pub cipher_suites: Vec<String>,
    /// Accept any certificate.
    pub insecure_skip_verify: bool,
    /// Client certificates.
    pub client_certs: Vec<ClientCert>,
    /// More roots to trust, PEM, beside the system's.
    pub extra_roots_pem: Vec<String>,
    /// Let a VU resume its own earlier sessions; off as in k6, where every connection is a full handshake.
    pub session_resumption: bool,
    /// Protocols offered by ALPN, most wanted first.
    pub alpn: Vec<Vec<u8>>,
}

impl TlsSettings {
    /// Offers these protocols by ALPN, most wanted first.
    pub fn offer(&mut self, protocols: &[&str]) {
        self.alpn = protocols.iter().map(|p| p.as_bytes().to_vec()).collect();
    }

    /// The versions of HTTP that are offered.
    pub(crate) fn speaks(&self) -> Speaks {
        let offers = |name: &[u8]| self.alpn.iter().any(|offered| offered == name);
        match (offers(b"h2"), offers(b"http/1.1")) {
            (true, true) => Speaks::Either,
            (true, false) => Speaks::Http2,
            (false, _) => Speaks::Http1,
        }
    }
}

impl Default for TlsSettings {
    fn default() -> Self {
        Self {
            min_version: None,
            max_version: None,
            cipher_suites: Vec::new(),
            insecure_skip_verify: false,
            client_certs: Vec::new(),
            extra_roots_pem: Vec::new(),
            session_resumption: false,
            alpn: vec![b"http/1.1".to_vec()],
        }
    }
}

/// Checked settings. Roots are read when the first TLS connection is made, so that plain runs start fast.
pub(crate) struct Tls {
    settings: TlsSettings,
    provider: Arc<CryptoProvider>,
    versions: Vec<&'static rustls::SupportedProtocolVersion>,
    identities: Vec<Identity>,
    extra_roots: Vec<CertificateDer<'static>>,
    base: OnceLock<Result<Vec<Arc<ClientConfig>>, NetError>>,
}

struct Identity {
    domains: Vec<String>,
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Tls {
    pub(crate) fn check(settings: &TlsSettings) -> Result<Self, NetError> {
        let mut provider = rustls::crypto::aws_lc_rs::default_provider();
        // Go's order of preference, so that handshakes cost what they cost in k6.
        provider.cipher_suites.sort_by_key(|suite| {
            let name = suite.suite().as_str().unwrap_or_default();
            (!name.contains("AES_128"), !name.contains("AES_256"))
        });
        let versions = versions(settings)?;
        provider.cipher_suites = suites(&provider.cipher_suites, &settings.cipher_suites)?;
        if !versions.iter().any(|version| {
            let mut suites = provider.cipher_suites.iter();
            suites.any(|suite| suite.version() == *version)
        }) {
            return Err(NetError::Config {
                option: "tlsCipherSuites",
                message: "none of the suites belongs to an allowed TLS version.".to_owned(),
            });
        }
        let identities: Vec<_> = settings
            .client_certs
            .iter()
            .map(identity)
            .collect::<Result<_, _>>()?;
        let mut extra_roots = Vec::new();
        for pem in &settings.extra_roots_pem {
            extra_roots.extend(certificates("cacert", pem)?);
        }
        let tls = Self {
            settings: settings.clone(),
            provider: Arc::new(provider),
            versions,
            identities,
            extra_roots,
            base: OnceLock::new(),
        };
        // A key that does not fit its certificate should be found before the run starts.
        let anyone = Arc::new(TrustAnyone(tls.provider.clone()));
        for identity in &tls.identities {
            tls.finish(anyone.clone(), Some(identity))?;
        }
        Ok(tls)
    }

    /// Which of the configurations is for `host`: 0 has no client certificate, `i` the `i`-th.
    fn slot(&self, host: &str) -> usize {
        let fits = |pattern: &String| match pattern.strip_prefix("*.") {
            Some(suffix) => host
                .strip_suffix(suffix)
                .is_some_and(|rest| rest.ends_with('.')),
            None => pattern == host,
        };
        let named = self
            .identities
            .iter()
            .position(|identity| identity.domains.iter().any(fits));
        named
            .or_else(|| {
                let mut identities = self.identities.iter();
                identities.position(|identity| identity.domains.is_empty())
            })
            .map_or(0, |at| at + 1)
    }

    fn base(&self) -> Result<&[Arc<ClientConfig>], NetError> {
        let built = self.base.get_or_init(|| {
            let verifier = self.verifier()?;
            std::iter::once(None)
                .chain(self.identities.iter().map(Some))
                .map(|identity| self.finish(verifier.clone(), identity).map(Arc::new))
                .collect()
        });
        match built {
            Ok(configs) => Ok(configs),
            Err(error) => Err(error.clone()),
        }
    }

    fn verifier(&self) -> Result<Arc<dyn ServerCertVerifier>, NetError> {
        if self.settings.insecure_skip_verify {
            return Ok(Arc::new(TrustAnyone(self.provider.clone())));
        }
        let mut certificates = rustls_native_certs::load_native_certs().certs;
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates.iter().cloned());
        if roots.is_empty() {
            roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        }
        roots.add_parsable_certificates(self.extra_roots.iter().cloned());
        certificates.extend(self.extra_roots.iter().cloned());
        let chains =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), self.provider.clone())
                .build()
                .map_err(|error| NetError::Config {
                    option: "tls",
                    message: error.to_string(),
                })?;
        Ok(Arc::new(TrustRoots {
            chains,
            certificates,
        }))
    }

    fn finish(
        &self,
        verifier: Arc<dyn ServerCertVerifier>,
        identity: Option<&Identity>,
    ) -> Result<ClientConfig, NetError> {
        let wrong = |option, error: rustls::Error| NetError::Config {
            option,
            message: error.to_string(),
        };
        let builder = ClientConfig::builder_with_provider(self.provider.clone())
            .with_protocol_versions(&self.versions)
            .map_err(|error| wrong("tlsVersion", error))?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config = match identity {
            None => builder.with_no_client_auth(),
            Some(identity) => builder
                .with_client_auth_cert(identity.chain.clone(), identity.key.clone_key())
                .map_err(|error| wrong("tlsAuth", error))?,
        };
        config.alpn_protocols.clone_from(&self.settings.alpn);
        config.key_log = Arc::new(rustls::KeyLogFile::new());
        config.resumption = Resumption::disabled();
        Ok(config)
    }
}

/// A VU's TLS memory: the sessions it may resume.
#[derive(Debug, Default)]
pub struct TlsSessions(RefCell<Vec<Option<Arc<ClientConfig>>>>);

impl TlsSessions {
    /// The configuration for `host`, with this VU's sessions.
    pub(crate) fn config(&self, tls: &Tls, host: &str) -> Result<Arc<ClientConfig>, NetError> {
        let slot = tls.slot(host);
        let base = &tls.base()?[slot];
        if !tls.settings.session_resumption {
            return Ok(base.clone());
        }
        let mut own = self.0.borrow_mut();
        if own.len() <= slot {
            own.resize(slot + 1, None);
        }
        let config = own[slot].get_or_insert_with(|| {
            let mut config = ClientConfig::clone(base);
            config.resumption = Resumption::in_memory_sessions(SESSIONS_PER_VU);
            Arc::new(config)
        });
        Ok(config.clone())
    }
}

fn versions(
    settings: &TlsSettings,
) -> Result<Vec<&'static rustls::SupportedProtocolVersion>, NetError> {
    let min = settings.min_version.unwrap_or(TlsVersion::Tls12);
    let max = settings.max_version.unwrap_or(TlsVersion::Tls13);
    if min > max {
        return Err(NetError::Config {
            option: "tlsVersion",
            message: "min is above max.".to_owned(),
        });
    }
    let all = [
        (TlsVersion::Tls12, &rustls::version::TLS12),
        (TlsVersion::Tls13, &rustls::version::TLS13),
    ];
    let allowed = all
        .into_iter()
        .filter(|(version, _)| (min..=max).contains(version));
    Ok(allowed.map(|(_, version)| version).collect())
}

/// Picks the named suites; names that Go knows and nobody should use any more are skipped when something remains.
fn suites(
    known: &[SupportedCipherSuite],
    wanted: &[String],
) -> Result<Vec<SupportedCipherSuite>, NetError> {
    if wanted.is_empty() {
        return Ok(known.to_vec());
    }
    let mut picked: Vec<_> = known
        .iter()
        .filter(|suite| suite.tls13().is_some())
        .copied()
        .collect();
    let mut found = false;
    for name in wanted {
        if !name.starts_with("TLS_") {
            return Err(NetError::Config {
                option: "tlsCipherSuites",
                message: format!("\"{name}\" is not the IANA name of a cipher suite."),
            });
        }
        let matching = |suite: &&SupportedCipherSuite| {
            let iana = suite_name(suite.suite());
            // Go also knows two suites without their hash.
            iana == *name || iana.strip_suffix("_SHA256") == Some(name.as_str())
        };
        if let Some(suite) = known.iter().find(matching) {
            found = true;
            if !picked.contains(suite) {
                picked.push(*suite);
            }
        }
    }
    if !found {
        return Err(NetError::Config {
            option: "tlsCipherSuites",
            message: format!(
                "none of the suites is supported; supported are {}.",
                known
                    .iter()
                    .map(|suite| suite_name(suite.suite()))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        });
    }
    Ok(picked)
}

/// The IANA name: rustls calls those of TLS 1.3 `TLS13_...`.
pub(crate) fn suite_name(suite: rustls::CipherSuite) -> String {
    let name = suite.as_str().unwrap_or("");
    match name.strip_prefix("TLS13_") {
        Some(rest) => format!("TLS_{rest}"),
        None => name.to_owned(),
    }
}

fn identity(cert: &ClientCert) -> Result<Identity, NetError> {
    let key = PrivateKeyDer::from_pem_slice(cert.key_pem.as_bytes()).map_err(|_| {
        let message = if cert.key_pem.contains("ENCRYPTED") {
            "encrypted private keys are not supported, decrypt the key first."
        } else {
            "the key is not a PEM private key."
        };
        NetError::Config {
            option: "tlsAuth",
            message: message.to_owned(),
        }
    })?;
    Ok(Identity {
        domains: cert
            .domains
            .iter()
            .map(|domain| domain.to_ascii_lowercase())
            .collect(),
        chain: certificates("tlsAuth", &cert.cert_pem)?,
        key,
    })
}

fn certificates(option: &'static str, pem: &str) -> Result<Vec<CertificateDer<'static>>, NetError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    match found {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(NetError::Config {
            option,
            message: "the certificate is not PEM.".to_owned(),
        }),
    }
}

/// Checks chains, and also accepts a server certificate that is itself among the roots. The usual self-made
/// certificate is its own authority, which chains alone do not allow but Go does.
#[derive(Debug)]
struct TrustRoots {
    chains: Arc<WebPkiServerVerifier>,
    certificates: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for TrustRoots {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        crate::ocsp::note(ocsp);
        // Go looks at the name before it looks at the issuer, which decides the error that is reported.
        verify_server_name(&ParsedCertificate::try_from(end_entity)?, name)?;
        let chain = self
            .chains
            .verify_server_cert(end_entity, intermediates, name, ocsp, now);
        match chain {
            Err(error) if is_authority_as_server(&error) => {
                if self.certificates.contains(end_entity) {
                    Ok(ServerCertVerified::assertion())
                } else {
                    Err(CertificateError::UnknownIssuer.into())
                }
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.chains.verify_tls12_signature(message, cert, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.chains.verify_tls13_signature(message, cert, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.chains.supported_verify_schemes()
    }
}

/// The library has no public type for an authority that stands in the place of a server, only this name.
fn is_authority_as_server(error: &rustls::Error) -> bool {
    matches!(error, rustls::Error::InvalidCertificate(CertificateError::Other(other))
        if format!("{other:?}").contains("CaUsedAsEndEntity"))
}

/// Accepts any certificate, for `insecureSkipTLSVerify`. Signatures are still checked, as Go does.
#[derive(Debug)]
struct TrustAnyone(Arc<CryptoProvider>);

impl ServerCertVerifier for TrustAnyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        ocsp: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        crate::ocsp::note(ocsp);
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, cert, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
