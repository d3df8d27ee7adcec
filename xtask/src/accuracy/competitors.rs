//! The other tools: how each is started in its best form, and how its answer is read.
//!
//! Invariant: a number is taken as the tool prints it; where it keeps every request, the percentiles are the nearest
//! ranks of its own records.

use std::process::Command;

use serde_json::Value;

use super::own::script;
use super::quantiles::{Law, Quantiles};
use super::tool::{Job, Told, Tool};
use super::{CORE, Failure, install};
use crate::bench::measure::pinned;
use crate::shell;

/// Requests that ab makes room for: more than it can send in a run.
const AB_REQUESTS: &str = "1000000";

pub(super) const WRK: Tool = Tool {
    name: "wrk",
    meaning: "from before the write to the parsed answer; rewritten by its correction for coordinated omission",
    law: Law::Nearest,
    find: |_| shell::find("wrk"),
    command: wrk,
    read: read_wrk,
};

pub(super) const WRK2: Tool = Tool {
    name: "wrk2",
    meaning: "from the planned start to the parsed answer",
    law: Law::Nearest,
    find: |_| install::find("wrk2"),
    command: wrk,
    read: read_wrk,
};

pub(super) const AB: Tool = Tool {
    name: "ab",
    meaning: "from before connecting or writing to the end of the answer; no p99.9",
    law: Law::Nearest,
    find: |_| shell::find("ab"),
    command: ab,
    read: read_ab,
};

pub(super) const HEY: Tool = Tool {
    name: "hey",
    meaning: "from before the request is built to the end of the answer, connecting included; printed to 0.1 ms",
    law: Law::Nearest,
    find: |_| install::find("hey"),
    command: hey,
    read: read_hey,
};

pub(super) const H2LOAD: Tool = Tool {
    name: "h2load --h1",
    meaning: "from submitting the request to the end of the answer; percentiles of its log",
    law: Law::Nearest,
    find: |_| shell::find("h2load"),
    command: h2load,
    read: read_h2load,
};

pub(super) const VEGETA: Tool = Tool {
    name: "vegeta",
    meaning: "from taking the request to the end of the answer, connecting included; percentiles of its records",
    law: Law::Nearest,
    find: |_| install::find("vegeta"),
    command: vegeta,
    read: read_vegeta,
};

pub(super) const K6: Tool = Tool {
    name: "k6",
    meaning: "`http_req_duration`: sending + waiting + receiving",
    law: Law::Linear,
    find: |rig| rig.k6.clone(),
    command: k6,
    read: read_k6,
};

fn seconds(job: &Job<'_>) -> String {
    format!("{}s", job.load.seconds)
}

fn connections(job: &Job<'_>) -> String {
    job.load.connections.to_string()
}

fn wrk(job: &Job<'_>) -> Result<Command, Failure> {
    let mut command = pinned(CORE, &job.program);
    command
        .args(["-t1", "-c", &connections(job), "-d", &seconds(job)])
        .arg("-s")
        .arg(shell::root().join("bench/percentiles.lua"));
    if let Some(rate) = job.load.rate() {
        command.args(["-R", &rate.to_string()]);
    }
    command.arg(&job.url);
    Ok(command)
}

fn read_wrk(job: &Job<'_>) -> Result<Told, Failure> {
    let text = job.stdout()?;
    let told = |percentile: f64| {
        let line = format!("netload-percentile {percentile} ");
        let micros: f64 = text
            .lines()
            .find_map(|l| l.strip_prefix(&line))?
            .parse()
            .ok()?;
        Some(micros * 1e3)
    };
    let requests = text
        .lines()
        .find_map(|l| l.strip_prefix("netload-requests "));
    Ok(Told {
        requests: requests.and_then(|n| n.parse().ok()),
        main: Quantiles::from_fn(told),
        ..Told::default()
    })
}

fn ab(job: &Job<'_>) -> Result<Command, Failure> {
    let mut command = pinned(CORE, &job.program);
    command
        .args(["-k", "-q", "-c", &connections(job)])
        // The limit of time sets a limit of requests, so it must come first.
        .args(["-t", &job.load.seconds.to_string(), "-n", AB_REQUESTS, "-e"])
        .arg(job.folder.join("percentiles.csv"))
        .arg(&job.url);
    Ok(command)
}

