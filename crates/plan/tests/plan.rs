//! The resolved plan: defaults, rules, descriptions, and what it needs.

use netload_plan::{Layered, Options, Origin, Plan, Requirements};
use serde_json::{Value, json};

const S: u64 = 1_000_000_000;

fn resolve(options: Value) -> Result<Plan, Vec<String>> {
    let options = Options::from_config(&options).unwrap().0;
    let plan = Plan::resolve(&Layered::new().with(Origin::Script, options));
    plan.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

fn plan(options: Value) -> Plan {
    resolve(options).unwrap()
}

fn problems(scenario: Value) -> Vec<String> {
    resolve(json!({ "scenarios": { "a": scenario } })).unwrap_err()
}

#[test]
fn descriptions_are_those_of_k6() {
    let plan = plan(json!({ "scenarios": {
        "a": { "executor": "ramping-arrival-rate", "preAllocatedVUs": 5, "maxVUs": 10, "startTime": "10s",
               "stages": [{ "duration": "1m30s", "target": 10 }, { "duration": "10s", "target": 0 }] },
        "b": { "executor": "constant-arrival-rate", "rate": 1, "timeUnit": "3s", "duration": "1m",
               "preAllocatedVUs": 5, "gracefulStop": "0s" },
        "c": { "executor": "ramping-vus", "gracefulRampDown": "5s", "exec": "checkout",
               "stages": [{ "duration": "1m30s", "target": 10 }, { "duration": "10s", "target": 0 }] },
        "d": { "executor": "shared-iterations", "vus": 3, "iterations": 10 },
        "e": { "executor": "per-vu-iterations", "vus": 3, "iterations": 10, "startTime": "20m", "maxDuration": "5s" },
        "f": { "executor": "constant-vus", "vus": 3, "duration": "90m", "gracefulStop": "0s" },
    }}));
    let lines: Vec<String> = plan
        .scenarios
        .iter()
        .map(|s| format!("{}: {}", s.name, s.description(&plan.segmentation)))
        .collect();
    assert_eq!(
        lines,
        [
            "b: 0.33 iterations/s for 1m0s (maxVUs: 5)",
            "c: Up to 10 looping VUs for 1m40s over 2 stages (gracefulRampDown: 5s, exec: checkout, gracefulStop: 30s)",
            "d: 10 iterations shared among 3 VUs (maxDuration: 10m0s, gracefulStop: 30s)",
            "f: 3 looping VUs for 1h30m0s",
            "a: Up to 10.00 iterations/s for 1m40s over 2 stages (maxVUs: 5-10, startTime: 10s, gracefulStop: 30s)",
            "e: 10 iterations for each of 3 VUs (maxDuration: 5s, startTime: 20m0s, gracefulStop: 30s)",
        ]
    );
    assert_eq!(
        plan.headline(),
        "(100.00%) 6 scenarios, 27 max VUs, 1h30m0s max duration (incl. graceful stop)"
    );
}

#[test]
fn a_segment_is_described_and_measured_by_its_part() {
    let plan = plan(json!({
        "executionSegment": "1/4:1/2",
        "scenarios": {
            "b": { "executor": "constant-arrival-rate", "rate": 10, "duration": "1m", "preAllocatedVUs": 5 },
            "c": { "executor": "ramping-vus", "startVUs": 20, "startTime": "1h",
                   "stages": [{ "duration": "1m30s", "target": 1 }] },
            "d": { "executor": "shared-iterations", "vus": 1, "iterations": 10 },
        },
    }));
    let lines: Vec<String> = plan
        .scenarios
        .iter()
        .map(|s| s.description(&plan.segmentation))
        .collect();
    assert_eq!(
        lines,
        [
            "2.00 iterations/s for 1m0s (maxVUs: 1, gracefulStop: 30s)",
            "0 iterations shared among 0 VUs (maxDuration: 10m0s, gracefulStop: 30s)",
            "Up to 5 looping VUs for 1m30s over 1 stages (gracefulRampDown: 30s, startTime: 1h0m0s, gracefulStop: 30s)",
        ]
    );
    assert_eq!(
        plan.headline(),
        "(25.00%) 3 scenarios, 5 max VUs, 1h1m50.5s max duration (incl. graceful stop)"
    );
}

fn needs(scenarios: Value) -> (u64, u64, Option<u64>) {
    let Requirements {
        planned_vus,
        max_vus,
        total_duration_ns,
    } = plan(json!({ "scenarios": scenarios })).requirements();
    (planned_vus, max_vus, total_duration_ns.map(|ns| ns / S))
}

#[test]
fn scenarios_that_do_not_overlap_share_their_vus() {
    let looping = |vus: u64, start: u64, stop: u64| {
        json!({ "executor": "constant-vus", "vus": vus, "duration": "10s",
                "startTime": format!("{start}s"), "gracefulStop": format!("{stop}s") })
    };
    assert_eq!(
        needs(json!({ "a": looping(3, 0, 0), "b": looping(5, 10, 0) })),
        (5, 5, Some(20))
    );
    assert_eq!(
        needs(json!({ "a": looping(3, 0, 1), "b": looping(5, 10, 0) })),
        (8, 8, Some(20)),
        "the graceful stop overlaps"
    );
    assert_eq!(
        needs(json!({ "a": looping(3, 0, 0), "b": looping(5, 100, 30) })),
        (5, 5, Some(140))
    );
}

#[test]
fn vus_initialised_on_demand_count_separately() {
    let rate = json!({ "executor": "constant-arrival-rate", "rate": 1, "duration": "10s",
                       "preAllocatedVUs": 2, "maxVUs": 9, "gracefulStop": "5s" });
    assert_eq!(needs(json!({ "a": rate })), (2, 9, Some(15)));
}

#[test]
fn vus_that_ramp_down_are_held_until_they_have_finished() {
    let ramp = |linger: &str| {
        json!({ "executor": "ramping-vus", "startVUs": 10, "gracefulRampDown": linger, "gracefulStop": "0s",
                "stages": [{ "duration": "10s", "target": 10 }, { "duration": "0s", "target": 2 },
                           { "duration": "60s", "target": 2 }] })
    };
    let later = |start: u64| {
        json!({ "executor": "constant-vus", "vus": 100, "duration": "1s",
                "startTime": format!("{start}s"), "gracefulStop": "0s" })
    };
    assert_eq!(needs(json!({ "a": ramp("0s"), "b": later(11) })).1, 102);
    assert_eq!(needs(json!({ "a": ramp("5s"), "b": later(14) })).1, 110);
    assert_eq!(needs(json!({ "a": ramp("5s"), "b": later(15) })).1, 102);
    assert_eq!(
        needs(json!({ "a": ramp("300s"), "b": later(50) })),
        (110, 110, Some(70))
    );
}

#[test]
fn vus_that_run_for_no_time_are_needed_all_the_same() {
    let jump = json!({ "executor": "ramping-vus", "startVUs": 10, "gracefulRampDown": "0s", "gracefulStop": "0s",
                       "stages": [{ "duration": "0s", "target": 2 }, { "duration": "10s", "target": 2 }] });
    assert_eq!(needs(json!({ "a": jump })), (10, 10, Some(10)));
}

#[test]
fn a_scenario_without_end_makes_the_test_endless() {
    let endless = json!({ "executor": "externally-controlled", "vus": 2, "maxVUs": 5 });
    assert_eq!(needs(json!({ "a": endless })), (5, 5, None));
    let ended = json!({ "executor": "externally-controlled", "maxVUs": 5, "duration": "10s", "gracefulStop": 0 });
    assert_eq!(needs(json!({ "a": ended })), (5, 5, Some(10)));
}

#[test]
fn rules_of_all_scenarios() {
    assert_eq!(
        resolve(json!({ "scenarios": { "a b": { "executor": "constant-vus", "exec": "" } } }))
            .unwrap_err(),
        [
            "options.scenarios[\"a b\"]: `a b` is no name for a scenario",
            "options.scenarios[\"a b\"].exec: must not be empty",
            "options.scenarios[\"a b\"]: `duration` is missing",
        ]
    );
}

#[test]
fn rules_of_closed_executors() {
    let found = problems(json!({ "executor": "constant-vus", "duration": "500ms", "vus": 0 }));
    assert_eq!(
        found,
        [
            "options.scenarios.a.vus: there must be at least 1 VU",
            "options.scenarios.a.duration: must be at least 1s, but is 500ms",
        ]
    );
    let found = problems(
        json!({ "executor": "shared-iterations", "vus": 3, "iterations": 2, "maxDuration": 100 }),
    );
    assert_eq!(
        found,
        [
            "options.scenarios.a.iterations: 2 iterations are fewer than the 3 VUs that share them",
            "options.scenarios.a.maxDuration: must be at least 1s, but is 100ms",
        ]
    );
    let found = problems(json!({ "executor": "per-vu-iterations", "iterations": 0 }));
    assert_eq!(
        found,
        ["options.scenarios.a.iterations: there must be at least 1 iteration"]
    );
    let found = problems(json!({ "executor": "ramping-vus" }));
    assert_eq!(found, ["options.scenarios.a: at least one stage is needed"]);
    let quiet = json!([{ "duration": "10s", "target": 0 }]);
    let found = problems(json!({ "executor": "ramping-vus", "startVUs": 0, "stages": quiet }));
    assert_eq!(
        found,
        ["options.scenarios.a: `startVUs` or the target of a stage must be more than 0"]
    );
    let found =
        problems(json!({ "executor": "constant-vus", "vus": 200_000_000, "duration": "1s" }));
    assert_eq!(
        found,
        ["options.scenarios.a.vus: 200000000 VUs are more than the limit of 100000000"]
    );
    let found = problems(json!({ "executor": "externally-controlled", "vus": 3, "maxVUs": 2 }));
    assert_eq!(
        found,
        ["options.scenarios.a.vus: 3 VUs are more than the 2 of `maxVUs`"]
    );
}

#[test]
fn rules_of_arrival_rates() {
    assert_eq!(
        problems(json!({ "executor": "constant-arrival-rate" })),
        [
            "options.scenarios.a: `rate` is missing",
            "options.scenarios.a: `duration` is missing",
            "options.scenarios.a: `preAllocatedVUs` is missing",
        ]
    );
    assert_eq!(
        problems(
            json!({ "executor": "constant-arrival-rate", "rate": 0, "duration": 0, "timeUnit": 0,
                         "preAllocatedVUs": 3, "maxVUs": 1 })
        ),
        [
            "options.scenarios.a.timeUnit: must be more than 0",
            "options.scenarios.a.rate: must be more than 0",
            "options.scenarios.a.duration: must be at least 1s, but is 0s",
            "options.scenarios.a.maxVUs: 1 is less than the 3 VUs of `preAllocatedVUs`",
        ]
    );
    assert_eq!(
        problems(
            json!({ "executor": "constant-arrival-rate", "rate": 2_000_000_000u64, "duration": "1s",
                         "preAllocatedVUs": 1 })
        ),
        ["options.scenarios.a.rate: 2000000000 per 1s is more than one iteration per nanosecond"]
    );
    assert_eq!(
        problems(json!({ "executor": "ramping-arrival-rate" })),
        [
            "options.scenarios.a: at least one stage is needed",
            "options.scenarios.a: `preAllocatedVUs` is missing",
        ]
    );
}

#[test]
fn thresholds_are_parsed_with_all_their_problems() {
    let set = plan(json!({ "thresholds": {
        "http_req_duration{name:home}": ["p(95)<500", { "threshold": "avg < 100", "abortOnFail": true, "delayAbortEval": "10s" }],
    }}))
    .thresholds
    .remove(0);
    assert_eq!(set.metric_name, "http_req_duration");
    assert_eq!(set.tags, [("name".to_owned(), "home".to_owned())]);
    assert_eq!(set.expressions.len(), 2);
    assert!(set.expressions[1].abort_on_fail);
    assert_eq!(set.expressions[1].delay_abort_eval_ns, 10 * S);
    let found = resolve(
        json!({ "thresholds": { "checks": ["rate<", "p(101)<3"], "http_reqs{a}": ["count<1"] } }),
    );
    assert_eq!(
        found.unwrap_err(),
        [
            "options.thresholds.checks[0]: `rate<` compares nothing",
            "options.thresholds.checks[1]: `101` is no percentile from 0 to 100 (at character 2 of `p(101)<3`)",
            "options.thresholds[\"http_reqs{a}\"]: `a` is no tag (at character 10 of `http_reqs{a}`)",
        ]
    );
}

#[test]
fn the_segment_must_be_one_of_its_sequence() {
    assert_eq!(
        resolve(json!({ "executionSegmentSequence": "0,1/2,1" })).unwrap_err(),
        ["options.executionSegmentSequence: the segment 0:1 is not in the sequence 0,1/2,1"]
    );
}

#[test]
fn defaults_are_those_of_k6() {
    let plan = plan(json!({}));
    assert_eq!(plan.setup_timeout_ns, 60 * S);
    assert_eq!(plan.handle_summary_timeout_ns, 120 * S);
    assert_eq!((plan.http.batch, plan.http.batch_per_host), (20, 6));
    assert_eq!(
        (plan.http.max_redirects, plan.http.max_redirects_chosen),
        (10, false)
    );
    assert_eq!(plan.http.rps, None);
    assert_eq!(
        plan.http.user_agent,
        concat!("netload/", env!("CARGO_PKG_VERSION"))
    );
    let stats: Vec<&str> = plan
        .summary_trend_stats
        .iter()
        .map(|stat| stat.name())
        .collect();
    assert_eq!(stats, ["avg", "min", "med", "max", "p(90)", "p(95)"]);
    assert_eq!(plan.connect.dns.ttl.to_string(), "5m0s");
    assert_eq!(plan.connect.dns.select.to_string(), "random");
    assert_eq!(plan.connect.dns.policy.to_string(), "preferIPv4");
}

#[test]
fn scripts_see_the_shortcuts_as_scenarios() {
    let options = plan(json!({ "vus": 2, "duration": "10s", "rps": 5 }))
        .options
        .to_json();
    assert_eq!(options["vus"], Value::Null);
    assert_eq!(options["duration"], Value::Null);
    assert_eq!(options["rps"], 5);
    assert_eq!(
        options["scenarios"]["default"],
        json!({ "executor": "constant-vus", "startTime": null, "gracefulStop": null, "env": null,
                "exec": null, "tags": null, "vus": 2, "duration": "10s" })
    );
}
