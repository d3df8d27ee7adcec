//! A worker thread: its event loop, its VUs, and what it does with the coordinator's commands.
//!
//! Everything here runs on one thread; `RefCell` borrows never last over a wait.

mod accuracy;
mod closed;
mod iterate;
mod lead;
mod open;
mod release;
mod special;
mod turn;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use netload_metrics::Recorder;
use netload_net::{Clock, Dialer, Network};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::health::SLICE_NS;
use crate::log::Log;
use crate::message::{Command, Report, VuSlot};
use crate::pace::RateLimit;
use crate::program::{Program, VuHost};
use crate::state::RunState;
use crate::stop::Stop;
use crate::worker::Worker;

use closed::LoopControl;
use open::OpenRun;
use turn::Turn;

/// Everything a worker thread is born with.
pub(crate) struct Birth<P> {
    pub index: usize,
    pub program: Arc<P>,
    pub state: Arc<RunState>,
    pub registry: Arc<netload_metrics::Registry>,
    pub net: Arc<Network>,
    pub rate_limit: Option<Arc<RateLimit>>,
    pub log: Arc<dyn Log>,
    pub keep_samples: bool,
    pub series_limit: usize,
    pub samples_in_flight: Arc<AtomicUsize>,
    pub commands: UnboundedReceiver<Command>,
    pub peers: Vec<UnboundedSender<Command>>,
    pub reports: UnboundedSender<Report>,
}

/// How often a worker hands over what it measured.
const WINDOW: Duration = Duration::from_nanos(SLICE_NS);
/// The same when an output wants every sample.
const SAMPLES_WINDOW: Duration = Duration::from_millis(100);
/// Samples on their way to the outputs at most; beyond it they are counted as lost.
const SAMPLES_IN_FLIGHT_LIMIT: usize = 6_000_000;
/// How many events the loop handles before it looks at the sockets again.
const EVENT_INTERVAL: u32 = 61;

/// A VU with what its worker knows of it.
pub(crate) struct VuCell<V> {
    slot: VuSlot,
    vu: V,
    stop: Rc<Stop>,
    /// Iterations since it was made.
    iterations: u64,
    /// The same by scenario, for the few that have had the VU.
    in_scenario: Vec<(usize, u64)>,
    /// When it became free (open model).
    turn: Turn,
}

impl<V> VuCell<V> {
    /// Counts one more iteration of a scenario and returns how many there were before.
    fn count_in_scenario(&mut self, index: usize) -> u64 {
        let known = self.in_scenario.iter().position(|(i, _)| *i == index);
        let at = known.unwrap_or_else(|| {
            self.in_scenario.push((index, 0));
            self.in_scenario.len() - 1
        });
        let count = &mut self.in_scenario[at].1;
        *count += 1;
        *count - 1
    }
}

/// The state of a worker thread.
pub(crate) struct Thread<P: Program> {
    program: Arc<P>,
    local: Rc<P::Local>,
    worker: Rc<Worker>,
    /// VUs that wait for a scenario.
    idle: RefCell<HashMap<VuSlot, VuCell<P::Vu>>>,
    /// VUs of the closed model that run.
    loops: RefCell<HashMap<VuSlot, Rc<LoopControl>>>,
    hard_stops: RefCell<HashSet<(usize, u64)>>,
    open: RefCell<HashMap<usize, Rc<OpenRun>>>,
    specials: RefCell<Vec<Rc<Stop>>>,
    peers: Vec<UnboundedSender<Command>>,
    reports: UnboundedSender<Report>,
    samples_in_flight: Arc<AtomicUsize>,
    interrupted: Cell<bool>,
    /// Suspect stamps of the clock that were handed over already.
    suspects_told: Cell<u64>,
}

/// Runs a worker until it is told to shut down. Blocks the calling thread.
pub(crate) fn run<P: Program>(birth: Birth<P>) {
    let reports = birth.reports.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .event_interval(EVENT_INTERVAL)
        .build();
    match runtime {
        Ok(runtime) => {
            let tasks = tokio::task::LocalSet::new();
            tasks.block_on(&runtime, live(birth));
        }
        Err(error) => {
            let text = format!("cannot start a worker: {error}");
            let _ = reports.send(Report::Up(Err(crate::ProgramError::Invalid(text))));
        }
    }
    let _ = reports.send(Report::Down);
}

async fn live<P: Program>(mut birth: Birth<P>) {
    let reports = birth.reports.clone();
    let mut commands = std::mem::replace(
        &mut birth.commands,
        tokio::sync::mpsc::unbounded_channel().1,
    );
    let keep_samples = birth.keep_samples;
    let thread = match Thread::new(birth) {
        Ok(thread) => Rc::new(thread),
        Err(error) => {
            let _ = reports.send(Report::Up(Err(error)));
            return;
        }
    };
    let _ = reports.send(Report::Up(Ok(())));
    let window = if keep_samples { SAMPLES_WINDOW } else { WINDOW };
    tokio::task::spawn_local(thread.clone().hand_over_windows(window));
    while let Some(command) = commands.recv().await {
        if matches!(command, Command::Shutdown) {
            break;
        }
        thread.obey(command);
    }
    thread.hand_over();
}

