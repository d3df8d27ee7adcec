//! The TLS side of the server: certificates made on the spot, or from files.
//!
//! Invariant: client certificates are asked for but never required, so that one
//! listener serves clients with and without one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::TargetError;

/// Names and addresses that the made certificate is valid for.
const NAMES: [&str; 4] = ["localhost", "target.test", "127.0.0.1", "::1"];

/// What the versions of HTTP are called in ALPN.
pub(crate) const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// Where the server's certificate comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Certificates {
    /// A new authority and certificate for localhost, 127.0.0.1, ::1 and target.test.
    Made,
    /// PEM files.
    Files {
        /// The certificate, followed by intermediate ones.
        chain: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

/// What a client needs to trust a server with made certificates, and to be trusted by it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Authority {
    /// The authority's certificate, PEM.
    pub certificate_pem: String,
    /// A client certificate signed by it, PEM.
    pub client_certificate_pem: String,
    /// That certificate's private key, PEM.
    pub client_key_pem: String,
}

/// A server configuration and, if the certificates were made, how to trust it.
pub(crate) fn configure(
    certificates: &Certificates,
    http2: bool,
) -> Result<(Arc<ServerConfig>, Option<Authority>), TargetError> {
    let (mut config, authority) = match certificates {
        Certificates::Made => {
            let (config, authority) = made().map_err(TargetError::Certificate)?;
            (config, Some(authority))
        }
        Certificates::Files { chain, key } => (from_files(chain, key)?, None),
    };
    let offered: &[&[u8]] = match http2 {
        true => &[HTTP2, HTTP1],
        false => &[HTTP1],
    };
    config.alpn_protocols = offered.iter().map(|name| name.to_vec()).collect();
    Ok((Arc::new(config), authority))
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn made() -> Result<(ServerConfig, Authority), Failure> {
    let authority_key = KeyPair::generate()?;
    let mut authority = CertificateParams::new(Vec::new())?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority
        .distinguished_name
        .push(DnType::CommonName, "netload target authority");
    let authority_certificate = authority.self_signed(&authority_key)?;
    let issuer = Issuer::new(authority, authority_key);

    let server_key = KeyPair::generate()?;
    let names: Vec<String> = NAMES.map(String::from).to_vec();
    let server_certificate = CertificateParams::new(names)?.signed_by(&server_key, &issuer)?;

    let client_key = KeyPair::generate()?;
    let mut client = CertificateParams::new(vec!["client.test".to_owned()])?;
    client
        .distinguished_name
        .push(DnType::CommonName, "netload client");
    let client_certificate = client.signed_by(&client_key, &issuer)?;

    let mut roots = RootCertStore::empty();
    roots.add(authority_certificate.der().clone())?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .allow_unauthenticated()
        .build()?;
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier)
        .with_single_cert(
            vec![server_certificate.der().clone()],
            PrivateKeyDer::try_from(server_key.serialize_der())?,
        )?;
    Ok((
        config,
        Authority {
            certificate_pem: authority_certificate.pem(),
            client_certificate_pem: client_certificate.pem(),
            client_key_pem: client_key.serialize_pem(),
        },
    ))
}

fn from_files(chain: &Path, key: &Path) -> Result<ServerConfig, TargetError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error: rustls_pki_types::pem::Error| TargetError::CertificateFile {
            path,
            reason: error.to_string(),
        }
    };
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(unreadable(chain))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_no_client_auth())
        .and_then(|builder| builder.with_single_cert(certificates, private))
        .map_err(|error| TargetError::Certificate(error.into()))
}
