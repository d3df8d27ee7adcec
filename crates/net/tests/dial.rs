//! From an origin to a connection, by every route, over loopback.

use std::future::poll_fn;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, TcpListener};
use std::thread;

use netload_net::{
    Clock, Connection, Dialer, DnsConfig, DnsPolicy, NetConfig, NetError, Network, Origin,
    ProxySettings, Scheme, Stamping,
};

fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(test)
}

fn http(host: &str, port: u16) -> Origin {
    Origin::new(Scheme::Http, host, port)
}

/// Connects as VU 1.
fn connect(config: NetConfig, origin: &Origin) -> Result<Connection, NetError> {
    run(async {
        let dialer = Dialer::new(Network::new(&config)?, Clock::new());
        dialer.connect(origin, &dialer.vu_local(1)).await
    })
}

/// A port on which somebody listens, and the listener.
fn listen(address: &str) -> (TcpListener, u16) {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn hosts(rules: &[(&str, String)]) -> NetConfig {
    NetConfig {
        hosts: rules
            .iter()
            .map(|(name, target)| ((*name).to_owned(), target.clone()))
            .collect(),
        ..NetConfig::default()
    }
}

#[test]
fn literal_addresses_and_localhost() {
    let (_listener, port) = listen("127.0.0.1");
    for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
        let connection = connect(NetConfig::default(), &http(host, port)).unwrap();
        assert_eq!(connection.remote.unwrap().port(), port);
        assert_eq!(connection.times.tls_ns, 0);
        assert!(connection.times.connect_ns > 0);
    }
}

#[test]
fn ipv6_and_the_next_address_when_one_refuses() {
    let (_listener, port) = listen("::1");
    let connection = connect(NetConfig::default(), &http("[::1]", port)).unwrap();
    assert!(connection.remote.unwrap().is_ipv6());
    let config = NetConfig {
        dns: DnsConfig {
            policy: DnsPolicy::Any,
            ..DnsConfig::default()
        },
        ..NetConfig::default()
    };
    let connection = connect(config, &http("localhost", port)).unwrap();
    assert!(connection.remote.unwrap().is_ipv6());
}

#[test]
fn hosts_and_connect_to_lead_elsewhere() {
    let (_listener, port) = listen("127.0.0.1");
    let rules = hosts(&[("*.test", format!("127.0.0.1:{port}"))]);
    connect(rules, &http("some.test", 80)).unwrap();
    let rules = hosts(&[("some.test", "127.0.0.1".to_owned())]);
    connect(rules, &http("some.test", port)).unwrap();
    let config = NetConfig {
        connect_to: vec![format!("some.test:80:localhost:{port}")],
        ..NetConfig::default()
    };
    connect(config, &http("some.test", 80)).unwrap();
}

#[test]
fn refusals_name_their_reason() {
    let (_listener, port) = listen("127.0.0.1");
    let blocked = NetConfig {
        block_hostnames: vec!["*.test".to_owned()],
        ..hosts(&[("some.test", "127.0.0.1".to_owned())])
    };
    let error = connect(blocked, &http("some.test", port)).unwrap_err();
    assert_eq!(
        error.detail(),
        "hostname (some.test) is in a blocked pattern (*.test)"
    );
    let blacklisted = NetConfig {
        blacklist_ips: vec!["127.0.0.0/8".to_owned()],
        ..NetConfig::default()
    };
    let error = connect(blacklisted, &http("localhost", port)).unwrap_err();
    assert_eq!(
        error.detail(),
        "IP (127.0.0.1) is in a blacklisted range (127.0.0.0/8)"
    );
    let (closed, port) = listen("127.0.0.1");
    drop(closed);
    let error = connect(NetConfig::default(), &http("127.0.0.1", port)).unwrap_err();
    assert_eq!(error, NetError::Refused);
    // The resolver answers for this top-level domain by itself.
    let error = connect(NetConfig::default(), &http("no-such-host.invalid", 80)).unwrap_err();
    assert_eq!(error.to_string(), "lookup: no such host");
}

