//! `cargo xtask bench`: speed and size, against wrk and k6 on the same nginx.
//!
//! Rounds are interleaved, so that a machine that slows down slows everybody
//! down. The server is pinned to one core, the generators to another.
//! Invariant: a row that could not be measured is a row that failed.

pub(crate) mod measure;
mod outputs;
mod protocols;
mod report;
mod scripts;
pub(crate) mod server;
mod size;
mod speed;

use std::path::PathBuf;
use std::time::Duration;

use crate::measuring::{HELP, Measuring};
use crate::{Outcome, k6, setup};
use report::Row;
use server::Nginx;

/// A group of rows that is measured together.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Rig) -> Result<Vec<Row>, Failure>,
}

/// Above this load other programs take the caches, and a script's VUs need them most.
const QUIET_LOAD: f64 = 0.7;

pub(crate) type Failure = Box<dyn std::error::Error>;

#[rustfmt::skip]
const BENCHES: &[Bench] = &[
    Bench { name: "speed", about: "requests per CPU-second: wrk, ab, netload hit, netload run, k6", run: speed::plain },
    Bench { name: "tls", about: "the same over TLS: wrk, netload hit, netload run", run: speed::tls },
    Bench { name: "http2", about: "HTTP/2, one connection, 32 streams: h2load, netload hit", run: protocols::http2 },
    Bench { name: "handshakes", about: "TLS 1.3, a new connection for every request: wrk, netload hit", run: protocols::handshakes },
    Bench { name: "workers", about: "two workers instead of one", run: speed::workers },
    Bench { name: "json", about: "one value out of 100 KB of JSON: netload run, k6", run: scripts::json },
    Bench { name: "checks", about: "a check with ten conditions: netload run, k6", run: scripts::checks },
    Bench { name: "batch", about: "http.batch of 20: netload run, k6", run: scripts::batch },
    Bench { name: "bundle", about: "papaparse and lodash in a bundle of 280 KB: netload run, k6", run: scripts::bundle },
    Bench { name: "bundle-memory", about: "memory of a VU with that bundle: netload run, k6", run: scripts::bundle_memory },
    Bench { name: "outputs", about: "all outputs and an open page at 20,000 requests/s, against none", run: outputs::outputs },
    Bench { name: "vu-memory", about: "memory of a VU", run: size::vu_memory },
    Bench { name: "vu-start", about: "start of 10,000 VUs", run: size::vu_start },
    Bench { name: "long-run", about: "memory after 5 million requests against 1 million", run: size::long_run },
    Bench { name: "distinct-urls", about: "memory after a million distinct URLs", run: size::distinct_urls },
    Bench { name: "allocations", about: "allocations per request in the steady state", run: size::allocations },
    Bench { name: "empty", about: "wall time of an empty script", run: size::empty },
];

/// What every measurement needs.
struct Rig {
    netload: PathBuf,
    k6: PathBuf,
    nginx: Nginx,
    rounds: usize,
    /// Length of one timed run.
    length: Duration,
    /// The machine's load before anything was measured: other work spoils the figures.
    load_before: String,
}

struct Options {
    measuring: Measuring,
    rounds: usize,
    seconds: u64,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let Some(options) = parse(arguments)? else {
        help();
        return Ok(());
    };
    setup::run(&[])?;
    let rig = Rig {
        netload: options.measuring.netload()?,
        k6: k6::path()?,
        nginx: Nginx::start()?,
        rounds: options.rounds,
        length: Duration::from_secs(options.seconds),
        load_before: load()?,
    };
    if rig
        .load_before
        .parse::<f64>()
        .is_ok_and(|load| load > QUIET_LOAD)
    {
        println!(
            "the machine is busy (load {}): the figures will be worse than they are",
            rig.load_before
        );
    }
    let mut rows = Vec::new();
    let mut measured = Vec::new();
    for bench in BENCHES {
        if !options.measuring.wants(bench.name) {
            continue;
        }
        println!("{}: {}", bench.name, bench.about);
        measured.push(bench.name);
        match (bench.run)(&rig) {
            Ok(more) => {
                more.iter().for_each(|row| println!("  {}", row.line()));
                rows.extend(more);
            }
            Err(error) => {
                println!("  failed: {error}");
                rows.push(Row::failed(bench.about, &error.to_string()));
            }
        }
    }
    report::write(&rows, &measured, &rig)
}

/// The load of the last minute.
fn load() -> Result<String, Failure> {
    let text = std::fs::read_to_string("/proc/loadavg")?;
    Ok(text.split(' ').next().unwrap_or_default().to_owned())
}

fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let (mut rounds, mut seconds) = (5, 5);
    let names: Vec<_> = BENCHES.iter().map(|bench| bench.name).collect();
    let measuring = Measuring::read(arguments, &names, |option, values| {
        match option {
            "--rounds" => rounds = values.number()?,
            "--seconds" => seconds = values.number()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(measuring.map(|measuring| Options {
        measuring,
        rounds,
        seconds,
    }))
}

fn help() {
    println!(
        "cargo xtask bench [OPTIONS]

  --only NAME      only this group of rows; may be repeated
  --rounds N       interleaved rounds of the speed rows (5)
  --seconds N      length of one timed run (5)
{HELP}"
    );
    for bench in BENCHES {
        println!("  {:16} {}", bench.name, bench.about);
    }
}
