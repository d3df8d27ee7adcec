//! Findings, each with a server that shows it and one that does not: the real binary against `netload target`'s server,
//! all runs at once, and what their reports say.
//!
//! The clock of `clock-skew` is set for the one process by a library that is loaded into it. `changed`, which is about
//! two runs, is shown where runs are compared (`history.rs`).

mod harness;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use harness::Folder;
use netload_target::{Running, Target, TargetConfig};
use serde_json::Value;

/// A run, the findings that it must have and those that it must not have.
struct Case {
    name: &'static str,
    how: How,
    shows: &'static [&'static str],
    lacks: &'static [&'static str],
}

enum How {
    /// `netload hit` with these arguments and this path.
    Hit(&'static [&'static str], &'static str),
    /// `netload run` with these options and this body of the default function.
    Run(&'static str, &'static str),
    /// The same, and the process is stopped in the middle for as long.
    Halted(&'static [&'static str], &'static str, Duration),
    /// `netload hit` in whose eyes the machine's clock is set in the middle, by so many milliseconds.
    ClockSet(&'static [&'static str], &'static str, i64),
}

/// Users that come one after the other, up to 24 in 12 seconds.
const RAMP: &str = "scenarios: { s: { executor: 'ramping-vus', startVUs: 1, gracefulRampDown: '1s',
    stages: [{ duration: '12s', target: 24 }] } }";