impl<P: Program> Thread<P> {
    fn new(birth: Birth<P>) -> Result<Self, crate::ProgramError> {
        let clock = Clock::new();
        let dialer = Dialer::new(birth.net, clock.clone());
        let recorder = Recorder::new(
            birth.index,
            birth.registry,
            birth.series_limit,
            birth.keep_samples,
        );
        let worker = Rc::new(Worker {
            index: birth.index,
            count: birth.peers.len(),
            plan: birth.state.plan.clone(),
            state: birth.state,
            recorder: RefCell::new(recorder),
            exchanges: RefCell::default(),
            clock,
            dialer,
            rate_limit: birth.rate_limit,
            log: birth.log,
        });
        let local = Rc::new(birth.program.local(&worker)?);
        Ok(Self {
            program: birth.program,
            local,
            worker,
            idle: RefCell::default(),
            loops: RefCell::default(),
            hard_stops: RefCell::default(),
            open: RefCell::default(),
            specials: RefCell::default(),
            peers: birth.peers,
            reports: birth.reports,
            samples_in_flight: birth.samples_in_flight,
            interrupted: Cell::new(false),
            suspects_told: Cell::new(0),
        })
    }

    fn obey(self: &Rc<Self>, command: Command) {
        match command {
            Command::Init { slot, id_in_test } => {
                tokio::task::spawn_local(self.clone().make_vu(slot, id_in_test));
            }
            Command::Special {
                number,
                call,
                deadline_ns,
            } => {
                tokio::task::spawn_local(self.clone().run_special(number, call, deadline_ns));
            }
            Command::Loop(order) => self.start_loop(order),
            Command::Open(order) => self.start_open(*order),
            Command::Join { scenario, slot } => self.join_open(scenario, slot),
            Command::Tick {
                scenario,
                planned_ns,
            } => self.take_tick(scenario, planned_ns),
            Command::Change { scenario, course } => self.change_open(scenario, course),
            Command::Interrupt => self.interrupt(),
            Command::Flush => {
                self.hand_over();
                self.report(Report::Flushed);
            }
            Command::Recycle(window) => self.worker.recorder.borrow_mut().recycle(*window),
            Command::Shutdown => {}
        }
    }

    async fn make_vu(self: Rc<Self>, slot: VuSlot, id_in_test: u64) {
        let stop = Rc::new(Stop::default());
        let host = VuHost {
            id: slot + 1,
            id_in_test,
            worker: self.worker.clone(),
            stop: stop.clone(),
        };
        let result = self.program.vu(&self.local, host).await;
        let result = result.map(|vu| {
            let cell = VuCell {
                slot,
                vu,
                stop,
                iterations: 0,
                in_scenario: Vec::new(),
                turn: Turn::default(),
            };
            self.idle.borrow_mut().insert(slot, cell);
            self.worker.state.vus_initialized.fetch_add(1, Relaxed);
        });
        self.report(Report::Ready { slot, result });
    }

    /// Ends everything that runs.
    fn interrupt(&self) {
        self.interrupted.set(true);
        for control in self.loops.borrow().values() {
            control.end_now();
        }
        for run in self.open.borrow().values() {
            run.interrupt();
        }
        for stop in self.specials.borrow().iter() {
            stop.request();
        }
    }

    fn report(&self, report: Report) {
        // The coordinator outlives its workers; if it is gone, nobody wants to know.
        let _ = self.reports.send(report);
    }

    async fn hand_over_windows(self: Rc<Self>, every: Duration) {
        let every_ns = every.as_nanos() as u64;
        loop {
            // All workers hand over at the same instants, so that what they measured together is judged together.
            let now_ns = self.worker.clock.now_ns();
            self.worker
                .sleep_until(now_ns - now_ns % every_ns + every_ns)
                .await;
            self.hand_over();
        }
    }

    fn hand_over(&self) {
        let mut window = self.worker.recorder.borrow_mut().take_window();
        window.accuracy = self.accuracy();
        let samples = window.samples.len();
        if samples > 0 {
            let waiting = self.samples_in_flight.fetch_add(samples, Relaxed);
            if waiting + samples > SAMPLES_IN_FLIGHT_LIMIT {
                self.samples_in_flight.fetch_sub(samples, Relaxed);
                window.samples_lost += samples as u64;
                window.samples = Vec::new();
            }
        }
        self.report(Report::Window(Box::new(window)));
    }
}
