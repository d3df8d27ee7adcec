//! What a reader of the results should look at first: rules over the frames of a run, each in a file of its own.
//!
//! docs/findings.md says the same in the same order. Invariant: a rule that has too little to go by finds nothing.

mod caching;
mod cardinality;
mod change;
mod churn;
mod clock;
mod drift;
mod dropped;
mod early_errors;
mod error_onset;
mod generator;
mod hidden_waiting;
mod latency_knee;
mod line;
mod plateau;
mod stall;
mod third_party;
mod too_short;
mod uneven;
mod variable;
mod view;
mod warm_up;

use netload_record::Record;
use serde_json::{Value, json};

pub use change::change;
use view::View;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// The numbers may not mean what they seem to mean.
    Warning,
    /// Something is wrong with the server, the script or the numbers.
    Problem,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// Something worth looking at.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it is, in a few words.
    pub title: String,
    /// What was seen, with its numbers, in one or two sentences.
    pub sentence: String,
    /// When it began, in nanoseconds since the run started.
    pub since_ns: u64,
    /// When it ended, the same.
    pub until_ns: u64,
    /// The chart that shows it: `rate`, `latency`, `errors`, `vus`, `generator`, `names`, `hosts` or `statuses`.
    pub chart: &'static str,
    /// The numbers behind the sentence.
    pub evidence: Value,
}

impl Finding {
    /// As JSON.
    pub fn value(&self) -> Value {
        json!({
            "rule": self.rule,
            "severity": self.severity.name(),
            "title": self.title,
            "sentence": self.sentence,
            "since_ns": self.since_ns,
            "until_ns": self.until_ns,
            "chart": self.chart,
            "evidence": self.evidence,
        })
    }
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name in results and in the documentation.
    pub name: &'static str,
    /// When it finds something, in one sentence.
    pub law: &'static str,
    check: fn(&View<'_>) -> Vec<Finding>,
}

/// Every rule that looks at one run.
pub const RULES: &[Rule] = &[
    early_errors::RULE,
    error_onset::RULE,
    generator::RULE,
    clock::RULE,
    dropped::RULE,
    plateau::RULE,
    latency_knee::RULE,
    stall::RULE,
    drift::RULE,
    hidden_waiting::RULE,
    churn::RULE,
    variable::RULE,
    uneven::RULE,
    caching::RULE,
    third_party::RULE,
    cardinality::RULE,
    warm_up::RULE,
    too_short::RULE,
];

/// Everything that the rules find, what matters most first.
pub fn findings(record: &Record) -> Vec<Finding> {
    let view = View::of(record);
    let mut all: Vec<Finding> = RULES.iter().flat_map(|rule| (rule.check)(&view)).collect();
    all.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    all
}
