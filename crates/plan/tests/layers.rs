//! Which layer wins, and what the shortcuts turn into.

use netload_plan::{Layered, Options, Origin, Plan};
use serde_json::{Value, json};

fn layered(layers: &[(Origin, Value)]) -> Layered {
    layers
        .iter()
        .fold(Layered::new(), |layered, (origin, value)| {
            layered.with(*origin, Options::from_config(value).unwrap().0)
        })
}

/// The scenarios that the layers end in, one a line, then warnings, or else the problems.
fn check(layers: &[(Origin, Value)], expected: &[&str]) {
    let lines = match Plan::resolve(&layered(layers)) {
        Ok(plan) => {
            let scenarios = plan.scenarios.iter();
            let scenarios =
                scenarios.map(|s| format!("{}: {}", s.name, s.description(&plan.segmentation)));
            let warnings = plan.warnings.iter().map(|w| format!("warning: {w}"));
            scenarios.chain(warnings).collect::<Vec<_>>()
        }
        Err(problems) => problems.iter().map(|p| format!("problem: {p}")).collect(),
    };
    assert_eq!(lines, expected, "{layers:?}");
}

fn script(value: Value) -> (Origin, Value) {
    (Origin::Script, value)
}

fn cli(value: Value) -> (Origin, Value) {
    (Origin::CommandLine, value)
}

const ONE_ITERATION: &str =
    "default: 1 iterations for each of 1 VUs (maxDuration: 10m0s, gracefulStop: 30s)";

#[test]
fn the_shortcuts_turn_into_one_scenario() {
    check(&[], &[ONE_ITERATION]);
    for (options, expected) in [
        (
            json!({ "vus": 3 }),
            "default: 3 iterations shared among 3 VUs (maxDuration: 10m0s, gracefulStop: 30s)",
        ),
        (
            json!({ "iterations": 5, "vus": 2 }),
            "default: 5 iterations shared among 2 VUs (maxDuration: 10m0s, gracefulStop: 30s)",
        ),
        (
            json!({ "vus": 3, "iterations": 5, "duration": "20s" }),
            "default: 5 iterations shared among 3 VUs (maxDuration: 20s, gracefulStop: 30s)",
        ),
        (
            json!({ "duration": "10s" }),
            "default: 1 looping VUs for 10s (gracefulStop: 30s)",
        ),
        (
            json!({ "vus": 3, "stages": [{ "duration": "1m", "target": 10 }, { "duration": 0, "target": 2 }] }),
            "default: Up to 10 looping VUs for 1m0s over 2 stages (gracefulRampDown: 30s, gracefulStop: 30s)",
        ),
    ] {
        check(&[script(options)], &[expected]);
    }
}

#[test]
fn empty_executions_warn_and_run_once() {
    let warned =
        |key| format!("warning: options.{key}: `{key}` is empty: running 1 iteration in 1 VU");
    check(
        &[script(json!({ "vus": 2, "stages": [] }))],
        &[ONE_ITERATION, &warned("stages")],
    );
    check(
        &[script(json!({ "scenarios": {} }))],
        &[ONE_ITERATION, &warned("scenarios")],
    );
}

#[test]
fn contradictions_are_problems() {
    let stages = json!([{ "duration": "10s", "target": 2 }]);
    let scenarios = json!({ "a": { "executor": "constant-vus", "duration": "10s" } });
    check(
        &[script(json!({ "duration": "10s", "stages": stages }))],
        &["problem: options.stages: `duration` and `stages` cannot be used together"],
    );
    check(
        &[script(json!({ "iterations": 3, "scenarios": scenarios }))],
        &["problem: options.scenarios: `iterations` and `scenarios` cannot be used together"],
    );
    check(
        &[script(json!({ "duration": 0 }))],
        &["problem: options.duration: must be more than 0"],
    );
    check(
        &[script(json!({ "vus": 5, "iterations": 2 }))],
        &["problem: options.iterations: 2 iterations are fewer than the 5 VUs that share them"],
    );
}

#[test]
fn a_layer_that_executes_replaces_the_execution_below() {
    let scenarios =
        json!({ "scenarios": { "a": { "executor": "constant-vus", "duration": "10s" } } });
    let replaced = "warning: scenarios: the scenarios are replaced by options of the command line";
    check(
        &[script(scenarios.clone()), cli(json!({ "duration": "5s" }))],
        &[
            "default: 1 looping VUs for 5s (gracefulStop: 30s)",
            replaced,
        ],
    );
    check(
        &[
            script(json!({ "vus": 5, "iterations": 10 })),
            cli(json!({ "duration": "20s" })),
        ],
        &["default: 5 looping VUs for 20s (gracefulStop: 30s)"],
    );
    check(
        &[
            script(json!({ "vus": 5, "duration": "10s" })),
            cli(json!({ "iterations": 20 })),
        ],
        &["default: 20 iterations shared among 5 VUs (maxDuration: 10m0s, gracefulStop: 30s)"],
    );
    check(
        &[
            script(json!({ "vus": 5, "stages": [{ "duration": "10s", "target": 3 }] })),
            cli(json!({ "duration": "20s" })),
        ],
        &["default: 5 looping VUs for 20s (gracefulStop: 30s)"],
    );
    check(
        &[
            script(scenarios),
            (Origin::Environment, json!({ "vus": 4 })),
            cli(json!({ "duration": "3s" })),
        ],
        &[
            "default: 4 looping VUs for 3s (gracefulStop: 30s)",
            replaced,
        ],
    );
}

#[test]
fn vus_alone_replace_scenarios() {
    let scenarios =
        json!({ "scenarios": { "a": { "executor": "constant-vus", "duration": "10s" } } });
    check(
        &[script(scenarios), cli(json!({ "vus": 5 }))],
        &[
            "default: 5 iterations shared among 5 VUs (maxDuration: 10m0s, gracefulStop: 30s)",
            "warning: vus (command line): `vus` replaces the scenarios",
        ],
    );
}

#[test]
fn every_value_knows_where_it_came_from() {
    let layered = layered(&[
        (
            Origin::ConfigFile,
            json!({ "rps": 1, "batch": 2, "dns": { "ttl": "1m" } }),
        ),
        (
            Origin::Script,
            json!({ "rps": 2, "duration": "1m", "dns": { "select": "first" } }),
        ),
        (Origin::Environment, json!({ "rps": 3 })),
        (Origin::CommandLine, json!({ "iterations": 3 })),
    ]);
    assert_eq!(layered.options().rps, Some(3));
    assert_eq!(layered.origin("rps"), Origin::Environment);
    assert_eq!(layered.origin("batch"), Origin::ConfigFile);
    assert_eq!(layered.origin("iterations"), Origin::CommandLine);
    assert_eq!(layered.origin("duration"), Origin::Default, "dropped");
    assert_eq!(layered.origin("throw"), Origin::Default);
    // DNS is merged member by member.
    assert_eq!(
        layered.options().to_json()["dns"],
        json!({ "ttl": "1m0s", "select": "first", "policy": null })
    );
}
