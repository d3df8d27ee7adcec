//! How far the numbers can be trusted, as a user reads it: stamps, censored requests, the balance, other tools' words.

mod harness;

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;

use harness::{Folder, Ran, unbroken};
use netload_target::{Running, Target, TargetConfig};
use serde_json::Value;

fn target() -> Running {
    Target::start(TargetConfig::default()).unwrap()
}

fn hit(target: &Running, path: &str, arguments: &[&str]) -> Ran {
    let url = format!("http://{}{path}", target.addr());
    let all = [&["hit", "--quiet"], arguments, &[url.as_str()]].concat();
    Folder::new().run(&all)
}

fn document(target: &Running, path: &str, arguments: &[&str]) -> Value {
    let ran = hit(target, path, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|e| panic!("{e}: {} {}", ran.stdout, ran.stderr))
}

#[test]
fn the_document_says_how_it_was_measured() {
    let found = document(&target(), "/delay/1ms", &["-n", "400", "-c", "4"]);
    let accuracy = &found["accuracy"];
    assert_eq!(accuracy["basis"], "net");
    assert_eq!(accuracy["exchanges"]["begun"], 400);
    assert_eq!(accuracy["exchanges"]["finished"], 400);
    assert_eq!(accuracy["conservation"]["holds"], true);
    assert_eq!(accuracy["conservation"]["planned"], Value::Null);
    let stamps = &accuracy["stamps"];
    let all = ["kernel", "unix", "refused", "missing"].map(|key| stamps[key].as_u64().unwrap());
    assert_eq!(all.iter().sum::<u64>(), 400, "{stamps}");
    let duration = &found["metrics"]["http_req_duration"];
    let p50 = duration["values"]["p50"].as_f64().unwrap();
    let ends = &duration["intervals"]["p50"];
    let (low, high) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
    assert!(
        low <= p50 && p50 <= high && low < high,
        "{low} {p50} {high}"
    );
    assert!(duration["n_eff"].as_u64().unwrap() <= 400);
    assert_eq!(
        duration["intervals"]["p99.9"][1],
        Value::Null,
        "400 requests say nothing of it"
    );
    assert_eq!(duration["needs"]["p99.9"], 2_995);
    assert!(
        found["metrics"].get("http_req_response").is_none(),
        "nothing was planned in time"
    );
}

#[test]
fn gross_has_no_tare_and_says_so() {
    let target = target();
    let found = document(&target, "/", &["-n", "50", "-c", "2", "--measure", "gross"]);
    assert_eq!(found["accuracy"]["basis"], "gross");
    assert_eq!(found["accuracy"]["stamps"]["kernel"], 0);
    assert!(found["metrics"].get("http_req_tare").is_none());
    assert_eq!(found["metrics"]["http_req_duration"]["values"]["count"], 50);
    let text = hit(&target, "/", &["-n", "5", "--measure", "gross"]).stdout;
    assert!(text.contains("NOTE Durations are gross"), "{text}");
}

