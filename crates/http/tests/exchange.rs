//! What an exchange makes of what servers do, over real sockets.

mod scripted;

use std::time::Duration;

use netload_http::{BodyMode, ClientConfig, ExchangeOptions};
use netload_net::NetConfig;
use scripted::{
    Step, answer, client, client_with, facts, get, prepared, run, send, serve, with_body, within,
};

/// Runs one GET against one script.
fn check(script: Vec<Step>, expected: &str) {
    run(async {
        let server = serve(vec![script]).await;
        let client = client();
        let options = within(&client, Duration::from_millis(500));
        let exchange = client
            .exchange(&prepared("GET", &server.url("/")), &options)
            .await;
        assert_eq!(facts(&exchange), expected);
        assert_eq!(
            exchange.timings.gross_ns(),
            exchange.timings.duration_ns + exchange.timings.tare_ns
        );
    });
}

#[test]
fn bodies_in_every_framing() {
    check(
        answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        "200 \"hello\"",
    );
    check(
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        "200 \"hello\"",
    );
    check(answer("HTTP/1.1 200 OK\r\n\r\nhello"), "200 \"hello\"");
    check(answer("HTTP/1.0 404 Not Found\r\n\r\n"), "404 \"\"");
    check(answer("HTTP/1.1 204 No Content\r\n\r\n"), "204 \"\"");
    check(
        answer("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
        "304 \"\"",
    );
}

#[test]
fn interim_responses_are_skipped() {
    check(
        answer(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
        ),
        "200 \"a\"",
    );
}

#[test]
fn responses_may_come_in_drops() {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    check(vec![Step::Request, Step::Drip(text.into())], "200 \"abc\"");
}

#[test]
fn connections_are_used_again() {
    run(async {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
        let server = serve(vec![[answer(one), answer(one)].concat()]).await;
        let client = client();
        assert_eq!(facts(&get(&client, &server.url("/")).await), "200 \"a\"");
        let second = get(&client, &server.url("/x?y=z")).await;
        assert_eq!(facts(&second), "200 \"a\" reused");
        assert_eq!(second.timings.connecting_ns, 0);
        assert_eq!(second.received, one.len() as u64);
        assert!(
            server
                .last()
                .starts_with("GET /x?y=z HTTP/1.1\r\nHost: 127.0.0.1:")
        );
        assert_eq!(client.idle(), 1);
        client.close_idle();
        assert_eq!(client.idle(), 0);
    });
}

#[test]
fn kernel_stamps_come_with_tcp_responses() {
    run(async {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
        let scripts = [answer(one), answer(one), answer(one)].concat();
        let server = serve(vec![scripts]).await;
        let client = client();
        let mut stamped = false;
        for _ in 0..3 {
            // The host-wide switch takes effect with a delay, so only the last one must be stamped.
            tokio::time::sleep(Duration::from_millis(20)).await;
            let exchange = get(&client, &server.url("/")).await;
            let stamps = exchange.stamps;
            stamped = stamps.krx_last_ns.is_some();
            if let Some(krx_ns) = stamps.krx_last_ns {
                assert!(krx_ns <= stamps.t5_last_ns + 1_000_000);
                assert!(krx_ns + 10_000_000_000 > stamps.t2_before_write_ns);
            }
        }
        assert!(stamped || !cfg!(target_os = "linux"));
    });
}

#[test]
fn a_connection_that_died_idle_is_replaced() {
    run(async {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
        let server = serve(vec![answer(one), answer(one)]).await;
        let client = client();
        assert_eq!(facts(&get(&client, &server.url("/")).await), "200 \"a\"");
        // At once, so that only the failed exchange can tell.
        tokio::task::yield_now().await;
        assert_eq!(facts(&get(&client, &server.url("/")).await), "200 \"a\"");
    });
}

#[test]
fn a_connection_that_died_while_resting_is_replaced_for_posts_too() {
    run(async {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
        let server = serve(vec![answer(one), answer(one)]).await;
        let client = client();
        assert_eq!(facts(&get(&client, &server.url("/")).await), "200 \"a\"");
        tokio::time::sleep(Duration::from_millis(40)).await;
        let post = with_body("POST", &server.url("/"), b"body");
        let exchange = client.exchange(&post, &ExchangeOptions::default()).await;
        assert_eq!(facts(&exchange), "200 \"a\"");
        assert!(server.last().ends_with("Content-Length: 4\r\n\r\nbody"));
    });
}

#[test]
fn no_reuse_means_a_connection_each() {
    run(async {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
        let server = serve(vec![answer(one), answer(one)]).await;
        let config = ClientConfig {
            no_reuse: true,
            ..ClientConfig::default()
        };
        let client = client_with(&NetConfig::default(), config);
        for _ in 0..2 {
            assert_eq!(facts(&get(&client, &server.url("/")).await), "200 \"a\"");
        }
    });
}

#[test]
fn discarded_bodies_are_counted() {
    run(async {
        let server = serve(vec![answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        )])
        .await;
        let client = client();
        let options = ExchangeOptions {
            body: BodyMode::Discard,
            deadline_ns: None,
        };
        let exchange = client
            .exchange(&prepared("GET", &server.url("/")), &options)
            .await;
        assert_eq!(facts(&exchange), "200 \"\"");
        assert_eq!(exchange.body_bytes, 5);
        assert_eq!(
            exchange.header("content-length").as_deref(),
            Some(&b"5"[..])
        );
    });
}

