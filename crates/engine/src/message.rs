//! What the coordinator and the worker threads tell each other. At human speed only: never once per request.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize};

use netload_metrics::Window;

use crate::program::{Documents, ProgramError};
use crate::state::{Course, OwnLine, ScenarioState};
use crate::waiting::WaitingLine;

/// The number of a VU within the instance, from 0. It never changes; slot modulo workers is its worker.
pub(crate) type VuSlot = u64;

/// From the coordinator, or from another worker, to a worker.
pub(crate) enum Command {
    /// Make a VU.
    Init {
        slot: VuSlot,
        /// Its number in the whole test, from 1.
        id_in_test: u64,
    },
    /// Hand over what was measured so far, and say so.
    Flush,
    /// Make a VU for a single call outside the load.
    Special {
        /// Which call, for its report.
        number: u64,
        call: SpecialCall,
        deadline_ns: u64,
    },
    /// Let a VU run iterations one after the other, or aim a running one anew.
    Loop(LoopOrder),
    /// Take part in an open scenario.
    Open(Box<OpenOrder>),
    /// One more VU for an open scenario.
    Join { scenario: usize, slot: VuSlot },
    /// A start for which another worker had no free VU; one here is reserved for it.
    Tick { scenario: usize, planned_ns: u64 },
    /// From an instant on, another law plans the starts of an open scenario.
    Change {
        scenario: usize,
        course: Arc<Course>,
    },
    /// End everything that runs, now.
    Interrupt,
    /// The memory of an absorbed window.
    Recycle(Box<Window>),
    /// Hand over the last window and end the thread.
    Shutdown,
}

/// A call outside the load.
#[derive(Debug, Clone)]
pub(crate) enum SpecialCall {
    Setup,
    Teardown(Option<Arc<str>>),
    /// With its data as JSON text.
    Summary(String),
}

/// What such a call returned.
#[derive(Debug)]
pub(crate) enum SpecialResult {
    Setup(Option<String>),
    Teardown,
    Summary(Option<Documents>),
}

/// How many iterations a VU may run.
#[derive(Debug, Clone)]
pub(crate) enum Quota {
    Unlimited,
    /// So many by this VU.
    Own(u64),
    /// So many by all VUs of the scenario together; drawn from its counter.
    Shared(u64),
}

/// A VU of the closed model.
#[derive(Clone)]
pub(crate) struct LoopOrder {
    pub scenario: Arc<ScenarioState>,
    pub slot: VuSlot,
    /// Tells this order from earlier ones for the same VU.
    pub epoch: u64,
    pub start_ns: u64,
    /// No iteration starts from here on.
    pub regular_end_ns: u64,
    /// The running iteration is interrupted here.
    pub hard_end_ns: u64,
    pub quota: Quota,
    pub setup_data: Option<Arc<str>>,
}

/// A worker's part in a scenario of the open model.
#[derive(Clone)]
pub(crate) struct OpenOrder {
    pub scenario: Arc<ScenarioState>,
    pub slots: Vec<VuSlot>,
    /// This worker's place among those that have VUs from the start, and how many do; none when it has no VU yet.
    pub stripe: Option<(u64, u64)>,
    pub start_ns: u64,
    pub regular_end_ns: u64,
    pub hard_end_ns: u64,
    pub shared: Arc<OpenShared>,
    pub setup_data: Option<Arc<str>>,
}

/// What the workers of an open scenario know of each other: where VUs are free.
#[derive(Debug)]
pub(crate) struct OpenShared {
    free: Vec<OwnLine<AtomicI64>>,
    /// Starts that wait, where the scenario queues.
    pub line: WaitingLine,
    /// Workers that may still release starts.
    releasing: AtomicUsize,
    /// Workers whose VUs may still take starts out of the line.
    serving: AtomicUsize,
}

impl OpenShared {
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            free: (0..workers).map(|_| OwnLine::default()).collect(),
            line: WaitingLine::default(),
            releasing: AtomicUsize::new(workers),
            serving: AtomicUsize::new(workers),
        }
    }

    /// A worker's VUs take no start any more; true for the last worker that says so.
    pub(crate) fn stop_serving(&self) -> bool {
        self.serving
            .fetch_sub(1, std::sync::atomic::Ordering::AcqRel)
            == 1
    }

    /// A worker has released its last start.
    pub(crate) fn stop_releasing(&self) {
        self.releasing
            .fetch_sub(1, std::sync::atomic::Ordering::AcqRel);
    }

    /// Whether a start may still come from any worker.
    pub(crate) fn is_releasing(&self) -> bool {
        self.releasing.load(std::sync::atomic::Ordering::Acquire) > 0
    }

    /// One more VU of this worker is free.
    pub(crate) fn put(&self, worker: usize) {
        self.free[worker]
            .0
            .fetch_add(1, std::sync::atomic::Ordering::AcqRel);
    }

    /// Reserves a free VU of this worker, if there is one.
    pub(crate) fn take(&self, worker: usize) -> bool {
        use std::sync::atomic::Ordering::{AcqRel, Acquire};
        let less = |free: i64| (free > 0).then(|| free - 1);
        self.free[worker]
            .0
            .fetch_update(AcqRel, Acquire, less)
            .is_ok()
    }
}

/// From a worker to the coordinator.
pub(crate) enum Report {
    /// The thread is up, or cannot run this program.
    Up(Result<(), ProgramError>),
    /// A VU was made.
    Ready {
        slot: VuSlot,
        result: Result<(), ProgramError>,
    },
    /// A special call ended.
    Special {
        number: u64,
        result: Result<SpecialResult, ProgramError>,
    },
    /// A VU of the closed model has stopped.
    LoopDone {
        scenario: usize,
        slot: VuSlot,
        epoch: u64,
    },
    /// A worker's part of an open scenario is over.
    OpenDone { scenario: usize },
    /// An open scenario had no free VU.
    NeedVu { scenario: usize },
    /// What was measured.
    Window(Box<Window>),
    /// Everything measured before [`Command::Flush`] was handed over.
    Flushed,
    /// The thread has ended.
    Down,
}
