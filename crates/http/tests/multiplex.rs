//! HTTP/2 over real sockets: a client against servers that follow a script of frames.

mod scripted;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join_all;
use netload_http::{BodyMode, Client, ClientConfig, Exchange};
use netload_net::NetConfig;
use scripted::{client_with, facts, prepared, run, within};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
/// `:status: 200`.
const OK: &[u8] = &[0x88];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let mut out = vec![length[1], length[2], length[3], kind, flags];
    out.extend_from_slice(&stream.to_be_bytes());
    out.extend_from_slice(payload);
    out
}

fn ok(stream: u32, body: &str) -> Vec<u8> {
    let head = frame(HEADERS, 4, stream, OK);
    [head, frame(DATA, 1, stream, body.as_bytes())].concat()
}

/// A server of HTTP/2 that answers what `answers` says.
struct Server {
    port: u16,
    connections: Rc<Cell<usize>>,
    /// Frames that came, as `kind:stream`, settings and their like left out.
    seen: Rc<RefCell<Vec<String>>>,
}

/// What to send when a stream is complete: its connection and its id, both from the first.
type Answers = Rc<dyn Fn(usize, u32) -> Vec<u8>>;

async fn serve(
    settings: &'static [u8],
    answers: impl Fn(usize, u32) -> Vec<u8> + 'static,
) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server {
        port: listener.local_addr().unwrap().port(),
        connections: Rc::default(),
        seen: Rc::default(),
    };
    let (connections, seen) = (server.connections.clone(), server.seen.clone());
    let answers: Answers = Rc::new(answers);
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            connections.set(connections.get() + 1);
            let (number, seen) = (connections.get(), seen.clone());
            tokio::task::spawn_local(speak(stream, number, settings, answers.clone(), seen));
        }
    });
    server
}

async fn speak(
    mut stream: TcpStream,
    number: usize,
    settings: &[u8],
    answers: Answers,
    seen: Rc<RefCell<Vec<String>>>,
) -> Option<()> {
    let mut preface = [0; PREFACE.len()];
    stream.read_exact(&mut preface).await.ok()?;
    assert_eq!(preface, PREFACE);
    stream
        .write_all(&frame(SETTINGS, 0, 0, settings))
        .await
        .ok()?;
    loop {
        let mut header = [0; 9];
        stream.read_exact(&mut header).await.ok()?;
        let length = usize::from(header[1]) << 8 | usize::from(header[2]);
        let mut payload = vec![0; length];
        stream.read_exact(&mut payload).await.ok()?;
        let id = u32::from_be_bytes([header[5], header[6], header[7], header[8]]);
        let (kind, flags) = (header[3], header[4]);
        if id != 0 {
            seen.borrow_mut().push(format!("{kind}:{id}"));
        }
        if matches!(kind, DATA | HEADERS) && flags & 1 != 0 {
            let answer = answers(number, id);
            stream.write_all(&answer).await.ok()?;
        }
    }
}

fn client(config: ClientConfig) -> Client {
    let network = NetConfig {
        cleartext_http2: true,
        ..NetConfig::default()
    };
    client_with(&network, config)
}

async fn get(client: &Client, server: &Server) -> Exchange {
    let options = within(client, Duration::from_secs(5));
    let url = format!("http://127.0.0.1:{}/", server.port);
    let exchange = client.exchange(&prepared("GET", &url), &options).await;
    let timings = &exchange.timings;
    assert_eq!(timings.gross_ns(), timings.duration_ns + timings.tare_ns);
    exchange
}

#[test]
fn requests_share_a_connection() {
    run(async {
        let server = serve(b"", |_, id| ok(id, &format!("body {id}"))).await;
        let client = client(ClientConfig::default());
        let exchanges = join_all((0..20).map(|_| get(&client, &server))).await;
        let mut all: Vec<_> = exchanges.iter().map(facts).collect();
        assert!(all[0].contains("200 \"body 1\""), "{}", all[0]);
        all.sort();
        all.dedup();
        assert_eq!((all.len(), server.connections.get()), (20, 1));
        for exchange in &exchanges {
            assert_eq!(exchange.version().as_str(), "HTTP/2.0");
            assert!(exchange.stamps.krx_first_ns.is_some(), "there is a stamp");
            assert!(exchange.stamps.t2_before_write_ns >= exchange.stamps.t1_asked_ns);
            assert!(exchange.stamps.t3_after_write_ns >= exchange.stamps.t2_before_write_ns);
        }
        let later = get(&client, &server).await;
        assert!(later.reused && later.timings.connecting_ns == 0);
        assert_eq!(client.idle(), 1);
    });
}

