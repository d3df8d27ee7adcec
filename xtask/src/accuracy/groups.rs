//! The groups of cells: which tools, which loads, what must be reached.
//!
//! Invariant: a group can be measured alone.

use super::cell::{Cell, measure};
use super::competitors::{AB, H2LOAD, HEY, K6, VEGETA, WRK, WRK2};
use super::disturb::Disturbance;
use super::judge::{self, Check, FIXED, VARYING, title};
use super::load::{
    BIMODAL, FAST, FIXED_1, FIXED_10, Load, SCRIPTS, STALL, STALL_EVERY_NS, STALL_FOR_NS, Script,
};
use super::own::{HIT, RUN};
use super::quantiles::{median, median_error};
use super::tool::{Tool, run};
use super::{Failure, Rig, cost, pace};

/// What a group found.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) cells: Vec<Cell>,
    pub(super) checks: Vec<Check>,
}

/// Cells that are measured together.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) run: fn(&Rig) -> Result<Findings, Failure>,
}

#[rustfmt::skip]
pub(super) const GROUPS: &[Group] = &[
    Group { name: "net", about: "net against the wire, at a rate netload can hold", run: net },
    Group { name: "compare", about: "all tools, as fast as the server answers; at 1 ms the slower ones are at their own limit", run: compare },
    Group { name: "rate", about: "tools that can hold a rate, at 1,000/s", run: rate },
    Group { name: "disturbed", about: "with CPU hogs on the generator's core, and stopped again and again", run: disturbed },
    Group { name: "script", about: "with 2 ms of JavaScript in each iteration", run: script },
    Group { name: "stall", about: "stalls in the open model, from the planned start", run: stall },
    Group { name: "lateness", about: "planned starts against a bare loop of timerfd and spin", run: lateness },
    Group { name: "cost", about: "what measuring net costs, against --measure gross", run: cost::run },
];

/// Connections, or virtual users with one each.
const CONNECTIONS: usize = 32;
/// Of netload's own highest rate.
const OWN_SHARE: f64 = 0.7;
/// Of what the connections can carry: the rest keeps starts from waiting for one.
const CONNECTION_SHARE: f64 = 0.6;
/// The rate that every tool can hold.
const RATE: f64 = 1000.0;
/// Milliseconds of JavaScript in each iteration of `script`.
const BURN_MS: u64 = 2;
/// The rate of `stall`: few enough that all waiting answers leave within a hundredth of the stall.
const STALL_RATE: f64 = 400.0;
const STALL_CONNECTIONS: usize = 128;
/// How late starts may be at p99 above the bare loop, in nanoseconds: rate and limit.
const LATENESS: [(f64, f64); 2] = [(1_000.0, 30e3), (10_000.0, 100e3)];
/// Pairs of both for each round: a host that takes a hundredth of the time away decides about p99 of a single one.
const LATENESS_PAIRS: usize = 3;
/// How far the rate may be off, in percent.
const RATE_ERROR_PERCENT: f64 = 0.1;

fn net(rig: &Rig) -> Result<Findings, Failure> {
    let mut cells = Vec::new();
    for tool in [&HIT, &RUN] {
        let highest = run(
            rig,
            tool,
            Load::closed(FAST, CONNECTIONS, 1),
            Disturbance::Quiet,
        )?;
        let highest = highest.truth.per_second;
        println!("  {} reaches {highest:.0}/s", tool.name);
        for script in SCRIPTS {
            let carried = CONNECTIONS as f64 * 1e3 / script.mean_ms * CONNECTION_SHARE;
            let rate = (highest * OWN_SHARE).min(carried).floor();
            let load = Load::open(script, CONNECTIONS, rate, rig.seconds);
            cells.push(Cell::new("net", tool, load, rig.rounds));
        }
    }
    let cells = measure(rig, cells);
    let checks = cells.iter().flat_map(|cell| {
        let fixed = [FIXED_1, FIXED_10].contains(&cell.load.script);
        judge::net(cell, if fixed { &FIXED } else { &VARYING })
    });
    Ok(Findings {
        checks: checks.collect(),
        cells,
    })
}

fn compare(rig: &Rig) -> Result<Findings, Failure> {
    let tools = [&HIT, &RUN, &WRK, &AB, &H2LOAD, &HEY, &VEGETA, &K6];
    let cells = every(rig, "compare", &SCRIPTS, &tools, |script| {
        Load::closed(script, CONNECTIONS, rig.seconds)
    });
    let ours = cells
        .iter()
        .find(|cell| cell.tool.name == HIT.name && cell.load.script == BIMODAL);
    let checks = ours.map_or(Vec::new(), |ours| {
        [&K6, &HEY, &WRK]
            .map(|rival| judge::ratio(&cells, ours, rival.name, 10.0))
            .into()
    });
    Ok(Findings { checks, cells })
}

