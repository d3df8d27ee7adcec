//! `ramping-arrival-rate`: the n-th iteration starts when the area below the rate line reaches n.
//!
//! Owns its fields, rules and law. The area is kept as an exact integer, so the number of starts is
//! exactly its floor and fractions carry over from stage to stage; each start is the first whole
//! nanosecond at which the area is reached. With Poisson arrivals n is replaced by the n-th sum of
//! exponential gaps of mean 1.

use super::arrival::{POSITION_BITS, Positions};
use super::constant_arrival_rate::{TIME_UNIT_NS, pool_fact};
use super::{Arrival, Pacing, Stage, Start, Starts, rules, stages_ns};
use crate::duration::{Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// The fields of `ramping-arrival-rate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RampingArrivalRate {
    /// Iterations per time unit at the start.
    pub start_rate: u64,
    /// Time unit of the rates, in nanoseconds.
    pub time_unit_ns: Nanos,
    /// Legs of the ramp; targets are iterations per time unit.
    pub stages: Vec<Stage>,
    /// VUs initialised before the run.
    pub pre_allocated_vus: u64,
    /// Most VUs, those initialised on demand included.
    pub max_vus: u64,
    /// How the starts are spread.
    pub arrival: Arrival,
}

impl RampingArrivalRate {
    pub(super) const FIELDS: &'static [&'static str] = &[
        "startRate",
        "timeUnit",
        "stages",
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
        let start_rate = options.start_rate.unwrap_or(0);
        let time_unit_ns = options.time_unit.unwrap_or(TIME_UNIT_NS);
        rules::time_unit(time_unit_ns, place, findings);
        let stages = options.stages.as_deref();
        rules::stages("startRate", start_rate, stages, place, findings);
        let planned = options.pre_allocated_vus;
        let planned = rules::required("preAllocatedVUs", planned, "10", place, findings)?;
        let most = options.max_vus.unwrap_or(planned);
        rules::pool(planned, most, place, findings);
        let executor = Self {
            start_rate,
            time_unit_ns,
            stages: stages.unwrap_or_default().to_vec(),
            pre_allocated_vus: planned,
            max_vus: most,
            arrival: rules::arrival(options, place, findings),
        };
        let rates = executor.stages.iter().map(|stage| stage.target);
        if rates
            .chain([start_rate])
            .any(|rate| rate > time_unit_ns.max(1))
        {
            let message = "a rate is more than one iteration per nanosecond";
            findings.problem(place.key("stages").problem(message));
        }
        Some(executor)
    }

    /// Starts of the whole test: the floor of the area below the rate line; for Poisson arrivals the expected number.
    pub fn total_starts(&self) -> u64 {
        Ramp::new(self).total()
    }

    /// The planned starts of the share.
    pub fn starts(&self, share: &Share) -> Starts {
        Starts::from(Pacing::Ramping(RampingStarts {
            ramp: Ramp::new(self),
            share: share.rescaled(self.max_vus),
            positions: self.arrival.positions(),
            taken: 0,
            leg: 0,
        }))
    }

    /// Highest rate in starts per second that a segment plans.
    pub fn most_per_second(&self, cut: &Segmentation) -> f64 {
        let targets = self.stages.iter().map(|stage| stage.target);
        let most = targets.fold(self.start_rate, u64::max);
        let whole = most as f64 * 1e9 / self.time_unit_ns as f64;
        whole * cut.rescaled(self.max_vus).fraction()
    }

    pub(super) fn describe(&self, cut: &Segmentation) -> (String, Vec<String>) {
        let (rate, legs) = (self.most_per_second(cut), self.stages.len());
        let duration = format_go(stages_ns(&self.stages));
        let mut facts = vec![pool_fact(self.pre_allocated_vus, self.max_vus, cut)];
        facts.extend(self.arrival.fact());
        (
            format!("Up to {rate:.2} iterations/s for {duration} over {legs} stages"),
            facts,
        )
    }
}

/// The rate line as legs, with exact areas. Areas are in units of 1 / (2 x time unit) iterations,
/// which makes every one of them an integer.
#[derive(Clone, Debug)]
struct Ramp {
    legs: Vec<Leg>,
    /// Area of one iteration.
    unit: u128,
}

#[derive(Clone, Copy, Debug)]
struct Leg {
    offset_ns: u64,
    duration_ns: u64,
    from: u64,
    to: u64,
    /// Area before the leg and at its end.
    area: (u128, u128),
    /// Whether the law can be checked in 128 bits; beyond that (a century at a million per second)
    /// an instant is as good as floating point makes it.
    is_exact: bool,
}

