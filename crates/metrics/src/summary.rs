//! What is known at one moment of the run or at its end: the data behind every text, file and page.

use crate::accuracy::{Accuracy, Basis};
use crate::aggregate::Aggregate;
use crate::batches::Dispersion;
use crate::generator;
use crate::interval::{InstrumentError, Interval, interval};
use crate::registry::{Contains, Kind};

/// Everything measured so far.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How long the run has lasted, in nanoseconds (the load; setup and teardown included as in k6).
    pub elapsed_ns: u64,
    /// All observed metrics sorted by name, each followed by its observed sub-metrics.
    pub metrics: Vec<MetricSummary>,
    /// The tree of groups with their checks.
    pub root: Group,
    /// The same metrics by group (`::a::b`) and by scenario; filled only when the full summary is wanted.
    pub scopes: Vec<(Scope, Vec<MetricSummary>)>,
    /// Distinct series kept.
    pub series: usize,
    /// Tags that have too many values, the worst first.
    pub blamed_tags: Vec<String>,
    /// Samples that could not be handed to the outputs.
    pub samples_lost: u64,
    /// What became of the results that were sent to receivers; empty while the run goes on.
    pub deliveries: Vec<Delivery>,
    /// Whether the numbers are the server's; none while the run goes on.
    pub generator: Option<Box<generator::Report>>,
    /// How far the numbers can be trusted.
    pub accuracy: Accuracy,
}

/// How an output over a network fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Its name and receiver, such as `influxdb (http://localhost:8086/k6)`.
    pub output: String,
    /// Samples that were to be delivered, in whatever form.
    pub offered: u64,
    /// Samples that the receiver did not acknowledge, or that were never sent.
    pub lost: u64,
    /// What went wrong last.
    pub reason: Option<String>,
}

/// The part of a run that a list of metrics is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Everything inside a group, by its path.
    Group(String),
    /// Everything of a scenario, by its name.
    Scenario(String),
}

/// One metric or sub-metric.
#[derive(Clone, Debug)]
pub struct MetricSummary {
    /// `http_req_duration`, or `http_req_duration{status:200}` for a sub-metric.
    pub name: String,
    /// The name of the metric it is a part of.
    pub parent: Option<String>,
    /// How its samples add up.
    pub kind: Kind,
    /// What its values mean.
    pub contains: Contains,
    /// The merged samples.
    pub data: Aggregate,
    /// How much the samples of a trend depend on each other.
    pub dispersion: Dispersion,
    /// The judged thresholds, in the order in which they were written.
    pub thresholds: Vec<ThresholdOutcome>,
}

/// One judged threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdOutcome {
    /// The expression as written.
    pub source: String,
    /// Whether it held when it was last judged.
    pub ok: bool,
    /// The number it was judged by.
    pub number: Option<f64>,
}

/// A group with what is inside; the root has an empty name and path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The name.
    pub name: String,
    /// `::outer::inner`
    pub path: String,
    /// Checks directly inside, in the order of their first evaluation.
    pub checks: Vec<Check>,
    /// Groups directly inside, in the order of their first visit.
    pub groups: Vec<Group>,
}

/// A check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// The name.
    pub name: String,
    /// `::group::name`
    pub path: String,
    /// How often it held.
    pub passes: u64,
    /// How often it did not.
    pub fails: u64,
}

/// Trends that are measured with the kernel's stamps.
const STAMPED: [&str; 6] = [
    "http_req_duration",
    "http_req_response",
    "http_req_sending",
    "http_req_waiting",
    "http_req_receiving",
    "http_req_tare",
];

impl Summary {
    /// Where a percentile (0 to 100) of a trend lies with 95 % confidence, by the size of the sample and the error of
    /// the instrument; none for other kinds and without samples.
    pub fn interval(&self, metric: &MetricSummary, percentile: f64) -> Option<Interval> {
        let Aggregate::Trend(trend) = &metric.data else {
            return None;
        };
        let base = metric.parent.as_deref().unwrap_or(&metric.name);
        let net = self.accuracy.basis == Basis::Net && STAMPED.contains(&base);
        let instrument = if net {
            self.accuracy.instrument_error()
        } else {
            InstrumentError::default()
        };
        interval(trend, percentile, &metric.dispersion, &instrument)
    }

    /// The metric or sub-metric with this name.
    pub fn metric(&self, name: &str) -> Option<&MetricSummary> {
        self.metrics.iter().find(|m| m.name == name)
    }

    /// Whether any threshold failed.
    pub fn thresholds_failed(&self) -> bool {
        self.metrics
            .iter()
            .flat_map(|m| &m.thresholds)
            .any(|t| !t.ok)
    }
}

impl Group {
    /// Adds what a check has seen; a group without a check when `check` is none.
    pub fn absorb(&mut self, path: &str, check: Option<&str>, passes: u64, fails: u64) {
        let mut group = self;
        for name in path.split("::").filter(|n| !n.is_empty()) {
            group = group.child(name);
        }
        let Some(name) = check else { return };
        let at = group.checks.iter().position(|c| c.name == name);
        let at = at.unwrap_or_else(|| {
            group.checks.push(Check {
                name: name.to_owned(),
                path: format!("{}::{name}", group.path),
                ..Check::default()
            });
            group.checks.len() - 1
        });
        group.checks[at].passes += passes;
        group.checks[at].fails += fails;
    }

    fn child(&mut self, name: &str) -> &mut Self {
        let at = self.groups.iter().position(|g| g.name == name);
        let at = at.unwrap_or_else(|| {
            self.groups.push(Self {
                name: name.to_owned(),
                path: format!("{}::{name}", self.path),
                ..Self::default()
            });
            self.groups.len() - 1
        });
        &mut self.groups[at]
    }
}