const CASES: &[Case] = &[
    Case {
        name: "calm",
        how: How::Hit(&["--rate", "40", "-c", "40", "-z", "31s"], "/fixed/100ms"),
        shows: &[],
        // Not generator-trouble: machines that run tests may well be busy.
        lacks: &[
            "early-errors",
            "error-onset",
            "dropped-arrivals",
            "stall",
            "slow-growth",
            "hidden-waiting",
            "connection-churn",
            "variable-endpoint",
            "caching",
            "warm-up",
            "too-short",
            "third-party-hosts",
            "cardinality",
            "uneven-targets",
            "throughput-plateau",
            "latency-knee",
            "clock-skew",
        ],
    },
    Case {
        name: "limited",
        how: How::Run(RAMP, "http.get(`${BASE}/queue/80ms/8`);"),
        shows: &["throughput-plateau", "latency-knee", "too-short"],
        lacks: &["error-onset", "early-errors"],
    },
    Case {
        name: "unlimited",
        how: How::Run(RAMP, "http.get(`${BASE}/fixed/200ms`);"),
        shows: &[],
        lacks: &["throughput-plateau", "latency-knee", "error-onset"],
    },
    Case {
        name: "refusing",
        how: How::Run(
            RAMP,
            "if (http.get(`${BASE}/queue/80ms/8?line=4`).status === 503) sleep(0.1);",
        ),
        shows: &["error-onset"],
        lacks: &["early-errors"],
    },
    Case {
        name: "broken",
        how: How::Hit(&["-n", "200"], "/status/503"),
        shows: &["early-errors"],
        lacks: &["caching"],
    },
    Case {
        name: "dropping",
        how: How::Run(
            "scenarios: { s: { executor: 'constant-arrival-rate', rate: 50, duration: '4s', preAllocatedVUs: 2 } }",
            "http.get(`${BASE}/fixed/200ms`);",
        ),
        shows: &["dropped-arrivals"],
        lacks: &["early-errors"],
    },
    Case {
        name: "stalling",
        how: How::Hit(
            &["--rate", "50", "-c", "200", "-z", "13s"],
            "/stall?every=11s&for=3s",
        ),
        shows: &["stall"],
        lacks: &["dropped-arrivals", "early-errors"],
    },
    Case {
        name: "growing",
        how: How::Run(
            "vus: 3, duration: '24s'",
            "const s = (Date.now() - exec.scenario.startTime) / 1000;
             http.get(`${BASE}/fixed/${Math.round(30 + 6 * s)}ms`, { tags: { name: 'growing' } });",
        ),
        shows: &["slow-growth"],
        lacks: &["warm-up", "cardinality"],
    },
    Case {
        name: "waiting",
        how: How::Hit(&["--rate", "300", "-c", "2", "-z", "8s"], "/fixed/10ms"),
        shows: &["hidden-waiting"],
        lacks: &["variable-endpoint"],
    },
    Case {
        name: "closing",
        how: How::Hit(
            &["--rate", "60", "-c", "20", "-z", "4s"],
            "/connection/close",
        ),
        shows: &["connection-churn"],
        lacks: &["caching"],
    },
    Case {
        name: "varying",
        how: How::Hit(
            &["--rate", "100", "-c", "60", "-z", "4s"],
            "/bimodal/1ms/300ms/0.05",
        ),
        shows: &["variable-endpoint"],
        lacks: &["connection-churn"],
    },
    Case {
        name: "uneven",
        how: How::Run(
            "vus: 1, iterations: 240, systemTags: ['status', 'name', 'ip']",
            "http.get(`${__ITER % 8 === 0 ? OTHER : BASE}/`);",
        ),
        shows: &["uneven-targets"],
        lacks: &["third-party-hosts"],
    },
    Case {
        name: "even",
        how: How::Run(
            "vus: 1, iterations: 240, systemTags: ['status', 'name', 'ip']",
            "http.get(`${__ITER % 2 === 0 ? OTHER : BASE}/`);",
        ),
        shows: &[],
        lacks: &["uneven-targets", "third-party-hosts"],
    },
    Case {
        name: "cached",
        how: How::Hit(&["-n", "150"], "/status/304"),
        shows: &["caching"],
        lacks: &["early-errors"],
    },
    Case {
        name: "spread",
        how: How::Run(
            "vus: 1, iterations: 20, hosts: { '*.test': BASE.slice(7) }",
            "http.get(`http://${'abcd'[__ITER % 4]}.test/`);",
        ),
        shows: &["third-party-hosts"],
        lacks: &["early-errors"],
    },
    Case {
        name: "named",
        how: How::Run(
            "vus: 1, iterations: 600",
            "http.get(`${BASE}/anything/${__ITER}`);",
        ),
        shows: &["cardinality"],
        lacks: &["third-party-hosts"],
    },
    Case {
        name: "warming",
        how: How::Run(
            "vus: 4, duration: '12s'",
            "const cold = Date.now() - exec.scenario.startTime < 1500;
             http.get(`${BASE}/fixed/${cold ? 300 : 60}ms`, { tags: { name: 'warming' } });",
        ),
        shows: &["warm-up"],
        lacks: &["slow-growth"],
    },
    Case {
        name: "halted",
        how: How::Halted(
            &["--rate", "200", "-c", "20", "-z", "8s"],
            "/",
            Duration::from_millis(2_500),
        ),
        shows: &["generator-trouble"],
        lacks: &["early-errors", "clock-skew"],
    },
    Case {
        name: "set clock",
        how: How::ClockSet(&["--rate", "50", "-c", "5", "-z", "6s"], "/", 2_500),
        shows: &["clock-skew"],
        lacks: &["early-errors"],
    },
    Case {
        name: "clock that stays",
        how: How::ClockSet(&["--rate", "50", "-c", "5", "-z", "6s"], "/", 0),
        shows: &[],
        lacks: &["clock-skew", "early-errors"],
    },
];

/// The clock of one process: after three seconds the time of day jumps by `CLOCK_SET_MS` milliseconds.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static long long since;
    struct timespec now;
    long done = syscall(SYS_clock_gettime, clock, time);
    if (clock != CLOCK_REALTIME || done != 0) return (int)done;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    if (since == 0) since = now.tv_sec;
    if (now.tv_sec - since >= 3) {
        const char *by = getenv("CLOCK_SET_MS");
        long long ns = time->tv_nsec + (by ? atoll(by) : 0) * 1000000;
        time->tv_sec += ns / 1000000000;
        time->tv_nsec = ns % 1000000000;
    }
    return 0;
}
"#;

/// A server here and one at another address of this machine.
fn targets() -> (Running, Running) {
    let start = |listen: &str| {
        let listen = listen.parse().unwrap();
        Target::start(TargetConfig {
            listen,
            ..TargetConfig::default()
        })
    };
    (start("127.0.0.1:0").unwrap(), start("127.0.0.2:0").unwrap())
}

