//! A scenario with every default filled in.
//!
//! Owns what all scenarios have in common, their descriptions and lengths. Leaves out the laws of
//! the executors ([`crate::executor`]) and the options as typed ([`crate::options`]).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::duration::{Nanos, format_go};
use crate::executor::{Demands, Executor};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};
use crate::segment::Segmentation;
use crate::share::Share;

/// Time for iterations to finish after the end unless said otherwise, in nanoseconds.
pub const GRACEFUL_STOP_NS: Nanos = 30_000_000_000;

/// Name of the scenario that the shortcuts (`vus`, `duration`, `iterations`, `stages`) turn into.
pub const DEFAULT_NAME: &str = "default";

/// Function that a scenario runs unless said otherwise.
pub const DEFAULT_EXEC: &str = "default";

/// One scenario of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// When iterations start and VUs run.
    pub executor: Executor,
    /// Start after the start of the test, in nanoseconds.
    pub start_time_ns: Nanos,
    /// How long running iterations may go on after the end, in nanoseconds.
    pub graceful_stop_ns: Nanos,
    /// Exported function that its iterations call.
    pub exec: String,
    /// Environment variables of its own.
    pub env: BTreeMap<String, String>,
    /// Tags on all its samples.
    pub tags: BTreeMap<String, String>,
    /// The raw `options` object (settings of the browser module), if there is one.
    pub options: Option<Value>,
}

impl Scenario {
    /// Fills in the defaults and checks all rules.
    pub(crate) fn resolve(
        name: &str,
        options: &ScenarioOptions,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Self> {
        check_name(name, place, findings);
        if options.exec.as_deref() == Some("") {
            let problem = place.key("exec").problem("must not be empty");
            findings.problem(problem.hint("name an exported function, or leave `exec` out"));
        }
        let executor = Executor::resolve(options.executor?, options, place, findings)?;
        Some(Self {
            name: name.to_owned(),
            executor,
            start_time_ns: options.start_time.unwrap_or(0),
            graceful_stop_ns: options.graceful_stop.unwrap_or(GRACEFUL_STOP_NS),
            exec: options
                .exec
                .clone()
                .unwrap_or_else(|| DEFAULT_EXEC.to_owned()),
            env: options.env.clone().unwrap_or_default(),
            tags: options.tags.clone().unwrap_or_default(),
            options: options.options.clone(),
        })
    }

    /// How long it takes at most from its own start, graceful stop included, in nanoseconds;
    /// `None` is until stopped.
    pub fn max_duration_ns(&self) -> Option<Nanos> {
        let run_ns = self.executor.run_ns()?;
        Some(run_ns.saturating_add(self.graceful_stop_ns))
    }

    /// Most VUs of the share at one time.
    pub fn max_vus(&self, share: &Share) -> u64 {
        self.executor.max_vus(share)
    }

    /// How many VUs of the share it holds at which time.
    pub fn demands(&self, share: &Share) -> Demands {
        Demands::new(&self.executor, self.graceful_stop_ns, share)
    }

    /// What it does, in one line, for one instance's part:
    /// `10 looping VUs for 30s (exec: checkout, gracefulStop: 30s)`.
    pub fn description(&self, cut: &Segmentation) -> String {
        let (what, mut facts) = self.executor.describe(cut);
        if self.exec != DEFAULT_EXEC {
            facts.push(format!("exec: {}", self.exec));
        }
        if self.start_time_ns > 0 {
            facts.push(format!("startTime: {}", format_go(self.start_time_ns)));
        }
        if self.graceful_stop_ns > 0 {
            facts.push(format!(
                "gracefulStop: {}",
                format_go(self.graceful_stop_ns)
            ));
        }
        match facts.is_empty() {
            true => what,
            false => format!("{what} ({})", facts.join(", ")),
        }
    }
}

fn check_name(name: &str, place: &Place, findings: &mut Findings) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(allowed) {
        let message = format!("`{name}` is no name for a scenario");
        let problem = place.problem(message);
        findings.problem(problem.hint("use only letters, digits, `_` and `-`"));
    }
}
