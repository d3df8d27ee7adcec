//! What the plan wanted against what happened: starts of the open model, and whether a VU was free.

use std::sync::atomic::Ordering::Relaxed;

use netload_metrics::generator::Evidence;
use netload_plan::Executor;
use netload_plan::executor::{Arrival, ConstantArrivalRate, RampingArrivalRate, Stage};

use crate::state::{RunState, ScenarioState};

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
        let now = starts(state, now_ns);
        evidence.planned = now.planned - self.last.planned;
        evidence.started = now.started - self.last.started;
        evidence.dropped = now.dropped - self.last.dropped;
        evidence.behind = (now.planned - now.started as f64 - now.dropped as f64).max(0.0);
        evidence.all_busy = self.busy_looks as f64 / self.looks.max(1) as f64;
        self.last = now;
        self.looks = 0;
        self.busy_looks = 0;
    }
}

fn starts(state: &RunState, now_ns: u64) -> Starts {
    let mut sum = Starts::default();
    for scenario in &state.scenarios {
        let started_ns = scenario.started_ns.load(Relaxed);
        if started_ns == 0 {
            continue;
        }
        let elapsed_ns = now_ns.saturating_sub(started_ns);
        if let Some(planned) = planned(state, scenario, elapsed_ns) {
            sum.planned += planned;
            sum.started += scenario.next_iteration.load(Relaxed);
            sum.dropped += scenario.dropped.load(Relaxed);
        }
    }
    sum
}

/// How many starts the plan has in the first `elapsed_ns` of a scenario; none in the closed model.
fn planned(state: &RunState, scenario: &ScenarioState, elapsed_ns: u64) -> Option<f64> {
    let cut = &state.plan.segmentation;
    match &scenario.scenario.executor {
        // Chance is not behind its mean: only what became due counts.
        Executor::ConstantArrivalRate(ConstantArrivalRate { arrival, .. })
        | Executor::RampingArrivalRate(RampingArrivalRate { arrival, .. })
            if *arrival != Arrival::Constant =>
        {
            Some(scenario.planned.count() as f64)
        }
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
    use super::*;

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
