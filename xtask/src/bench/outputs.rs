//! What outputs cost: the same load without any, with all that send results added up, and with every sample in files too.
//!
//! The receivers take everything and keep nothing: nginx answers what is written over HTTP, a socket swallows Graphite's
//! lines, another the datagrams, and a reader follows the live page's events. Invariants: the side without outputs has no
//! run store and no page either; no receiver takes time from the generator's core, for they stand for other machines.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use serde_json::Value;

use super::measure::{Used, pinned, run_at_once};
use super::report::{Row, Spread};
use super::server::{SERVER_CORE, free_port};
use super::speed::CORE;
use super::{Failure, Rig};
use crate::{host, shell};

const SCRIPT: &str = "bench/rate.js";
/// Of the generator's CPU time.
const PERCENT_AT_MOST: f64 = 10.0;
/// What the outputs may add to the lateness of one start in a hundred, in microseconds.
const LATER_AT_MOST_US: f64 = 50.0;
/// How long the page may take to appear.
const PAGE_PATIENCE: Duration = Duration::from_secs(5);

/// Which outputs a run has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outputs {
    None,
    AddedUp,
    WithSamples,
}

/// What a run cost and how late its starts were.
struct Cost {
    /// CPU time for each request, in microseconds.
    cpu_us: f64,
    /// The 99th percentile of the lateness, in microseconds.
    late_us: f64,
}

/// CPU time and lateness with outputs against those without, round by round.
pub(super) fn outputs(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let receivers = Receivers::start()?;
    let all = [Outputs::None, Outputs::AddedUp, Outputs::WithSamples];
    let mut costs: [Vec<Cost>; 3] = Default::default();
    for round in 1..=rig.rounds {
        for (outputs, costs) in all.into_iter().zip(&mut costs) {
            let cost = once(rig, &receivers, outputs)?;
            println!(
                "  round {round}: {outputs:?}: {:.2} us CPU per request, lateness p99 {:.0} us",
                cost.cpu_us, cost.late_us
            );
            costs.push(cost);
        }
    }
    let [none, added_up, samples] = &costs;
    let percent = |side: &[Cost]| {
        let pairs = side.iter().zip(none);
        Spread::of(
            pairs
                .map(|(with, without)| 100.0 * (with.cpu_us / without.cpu_us - 1.0))
                .collect(),
        )
    };
    let later = |side: &[Cost]| {
        let pairs = side.iter().zip(none);
        Spread::of(
            pairs
                .map(|(with, without)| with.late_us - without.late_us)
                .collect(),
        )
    };
    let cpu = Spread::of(none.iter().map(|cost| cost.cpu_us).collect());
    Ok(vec![
        Row::plain("CPU per request without outputs", "us", cpu),
        Row::at_most(
            "all outputs that add up, store and page: CPU",
            "%",
            percent(added_up),
            PERCENT_AT_MOST,
        ),
        Row::at_most(
            "the same: lateness p99",
            "us",
            later(added_up),
            LATER_AT_MOST_US,
        ),
        Row::plain(
            "with every sample as JSON and CSV: CPU",
            "%",
            percent(samples),
        ),
        Row::plain("the same: lateness p99", "us", later(samples)),
    ])
}

