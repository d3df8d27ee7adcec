//! From a resolved job to its result: everything that `run`, `hit` and `demo` have in common.

mod ending;
mod gate;
pub(crate) mod judge;
mod view;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use netload_engine::run::SummaryData;
use netload_engine::{
    End, Level, Live, Log, Phase, Program, Record, RunConfig, RunError, RunResult, RunState,
};
use netload_metrics::generator::Zero;
use netload_metrics::{Basis, Registry, Sink};
use netload_net::NetConfig;
use netload_output::sinks::{self, SinkOptions};
use netload_output::start::{self, StartView};
use netload_output::tally::{Tally, TallySink};
use netload_plan::Plan;
use netload_ship::{Environment, Fleet};

use crate::api::{self, Board};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::Keeping;
use crate::terminal::Terminal;
use crate::terminal::settings::size;
use crate::terminal::wrap::wrapped;
use crate::ui::Desk;
use crate::{network, signals, zero};
use view::Progress;

pub(crate) use ending::{exit, thrown};
pub(crate) use gate::Gate;

/// How often a lingering process looks for a signal.
const LINGER_LOOK: Duration = Duration::from_millis(100);

/// Everything that is decided before the load starts.
pub(crate) struct Job<P> {
    /// What makes the VUs.
    pub(crate) program: Arc<P>,
    /// The script's path, for the block before the start; none leaves the block out.
    pub(crate) title: Option<String>,
    /// What it does.
    pub(crate) plan: Arc<Plan>,
    /// The metrics, with those of the script.
    pub(crate) registry: Arc<Registry>,
    /// How servers are reached.
    pub(crate) network: NetConfig,
    /// Threads.
    pub(crate) workers: usize,
    /// Whether netload alone is measured first.
    pub(crate) zero: bool,
    /// Outputs as typed: `json=out.json`.
    pub(crate) outputs: Vec<String>,
    /// The environment, where outputs over a network find their settings.
    pub(crate) environment: Environment,
    /// Whether thresholds are judged.
    pub(crate) judged: bool,
    /// Whether groups and scenarios are kept apart.
    pub(crate) scopes: bool,
    /// Makes handleSummary's data, when there is such a function.
    pub(crate) summary_data: Option<SummaryData>,
    /// Where the REST API listens, if it does.
    pub(crate) address: Option<String>,
    /// What keeps the run.
    pub(crate) keeping: Arc<Keeping>,
    /// What it tells pages that look on.
    pub(crate) desk: Option<Arc<Desk>>,
}

/// What a job leaves.
pub(crate) struct Done {
    /// The engine's result.
    pub(crate) result: RunResult,
    /// Statuses and errors.
    pub(crate) tally: Tally,
}

/// The way for signals and the REST API to the running test; empty before it starts.
#[derive(Clone, Default)]
pub(crate) struct Reins(Arc<Mutex<Option<Arc<RunState>>>>);

impl Reins {
    /// Reins that Ctrl-C already pulls: before the test runs it ends the process.
    pub(crate) fn held() -> Result<Self, Failure> {
        let reins = Self::default();
        let held = reins.clone();
        signals::on_interrupt(move || match held.state() {
            Some(state) => {
                state.end(End::Signal);
                true
            }
            None => false,
        })?;
        Ok(reins)
    }

    /// The running test.
    pub(crate) fn state(&self) -> Option<Arc<RunState>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Stays until a signal comes; the one that ended the test counts.
    pub(crate) fn linger(&self, terminal: &Terminal) {
        let Some(state) = self.state() else { return };
        let text = "the test is over; Ctrl-C ends the process";
        terminal.screen.log(Record::new(Level::Info, text));
        while state.ended() != Some(End::Signal) {
            std::thread::sleep(LINGER_LOOK);
        }
    }

    fn attach(&self, state: Arc<RunState>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }
}

