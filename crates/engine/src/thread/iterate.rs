//! One iteration: numbers, the call, and what is recorded when it ends.

use std::sync::Arc;
use std::time::Duration;

use netload_metrics::{BundleId, SlotId, TagsId};

use crate::program::{Activation, Iteration, Outcome, Program, Vu};
use crate::state::ScenarioState;

use super::{Thread, VuCell};

/// The series of a VU's iterations under its present tags.
#[derive(Clone, Copy)]
pub(super) struct IterationSlots {
    tags: TagsId,
    sent: SlotId,
    received: SlotId,
    /// Sent, received, duration, iterations.
    completed: BundleId,
    lateness: SlotId,
}

/// A start that the plan or the VU's loop wants.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The iteration's number within the scenario in this instance.
    pub number: u64,
    pub planned_ns: Option<u64>,
    /// Now, where the caller has just looked at the clock.
    pub began_ns: Option<u64>,
    pub hard_end_ns: u64,
}

impl<P: Program> Thread<P> {
    /// Hands a VU to a scenario.
    pub(super) fn activate(
        &self,
        cell: &mut VuCell<P::Vu>,
        scenario: &Arc<ScenarioState>,
        setup_data: Option<Arc<str>>,
    ) -> IterationSlots {
        let tags = self.scenario_tags(scenario);
        cell.vu.activate(Activation {
            scenario: scenario.clone(),
            tags,
            setup_data,
        });
        self.iteration_slots(tags)
    }

    /// The tags of everything that happens in a scenario: those of the run, of the scenario, and an empty group.
    pub(super) fn scenario_tags(&self, scenario: &ScenarioState) -> TagsId {
        let plan = &self.worker.plan;
        let mut tags: Vec<(&str, &str)> = Vec::new();
        tags.extend(plan.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        let own = &scenario.scenario;
        tags.extend(own.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        if plan.system_tags.contains(netload_plan::SystemTag::Scenario) {
            tags.push(("scenario", &own.name));
        }
        if plan.system_tags.contains(netload_plan::SystemTag::Group) {
            tags.push(("group", ""));
        }
        self.worker
            .recorder
            .borrow_mut()
            .tags
            .extend(TagsId::EMPTY, &tags)
    }

    fn iteration_slots(&self, tags: TagsId) -> IterationSlots {
        let mut recorder = self.worker.recorder.borrow_mut();
        let m = recorder.registry().builtin;
        let (sent, received) = (
            recorder.slot(m.data_sent, tags),
            recorder.slot(m.data_received, tags),
        );
        let duration = recorder.slot(m.iteration_duration, tags);
        let iterations = recorder.slot(m.iterations, tags);
        IterationSlots {
            tags,
            sent,
            received,
            completed: recorder.bundle(&[sent, received, duration, iterations]),
            lateness: recorder.slot(m.iteration_lateness, tags),
        }
    }

    /// Runs one iteration and records it.
    pub(super) async fn iterate(
        &self,
        cell: &mut VuCell<P::Vu>,
        scenario: &ScenarioState,
        slots: &mut IterationSlots,
        start: Start,
    ) -> Outcome {
        let worker = &self.worker;
        let in_scenario = cell.count_in_scenario(scenario.index);
        let mut iteration = Iteration {
            in_instance: start.number,
            in_test: worker.in_test(start.number),
            in_vu: cell.iterations,
            in_scenario,
            planned_ns: start.planned_ns,
            opening: None,
        };
        cell.iterations += 1;
        cell.stop.reset(start.hard_end_ns);
        let began_ns = start.began_ns.unwrap_or_else(|| worker.clock.now_ns());
        let turn = &mut cell.turn;
        iteration.opening = start
            .planned_ns
            .map(|planned| turn.begin(planned, began_ns));
        scenario.started.bump(worker.index);
        let outcome = cell.vu.iterate(iteration).await;
        let ended_ns = worker.clock.now_ns();
        self.record(cell, slots, began_ns, ended_ns, iteration, outcome);
        let free_ns = ended_ns.saturating_sub(cell.vu.tare_ns());
        cell.turn.end(free_ns);
        if outcome == Outcome::Interrupted {
            scenario.interrupted.bump(worker.index);
            return outcome;
        }
        scenario.completed.bump(worker.index);
        if outcome == Outcome::Failed {
            scenario.failed.bump(worker.index);
        }
        let pad_ns = worker.plan.min_iteration_duration_ns;
        if pad_ns > ended_ns - began_ns {
            let rest_ns = pad_ns - (ended_ns - began_ns);
            cell.turn.end(free_ns + rest_ns);
            let rest = Duration::from_nanos(rest_ns);
            let rest = std::pin::pin!(tokio::time::sleep(rest));
            // Being told to stop is noticed by the caller before the next iteration.
            let _ = cell.stop.guard(rest).await;
        }
        outcome
    }

    fn record(
        &self,
        cell: &mut VuCell<P::Vu>,
        slots: &mut IterationSlots,
        began_ns: u64,
        ended_ns: u64,
        iteration: Iteration,
        outcome: Outcome,
    ) {
        if let Some(tags) = cell.vu.tags()
            && tags != slots.tags
        {
            *slots = self.iteration_slots(tags);
        }
        let stamp = self
            .worker
            .stamp_at(ended_ns, cell.slot + 1, iteration.in_vu);
        let (sent, received) = cell.vu.take_bytes();
        let mut recorder = self.worker.recorder.borrow_mut();
        let (sent, received) = (sent as f64, received as f64);
        if outcome == Outcome::Interrupted {
            recorder.add(slots.sent, sent, stamp);
            recorder.add(slots.received, received, stamp);
        } else {
            let ms = (ended_ns - began_ns) as f64 / 1e6;
            recorder.add_row(slots.completed, &[sent, received, ms, 1.0], stamp);
        }
        if let Some(opening) = iteration.opening {
            recorder.add(slots.lateness, opening.late_ns as f64 / 1e6, stamp);
        }
    }
}
