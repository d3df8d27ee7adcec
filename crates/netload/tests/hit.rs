//! `netload hit` against the reference server: what is sent, how often, and what is told.

mod harness;

use std::time::{Duration, Instant};

use harness::Folder;
use netload_target::{Running, Target, TargetConfig};
use serde_json::Value;

fn target() -> Running {
    let config = TargetConfig {
        log_requests: true,
        ..TargetConfig::with_tls()
    };
    Target::start(config).unwrap()
}

/// Sends one request with these arguments and returns what arrived.
fn sent(target: &Running, path: &str, arguments: &[&str]) -> Value {
    target.clear_requests();
    let url = format!("http://{}{path}", target.addr());
    let all = [&["hit", "--quiet", "-n", "1"], arguments, &[url.as_str()]].concat();
    let folder = Folder::new();
    folder.write("body.txt", "two\nlines\n");
    let ran = folder.run(&all);
    assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
    let requests = target.requests();
    assert_eq!(requests.len(), 1, "{arguments:?}");
    let request = &requests[0];
    let headers = request
        .headers
        .iter()
        .map(|(n, v)| (n.to_ascii_lowercase(), Value::from(v.as_str())));
    serde_json::json!({
        "method": request.method,
        "target": request.target,
        "headers": headers.collect::<serde_json::Map<_, _>>(),
        "body": request.body_text,
    })
}

#[test]
fn requests_are_written_with_curls_flags() {
    let target = target();
    let plain = sent(&target, "/echo", &[]);
    assert_eq!(
        (plain["method"].as_str(), plain["target"].as_str()),
        (Some("GET"), Some("/echo"))
    );
    assert_eq!(plain["headers"]["accept"], "*/*");
    assert!(
        plain["headers"]["user-agent"]
            .as_str()
            .unwrap()
            .starts_with("netload/")
    );

    let form = sent(
        &target,
        "/echo",
        &["-d", "a=1", "--data-urlencode", "b=x y&", "-d", "@body.txt"],
    );
    assert_eq!(
        (form["method"].as_str(), form["body"].as_str()),
        (Some("POST"), Some("a=1&b=x%20y%26&twolines"))
    );
    assert_eq!(
        form["headers"]["content-type"],
        "application/x-www-form-urlencoded"
    );

    let binary = sent(
        &target,
        "/echo",
        &[
            "-X",
            "PUT",
            "--data-binary",
            "@body.txt",
            "-H",
            "Content-Type: text/plain",
        ],
    );
    assert_eq!(
        (binary["method"].as_str(), binary["body"].as_str()),
        (Some("PUT"), Some("two\nlines\n"))
    );
    assert_eq!(binary["headers"]["content-type"], "text/plain");

    let json = sent(&target, "/echo", &["--json", "{\"a\":1}"]);
    assert_eq!(json["headers"]["accept"], "application/json");
    assert_eq!(json["headers"]["content-type"], "application/json");

    let query = sent(&target, "/echo?x=1", &["-G", "-d", "a=1"]);
    assert_eq!(
        (query["method"].as_str(), query["target"].as_str()),
        (Some("GET"), Some("/echo?x=1&a=1"))
    );

    let flags = [
        "-u",
        "ada:secret",
        "-A",
        "me",
        "-e",
        "http://from",
        "-b",
        "a=1",
        "-b",
        "c=2",
        "-H",
        "Accept:",
        "-I",
    ];
    let many = sent(&target, "/echo", &flags);
    assert_eq!(many["method"], "HEAD");
    assert_eq!(many["headers"]["authorization"], "Basic YWRhOnNlY3JldA==");
    assert_eq!(many["headers"]["user-agent"], "me");
    assert_eq!(many["headers"]["referer"], "http://from");
    assert_eq!(many["headers"]["cookie"], "a=1; c=2");
    assert_eq!(many["headers"].get("accept"), None);
}

fn document(target: &Running, arguments: &[&str]) -> (i32, Value) {
    let url = format!("http://{}/", target.addr());
    let all = [
        &["hit", "--quiet", "--format", "json"],
        arguments,
        &[url.as_str()],
    ]
    .concat();
    let ran = Folder::new().run(&all);
    let document = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    (ran.code, document)
}

#[test]
fn counts_are_exact_and_thresholds_decide() {
    let target = target();
    let (code, counted) = document(&target, &["-n", "250", "-c", "7"]);
    assert_eq!(
        (
            code,
            counted["metrics"]["http_reqs"]["values"]["count"].as_f64()
        ),
        (0, Some(250.0))
    );
    assert_eq!(target.requests().len(), 250);
    assert!(counted["metrics"]["http_req_duration"]["values"]["p99"].is_number());
    assert_eq!(counted["statuses"]["200"], 250);

    let (code, paced) = document(&target, &["-n", "20", "-r", "100"]);
    assert_eq!(
        (
            code,
            paced["metrics"]["http_reqs"]["values"]["count"].as_f64()
        ),
        (0, Some(20.0))
    );

    let (code, judged) = document(
        &target,
        &["-n", "5", "-c", "1", "--threshold", "http_reqs:count>100"],
    );
    assert_eq!(
        (code, judged["state"]["thresholds_failed"].as_bool()),
        (99, Some(true))
    );
}

