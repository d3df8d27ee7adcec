//! When iterations start and VUs run: one file per executor, each a pure function of time.
//!
//! Owns the list of executors and what they have in common. Leaves out running them (the engine
//! does) and the fields common to all scenarios ([`crate::scenario`]). Invariant: the laws of all
//! shares together are exactly the law of the whole, instant by instant.

mod arrival;
mod change;
mod constant_arrival_rate;
mod constant_vus;
mod demand;
mod externally_controlled;
mod per_vu_iterations;
mod ramping_arrival_rate;
mod ramping_vus;
mod rules;
mod shared_iterations;
mod starts;

pub use arrival::{Arrival, DEFAULT_SEED, Surplus};
pub use constant_arrival_rate::{ConstantArrivalRate, ConstantStarts};
pub use constant_vus::ConstantVus;
pub use demand::{Demand, Demands};
pub use externally_controlled::ExternallyControlled;
pub use per_vu_iterations::PerVuIterations;
pub use ramping_arrival_rate::{RampingArrivalRate, RampingStarts};
pub use ramping_vus::{RampingVus, VuStep, VuSteps};
pub use rules::{VUS_LIMIT, WHOLE_ITERATIONS_LIMIT};
pub use shared_iterations::SharedIterations;
pub use starts::{Pacing, Start, Starts};

use crate::duration::Nanos;
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// A leg of a ramp: reach `target` (VUs, or iterations per time unit) after `duration_ns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// How long the leg lasts, in nanoseconds; 0 jumps.
    pub duration_ns: Nanos,
    /// The value at its end.
    pub target: u64,
}

/// The length of all stages together, in nanoseconds; saturates.
pub fn stages_ns(stages: &[Stage]) -> Nanos {
    stages
        .iter()
        .fold(0, |sum: u64, stage| sum.saturating_add(stage.duration_ns))
}

/// An executor with everything it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Executor {
    /// A number of iterations drawn by VUs from one pool.
    SharedIterations(SharedIterations),
    /// A number of iterations for each VU.
    PerVuIterations(PerVuIterations),
    /// VUs that loop for a time.
    ConstantVus(ConstantVus),
    /// A number of looping VUs that follows a line.
    RampingVus(RampingVus),
    /// Iterations started at a fixed rate.
    ConstantArrivalRate(ConstantArrivalRate),
    /// Iterations started at a rate that follows a line.
    RampingArrivalRate(RampingArrivalRate),
    /// Looping VUs whose number is set from outside during the run.
    ExternallyControlled(ExternallyControlled),
}

/// Which executor, without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExecutorKind {
    /// `shared-iterations`
    SharedIterations,
    /// `per-vu-iterations`
    PerVuIterations,
    /// `constant-vus`
    ConstantVus,
    /// `ramping-vus`
    RampingVus,
    /// `constant-arrival-rate`
    ConstantArrivalRate,
    /// `ramping-arrival-rate`
    RampingArrivalRate,
    /// `externally-controlled`
    ExternallyControlled,
}

impl ExecutorKind {
    /// Every executor.
    pub const ALL: [Self; 7] = [
        Self::SharedIterations,
        Self::PerVuIterations,
        Self::ConstantVus,
        Self::RampingVus,
        Self::ConstantArrivalRate,
        Self::RampingArrivalRate,
        Self::ExternallyControlled,
    ];

    /// Its name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::SharedIterations => "shared-iterations",
            Self::PerVuIterations => "per-vu-iterations",
            Self::ConstantVus => "constant-vus",
            Self::RampingVus => "ramping-vus",
            Self::ConstantArrivalRate => "constant-arrival-rate",
            Self::RampingArrivalRate => "ramping-arrival-rate",
            Self::ExternallyControlled => "externally-controlled",
        }
    }

    /// The executor with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The scenario fields of its own, beside those that every scenario has.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Self::SharedIterations => SharedIterations::FIELDS,
            Self::PerVuIterations => PerVuIterations::FIELDS,
            Self::ConstantVus => ConstantVus::FIELDS,
            Self::RampingVus => RampingVus::FIELDS,
            Self::ConstantArrivalRate => ConstantArrivalRate::FIELDS,
            Self::RampingArrivalRate => RampingArrivalRate::FIELDS,
            Self::ExternallyControlled => ExternallyControlled::FIELDS,
        }
    }

    /// Whether iterations are planned in time, whatever the server does.
    pub fn is_open_model(self) -> bool {
        matches!(self, Self::ConstantArrivalRate | Self::RampingArrivalRate)
    }
}

