//! HTTPS with made certificates, as a client that trusts their authority.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use netload_target::{Authority, Running, Target, TargetConfig};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName};

fn client(authority: &Authority, with_certificate: bool) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    let pem = authority.certificate_pem.as_bytes();
    roots
        .add(CertificateDer::from_pem_slice(pem).unwrap())
        .unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(
        rustls::crypto::aws_lc_rs::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_root_certificates(roots);
    if !with_certificate {
        return builder.with_no_client_auth();
    }
    let chain = CertificateDer::from_pem_slice(authority.client_certificate_pem.as_bytes());
    let key = PrivateKeyDer::from_pem_slice(authority.client_key_pem.as_bytes());
    builder
        .with_client_auth_cert(vec![chain.unwrap()], key.unwrap())
        .unwrap()
}

fn get(server: &Running, config: ClientConfig, name: &str, target: &str) -> String {
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let session = ClientConnection::new(Arc::new(config), name).unwrap();
    let socket = TcpStream::connect(server.tls_addr().unwrap()).unwrap();
    let mut stream = StreamOwned::new(session, socket);
    let request = format!("GET {target} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn made_certificates_serve_names_and_addresses() {
    let server = Target::start(TargetConfig::with_tls()).unwrap();
    let authority = server.authority().unwrap();
    for name in ["localhost", "127.0.0.1", "target.test"] {
        let answer = get(&server, client(authority, false), name, "/tls");
        assert!(
            answer.contains("\"version\":\"TLSv1_3\""),
            "{name}: {answer}"
        );
        assert!(
            answer.contains("\"client_certificates\":0"),
            "{name}: {answer}"
        );
    }
}

#[test]
fn client_certificates_are_seen_and_large_bodies_arrive_whole() {
    let server = Target::start(TargetConfig::with_tls()).unwrap();
    let authority = server.authority().unwrap();
    let answer = get(&server, client(authority, true), "localhost", "/tls");
    assert!(answer.contains("\"client_certificates\":1"), "{answer}");
    let answer = get(&server, client(authority, false), "localhost", "/bytes/1m");
    assert!(answer.len() > 1024 * 1024);
}
