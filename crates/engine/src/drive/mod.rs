//! The executors at run time, seen from the coordinator: who takes which VUs when, and until when.
//!
//! One driver per scenario, all on the coordinator's thread. The laws themselves are in the plan crate; workers run
//! the iterations.

mod closed;
mod crew;
mod external;
mod open;
mod ramping;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use netload_net::Clock;
use netload_plan::{Executor, Share};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::watch;

use crate::log::Log;
use crate::message::{Command, LoopOrder, Quota, Report, VuSlot};
use crate::placement::Placement;
use crate::pool::VuPool;
use crate::state::{RunState, ScenarioState};

/// What a worker reports to the driver of a scenario.
#[derive(Debug)]
pub(crate) enum Event {
    /// A VU of the closed model has stopped.
    LoopDone { slot: VuSlot, epoch: u64 },
    /// A worker's part of an open scenario is over.
    OpenDone,
    /// There was no free VU for a start.
    NeedVu,
    /// A VU that this driver asked for was made, or could not be.
    NewVu(Result<VuSlot, String>),
}

/// What was ordered last: numbers of VUs for scenarios of looping VUs, rates for open ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scale {
    /// By scenario: how many VUs, of this instance where it is externally controlled, else of the whole test.
    pub vus: BTreeMap<usize, u64>,
    /// The largest number of VUs, for open scenarios too.
    pub max: Option<u64>,
    /// By scenario: how many iterations in how many nanoseconds.
    pub rates: BTreeMap<usize, (u64, u64)>,
}

/// What all drivers of a run share.
pub(crate) struct Stage {
    pub state: Arc<RunState>,
    pub pool: Rc<VuPool>,
    pub workers: Vec<UnboundedSender<Command>>,
    pub placement: Placement,
    pub clock: Clock,
    pub started_ns: u64,
    pub setup_data: Option<Arc<str>>,
    /// Whether the run is told to end.
    pub ended: watch::Receiver<bool>,
    pub scale: watch::Receiver<Scale>,
    /// A VU beyond the planned ones is wanted: by which scenario.
    pub wanted: UnboundedSender<usize>,
    pub epochs: Cell<u64>,
    /// Iterations that were never attempted, by scenario.
    pub unattempted: RefCell<Vec<(usize, u64)>>,
    pub log: Arc<dyn Log>,
}

/// One scenario being driven.
pub(crate) struct Driver {
    pub stage: Rc<Stage>,
    pub scenario: Arc<ScenarioState>,
    pub events: UnboundedReceiver<Event>,
}

impl Driver {
    /// Runs the scenario to its end. All VUs are back in the pool afterwards.
    pub(crate) async fn run(mut self) {
        let begin_ns = self.stage.started_ns + self.scenario.scenario.start_time_ns;
        if self.stage.sleep_until(begin_ns).await {
            let now_ns = self.stage.clock.now_ns();
            let unix_ns = self.stage.clock.unix_ns(now_ns);
            self.scenario.started_unix_ns.store(unix_ns, Relaxed);
            self.scenario.started_ns.store(now_ns.max(1), Relaxed);
            match self.scenario.scenario.executor.clone() {
                Executor::SharedIterations(e) => self.shared_iterations(&e, begin_ns).await,
                Executor::PerVuIterations(e) => self.per_vu_iterations(&e, begin_ns).await,
                Executor::ConstantVus(e) => self.constant_vus(&e, begin_ns).await,
                Executor::RampingVus(e) => self.ramping_vus(&e, begin_ns).await,
                Executor::ConstantArrivalRate(e) => {
                    let planned = self.share().count(e.pre_allocated_vus);
                    self.open(planned, self.share().count(e.max_vus), begin_ns)
                        .await;
                }
                Executor::RampingArrivalRate(e) => {
                    let planned = self.share().count(e.pre_allocated_vus);
                    self.open(planned, self.share().count(e.max_vus), begin_ns)
                        .await;
                }
                Executor::ExternallyControlled(e) => self.external(&e, begin_ns).await,
            }
        }
        self.scenario
            .ended_ns
            .store(self.stage.clock.now_ns(), Relaxed);
        self.scenario.done.store(true, Relaxed);
    }

    /// The instance's share of the whole test.
    fn share(&self) -> Share {
        Share::of_instance(self.stage.state.plan.segmentation.clone())
    }

    /// (end of new iterations, end of running ones) for a scenario that began at `begin_ns`.
    fn ends_ns(&self, begin_ns: u64) -> (u64, u64) {
        let run_ns = self.scenario.scenario.executor.run_ns();
        let regular = run_ns.map_or(u64::MAX, |ns| begin_ns.saturating_add(ns));
        let hard = regular.saturating_add(self.scenario.scenario.graceful_stop_ns);
        (regular, hard)
    }

    /// An order for a VU of the closed model.
    fn order(&self, slot: VuSlot, start_ns: u64, quota: Quota) -> LoopOrder {
        let (regular_end_ns, hard_end_ns) = self.ends_ns(start_ns);
        LoopOrder {
            scenario: self.scenario.clone(),
            slot,
            epoch: self.stage.next_epoch(),
            start_ns,
            regular_end_ns,
            hard_end_ns,
            quota,
            setup_data: self.stage.setup_data.clone(),
        }
    }
}

impl Stage {
    /// Gives a worker a command. Workers outlive the drivers.
    pub(crate) fn send(&self, slot: VuSlot, command: Command) {
        let worker = self.placement.worker_of(slot);
        let _ = self.workers[worker].send(command);
    }

    fn next_epoch(&self) -> u64 {
        self.epochs.set(self.epochs.get() + 1);
        self.epochs.get()
    }

    /// Waits until an instant; false when the run was told to end before.
    async fn sleep_until(&self, at_ns: u64) -> bool {
        let mut ended = self.ended.clone();
        let rest = Duration::from_nanos(at_ns.saturating_sub(self.clock.now_ns()));
        tokio::select! {
            biased;
            _ = ended.wait_for(|over| *over) => false,
            () = tokio::time::sleep(rest) => true,
        }
    }
}

/// Passes a report on to the driver it concerns.
pub(crate) fn route(
    report: Report,
    events: &[UnboundedSender<Event>],
    expected: &mut HashMap<VuSlot, usize>,
) {
    let (scenario, event) = match report {
        Report::LoopDone {
            scenario,
            slot,
            epoch,
        } => (scenario, Event::LoopDone { slot, epoch }),
        Report::OpenDone { scenario } => (scenario, Event::OpenDone),
        Report::NeedVu { scenario } => (scenario, Event::NeedVu),
        Report::Ready { slot, result } => match expected.remove(&slot) {
            Some(scenario) => {
                let result = result.map(|()| slot).map_err(|e| e.to_string());
                (scenario, Event::NewVu(result))
            }
            None => return,
        },
        _ => return,
    };
    // A driver that has ended wants no more news.
    let _ = events[scenario].send(event);
}
