//! The shortcuts `vus`, `duration`, `iterations` and `stages`, turned into scenarios.
//!
//! Owns which combination means which executor and which contradict each other.

use std::collections::BTreeMap;

use super::{Layered, Options, Origin, ScenarioOptions};
use crate::executor::ExecutorKind;
use crate::problem::{Findings, Place};
use crate::scenario::DEFAULT_NAME;

impl Layered {
    /// The path of an option for findings: that of the file, else the key with its origin.
    pub(crate) fn place(&self, key: &str) -> Place {
        match self.origin(key) {
            Origin::ConfigFile => Place::root("config").key(key),
            Origin::Script | Origin::Default => Place::root("options").key(key),
            outside => Place::root(&format!("{key} ({})", outside.name())),
        }
    }

    /// The scenarios that the options ask for; all contradictions are pushed into `findings`.
    pub(crate) fn scenarios(&self, findings: &mut Findings) -> BTreeMap<String, ScenarioOptions> {
        let options = self.options();
        if self.contradicts(findings) {
            return BTreeMap::new();
        }
        match &options.scenarios {
            Some(scenarios) if options.vus.is_none() && !scenarios.is_empty() => {
                return scenarios.clone();
            }
            Some(scenarios) if !scenarios.is_empty() => {
                let warning = self.place("vus").warning("`vus` replaces the scenarios");
                findings.warning(warning.hint("set `vus` in the scenarios instead"));
            }
            _ => {}
        }
        let scenario = self.shortcut(options, findings);
        BTreeMap::from([(DEFAULT_NAME.to_owned(), scenario)])
    }

    fn contradicts(&self, findings: &mut Findings) -> bool {
        let options = self.options();
        let set = [
            ("duration", options.duration.is_some()),
            ("iterations", options.iterations.is_some()),
            (
                "stages",
                options.stages.as_ref().is_some_and(|s| !s.is_empty()),
            ),
            ("scenarios", options.scenarios.is_some()),
        ];
        let before = findings.problems.len();
        for (i, (key, is_set)) in set.iter().enumerate() {
            for (other, other_is_set) in &set[i + 1..] {
                let together = (*key, *other) == ("duration", "iterations");
                if *is_set && *other_is_set && !together {
                    let message = format!("`{key}` and `{other}` cannot be used together");
                    let problem = self.place(other).problem(message);
                    findings.problem(problem.hint("leave one of them out"));
                }
            }
        }
        if options.duration == Some(0) {
            let problem = self.place("duration").problem("must be more than 0");
            let hint = "to run until stopped, use the externally-controlled executor";
            findings.problem(problem.hint(hint));
        }
        findings.problems.len() > before
    }

    fn shortcut(&self, options: &Options, findings: &mut Findings) -> ScenarioOptions {
        let mut scenario = ScenarioOptions {
            vus: options.vus,
            ..ScenarioOptions::default()
        };
        if let Some(iterations) = options.iterations {
            scenario.executor = Some(ExecutorKind::SharedIterations);
            scenario.iterations = Some(iterations);
            scenario.max_duration = options.duration;
        } else if let Some(duration) = options.duration {
            scenario.executor = Some(ExecutorKind::ConstantVus);
            scenario.duration = Some(duration);
        } else if let Some(stages) = options.stages.as_ref().filter(|s| !s.is_empty()) {
            scenario.executor = Some(ExecutorKind::RampingVus);
            scenario.start_vus = scenario.vus.take();
            scenario.stages = Some(stages.clone());
        } else if let Some(key) = self.empty_key() {
            let message = format!("`{key}` is empty: running 1 iteration in 1 VU");
            findings.warning(self.place(key).warning(message));
            scenario.executor = Some(ExecutorKind::PerVuIterations);
            scenario.vus = None;
        } else if let Some(vus) = options.vus {
            scenario.executor = Some(ExecutorKind::SharedIterations);
            scenario.iterations = Some(vus);
        } else {
            scenario.executor = Some(ExecutorKind::PerVuIterations);
        }
        scenario
    }

    fn empty_key(&self) -> Option<&'static str> {
        let options = self.options();
        if options.stages.as_ref().is_some_and(Vec::is_empty) {
            return Some("stages");
        }
        let scenarios = options.scenarios.as_ref();
        scenarios
            .is_some_and(BTreeMap::is_empty)
            .then_some("scenarios")
    }
}
