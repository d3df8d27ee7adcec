//! The server from the outside: bytes in, bytes out.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use netload_web::{
    Asset, Config, Control, Filter, Hub, Kind, OPENAPI, Order, ROUTES, Refusal, Scaling,
    ServeError, Served, serve,
};
use serde_json::{Value, json};

/// Answers everything and remembers orders.
#[derive(Default)]
struct Fake(Mutex<Vec<(String, Order)>>);

impl Control for Fake {
    fn start(&self, wanted: &Value) -> Result<Value, Refusal> {
        match wanted["target"]["url"].as_str() {
            Some(_) => Ok(json!({ "id": "new" })),
            None => Err(Refusal::wrong("nothing says what to test").hint("give a URL")),
        }
    }
    fn preview(&self, _: &Value) -> Result<Value, Refusal> {
        Ok(json!({ "curves": [] }))
    }
    fn steer(&self, run: &str, order: &Order) -> Result<(), Refusal> {
        self.0.lock().unwrap().push((run.to_owned(), order.clone()));
        Ok(())
    }
    fn runs(&self, filter: &Filter) -> Result<Value, Refusal> {
        Ok(json!([{ "text": filter.text, "limit": filter.limit }]))
    }
    fn view(&self, run: &str) -> Result<String, Refusal> {
        Ok(format!("{{\"id\":\"{run}\"}}"))
    }
    fn findings(&self, _: &str) -> Result<Value, Refusal> {
        Ok(json!([]))
    }
    fn compare(&self, before: &str, after: &str) -> Result<Value, Refusal> {
        Ok(json!([before, after]))
    }
    fn forget(&self, _: &str) -> Result<(), Refusal> {
        panic!("a defect")
    }
}

struct Server {
    served: Served,
    hub: Hub,
    fake: Arc<Fake>,
}

fn start(token: Option<&str>) -> Server {
    let (hub, fake) = (Hub::default(), Arc::new(Fake::default()));
    let served = serve(Config {
        address: ([127, 0, 0, 1], 0).into(),
        name: None,
        token: token.map(str::to_owned),
        assets: vec![Asset {
            path: "/",
            media: "text/html",
            bytes: b"<p>page</p>",
        }],
        hub: hub.clone(),
        control: fake.clone(),
    });
    Server {
        served: served.unwrap(),
        hub,
        fake,
    }
}

/// Sends a request; the answer's head and body.
fn ask(address: SocketAddr, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let (first, rest) = request.split_once('\n').unwrap_or((request, ""));
    let (headers, body) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let host = if headers.contains("host:") {
        ""
    } else {
        "host: localhost\r\n"
    };
    let headers: String = headers.lines().map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    let text = format!(
        "{first} HTTP/1.1\r\n{host}{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn the_document_and_the_routes_agree() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let mut documented: Vec<String> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            documented.push(format!("{method} {path}"));
            let named: Vec<&str> = operation["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|p| p["name"].as_str())
                .collect();
            assert_eq!(
                path.contains("{id}"),
                named.contains(&"id"),
                "{method} {path}"
            );
            assert!(!operation["summary"].as_str().unwrap().is_empty());
        }
    }
    let mut served: Vec<String> = ROUTES
        .iter()
        .map(|r| format!("{} {}", r.method, r.path))
        .collect();
    documented.sort();
    served.sort();
    assert_eq!(documented, served);
}

#[test]
fn every_documented_path_is_answered() {
    let server = start(None);
    server.hub.open("live").post(Kind::End, "{}");
    for route in ROUTES {
        let path = route.path.replace("{id}", "live");
        let path = if path.ends_with("compare") {
            format!("{path}?before=a&after=b")
        } else {
            path
        };
        let request = match route.method {
            "post" => format!(
                "POST {path}\ncontent-type: application/json\n\n{{\"target\":{{\"url\":\"a\"}},\"vus\":1}}"
            ),
            method => format!("{} {path}", method.to_uppercase()),
        };
        let (head, body) = ask(server.served.address, &request);
        let expected = match (route.method, route.path.rsplit('/').next().unwrap()) {
            ("post", "stop" | "pause" | "resume" | "scale") => 409,
            ("delete", _) => 500,
            _ => 200,
        };
        assert_eq!(status(&head), expected, "{request}: {head}\n{body}");
        assert!(
            head.contains("content-security-policy: default-src 'none'"),
            "{head}"
        );
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
    }
}