#[test]
fn a_server_may_answer_before_it_has_heard_everything() {
    run(async {
        let early = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno";
        let server = serve(vec![vec![
            Step::ReadBytes(100),
            send(early),
            Step::AwaitClose,
        ]])
        .await;
        let client = client();
        let body = vec![b'x'; 32 << 20];
        let post = with_body("POST", &server.url("/"), &body);
        let options = within(&client, Duration::from_secs(5));
        let exchange = client.exchange(&post, &options).await;
        assert_eq!(facts(&exchange), "413 \"no\"");
        assert_eq!(client.idle(), 0);
    });
}

#[test]
fn lies_cost_one_failed_exchange() {
    check(
        answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
        "0 \"hello\" 1000 unexpected EOF",
    );
    check(
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXY"),
        "0 \"hello\" 1000 malformed chunked encoding",
    );
    check(answer(""), "0 \"\" 1000 EOF");
    check(
        answer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na"),
        "0 \"\" 1000 http: message cannot contain multiple Content-Length headers; got [\"1\" \"2\"]",
    );
    check(
        answer("SSH-2.0-OpenSSH_9.2\r\n"),
        "0 \"\" 1000 malformed HTTP response \"SSH-2.0-OpenSSH_9.2\"",
    );
    check(
        vec![
            Step::Request,
            Step::SendForever(b"HTTP/1.1 200 OK\r\nX: y\r\n".to_vec()),
        ],
        "0 \"\" 1000 malformed MIME header: missing colon or malformed name",
    );
    check(
        vec![
            Step::Request,
            send("HTTP/1.1 200 OK\r\n"),
            Step::SendForever(
                b"X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n".repeat(64),
            ),
        ],
        "0 \"\" 1000 malformed MIME header: too many lines",
    );
    check(
        vec![
            Step::Request,
            send("HTTP/1.1 200 OK\r\nX: "),
            Step::SendForever(b"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy".repeat(64)),
        ],
        "0 \"\" 1000 HTTP response head exceeds 262144 bytes",
    );
}

#[test]
fn resets_and_silence_have_their_codes() {
    check(
        vec![Step::Request, Step::Reset],
        "0 \"\" 1220 read: connection reset by peer",
    );
    check(
        vec![Step::Request, Step::AwaitClose],
        "0 \"\" 1050 request timeout",
    );
    check(
        vec![
            Step::Request,
            send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"),
            Step::AwaitClose,
        ],
        "0 \"part\" 1050 request timeout",
    );
}

#[test]
fn a_deadline_that_has_passed_sends_nothing() {
    run(async {
        let server = serve(vec![answer("HTTP/1.1 200 OK\r\n\r\n")]).await;
        let client = client();
        let options = within(&client, Duration::ZERO);
        let exchange = client
            .exchange(&prepared("GET", &server.url("/")), &options)
            .await;
        assert_eq!(facts(&exchange), "0 \"\" 1050 request timeout");
        assert_eq!(exchange.sent, 0);
    });
}

#[test]
fn nobody_listens() {
    run(async {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let exchange = get(&client(), &format!("http://127.0.0.1:{port}/")).await;
        assert_eq!(facts(&exchange), "0 \"\" 1212 dial: connection refused");
    });
}

#[test]
fn dropping_an_exchange_closes_its_connection() {
    run(async {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
        let server = serve(vec![vec![Step::Request, Step::AwaitClose], answer(one)]).await;
        let client = client();
        let first = prepared("GET", &server.url("/first"));
        let options = ExchangeOptions::default();
        let abandoned = client.exchange(&first, &options);
        assert!(
            tokio::time::timeout(Duration::from_millis(50), abandoned)
                .await
                .is_err()
        );
        assert_eq!(client.idle(), 0);
        assert_eq!(facts(&get(&client, &server.url("/")).await), "200 \"a\"");
    });
}
