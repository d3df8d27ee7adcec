//! Scenarios as typed: every field that some executor has, none filled in.
//!
//! Owns reading and writing them and the check of which executor takes which field. Leaves out
//! defaults and rules ([`crate::scenario`], [`crate::executor`]).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields::fields;
use super::forms::{Count, Form, Raw, Span, Text, Texts, wrong_type};
use super::structures::Stages;
use crate::executor::{Arrival, ExecutorKind};
use crate::names;
use crate::problem::{Findings, Place};

/// Most scenarios of a test.
const SCENARIOS_LIMIT: usize = 10_000;

/// Fields of every scenario.
const COMMON: [&str; 7] = [
    "executor",
    "startTime",
    "gracefulStop",
    "env",
    "exec",
    "tags",
    "options",
];

fields! {
    /// One scenario as typed. `None` is "not set". Durations are nanoseconds.
    pub struct ScenarioOptions {
        /// Which executor.
        executor: Kind = "executor", Anywhere;
        /// Start after the start of the test.
        start_time: Span = "startTime", Anywhere;
        /// How long iterations may go on after the end.
        graceful_stop: Span = "gracefulStop", Anywhere;
        /// Environment variables.
        env: Texts = "env", Anywhere;
        /// Exported function to call.
        exec: Text = "exec", Anywhere;
        /// Tags on all samples.
        tags: Texts = "tags", Anywhere;
        /// Settings of the browser module, kept as they are.
        options: Raw = "options", Anywhere;
        /// VUs.
        vus: Count = "vus", Anywhere;
        /// Iterations, shared or of each VU.
        iterations: Count = "iterations", Anywhere;
        /// Nothing starts after this time.
        max_duration: Span = "maxDuration", Anywhere;
        /// VUs at the start of a ramp.
        start_vus: Count = "startVUs", Anywhere;
        /// Iterations per time unit at the start of a ramp.
        start_rate: Count = "startRate", Anywhere;
        /// Iterations per time unit.
        rate: Count = "rate", Anywhere;
        /// Time unit of the rates.
        time_unit: Span = "timeUnit", Anywhere;
        /// How long.
        duration: Span = "duration", Anywhere;
        /// Legs of a ramp.
        stages: Stages = "stages", Anywhere;
        /// How long a VU that leaves may take.
        graceful_ramp_down: Span = "gracefulRampDown", Anywhere;
        /// VUs initialised before the run.
        pre_allocated_vus: Count = "preAllocatedVUs", Anywhere;
        /// Most VUs.
        max_vus: Count = "maxVUs", Anywhere;
        /// How planned starts are spread; not in k6.
        arrival: ArrivalName = "arrival", Anywhere;
        /// Seed of Poisson arrivals; not in k6.
        seed: Count = "seed", Anywhere;
    }
}

/// Fields that k6 does not have: written only when they are set.
const OWN: [&str; 2] = ["arrival", "seed"];

/// How planned starts are spread, by name.
pub struct ArrivalName;

impl Form for ArrivalName {
    type Value = &'static str;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<&'static str> {
        match value {
            Value::String(text) => Self::text(text, place, findings),
            other => wrong_type("`constant` or `poisson`", other, place, findings),
        }
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<&'static str> {
        let found = Arrival::NAMES.into_iter().find(|name| *name == text);
        if found.is_none() {
            let problem = place.problem(format!("`{text}` is no way to arrive"));
            findings.problem(problem.hint(names::hint(text, &Arrival::NAMES)));
        }
        found
    }

    fn write(value: &&'static str) -> Value {
        Value::String((*value).to_owned())
    }
}

/// The name of an executor.
pub struct Kind;

