//! Choosing among a test's scenarios, and changing single fields of them.
//!
//! Owns what `--scenario` and its companions mean. Leaves out the fields' own
//! rules. Invariant: a name or field that no scenario has is a problem.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ScenarioOptions;
use super::layered::Layered;
use crate::names;
use crate::problem::{Findings, Place, Problem};

/// What the user wants of the scenarios that a test has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Only these run; all when empty.
    pub names: Vec<String>,
    /// Fields with new values.
    pub changes: Vec<Change>,
}

/// One field with its new value.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Of which scenario; of all that have the field when none is named.
    pub scenario: Option<String>,
    /// The field's name in a script: `vus`, `duration`, ...
    pub field: &'static str,
    /// Its value as in a script.
    pub value: Value,
}

impl Layered {
    /// Leaves out the scenarios that are not chosen and sets fields of the others.
    ///
    /// Start times are counted from the earliest chosen scenario, so that one chosen alone starts
    /// at once. Reports all problems.
    pub fn choose(&mut self, choice: &Choice) -> Result<(), Vec<Problem>> {
        if choice.names.is_empty() && choice.changes.is_empty() {
            return Ok(());
        }
        let Some(scenarios) = self.options_mut().scenarios.as_mut() else {
            let problem = Problem::new("scenarios", "the test has no scenarios to choose from");
            let hint = "--vus, --duration and --iterations take the place of a script's scenarios";
            return Err(vec![problem.hint(hint)]);
        };
        let mut findings = Findings::default();
        if !choice.names.is_empty() {
            for name in &choice.names {
                known(name, scenarios, &mut findings);
            }
            scenarios.retain(|name, _| choice.names.contains(name));
            start_at_once(scenarios);
        }
        for change in &choice.changes {
            apply(change, scenarios, &mut findings);
        }
        match findings.problems.is_empty() {
            true => Ok(()),
            false => Err(findings.problems),
        }
    }
}

type Map = BTreeMap<String, ScenarioOptions>;

fn known(name: &str, scenarios: &Map, findings: &mut Findings) -> bool {
    if scenarios.contains_key(name) {
        return true;
    }
    let all: Vec<&str> = scenarios.keys().map(String::as_str).collect();
    let problem = Place::root("scenarios").problem(format!("there is no scenario `{name}`"));
    findings.problem(problem.hint(names::hint(name, &all)));
    false
}

fn start_at_once(scenarios: &mut Map) {
    let earliest = scenarios.values().map(|s| s.start_time.unwrap_or(0)).min();
    for scenario in scenarios.values_mut() {
        if let (Some(start), Some(earliest)) = (&mut scenario.start_time, earliest) {
            *start -= earliest;
        }
    }
}

fn apply(change: &Change, scenarios: &mut Map, findings: &mut Findings) {
    if let Some(name) = &change.scenario
        && !known(name, scenarios, findings)
    {
        return;
    }
    let mut met = false;
    for (name, scenario) in scenarios.iter_mut() {
        let wanted = change.scenario.as_ref().is_none_or(|wanted| wanted == name);
        let fields = scenario.executor.map_or(&[][..], |kind| kind.fields());
        if wanted && fields.contains(&change.field) {
            met = true;
            let place = Place::root("scenarios").key(name).key(change.field);
            scenario.set_value(change.field, &change.value, &place, findings);
        }
    }
    if !met {
        let whose = match &change.scenario {
            Some(name) => format!("the scenario `{name}` has no"),
            None => "no scenario has a".to_owned(),
        };
        let text = format!("{whose} field `{}`", change.field);
        let problem = Place::root("scenarios").problem(text);
        findings.problem(problem.hint("which fields there are depends on the executor"));
    }
}
