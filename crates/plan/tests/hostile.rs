//! Input that nobody meant: it is refused or run, but nothing panics, overflows or hangs.

use netload_plan::{Executor, Layered, Options, Origin, Plan, Share};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Numbers at the edges, and ordinary ones.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(0)),
        Just(json!(1)),
        Just(json!(-1)),
        Just(json!(0.5)),
        Just(json!(1e300)),
        Just(json!(i64::MAX)),
        Just(json!(u64::MAX)),
        (2u64..2000).prop_map(|n| json!(n)),
    ]
}

fn duration() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("0s")),
        Just(json!("1ns")),
        Just(json!("2562047h")),
        Just(json!("106751d")),
        (1u64..100).prop_map(|s| json!(format!("{s}s"))),
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        duration(),
        "\\PC{0,8}".prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec(("[a-z]{0,8}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn stages() -> impl Strategy<Value = Vec<Value>> {
    let stage = (duration(), 0u64..50).prop_map(|(d, t)| json!({ "duration": d, "target": t }));
    proptest::collection::vec(stage, 1..4)
}

/// Few VUs, but times and rates of every size.
fn scenario() -> impl Strategy<Value = Value> {
    let vus = 1u64..20;
    prop_oneof![
        (vus.clone(), duration(), duration(), duration()).prop_map(|(vus, d, start, stop)| json!({
            "executor": "constant-vus", "vus": vus, "duration": d, "startTime": start, "gracefulStop": stop,
        })),
        (vus.clone(), stages(), duration(), duration()).prop_map(|(vus, stages, down, stop)| json!({
            "executor": "ramping-vus", "startVUs": vus, "stages": stages,
            "gracefulRampDown": down, "gracefulStop": stop,
        })),
        (number(), duration(), duration(), vus.clone()).prop_map(|(rate, unit, d, vus)| json!({
            "executor": "constant-arrival-rate", "rate": rate, "timeUnit": unit, "duration": d,
            "preAllocatedVUs": vus,
        })),
        (number(), duration(), stages(), vus.clone()).prop_map(|(rate, unit, stages, vus)| json!({
            "executor": "ramping-arrival-rate", "startRate": rate, "timeUnit": unit, "stages": stages,
            "preAllocatedVUs": vus,
        })),
        (vus, number(), duration()).prop_map(|(vus, iterations, d)| json!({
            "executor": "per-vu-iterations", "vus": vus, "iterations": iterations, "maxDuration": d,
        })),
    ]
}

proptest! {
    #[test]
    fn any_value_of_any_option_is_read_or_refused(
        key in proptest::sample::select(Options::KEYS), value in anything(), text in "\\PC{0,12}",
    ) {
        let _ = Options::from_config(&json!({ key.name: value }));
        let _ = Options::from_json(&json!({ "scenarios": { "a": { "executor": "ramping-vus", "stages": value } } }));
        let _ = Options::default().set_text(key.name, &text);
    }

    #[test]
    fn a_plan_that_is_accepted_can_be_run(scenarios in proptest::collection::vec(scenario(), 1..4)) {
        let named = scenarios.into_iter().enumerate().map(|(i, s)| (format!("s{i}"), s));
        let options = json!({ "scenarios": named.collect::<Map<_, _>>() });
        let Ok((options, _)) = Options::from_json(&options) else {
            return Ok(());
        };
        let Ok(plan) = Plan::resolve(&Layered::new().with(Origin::Script, options)) else {
            return Ok(());
        };
        let needs = plan.requirements();
        prop_assert!(needs.planned_vus <= needs.max_vus);
        prop_assert!(plan.headline().contains("max VUs"));
        for scenario in &plan.scenarios {
            prop_assert!(!scenario.description(&plan.segmentation).is_empty());
            if let Executor::RampingVus(ramp) = &scenario.executor {
                let most = ramp.steps(&Share::whole()).map(|step| step.vus).max();
                prop_assert!(most.unwrap() <= scenario.max_vus(&Share::whole()));
            }
            let starts = scenario.executor.starts(&Share::whole()).into_iter().flatten().take(50);
            prop_assert!(starts.map(|start| start.offset_ns).is_sorted());
        }
    }
}
