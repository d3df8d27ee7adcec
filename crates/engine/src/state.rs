//! What the whole instance knows while a test runs: counters, scenarios and the order to end.
//!
//! Atomic, because VUs of all workers touch it: once per iteration, never per request.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use netload_metrics::Conservation;
use netload_plan::{Executor, Plan, Scenario};
use tokio::sync::mpsc::UnboundedSender;

use crate::asked::Reply;
use crate::failures::Failures;

/// Why a run ends before its plan does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The script asked for it (`test.abort`), with its message.
    Script(String),
    /// A threshold with `abortOnFail` failed: metric and expression.
    Threshold(String, String),
    /// The user asked for it by a signal.
    Signal,
    /// The user asked for it through the REST API.
    Api,
}

/// No number of VUs was ordered.
const NOT_ORDERED: u64 = u64::MAX;

/// Orders to the coordinator from anywhere in the instance.
#[derive(Clone, Debug)]
pub enum Control {
    /// End gracefully: no new iterations, running ones are interrupted, then teardown and summary.
    End(End),
    /// Pause or go on.
    Pause(bool),
    /// Another number of VUs for the rest of a scenario of looping VUs.
    Vus {
        /// Its place in the plan.
        scenario: usize,
        /// VUs of this instance where it is externally controlled, else of the whole test.
        vus: u64,
    },
    /// Another largest number of VUs for open scenarios.
    MaxVus(u64),
    /// Run setup once more and keep what it returns.
    Setup(Reply),
    /// Run teardown once more.
    Teardown(Reply),
    /// Another rate for the rest of an open scenario.
    Rate {
        /// Its place in the plan.
        scenario: usize,
        /// Iterations of the whole test.
        count: u64,
        /// In how many nanoseconds.
        per_ns: u64,
    },
}

/// What an open scenario plans since its rate was changed.
#[derive(Debug)]
pub struct Course {
    /// From when on (monotonic nanoseconds).
    pub from_ns: u64,
    /// The law that took the place of the scenario's own; its time begins at `from_ns`.
    pub law: Executor,
}

/// Something on a cache line of its own, so that threads which touch it do not slow down its neighbours.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct OwnLine<T>(pub T);

impl<T> std::ops::Deref for OwnLine<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A count that each worker keeps for itself and anybody can add up.
#[derive(Debug)]
pub struct Tally(Box<[OwnLine<AtomicU64>]>);

impl Tally {
    fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| OwnLine::default()).collect())
    }

    /// Adds one. Only this worker's thread may name this worker.
    pub(crate) fn bump(&self, worker: usize) {
        let own = &self.0[worker];
        own.store(own.load(Relaxed) + 1, Relaxed);
    }

    /// The sum over all workers.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|own| own.load(Relaxed)).sum()
    }
}

/// The running state of the instance.
#[derive(Debug)]
pub struct RunState {
    /// What is run.
    pub plan: Arc<Plan>,
    /// All scenarios, in the plan's order.
    pub scenarios: Vec<Arc<ScenarioState>>,
    /// VUs that run iterations now.
    pub vus_active: AtomicI64,
    /// VUs that are initialised.
    pub vus_initialized: AtomicI64,
    /// When the load started (monotonic nanoseconds); 0 before.
    pub started_ns: AtomicU64,
    /// Whether the script marked the run as failed (`test.fail`).
    pub marked_failed: AtomicBool,
    /// Whether everything must end at once; asked by code that never waits.
    pub killed: AtomicBool,
    /// Whether the run is paused.
    pub paused: AtomicBool,
    /// Failed exchanges, for whoever looks on.
    pub failures: Failures,
    setup_data: Mutex<Option<Arc<str>>>,
    ending: AtomicBool,
    ended: Mutex<Option<End>>,
    control: UnboundedSender<Control>,
}

