//! The server as a client sees it, byte by byte over a socket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use netload_target::{Running, Target, TargetConfig, faults};

const PATIENCE: Duration = Duration::from_secs(20);

fn server() -> Running {
    Target::start(TargetConfig::default()).expect("a free port")
}

/// Sends `request` and reads until the server closes.
fn exchange(server: &Running, request: &str) -> String {
    let mut socket = connect(server);
    socket.write_all(request.as_bytes()).unwrap();
    read_to_end(&mut socket)
}

fn connect(server: &Running) -> TcpStream {
    let socket = TcpStream::connect(server.addr()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket
}

fn read_to_end(socket: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset at the end is part of some answers.
    let _ = socket.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Reads one answer of `/`, leaving the connection open.
fn read_hello(socket: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    while !answer.ends_with(b"hello, world") {
        let mut byte = [0];
        socket.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    String::from_utf8(answer).unwrap()
}

fn get(server: &Running, target: &str) -> String {
    exchange(
        server,
        &format!("GET {target} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"),
    )
}

/// Each of `parts` must occur in the answer to a GET of `target`.
fn check(target: &str, parts: &[&str]) {
    let answer = get(&server(), target);
    for part in parts {
        assert!(answer.contains(part), "{target}: no {part:?} in\n{answer}");
    }
}

#[test]
fn answers_by_path() {
    for (target, parts) in [
        ("/", ["HTTP/1.1 200 OK\r\n", "\r\n\r\nhello, world"]),
        ("/fast", ["Content-Length: 12", "\r\n\r\nhello, world"]),
        ("/fixed/1ms", ["200 OK", "hello, world"]),
        ("/exp/1ms", ["200 OK", "hello, world"]),
        ("/bimodal/0ms/1ms/10%", ["200 OK", "hello, world"]),
        (
            "/bytes/30",
            ["Content-Length: 30", "abcdefghijklmnopqrstuvwxyzabcd"],
        ),
        (
            "/stream/2",
            [
                "Transfer-Encoding: chunked",
                "9\r\n{\"id\":0}\n\r\n9\r\n{\"id\":1}\n\r\n0\r\n\r\n",
            ],
        ),
        (
            "/status/503",
            ["HTTP/1.1 503 Service Unavailable", "Content-Length: 0"],
        ),
        (
            "/status/204",
            ["HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", ""],
        ),
        ("/redirect/2", ["302 Found", "Location: /redirect/1"]),
        (
            "/redirect-to?url=/get&status=307",
            ["307 Temporary Redirect", "Location: /get"],
        ),
        (
            "/cookies/set?a=1&b=2",
            ["Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/"],
        ),
        (
            "/cookies/delete?a",
            ["Set-Cookie: a=; Path=/; Max-Age=0", "Location: /cookies"],
        ),
        ("/basic-auth/u/p", ["401", "WWW-Authenticate: Basic realm="]),
        ("/digest-auth/auth/u/p", ["401", "qop=\"auth\""]),
        ("/ntlm/u/p", ["401", "WWW-Authenticate: NTLM\r\n"]),
        ("/gzip", ["Content-Encoding: gzip", "\r\n\r\n"]),
        (
            "/get?a=1&a=2",
            ["\"a\":[\"1\",\"2\"]", "\"url\":\"http://t/get?a=1&a=2\""],
        ),
        ("/post", ["405", "Allow: POST"]),
        ("/response-headers?X-A=b", ["X-A: b", "200 OK"]),
        (
            "/response-headers?X-A=b%0d%0aX-B:c",
            ["400", "without line ends"],
        ),
        ("/connection/close", ["Connection: close", "hello, world"]),
        ("/healthz", ["200 OK", "ok\n"]),
        ("/tls", ["\"secure\":false", ""]),
        ("/nowhere", ["404", "no such path"]),
        ("/fixed/soon", ["400", "for example"]),
        ("/__log", ["404", "does not log"]),
    ] {
        check(target, &parts);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order_on_one_connection() {
    let answer = exchange(
        &server(),
        "GET / HTTP/1.1\r\nHost: t\r\n\r\nPOST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nfirst\
         GET /fixed/5ms HTTP/1.1\r\nHost: t\r\n\r\nGET /bytes/3 HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    let order = ["hello, world", "\"body\":\"first\"", "hello, world", "abc"];
    let mut rest = answer.as_str();
    for part in order {
        let at = rest
            .find(part)
            .unwrap_or_else(|| panic!("no {part} in {answer}"));
        rest = &rest[at + part.len()..];
    }
    assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 4);
}

#[test]
fn http_1_0_clients_are_told_when_the_connection_stays() {
    let server = server();
    let mut socket = connect(&server);
    for _ in 0..2 {
        socket
            .write_all(b"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
            .unwrap();
        let answer = read_hello(&mut socket);
        assert!(answer.contains("Connection: keep-alive\r\n"), "{answer}");
    }
    let once = exchange(&server, "GET / HTTP/1.0\r\n\r\n");
    assert!(once.contains("Connection: close\r\n"), "{once}");
}

#[test]
fn bodies_arrive_whether_chunked_announced_or_in_pieces() {
    let server = server();
    let chunked = exchange(
        &server,
        "POST /upload HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
         5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n",
    );
    assert!(chunked.contains("\"bytes\":12"), "{chunked}");

    let mut socket = connect(&server);
    let head = "POST /upload HTTP/1.1\r\nContent-Length: 12\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
    socket.write_all(head.as_bytes()).unwrap();
    let mut promise = [0; 25];
    socket.read_exact(&mut promise).unwrap();
    assert_eq!(&promise, b"HTTP/1.1 100 Continue\r\n\r\n");
    for byte in b"hello, world" {
        socket.write_all(&[*byte]).unwrap();
    }
    let whole = read_to_end(&mut socket);
    let hash = "\"sha256\":\"";
    let digest = |text: &str| text[text.find(hash).unwrap()..].to_owned();
    assert_eq!(digest(&whole), digest(&chunked));
}

#[test]
fn a_head_answer_has_the_length_but_no_body() {
    let answer = exchange(
        &server(),
        "HEAD /bytes/500 HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    assert!(answer.contains("Content-Length: 500"), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
}

#[test]
fn what_is_not_http_is_refused_and_the_server_goes_on() {
    let server = server();
    for (request, status) in [
        ("nonsense\r\n\r\n", "400"),
        (
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "400",
        ),
        (
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            "413",
        ),
        (
            "POST /post HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "400",
        ),
    ] {
        let answer = exchange(&server, request);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{request:?}: {answer}"
        );
    }
    assert!(get(&server, "/").contains("hello, world"));
}

#[test]
fn service_times_are_never_short() {
    let server = server();
    for (target, least) in [
        ("/fixed/30ms", 30),
        ("/delay/0.02", 20),
        ("/slow/bytes/10/over/40ms", 40),
    ] {
        let start = Instant::now();
        let answer = get(&server, target);
        assert!(answer.contains("200 OK"), "{answer}");
        assert!(start.elapsed() >= Duration::from_millis(least), "{target}");
    }
    assert!(get(&server, "/slow/bytes/10/over/1ms").ends_with("xxxxxxxxxx"));
}

#[test]
fn waiting_answers_do_not_hold_up_others() {
    let server = server();
    let mut waiting = connect(&server);
    waiting
        .write_all(b"GET /fixed/10s HTTP/1.1\r\nHost: t\r\n\r\n")
        .unwrap();
    let start = Instant::now();
    assert!(get(&server, "/").contains("hello, world"));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_log_keeps_requests_in_a_canonical_form() {
    let server = Target::start(TargetConfig {
        log_requests: true,
        ..TargetConfig::default()
    })
    .unwrap();
    exchange(
        &server,
        "POST /anything?x=1 HTTP/1.1\r\nZ: 1\r\na: 2\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
    );
    let requests = server.requests();
    assert_eq!(
        requests[0].to_json().to_string(),
        r#"{"connection":1,"secure":false,"method":"POST","target":"/anything?x=1","version":"1.1","headers":[["a","2"],["Connection","close"],["Content-Length","2"],["Z","1"]],"body":{"bytes":2,"sha256":"8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","text":"hi"}}"#
    );
    let logged = get(&server, "/__log");
    assert!(logged.contains(r#""target":"/anything?x=1""#), "{logged}");
    get(&server, "/__log/clear");
    assert!(server.requests().is_empty());
}

#[test]
fn connections_are_spread_over_the_workers_and_all_end_with_the_server() {
    let server = Target::start(TargetConfig {
        workers: 3,
        ..TargetConfig::default()
    })
    .unwrap();
    let mut sockets: Vec<_> = (0..9).map(|_| connect(&server)).collect();
    for socket in &mut sockets {
        socket
            .write_all(b"GET / HTTP/1.1\r\nHost: t\r\n\r\n")
            .unwrap();
        read_hello(socket);
    }
    assert_eq!(server.connections(), 9);
    server.shutdown();
    for socket in &mut sockets {
        assert_eq!(read_to_end(socket), "");
    }
}

#[test]
fn every_fault_ends_and_leaves_the_server_unharmed() {
    let server = server();
    for (name, _) in faults() {
        let mut socket = connect(&server);
        let request =
            format!("POST /fault/{name} HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nbody");
        socket.write_all(request.as_bytes()).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_millis(100)))
            .unwrap();
        let mut some = vec![0; 64 * 1024];
        let _ = socket.read(&mut some);
        drop(socket);
        assert!(get(&server, "/").contains("hello, world"), "after {name}");
    }
}

#[test]
fn faults_say_what_they_promise() {
    let server = server();
    let fault = |name: &str| get(&server, &format!("/fault/{name}"));
    assert_eq!(fault("reset"), "");
    assert_eq!(fault("close"), "");
    assert_eq!(fault("close-mid-head"), "HTTP/1.1 200 OK\r\nContent-Ty");
    assert!(fault("reset-mid-body").ends_with("\r\n\r\nhalf"));
    assert!(fault("http09").starts_with("<p>"));
    assert_eq!(fault("informational").matches("HTTP/1.1 ").count(), 3);
    assert!(fault("huge-header").len() > 16 * 1024 * 1024);
    assert!(fault("no-such").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_fault_listener_does_not_wait_for_a_request() {
    let server = Target::start_fault("bad-status-line").unwrap();
    assert!(read_to_end(&mut connect(&server)).starts_with("HTTP/1.1 fine"));
    assert!(Target::start_fault("no-such").is_err());
    let reset = Target::start_fault("reset").unwrap();
    assert_eq!(read_to_end(&mut connect(&reset)), "");
}