#[test]
fn connections_go_where_they_are_sent() {
    let target = target();
    let port = target.addr().port();
    let folder = Folder::new();
    let status = |arguments: &[&str]| {
        let ran = folder.run(
            &[
                &["hit", "--quiet", "--format", "json", "-n", "1"],
                arguments,
            ]
            .concat(),
        );
        let document: Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
        document["statuses"]["200"] == 1
    };
    assert!(status(&[
        "--resolve",
        &format!("a.test:{port}:127.0.0.1"),
        &format!("http://a.test:{port}/")
    ]));
    assert!(status(&[
        "--connect-to",
        &format!("a.test:80:127.0.0.1:{port}"),
        "http://a.test/"
    ]));
    let secure = format!("https://{}/", target.tls_addr().unwrap());
    assert!(status(&["-k", &secure]));
    assert!(!status(&[&secure]));
}

#[test]
fn a_load_without_any_response_is_a_failure() {
    let nobody = format!("http://{}/", Target::refusing_address().unwrap());
    let ran = Folder::new().run(&["hit", "--quiet", "-n", "3", &nobody]);
    assert_eq!(ran.code, 255);
    assert!(ran.stderr.contains("connection refused"), "{}", ran.stderr);
}

#[test]
fn the_text_has_what_people_look_for() {
    let target = target();
    let url = format!("http://{}/", target.addr());
    let ran = Folder::new().run(&["hit", "-n", "100", &url]);
    for part in ["Requests", "Latency", "p50", "Histogram", "Status", "200"] {
        assert!(ran.stdout.contains(part), "{part}:\n{}", ran.stdout);
    }
    let widest = ran.stdout.lines().map(|l| l.chars().count()).max();
    assert!(widest <= Some(80), "{}", ran.stdout);
}

#[test]
fn a_form_of_parts_arrives_as_its_parts() {
    let target = Target::start(TargetConfig {
        log_requests: true,
        ..TargetConfig::default()
    })
    .unwrap();
    let folder = Folder::new();
    folder.write("notes.txt", "from a file");
    let url = format!("http://{}/post", target.addr());
    let arguments = [
        "hit",
        "-n",
        "1",
        "-c",
        "1",
        "-F",
        "a=text",
        "-F",
        "f=@notes.txt",
        &url,
    ];
    let ran = folder.run(&arguments);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let request = &target.requests()[0];
    assert_eq!(request.method, "POST");
    let body = &request.body_text;
    assert!(body.contains("name=\"a\"\r\n\r\ntext\r\n"), "{body}");
    assert!(
        body.contains("filename=\"notes.txt\"\r\nContent-Type: text/plain\r\n\r\nfrom a file\r\n"),
        "{body}"
    );
    let both = folder.run(&["hit", "-n", "1", "-F", "a=b", "-d", "x", &url]);
    assert_eq!(both.code, 255);
    assert!(both.stderr.contains("not both"), "{}", both.stderr);
}

#[test]
fn connecting_takes_only_so_long() {
    // An address of the documentation network answers nothing, or is refused at once where there is no route.
    let folder = Folder::new();
    let start = Instant::now();
    let ran = folder.run(&[
        "hit",
        "-n",
        "1",
        "-c",
        "1",
        "--connect-timeout",
        "0.2",
        "http://192.0.2.1/",
    ]);
    assert_eq!(ran.code, 255, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("no request got a response"),
        "{}",
        ran.stderr
    );
    // The time without the option is 30 s.
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn redirects_are_followed_when_asked_for_and_every_hop_is_counted() {
    let target = target();
    let url = format!("http://{}/redirect/2", target.addr());
    let folder = Folder::new();
    let ran = |arguments: &[&str]| {
        let all = [
            &["hit", "--quiet", "-n", "3", "-c", "1", "--format", "json"],
            arguments,
            &[url.as_str()],
        ];
        let ran = folder.run(&all.concat());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        document["statuses"].clone()
    };
    assert_eq!(ran(&[]), serde_json::json!({ "302": 3 }));
    assert_eq!(ran(&["-L"]), serde_json::json!({ "200": 3, "302": 6 }));
    let one = ran(&["-L", "--max-redirs", "1"]);
    assert_eq!(one, serde_json::json!({ "302": 6 }));
}

#[test]
fn redirects_lead_to_other_hosts_without_the_credentials() {
    let (first, second) = (target(), target());
    let away = format!("http://{}/get", second.addr()).replace("127.0.0.1", "localhost");
    let url = format!("http://{}/redirect-to?url={away}", first.addr());
    let folder = Folder::new();
    let ran = folder.run(&["hit", "--quiet", "-n", "1", "-L", "-u", "ada:secret", &url]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let has_credentials = |target: &Running| {
        let requests = target.requests();
        assert_eq!(requests.len(), 1);
        let mut headers = requests[0].headers.iter();
        headers.any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    };
    assert!(has_credentials(&first));
    assert!(!has_credentials(&second));
}

#[test]
fn http_2_in_the_clear_shares_connections() {
    let target = Target::start(TargetConfig {
        http2: true,
        log_requests: true,
        ..TargetConfig::default()
    })
    .unwrap();
    let folder = Folder::new();
    let url = format!("http://{}/anything", target.addr());
    let flags = ["--http2", "-c", "2", "--streams", "4", "-n", "80"];
    let all = [&["hit", "--quiet", "--format", "json"][..], &flags, &[&url]].concat();
    let ran = folder.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["statuses"], serde_json::json!({ "200": 80 }));
    let connections: std::collections::BTreeSet<u64> =
        target.requests().iter().map(|r| r.connection).collect();
    assert_eq!(connections.len(), 2);
}
