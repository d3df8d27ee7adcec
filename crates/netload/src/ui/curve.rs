//! The load of a plan as a curve over time, for the form.

use netload_plan::executor::Stage;
use netload_plan::{Executor, Plan};
use serde_json::{Value, json};

/// The curves of all scenarios: each a unit and points of seconds and load.
pub(crate) fn curves(plan: &Plan) -> Value {
    let curve = |scenario: &netload_plan::Scenario| {
        let start_s = seconds(scenario.start_time_ns);
        let (unit, points) = points(&scenario.executor);
        let moved: Vec<[f64; 2]> = points.iter().map(|[t, y]| [t + start_s, *y]).collect();
        json!({ "scenario": scenario.name, "unit": unit, "points": moved })
    };
    plan.scenarios.iter().map(curve).collect()
}

fn points(executor: &Executor) -> (&'static str, Vec<[f64; 2]>) {
    let flat = |height: f64| {
        let end_s = executor.run_ns().map_or(1.0, seconds);
        vec![[0.0, height], [end_s, height]]
    };
    let rate = |count: u64, unit_ns: u64| count as f64 / seconds(unit_ns);
    match executor {
        Executor::ConstantVus(e) => ("VUs", flat(e.vus as f64)),
        Executor::RampingVus(e) => ("VUs", ramp(e.start_vus as f64, &e.stages, |n| n as f64)),
        Executor::SharedIterations(e) => ("VUs", flat(e.vus as f64)),
        Executor::PerVuIterations(e) => ("VUs", flat(e.vus as f64)),
        Executor::ConstantArrivalRate(e) => ("iterations/s", flat(rate(e.rate, e.time_unit_ns))),
        Executor::RampingArrivalRate(e) => {
            let per_s = |n: u64| rate(n, e.time_unit_ns);
            ("iterations/s", ramp(per_s(e.start_rate), &e.stages, per_s))
        }
        Executor::ExternallyControlled(e) => ("VUs", flat(e.vus as f64)),
    }
}

fn ramp(start: f64, stages: &[Stage], height: impl Fn(u64) -> f64) -> Vec<[f64; 2]> {
    let mut points = vec![[0.0, start]];
    let mut at_ns = 0;
    for stage in stages {
        at_ns += stage.duration_ns;
        points.push([seconds(at_ns), height(stage.target)]);
    }
    points
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
