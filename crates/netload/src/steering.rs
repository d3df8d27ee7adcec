//! Orders that change the load of a running test: numbers of virtual users and rates, from the API and the pages.
//!
//! Owns the check whether the test can do it, so that a refusal is one sentence wherever the order came from. Leaves
//! out carrying it out, which the engine does at human speed.

use netload_engine::{Control, RunState, ScenarioState};
use netload_plan::Executor;
use netload_plan::executor::VUS_LIMIT;
use netload_web::Scaling;

use crate::hit::load;

/// Gives the orders, all of them or none.
///
/// # Errors
/// One sentence why the test cannot do it.
pub(crate) fn scale(state: &RunState, wanted: &Scaling) -> Result<(), String> {
    let name = wanted.scenario.as_deref();
    let mut orders = Vec::new();
    if let Some(text) = &wanted.rate {
        let rate = load::rate(text)?;
        let scenario = with_rate(state, name)?;
        let law = &scenario.scenario.executor;
        law.at_rate(rate.count, rate.per_ns, 0)
            .map_err(str::to_owned)?;
        orders.push(Control::Rate {
            scenario: scenario.index,
            count: rate.count,
            per_ns: rate.per_ns,
        });
    }
    if let Some(vus) = wanted.vus {
        if vus > VUS_LIMIT {
            return Err(format!("{vus} VUs are more than the limit of {VUS_LIMIT}"));
        }
        let scenarios = with_vus(state, name)?.into_iter();
        orders.extend(scenarios.map(|s| Control::Vus {
            scenario: s.index,
            vus,
        }));
    }
    if let Some(max) = wanted.max {
        let can_grow = |e: &Executor| is_external(e) || e.kind().is_open_model();
        if those(state, can_grow).is_empty() {
            return Err("only a test that is externally controlled or has an arrival rate has a largest number of \
                        users to change"
                .to_owned());
        }
        orders.push(Control::MaxVus(max));
    }
    orders.into_iter().for_each(|order| state.order(order));
    Ok(())
}

fn is_external(executor: &Executor) -> bool {
    matches!(executor, Executor::ExternallyControlled(_))
}

/// Whether the number of users of a scenario can be changed: of those that loop until their time is over.
pub(crate) fn has_vus(executor: &Executor) -> bool {
    let loops = matches!(executor, Executor::ConstantVus(_) | Executor::RampingVus(_));
    loops || is_external(executor)
}

/// The scenarios that a new number of users is for: the one that is named, else all that are controlled from outside,
/// else the only one whose users loop.
fn with_vus<'a>(state: &'a RunState, name: Option<&str>) -> Result<Vec<&'a ScenarioState>, String> {
    let looping = those(state, has_vus);
    if looping.is_empty() {
        let none = "only a test whose users loop has a number of them to change: with the executor constant-vus, \
                    ramping-vus or externally-controlled";
        return Err(none.to_owned());
    }
    let external = those(state, is_external);
    match name {
        None if !external.is_empty() => Ok(external),
        name => Ok(vec![one_of(&looping, name, "users to change")?]),
    }
}

/// The scenario that a new rate is for.
fn with_rate<'a>(state: &'a RunState, name: Option<&str>) -> Result<&'a ScenarioState, String> {
    let open = those(state, |executor| executor.kind().is_open_model());
    if open.is_empty() {
        return Err("only a test with an arrival rate has a rate to change".to_owned());
    }
    one_of(&open, name, "a rate")
}

fn those(state: &RunState, fit: impl Fn(&Executor) -> bool) -> Vec<&ScenarioState> {
    let all = state.scenarios.iter().map(|s| &**s);
    all.filter(|s| fit(&s.scenario.executor)).collect()
}

/// The scenario with this name; without one the only one there is. `what` they have, for the refusal.
fn one_of<'a>(
    scenarios: &[&'a ScenarioState],
    name: Option<&str>,
    what: &str,
) -> Result<&'a ScenarioState, String> {
    let names: Vec<&str> = scenarios.iter().map(|s| s.scenario.name.as_str()).collect();
    let listed = names.join(", ");
    match (name, scenarios) {
        (None, [only]) => Ok(only),
        (None, _) => Err(format!(
            "several scenarios have {what}: name one of {listed}"
        )),
        (Some(name), all) => {
            let found = all.iter().find(|s| s.scenario.name == name);
            let none = || format!("no scenario `{name}` has {what}; there are {listed}");
            found.copied().ok_or_else(none)
        }
    }
}
