//! `cargo xtask accuracy`: what netload and other tools report, against what really happened.
//!
//! The server has a core of its own and logs the kernel's stamps of every request; the generators share the other
//! core, one at a time. Each run starts both anew, and a tool's percentiles are compared with the truth of that very
//! run. Invariant: cells that netload loses are written like the others.

mod cell;
mod chart;
mod competitors;
mod cost;
mod disturb;
mod groups;
mod install;
mod judge;
mod load;
mod own;
mod pace;
mod quantiles;
mod report;
mod tool;
mod truth;

use std::path::PathBuf;
use std::time::Instant;

use crate::measuring::{HELP, Measuring};
use crate::{Outcome, k6, setup};
use groups::{Findings, GROUPS};
use judge::Check;
use tool::Tool;

type Failure = Box<dyn std::error::Error>;

/// The core the generators share, one at a time.
const CORE: &str = "0";
/// Rounds of the tools that netload is compared with, at most.
const RIVAL_ROUNDS: usize = 3;

/// What every measurement needs.
struct Rig {
    netload: PathBuf,
    k6: Option<PathBuf>,
    rounds: usize,
    /// Length of one run.
    seconds: u64,
    folder: PathBuf,
    /// The machine's load before anything was measured: other work spoils the figures.
    load_before: String,
}

impl Rig {
    /// How often a tool is run.
    fn rounds_of(&self, tool: &Tool) -> usize {
        if tool.name.starts_with("netload") {
            self.rounds
        } else {
            self.rounds.min(RIVAL_ROUNDS)
        }
    }

    /// An empty folder; what the last run left is gone.
    fn fresh_folder(&self) -> Result<PathBuf, Failure> {
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder)?;
        }
        std::fs::create_dir_all(&self.folder)?;
        Ok(self.folder.clone())
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

struct Options {
    measuring: Measuring,
    rounds: usize,
    seconds: u64,
    pace: Option<f64>,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let Some(options) = parse(arguments)? else {
        help();
        return Ok(());
    };
    if let Some(rate) = options.pace {
        return pace::run(rate, options.seconds);
    }
    let rig = prepare(&options)?;
    let start = Instant::now();
    let mut found = Findings::default();
    for group in GROUPS {
        if !options.measuring.wants(group.name) {
            continue;
        }
        println!(
            "{} ({:.0} s): {}",
            group.name,
            start.elapsed().as_secs_f64(),
            group.about
        );
        match (group.run)(&rig) {
            Ok(more) => {
                more.checks
                    .iter()
                    .for_each(|check| println!("  {}", report::line(check)));
                found.cells.extend(more.cells);
                found.checks.extend(more.checks);
            }
            Err(error) => {
                println!("  failed: {error}");
                found.checks.push(Check {
                    what: group.about.to_owned(),
                    wanted: "measured".into(),
                    measured: error.to_string(),
                    passes: Some(false),
                });
            }
        }
        // After every group, so that a run that is broken off leaves what it has.
        report::write(&found, &rig, &options.measuring.only)?;
    }
    report::conclude(&found)
}

fn prepare(options: &Options) -> Result<Rig, Failure> {
    if std::thread::available_parallelism()?.get() < 2 {
        return Err("two cores are needed: one for the server, one for the generator".into());
    }
    // What cannot be installed is left out of the comparison.
    if let Err(error) = setup::run(&[]) {
        println!("not everything could be installed: {error}");
    }
    install::missing();
    let netload = options.measuring.netload()?;
    let k6 = k6::path().inspect_err(|error| println!("k6 is left out: {error}"));
    let load = std::fs::read_to_string("/proc/loadavg")?;
    Ok(Rig {
        netload,
        k6: k6.ok(),
        rounds: options.rounds,
        seconds: options.seconds,
        folder: std::env::temp_dir().join(format!("netload-accuracy-{}", std::process::id())),
        load_before: load.split(' ').next().unwrap_or_default().to_owned(),
    })
}

fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let (mut rounds, mut seconds, mut pace) = (5, 2, None);
    let names: Vec<_> = GROUPS.iter().map(|group| group.name).collect();
    let measuring = Measuring::read(arguments, &names, |option, values| {
        match option {
            "--rounds" => rounds = values.number()?,
            "--seconds" => seconds = values.number()?,
            // How the command starts itself for the bare loop of `lateness`.
            "--pace" => pace = Some(values.number()?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(measuring.map(|measuring| Options {
        measuring,
        rounds,
        seconds,
        pace,
    }))
}

fn help() {
    println!(
        "cargo xtask accuracy [OPTIONS]

  --only GROUP     only this group; may be repeated
  --rounds N       starts of each cell, interleaved (5; at most {RIVAL_ROUNDS} for other tools)
  --seconds N      length of one run (2)
{HELP}"
    );
    for group in GROUPS {
        println!("  {:16} {}", group.name, group.about);
    }
}
