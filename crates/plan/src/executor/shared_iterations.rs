//! `shared-iterations`: a number of iterations that VUs draw from one pool, each as fast as it can.
//!
//! Owns its fields, rules and counts. Leaves out the drawing, which happens while running.

use super::rules;
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// Longest run unless said otherwise, in nanoseconds.
pub(super) const MAX_DURATION_NS: Nanos = 600_000_000_000;

/// The fields of `shared-iterations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedIterations {
    /// VUs that draw.
    pub vus: u64,
    /// Iterations in the pool of the whole test.
    pub iterations: u64,
    /// Nothing starts after this time, in nanoseconds.
    pub max_duration_ns: Nanos,
}

impl SharedIterations {
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
        if executor.iterations == 0 {
            rules::iterations(executor.iterations, place, findings);
        } else if executor.iterations < executor.vus {
            let message = format!(
                "{} iterations are fewer than the {} VUs that share them",
                executor.iterations, executor.vus
            );
            let problem = place.key("iterations").problem(message);
            findings.problem(problem.hint("raise `iterations` or lower `vus`"));
        }
        rules::at_least_a_second("maxDuration", executor.max_duration_ns, place, findings);
        Some(executor)
    }

    /// VUs of the share.
    pub fn vus(&self, share: &Share) -> u64 {
        share.count(self.vus)
    }

    /// Iterations in the pool of the share. Cut like the VUs, so that none lands where no VU is.
    pub fn iterations(&self, share: &Share) -> u64 {
        share.rescaled(self.vus).count(self.iterations)
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let share = Share::of_instance(cut.clone());
        let (iterations, vus) = (self.iterations(&share), self.vus(&share));
        (
            format!("{iterations} iterations shared among {vus} VUs"),
            vec![format!("maxDuration: {}", format_go(self.max_duration_ns))],
        )
    }
}