impl Executor {
    /// Fills in the defaults and checks the rules of the executor that `options` names.
    pub(crate) fn resolve(
        kind: ExecutorKind,
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        use ExecutorKind as K;
        Some(match kind {
            K::SharedIterations => {
                Self::SharedIterations(SharedIterations::resolve(options, place, findings)?)
            }
            K::PerVuIterations => {
                Self::PerVuIterations(PerVuIterations::resolve(options, place, findings)?)
            }
            K::ConstantVus => Self::ConstantVus(ConstantVus::resolve(options, place, findings)?),
            K::RampingVus => Self::RampingVus(RampingVus::resolve(options, place, findings)?),
            K::ConstantArrivalRate => {
                Self::ConstantArrivalRate(ConstantArrivalRate::resolve(options, place, findings)?)
            }
            K::RampingArrivalRate => {
                Self::RampingArrivalRate(RampingArrivalRate::resolve(options, place, findings)?)
            }
            K::ExternallyControlled => {
                Self::ExternallyControlled(ExternallyControlled::resolve(options, place, findings)?)
            }
        })
    }

    /// Which executor this is.
    pub fn kind(&self) -> ExecutorKind {
        match self {
            Self::SharedIterations(_) => ExecutorKind::SharedIterations,
            Self::PerVuIterations(_) => ExecutorKind::PerVuIterations,
            Self::ConstantVus(_) => ExecutorKind::ConstantVus,
            Self::RampingVus(_) => ExecutorKind::RampingVus,
            Self::ConstantArrivalRate(_) => ExecutorKind::ConstantArrivalRate,
            Self::RampingArrivalRate(_) => ExecutorKind::RampingArrivalRate,
            Self::ExternallyControlled(_) => ExecutorKind::ExternallyControlled,
        }
    }

    /// How long it goes on at most without graceful stop, in nanoseconds; `None` is until stopped.
    pub fn run_ns(&self) -> Option<Nanos> {
        match self {
            Self::SharedIterations(e) => Some(e.max_duration_ns),
            Self::PerVuIterations(e) => Some(e.max_duration_ns),
            Self::ConstantVus(e) => Some(e.duration_ns),
            Self::RampingVus(e) => Some(stages_ns(&e.stages)),
            Self::ConstantArrivalRate(e) => Some(e.duration_ns),
            Self::RampingArrivalRate(e) => Some(stages_ns(&e.stages)),
            Self::ExternallyControlled(e) => e.duration_ns,
        }
    }

    /// Most VUs of the share at one time, those initialised on demand included.
    pub fn max_vus(&self, share: &Share) -> u64 {
        match self {
            Self::SharedIterations(e) => share.count(e.vus),
            Self::PerVuIterations(e) => share.count(e.vus),
            Self::ConstantVus(e) => share.count(e.vus),
            Self::RampingVus(e) => share.count(e.most_vus()),
            Self::ConstantArrivalRate(e) => share.count(e.max_vus),
            Self::RampingArrivalRate(e) => share.count(e.max_vus),
            Self::ExternallyControlled(e) => share.count(e.max_vus),
        }
    }

    /// VUs of the share that are initialised before the run starts.
    pub fn planned_vus(&self, share: &Share) -> u64 {
        match self {
            Self::ConstantArrivalRate(e) => share.count(e.pre_allocated_vus),
            Self::RampingArrivalRate(e) => share.count(e.pre_allocated_vus),
            _ => self.max_vus(share),
        }
    }

    /// The planned starts of the share, for the open-model executors.
    pub fn starts(&self, share: &Share) -> Option<Starts> {
        match self {
            Self::ConstantArrivalRate(e) => Some(e.starts(share)),
            Self::RampingArrivalRate(e) => Some(e.starts(share)),
            _ => None,
        }
    }

    /// What becomes of a planned start that finds nothing free.
    pub fn surplus(&self) -> Surplus {
        match self {
            Self::ConstantArrivalRate(e) => e.surplus,
            _ => Surplus::Drop,
        }
    }

    /// Whether it is over when its last start is, and not when its time is: a number of Poisson arrivals.
    pub fn ends_with_its_starts(&self) -> bool {
        match self {
            Self::ConstantArrivalRate(e) => {
                e.most_starts != u64::MAX && e.arrival != Arrival::Constant
            }
            _ => false,
        }
    }

    /// What it does, in words, with the facts for the bracket behind.
    pub(crate) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        match self {
            Self::SharedIterations(e) => e.describe(cut),
            Self::PerVuIterations(e) => e.describe(cut),
            Self::ConstantVus(e) => e.describe(cut),
            Self::RampingVus(e) => e.describe(cut),
            Self::ConstantArrivalRate(e) => e.describe(cut),
            Self::RampingArrivalRate(e) => e.describe(cut),
            Self::ExternallyControlled(e) => e.describe(cut),
        }
    }
}
