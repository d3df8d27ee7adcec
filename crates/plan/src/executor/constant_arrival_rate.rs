//! `constant-arrival-rate`: iteration i starts at i periods, whatever the server does.
//!
//! Owns its fields, rules and law. The period is the time unit divided by the rate, truncated to
//! whole nanoseconds as in k6; nothing starts at or after the duration.

use super::{Pacing, Start, Starts, rules};
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// Time unit of rates unless said otherwise, in nanoseconds.
pub(super) const TIME_UNIT_NS: Nanos = 1_000_000_000;

/// The fields of `constant-arrival-rate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantArrivalRate {
    /// Iterations per time unit.
    pub rate: u64,
    /// Time unit of the rate, in nanoseconds.
    pub time_unit_ns: Nanos,
    /// How long iterations are started, in nanoseconds.
    pub duration_ns: Nanos,
    /// VUs initialised before the run.
    pub pre_allocated_vus: u64,
    /// Most VUs, those initialised on demand included.
    pub max_vus: u64,
}

impl ConstantArrivalRate {
    pub(super) const FIELDS: &'static [&'static str] =
        &["rate", "timeUnit", "duration", "preAllocatedVUs", "maxVUs"];

    pub(super) fn resolve(
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        let rate = rules::required("rate", options.rate, "10", place, findings);
        let time_unit_ns = options.time_unit.unwrap_or(TIME_UNIT_NS);
        rules::time_unit(time_unit_ns, place, findings);
        match rate {
            Some(0) => {
                let message = "must be more than 0";
                findings.problem(place.key("rate").problem(message));
            }
            Some(rate) if rate > time_unit_ns => {
                let message = format!(
                    "{rate} per {} is more than one iteration per nanosecond",
                    format_go(time_unit_ns)
                );
                findings.problem(place.key("rate").problem(message));
            }
            _ => {}
        }
        let duration = options.duration;
        let duration = rules::required("duration", duration, "'30s'", place, findings);
        if let Some(ns) = duration {
            rules::at_least_a_second("duration", ns, place, findings);
        }
        let planned = options.pre_allocated_vus;
        let planned = rules::required("preAllocatedVUs", planned, "10", place, findings)?;
        let most = options.max_vus.unwrap_or(planned);
        rules::pool(planned, most, place, findings);
        Some(Self {
            rate: rate?,
            time_unit_ns,
            duration_ns: duration?,
            pre_allocated_vus: planned,
            max_vus: most,
        })
    }

    /// Time between two starts of the whole test, in nanoseconds; at least 1.
    pub fn period_ns(&self) -> Nanos {
        (self.time_unit_ns / self.rate.max(1)).max(1)
    }

    /// Starts of the whole test.
    pub fn total_starts(&self) -> u64 {
        self.duration_ns.div_ceil(self.period_ns())
    }

    /// The planned starts of the share.
    pub fn starts(&self, share: &Share) -> Starts {
        Starts::from(Pacing::Constant(ConstantStarts {
            period_ns: self.period_ns(),
            total: self.total_starts(),
            share: share.rescaled(self.max_vus),
            taken: 0,
        }))
    }

    /// Starts per second that a segment plans.
    pub fn per_second(&self, cut: &Segmentation) -> f64 {
        let whole = self.rate as f64 * 1e9 / self.time_unit_ns as f64;
        whole * cut.rescaled(self.max_vus).fraction()
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let (rate, duration) = (self.per_second(cut), format_go(self.duration_ns));
        (
            format!("{rate:.2} iterations/s for {duration}"),
            vec![pool_fact(self.pre_allocated_vus, self.max_vus, cut)],
        )
    }
}

/// `maxVUs: 5` or `maxVUs: 5-10`, of the segment.
pub(super) fn pool_fact(planned: u64, most: u64, cut: &Segmentation) -> String {
    let (planned, most) = (cut.scale(planned), cut.scale(most));
    match planned == most {
        true => format!("maxVUs: {most}"),
        false => format!("maxVUs: {planned}-{most}"),
    }
}

/// Evenly spaced starts.
#[derive(Clone, Debug)]
pub struct ConstantStarts {
    period_ns: Nanos,
    /// Starts of the whole test.
    total: u64,
    share: Share,
    /// Starts of the share that were handed out.
    taken: u64,
}

impl ConstantStarts {
    /// How many starts the share has from beginning to end.
    pub fn total(&self) -> u64 {
        self.share.count(self.total)
    }
}

impl Iterator for ConstantStarts {
    type Item = Start;

    fn next(&mut self) -> Option<Start> {
        let index = self.share.nth(self.taken).filter(|i| *i < self.total)?;
        self.taken += 1;
        Some(Start {
            offset_ns: index * self.period_ns,
            index,
        })
    }
}
