//! HTTP/2 in the clear, to clients that begin with it; the others get HTTP/1.1 as ever.

use std::io::{Read, Write};
use std::net::TcpStream;

use bytes::Bytes;
use netload_target::{Running, Target, TargetConfig};

fn server(http2: bool) -> Running {
    let config = TargetConfig {
        http2,
        log_requests: true,
        ..TargetConfig::default()
    };
    Target::start(config).expect("a free port")
}

/// Status and body of several requests at once on one connection.
fn ask(server: &Running, requests: &[(&str, &str, &'static str)]) -> Vec<(u16, String)> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let socket = tokio::net::TcpStream::connect(server.addr()).await.unwrap();
        let (mut client, connection) = h2::client::handshake(socket).await.unwrap();
        let driven = tokio::spawn(connection);
        let mut answers = Vec::new();
        for (method, path, body) in requests {
            client = client.ready().await.unwrap();
            let request = http::Request::builder()
                .method(*method)
                .uri(format!("http://{}{path}", server.addr()))
                .body(())
                .unwrap();
            let (answer, mut stream) = client.send_request(request, false).unwrap();
            stream
                .send_data(Bytes::from_static(body.as_bytes()), true)
                .unwrap();
            answers.push(answer);
        }
        let mut read = Vec::new();
        for answer in answers {
            let answer = answer.await.unwrap();
            let (status, mut body) = (answer.status().as_u16(), answer.into_body());
            let mut text = String::new();
            while let Some(piece) = body.data().await {
                let piece = piece.unwrap();
                body.flow_control().release_capacity(piece.len()).unwrap();
                text.push_str(&String::from_utf8_lossy(&piece));
            }
            read.push((status, text));
        }
        driven.abort();
        read
    })
}

#[test]
fn requests_share_a_connection_without_tls() {
    let server = server(true);
    let answers = ask(
        &server,
        &[
            ("GET", "/fast", ""),
            ("POST", "/upload", "a body"),
            ("GET", "/status/404", ""),
            ("GET", "/bytes/200k", ""),
        ],
    );
    assert_eq!(answers[0], (200, "hello, world".to_owned()));
    assert!(answers[1].1.contains("6"), "{}", answers[1].1);
    assert_eq!(answers[2], (404, String::new()));
    assert_eq!((answers[3].0, answers[3].1.len()), (200, 200 * 1024));
    assert_eq!((server.connections(), server.requests().len()), (1, 4));
    assert!(server.requests().iter().all(|request| !request.secure));
}

#[test]
fn clients_of_http_1_are_answered_as_ever() {
    let server = server(true);
    // What begins like the preface of HTTP/2, in pieces; what is shorter than it; what came with more behind it.
    for pieces in [
        &[
            "P",
            "R",
            "OPFIND /anything HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
        ][..],
        &["GET / HTTP/1.0\r\n\r\n"],
        &[
            "GET / HTTP/1.1\r\nHost: t\r\n\r\nGET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
        ],
    ] {
        let mut socket = TcpStream::connect(server.addr()).unwrap();
        socket.set_nodelay(true).unwrap();
        for piece in pieces {
            socket.write_all(piece.as_bytes()).unwrap();
        }
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\n"),
            "{pieces:?}: {answer}"
        );
        let answers = answer.matches("HTTP/1.1 200 OK").count();
        let requests = pieces.concat().matches("Host: t").count().max(1);
        assert_eq!(answers, requests, "{pieces:?}: {answer}");
    }
}

#[test]
fn without_being_told_to_it_speaks_only_http_1() {
    let server = server(false);
    let mut socket = TcpStream::connect(server.addr()).unwrap();
    socket
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}
