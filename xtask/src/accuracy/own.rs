//! netload as a tool among the others: `hit` and `run`.

use std::process::Command;

use serde_json::Value;

use super::load::STALL;
use super::quantiles::{Law, PERCENTILES, Quantiles};
use super::tool::{Job, Told, Tool};
use super::{CORE, Failure};
use crate::bench::measure::pinned;
use crate::shell;

/// Without a script.
pub(super) const HIT: Tool = Tool {
    name: "netload hit",
    meaning: "`http_req_duration`: from the write of the request to the kernel's stamp of the last byte of the answer",
    law: Law::Linear,
    find: |rig| Some(rig.netload.clone()),
    command: hit,
    read,
};

/// With a script.
pub(super) const RUN: Tool = Tool {
    name: "netload run",
    meaning: "the same",
    law: Law::Linear,
    find: |rig| Some(rig.netload.clone()),
    command: run,
    read,
};

/// The metric from the planned start.
const RESPONSE: &str = "http_req_response";
/// A bound that never fails: only the value beside it is wanted.
const ANY: &str = "p(96)<1000000000";

fn hit(job: &Job<'_>) -> Result<Command, Failure> {
    let load = &job.load;
    let mut command = pinned(CORE, &job.program);
    command
        .args(["hit", "--quiet", "--format", "json", "--workers", "1"])
        .args(["-c", &load.connections.to_string()])
        .args(["-z", &format!("{}s", load.seconds)]);
    if let Some(rate) = load.rate() {
        command.args(["--rate", &rate.to_string()]);
    }
    if load.script == STALL {
        command.args(["--threshold", &format!("{RESPONSE}:{ANY}")]);
    }
    command.arg(&job.url);
    Ok(command)
}

fn run(job: &Job<'_>) -> Result<Command, Failure> {
    let mut command = pinned(CORE, &job.program);
    command.args(["run", "--quiet", "--format", "json", "--workers", "1"]);
    script(&mut command, job);
    if job.load.script == STALL {
        command.args(["-e", &format!("ASK={RESPONSE}")]);
    }
    Ok(command)
}

/// The arguments that netload and k6 share.
pub(super) fn script(command: &mut Command, job: &Job<'_>) {
    let load = &job.load;
    let mut set = |name: &str, value: String| {
        command.args(["-e", &format!("{name}={value}")]);
    };
    set("URL", job.url.clone());
    set("VUS", load.connections.to_string());
    set("SECONDS", load.seconds.to_string());
    if let Some(rate) = load.rate() {
        set("RATE", rate.to_string());
    }
    if load.burn_ms > 0 {
        set("BURN_MS", load.burn_ms.to_string());
    }
    command.arg(shell::root().join("bench/accuracy.js"));
}

fn read(job: &Job<'_>) -> Result<Told, Failure> {
    let document: Value = serde_json::from_str(&job.stdout()?)?;
    Ok(told(&document))
}

fn told(document: &Value) -> Told {
    let duration = &document["metrics"]["http_req_duration"];
    let trend = |name: &str| {
        let metric = document["metrics"].get(name)?;
        Some(quantiles(metric, &document["thresholds"][name]))
    };
    let interval = |percentile: f64| {
        let both = &duration["intervals"][format!("p{percentile}")];
        Some((percentile, both[0].as_f64()? * 1e6, both[1].as_f64()? * 1e6))
    };
    Told {
        requests: duration["values"]["count"].as_u64(),
        main: trend("http_req_duration").unwrap_or_default(),
        gross: trend("http_req_gross"),
        response: trend(RESPONSE),
        intervals: PERCENTILES.into_iter().filter_map(interval).collect(),
        lateness_p99_ns: trend("iteration_lateness").and_then(|lateness| lateness.at(99.0)),
    }
}

fn quantiles(metric: &Value, thresholds: &Value) -> Quantiles {
    let asked = |percentile: f64| {
        let wanted = format!("p({percentile})<");
        let outcomes = thresholds.as_array()?;
        let outcome = outcomes.iter().find(|outcome| {
            outcome["expression"]
                .as_str()
                .is_some_and(|text| text.starts_with(&wanted))
        })?;
        outcome["value"].as_f64()
    };
    Quantiles::from_fn(|percentile| {
        let told = metric["values"][format!("p{percentile}")].as_f64();
        Some(told.or_else(|| asked(percentile))? * 1e6)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_document_is_read_in_nanoseconds() {
        let document = json!({
            "metrics": {
                "http_req_duration": {
                    "values": { "p50": 1.5, "p99.9": 3.0, "count": 7 },
                    "intervals": { "p50": [1.4, 1.6], "p90": null },
                },
                "http_req_response": { "values": { "p50": 2.0 } },
                "iteration_lateness": { "values": { "p99": 0.01 } },
            },
            "thresholds": {
                "http_req_response": [{ "expression": ANY, "ok": true, "value": 4.0 }],
            },
        });
        let told = told(&document);
        assert_eq!(told.requests, Some(7));
        assert_eq!(told.main.at(50.0), Some(1_500_000.0));
        assert_eq!(told.main.at(99.0), None);
        assert_eq!(told.gross, None);
        assert_eq!(told.response.unwrap().at(96.0), Some(4_000_000.0));
        assert_eq!(told.intervals, [(50.0, 1_400_000.0, 1_600_000.0)]);
        assert_eq!(told.lateness_p99_ns, Some(10_000.0));
    }
}
