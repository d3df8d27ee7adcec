//! `per-vu-iterations`: every VU runs the same number of iterations, as fast as it can.
//!
//! Owns its fields, rules and counts.

use super::rules;
use super::shared_iterations::MAX_DURATION_NS;
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// The fields of `per-vu-iterations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerVuIterations {
    /// VUs.
    pub vus: u64,
    /// Iterations of each VU.
    pub iterations: u64,
    /// Nothing starts after this time, in nanoseconds.
    pub max_duration_ns: Nanos,
}

impl PerVuIterations {
    pub(super) const FIELDS: &'static [&'static str] = &["vus", "iterations", "maxDuration"];

    pub(super) fn resolve(
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        let executor = Self {
            vus: options.vus.unwrap_or(1),
            iterations: options.iterations.unwrap_or(1),
            max_duration_ns: options.max_duration.unwrap_or(MAX_DURATION_NS),
        };
        rules::vus("vus", executor.vus, place, findings);
        rules::iterations(executor.iterations, place, findings);
        let total = executor.vus.checked_mul(executor.iterations);
        if total.is_none_or(|total| total > rules::WHOLE_ITERATIONS_LIMIT) {
            let message = "too many iterations for all VUs together";
            findings.problem(place.key("iterations").problem(message));
        }
        rules::at_least_a_second("maxDuration", executor.max_duration_ns, place, findings);
        Some(executor)
    }

    /// VUs of the share; each runs [`Self::iterations`].
    pub fn vus(&self, share: &Share) -> u64 {
        share.count(self.vus)
    }

    /// Iterations of all VUs of the share together.
    pub fn total_iterations(&self, share: &Share) -> u64 {
        self.vus(share).saturating_mul(self.iterations)
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let (iterations, vus) = (self.iterations, cut.scale(self.vus));
        (
            format!("{iterations} iterations for each of {vus} VUs"),
            vec![format!("maxDuration: {}", format_go(self.max_duration_ns))],
        )
    }
}