/// The running state of one scenario.
#[derive(Debug)]
pub struct ScenarioState {
    /// Its plan.
    pub scenario: Scenario,
    /// Its place in the plan.
    pub index: usize,
    /// The next iteration's number in this instance.
    pub next_iteration: OwnLine<AtomicU64>,
    /// Iterations that began.
    pub started: Tally,
    /// Full iterations.
    pub completed: Tally,
    /// Those of them that threw.
    pub failed: Tally,
    /// Iterations that were cut short.
    pub interrupted: Tally,
    /// Starts that became due (open model).
    pub planned: Tally,
    /// Iterations that could not start because no VU was free.
    pub dropped: AtomicU64,
    /// Planned starts that found the waiting line full.
    pub refused: AtomicU64,
    /// Planned starts that still waited at the end.
    pub left: AtomicU64,
    /// How long the oldest of them had waited, in nanoseconds.
    pub longest_left_ns: AtomicU64,
    /// What it plans since its rate was last changed; none when it never was.
    course: Mutex<Option<Arc<Course>>>,
    /// VUs active in it.
    pub vus_active: AtomicI64,
    ordered_vus: AtomicU64,
    /// When it really started (monotonic nanoseconds); 0 before.
    pub started_ns: AtomicU64,
    /// The same in nanoseconds since 1970.
    pub started_unix_ns: AtomicU64,
    /// When it was over (monotonic nanoseconds); 0 before.
    pub ended_ns: AtomicU64,
    /// Whether it is over.
    pub done: AtomicBool,
    /// Whether another VU is on its way, or none can come any more.
    pub growing: AtomicBool,
}

impl ScenarioState {
    /// Before its start, on so many workers.
    pub fn new(scenario: Scenario, index: usize, workers: usize) -> Self {
        Self {
            scenario,
            index,
            next_iteration: OwnLine::default(),
            started: Tally::new(workers),
            completed: Tally::new(workers),
            failed: Tally::new(workers),
            interrupted: Tally::new(workers),
            planned: Tally::new(workers),
            dropped: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            left: AtomicU64::new(0),
            longest_left_ns: AtomicU64::new(0),
            course: Mutex::new(None),
            vus_active: AtomicI64::new(0),
            ordered_vus: AtomicU64::new(NOT_ORDERED),
            started_ns: AtomicU64::new(0),
            started_unix_ns: AtomicU64::new(0),
            ended_ns: AtomicU64::new(0),
            done: AtomicBool::new(false),
            growing: AtomicBool::new(false),
        }
    }

    /// How many VUs were ordered while it ran, if any were.
    pub fn ordered_vus(&self) -> Option<u64> {
        Some(self.ordered_vus.load(Relaxed)).filter(|vus| *vus != NOT_ORDERED)
    }

    /// Another number of VUs was ordered.
    pub(crate) fn order_vus(&self, vus: u64) {
        self.ordered_vus.store(vus, Relaxed);
    }

    /// What it plans since its rate was last changed; none when it never was.
    pub fn course(&self) -> Option<Arc<Course>> {
        self.course
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The rate was changed.
    pub(crate) fn set_course(&self, course: Arc<Course>) {
        *self.course.lock().unwrap_or_else(PoisonError::into_inner) = Some(course);
    }

    /// The rate that is planned at an instant (monotonic nanoseconds), in iterations per second of the whole test; none
    /// in the closed model.
    pub fn rate_at(&self, now_ns: u64) -> Option<f64> {
        match self.course().filter(|course| course.from_ns <= now_ns) {
            Some(course) => course.law.rate_at(now_ns - course.from_ns),
            None => {
                let started_ns = match self.started_ns.load(Relaxed) {
                    0 => now_ns,
                    started_ns => started_ns,
                };
                self.scenario
                    .executor
                    .rate_at(now_ns.saturating_sub(started_ns))
            }
        }
    }

    /// How far the scenario is at an instant (monotonic nanoseconds), 0 to 1.
    pub fn progress(&self, now_ns: u64) -> f64 {
        if self.done.load(Relaxed) {
            return 1.0;
        }
        let started_ns = self.started_ns.load(Relaxed);
        if started_ns == 0 {
            return 0.0;
        }
        let done = self.completed.count() as f64;
        let part = match &self.scenario.executor {
            Executor::SharedIterations(e) => done / e.iterations as f64,
            Executor::PerVuIterations(e) => done / (e.vus * e.iterations) as f64,
            other => {
                let run_ns = other.run_ns().unwrap_or(u64::MAX);
                now_ns.saturating_sub(started_ns) as f64 / run_ns as f64
            }
        };
        part.min(1.0)
    }
}

impl RunState {
    /// Before the start, on so many workers.
    pub fn new(plan: Arc<Plan>, workers: usize, control: UnboundedSender<Control>) -> Self {
        let scenario = |(index, s): (usize, &Scenario)| {
            Arc::new(ScenarioState::new(s.clone(), index, workers))
        };
        Self {
            scenarios: plan.scenarios.iter().enumerate().map(scenario).collect(),
            paused: AtomicBool::new(plan.paused),
            plan,
            vus_active: AtomicI64::new(0),
            vus_initialized: AtomicI64::new(0),
            started_ns: AtomicU64::new(0),
            marked_failed: AtomicBool::new(false),
            killed: AtomicBool::new(false),
            failures: Failures::default(),
            setup_data: Mutex::new(None),
            ending: AtomicBool::new(false),
            ended: Mutex::new(None),
            control,
        }
    }

