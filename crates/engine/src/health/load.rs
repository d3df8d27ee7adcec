//! What the plan wanted against what happened: starts of the open model, and whether a VU was free.

use std::iter::Peekable;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use netload_metrics::generator::Evidence;
use netload_plan::executor::{
    Arrival, ConstantArrivalRate, RampingArrivalRate, Stage, Starts as Instants,
};
use netload_plan::{Executor, Share};

use crate::state::{Course, RunState, ScenarioState};

/// The starts of all open scenarios, since the start of the load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Starts {
    planned: f64,
    started: u64,
    dropped: u64,
}

/// Follows the load.
#[derive(Debug, Default)]
pub(super) struct LoadWatch {
    last: Starts,
    looks: u64,
    busy_looks: u64,
    /// By scenario, what it plans.
    plans: Vec<Watched>,
}

/// What a scenario plans, and what it had planned before its rate was last changed.
#[derive(Debug)]
struct Watched {
    course: Option<Arc<Course>>,
    before: f64,
    chance: Option<Chance>,
}

/// The starts of an instance that chance has planned: the same ones that the workers release, as the seed is the same.
#[derive(Debug)]
struct Chance {
    rest: Peekable<Instants>,
    passed: u64,
}

impl Chance {
    /// None when the starts are planned evenly.
    fn of(executor: &Executor, share: &Share) -> Option<Self> {
        match executor {
            Executor::ConstantArrivalRate(ConstantArrivalRate { arrival, .. })
            | Executor::RampingArrivalRate(RampingArrivalRate { arrival, .. })
                if *arrival != Arrival::Constant =>
            {
                Some(Self {
                    rest: executor.starts(share)?.peekable(),
                    passed: 0,
                })
            }
            _ => None,
        }
    }

    /// How many there are in the first `elapsed_ns`, which never becomes less.
    fn until(&mut self, elapsed_ns: u64) -> u64 {
        while self
            .rest
            .next_if(|start| start.offset_ns <= elapsed_ns)
            .is_some()
        {
            self.passed += 1;
        }
        self.passed
    }
}

impl LoadWatch {
    /// Looks whether any VU is free for planned starts.
    pub(super) fn look(&mut self, state: &RunState) {
        let running = |s: &&std::sync::Arc<ScenarioState>| {
            s.scenario.executor.kind().is_open_model()
                && s.started_ns.load(Relaxed) > 0
                && s.ended_ns.load(Relaxed) == 0
        };
        let share = state.plan.share();
        let initialized = u64::try_from(state.vus_initialized.load(Relaxed)).unwrap_or(0);
        for scenario in state.scenarios.iter().filter(running) {
            let active = u64::try_from(scenario.vus_active.load(Relaxed)).unwrap_or(0);
            self.looks += 1;
            let there = scenario.scenario.max_vus(&share).min(initialized);
            self.busy_looks += u64::from(active >= there);
        }
    }

    /// Writes what happened since the last call into the evidence.
    pub(super) fn tell(&mut self, state: &RunState, now_ns: u64, evidence: &mut Evidence) {
        let now = self.starts(state, now_ns);
        evidence.planned = now.planned - self.last.planned;
        evidence.started = now.started - self.last.started;
        evidence.dropped = now.dropped - self.last.dropped;
        evidence.behind = (now.planned - now.started as f64 - now.dropped as f64).max(0.0);
        evidence.all_busy = self.busy_looks as f64 / self.looks.max(1) as f64;
        self.last = now;
        self.looks = 0;
        self.busy_looks = 0;
    }

    fn starts(&mut self, state: &RunState, now_ns: u64) -> Starts {
        let mut sum = Starts::default();
        if self.plans.is_empty() {
            let watched = |s: &Arc<ScenarioState>| Watched::new(None, &s.scenario.executor, state);
            self.plans = state.scenarios.iter().map(watched).collect();
        }
        for (scenario, plan) in state.scenarios.iter().zip(&mut self.plans) {
            if scenario.started_ns.load(Relaxed) == 0 {
                continue;
            }
            plan.follow(state, scenario, now_ns);
            if let Some(planned) = plan.planned(state, scenario, now_ns) {
                sum.planned += planned;
                sum.started += scenario.next_iteration.load(Relaxed);
                sum.dropped += scenario.dropped.load(Relaxed);
            }
        }
        sum
    }
}

impl Watched {
    fn new(course: Option<Arc<Course>>, law: &Executor, state: &RunState) -> Self {
        Self {
            course,
            before: 0.0,
            chance: Chance::of(law, &state.plan.share()),
        }
    }

