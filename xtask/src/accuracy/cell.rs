//! A cell of the comparison: one tool under one load, measured several times; and how cells are measured.
//!
//! Invariant: rounds are interleaved, so that a machine that changes changes for everybody, and a run that failed is
//! counted as one that failed.

use super::disturb::Disturbance;
use super::load::Load;
use super::quantiles::{Quantiles, median, median_error, shown_error};
use super::tool::{Run, Tool, run};
use super::{Failure, Rig};

/// One tool under one load.
pub(super) struct Cell {
    /// The group it belongs to.
    pub(super) group: &'static str,
    pub(super) tool: &'static Tool,
    pub(super) load: Load,
    pub(super) disturbance: Disturbance,
    /// How often it is to be run.
    pub(super) rounds: usize,
    pub(super) runs: Vec<Run>,
    /// Why runs gave nothing.
    pub(super) failures: Vec<String>,
}

impl Cell {
    /// A cell that was not measured yet.
    pub(super) fn new(group: &'static str, tool: &'static Tool, load: Load, rounds: usize) -> Cell {
        Cell {
            group,
            tool,
            load,
            disturbance: Disturbance::Quiet,
            rounds,
            runs: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// The same with the generator disturbed.
    pub(super) fn disturbed(self, disturbance: Disturbance) -> Cell {
        Cell {
            disturbance,
            ..self
        }
    }

    /// The median over the runs of how far the tool's number is above the truth.
    pub(super) fn error(&self, percentile: f64) -> Option<f64> {
        self.error_of(percentile, |run| Some(run.told.main))
    }

    /// The same for another of its numbers.
    pub(super) fn error_of(
        &self,
        percentile: f64,
        told: impl Fn(&Run) -> Option<Quantiles>,
    ) -> Option<f64> {
        let error = |run: &Run| told(run)?.minus(&run.truth.service).at(percentile);
        median_error(self.runs.iter().filter_map(error).collect())
    }

    /// The median truth at that percentile.
    pub(super) fn truth(&self, percentile: f64) -> Option<f64> {
        self.median_of(|run| run.truth.service.at(percentile))
    }

    /// The median over the runs of any number.
    pub(super) fn median_of(&self, number: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
        median(self.runs.iter().filter_map(number).collect())
    }
}

/// Measures all cells, round by round.
pub(super) fn measure(rig: &Rig, mut cells: Vec<Cell>) -> Vec<Cell> {
    let rounds = cells.iter().map(|cell| cell.rounds).max().unwrap_or(0);
    for round in 0..rounds {
        for cell in cells.iter_mut().filter(|cell| round < cell.rounds) {
            if let Some(note) = given_up(cell) {
                cell.failures = vec![note];
                continue;
            }
            let made = run(rig, cell.tool, cell.load, cell.disturbance);
            println!("  {} {}", progress(cell, round), outcome(&made));
            match made {
                Ok(run) => cell.runs.push(run),
                Err(error) => cell.failures.push(error.to_string()),
            }
        }
    }
    cells
}

/// Two failures and no success: there is no use in trying on.
fn given_up(cell: &Cell) -> Option<String> {
    let hopeless = cell.runs.is_empty() && !cell.failures.is_empty();
    (hopeless && (cell.failures.len() > 1 || cell.failures[0] == "not installed"))
        .then(|| cell.failures[0].clone())
}

fn progress(cell: &Cell, round: usize) -> String {
    let disturbance = match cell.disturbance {
        Disturbance::Quiet => String::new(),
        other => format!(", {}", other.name()),
    };
    format!(
        "{}/{} {:12} {}, {}{disturbance}:",
        round + 1,
        cell.rounds,
        cell.tool.name,
        cell.load.script.name,
        cell.load.words(),
    )
}

fn outcome(made: &Result<Run, Failure>) -> String {
    match made {
        Ok(run) => {
            let errors = run.told.main.minus(&run.truth.service);
            let error = |p| errors.at(p).map_or("-".to_owned(), shown_error);
            format!(
                "{} requests, p50 {}, p99 {}",
                run.truth.requests,
                error(50.0),
                error(99.0)
            )
        }
        Err(error) => format!("failed: {error}"),
    }
}
