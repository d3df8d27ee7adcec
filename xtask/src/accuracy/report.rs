//! The table, the chart and the raw figures in `bench/results`.
//!
//! Invariant: every cell that was measured is written, won or lost, and every run is in the JSON file.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Value, json};

use super::cell::Cell;
use super::disturb::Disturbance;
use super::groups::{Findings, GROUPS};
use super::judge::{self, Check};
use super::quantiles::{PERCENTILES, Quantiles, SHOWN, shown, shown_error};
use super::tool::Run;
use super::{CORE, Failure, RIVAL_ROUNDS, Rig, chart};
use crate::{Outcome, shell};

/// Above this share of stolen time a cell is marked.
const STEAL_MARKED: f64 = 0.02;
/// Above this error of the server itself at p99 a cell is marked, in nanoseconds.
const SERVER_OFF_MARKED: f64 = 20e3;

/// A check as text for a terminal.
pub(super) fn line(check: &Check) -> String {
    let line = format!(
        "{:72} {:>14} {:>20} {}",
        check.what,
        check.measured,
        check.wanted,
        check.verdict()
    );
    line.trim_end().to_owned()
}

/// Writes `bench/results/DATE-accuracy.md`, `.svg` and `.json`; one group alone gets files of its own.
pub(super) fn write(found: &Findings, rig: &Rig, only: &[String]) -> Outcome {
    let date = shell::read(shell::command("date").args(["-u", "+%Y-%m-%d"]))?;
    let date = date.trim();
    let mut stem = format!("{date}-accuracy");
    only.iter()
        .for_each(|group| stem.push_str(&format!("-{group}")));
    let folder = shell::root().join("bench/results");
    std::fs::create_dir_all(&folder)?;
    let picture = chart::draw(&found.cells);
    if let Some(picture) = &picture {
        std::fs::write(folder.join(format!("{stem}.svg")), picture)?;
    }
    let text = markdown(found, rig, date, picture.map(|_| format!("{stem}.svg")))?;
    std::fs::write(folder.join(format!("{stem}.md")), text)?;
    let raw = json!({
        "date": date,
        "checks": checks(found).iter().map(|check| check_json(check)).collect::<Vec<_>>(),
        "cells": found.cells.iter().map(cell_json).collect::<Vec<_>>(),
    });
    std::fs::write(folder.join(format!("{stem}.json")), format!("{raw:#}\n"))?;
    println!("  written to bench/results/{stem}.md");
    Ok(())
}

/// Says how it ended; fails if a target was missed.
pub(super) fn conclude(found: &Findings) -> Outcome {
    let checks = checks(found);
    let missed = checks.iter().filter(|check| check.passes == Some(false));
    match missed.inspect(|check| println!("{}", line(check))).count() {
        0 => Ok(()),
        missed => Err(format!("{missed} of {} targets missed", checks.len()).into()),
    }
}

/// The checks of all groups, and the one that is about all of them.
fn checks(found: &Findings) -> Vec<Cow<'_, Check>> {
    let all = found.checks.iter().map(Cow::Borrowed);
    all.chain(judge::coverage(&found.cells).map(Cow::Owned))
        .collect()
}

fn markdown(
    found: &Findings,
    rig: &Rig,
    date: &str,
    picture: Option<String>,
) -> Result<String, Failure> {
    let mut text = format!(
        "# What tools report against what happened, {date}\n\n{}\n\n",
        machine(rig)?
    );
    if let Some(picture) = picture {
        writeln!(
            text,
            "![Error of each tool at each percentile]({picture})\n"
        )?;
    }
    text.push_str("## Targets\n\n| what | measured | target | |\n|---|---|---|---|\n");
    for check in checks(found) {
        writeln!(
            text,
            "| {} | {} | {} | {} |",
            check.what,
            cleaned(&check.measured),
            check.wanted,
            check.verdict()
        )?;
    }
    for group in GROUPS {
        let cells: Vec<_> = found
            .cells
            .iter()
            .filter(|cell| cell.group == group.name)
            .collect();
        if !cells.is_empty() {
            writeln!(text, "\n## {}: {}\n", group.name, group.about)?;
            text.push_str(&table(&cells)?);
        }
    }
    text.push_str(&meanings(&found.cells)?);
    Ok(text)
}

/// What was measured on and how.
fn machine(rig: &Rig) -> Result<String, Failure> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown processor", |rest| {
            rest.trim_start_matches([' ', '\t', ':'])
        });
    let kernel = shell::read(shell::command("uname").arg("-r"))?;
    let commit = shell::read(shell::command("git").args(["rev-parse", "--short", "HEAD"]))?;
    Ok(format!(
        "{model}, {} cores, Linux {}, load {} before the start; commit {}. `netload target --busy-poll --log` on core 1, \
         the tools on core {CORE}, one at a time; {} interleaved starts of {} s ({} of other tools).\n\n\
         The truth of a run is what the server's kernel stamped: last byte of the request in, last byte of the answer \
         out. It does not contain the way through the loopback device, a few microseconds that every tool must see. \
         An error is what the tool reports less the truth of the same run: the median over the starts, too large is \
         positive. Requests that a tool gave up at its end are no part of its truth. *Server off* is how far the server \
         itself was from its script at p99, which is no error of the tools.",
        std::thread::available_parallelism()?,
        kernel.trim(),
        rig.load_before,
        commit.trim(),
        rig.rounds,
        rig.seconds,
        rig.rounds.min(RIVAL_ROUNDS),
    ))
}