    /// Takes note of a changed rate that has begun.
    fn follow(&mut self, state: &RunState, scenario: &ScenarioState, now_ns: u64) {
        let Some(course) = scenario.course().filter(|course| course.from_ns <= now_ns) else {
            return;
        };
        let is_new = |known: &Arc<Course>| !Arc::ptr_eq(known, &course);
        if self.course.as_ref().is_none_or(is_new) {
            let before = self.planned(state, scenario, course.from_ns).unwrap_or(0.0);
            *self = Self::new(Some(course.clone()), &course.law, state);
            self.before = before;
        }
    }

    /// How many starts the instance has planned up to an instant; none in the closed model.
    fn planned(&mut self, state: &RunState, scenario: &ScenarioState, now_ns: u64) -> Option<f64> {
        let (law, from_ns) = match &self.course {
            Some(course) => (&course.law, course.from_ns),
            None => (
                &scenario.scenario.executor,
                scenario.started_ns.load(Relaxed),
            ),
        };
        let elapsed_ns = now_ns.saturating_sub(from_ns);
        let since = match &mut self.chance {
            Some(chance) => chance.until(elapsed_ns) as f64,
            None => planned(state, law, elapsed_ns)?,
        };
        Some(self.before + since)
    }
}

/// How many evenly planned starts a law has in the first `elapsed_ns`; none in the closed model.
fn planned(state: &RunState, law: &Executor, elapsed_ns: u64) -> Option<f64> {
    let cut = &state.plan.segmentation;
    match law {
        Executor::ConstantArrivalRate(law) => {
            let elapsed_s = elapsed_ns.min(law.duration_ns) as f64 / 1e9;
            Some(law.per_second(cut) * elapsed_s)
        }
        Executor::RampingArrivalRate(law) => {
            let part = cut.rescaled(law.max_vus).fraction();
            Some(area(law, elapsed_ns) / law.time_unit_ns as f64 * part)
        }
        _ => None,
    }
}

/// The area below the line of rates, in starts per time unit times nanoseconds.
fn area(law: &RampingArrivalRate, elapsed_ns: u64) -> f64 {
    let (mut from, mut rest_ns, mut area) = (law.start_rate as f64, elapsed_ns, 0.0);
    for Stage {
        duration_ns,
        target,
    } in &law.stages
    {
        let to = *target as f64;
        let taken_ns = rest_ns.min(*duration_ns);
        let part = taken_ns as f64 / (*duration_ns).max(1) as f64;
        let reached = from + (to - from) * part;
        area += (from + reached) / 2.0 * taken_ns as f64;
        rest_ns -= taken_ns;
        from = to;
    }
    area
}

#[cfg(test)]
mod tests {
    use netload_plan::executor::Surplus;

    use super::*;

    #[test]
    fn chance_is_counted_as_it_will_come() {
        let law = ConstantArrivalRate {
            rate: 1_000,
            time_unit_ns: 1_000_000_000,
            duration_ns: 2_000_000_000,
            pre_allocated_vus: 1,
            max_vus: 1,
            arrival: Arrival::Poisson { seed: 3 },
            most_starts: u64::MAX,
            surplus: Surplus::Drop,
        };
        let executor = Executor::ConstantArrivalRate(law);
        let share = Share::whole();
        let offsets: Vec<u64> = executor
            .starts(&share)
            .unwrap()
            .map(|s| s.offset_ns)
            .collect();
        let mut chance = Chance::of(&executor, &share).unwrap();
        for at in [0, 1, 700, 701, offsets.len() - 1] {
            assert_eq!(chance.until(offsets[at]), at as u64 + 1);
        }
        assert_eq!(chance.until(u64::MAX), offsets.len() as u64);
    }

    #[test]
    fn a_ramp_plans_the_area_below_its_line() {
        let s = 1_000_000_000;
        let stage = |seconds: u64, target| Stage {
            duration_ns: seconds * s,
            target,
        };
        let law = RampingArrivalRate {
            start_rate: 0,
            time_unit_ns: s,
            stages: vec![stage(10, 100), stage(0, 50), stage(10, 50)],
            pre_allocated_vus: 1,
            max_vus: 1,
            arrival: Arrival::Constant,
        };
        let planned = |seconds: u64| (area(&law, seconds * s) / s as f64).round();
        assert_eq!(
            [5, 10, 15, 20, 99].map(planned),
            [125.0, 500.0, 750.0, 1000.0, 1000.0]
        );
    }
}
