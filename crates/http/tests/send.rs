//! Redirects, cookies and authentication, as they go over the wire.

mod scripted;

use std::cell::RefCell;
use std::rc::Rc;

use netload_http::{
    AuthMode, Call, Client, Encoding, ExchangeOptions, Jar, Request, RequestCookie, SendOptions,
    Sent, Url,
};
use scripted::{Server, Step, answer, client, facts, run, serve};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn redirect(status: u16, location: &str) -> Vec<Step> {
    answer(format!(
        "HTTP/1.1 {status} R\r\nLocation: {location}\r\nSet-Cookie: rc=1; Path=/\r\nContent-Length: 4\r\n\r\nbody"
    ))
}

/// Sends and returns the outcome with one word per hop.
async fn send(client: &Client, request: Request, options: &SendOptions<'_>) -> (Sent, String) {
    let call = Call::new(request, &Rc::new(Encoding::default()), client).unwrap();
    let mut hops = Vec::new();
    let sent = client
        .send(&call, options, |hop| {
            let mark = if hop.challenge { "!" } else { "" };
            hops.push(format!("{} {}{mark}", hop.method, hop.exchange.status));
        })
        .await;
    (sent, hops.join(", "))
}

fn options(jar: &RefCell<Jar>) -> SendOptions<'_> {
    SendOptions {
        exchange: ExchangeOptions::default(),
        max_redirects: 10,
        jar: Some(jar),
        auth: AuthMode::Basic,
        sent: None,
    }
}

fn request(method: &str, server: &Server, path: &str) -> Request {
    let mut request = Request::new(method, Url::parse(&server.url(path)).unwrap());
    request.headers.set("X-B", "1");
    request
}

/// The requests a server saw, without what is the same in all.
fn seen(server: &Server) -> Vec<String> {
    let port = server.port;
    let requests = server.requests.borrow();
    requests
        .iter()
        .map(|text| {
            text.replace(&format!("Host: 127.0.0.1:{port}\r\n"), "")
                .replace(&port.to_string(), "PORT")
                .replace("\r\n", "|")
        })
        .collect()
}

