//! The way into the engine: what a run needs, what it shows while it goes on, what it returns.

use std::sync::Arc;

use netload_metrics::{Aggregator, Registry, Sink, Summary};
use netload_net::Network;
use netload_plan::Plan;

use crate::coordinate::Coordinator;
use crate::log::Log;
use crate::program::{Documents, Program, ProgramError};
use crate::state::{End, RunState};

/// Everything a run needs besides its program.
pub struct RunConfig {
    /// What is run.
    pub plan: Arc<Plan>,
    /// The metrics, with those of the script already declared.
    pub registry: Arc<Registry>,
    /// How many workers; at least 1.
    pub workers: usize,
    /// The network's settings.
    pub network: Arc<Network>,
    /// Where results go.
    pub sinks: Vec<Box<dyn Sink>>,
    /// Where log records go.
    pub log: Arc<dyn Log>,
    /// Whether metrics are also kept by group and scenario.
    pub scopes: bool,
    /// Whether thresholds are judged.
    pub thresholds: bool,
    /// Told once, before anything starts: the state by which the run can be watched and ended.
    pub on_start: Box<dyn FnOnce(Arc<RunState>)>,
    /// Called ten times a second.
    pub observer: Box<dyn FnMut(&Live<'_>)>,
    /// Makes the data of handleSummary, as JSON text, from the summary and what setup returned; none when the program
    /// has no such function.
    pub summary_data: Option<SummaryData>,
}

/// See [`RunConfig::summary_data`].
pub type SummaryData = Box<dyn Fn(&Summary, Option<&str>) -> String>;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// VUs are being made.
    Init,
    /// Waiting for the user to start it.
    Paused,
    /// Setup runs.
    Setup,
    /// The load runs.
    Load,
    /// Teardown runs.
    Teardown,
    /// Over.
    Done,
}

/// A moment of the run.
pub struct Live<'a> {
    /// Where the run is.
    pub phase: Phase,
    /// The instance's counters and scenarios.
    pub state: &'a RunState,
    /// Everything measured so far.
    pub aggregator: &'a Aggregator,
    /// The last full second.
    pub recent: &'a Recent,
    /// What is wrong with the generator now, in one sentence.
    pub generator: Option<&'a str>,
    /// Since the start, in nanoseconds; 0 before.
    pub elapsed_ns: u64,
    /// The present instant (monotonic nanoseconds).
    pub now_ns: u64,
}

/// What happened in the last full second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recent {
    /// Exchanges per second.
    pub rate: f64,
    /// Failed exchanges per second.
    pub failed: f64,
    /// Median duration in milliseconds.
    pub p50_ms: f64,
    /// 99th percentile in milliseconds.
    pub p99_ms: f64,
    /// Iterations per second.
    pub iterations: f64,
    /// How many full seconds there were.
    pub seconds: u64,
}

/// How a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The plan was carried out.
    Completed,
    /// Somebody ended it.
    Ended(End),
    /// A VU could not be made.
    Init(ProgramError),
    /// Setup failed.
    Setup(ProgramError),
    /// Teardown failed.
    Teardown(ProgramError),
}

/// What a run leaves.
#[derive(Debug)]
pub struct RunResult {
    /// Everything measured.
    pub summary: Summary,
    /// How it came to its end.
    pub finish: Finish,
    /// What setup returned, as JSON text.
    pub setup_data: Option<Arc<str>>,
    /// What handleSummary returned; none when it does not exist, returned nothing or failed (then it was logged).
    pub documents: Option<Documents>,
    /// The state at the end.
    pub state: Arc<RunState>,
}

/// A run could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// An output could not be opened.
    #[error("cannot open the output {name}: {reason}")]
    Output {
        /// Which.
        name: String,
        /// Why.
        reason: String,
    },
    /// The system refused threads or an event loop.
    #[error("cannot start the engine: {0}")]
    System(#[from] std::io::Error),
}

/// Runs a program by a plan until its end. Blocks the calling thread, which coordinates.
///
/// With planned starts that thread becomes nicer than before, which only a privileged process can take back; threads made
/// by it afterwards inherit that.
///
/// # Errors
/// When the run cannot start. Whatever goes wrong later is part of the result.
pub fn run<P: Program>(program: Arc<P>, config: RunConfig) -> Result<RunResult, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let tasks = tokio::task::LocalSet::new();
    tasks.block_on(&runtime, async move {
        let coordinator = Coordinator::start(program, config)?;
        Ok(coordinator.run().await)
    })
}
