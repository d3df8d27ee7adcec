//! Requests per CPU-second of the generator, round by round.

use std::process::Command;

use serde_json::Value;

use super::measure::{Used, pinned, run};
use super::report::{Row, Spread};
use super::{Failure, Rig};
use crate::shell;

/// The core the generators share, one at a time.
pub(super) const CORE: &str = "0";
/// Both cores: two workers beside the server, which has core 1.
const BOTH_CORES: &str = "0,1";
const CONNECTIONS: &str = "64";
/// The script of the main comparison.
const GET_CHECK: &str = "bench/get-check.js";

/// Something that sends requests for a while and says how many.
pub(super) struct Generator {
    pub(super) name: &'static str,
    pub(super) run: fn(&Rig, &str) -> Result<Figure, Failure>,
}

/// What one generator did in one round.
pub(super) struct Figure {
    pub(super) requests: f64,
    pub(super) used: Used,
}

impl Figure {
    /// Thousands of requests per second of the generator's CPU time.
    fn per_cpu(&self) -> f64 {
        self.requests / self.used.cpu_seconds / 1000.0
    }
}

const WRK: Generator = Generator {
    name: "wrk",
    run: |rig, url| wrk(rig, url, CORE, "-t1"),
};
const WRK_BOTH: Generator = Generator {
    name: "wrk, two threads on both cores",
    run: |rig, url| wrk(rig, url, BOTH_CORES, "-t2"),
};
const AB: Generator = Generator {
    name: "ab",
    run: ab,
};
const HIT: Generator = Generator {
    name: "netload hit",
    run: |rig, url| hit(rig, url, CORE, "1"),
};
const HIT_TWO: Generator = Generator {
    name: "netload hit, two workers",
    run: |rig, url| hit(rig, url, CORE, "2"),
};
const HIT_BOTH: Generator = Generator {
    name: "netload hit, two workers on both cores",
    run: |rig, url| hit(rig, url, BOTH_CORES, "2"),
};
const SCRIPT: Generator = Generator {
    name: "netload run",
    run: |rig, url| script(rig, url, GET_CHECK),
};
const SCRIPT_TWO: Generator = Generator {
    name: "netload run, two workers",
    run: |rig, url| script_with(rig, url, GET_CHECK, "2"),
};
const K6: Generator = Generator {
    name: "k6",
    run: |rig, url| k6_script(rig, url, GET_CHECK),
};

/// The main comparison.
pub(super) fn plain(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let rounds = rounds(rig, &rig.nginx.url(), &[WRK, AB, HIT, SCRIPT, K6])?;
    let mut rows = rounds.figures();
    rows.push(rounds.ratio("netload hit against wrk", "netload hit", "wrk", 0.95));
    rows.push(rounds.ratio("netload run against wrk", "netload run", "wrk", 0.75));
    rows.push(rounds.ratio("netload run against k6", "netload run", "k6", 12.0));
    Ok(rows)
}

/// The same over TLS, without targets.
pub(super) fn tls(rig: &Rig) -> Result<Vec<Row>, Failure> {
    Ok(rounds(rig, &rig.nginx.tls_url(), &[WRK, HIT, SCRIPT])?
        .figures()
        .into_iter()
        .map(|row| row.renamed(|name| format!("{name}, TLS")))
        .collect())
}

/// What a second worker costs: on the same core, where nothing else changes, and on both cores, where the server and
/// the second worker disturb each other. That disturbance hits wrk with a second thread alike, so the fall is divided
/// by wrk's.
pub(super) fn workers(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let all = [WRK, WRK_BOTH, HIT, HIT_TWO, HIT_BOTH, SCRIPT, SCRIPT_TWO];
    let rounds = rounds(rig, &rig.nginx.url(), &all)?;
    let mut rows = rounds.figures();
    let hit = (HIT_TWO.name, HIT.name);
    let script = (SCRIPT_TWO.name, SCRIPT.name);
    rows.push(rounds.ratio("two workers against one, hit", hit.0, hit.1, 0.95));
    rows.push(rounds.ratio("two workers against one, run", script.0, script.1, 0.95));
    let ours = rounds.ratios(HIT_BOTH.name, HIT.name);
    let wrks = rounds.ratios(WRK_BOTH.name, WRK.name);
    let fall = ours.iter().zip(&wrks).map(|(a, b)| a / b).collect();
    let name = "the same on both cores, against wrk's";
    rows.push(Row::at_least(name, "x", Spread::of(fall), 0.95));
    Ok(rows)
}

/// Figures per generator, one for each round.
pub(super) struct Rounds {
    names: Vec<&'static str>,
    figures: Vec<Vec<f64>>,
}

pub(super) fn rounds(rig: &Rig, url: &str, generators: &[Generator]) -> Result<Rounds, Failure> {
    let mut rounds = Rounds {
        names: generators.iter().map(|generator| generator.name).collect(),
        figures: vec![Vec::new(); generators.len()],
    };
    for round in 1..=rig.rounds {
        for (generator, figures) in generators.iter().zip(&mut rounds.figures) {
            let figure = (generator.run)(rig, url)
                .map_err(|error| format!("{}: {error}", generator.name))?;
            println!(
                "  round {round}: {:26} {:7.2} k/CPU-s ({:.0} requests in {:.2} s CPU, {:.2} s wall)",
                generator.name,
                figure.per_cpu(),
                figure.requests,
                figure.used.cpu_seconds,
                figure.used.wall_seconds,
            );
            figures.push(figure.per_cpu());
        }
    }
    Ok(rounds)
}

