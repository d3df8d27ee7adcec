//! `cargo xtask verdict`: whether netload notices that it is disturbed, why, how soon, and never without a reason.
//!
//! Clean runs must be called clean; in the others something is done to the generator at a known moment, and verdict,
//! cause and delay are compared with it. Invariant: a run that could not be made counts as failed, unless the machine
//! cannot do what it needs; then the reason stands in the table.

mod case;
mod disturb;
mod quota;
mod report;
mod steal;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::measure::pinned;
use crate::measuring::{HELP, Measuring};
use crate::target::Target;
use crate::{Outcome, host};
use case::{CASES, Case};
use disturb::Disturber;
use report::{Heard, Row};
use steal::Steal;

type Failure = Box<dyn std::error::Error>;

/// The core of the server and that of the generator.
const SERVER_CORE: &str = "0";
const CORE: &str = "1";

/// Length of a run, when the disturbance begins, and how long it lasts.
const RUN_S: u64 = 7;
const ONSET: Duration = Duration::from_secs(3);
const LASTS: Duration = Duration::from_secs(3);
/// From the start of the process to the start of its load, at most: counted as delay.
const STARTUP_S: f64 = 0.1;
/// A run that takes longer than this is given up.
const PATIENCE: Duration = Duration::from_secs(60);
/// A run without a disturbance is set aside when the hypervisor took so much of a half second.
const STOLEN_AT_MOST: f64 = 0.05;
/// So many runs are begun for one that counts, at most.
const ATTEMPTS: usize = 3;

/// What every run needs.
struct Rig {
    netload: PathBuf,
    target: Target,
}

struct Options {
    measuring: Measuring,
    runs: usize,
    clean: usize,
    clock: bool,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let Some(options) = parse(arguments)? else {
        help();
        return Ok(());
    };
    let rig = prepare(&options)?;
    let mut rows = Vec::new();
    for case in CASES {
        if !options.measuring.wants(case.name) {
            continue;
        }
        println!("{}: {}", case.name, case.about);
        let row = match (case.possible)(options.clock) {
            Err(reason) => Row::left_out(case, reason),
            Ok(()) => measure(&rig, case, &options),
        };
        println!("  {}", row.line());
        rows.push(row);
        report::write(&rows)?;
    }
    report::conclude(&rows)
}

fn measure(rig: &Rig, case: &'static Case, options: &Options) -> Row {
    let runs = if case.is_clean() {
        options.clean
    } else {
        options.runs
    };
    let mut row = Row::new(case);
    for number in 0..runs * ATTEMPTS {
        if row.runs() == runs {
            break;
        }
        match once(rig, case, number) {
            Ok((heard, _, stolen)) if case.is_clean() && stolen > STOLEN_AT_MOST => {
                let percent = stolen * 100.0;
                println!(
                    "  {}: set aside, {percent:.0} % stolen: {}",
                    number + 1,
                    heard.line()
                );
                row.set_aside += 1;
            }
            Ok((heard, document, _)) => {
                println!("  {}: {}", number + 1, heard.line());
                if !heard.is_right(case) {
                    keep(case, number, &document);
                }
                row.heard.push(heard);
            }
            Err(error) => {
                println!("  {}: failed: {error}", number + 1);
                row.failed.push(error.to_string());
            }
        }
    }
    row
}

/// Keeps the document of a run that was called wrong: its evidence says what was seen.
fn keep(case: &Case, number: usize, document: &str) {
    let name = format!("netload-verdict-{}-{}.json", case.name, number + 1);
    let path = std::env::temp_dir().join(name);
    match std::fs::write(&path, document) {
        Ok(()) => println!("     its document is {}", path.display()),
        Err(error) => println!("     its document could not be kept: {error}"),
    }
}

/// One run of a case: what was heard, the whole document, and the largest part of a half second that was stolen.
fn once(rig: &Rig, case: &Case, number: usize) -> Result<(Heard, String, f64), Failure> {
    let mut command = (case.command)(rig, number)?;
    let output = std::env::temp_dir().join(format!("netload-verdict-{}.json", std::process::id()));
    command
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&output)?)
        .stderr(Stdio::null());
    host::wait_until_quiet();
    let mut steal = Steal::watch();
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut disturber = None;
    let mut onset_s = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let elapsed = start.elapsed();
        if elapsed > PATIENCE {
            drop(disturber.take());
            child.kill()?;
            child.wait()?;
            return Err("it did not end".into());
        }
        if disturber.is_none() && elapsed >= ONSET && elapsed < ONSET + LASTS {
            disturber = Some((case.disturb)(child.id())?);
            onset_s = start.elapsed().as_secs_f64();
        }
        if elapsed >= ONSET + LASTS {
            disturber = disturber.map(Disturber::ended);
        }
        steal.look();
        std::thread::sleep(Duration::from_millis(5));
    };
    drop(disturber);
    let text = std::fs::read_to_string(&output)?;
    let _ = std::fs::remove_file(&output);
    let document: Value =
        serde_json::from_str(&text).map_err(|_| format!("no document, {status}"))?;
    let onset_s = if case.from_start { 0.0 } else { onset_s };
    let heard = Heard::read(&document["generator"], onset_s - STARTUP_S)?;
    Ok((heard, text, steal.most()))
}

/// netload on its core, with the arguments that all runs share.
fn netload(rig: &Rig, arguments: &[&str]) -> Command {
    let mut command = pinned(CORE, &rig.netload);
    command.args(arguments);
    command.args(["--quiet", "--format", "json", "--workers", "1"]);
    command
}

fn prepare(options: &Options) -> Result<Rig, Failure> {
    if std::thread::available_parallelism()?.get() < 2 {
        return Err("two cores are needed: one for the server, one for the generator".into());
    }
    let netload = options.measuring.netload()?;
    Ok(Rig {
        target: Target::start(pinned(SERVER_CORE, &netload), &["--workers", "1"])?,
        netload,
    })
}

fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let (mut runs, mut clean, mut clock) = (10, 40, false);
    let names: Vec<_> = CASES.iter().map(|case| case.name).collect();
    let measuring = Measuring::read(arguments, &names, |option, values| {
        match option {
            "--runs" => runs = values.number()?,
            "--clean" => clean = values.number()?,
            "--clock" => clock = true,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(measuring.map(|measuring| Options {
        measuring,
        runs,
        clean,
        clock,
    }))
}

fn help() {
    println!(
        "cargo xtask verdict [OPTIONS]

  --only CASE      only this case; may be repeated
  --runs N         runs of each disturbance (10)
  --clean N        runs without one (40)
  --clock          also set this machine's wall clock forward and back, by 100 ms
{HELP}"
    );
    for case in CASES {
        println!("  {:14} {}", case.name, case.about);
    }
}
