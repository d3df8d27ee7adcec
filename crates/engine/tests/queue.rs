//! Scenarios that queue: a start that finds nothing free waits, and every planned start is accounted for.

mod harness;

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use harness::{Waiter, count};
use netload_engine::RunResult;
use netload_metrics::Aggregate;
use netload_plan::executor::{Arrival, ConstantArrivalRate, Surplus};
use netload_plan::{Executor, Layered, Plan};

const SECOND_NS: u64 = 1_000_000_000;

/// A hundred starts in a second for two VUs, one on each worker.
fn plan(graceful_stop_ns: u64) -> Plan {
    plan_for(2, graceful_stop_ns)
}

fn plan_for(vus: u64, graceful_stop_ns: u64) -> Plan {
    let mut plan = Plan::resolve(&Layered::new()).unwrap();
    plan.scenarios[0].graceful_stop_ns = graceful_stop_ns;
    plan.scenarios[0].executor = Executor::ConstantArrivalRate(ConstantArrivalRate {
        rate: 100,
        time_unit_ns: SECOND_NS,
        duration_ns: SECOND_NS,
        pre_allocated_vus: vus,
        max_vus: vus,
        arrival: Arrival::Constant,
        most_starts: u64::MAX,
        surplus: Surplus::Queue,
    });
    plan
}

/// Planned, started, refused and left.
fn accounts(result: &RunResult) -> (u64, u64, u64, u64) {
    let scenario = &result.state.scenarios[0];
    (
        scenario.planned.count(),
        scenario.completed.count() + scenario.interrupted.count(),
        scenario.refused.load(Relaxed),
        scenario.left.load(Relaxed),
    )
}

#[test]
fn what_finds_nothing_free_waits_its_turn() {
    let program = Waiter::new(Duration::from_millis(30));
    let (result, diary) = program.run_plan(plan(60 * SECOND_NS));
    assert_eq!(accounts(&result), (100, 100, 0, 0));
    assert_eq!(count(&result, "dropped_iterations"), 0);
    let begun = diary.begun.lock().unwrap();
    let mut planned: Vec<_> = begun.iter().filter_map(|b| b.2).collect();
    planned.sort_unstable();
    planned.dedup();
    assert_eq!(planned.len(), 100, "each start is taken once");
    // Two VUs need a second and a half for a second of starts: the last ones wait, and that is not lateness.
    let Some(Aggregate::Trend(lateness)) =
        result.summary.metric("iteration_lateness").map(|m| &m.data)
    else {
        panic!("no lateness");
    };
    assert_eq!(lateness.count(), 100);
}

#[test]
fn a_worker_without_vus_leaves_the_line_to_the_others() {
    // One VU on one of two workers: the line is served for another half a second after the last start was planned.
    let program = Waiter::new(Duration::from_millis(15));
    let (result, _) = program.run_plan(plan_for(1, 60 * SECOND_NS));
    assert_eq!(accounts(&result), (100, 100, 0, 0));
}

#[test]
fn what_still_waits_at_the_end_is_counted_and_not_started() {
    let program = Waiter::new(Duration::from_millis(200));
    let (result, _) = program.run_plan(plan(0));
    let (planned, started, refused, left) = accounts(&result);
    assert_eq!((planned, refused), (100, 0));
    assert!(left > 0 && started + left == 100, "{started} + {left}");
    assert_eq!(count(&result, "dropped_iterations"), left);
    assert!(result.state.scenarios[0].longest_left_ns.load(Relaxed) > 0);
}