#[test]
fn orders_reach_a_running_test() {
    let server = start(None);
    server.hub.open("live");
    let post = |path: &str, body: &str| {
        let request = format!("POST /api/v1/runs/{path}\ncontent-type: application/json\n\n{body}");
        status(&ask(server.served.address, &request).0)
    };
    assert_eq!(post("live/scale", "{\"vus\":7}"), 204);
    assert_eq!(
        post("live/scale", "{\"rate\":\"90/m\",\"scenario\":\"s\"}"),
        204
    );
    assert_eq!(post("live/scale", "{\"rate\":[]}"), 400);
    assert_eq!(post("live/stop", "{}"), 204);
    assert_eq!(post("nobody/stop", "{}"), 404);
    assert_eq!(post("live/scale", "{\"vus\":-1}"), 400);
    assert_eq!(post("live/scale", "{}"), 400);
    assert_eq!(post("live/scale", "no json"), 400);
    let orders = server.fake.0.lock().unwrap();
    let scale = Order::Scale(Scaling {
        vus: Some(7),
        max: None,
        rate: None,
        scenario: None,
    });
    let rate = Order::Scale(Scaling {
        vus: None,
        max: None,
        rate: Some("90/m".to_owned()),
        scenario: Some("s".to_owned()),
    });
    assert_eq!(
        *orders,
        [
            ("live".to_owned(), scale),
            ("live".to_owned(), rate),
            ("live".to_owned(), Order::Stop)
        ]
    );
}

#[test]
fn other_sites_and_wrong_types_change_nothing() {
    let server = start(None);
    let start = |headers: &str| {
        let request = format!("POST /api/v1/runs\n{headers}\n\n{{\"target\":{{\"url\":\"a\"}}}}");
        status(&ask(server.served.address, &request).0)
    };
    assert_eq!(start("content-type: application/json"), 200);
    assert_eq!(
        start("content-type: application/json\norigin: http://evil.example"),
        403
    );
    assert_eq!(
        start("content-type: application/json\nsec-fetch-site: cross-site"),
        403
    );
    assert_eq!(
        start("content-type: application/json\nhost: evil.example"),
        403
    );
    assert_eq!(start("content-type: text/plain"), 415);
    assert_eq!(start("x-y: z"), 415);
}

#[test]
fn the_link_gives_a_cookie_and_nothing_else_opens_the_door() {
    let server = start(Some("s3cret"));
    let address = server.served.address;
    assert_eq!(
        server.served.link,
        format!("http://{address}/?token=s3cret")
    );
    let get = |request: &str| ask(address, request);
    assert_eq!(status(&get("GET /").0), 401);
    assert_eq!(status(&get("GET /api/v1/runs").0), 401);
    let (head, _) = get("GET /?token=s3cret");
    assert_eq!(status(&head), 303);
    assert!(
        head.contains("set-cookie: netload_token=s3cret; path=/; httponly; samesite=strict"),
        "{head}"
    );
    assert_eq!(get("GET /\ncookie: netload_token=s3cret").1, "<p>page</p>");
    assert_eq!(
        status(&get("GET /api/v1/runs\nauthorization: Bearer s3cret").0),
        200
    );
}

#[test]
fn outside_of_loopback_nobody_serves_without_a_token() {
    let refused = serve(Config {
        address: ([0, 0, 0, 0], 0).into(),
        name: None,
        token: None,
        assets: Vec::new(),
        hub: Hub::default(),
        control: Arc::new(Fake::default()),
    });
    assert!(matches!(refused, Err(ServeError::TokenNeeded(_))));
}

#[test]
fn a_reader_gets_the_state_then_events_until_the_end() {
    let server = start(None);
    let run = server.hub.open("live");
    run.post(Kind::Head, "{\"title\":\"t\"}");
    let address = server.served.address;
    let reader = std::thread::spawn(move || ask(address, "GET /api/v1/runs/live/events").1);
    // The events come after the reader has: posted until it has read enough to end.
    while !reader.is_finished() {
        run.post(Kind::Row, "{\"t\":1}");
        std::thread::sleep(Duration::from_millis(20));
        run.post(Kind::End, "{\"exit_code\":0}");
    }
    let text = reader.join().unwrap();
    let at = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part} is missing: {text}"))
    };
    assert!(at("event: state") < at("\"title\":\"t\""));
    assert!(text.contains("\"exit_code\":0"));
}

#[test]
fn what_is_too_large_or_unknown_is_refused() {
    let server = start(None);
    let body = "x".repeat(4 << 20);
    let mut stream = TcpStream::connect(server.served.address).unwrap();
    let head = format!(
        "POST /api/v1/runs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(body.as_bytes());
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
    assert_eq!(
        status(&ask(server.served.address, "GET /api/v1/nothing").0),
        404
    );
    assert_eq!(status(&ask(server.served.address, "GET /nothing").0), 404);
    assert_eq!(
        status(&ask(server.served.address, "PUT /api/v1/runs").0),
        405
    );
}