impl Form for Kind {
    type Value = ExecutorKind;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<ExecutorKind> {
        match value {
            Value::String(text) => Self::text(text, place, findings),
            other => wrong_type("the name of an executor", other, place, findings),
        }
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<ExecutorKind> {
        let kind = ExecutorKind::named(text);
        if kind.is_none() {
            let known = ExecutorKind::ALL.map(ExecutorKind::name);
            let problem = place.problem(format!("`{text}` is no executor"));
            findings.problem(problem.hint(names::hint(text, &known)));
        }
        kind
    }

    fn write(value: &ExecutorKind) -> Value {
        Value::String(value.name().to_owned())
    }
}

/// Scenarios by name; in text JSON.
pub struct Scenarios;

impl Form for Scenarios {
    type Value = BTreeMap<String, ScenarioOptions>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let Value::Object(members) = value else {
            return wrong_type("an object of scenarios", value, place, findings);
        };
        if members.len() > SCENARIOS_LIMIT {
            let message = format!("more than {SCENARIOS_LIMIT} scenarios");
            findings.problem(place.problem(message));
            return None;
        }
        let mut scenarios = BTreeMap::new();
        for (name, value) in members {
            let scenario = ScenarioOptions::read(value, &place.key(name), findings);
            scenarios.extend(scenario.map(|scenario| (name.clone(), scenario)));
        }
        Some(scenarios)
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let value = Raw::text(text, place, findings)?;
        Self::read(&value, place, findings)
    }

    fn write(value: &Self::Value) -> Value {
        let members = value.iter();
        Value::Object(
            members
                .map(|(name, scenario)| (name.clone(), scenario.to_json()))
                .collect(),
        )
    }
}

impl ScenarioOptions {
    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self> {
        let Value::Object(members) = value else {
            return wrong_type("an object", value, place, findings);
        };
        let mut scenario = Self::default();
        let named = members
            .iter()
            .find(|(key, value)| names::known(key, &["executor"]).is_some() && !value.is_null());
        match named {
            Some((key, value)) => {
                scenario.executor = Kind::read(value, &place.key(key), findings);
            }
            None => {
                let known = ExecutorKind::ALL.map(ExecutorKind::name).join(", ");
                let problem = place.problem("the scenario has no `executor`");
                findings.problem(problem.hint(format!("it is one of {known}")));
            }
        }
        // Without an executor nobody knows which fields are right: only their types are checked.
        let all: Vec<&str> = Self::KEYS.iter().map(|key| key.name).collect();
        let allowed: Vec<&str> = match scenario.executor {
            Some(kind) => COMMON
                .into_iter()
                .chain(kind.fields().iter().copied())
                .collect(),
            None => all.clone(),
        };
        for (typed, value) in members {
            let place = place.key(typed);
            match names::known(typed, &allowed) {
                Some("executor") => {}
                Some(_) if value.is_null() => {}
                Some(key) => scenario.set_value(key, value, &place, findings),
                None => stray(typed, scenario.executor, &all, &allowed, &place, findings),
            }
        }
        Some(scenario)
    }

    /// Writes the fields that its executor has; null where nothing is set.
    pub fn to_json(&self) -> Value {
        let own = self.executor.map_or(&[][..], ExecutorKind::fields);
        let mut members = Map::new();
        for key in COMMON.iter().chain(own) {
            let value = self.value(key);
            let optional = *key == "options" || OWN.contains(key);
            if !optional || !value.is_null() {
                members.insert((*key).to_owned(), value);
            }
        }
        Value::Object(members)
    }
}

fn stray(
    typed: &str,
    kind: Option<ExecutorKind>,
    all: &[&str],
    allowed: &[&str],
    place: &Place,
    findings: &mut Findings,
) {
    let whose = kind.map_or("any executor", ExecutorKind::name);
    let problem = place.problem(format!("`{typed}` is no field of {whose}"));
    let owners: Vec<&str> = match names::known(typed, all) {
        Some(field) => ExecutorKind::ALL
            .into_iter()
            .filter(|kind| kind.fields().contains(&field))
            .map(ExecutorKind::name)
            .collect(),
        None => Vec::new(),
    };
    findings.problem(match (names::nearest(typed, allowed), owners.is_empty()) {
        (_, false) => problem.hint(format!("it is a field of {}", owners.join(", "))),
        (Some(name), true) => problem.hint(format!("did you mean `{name}`?")),
        (None, true) => problem.hint(format!("known fields: {}", allowed.join(", "))),
    });
}