/// Does the job and shows how it goes.
pub(crate) fn carry_out<P: Program>(
    mut job: Job<P>,
    terminal: &Terminal,
    reins: &Reins,
) -> Result<Done, Failure> {
    job.outputs = job.keeping.take_reports(job.outputs)?;
    let tally = TallySink::new();
    let counted = tally.shared();
    let mut sinks = open(&job, terminal)?;
    announce(&job, &sinks, terminal);
    sinks.push(Box::new(tally));
    sinks.push(job.keeping.sink());
    let zero = match job.zero {
        true => Some(measure_alone(&job, terminal)?),
        false => None,
    };
    let mut progress = Progress::new(terminal, &job.plan, &job.registry, counted.clone());
    let mut poster = job
        .address
        .as_deref()
        .map(|address| Poster::start(address, reins))
        .transpose()?;
    let desk = job.desk.clone();
    let reins = reins.clone();
    let config = RunConfig {
        network: network::network(&NetConfig {
            no_stamps: job.plan.measurement.basis == Basis::Gross,
            ..job.network
        })?,
        plan: job.plan,
        registry: job.registry,
        workers: job.workers,
        sinks,
        log: terminal.screen.clone() as Arc<dyn Log>,
        scopes: job.scopes,
        thresholds: job.judged,
        on_start: Box::new(move |state| reins.attach(state)),
        observer: Box::new(move |live| {
            progress.show(live);
            if let Some(poster) = &mut poster {
                poster.show(live);
            }
            if let Some(desk) = &desk {
                desk.show(live);
            }
        }),
        summary_data: job.summary_data,
    };
    let mut result = netload_engine::run(job.program, config).map_err(refused)?;
    if let Some(report) = &mut result.summary.generator {
        report.zero = zero;
    }
    terminal.screen.settle();
    Ok(Done {
        result,
        tally: counted.snapshot(),
    })
}

/// Measures netload alone, with the load of the job.
fn measure_alone<P>(job: &Job<P>, terminal: &Terminal) -> Result<Zero, Failure> {
    if !terminal.settings.quiet {
        let text = "measuring netload alone for two seconds\n";
        terminal.screen.text(text.to_owned());
    }
    zero::measure(&zero::Shape::of(&job.plan, job.workers))
}

/// Keeps the REST API informed.
struct Poster {
    board: Board,
    phase: Option<Phase>,
    seconds: u64,
}

impl Poster {
    fn start(address: &str, reins: &Reins) -> Result<Self, Failure> {
        let board = Board::default();
        api::serve(address, reins, &board)?;
        Ok(Self {
            board,
            phase: None,
            seconds: 0,
        })
    }

    /// Posts a new phase at once and new figures once a second.
    fn show(&mut self, live: &Live<'_>) {
        if self.phase != Some(live.phase) || self.seconds != live.recent.seconds {
            self.phase = Some(live.phase);
            self.seconds = live.recent.seconds;
            self.board
                .post(live.phase, live.aggregator.summary(live.elapsed_ns));
        }
    }
}

fn open<P>(job: &Job<P>, terminal: &Terminal) -> Result<Vec<Box<dyn Sink>>, Failure> {
    let options = SinkOptions {
        elsewhere: netload_ship::names().collect(),
        environment: job.environment.clone(),
        system_tags: job
            .plan
            .system_tags
            .iter()
            .map(|t| t.name().to_owned())
            .collect(),
    };
    let refused = |error: String| Failure::usage(error).at("--out");
    let mut sinks = Vec::new();
    let mut fleet = Vec::new();
    for spec in &job.outputs {
        let shipped = netload_ship::open(spec, &job.environment);
        match shipped.map_err(|e| refused(e.to_string()))? {
            Some(opened) => fleet.push(opened),
            None => sinks.push(sinks::open(spec, &options).map_err(|e| refused(e.to_string()))?),
        }
    }
    if !fleet.is_empty() {
        let screen = terminal.screen.clone();
        let warn = move |text: String| screen.log(Record::new(Level::Warning, text));
        sinks.push(Box::new(Fleet::new(fleet, warn)));
    }
    Ok(sinks)
}

/// Says what is about to happen, unless nobody wants to know.
fn announce<P>(job: &Job<P>, sinks: &[Box<dyn Sink>], terminal: &Terminal) {
    let Some(script) = job.title.clone().filter(|_| !terminal.settings.quiet) else {
        return;
    };
    let plan = &job.plan;
    let needs = plan.requirements();
    let view = StartView {
        execution: "local".to_owned(),
        script,
        outputs: sinks.iter().map(|s| s.describe()).collect(),
        share: plan.segmentation.segment().fraction(),
        max_vus: needs.max_vus,
        max_duration_ns: needs.total_duration_ns,
        scenarios: plan
            .scenarios
            .iter()
            .map(|s| (s.name.clone(), s.description(&plan.segmentation)))
            .collect(),
    };
    let text = start::render(&view, terminal.settings.stderr);
    terminal.screen.text(if terminal.settings.live {
        wrapped(&text, size().0)
    } else {
        text
    });
}

fn refused(error: RunError) -> Failure {
    match error {
        RunError::Output { name, reason } => {
            Failure::usage(format!("cannot open the output {name}: {reason}"))
        }
        other => Failure::new(Exit::Failure, other.to_string()),
    }
}