#[test]
fn vus_have_their_source_addresses() {
    let (listener, port) = listen("127.0.0.1");
    let config = NetConfig {
        local_ips: "127.0.0.7".to_owned(),
        ..NetConfig::default()
    };
    let _connection = connect(config, &http("127.0.0.1", port)).unwrap();
    let (_, peer) = listener.accept().unwrap();
    assert_eq!(peer.ip(), "127.0.0.7".parse::<IpAddr>().unwrap());
}

#[test]
fn unix_sockets_serve_any_url() {
    let path = std::env::temp_dir().join(format!("netload-dial-{}.sock", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let config = NetConfig {
        unix_socket: Some(path.clone()),
        ..NetConfig::default()
    };
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"hello").unwrap();
    });
    run(async {
        let dialer = Dialer::new(Network::new(&config).unwrap(), Clock::new());
        let origin = http("anything.test", 80);
        let mut connection = dialer.connect(&origin, &dialer.vu_local(1)).await.unwrap();
        assert_eq!(connection.remote, None);
        assert_eq!(connection.socket().stamping(), Stamping::Unix);
        let mut buffer = [0; 16];
        let read = poll_fn(|cx| connection.poll_read(cx, &mut buffer)).await;
        let read = read.unwrap();
        assert_eq!(
            (&buffer[..read.bytes], read.kernel_ns),
            (&b"hello"[..], None)
        );
    });
    server.join().unwrap();
    std::fs::remove_file(path).unwrap();
}

/// Lets a proxy answer `CONNECT` with `answer` and returns what it was asked and how it ended for us.
fn tunnel(answer: &'static str) -> (String, NetError) {
    let (listener, port) = listen("127.0.0.1");
    let proxy = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = Vec::new();
        let mut byte = [0];
        while !asked.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            asked.push(byte[0]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(asked).unwrap()
    });
    let config = NetConfig {
        proxy: ProxySettings {
            https: format!("http://user:secret@127.0.0.1:{port}"),
            ..ProxySettings::default()
        },
        ..NetConfig::default()
    };
    let origin = Origin::new(Scheme::Https, "server.test", 8443);
    let error = connect(config, &origin).unwrap_err();
    (proxy.join().unwrap(), error)
}

#[test]
fn proxies_are_asked_for_a_tunnel() {
    let (asked, error) = tunnel("HTTP/1.1 403 Forbidden\r\n\r\n");
    assert_eq!(
        asked,
        "CONNECT server.test:8443 HTTP/1.1\r\nHost: server.test:8443\r\n\
         Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n\r\n"
    );
    assert_eq!(error.to_string(), "proxy: Forbidden");
    let (_, error) = tunnel("garbage\r\n\r\n");
    assert_eq!(error.to_string(), "proxy: malformed answer");
    // The tunnel is there, but nobody speaks TLS behind it.
    let (_, error) = tunnel("HTTP/1.1 200 Connection established\r\n\r\n");
    assert!(
        matches!(error, NetError::Tls { .. } | NetError::Reset { .. }),
        "{error:?}"
    );
}

#[test]
fn mistakes_in_the_configuration_are_sentences() {
    let sentence = |config: NetConfig| match Network::new(&config) {
        Ok(_) => "fine".to_owned(),
        Err(error) => error.to_string(),
    };
    let config = NetConfig {
        connect_to: vec!["a:b".to_owned()],
        ..NetConfig::default()
    };
    assert_eq!(
        sentence(config),
        "connect-to: \"a:b\" is not of the form HOST1:PORT1:HOST2:PORT2."
    );
    let config = NetConfig {
        local_ips: "10.0.0.300".to_owned(),
        ..NetConfig::default()
    };
    assert_eq!(
        sentence(config),
        "localIPs: \"10.0.0.300\" is not an address, a from-to range or a CIDR range."
    );
}
