//! `ramping-vus`: a number of looping VUs that follows a piecewise linear line in whole steps.
//!
//! Owns its fields, rules and law: going up, VU number k starts when the line reaches k; going
//! down, the number falls to k when the line has come down to k. A stage of 0s jumps.

use super::{Stage, rules, stages_ns};
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// Time for VUs that leave unless said otherwise, in nanoseconds.
const GRACEFUL_RAMP_DOWN_NS: Nanos = 30_000_000_000;

/// The fields of `ramping-vus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RampingVus {
    /// VUs at the start.
    pub start_vus: u64,
    /// Legs of the ramp; targets are VUs.
    pub stages: Vec<Stage>,
    /// How long a VU that leaves may take to finish its iteration, in nanoseconds.
    pub graceful_ramp_down_ns: Nanos,
}

impl RampingVus {
    pub(super) const FIELDS: &'static [&'static str] = &["startVUs", "stages", "gracefulRampDown"];

    pub(super) fn resolve(
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        let start_vus = options.start_vus.unwrap_or(1);
        let stages = options.stages.as_deref();
        rules::stages("startVUs", start_vus, stages, place, findings);
        let executor = Self {
            start_vus,
            stages: stages.unwrap_or_default().to_vec(),
            graceful_ramp_down_ns: options.graceful_ramp_down.unwrap_or(GRACEFUL_RAMP_DOWN_NS),
        };
        rules::vus_at_most("stages", executor.most_vus(), place, findings);
        Some(executor)
    }

    /// Most VUs of the whole test at one time.
    pub fn most_vus(&self) -> u64 {
        let targets = self.stages.iter().map(|stage| stage.target);
        targets.fold(self.start_vus, u64::max)
    }

    /// The changes of the number of VUs of the share; the first is the number at the start.
    pub fn steps(&self, share: &Share) -> VuSteps {
        VuSteps {
            stages: self.stages.clone(),
            share: share.clone(),
            stage: 0,
            offset_ns: 0,
            from: self.start_vus,
            vus: None,
        }
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let (vus, legs) = (cut.scale(self.most_vus()), self.stages.len());
        let duration = format_go(stages_ns(&self.stages));
        let down = format_go(self.graceful_ramp_down_ns);
        (
            format!("Up to {vus} looping VUs for {duration} over {legs} stages"),
            vec![format!("gracefulRampDown: {down}")],
        )
    }
}

/// From an instant on, so many VUs loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VuStep {
    /// When, in nanoseconds since the start of the scenario.
    pub offset_ns: Nanos,
    /// VUs of the share that loop from then on.
    pub vus: u64,
}

/// The changes of the number of VUs of a share, by rising offset. By one each, except for jumps.
#[derive(Clone, Debug)]
pub struct VuSteps {
    stages: Vec<Stage>,
    share: Share,
    stage: usize,
    /// Start of the current stage.
    offset_ns: u64,
    /// VUs of the whole test at the start of the current stage.
    from: u64,
    /// VUs of the share; `None` before the first step.
    vus: Option<u64>,
}

impl Iterator for VuSteps {
    type Item = VuStep;

    fn next(&mut self) -> Option<VuStep> {
        let Some(vus) = self.vus else {
            let vus = self.share.count(self.from);
            return Some(self.step(0, vus));
        };
        loop {
            let Stage {
                duration_ns,
                target,
            } = *self.stages.get(self.stage)?;
            let goal = self.share.count(target);
            if goal == vus {
                self.offset_ns = self.offset_ns.saturating_add(duration_ns);
                self.from = target;
                self.stage += 1;
                continue;
            }
            return Some(match duration_ns {
                0 => self.step(0, goal),
                _ if goal > vus => self.step(self.reaches(vus, duration_ns, target)?, vus + 1),
                _ => self.step(self.sinks(vus, duration_ns, target)?, vus - 1),
            });
        }
    }
}

impl VuSteps {
    /// `after_ns` is counted from the start of the current stage.
    fn step(&mut self, after_ns: u64, vus: u64) -> VuStep {
        self.vus = Some(vus);
        VuStep {
            offset_ns: self.offset_ns.saturating_add(after_ns),
            vus,
        }
    }

    /// When the line reaches our next VU, by its number in the whole test.
    fn reaches(&self, vus: u64, duration_ns: u64, target: u64) -> Option<u64> {
        let number = self.share.nth(vus)? + 1;
        let (risen, rise) = (number - self.from, target - self.from);
        let after_ns = u128::from(duration_ns) * u128::from(risen) / u128::from(rise);
        u64::try_from(after_ns).ok()
    }

    /// When the line has come down to where our last VU is one too many.
    fn sinks(&self, vus: u64, duration_ns: u64, target: u64) -> Option<u64> {
        let left = self.share.nth(vus - 1)?;
        let (fallen, fall) = (self.from - left, self.from - target);
        let after_ns = (u128::from(duration_ns) * u128::from(fallen)).div_ceil(u128::from(fall));
        u64::try_from(after_ns).ok()
    }
}
