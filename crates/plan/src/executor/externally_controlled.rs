//! `externally-controlled`: looping VUs whose number is set from outside while the test runs.
//!
//! Owns its fields and rules. k6 removed this executor in version 2; netload keeps it.

use super::rules;
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;

/// The fields of `externally-controlled`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternallyControlled {
    /// VUs that run at first; may be 0.
    pub vus: u64,
    /// VUs that are initialised, and most that can be asked for.
    pub max_vus: u64,
    /// How long, in nanoseconds; `None` is until stopped.
    pub duration_ns: Option<Nanos>,
}

impl ExternallyControlled {
    pub(super) const FIELDS: &'static [&'static str] = &["vus", "maxVUs", "duration"];

    pub(super) fn resolve(
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        let vus = options.vus.unwrap_or(0);
        let max_vus = options.max_vus.unwrap_or(vus);
        rules::vus("maxVUs", max_vus, place, findings);
        if vus > max_vus {
            let message = format!("{vus} VUs are more than the {max_vus} of `maxVUs`");
            findings.problem(place.key("vus").problem(message));
        }
        let duration_ns = options.duration.filter(|ns| *ns > 0);
        if let Some(ns) = duration_ns {
            rules::at_least_a_second("duration", ns, place, findings);
        }
        Some(Self {
            vus,
            max_vus,
            duration_ns,
        })
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let time = match self.duration_ns {
            Some(ns) => format!(" for {}", format_go(ns)),
            None => " until stopped".to_owned(),
        };
        (
            format!(
                "Externally controlled execution with {} VUs, {} max VUs{time}",
                cut.scale(self.vus),
                cut.scale(self.max_vus)
            ),
            Vec::new(),
        )
    }
}
