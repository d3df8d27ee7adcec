//! TLS against a server of the same library: certificates, versions, names, sessions, stamps.

use std::future::poll_fn;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use netload_net::{
    ClientCert, Clock, Connection, Dialer, NetConfig, NetError, Network, OcspStatus, Origin,
    Scheme, Stamping, TlsSettings, TlsVersion,
};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use rustls_pki_types::PrivateKeyDer;

/// A self-made certificate for `localhost`.
struct Identity {
    cert: rcgen::Certificate,
    key: rcgen::KeyPair,
}

impl Identity {
    fn new(authority: bool) -> Self {
        let mut params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        if authority {
            params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        }
        let key = rcgen::KeyPair::generate().unwrap();
        let cert = params.self_signed(&key).unwrap();
        Self { cert, key }
    }

    fn key_der(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::Pkcs8(self.key.serialize_der().into())
    }

    fn server_config(&self, clients: Option<&Identity>) -> ServerConfig {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .unwrap();
        let builder = match clients {
            None => builder.with_no_client_auth(),
            Some(clients) => {
                let mut roots = RootCertStore::empty();
                roots.add(clients.cert.der().clone()).unwrap();
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                builder.with_client_cert_verifier(verifier.build().unwrap())
            }
        };
        builder
            .with_single_cert(vec![self.cert.der().clone()], self.key_der())
            .unwrap()
    }
}

/// Accepts connections one after the other, says "hello" and `more` further bytes, waits for the peer to close.
fn serve(config: ServerConfig, connections: usize, more: usize) -> (u16, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let config = Arc::new(config);
    let server = thread::spawn(move || {
        for _ in 0..connections {
            let (stream, _) = listener.accept().unwrap();
            let tls = ServerConnection::new(config.clone()).unwrap();
            let mut stream: StreamOwned<ServerConnection, TcpStream> =
                StreamOwned::new(tls, stream);
            // Refused handshakes are what some tests are about.
            if stream.write_all(b"hello").is_ok() {
                let body: Vec<u8> = (0..more).map(|at| at as u8).collect();
                let _ = stream.write_all(&body);
                stream.conn.send_close_notify();
                let _ = stream.flush();
                let _ = stream.read(&mut [0; 16]);
            }
        }
    });
    (port, server)
}

fn trusting(identity: &Identity) -> TlsSettings {
    TlsSettings {
        extra_roots_pem: vec![identity.cert.pem()],
        ..TlsSettings::default()
    }
}

fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(test)
}

/// Connects `times` times as one VU, reading everything each time; returns the last connection and what it read.
fn talk(
    tls: TlsSettings,
    host: &str,
    port: u16,
    times: usize,
) -> Result<(Connection, Vec<u8>, Option<u64>), NetError> {
    let config = NetConfig {
        tls,
        hosts: vec![("*.test".to_owned(), "127.0.0.1".to_owned())],
        ..NetConfig::default()
    };
    let origin = Origin::new(Scheme::Https, host, port);
    run(async {
        let dialer = Dialer::new(Network::new(&config)?, Clock::new());
        let vu = dialer.vu_local(1);
        let mut last = None;
        for _ in 0..times {
            // The server takes one connection at a time.
            drop(last.take());
            let mut connection = dialer.connect(&origin, &vu).await?;
            let (mut all, mut stamp) = (Vec::new(), None);
            let mut buffer = vec![0; 40_000];
            loop {
                let read = poll_fn(|cx| connection.poll_read(cx, &mut buffer))
                    .await
                    .map_err(|error| NetError::from_io("read", &error))?;
                if read.bytes == 0 {
                    break;
                }
                stamp = read.kernel_ns;
                all.extend_from_slice(&buffer[..read.bytes]);
            }
            last = Some((connection, all, stamp));
        }
        Ok(last.unwrap())
    })
}

