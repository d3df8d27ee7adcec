//! Memory and start-up of netload.

use super::measure::{Used, pinned, run};
use super::report::{Row, Spread};
use super::{Failure, Rig};
use crate::shell;

/// Everything here may use all cores.
const CORES: &str = "0,1";
const MEGABYTE: f64 = 1e6;
const EMPTY_RUNS: usize = 20;
/// Pairs of a run of one and of five million requests.
const LONG_PAIRS: usize = 3;
/// None, but for the work done once a second whatever the number of requests.
const ALLOCATIONS: f64 = 0.01;

/// Peak memory with 5,000 VUs against 10, per VU.
pub(super) fn vu_memory(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let peak = |vus: u64| -> Result<f64, Failure> {
        let used = script(
            rig,
            "get-check-sleep.js",
            &["--vus", &vus.to_string(), "--duration", "12s"],
        )?;
        Ok(used.peak_bytes as f64)
    };
    let (few, many) = (peak(10)?, peak(5_000)?);
    let per_vu = (many - few) / 4_990.0 / 1000.0;
    Ok(vec![
        Row::plain("memory with 10 VUs", "MB", Spread::of(vec![few / MEGABYTE])),
        Row::plain(
            "memory with 5,000 VUs",
            "MB",
            Spread::of(vec![many / MEGABYTE]),
        ),
        Row::at_most("memory per VU", "KB", Spread::of(vec![per_vu]), 130.0),
    ])
}

/// From the start of the process to its end with 10,000 VUs that do nothing once:
/// an upper bound of the time to start them.
pub(super) fn vu_start(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let mut seconds = Vec::new();
    for _ in 0..3 {
        let vus = ["--vus", "10000", "--iterations", "10000"];
        seconds.push(script(rig, "empty.js", &vus)?.wall_seconds);
    }
    let name = "start of 10,000 VUs, and their end";
    Ok(vec![Row::at_most(name, "s", Spread::of(seconds), 5.0)])
}

/// Peak memory of five million requests against one million.
pub(super) fn long_run(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let peak = |iterations: &str| -> Result<f64, Failure> {
        let arguments = ["--vus", "64", "--iterations", iterations];
        Ok(script(rig, "get-check.js", &arguments)?.peak_bytes as f64)
    };
    let (mut one, mut five, mut growth) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..LONG_PAIRS {
        let (short, long) = (peak("1000000")?, peak("5000000")?);
        one.push(short / MEGABYTE);
        five.push(long / MEGABYTE);
        growth.push((long / short - 1.0) * 100.0);
    }
    let plain = |name, sizes| Row::plain(name, "MB", Spread::of(sizes));
    Ok(vec![
        plain("memory after 1 million requests", one),
        plain("memory after 5 million requests", five),
        Row::at_most(
            "growth from 1 to 5 million requests",
            "%",
            Spread::of(growth),
            5.0,
        ),
    ])
}

/// Peak memory of a million distinct URLs, and the warning that must come.
pub(super) fn distinct_urls(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let used = script(
        rig,
        "distinct-urls.js",
        &["--vus", "64", "--iterations", "1000000"],
    )?;
    let warned = used
        .stderr
        .lines()
        .any(|line| line.contains("warn") && (line.contains("url") || line.contains("name")));
    let peak = used.peak_bytes as f64 / MEGABYTE;
    let name = "memory after a million distinct URLs";
    Ok(vec![
        Row::at_most(name, "MB", Spread::of(vec![peak]), 250.0),
        Row::yes("a warning names the tag", warned),
    ])
}

/// Wall time of an empty script.
pub(super) fn empty(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let mut millis = Vec::new();
    for _ in 0..EMPTY_RUNS {
        millis.push(script(rig, "empty.js", &[])?.wall_seconds * 1000.0);
    }
    let name = "empty script, start to exit";
    Ok(vec![Row::at_most(name, "ms", Spread::of(millis), 40.0)])
}

/// Allocations of the threads that make the load in a long run less those in a short one, per request between them:
/// starting and ending fall out, and what is handed over once a second nearly.
pub(super) fn allocations(rig: &Rig) -> Result<Vec<Row>, Failure> {
    const SHORT: u64 = 100_000;
    const LONG: u64 = 600_000;
    let netload = shell::counting_netload()?;
    let count = |requests: u64| -> Result<f64, Failure> {
        let mut command = pinned(CORES, &netload);
        command
            .args([
                "hit",
                &rig.nginx.url(),
                "-c",
                "64",
                "--workers",
                "1",
                "--quiet",
                "-n",
            ])
            .arg(requests.to_string());
        let used = run(&mut command, &[])?;
        let line = used
            .stderr
            .lines()
            .find_map(|line| line.strip_prefix("allocations: "));
        Ok(line.ok_or("netload did not count")?.parse()?)
    };
    let per_request = (count(LONG)? - count(SHORT)?) / (LONG - SHORT) as f64;
    let name = "allocations per request of hit";
    Ok(vec![Row::at_most(
        name,
        "",
        Spread::of(vec![per_request]),
        ALLOCATIONS,
    )])
}

fn script(rig: &Rig, name: &str, arguments: &[&str]) -> Result<Used, Failure> {
    let mut command = pinned(CORES, &rig.netload);
    command
        .args(["run", "--quiet"])
        .args(arguments)
        .arg(shell::root().join("bench").join(name))
        .env("URL", rig.nginx.url());
    run(&mut command, &[])
}