fn read_ab(job: &Job<'_>) -> Result<Told, Failure> {
    let text = job.stdout()?;
    let requests = text
        .lines()
        .find_map(|l| l.strip_prefix("Complete requests:"));
    let table = std::fs::read_to_string(job.folder.join("percentiles.csv"))?;
    let told = |percentile: f64| {
        let line = format!("{percentile},");
        let millis: f64 = table
            .lines()
            .find_map(|l| l.strip_prefix(&line))?
            .trim()
            .parse()
            .ok()?;
        Some(millis * 1e6)
    };
    Ok(Told {
        requests: requests.and_then(|n| n.trim().parse().ok()),
        main: Quantiles::from_fn(told),
        ..Told::default()
    })
}

fn hey(job: &Job<'_>) -> Result<Command, Failure> {
    let mut command = pinned(CORE, &job.program);
    command.args(["-c", &connections(job), "-z", &seconds(job), "-o", "csv"]);
    if let Some(rate) = job.load.rate() {
        // Its limit is for each worker.
        command.args(["-q", &(rate / job.load.connections as f64).to_string()]);
    }
    command.arg(&job.url);
    Ok(command)
}

fn read_hey(job: &Job<'_>) -> Result<Told, Failure> {
    let first = |line: &str| line.split(',').next()?.trim().parse().ok();
    let text = job.stdout()?;
    let found: Vec<f64> = text
        .lines()
        .filter_map(first)
        .map(|s: f64| s * 1e9)
        .collect();
    Ok(of_records(found))
}

fn h2load(job: &Job<'_>) -> Result<Command, Failure> {
    let mut command = pinned(CORE, &job.program);
    command
        .args(["--h1", "-t1", "-c", &connections(job)])
        .args(["-D", &job.load.seconds.to_string()])
        .arg(format!("--log-file={}", job.folder.join("log").display()))
        .arg(&job.url);
    Ok(command)
}

fn read_h2load(job: &Job<'_>) -> Result<Told, Failure> {
    let text = std::fs::read_to_string(job.folder.join("log"))?;
    let took = |line: &str| line.split('\t').nth(2)?.trim().parse().ok();
    let found: Vec<f64> = text
        .lines()
        .filter_map(took)
        .map(|us: f64| us * 1e3)
        .collect();
    Ok(of_records(found))
}

fn vegeta(job: &Job<'_>) -> Result<Command, Failure> {
    let targets = job.folder.join("targets");
    std::fs::write(&targets, format!("GET {}\n", job.url))?;
    let mut command = pinned(CORE, &job.program);
    command
        .arg("attack")
        .arg(format!("-targets={}", targets.display()));
    command.arg(format!("-output={}", job.folder.join("results").display()));
    command.arg(format!("-duration={}", seconds(job)));
    command.arg(format!("-connections={}", job.load.connections));
    command.arg(format!("-workers={}", job.load.connections));
    match job.load.rate() {
        Some(rate) => command.arg(format!("-rate={rate:.0}/1s")),
        None => command
            .arg("-rate=0")
            .arg(format!("-max-workers={}", job.load.connections)),
    };
    Ok(command)
}

fn read_vegeta(job: &Job<'_>) -> Result<Told, Failure> {
    let mut encode = shell::command(&job.program);
    encode
        .args(["encode", "--to", "csv"])
        .arg(job.folder.join("results"));
    let text = shell::read(&mut encode)?;
    let took = |line: &str| line.split(',').nth(2)?.trim().parse().ok();
    Ok(of_records(text.lines().filter_map(took).collect()))
}

fn k6(job: &Job<'_>) -> Result<Command, Failure> {
    let mut command = pinned(CORE, &job.program);
    command
        .args(["run", "--quiet", "--no-usage-report", "--no-color"])
        .args([
            "--summary-trend-stats",
            "p(50),p(90),p(96),p(99),p(99.9),count",
        ])
        .arg("--summary-export")
        .arg(job.folder.join("summary.json"));
    script(&mut command, job);
    Ok(command)
}

fn read_k6(job: &Job<'_>) -> Result<Told, Failure> {
    let text = std::fs::read_to_string(job.folder.join("summary.json"))?;
    let summary: Value = serde_json::from_str(&text)?;
    let duration = &summary["metrics"]["http_req_duration"];
    let told = |percentile| Some(duration[format!("p({percentile})")].as_f64()? * 1e6);
    Ok(Told {
        requests: summary["metrics"]["http_reqs"]["count"].as_u64(),
        main: Quantiles::from_fn(told),
        ..Told::default()
    })
}

fn of_records(found: Vec<f64>) -> Told {
    Told {
        requests: Some(found.len() as u64),
        main: Quantiles::of(found, Law::Nearest),
        ..Told::default()
    }
}