impl Ramp {
    fn new(executor: &RampingArrivalRate) -> Self {
        let (mut offset_ns, mut from, mut area) = (0u64, executor.start_rate, 0u128);
        let mut legs = Vec::with_capacity(executor.stages.len());
        for stage in &executor.stages {
            let to = stage.target;
            let grown = (u128::from(from) + u128::from(to)) * u128::from(stage.duration_ns);
            let before = area;
            area = area.saturating_add(grown);
            legs.push(Leg {
                offset_ns,
                duration_ns: stage.duration_ns,
                from,
                to,
                area: (before, area),
                is_exact: fits(from, to, stage.duration_ns),
            });
            offset_ns = offset_ns.saturating_add(stage.duration_ns);
            from = to;
        }
        Self {
            legs,
            unit: 2 * u128::from(executor.time_unit_ns.max(1)),
        }
    }

    fn total(&self) -> u64 {
        let area = self.legs.last().map_or(0, |leg| leg.area.1);
        u64::try_from(area / self.unit).unwrap_or(u64::MAX)
    }
}

/// Whether every term of [`Leg::is_reached`] and [`Leg::estimate`] stays within 128 bits.
fn fits(from: u64, to: u64, duration_ns: u64) -> bool {
    let rates = 2.0 * (from as f64 + to as f64);
    let duration = duration_ns as f64;
    rates * duration * duration.max(rates) < 1e38
}

impl Leg {
    /// The first whole nanosecond, counted from the start of the leg, at which its area is at
    /// least `area`; `area` is more than 0 and at most that of the whole leg.
    fn reaches(&self, area: u128) -> u64 {
        let guess = self.estimate(area).min(self.duration_ns);
        if !self.is_exact {
            return guess;
        }
        // The guess is right up to rounding: two looks settle it nearly always.
        let (mut low, mut high, mut width) = (guess, guess, 1);
        if self.is_reached(guess, area) {
            while self.is_reached(low, area) {
                if low == 0 {
                    return 0;
                }
                (low, high) = (low.saturating_sub(width), low);
                width *= 2;
            }
        } else {
            while !self.is_reached(high, area) {
                if high == self.duration_ns {
                    return high;
                }
                (low, high) = (high, high.saturating_add(width).min(self.duration_ns));
                width *= 2;
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.is_reached(middle, area) {
                true => high = middle,
                false => low = middle,
            }
        }
        high
    }

    /// Whether the area is reached `t` ns into the leg; only for exact legs.
    ///
    /// From 2 f t + (g - f) t^2 / D >= area, multiplied by D to stay within the integers.
    fn is_reached(&self, t: u64, area: u128) -> bool {
        let (from, to) = (i128::from(self.from), i128::from(self.to));
        let (t, duration) = (i128::from(t), i128::from(self.duration_ns));
        (2 * from * duration + (to - from) * t) * t >= area as i128 * duration
    }

    /// The same instant in floating point, by the form of the solution that does not cancel:
    /// t = area / (f + sqrt(f^2 + (g - f) area / D)).
    fn estimate(&self, area: u128) -> u64 {
        let (from, to) = (self.from as f64, self.to as f64);
        let discriminant = if self.is_exact && self.to < self.from {
            // Near the end of a falling line the terms cancel: subtract before rounding.
            let (f, g) = (i128::from(self.from), i128::from(self.to));
            let exact = f * f * i128::from(self.duration_ns) + (g - f) * area as i128;
            exact as f64 / self.duration_ns as f64
        } else {
            from * from + (to - from) * (area as f64 / self.duration_ns as f64)
        };
        (area as f64 / (from + discriminant.max(0.0).sqrt())).ceil() as u64
    }
}

/// Starts along a piecewise linear rate.
#[derive(Clone, Debug)]
pub struct RampingStarts {
    ramp: Ramp,
    share: Share,
    positions: Positions,
    /// Starts of the share that were handed out.
    taken: u64,
    /// The leg in which the last one lay.
    leg: usize,
}

impl RampingStarts {
    /// How many starts the share has from beginning to end. Poisson arrivals have to be counted one by one.
    pub fn total(&self) -> u64 {
        match self.positions {
            Positions::Even => self.share.count(self.ramp.total()),
            Positions::Poisson(_) => self.clone().count() as u64 + self.taken,
        }
    }
}

impl Iterator for RampingStarts {
    type Item = Start;

    fn next(&mut self) -> Option<Start> {
        let index = self.share.nth(self.taken)?;
        // The first even start is where the first iteration is due in full.
        let position = self.positions.of(index, index.saturating_add(1));
        let area = position.saturating_mul(self.ramp.unit) >> POSITION_BITS;
        while self.ramp.legs.get(self.leg)?.area.1 < area {
            self.leg += 1;
        }
        let leg = self.ramp.legs.get(self.leg)?;
        self.taken += 1;
        Some(Start {
            offset_ns: leg.offset_ns.saturating_add(leg.reaches(area - leg.area.0)),
            index,
        })
    }
}