fn table(cells: &[&Cell]) -> Result<String, Failure> {
    let mut text = String::from("| tool | answers | requests/s | true p50 | true p99 |");
    SHOWN
        .iter()
        .for_each(|p| text.push_str(&format!(" error at p{p} |")));
    text.push_str(" server off | |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for cell in cells {
        text.push_str(&row(cell, cell.tool.name, |run| Some(run.told.main))?);
        if cell.runs.iter().any(|run| run.told.gross.is_some()) {
            let name = format!("{}, gross", cell.tool.name);
            text.push_str(&row(cell, &name, |run| run.told.gross)?);
        }
        if cell.runs.iter().any(|run| run.told.response.is_some()) {
            let name = format!("{}, from the planned start", cell.tool.name);
            text.push_str(&row(cell, &name, |run| run.told.response)?);
        }
    }
    Ok(text)
}

fn row(
    cell: &Cell,
    name: &str,
    told: impl Fn(&Run) -> Option<Quantiles>,
) -> Result<String, Failure> {
    let time = |ns: Option<f64>| ns.map_or("-".to_owned(), shown);
    let mut answers = cell.load.script.name.to_owned();
    if cell.disturbance != Disturbance::Quiet {
        write!(answers, ", {}", cell.disturbance.name())?;
    }
    write!(answers, "; {}", cell.load.words())?;
    let rate = cell.median_of(|run| Some(run.truth.per_second));
    let mut text = format!(
        "| {name} | {answers} | {} | {} | {} |",
        rate.map_or("-".to_owned(), |rate| format!("{rate:.0}")),
        time(cell.truth(50.0)),
        time(cell.truth(99.0)),
    );
    for percentile in SHOWN {
        let error = cell.error_of(percentile, &told);
        write!(text, " {} |", error.map_or("-".to_owned(), shown_error))?;
    }
    let off = cell.median_of(|run| Some(run.truth.precision.p99_ns as f64));
    writeln!(text, " {} | {} |", time(off), notes(cell))?;
    Ok(text)
}

/// What a reader should know about a cell.
fn notes(cell: &Cell) -> String {
    let mut notes = Vec::new();
    if let Some(failure) = cell.failures.first() {
        notes.push(match cell.runs.len() {
            0 => cleaned(failure),
            _ => format!("{} runs failed: {}", cell.failures.len(), cleaned(failure)),
        });
    }
    let steal = cell.median_of(|run| Some(run.steal)).unwrap_or(0.0);
    if steal > STEAL_MARKED {
        notes.push(format!("{:.1} % of the machine stolen", steal * 100.0));
    }
    let off = cell.median_of(|run| Some(run.truth.precision.p99_ns as f64));
    if off.is_some_and(|off| off > SERVER_OFF_MARKED) {
        notes.push("server late".into());
    }
    notes.join("; ")
}

/// Nothing that would break a table.
fn cleaned(text: &str) -> String {
    text.replace('|', "/").replace('\n', " ")
}

fn meanings(cells: &[Cell]) -> Result<String, Failure> {
    let mut text =
        String::from("\n## What each number is\n\n| tool | its response time |\n|---|---|\n");
    let mut told = Vec::new();
    for cell in cells {
        if !told.contains(&cell.tool.name) {
            told.push(cell.tool.name);
            writeln!(text, "| {} | {} |", cell.tool.name, cell.tool.meaning)?;
        }
    }
    Ok(text)
}

fn check_json(check: &Check) -> Value {
    json!({
        "what": check.what,
        "measured": check.measured,
        "wanted": check.wanted,
        "passes": check.passes,
    })
}

fn cell_json(cell: &Cell) -> Value {
    json!({
        "group": cell.group,
        "what": judge::title(cell),
        "load": cell.load.words(),
        "seconds": cell.load.seconds,
        "failures": cell.failures,
        "runs": cell.runs.iter().map(run_json).collect::<Vec<_>>(),
    })
}

fn run_json(run: &Run) -> Value {
    let intervals: Vec<_> = run
        .told
        .intervals
        .iter()
        .map(|(percentile, low, high)| json!([format!("p{percentile}"), low, high]))
        .collect();
    json!({
        "requests": run.truth.requests,
        "per_second": run.truth.per_second,
        "truth_ns": quantiles_json(&run.truth.service),
        "told_ns": quantiles_json(&run.told.main),
        "gross_ns": run.told.gross.as_ref().map(quantiles_json),
        "response_ns": run.told.response.as_ref().map(quantiles_json),
        "intervals_ns": intervals,
        "lateness_p99_ns": run.told.lateness_p99_ns,
        "server_off_p99_ns": run.truth.precision.p99_ns,
        "steal": run.steal,
    })
}

fn quantiles_json(quantiles: &Quantiles) -> Value {
    let one = |p: &f64| {
        (
            format!("p{p}"),
            quantiles.at(*p).map_or(Value::Null, Value::from),
        )
    };
    PERCENTILES
        .iter()
        .map(one)
        .collect::<serde_json::Map<_, _>>()
        .into()
}