#[test]
fn what_a_server_says_about_its_certificate_belongs_to_its_connection() {
    let identity = Identity::new(false);
    let statement = include_bytes!("data/ocsp-revoked.der").to_vec();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert_with_ocsp(
            vec![identity.cert.der().clone()],
            identity.key_der(),
            statement,
        )
        .unwrap();
    let revoked = OcspStatus::Revoked {
        at_s: 1_735_787_045,
        reason: 1,
    };
    let anyone = TlsSettings {
        insecure_skip_verify: true,
        ..TlsSettings::default()
    };
    for tls in [trusting(&identity), anyone] {
        let status = |config: ServerConfig| {
            let (port, server) = serve(config, 1, 0);
            let (connection, _, _) = talk(tls.clone(), "localhost", port, 1).unwrap();
            let facts = connection.tls.clone().unwrap();
            drop(connection);
            server.join().unwrap();
            facts.ocsp.map(|ocsp| ocsp.status)
        };
        assert_eq!(status(config.clone()), Some(revoked));
        assert_eq!(status(identity.server_config(None)), None);
    }
}

#[test]
fn a_trusted_server_and_what_was_agreed() {
    let identity = Identity::new(false);
    let (port, server) = serve(identity.server_config(None), 1, 0);
    let (connection, said, _) = talk(trusting(&identity), "localhost", port, 1).unwrap();
    assert_eq!(said, b"hello");
    let facts = connection.tls.clone().unwrap();
    assert_eq!(facts.version, "tls1.3");
    assert!(facts.cipher_suite.starts_with("TLS_"), "{facts:?}");
    assert!(connection.times.tls_ns > 0);
    assert!(connection.socket().received() > said.len() as u64);
    drop(connection);
    server.join().unwrap();
}

#[test]
fn a_certificate_that_is_its_own_authority_is_trusted_when_named() {
    let identity = Identity::new(true);
    let (port, server) = serve(identity.server_config(None), 4, 0);
    talk(trusting(&identity), "localhost", port, 1).unwrap();
    let error = talk(TlsSettings::default(), "localhost", port, 1).unwrap_err();
    assert_eq!(error, NetError::UnknownAuthority);
    for settings in [trusting(&identity), TlsSettings::default()] {
        // The name is looked at first, as Go does.
        let error = talk(settings, "wrong.test", port, 1).unwrap_err();
        assert!(matches!(error, NetError::HostMismatch { .. }), "{error:?}");
    }
    server.join().unwrap();
}

#[test]
fn certificates_are_judged() {
    let identity = Identity::new(false);
    let (port, server) = serve(identity.server_config(None), 3, 0);
    let error = talk(TlsSettings::default(), "localhost", port, 1).unwrap_err();
    assert_eq!(error, NetError::UnknownAuthority);
    let error = talk(trusting(&identity), "wrong.test", port, 1).unwrap_err();
    assert!(matches!(error, NetError::HostMismatch { .. }), "{error:?}");
    let insecure = TlsSettings {
        insecure_skip_verify: true,
        ..TlsSettings::default()
    };
    talk(insecure, "wrong.test", port, 1).unwrap();
    server.join().unwrap();
}

#[test]
fn versions_and_suites_can_be_chosen() {
    let identity = Identity::new(false);
    let (port, server) = serve(identity.server_config(None), 1, 0);
    let settings = TlsSettings {
        max_version: Some(TlsVersion::Tls12),
        cipher_suites: vec![
            "TLS_RSA_WITH_RC4_128_SHA".to_owned(),
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384".to_owned(),
        ],
        ..trusting(&identity)
    };
    let (connection, _, _) = talk(settings, "localhost", port, 1).unwrap();
    let facts = connection.tls.clone().unwrap();
    assert_eq!(facts.version, "tls1.2");
    assert_eq!(
        &*facts.cipher_suite,
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
    );
    drop(connection);
    server.join().unwrap();
}

#[test]
fn sessions_are_resumed_only_when_asked_for() {
    let identity = Identity::new(false);
    for resumption in [false, true] {
        let (port, server) = serve(identity.server_config(None), 2, 0);
        let settings = TlsSettings {
            session_resumption: resumption,
            ..trusting(&identity)
        };
        let (connection, _, _) = talk(settings, "localhost", port, 2).unwrap();
        assert_eq!(connection.tls.as_ref().unwrap().resumed, resumption);
        drop(connection);
        server.join().unwrap();
    }
}