#[test]
fn a_post_becomes_a_get_or_stays_a_post() {
    run(async {
        let scripts = [
            redirect(301, "/t?x=1"),
            answer(OK),
            redirect(307, "u"),
            answer(OK),
        ];
        let server = serve(vec![scripts.concat()]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        for path in ["/a", "/d/b"] {
            let mut request = request("POST", &server, path);
            request.headers.set("content-type", "text/x");
            request.headers.set("cookie", "u=1");
            request.body = Some(Rc::from(&b"data"[..]));
            let (sent, _) = send(&client, request, &options(&jar)).await;
            assert_eq!(sent.redirects, 1);
        }
        assert_eq!(
            seen(&server),
            [
                "POST /a HTTP/1.1|Content-Length: 4|Content-Type: text/x|Cookie: u=1|X-B: 1||data",
                "GET /t?x=1 HTTP/1.1|Cookie: rc=1|Referer: http://127.0.0.1:PORT/a|X-B: 1||",
                "POST /d/b HTTP/1.1|Content-Length: 4|Content-Type: text/x|Cookie: u=1; rc=1|X-B: 1||data",
                "POST /d/u HTTP/1.1|Content-Length: 4|Content-Type: text/x|Cookie: rc=1|Referer: http://127.0.0.1:PORT/d/b|X-B: 1||data",
            ]
        );
    });
}

#[test]
fn secrets_stay_with_their_host() {
    run(async {
        let server = serve(vec![redirect(302, "http://localhost:1/x"), answer(OK)]).await;
        let location = format!("http://localhost:{}/x", server.port);
        let elsewhere = serve(vec![redirect(302, &location)]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        let mut request = request("GET", &elsewhere, "/");
        request.headers.set("Authorization", "secret");
        let _ = server;
        let (sent, hops) = send(&client, request, &options(&jar)).await;
        assert_eq!(hops, "GET 302, GET 302, GET 0");
        assert_eq!(sent.exchange.error.unwrap().code(), 1212);
        assert!(elsewhere.last().contains("Authorization: secret"));
        assert!(!server.last().contains("secret"));
    });
}

#[test]
fn redirects_end() {
    run(async {
        let loops = vec![redirect(302, "/loop"); 3].concat();
        let server = serve(vec![loops]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        let options = SendOptions {
            max_redirects: 2,
            ..options(&jar)
        };
        let (sent, hops) = send(&client, request("GET", &server, "/loop"), &options).await;
        assert_eq!(hops, "GET 302, GET 302, GET 302");
        assert!(sent.stopped);
        assert_eq!(facts(&sent.exchange), "302 \"body\" reused");
    });
}

#[test]
fn redirects_that_lead_nowhere() {
    run(async {
        let nowhere = answer("HTTP/1.1 302 R\r\nContent-Length: 0\r\n\r\n");
        let scripts = [
            redirect(302, "http://a b/"),
            redirect(302, "ftp://x/"),
            nowhere,
            redirect(300, "/x"),
        ];
        let server = serve(vec![scripts.concat()]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        let mut ends = Vec::new();
        for _ in 0..4 {
            let (sent, hops) = send(&client, request("GET", &server, "/"), &options(&jar)).await;
            let error = sent.exchange.error.map(|error| error.to_string());
            ends.push(format!("{hops}; {}", error.unwrap_or_default()));
        }
        assert_eq!(
            ends,
            [
                "GET 0; failed to parse Location header \"http://a b/\": parse \"http://a b/\": invalid character \" \" in host name",
                "GET 302, GET 0; unsupported protocol scheme \"ftp\"",
                "GET 302; ",
                "GET 300; ",
            ]
        );
    });
}

#[test]
fn cookies_of_request_and_jar() {
    run(async {
        let set = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=\"q v\"; HttpOnly\r\nSet-Cookie: c=3; Path=/other\r\nContent-Length: 0\r\n\r\n";
        let server = serve(vec![[answer(set), answer(OK)].concat()]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        send(&client, request("GET", &server, "/"), &options(&jar)).await;
        let mut second = request("GET", &server, "/ok");
        let cookie = |name: &str, replace| RequestCookie {
            name: name.into(),
            value: "mine".into(),
            replace,
        };
        second.cookies = vec![cookie("a", false), cookie("b", true)];
        send(&client, second, &options(&jar)).await;
        assert_eq!(
            seen(&server)[1],
            "GET /ok HTTP/1.1|Cookie: a=mine; b=mine; a=1|X-B: 1||"
        );
    });
}

#[test]
fn digest_takes_two_exchanges() {
    run(async {
        let challenge = "HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm=x\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"abc\", qop=\"auth\"\r\nContent-Length: 2\r\n\r\nno";
        let server = serve(vec![[answer(challenge), answer(OK)].concat()]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        let url = server.url("/p?q").replace("//", "//u:p@");
        let options = SendOptions {
            auth: AuthMode::Digest,
            ..options(&jar)
        };
        let request = Request::new("GET", Url::parse(&url).unwrap());
        let (sent, hops) = send(&client, request, &options).await;
        assert_eq!(hops, "GET 401!, GET 200");
        assert_eq!(facts(&sent.exchange), "200 \"ok\" reused");
        let seen = seen(&server);
        assert_eq!(seen[0], "GET /p?q HTTP/1.1|Authorization: Basic dTpw||");
        assert!(seen[1].contains("Authorization: Digest realm=\"r\", nonce=\"abc\", algorithm=\"MD5\", username=\"u\", uri=\"/p?q\""));
    });
}

/// A challenge of MS-NLMP, 4.2.4.3, as a server sends it.
const NTLM_CHALLENGE: &str = "TlRMTVNTUAACAAAADAAMADgAAAAzgoriASNFZ4mrze8AAAAAAAAAACQAJABEAAAABgBwFwAAAA9TAGUAcgB2AGUAcgACAAwARABvAG0AYQBpAG4AAQAMAFMAZQByAHYAZQByAAAAAAA=";

#[test]
fn ntlm_takes_three_exchanges_on_one_connection() {
    run(async {
        let asks = |value: &str| {
            answer(format!(
                "HTTP/1.1 401 U\r\nWWW-Authenticate: {value}\r\nContent-Length: 2\r\n\r\nno"
            ))
        };
        let steps = [
            asks("Negotiate\r\nWWW-Authenticate: NTLM"),
            asks(&format!("NTLM {NTLM_CHALLENGE}")),
            answer(OK),
        ];
        // Another connection stands idle, and was used before.
        let server = serve(vec![answer(OK), steps.concat()]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        let options = SendOptions {
            auth: AuthMode::Ntlm,
            ..options(&jar)
        };
        let url = server.url("/p").replace("//", "//u:p@");
        let mut request = Request::new("POST", Url::parse(&url).unwrap());
        request.withhold_credentials = true;
        request.body = Some(b"body".as_slice().into());
        let plain = Request::new("GET", Url::parse(&server.url("/")).unwrap());
        let (_, (sent, hops)) = futures_util::join!(
            send(&client, plain, &options),
            send(&client, request, &options)
        );
        assert_eq!(hops, "POST 401!, POST 401!, POST 200");
        assert_eq!(facts(&sent.exchange), "200 \"ok\" reused");
        let seen: Vec<String> = seen(&server)
            .into_iter()
            .filter(|text| text.starts_with("POST"))
            .collect();
        assert!(
            seen.iter().all(|text| text.ends_with("||body")),
            "{seen:#?}"
        );
        let authorization = |text: &String| {
            let line = text
                .split('|')
                .find(|line| line.starts_with("Authorization"));
            line.map(|line| line[..line.len().min(36)].to_owned())
        };
        let lines: Vec<_> = seen.iter().map(authorization).collect();
        let line = |text: &str| Some(format!("Authorization: NTLM {text}"));
        // Messages 1 and 3, in base64.
        assert_eq!(
            lines,
            [None, line("TlRMTVNTUAABAAAA"), line("TlRMTVNTUAADAAAA")]
        );
    });
}

#[test]
fn ntlm_needs_a_challenge_and_a_user() {
    run(async {
        let basic =
            "HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nno";
        let ntlm = "HTTP/1.1 401 U\r\nWWW-Authenticate: NTLM\r\nContent-Length: 2\r\n\r\nno";
        let broken = "HTTP/1.1 401 U\r\nWWW-Authenticate: NTLM AAAA\r\nContent-Length: 2\r\n\r\nno";
        let steps = [answer(basic), answer(ntlm), answer(ntlm), answer(broken)].concat();
        let server = serve(vec![steps]).await;
        let (client, jar) = (client(), RefCell::new(Jar::new()));
        let options = SendOptions {
            auth: AuthMode::Ntlm,
            ..options(&jar)
        };
        let mut all = Vec::new();
        for user in ["u:p@", "", "u:p@"] {
            let url = server.url("/p").replace("//", &format!("//{user}"));
            let mut request = Request::new("GET", Url::parse(&url).unwrap());
            request.withhold_credentials = true;
            all.push(send(&client, request, &options).await.1);
        }
        assert_eq!(all, ["GET 401", "GET 401", "GET 401!, GET 401"]);
    });
}
