//! One tool and one run of it: start, disturb, wait, read what it says, compare with what happened.
//!
//! Leaves out the tools themselves. Invariant: every run has a fresh server and a fresh tool.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::disturb::Disturbance;
use super::load::Load;
use super::quantiles::{Law, PERCENTILES, Quantiles};
use super::truth::{Server, Truth};
use super::{Failure, Rig};
use crate::host::{self, Ticks};

/// A tool that runs this much longer than it was asked to is given up.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often it is looked whether the tool has ended.
const POLL: Duration = Duration::from_millis(20);

/// Something that makes load and says how long answers took.
pub(super) struct Tool {
    /// For tables.
    pub(super) name: &'static str,
    /// Which of its numbers is taken, and between which events it lies.
    pub(super) meaning: &'static str,
    /// How it takes percentiles.
    pub(super) law: Law,
    /// Where it is; `None` when it is not installed.
    pub(super) find: fn(&Rig) -> Option<PathBuf>,
    /// How it is started, on the generator's core.
    pub(super) command: fn(&Job<'_>) -> Result<Command, Failure>,
    /// What it said.
    pub(super) read: fn(&Job<'_>) -> Result<Told, Failure>,
}

/// One run to be made.
pub(super) struct Job<'a> {
    /// Where the tool is.
    pub(super) program: PathBuf,
    pub(super) load: Load,
    pub(super) url: String,
    /// An empty folder for what it writes; `stdout` and `stderr` end up here too.
    pub(super) folder: &'a Path,
}

impl Job<'_> {
    /// What it wrote to its standard output.
    pub(super) fn stdout(&self) -> Result<String, Failure> {
        Ok(std::fs::read_to_string(self.folder.join("stdout"))?)
    }
}

/// What a tool said about one run. Times are nanoseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Requests that it counted.
    pub(super) requests: Option<u64>,
    /// What it calls the response time.
    pub(super) main: Quantiles,
    /// netload only: what it saw before it took its own share out.
    pub(super) gross: Option<Quantiles>,
    /// netload only: from the planned start.
    pub(super) response: Option<Quantiles>,
    /// netload only: the interval it printed for each percentile.
    pub(super) intervals: Vec<(f64, f64, f64)>,
    /// netload only: p99 of the lateness of planned starts.
    pub(super) lateness_p99_ns: Option<f64>,
}

/// One run: what happened, and what was said.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) truth: Truth,
    pub(super) told: Told,
    /// Share of the machine's time that the hypervisor gave to others.
    pub(super) steal: f64,
}

impl Run {
    /// For each percentile in a printed interval: whether the truth lies in it.
    pub(super) fn covered(&self) -> Vec<bool> {
        let inside = |&(percentile, low, high): &(f64, f64, f64)| {
            let truth = self.truth.service.at(percentile)?;
            Some((low..=high).contains(&truth))
        };
        self.told.intervals.iter().filter_map(inside).collect()
    }
}

/// Makes one run.
pub(super) fn run(
    rig: &Rig,
    tool: &Tool,
    load: Load,
    disturbance: Disturbance,
) -> Result<Run, Failure> {
    let program = (tool.find)(rig).ok_or("not installed")?;
    let folder = rig.fresh_folder()?;
    let server = Server::start(&rig.netload, &folder)?;
    let job = Job {
        program,
        load,
        url: server.url(load.script.path),
        folder: &folder,
    };
    host::wait_until_quiet();
    let steal_before = Ticks::now();
    wait(&job, (tool.command)(&job)?, disturbance)?;
    let steal = Ticks::now().stolen_since(&steal_before);
    let told = (tool.read)(&job)?;
    if PERCENTILES.iter().all(|p| told.main.at(*p).is_none()) {
        return Err("it told no time".into());
    }
    let truth = server.truth(told.requests, tool.law)?;
    Ok(Run { truth, told, steal })
}

/// Runs the tool to its end, disturbed.
fn wait(job: &Job<'_>, mut command: Command, disturbance: Disturbance) -> Result<(), Failure> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(File::create(job.folder.join("stdout"))?)
        .stderr(File::create(job.folder.join("stderr"))?)
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", job.program.display()))?;
    let disturber = disturbance.start(child.id());
    let start = Instant::now();
    let limit = PATIENCE + Duration::from_secs(job.load.seconds);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Err(format!("still running after {limit:?}").into());
        }
        std::thread::sleep(POLL);
    };
    drop(disturber?);
    if status.success() {
        return Ok(());
    }
    let said = std::fs::read_to_string(job.folder.join("stderr"))?;
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Err(format!("ended with {status}: {}", last.unwrap_or_default()).into())
}