    /// Full iterations of all scenarios.
    pub fn iterations_completed(&self) -> u64 {
        self.scenarios.iter().map(|s| s.completed.count()).sum()
    }

    /// Iterations of all scenarios that were cut short.
    pub fn iterations_interrupted(&self) -> u64 {
        self.scenarios.iter().map(|s| s.interrupted.count()).sum()
    }

    /// Iterations of all scenarios that could not start.
    pub fn iterations_dropped(&self) -> u64 {
        self.scenarios.iter().map(|s| s.dropped.load(Relaxed)).sum()
    }

    /// What became of the plan so far; exact when nothing runs any more.
    pub fn conservation(&self) -> Conservation {
        let mut sum = Conservation::default();
        for scenario in &self.scenarios {
            let started = scenario.started.count();
            let failed = scenario.failed.count();
            sum.started += started;
            sum.failed += failed;
            sum.finished += scenario.completed.count() - failed;
            sum.interrupted += scenario.interrupted.count();
            sum.dropped += scenario.dropped.load(Relaxed);
            if scenario.scenario.executor.kind().is_open_model() {
                sum.planned = Some(sum.planned.unwrap_or(0) + scenario.planned.count());
                sum.dropped_as_planned += scenario.dropped.load(Relaxed);
                sum.started_as_planned += started;
                sum.refused += scenario.refused.load(Relaxed);
                sum.left += scenario.left.load(Relaxed);
                let longest_ns = scenario.longest_left_ns.load(Relaxed);
                sum.longest_left_ns = sum.longest_left_ns.max(longest_ns);
            }
        }
        sum
    }

    /// Counts iterations of a scenario that could not start.
    pub fn drop_iterations(&self, scenario: usize, count: u64) {
        if let Some(scenario) = self.scenarios.get(scenario) {
            scenario.dropped.fetch_add(count, Relaxed);
        }
    }

    /// Asks for the end of the run; the first reason counts.
    pub fn end(&self, why: End) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_none() {
            *ended = Some(why.clone());
            self.ending.store(true, Relaxed);
            self.order(Control::End(why));
        }
    }

    /// Whether the run was asked to end: no further iteration may start.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Relaxed)
    }

    /// Why the run was asked to end, if it was.
    pub fn ended(&self) -> Option<End> {
        self.ended
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What setup returned last, or what was set since, as JSON text. Scenarios that begin later get it, and teardown.
    pub fn setup_data(&self) -> Option<Arc<str>> {
        self.setup_data
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes the place of what setup returned.
    pub fn set_setup_data(&self, data: Option<Arc<str>>) {
        *self
            .setup_data
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = data;
    }

    /// Gives the coordinator an order.
    pub fn order(&self, order: Control) {
        // A closed channel means that the coordinator is gone and the run is over anyway.
        let _ = self.control.send(order);
    }
}
