//! Every executor, from options to what was run: exact counts, conservation, limits. No assertion depends on speed.

mod harness;

use std::collections::HashSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use harness::{Waiter, count};
use netload_engine::{End, Finish};
use serde_json::{Value, json};

const MS: Duration = Duration::from_millis(1);

fn scenario(fields: Value) -> Value {
    json!({ "scenarios": { "s": fields } })
}

#[test]
fn shared_iterations_run_exactly_as_many_as_asked_with_dense_numbers() {
    let options = scenario(json!({"executor": "shared-iterations", "vus": 7, "iterations": 1000}));
    let (result, diary) = Waiter::new(Duration::ZERO).run(options);
    assert_eq!(result.finish, Finish::Completed);
    assert_eq!(count(&result, "iterations"), 1000);
    assert_eq!(count(&result, "iteration_duration"), 1000);
    assert_eq!(
        (count(&result, "data_sent"), count(&result, "data_received")),
        (1000, 2000)
    );
    let mut numbers: Vec<u64> = diary.begun.lock().unwrap().iter().map(|b| b.1).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..1000).collect::<Vec<_>>());
    assert_eq!(count(&result, "dropped_iterations"), 0);
    assert_eq!(diary.made.load(Relaxed), 7);
}

#[test]
fn each_vu_runs_its_own_iterations() {
    let options = scenario(json!({"executor": "per-vu-iterations", "vus": 5, "iterations": 20}));
    let (result, diary) = Waiter::new(Duration::ZERO).run(options);
    assert_eq!(count(&result, "iterations"), 100);
    let begun = diary.begun.lock().unwrap();
    for vu in 1..=5 {
        assert_eq!(begun.iter().filter(|b| b.0 == vu).count(), 20);
    }
}

#[test]
fn iterations_that_were_not_attempted_are_one_dropped_sample() {
    let options = scenario(json!({
        "executor": "shared-iterations", "vus": 2, "iterations": 1000, "maxDuration": "1s", "gracefulStop": "0s",
    }));
    let (result, diary) = Waiter::new(400 * MS).run(options);
    let begun = diary.begun.lock().unwrap().len() as u64;
    assert_eq!(count(&result, "dropped_iterations"), 1000 - begun);
    let interrupted = result.state.iterations_interrupted();
    assert_eq!(count(&result, "iterations") + interrupted, begun);
}

#[test]
fn looping_vus_stop_starting_at_the_end_and_may_finish() {
    let options = scenario(json!({"executor": "constant-vus", "vus": 4, "duration": "1s"}));
    let (result, diary) = Waiter::new(700 * MS).run(options);
    let begun = diary.begun.lock().unwrap().len() as u64;
    assert_eq!(
        count(&result, "iterations"),
        begun,
        "the graceful stop lets all finish"
    );
    assert!((4..=8).contains(&begun), "{begun}");
}

#[test]
fn an_iteration_that_outlives_the_graceful_stop_is_interrupted_and_not_counted() {
    let options = scenario(json!({
        "executor": "constant-vus", "vus": 3, "duration": "1s", "gracefulStop": "100ms",
    }));
    let begin = Instant::now();
    let (result, _) = Waiter::new(Duration::from_secs(60)).run(options);
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(count(&result, "iterations"), 0);
    assert_eq!(result.state.iterations_interrupted(), 3);
    assert_eq!(
        count(&result, "data_sent"),
        3,
        "what was sent counts all the same"
    );
}

#[test]
fn a_ramp_up_and_down_uses_no_more_vus_than_its_peak_and_ends_empty() {
    let options = scenario(json!({
        "executor": "ramping-vus", "startVUs": 0, "gracefulRampDown": "0s",
        "stages": [{"duration": "500ms", "target": 10}, {"duration": "500ms", "target": 0}],
    }));
    let (result, diary) = Waiter::new(10 * MS).run(options);
    assert_eq!(result.finish, Finish::Completed);
    assert_eq!(diary.made.load(Relaxed), 10);
    let begun = diary.begun.lock().unwrap();
    let vus: HashSet<u64> = begun.iter().map(|b| b.0).collect();
    assert_eq!(vus.len(), 10, "every VU of the ramp had its turn");
    assert_eq!(result.state.vus_active.load(Relaxed), 0);
}

#[test]
fn a_fixed_rate_starts_every_planned_iteration_when_vus_are_free() {
    let options = scenario(json!({
        "executor": "constant-arrival-rate", "rate": 100, "timeUnit": "1s", "duration": "1s", "preAllocatedVUs": 60,
    }));
    let (result, diary) = Waiter::new(MS).run(options);
    assert_eq!(count(&result, "iterations"), 100);
    assert_eq!(count(&result, "dropped_iterations"), 0);
    let begun = diary.begun.lock().unwrap();
    let mut planned: Vec<u64> = begun.iter().filter_map(|b| b.2).collect();
    planned.sort_unstable();
    let steps: HashSet<u64> = planned.windows(2).map(|w| w[1] - w[0]).collect();
    assert_eq!(
        steps,
        HashSet::from([10_000_000]),
        "starts are planned exactly one period apart"
    );
}

