//! The web UI from the outside: a test is started, watched and steered through its API.

mod harness;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use harness::Folder;
use serde_json::{Value, json};

/// A server that ends with the test.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = folder
            .command(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        lines.read_line(&mut line).unwrap();
        let (_, rest) = line.split_once("http://").unwrap();
        let host = rest.split('/').next().unwrap().to_owned();
        Self { child, host }
    }

    /// Asks, and gives status and document.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        // Long answers come in chunks: the document is what stands between its braces.
        let begin = body.find(['{', '[']).unwrap_or(0);
        let end = body.rfind(['}', ']']).map_or(body.len(), |at| at + 1);
        (
            status,
            serde_json::from_str(&body[begin..end]).unwrap_or_default(),
        )
    }

    fn until(&self, path: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let (_, document) = self.ask("GET", path, None);
            if holds(&document) {
                return document;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{what}: {document:#}"
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const SLEEPING: &str = "import { sleep } from 'k6';\n\
    export default function () { if (__ITER === 0) console.log('hello ' + __ENV.WHO); sleep(0.02); }";

#[test]
fn a_test_is_started_watched_scaled_and_stopped() {
    let folder = Folder::new();
    let server = Server::start(&folder, &["serve", "--address", "127.0.0.1:0"]);
    let wanted = json!({
        "target": { "script": SLEEPING },
        "title": "sleeping",
        "load": { "shape": "manual", "vus": 1, "max_vus": 5, "duration": "60s" },
        "env": { "WHO": "page" },
    });
    let (status, preview) = server.ask("POST", "preview", Some(&wanted));
    assert_eq!(
        (status, &preview["curves"][0]["points"][1]),
        (200, &json!([60.0, 1.0]))
    );
    let (status, started) = server.ask("POST", "runs", Some(&wanted));
    assert_eq!(status, 200, "{started}");
    let run = format!("runs/{}", started["id"].as_str().unwrap());
    server.until(&run, "it runs", |d| {
        d["status"]["iterations"].as_u64() > Some(3)
    });
    server.until(&format!("{run}/logs"), "it logs", |d| {
        d.as_array()
            .into_iter()
            .flatten()
            .any(|l| l["item"]["message"] == "hello page")
    });
    assert_eq!(
        server
            .ask("POST", &format!("{run}/scale"), Some(&json!({ "vus": 4 })))
            .0,
        204
    );
    server.until(&run, "it is scaled", |d| d["status"]["vus"] == 4);
    let view = server.until(&format!("{run}/view"), "it has rows", |d| {
        d["rows"]["t"].as_array().is_some_and(|t| !t.is_empty())
    });
    assert_eq!(
        (&view["state"], &view["head"]["title"]),
        (&json!("running"), &json!("sleeping"))
    );
    assert_eq!(
        server
            .ask("POST", &format!("{run}/stop"), Some(&json!({})))
            .0,
        204
    );
    let end = server.until(&run, "it ends", |d| d["running"] == false);
    assert_eq!(end["end"]["exit_code"], 103, "{end:#}");
    assert!(
        end["end"]["summary"]
            .as_str()
            .unwrap()
            .contains("iterations")
    );
    let view = server.until(&format!("{run}/view"), "its record stays", |d| {
        d["state"] == "finished"
    });
    assert_eq!(view["ended"]["exit_code"], 103);
}

#[test]
fn failures_are_shown_and_a_crash_takes_nothing_down() {
    let folder = Folder::new();
    let server = Server::start(&folder, &["serve", "--address", "127.0.0.1:0"]);
    let wanted = json!({
        "target": { "url": "http://127.0.0.1:1/" },
        "load": { "shape": "iterations", "vus": 1, "iterations": 20 },
    });
    let (_, started) = server.ask("POST", "runs", Some(&wanted));
    let run = format!("runs/{}", started["id"].as_str().unwrap());
    server.until(&run, "it ends", |d| d["running"] == false);
    let failures = server.ask("GET", &format!("{run}/failures"), None).1;
    let first = &failures[0]["item"];
    assert_eq!(
        (&first["status"], &first["method"]),
        (&json!(0), &json!("GET")),
        "{failures}"
    );
    assert!(
        first["error"].as_str().unwrap().contains("refused"),
        "{first}"
    );

    let broken = json!({ "target": { "script": "throw new Error('no');" } });
    let (_, started) = server.ask("POST", "runs", Some(&broken));
    let run = format!("runs/{}", started["id"].as_str().unwrap());
    let end = server.until(&run, "it ends", |d| d["running"] == false);
    assert_eq!(
        (&end["end"]["exit_code"], &end["end"]["failed"]),
        (&json!(107), &json!(true))
    );
    assert!(
        end["end"]["sentence"]
            .as_str()
            .unwrap()
            .contains("exception"),
        "{end:#}"
    );
    assert_eq!(server.ask("GET", "server", None).0, 200);
}

#[test]
fn forms_that_make_no_test_are_refused_with_a_sentence() {
    let folder = Folder::new();
    let server = Server::start(&folder, &["serve", "--address", "127.0.0.1:0"]);
    let wrong = json!({ "target": { "url": "http://a/" }, "load": { "shape": "vus", "vus": 0, "duration": "1s" } });
    let (status, answer) = server.ask("POST", "runs", Some(&wrong));
    assert_eq!(status, 400);
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("vus"),
        "{answer}"
    );
}

#[test]
fn a_run_shows_itself() {
    let folder = Folder::with_script(SLEEPING);
    let mut command = folder.command(&[
        "run",
        "--ui=127.0.0.1:0",
        "-u",
        "1",
        "-d",
        "60s",
        "--quiet",
        "script.js",
    ]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    while !line.contains("http://") {
        line.clear();
        assert!(
            lines.read_line(&mut line).unwrap() > 0,
            "it ended too early"
        );
    }
    let link = line.split("http://").nth(1).unwrap().trim().to_owned();
    let (host, id) = link.split_once("/#/runs/").unwrap();
    let server = Server {
        child,
        host: host.to_owned(),
    };
    let drain = std::thread::spawn(move || lines.lines().map_while(Result::ok).count());
    let run = format!("runs/{id}");
    server.until(&run, "it runs", |d| {
        d["status"]["iterations"].as_u64() > Some(3)
    });
    let refused = server.ask(
        "POST",
        "runs",
        Some(&json!({ "target": { "url": "http://a/" } })),
    );
    assert_eq!(refused.0, 409, "{}", refused.1);
    assert_eq!(
        server
            .ask("POST", &format!("{run}/stop"), Some(&json!({})))
            .0,
        204
    );
    drop(drain);
}

#[test]
fn outside_of_loopback_there_is_a_token() {
    let folder = Folder::new();
    let server = Server::start(&folder, &["serve", "--address", "0.0.0.0:0"]);
    assert_eq!(server.ask("GET", "server", None).0, 401);
}

/// Opens a page in a browser at this width; what it shows and what it logged. None without chromium, which the CI has.
fn browsed(folder: &Folder, link: &str, width: u32) -> Option<(String, String)> {
    let needed = std::env::var_os("NETLOAD_NEEDS_CHROMIUM").is_some();
    let output = std::process::Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args([
            "--enable-logging=stderr",
            "--no-first-run",
            "--disable-extensions",
            "--dump-dom",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("--window-size={width},900"))
        .arg("--virtual-time-budget=5000")
        .arg(link)
        .output();
    let Ok(output) = output else {
        assert!(
            !needed,
            "chromium is missing; `cargo xtask setup` installs it"
        );
        return None;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let log = text(&output.stderr);
    let console: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    Some((text(&output.stdout), console.join("\n")))
}

#[test]
fn pages_work_in_a_browser() {
    let folder = Folder::new();
    let server = Server::start(&folder, &["serve", "--address", "127.0.0.1:0"]);
    let wanted = json!({
        "target": { "script": SLEEPING },
        "title": "<b>sleeping</b>",
        "load": { "shape": "vus", "vus": 2, "duration": "2s" },
    });
    let (_, started) = server.ask("POST", "runs", Some(&wanted));
    let id = started["id"].as_str().unwrap().to_owned();
    server.until(&format!("runs/{id}"), "it ends", |d| d["running"] == false);
    for (page, width, parts) in [
        (
            "",
            1280,
            vec!["Start a test", "Shape of the load", "<polyline"],
        ),
        ("", 360, vec!["Start a test"]),
        ("#/history", 1280, vec!["History"]),
        (
            &format!("#/runs/{id}"),
            1280,
            vec![
                "&lt;b&gt;sleeping&lt;/b&gt;",
                "Latency",
                "role=\"tab\"",
                "hello undefined",
            ],
        ),
    ] {
        let link = format!("http://{}/{page}", server.host);
        let Some((shown, console)) = browsed(&folder, &link, width) else {
            return;
        };
        assert_eq!(console, "", "{link}");
        for part in parts {
            assert!(shown.contains(part), "{part} is missing at {link}: {shown}");
        }
    }
}