#[test]
fn client_certificates_go_to_their_domains() {
    let (identity, client) = (Identity::new(false), Identity::new(false));
    let (port, server) = serve(identity.server_config(Some(&client)), 2, 0);
    let settings = |domain: &str| TlsSettings {
        insecure_skip_verify: true,
        client_certs: vec![ClientCert {
            domains: vec![domain.to_owned()],
            cert_pem: client.cert.pem(),
            key_pem: client.key.serialize_pem(),
        }],
        ..TlsSettings::default()
    };
    talk(settings("*.test"), "good.test", port, 1).unwrap();
    let error = talk(settings("*.other"), "good.test", port, 1).unwrap_err();
    assert!(error.to_string().starts_with("tls: "), "{error}");
    server.join().unwrap();
}

#[test]
fn long_answers_arrive_whole_and_stamped() {
    let identity = Identity::new(false);
    let (port, server) = serve(identity.server_config(None), 1, 1_000_000);
    let (connection, said, stamp) = talk(trusting(&identity), "localhost", port, 1).unwrap();
    assert_eq!(said.len(), 1_000_005);
    let body = said[5..].iter().enumerate();
    assert!(body.into_iter().all(|(at, byte)| *byte == at as u8));
    assert!(stamp.is_some() || connection.socket().stamping() == Stamping::Refused);
    drop(connection);
    server.join().unwrap();
}

#[test]
fn a_server_that_does_not_speak_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            .unwrap();
        // Closing with unread bytes would reset the connection before the answer is read.
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.read(&mut [0; 4096]);
    });
    let error = talk(TlsSettings::default(), "localhost", port, 1).unwrap_err();
    assert_eq!(error, NetError::BadRecordHeader);
    server.join().unwrap();
}

#[test]
fn mistakes_in_the_settings_are_sentences() {
    let sentence = |tls: TlsSettings| {
        let config = NetConfig {
            tls,
            ..NetConfig::default()
        };
        match Network::new(&config) {
            Ok(_) => "fine".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    let suites = |names: &[&str]| TlsSettings {
        cipher_suites: names.iter().map(|name| (*name).to_owned()).collect(),
        ..TlsSettings::default()
    };
    assert_eq!(
        sentence(suites(&["AES"])),
        "tlsCipherSuites: \"AES\" is not the IANA name of a cipher suite."
    );
    assert!(
        sentence(suites(&["TLS_RSA_WITH_RC4_128_SHA"]))
            .starts_with("tlsCipherSuites: none of the suites is supported; supported are TLS_")
    );
    assert_eq!(
        TlsVersion::parse("tls1.0").unwrap_err().to_string(),
        "tlsVersion: \"tls1.0\" is not supported, use tls1.2 or tls1.3."
    );
    let swapped = TlsSettings {
        min_version: Some(TlsVersion::Tls13),
        max_version: Some(TlsVersion::Tls12),
        ..TlsSettings::default()
    };
    assert_eq!(sentence(swapped), "tlsVersion: min is above max.");
    let (one, other) = (Identity::new(false), Identity::new(false));
    let cert = |cert_pem: String, key_pem: String| TlsSettings {
        client_certs: vec![ClientCert {
            domains: Vec::new(),
            cert_pem,
            key_pem,
        }],
        ..TlsSettings::default()
    };
    let key = one.key.serialize_pem();
    assert_eq!(
        sentence(cert("x".to_owned(), key.clone())),
        "tlsAuth: the certificate is not PEM."
    );
    assert_eq!(
        sentence(cert(one.cert.pem(), "x".to_owned())),
        "tlsAuth: the key is not a PEM private key."
    );
    assert!(sentence(cert(other.cert.pem(), key)).starts_with("tlsAuth: "));
    assert_eq!(
        sentence(cert(one.cert.pem(), one.key.serialize_pem())),
        "fine"
    );
}