/// Starts the run of a case, which leaves `report.html`.
fn command(folder: &Folder, how: &How, base: &str, other: &str) -> Command {
    match how {
        How::Hit(arguments, path) | How::Halted(arguments, path, _) => {
            hit(folder, arguments, &format!("{base}{path}"))
        }
        How::ClockSet(arguments, path, by_ms) => {
            let mut command = hit(folder, arguments, &format!("{base}{path}"));
            command.env("LD_PRELOAD", clock_library(folder));
            command.env("CLOCK_SET_MS", by_ms.to_string());
            command
        }
        How::Run(options, body) => {
            let script = format!(
                "import http from 'k6/http';\nimport exec from 'k6/execution';\nimport {{ sleep }} from 'k6';\n\
                 const BASE = '{base}', OTHER = '{other}';\nexport const options = {{ {options} }};\n\
                 export default function () {{ {body} }}\n"
            );
            folder.write("script.js", &script);
            folder.command(&["run", "--quiet", "--report", "report.html", "script.js"])
        }
    }
}

fn hit(folder: &Folder, arguments: &[&str], url: &str) -> Command {
    let fixed = ["hit", "--quiet", "--report", "report.html"];
    folder.command(&[&fixed, arguments, &[url]].concat())
}

/// [`CLOCK`] as a library.
fn clock_library(folder: &Folder) -> PathBuf {
    folder.write("clock.c", CLOCK);
    let library = folder.path().join("clock.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(folder.path().join("clock.c"))
        .status();
    assert!(
        compiled.is_ok_and(|status| status.success()),
        "no C compiler"
    );
    library
}

/// The rules that found something, by the report.
fn found(folder: &Folder) -> BTreeSet<String> {
    let html = folder.read("report.html");
    let (_, data) = html.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once('<').unwrap();
    let packed = STANDARD.decode(data).unwrap();
    let mut text = String::new();
    let mut unpacker = flate2::read::GzDecoder::new(packed.as_slice());
    unpacker.read_to_string(&mut text).unwrap();
    let view: Value = serde_json::from_str(&text).unwrap();
    let findings = view["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|f| f["rule"].as_str().unwrap().to_owned())
        .collect()
}

/// Stops a process for a while.
fn halt(id: u32, time: Duration) {
    let signal = |name: &str| {
        Command::new("kill")
            .args([name, &id.to_string()])
            .status()
            .unwrap()
    };
    std::thread::sleep(Duration::from_secs(4));
    assert!(signal("-STOP").success());
    std::thread::sleep(time);
    assert!(signal("-CONT").success());
}

/// Runs a case and says what is wrong with what was found.
fn check(case: &Case) -> Vec<String> {
    let (target, other) = targets();
    let (base, other_base) = (
        format!("http://{}", target.addr()),
        format!("http://{}", other.addr()),
    );
    let folder = Folder::new();
    let mut command = command(&folder, &case.how, &base, &other_base);
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let How::Halted(_, _, time) = &case.how {
        halt(child.id(), *time);
    }
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        folder.path().join("report.html").is_file(),
        "{}: {errors}",
        case.name
    );
    let found = found(&folder);
    let missing = case.shows.iter().filter(|rule| !found.contains(**rule));
    let missing = missing.map(|rule| format!("{}: {rule} was not found", case.name));
    let wrong = case.lacks.iter().filter(|rule| found.contains(**rule));
    let wrong = wrong.map(|rule| format!("{}: {rule} was found", case.name));
    missing.chain(wrong).collect()
}

#[test]
fn servers_show_what_is_found_and_calm_ones_do_not() {
    let problems: Vec<String> = std::thread::scope(|scope| {
        let cases = CASES.iter().map(|case| scope.spawn(|| check(case)));
        let running: Vec<_> = cases.collect();
        running
            .into_iter()
            .flat_map(|case| case.join().unwrap())
            .collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_rule_has_a_server_that_shows_it_and_one_that_does_not() {
    let elsewhere = ["changed"];
    let documented = include_str!("../../../docs/findings.md");
    for line in documented.lines().filter(|line| line.starts_with("| `")) {
        let rule = line.split('`').nth(1).unwrap();
        let shown = CASES.iter().any(|case| case.shows.contains(&rule));
        // What a calm machine is, no test can promise: of this rule only the one side is shown.
        let lacked =
            rule == "generator-trouble" || CASES.iter().any(|case| case.lacks.contains(&rule));
        assert!(elsewhere.contains(&rule) || (shown && lacked), "{rule}");
    }
}
