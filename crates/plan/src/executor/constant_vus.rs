//! `constant-vus`: a fixed number of VUs that loop for a fixed time.
//!
//! Owns its fields, rules and counts.

use super::rules;
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// The fields of `constant-vus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantVus {
    /// VUs.
    pub vus: u64,
    /// How long they loop, in nanoseconds.
    pub duration_ns: Nanos,
}

impl ConstantVus {
    pub(super) const FIELDS: &'static [&'static str] = &["vus", "duration"];

    pub(super) fn resolve(
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        let vus = options.vus.unwrap_or(1);
        rules::vus("vus", vus, place, findings);
        let duration_ns = rules::required("duration", options.duration, "'30s'", place, findings)?;
        rules::at_least_a_second("duration", duration_ns, place, findings);
        Some(Self { vus, duration_ns })
    }

    /// VUs of the share.
    pub fn vus(&self, share: &Share) -> u64 {
        share.count(self.vus)
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let (vus, duration) = (cut.scale(self.vus), format_go(self.duration_ns));
        (format!("{vus} looping VUs for {duration}"), Vec::new())
    }
}