impl Rounds {
    pub(super) fn figures(&self) -> Vec<Row> {
        let rows = self.names.iter().zip(&self.figures);
        rows.map(|(name, figures)| {
            Row::plain(name, "k requests/CPU-s", Spread::of(figures.clone()))
        })
        .collect()
    }

    /// The ratio is made round by round, so that a slow moment hits both sides.
    pub(super) fn ratio(&self, name: &str, ours: &str, theirs: &str, at_least: f64) -> Row {
        Row::at_least(name, "x", Spread::of(self.ratios(ours, theirs)), at_least)
    }

    fn ratios(&self, ours: &str, theirs: &str) -> Vec<f64> {
        let of = |wanted: &str| {
            let index = self.names.iter().position(|name| *name == wanted);
            index.map_or(&[][..], |index| self.figures[index].as_slice())
        };
        of(ours)
            .iter()
            .zip(of(theirs))
            .map(|(a, b)| a / b)
            .collect()
    }
}

pub(super) fn seconds(rig: &Rig) -> String {
    format!("{}s", rig.length.as_secs())
}

fn wrk(rig: &Rig, url: &str, cores: &str, threads: &str) -> Result<Figure, Failure> {
    let mut command = pinned(cores, "wrk".as_ref());
    command.args([threads, "-c", CONNECTIONS, "-d", &seconds(rig), url]);
    let used = run(&mut command, &[])?;
    let requests = number_before(&used.stdout, " requests in")?;
    Ok(Figure { requests, used })
}

fn ab(rig: &Rig, url: &str) -> Result<Figure, Failure> {
    let mut command = pinned(CORE, "ab".as_ref());
    let length = rig.length.as_secs().to_string();
    // -t implies a limit of 50,000 requests unless -n comes after it.
    command.args([
        "-q",
        "-k",
        "-c",
        CONNECTIONS,
        "-t",
        &length,
        "-n",
        "100000000",
        url,
    ]);
    let used = run(&mut command, &[])?;
    let line = used
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("Complete requests:"));
    let requests = line.ok_or("ab said nothing")?.trim().parse()?;
    Ok(Figure { requests, used })
}

fn hit(rig: &Rig, url: &str, cores: &str, workers: &str) -> Result<Figure, Failure> {
    let mut command = pinned(cores, &rig.netload);
    command
        .args([
            "hit",
            url,
            "-k",
            "-c",
            CONNECTIONS,
            "--duration",
            &seconds(rig),
        ])
        .args(["--workers", workers, "--format", "json", "--quiet"]);
    counted(&mut command, |used| Ok(used.stdout.clone()))
}

/// `netload hit` on the generators' core, without a word on connections.
pub(super) fn pinned_hit(rig: &Rig, url: &str) -> Command {
    let mut command = pinned(CORE, &rig.netload);
    command
        .args(["hit", url, "--duration", &seconds(rig)])
        .args(["--workers", "1", "--format", "json", "--quiet"]);
    command
}

/// `netload run` with one worker on the generators' core; the path of the script starts in the workspace.
pub(super) fn script(rig: &Rig, url: &str, path: &str) -> Result<Figure, Failure> {
    script_with(rig, url, path, "1")
}

fn script_with(rig: &Rig, url: &str, path: &str, workers: &str) -> Result<Figure, Failure> {
    let mut command = pinned(CORE, &rig.netload);
    command
        .args([
            "run",
            "--quiet",
            "--vus",
            CONNECTIONS,
            "--duration",
            &seconds(rig),
        ])
        .args(["--workers", workers, "--format", "json"])
        .arg(shell::root().join(path))
        .env("URL", url);
    counted(&mut command, |used| Ok(used.stdout.clone()))
}

/// k6 with the same script.
pub(super) fn k6_script(rig: &Rig, url: &str, path: &str) -> Result<Figure, Failure> {
    let export = std::env::temp_dir().join(format!("netload-bench-k6-{}.json", std::process::id()));
    let mut command = pinned(CORE, &rig.k6);
    command
        .args([
            "run",
            "--quiet",
            "--vus",
            CONNECTIONS,
            "--duration",
            &seconds(rig),
        ])
        .arg("--summary-export")
        .arg(&export)
        .arg(shell::root().join(path))
        .env("URL", url)
        .env("K6_NO_USAGE_REPORT", "true");
    let figure = counted(&mut command, |_| Ok(std::fs::read_to_string(&export)?));
    let _ = std::fs::remove_file(&export);
    figure
}

/// Runs a tool that writes a summary as JSON, and takes the number of requests from it.
pub(super) fn counted(
    command: &mut Command,
    summary: impl Fn(&Used) -> Result<String, Failure>,
) -> Result<Figure, Failure> {
    let used = run(command, &[])?;
    let summary: Value = serde_json::from_str(&summary(&used)?)?;
    let metrics = &summary["metrics"];
    let count = |name: &str, key: &str| {
        let metric = &metrics[name];
        metric["values"][key].as_f64().or(metric[key].as_f64())
    };
    let requests = count("http_reqs", "count").ok_or("the summary has no http_reqs")?;
    // A run of failures is fast and worth nothing.
    let failed = count("http_req_failed", "rate").or(count("http_req_failed", "value"));
    if failed.is_some_and(|share| share > 0.0) {
        return Err("requests failed".into());
    }
    let checks = count("checks", "rate").or(count("checks", "value"));
    if checks.is_some_and(|share| share < 1.0) {
        return Err("checks failed".into());
    }
    Ok(Figure { requests, used })
}

pub(super) fn number_before(text: &str, mark: &str) -> Result<f64, Failure> {
    let line = text.lines().find_map(|line| line.split_once(mark));
    Ok(line.ok_or("wrk said nothing")?.0.trim().parse()?)
}