fn rate(rig: &Rig) -> Result<Findings, Failure> {
    let tools = [&HIT, &RUN, &WRK2, &HEY, &VEGETA, &K6];
    let cells = every(rig, "rate", &[FIXED_1, BIMODAL], &tools, |script| {
        Load::open(script, CONNECTIONS, RATE, rig.seconds)
    });
    let ours = cells
        .iter()
        .find(|cell| cell.tool.name == HIT.name && cell.load.script == FIXED_1);
    let checks = ours.map(|ours| judge::ratio(&cells, ours, WRK2.name, 20.0));
    Ok(Findings {
        checks: checks.into_iter().collect(),
        cells,
    })
}

fn disturbed(rig: &Rig) -> Result<Findings, Failure> {
    let mut cells = Vec::new();
    // Hogs only hurt who wants the core often; a pulse must be long beside the answers of a connection.
    let both = [(Disturbance::Hog, FIXED_1), (Disturbance::Pulses, FIXED_10)];
    for (disturbance, script) in both {
        for tool in [&HIT, &RUN, &WRK, &AB, &HEY, &K6] {
            let load = Load::closed(script, CONNECTIONS, rig.seconds);
            let cell = Cell::new("disturbed", tool, load, rig.rounds_of(tool));
            cells.push(cell.disturbed(disturbance));
        }
    }
    let cells = measure(rig, cells);
    let checks = own(&cells).flat_map(judge::disturbed).collect();
    Ok(Findings { checks, cells })
}

fn script(rig: &Rig) -> Result<Findings, Failure> {
    let cells = every(rig, "script", &[FIXED_1], &[&RUN, &K6], |script| Load {
        burn_ms: BURN_MS,
        ..Load::closed(script, CONNECTIONS, rig.seconds)
    });
    let checks = own(&cells).flat_map(judge::disturbed).collect();
    Ok(Findings { checks, cells })
}

fn stall(rig: &Rig) -> Result<Findings, Failure> {
    // Whole periods, and enough requests for three nines.
    let seconds = (rig.seconds * 3).max(10);
    let tools = [&HIT, &RUN, &WRK2, &VEGETA, &K6];
    let cells = every(rig, "stall", &[STALL], &tools, |script| {
        Load::open(script, STALL_CONNECTIONS, STALL_RATE, seconds)
    });
    let mut checks = Vec::new();
    for cell in &cells {
        let ours = cell.tool.name.starts_with("netload");
        for percentile in [96.0, 99.0, 99.9] {
            let truth = STALL_FOR_NS - (1.0 - percentile / 100.0) * STALL_EVERY_NS;
            let errors = cell.runs.iter().filter_map(|run| {
                let told = if ours {
                    run.told.response?
                } else {
                    run.told.main
                };
                Some(told.at(percentile)? - truth)
            });
            let what = format!("{}: p{percentile} from the planned start", title(cell));
            let check = Check::within(what, median_error(errors.collect()), STALL_FOR_NS / 100.0);
            // The others are shown beside ours and cannot miss.
            let passes = check.passes.filter(|_| ours);
            checks.push(Check { passes, ..check });
        }
    }
    Ok(Findings { checks, cells })
}

fn lateness(rig: &Rig) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    for (rate, limit) in LATENESS {
        let load = Load::open(FAST, CONNECTIONS, rate, rig.seconds);
        let mut cell = Cell::new("lateness", &HIT, load, 1);
        let mut above = Vec::new();
        for _ in 0..rig.rounds * LATENESS_PAIRS {
            let bare = pace::lateness_p99_ns(rig, rate)?;
            let made = measure(rig, vec![Cell::new("lateness", &HIT, load, 1)]);
            for one in made {
                let late = one.median_of(|run| run.told.lateness_p99_ns);
                above.extend(late.map(|late| late - bare));
                cell.runs.extend(one.runs);
                cell.failures.extend(one.failures);
            }
        }
        let off = |rate_seen: f64| 100.0 * (rate_seen / rate - 1.0).abs();
        let error = cell.median_of(|run| Some(off(run.truth.per_second)));
        findings.checks.push(Check {
            wanted: format!("at most {}", super::quantiles::shown(limit)),
            passes: Some(median(above.clone()).is_some_and(|above| above <= limit)),
            ..Check::within(
                format!("p99 of lateness above a bare loop's at {rate}/s"),
                median(above),
                limit,
            )
        });
        let what = format!("error of the rate at {rate}/s");
        findings
            .checks
            .push(Check::percent_at_most(what, error, RATE_ERROR_PERCENT));
        findings.cells.push(cell);
    }
    Ok(findings)
}

/// Each script with each tool.
fn every(
    rig: &Rig,
    group: &'static str,
    scripts: &[Script],
    tools: &[&'static Tool],
    load: impl Fn(Script) -> Load,
) -> Vec<Cell> {
    let cells = scripts.iter().flat_map(|script| {
        let load = load(*script);
        tools
            .iter()
            .map(move |tool| Cell::new(group, tool, load, rig.rounds_of(tool)))
    });
    measure(rig, cells.collect())
}

fn own(cells: &[Cell]) -> impl Iterator<Item = &Cell> {
    cells
        .iter()
        .filter(|cell| cell.tool.name.starts_with("netload"))
}
