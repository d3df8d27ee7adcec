//! What must be reached, and whether it is.
//!
//! Invariant: a target that could not be measured is not reached; what needs a tool that is not installed is told so
//! and judged as neither.

use super::cell::Cell;
use super::load::Load;
use super::quantiles::{shown, shown_error};

/// One sentence that must be true.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) what: String,
    pub(super) wanted: String,
    pub(super) measured: String,
    /// `None` when it does not apply here.
    pub(super) passes: Option<bool>,
}

impl Check {
    /// At most this; all in nanoseconds.
    pub(super) fn within(what: String, measured: Option<f64>, limit: f64) -> Check {
        Check {
            what,
            wanted: format!("within {}", shown(limit)),
            measured: measured.map_or("not measured".into(), shown_error),
            passes: Some(measured.is_some_and(|error| error.abs() <= limit)),
        }
    }

    /// At least that many times.
    pub(super) fn at_least(what: String, unit: &str, measured: Option<f64>, limit: f64) -> Check {
        Check {
            what,
            wanted: format!("at least {limit}{unit}"),
            measured: measured.map_or("not measured".into(), |m| format!("{m:.1}{unit}")),
            passes: Some(measured.is_some_and(|m| m >= limit)),
        }
    }

    /// At most that many percent.
    pub(super) fn percent_at_most(what: String, measured: Option<f64>, limit: f64) -> Check {
        Check {
            what,
            wanted: format!("at most {limit} %"),
            measured: measured.map_or("not measured".into(), |m| format!("{m:.3} %")),
            passes: Some(measured.is_some_and(|m| m <= limit)),
        }
    }

    /// How it ended, for a table.
    pub(super) fn verdict(&self) -> &'static str {
        match self.passes {
            None => "",
            Some(true) => "pass",
            Some(false) => "MISS",
        }
    }
}

/// How far a percentile may be off.
#[derive(Clone, Copy)]
pub(super) struct Tolerance {
    pub(super) percentile: f64,
    pub(super) ns: f64,
    /// Of the truth; the larger of both counts.
    pub(super) share: f64,
}

const fn tolerance(percentile: f64, ns: f64, share: f64) -> Tolerance {
    Tolerance {
        percentile,
        ns,
        share,
    }
}

/// Answers that always take the same time.
pub(super) const FIXED: [Tolerance; 3] = [
    tolerance(50.0, 5e3, 0.0),
    tolerance(99.0, 20e3, 0.0),
    tolerance(99.9, 50e3, 0.0),
];
/// Answers whose times vary.
pub(super) const VARYING: [Tolerance; 3] = [
    tolerance(50.0, 20e3, 0.005),
    tolerance(99.0, 20e3, 0.005),
    tolerance(99.9, 50e3, 0.01),
];
/// A generator that is kept from working.
pub(super) const DISTURBED: [Tolerance; 2] =
    [tolerance(50.0, 100e3, 0.02), tolerance(99.0, 100e3, 0.02)];
/// A disturbance counts only if it moves gross this far, in nanoseconds.
const DISTURBED_GROSS_NS: f64 = 10e6;

/// Net against the wire.
pub(super) fn net(cell: &Cell, tolerances: &[Tolerance]) -> Vec<Check> {
    tolerances
        .iter()
        .map(|allowed| {
            let p = allowed.percentile;
            let limit = allowed.ns.max(cell.truth(p).unwrap_or(0.0) * allowed.share);
            Check::within(
                format!("{}: p{p} of net", title(cell)),
                cell.error(p),
                limit,
            )
        })
        .collect()
}

/// Net is right while gross is not.
pub(super) fn disturbed(cell: &Cell) -> Vec<Check> {
    let mut checks = net(cell, &DISTURBED);
    let gross = cell.error_of(99.0, |run| run.told.gross);
    checks.push(Check {
        what: format!("{}: gross is off at p99", title(cell)),
        wanted: format!("at least {}", shown(DISTURBED_GROSS_NS)),
        measured: gross.map_or("not measured".into(), shown_error),
        passes: Some(gross.is_some_and(|error| error >= DISTURBED_GROSS_NS)),
    });
    checks
}

/// How many times smaller the worst error of `ours` is than that of another tool under the same load.
pub(super) fn ratio(cells: &[Cell], ours: &Cell, rival: &str, limit: f64) -> Check {
    let what = format!("{}: error against {rival}'s", title(ours));
    let found = cells.iter().find(|cell| {
        cell.tool.name == rival && same(&cell.load, &ours.load) && cell.group == ours.group
    });
    match found.filter(|cell| !cell.runs.is_empty()) {
        Some(rival) => {
            let ratio = worst(rival)
                .zip(worst(ours))
                .map(|(theirs, ours)| theirs / ours);
            Check::at_least(what, " x smaller", ratio, limit)
        }
        None => Check {
            what,
            wanted: format!("at least {limit} x smaller"),
            measured: format!("{rival} is not installed or failed"),
            passes: None,
        },
    }
}

fn same(one: &Load, other: &Load) -> bool {
    (one.script, one.drive, one.connections) == (other.script, other.drive, other.connections)
}

/// The largest error of a cell; p99.9 is left out because not every tool has it. At least what a stamp can resolve.
fn worst(cell: &Cell) -> Option<f64> {
    let errors = [50.0, 90.0, 99.0].map(|p| cell.error(p));
    let worst = errors
        .into_iter()
        .flatten()
        .map(f64::abs)
        .reduce(f64::max)?;
    Some(worst.max(1e3))
}

/// The share of printed intervals that hold the truth.
pub(super) fn coverage(cells: &[Cell]) -> Option<Check> {
    let judged: Vec<bool> = cells
        .iter()
        .flat_map(|cell| &cell.runs)
        .flat_map(|run| run.covered())
        .collect();
    let own = cells
        .iter()
        .any(|cell| cell.tool.name.starts_with("netload"));
    own.then(|| {
        let inside = judged.iter().filter(|inside| **inside).count();
        let share = (!judged.is_empty()).then(|| 100.0 * inside as f64 / judged.len() as f64);
        let what = format!("truth inside the printed interval, {} cells", judged.len());
        Check::at_least(what, " %", share, 95.0)
    })
}

/// What was measured, for a check.
pub(super) fn title(cell: &Cell) -> String {
    use super::disturb::Disturbance;
    let mut text = format!("{}, {}", cell.tool.name, cell.load.script.name);
    if cell.disturbance != Disturbance::Quiet {
        text.push_str(&format!(", {}", cell.disturbance.name()));
    }
    if cell.load.burn_ms > 0 {
        text.push_str(&format!(", {} ms of JavaScript", cell.load.burn_ms));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_not_reached() {
        assert_eq!(Check::within("a".into(), None, 1.0).verdict(), "MISS");
        assert_eq!(Check::within("a".into(), Some(-2e3), 1e3).verdict(), "MISS");
        assert_eq!(Check::within("a".into(), Some(-1e3), 1e3).verdict(), "pass");
        assert_eq!(
            Check::at_least("a".into(), " x", Some(9.9), 10.0).verdict(),
            "MISS"
        );
        assert_eq!(
            Check::percent_at_most("a".into(), Some(0.1), 0.1).verdict(),
            "pass"
        );
        assert!(coverage(&[]).is_none());
    }
}