#[test]
fn starts_without_a_free_vu_are_dropped_and_counted_and_all_vus_are_used_first() {
    let options = scenario(json!({
        "executor": "constant-arrival-rate", "rate": 50, "timeUnit": "1s", "duration": "1s",
        "preAllocatedVUs": 5, "gracefulStop": "30s",
    }));
    let (result, diary) = Waiter::new(Duration::from_secs(3)).run(options);
    assert_eq!(
        count(&result, "iterations"),
        5,
        "no start is dropped while any VU is free"
    );
    assert_eq!(count(&result, "dropped_iterations"), 45);
    let log = diary.log.lock().unwrap();
    let warnings = log
        .iter()
        .filter(|r| r.message.starts_with("Insufficient VUs"))
        .count();
    assert_eq!(warnings, 1);
}

#[test]
fn more_vus_are_made_up_to_the_limit() {
    let options = scenario(json!({
        "executor": "constant-arrival-rate", "rate": 50, "timeUnit": "1s", "duration": "2s",
        "preAllocatedVUs": 1, "maxVUs": 4,
    }));
    let (result, diary) = Waiter::new(Duration::from_secs(5)).run(options);
    assert_eq!(diary.made.load(Relaxed), 4);
    let started = diary.begun.lock().unwrap().len() as u64;
    assert_eq!(started, 4);
    assert_eq!(started + count(&result, "dropped_iterations"), 100);
}

#[test]
fn a_ramping_rate_starts_as_many_as_the_area_under_it() {
    let options = scenario(json!({
        "executor": "ramping-arrival-rate", "startRate": 0, "timeUnit": "1s", "preAllocatedVUs": 50,
        "stages": [{"duration": "1s", "target": 100}, {"duration": "500ms", "target": 100}],
    }));
    let (result, _) = Waiter::new(MS).run(options);
    let all = count(&result, "iterations") + count(&result, "dropped_iterations");
    assert!((99..=100).contains(&all), "{all}");
}

#[test]
fn scenarios_that_follow_one_another_share_their_vus() {
    let part = |start: &str| {
        json!({"executor": "per-vu-iterations", "vus": 5, "iterations": 2, "startTime": start,
               "maxDuration": "1s", "gracefulStop": "0s"})
    };
    let options = json!({ "scenarios": { "a": part("0s"), "b": part("1s") } });
    let (result, diary) = Waiter::new(Duration::ZERO).run(options);
    assert_eq!(count(&result, "iterations"), 20);
    assert_eq!(diary.made.load(Relaxed), 5);
}

#[test]
fn the_segments_of_a_test_make_up_the_whole() {
    let mut numbers = Vec::new();
    for segment in ["0:1/3", "1/3:1"] {
        let mut options =
            scenario(json!({"executor": "shared-iterations", "vus": 6, "iterations": 60}));
        options["executionSegment"] = json!(segment);
        options["executionSegmentSequence"] = json!("0,1/3,1");
        let (result, diary) = Waiter::new(Duration::ZERO).run(options);
        let begun = diary.begun.lock().unwrap();
        assert_eq!(count(&result, "iterations"), begun.len() as u64);
        numbers.extend(begun.iter().map(|b| b.1));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (0..60).collect::<Vec<_>>());
}

#[test]
fn an_order_to_end_interrupts_what_runs() {
    let mut program = Waiter::new(Duration::from_secs(60));
    program.on_iteration = Some(|state, _| state.end(End::Script("enough".to_owned())));
    let options = scenario(json!({"executor": "constant-vus", "vus": 2, "duration": "60s"}));
    let begin = Instant::now();
    let (result, _) = program.run(options);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(
        result.finish,
        Finish::Ended(End::Script("enough".to_owned()))
    );
    assert_eq!(count(&result, "iterations"), 0);
}

#[test]
fn a_failing_threshold_that_says_so_ends_the_run() {
    let mut options = scenario(json!({"executor": "constant-vus", "vus": 1, "duration": "60s"}));
    options["thresholds"] = json!({"iterations": [{"threshold": "count<1", "abortOnFail": true}]});
    let (result, _) = Waiter::new(10 * MS).run(options);
    let why = End::Threshold("iterations".to_owned(), "count<1".to_owned());
    assert_eq!(result.finish, Finish::Ended(why));
    assert!(result.summary.thresholds_failed());
}

#[test]
fn setup_hands_its_result_to_every_vu_and_teardown_comes_last() {
    let mut program = Waiter::new(Duration::ZERO);
    program.setup = Some(Ok("{\"a\":1}"));
    let options = scenario(json!({"executor": "per-vu-iterations", "vus": 2, "iterations": 3}));
    let (result, diary) = program.run(options);
    assert_eq!(result.setup_data.as_deref(), Some("{\"a\":1}"));
    let begun = diary.begun.lock().unwrap();
    assert_eq!(begun.len(), 7);
    assert_eq!(begun[6].1, u64::MAX, "teardown is the last call");
}

#[test]
fn a_failing_setup_ends_the_run_without_load_and_teardown() {
    let mut program = Waiter::new(Duration::ZERO);
    program.setup = Some(Err("no database"));
    let options = scenario(json!({"executor": "per-vu-iterations", "vus": 2, "iterations": 3}));
    let (result, diary) = program.run(options);
    assert!(matches!(result.finish, Finish::Setup(ref e) if e.to_string() == "no database"));
    assert!(diary.begun.lock().unwrap().is_empty());
}

#[test]
fn a_minimum_duration_pads_iterations() {
    let mut options = scenario(json!({"executor": "per-vu-iterations", "vus": 1, "iterations": 3}));
    options["minIterationDuration"] = json!("100ms");
    let begin = Instant::now();
    let (result, _) = Waiter::new(Duration::ZERO).run(options);
    assert!(begin.elapsed() >= Duration::from_millis(300));
    assert_eq!(count(&result, "iterations"), 3);
}
