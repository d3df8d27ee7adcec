//! Orders that change the load of a running test: numbers of virtual users and rates, from the API and the pages.
//!
//! Owns the check whether the test can do it, so that a refusal is one sentence wherever the order came from. Leaves
//! out carrying it out, which the engine does at human speed.

use netload_engine::{Control, RunState, ScenarioState};
use netload_plan::Executor;
use netload_web::Scaling;

use crate::hit::load;

/// Gives the orders, all of them or none.
///
/// # Errors
/// One sentence why the test cannot do it.
pub(crate) fn scale(state: &RunState, wanted: &Scaling) -> Result<(), String> {
    let can_scale = |s: &ScenarioState| is_external(&s.scenario.executor);
    let can_grow = |s: &ScenarioState| can_scale(s) || s.scenario.executor.kind().is_open_model();
    if wanted.vus.is_some() && !state.scenarios.iter().any(|s| can_scale(s)) {
        return Err("only a test with an externally-controlled scenario can be scaled".to_owned());
    }
    if wanted.max.is_some() && !state.scenarios.iter().any(|s| can_grow(s)) {
        return Err("only a test that is externally controlled or has an arrival rate has a largest number of users \
                    to change"
            .to_owned());
    }
    if let Some(text) = &wanted.rate {
        let rate = load::rate(text)?;
        let scenario = with_rate(state, wanted.scenario.as_deref())?;
        let law = scenario
            .scenario
            .executor
            .at_rate(rate.count, rate.per_ns, 0);
        law.map_err(str::to_owned)?;
        state.order(Control::Rate {
            scenario: scenario.index,
            count: rate.count,
            per_ns: rate.per_ns,
        });
    }
    if wanted.vus.is_some() || wanted.max.is_some() {
        state.order(Control::Scale {
            vus: wanted.vus,
            max: wanted.max,
        });
    }
    Ok(())
}

/// Whether the number of users of a scenario can be changed.
pub(crate) fn is_external(executor: &Executor) -> bool {
    matches!(executor, Executor::ExternallyControlled(_))
}

/// The scenario that a new rate is for.
fn with_rate<'a>(state: &'a RunState, name: Option<&str>) -> Result<&'a ScenarioState, String> {
    let open = state.scenarios.iter();
    let open: Vec<_> = open
        .filter(|s| s.scenario.executor.kind().is_open_model())
        .collect();
    let names: Vec<&str> = open.iter().map(|s| s.scenario.name.as_str()).collect();
    let listed = names.join(", ");
    match (name, open.as_slice()) {
        (_, []) => Err("only a test with an arrival rate has a rate to change".to_owned()),
        (None, [only]) => Ok(only),
        (None, _) => Err(format!(
            "several scenarios have a rate: name one of {listed}"
        )),
        (Some(name), all) => {
            let found = all.iter().find(|s| s.scenario.name == name);
            let none = || format!("no scenario `{name}` has a rate; there are {listed}");
            found.map(|found| &***found).ok_or_else(none)
        }
    }
}
