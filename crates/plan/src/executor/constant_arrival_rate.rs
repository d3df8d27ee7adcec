//! `constant-arrival-rate`: iteration i starts at i periods, whatever the server does.
//!
//! Owns its fields, rules and law. The period is the time unit divided by the rate, truncated to
//! whole nanoseconds as in k6; nothing starts at or after the duration. With Poisson arrivals the
//! period is the mean gap.

use super::arrival::{POSITION_BITS, Positions};
use super::{Arrival, Pacing, Start, Starts, Surplus, rules};
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
    /// How the starts are spread.
    pub arrival: Arrival,
    /// No more starts than this, in the whole test; `u64::MAX` is no limit.
    pub most_starts: u64,
    /// What becomes of a start that finds no free VU.
    pub surplus: Surplus,
}

impl ConstantArrivalRate {
    pub(super) const FIELDS: &'static [&'static str] = &[
        "rate",
        "timeUnit",
        "duration",
        "preAllocatedVUs",
        "maxVUs",
        "arrival",
        "seed",
    ];

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
        let arrival = rules::arrival(options, place, findings);
        Some(Self {
            arrival,
            most_starts: u64::MAX,
            surplus: Surplus::Drop,
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

    /// Starts of the whole test; for Poisson arrivals the expected number.
    pub fn total_starts(&self) -> u64 {
        let by_time = self.duration_ns.div_ceil(self.period_ns());
        by_time.min(self.most_starts)
    }

    /// The planned starts of the share.
    pub fn starts(&self, share: &Share) -> Starts {
        Starts::from(Pacing::Constant(ConstantStarts {
            period_ns: self.period_ns(),
            duration_ns: self.duration_ns,
            most: self.most_starts,
            share: share.rescaled(self.max_vus),
            positions: self.arrival.positions(),
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
        let mut facts = vec![pool_fact(self.pre_allocated_vus, self.max_vus, cut)];
        facts.extend(self.arrival.fact());
        (format!("{rate:.2} iterations/s for {duration}"), facts)
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

/// Starts at one mean rate.
#[derive(Clone, Debug)]
pub struct ConstantStarts {
    period_ns: Nanos,
    /// Nothing starts here or later.
    duration_ns: Nanos,
    /// Most starts of the whole test.
    most: u64,
    share: Share,
    positions: Positions,
    /// Starts of the share that were handed out.
    taken: u64,
}

impl ConstantStarts {
    /// How many starts the share has from beginning to end. Poisson arrivals have to be counted one by one.
    pub fn total(&self) -> u64 {
        match self.positions {
            Positions::Even => {
                let by_time = self.duration_ns.div_ceil(self.period_ns);
                self.share.count(by_time.min(self.most))
            }
            Positions::Poisson(_) => self.clone().count() as u64 + self.taken,
        }
    }
}

impl Iterator for ConstantStarts {
    type Item = Start;

    fn next(&mut self) -> Option<Start> {
        let index = self.share.nth(self.taken).filter(|i| *i < self.most)?;
        let position = self.positions.of(index, index);
        let offset = (position * u128::from(self.period_ns)) >> POSITION_BITS;
        let offset_ns = u64::try_from(offset)
            .ok()
            .filter(|o| *o < self.duration_ns)?;
        self.taken += 1;
        Some(Start { offset_ns, index })
    }
}