#[test]
fn poisson_arrivals_are_as_many_as_asked() {
    let target = target();
    let arguments = [
        "--rate",
        "400",
        "--arrival",
        "poisson",
        "--seed",
        "9",
        "-n",
        "60",
        "-c",
        "20",
    ];
    let found = document(&target, "/", &arguments);
    assert_eq!(found["accuracy"]["conservation"]["planned"], 60);
    for (wrong, says) in [
        (
            &["--seed", "1", "--rate", "5"][..],
            "--seed needs --arrival poisson",
        ),
        (&["--arrival", "poisson"], "--arrival needs --rate"),
        (
            &["--arrival", "bursty", "--rate", "5"],
            "constant and poisson",
        ),
        (&["--measure", "tare"], "neither net nor gross"),
        (&["--compat", "ab"], "is not one of k6, jmeter"),
    ] {
        let ran = hit(&target, "/", wrong);
        assert!(
            ran.code != 0 && ran.stderr.contains(says),
            "{wrong:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn timeouts_are_known_only_from_below() {
    let target = target();
    let arguments = ["-n", "6", "-c", "3", "-m", "0.05"];
    let ran = hit(
        &target,
        "/delay/2s",
        &[&arguments[..], &["--format", "json"]].concat(),
    );
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let censored = &found["accuracy"]["censored"]["timed_out"];
    assert_eq!(censored["count"], 6);
    assert!(censored["at_least_ms"][0].as_f64().unwrap() >= 50.0);
    let text = hit(&target, "/delay/2s", &arguments).stdout;
    assert!(text.contains("6 requests timed out after"), "{text}");
}

/// Every tool that `--compat` knows.
const TOOLS: [&str; 6] = ["k6", "jmeter", "gatling", "locust", "wrk", "curl"];

#[test]
fn each_other_tool_would_have_said_something_else() {
    let target = target();
    let mut pages = String::new();
    for tool in TOOLS {
        let text = hit(&target, "/delay/3ms", &["-n", "100", "--compat", tool]).stdout;
        let lines = text.lines().skip_while(|line| !line.contains("WOULD SAY"));
        for line in lines.take_while(|line| !line.is_empty()) {
            pages.push_str(&without_values(line));
            pages.push('\n');
        }
        pages.push('\n');
    }
    harness::check_golden("compat.txt", &pages);
}

/// What stands behind `=` is different each time.
fn without_values(line: &str) -> String {
    let words = line.split(' ').map(|word| match word.split_once('=') {
        Some((name, _)) => format!("{name}=#"),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn other_tools_round_as_they_do() {
    let target = target();
    for tool in TOOLS {
        let arguments = ["-n", "40", "-c", "2", "--compat", tool];
        let found = document(&target, "/delay/3ms", &arguments);
        let metric = |name: &str| found["metrics"][name]["values"].clone();
        let compat = metric("http_req_compat");
        assert_eq!(compat["count"], 40);
        assert_eq!(found["accuracy"]["compat"]["tool"], tool);
        let most_us = compat["max"].as_f64().unwrap() * 1e3;
        let gross_us = metric("http_req_gross")["max"].as_f64().unwrap() * 1e3;
        let step_us = match tool {
            "k6" => {
                assert_eq!(most_us, gross_us, "the exchange without its connection");
                continue;
            }
            "wrk" | "curl" => 1.0,
            _ => 1_000.0,
        };
        let steps = most_us / step_us;
        assert!((steps - steps.round()).abs() < 1e-6, "{tool}: {most_us} us");
        if tool != "wrk" {
            assert!(most_us + step_us > gross_us, "{tool} counts the connection");
        }
    }
}

#[test]
fn requests_beyond_the_connections_wait_and_the_response_says_how_long() {
    let target = target();
    let arguments = ["--rate", "50", "-n", "25", "-c", "1"];
    let found = document(&target, "/delay/40ms", &arguments);
    let value =
        |metric: &str, name: &str| found["metrics"][metric]["values"][name].as_f64().unwrap();
    assert_eq!(value("http_reqs", "count"), 25.0, "none is dropped");
    assert!(found["metrics"].get("dropped_iterations").is_none());
    // Every 20 ms one is planned, every 40 ms one is done: the last one waits for nearly half a second.
    let (response, duration) = (
        value("http_req_response", "max"),
        value("http_req_duration", "max"),
    );
    assert!(response > duration + 300.0, "{response} {duration}");
    let conservation = &found["accuracy"]["conservation"];
    assert_eq!(
        (&conservation["planned"], &conservation["finished"]),
        (&25.into(), &25.into())
    );
}

#[test]
fn a_socket_without_stamps_is_told() {
    let folder = Folder::new();
    let path = folder.path().join("server.sock");
    let listener = UnixListener::bind(&path).unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut request = [0; 4_096];
                while stream.read(&mut request).is_ok_and(|n| n > 0) {
                    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
                    if stream.write_all(answer).is_err() {
                        return;
                    }
                }
            });
        }
    });
    let socket = path.to_str().unwrap();
    let arguments = [
        "hit",
        "--quiet",
        "-n",
        "10",
        "-c",
        "1",
        "--unix-socket",
        socket,
        "http://any/",
    ];
    let text = unbroken(&folder.run(&arguments).stdout);
    assert!(
        text.contains("No response has a kernel stamp (unix sockets have none)"),
        "{text}"
    );
    assert!(
        text.contains("so net is what other tools measure"),
        "the verdict knows it too: {text}"
    );
}

#[test]
fn a_script_counts_its_first_request_from_the_planned_start() {
    let target = target();
    let script = "import http from 'k6/http';
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 40, duration: '1s',
  preAllocatedVUs: 10, arrival: 'poisson', seed: 4 } } };
export default function () { http.get(__ENV.URL); http.get(__ENV.URL); }";
    let folder = Folder::with_script(script);
    let url = format!("URL=http://{}/", target.addr());
    let ran = folder.run(&[
        "run",
        "--quiet",
        "--format",
        "json",
        "-e",
        &url,
        "script.js",
    ]);
    let found: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let count = |metric: &str| found["metrics"][metric]["values"]["count"].as_f64();
    assert_eq!(count("http_req_response"), count("http_reqs"));
    let conservation = &found["accuracy"]["conservation"];
    assert_eq!(conservation["holds"], true);
    assert!(conservation["planned"].as_u64().unwrap() > 10);
}