fn once(rig: &Rig, receivers: &Receivers, outputs: Outputs) -> Result<Cost, Failure> {
    let folder = std::env::temp_dir().join(format!("netload-outputs-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut command = pinned(CORE, &rig.netload);
    command
        .args(["run", "--quiet", "--format", "json", "--workers", "1"])
        .arg(shell::root().join(SCRIPT))
        .env("URL", rig.nginx.url())
        .env("DURATION", format!("{}s", rig.length.as_secs()));
    // The reader of the page gives up when the run does not appear.
    host::wait_until_quiet();
    let mut page = None;
    if outputs == Outputs::None {
        command.env("NETLOAD_NO_STORE", "true");
    } else {
        let port = free_port()?;
        add_up(&mut command, rig, receivers, &folder)?;
        command.arg(format!("--ui=127.0.0.1:{port}"));
        page = Some(std::thread::spawn(move || follow(port)));
    }
    if outputs == Outputs::WithSamples {
        for (name, file) in [("json", "samples.json"), ("csv", "samples.csv")] {
            command
                .arg("--out")
                .arg(format!("{name}={}", folder.join(file).display()));
        }
    }
    let used = run_at_once(&mut command, &[])?;
    let _ = std::fs::remove_dir_all(&folder);
    if let Some(page) = page {
        let seen = page.join().map_err(|_| "the reader of the page panicked")?;
        seen.map_err(|error| format!("the page: {error}"))?;
    }
    cost(&used)
}

/// Everything that sends or writes results added up, and the run store.
fn add_up(
    command: &mut Command,
    rig: &Rig,
    receivers: &Receivers,
    folder: &Path,
) -> Result<(), Failure> {
    let nginx = rig.nginx.address();
    let outs = [
        format!("influxdb=http://{nginx}/k6"),
        format!("prometheus-rw=http://{nginx}/api/v1/write"),
        format!("opentelemetry=http://{nginx}"),
        format!("prometheus=127.0.0.1:{}", free_port()?),
        format!("statsd=127.0.0.1:{}", receivers.datagrams),
        format!("datadog=127.0.0.1:{}", receivers.datagrams),
        format!("graphite=127.0.0.1:{}", receivers.lines),
        format!("junit={}", folder.join("junit.xml").display()),
        format!("gitlab={}", folder.join("metrics.txt").display()),
        format!("report={}", folder.join("report.html").display()),
    ];
    for out in outs {
        command.args(["--out", &out]);
    }
    command
        .env("NETLOAD_STORE", folder.join("runs.db"))
        .env_remove("NETLOAD_NO_STORE");
    Ok(())
}

fn cost(used: &Used) -> Result<Cost, Failure> {
    let document: Value = serde_json::from_str(&used.stdout)?;
    let value = |metric: &str, name: &str| document["metrics"][metric]["values"][name].as_f64();
    let requests = value("http_reqs", "count").ok_or("the summary has no http_reqs")?;
    let late_ms = value("iteration_lateness", "p99").ok_or("the summary has no lateness")?;
    let lost = document["deliveries"].as_array().into_iter().flatten();
    let lost = lost.filter(|delivery| delivery["lost"].as_u64().is_some_and(|lost| lost > 0));
    if let Some(delivery) = lost.into_iter().next() {
        return Err(format!("an output lost results: {delivery}").into());
    }
    Ok(Cost {
        cpu_us: used.cpu_seconds * 1e6 / requests,
        late_us: late_ms * 1e3,
    })
}

/// What takes lines and datagrams; the threads end with the process.
struct Receivers {
    lines: u16,
    datagrams: u16,
}

impl Receivers {
    fn start() -> Result<Self, Failure> {
        let lines = TcpListener::bind("127.0.0.1:0")?;
        let datagrams = UdpSocket::bind("127.0.0.1:0")?;
        let receivers = Self {
            lines: lines.local_addr()?.port(),
            datagrams: datagrams.local_addr()?.port(),
        };
        std::thread::spawn(move || {
            stay_beside_the_server();
            for mut connection in lines.incoming().flatten() {
                std::thread::spawn(move || std::io::copy(&mut connection, &mut std::io::sink()));
            }
        });
        std::thread::spawn(move || {
            stay_beside_the_server();
            let mut datagram = [0; 1 << 16];
            while datagrams.recv(&mut datagram).is_ok() {}
        });
        Ok(receivers)
    }
}

/// Keeps this thread, and those it starts, on the server's core. On a machine with one core there is no other.
fn stay_beside_the_server() {
    let mut cores = CpuSet::new();
    let chosen = SERVER_CORE.parse().map(|core| cores.set(core));
    if matches!(chosen, Ok(Ok(()))) {
        let _ = sched_setaffinity(Pid::from_raw(0), &cores);
    }
}

/// Follows the events of the only run as a browser does, until it is over.
fn follow(port: u16) -> Result<(), String> {
    stay_beside_the_server();
    let start = Instant::now();
    let runs = loop {
        match ask(port, "/api/v1/runs") {
            Ok(text) if text.contains("\"id\"") => break text,
            _ if start.elapsed() > PAGE_PATIENCE => return Err("it did not appear".to_owned()),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let (_, body) = runs.split_once("\r\n\r\n").ok_or("no answer")?;
    let json = body.find('{').map(|at| &body[at..]).ok_or("no JSON")?;
    let json: Value = serde_json::Deserializer::from_str(json)
        .into_iter()
        .next()
        .and_then(Result::ok)
        .ok_or("no JSON")?;
    let id = json["running"][0]["id"]
        .as_str()
        .ok_or("the run has no id")?;
    let events = ask(port, &format!("/api/v1/runs/{id}/events"))?;
    match events.contains("data:") {
        true => Ok(()),
        false => Err("it told nothing".to_owned()),
    }
}

/// Everything that is answered until the connection ends.
fn ask(port: u16, path: &str) -> Result<String, String> {
    let told = |error: std::io::Error| error.to_string();
    let mut connection = TcpStream::connect(("127.0.0.1", port)).map_err(told)?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).map_err(told)?;
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).map_err(told)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