#[test]
fn bytes_add_up_to_those_of_the_socket() {
    run(async {
        let server = serve(b"", |_, id| ok(id, "body")).await;
        let client = client(ClientConfig::default());
        join_all((0..10).map(|_| get(&client, &server))).await;
        let (sent, received) = client.take_bytes();
        // 9 + 1 bytes of head and 9 + 4 of body each, and the server's settings.
        assert_eq!(received, 10 * 23 + 9);
        assert!(sent > PREFACE.len() as u64);
    });
}

#[test]
fn a_full_connection_is_followed_by_another_or_waited_for() {
    // At most two streams at once.
    const TWO: &[u8] = &[0, 3, 0, 0, 0, 2];
    run(async {
        let server = serve(TWO, |_, id| ok(id, "x")).await;
        let usual = client(ClientConfig::default());
        get(&usual, &server).await;
        join_all((0..6).map(|_| get(&usual, &server))).await;
        // What a new connection allows is not known at once.
        assert_eq!(server.connections.get(), 2);
        let patient = client(ClientConfig {
            one_link: true,
            ..ClientConfig::default()
        });
        get(&patient, &server).await;
        let exchanges = join_all((0..6).map(|_| get(&patient, &server))).await;
        assert!(exchanges.iter().all(|exchange| exchange.status == 200));
        assert_eq!(server.connections.get(), 3);
    });
}

#[test]
fn what_the_server_has_not_looked_at_is_sent_again() {
    run(async {
        let refusing = |number, id| match (number, id) {
            (1, 1) => frame(GOAWAY, 0, 0, &[0; 8]),
            (2, 3) => frame(RST_STREAM, 0, id, &[0, 0, 0, 7]),
            _ => ok(id, &format!("{number}.{id}")),
        };
        let server = serve(b"", refusing).await;
        let client = client(ClientConfig::default());
        assert_eq!(get(&client, &server).await.body(), b"2.1");
        assert_eq!(get(&client, &server).await.body(), b"2.5");
        assert_eq!(server.connections.get(), 2);
    });
}

#[test]
fn failures_have_k6s_codes() {
    let check = |answer: fn(u32) -> Vec<u8>, code: u16, text: &'static str| {
        run(async move {
            let server = serve(b"", move |_, id| answer(id)).await;
            let client = client(ClientConfig::default());
            let exchange = get(&client, &server).await;
            let error = exchange.error.clone().expect("it fails");
            assert_eq!((error.code(), error.to_string()), (code, text.to_owned()));
        });
    };
    check(
        |id| frame(RST_STREAM, 0, id, &[0, 0, 0, 2]),
        1633,
        "http2: stream error with http2 ErrCode INTERNAL_ERROR",
    );
    check(
        |_| frame(DATA, 0, 0, b"x"),
        1652,
        "http2: connection error with http2 ErrCode PROTOCOL_ERROR",
    );
    check(|_| b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), 1657, FRAME_SIZE);
}

const FRAME_SIZE: &str = "http2: connection error with http2 ErrCode FRAME_SIZE_ERROR";

#[test]
fn a_deadline_and_a_lost_interest_cost_one_stream() {
    run(async {
        let silent_first = |_, id| match id {
            1 | 3 => frame(SETTINGS, 1, 0, b""),
            _ => ok(id, "x"),
        };
        let server = serve(b"", silent_first).await;
        let client = client(ClientConfig::default());
        let url = format!("http://127.0.0.1:{}/", server.port);
        let request = prepared("GET", &url);
        let options = within(&client, Duration::from_millis(50));
        let late = client.exchange(&request, &options).await;
        assert_eq!(late.error.map(|error| error.code()), Some(1050));
        let options = within(&client, Duration::from_secs(5));
        let dropped = client.exchange(&request, &options);
        let _ = tokio::time::timeout(Duration::from_millis(50), dropped).await;
        assert_eq!(get(&client, &server).await.status, 200);
        assert_eq!(server.connections.get(), 1);
        let seen = server.seen.borrow().join(" ");
        assert_eq!(seen, "1:1 3:1 1:3 3:3 1:5");
    });
}

#[test]
fn without_reuse_every_request_has_its_connection() {
    run(async {
        let server = serve(b"", |_, id| ok(id, "x")).await;
        let client = client(ClientConfig {
            no_reuse: true,
            ..ClientConfig::default()
        });
        for _ in 0..3 {
            assert!(!get(&client, &server).await.reused);
        }
        assert_eq!((server.connections.get(), client.idle()), (3, 0));
    });
}

#[test]
fn a_body_is_discarded_when_nobody_wants_it() {
    run(async {
        let server = serve(b"", |_, id| ok(id, "some body")).await;
        let client = client(ClientConfig::default());
        let mut options = within(&client, Duration::from_secs(5));
        options.body = BodyMode::Discard;
        let url = format!("http://127.0.0.1:{}/", server.port);
        let exchange = client.exchange(&prepared("GET", &url), &options).await;
        assert_eq!((exchange.body_bytes, exchange.body()), (9, &b""[..]));
    });
}
