//! Turns what a run left behind into sorted lines, aspect by aspect.
//!
//! Aspects: `exit`, `console`, `errors`, `checks`, `requests`, `samples`, `metrics`,
//! `thresholds`, `wire`, `case NAME`, and on request `stdout` and `connections`.
//! Invariant: a line holds nothing that may differ between two right runs,
//! unless the script masks it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use netload_target::LoggedRequest;
use serde_json::{Map, Value};

use super::Observation;
use super::case::Case;
use super::wire::{self, Normalizer};

type Failure = Box<dyn std::error::Error>;

/// Sampled once a second, so that a short run may or may not have them.
const CLOCKED: [&str; 2] = ["vus", "vus_max"];

const DURATION: &str = "http_req_duration";
/// The metrics that every request has beside its duration.
const PHASES: [&str; 6] = [
    "http_req_blocked",
    "http_req_connecting",
    "http_req_tls_handshaking",
    "http_req_sending",
    "http_req_waiting",
    "http_req_receiving",
];

/// What a run writes.
pub(crate) struct Files {
    pub(crate) samples: PathBuf,
    pub(crate) summary: PathBuf,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
}

impl Files {
    /// The names inside a run's folder.
    pub(crate) fn in_folder(folder: &Path) -> Files {
        Files {
            samples: folder.join("samples.json"),
            summary: folder.join("summary.json"),
            stdout: folder.join("stdout.txt"),
            stderr: folder.join("stderr.txt"),
        }
    }
}

/// Reads all that a run left behind.
pub(crate) fn read(
    case: &Case,
    exit: i32,
    files: &Files,
    requests: &[LoggedRequest],
    normalizer: &Normalizer,
) -> Result<Observation, Failure> {
    let mut seen = Observation::new();
    seen.insert("exit".into(), vec![exit.to_string()]);
    let stderr = std::fs::read_to_string(&files.stderr)?;
    let logged = logged(&stderr);
    insert_by_case(&mut seen, "console", console(&logged, normalizer));
    seen.insert("errors".into(), vec![errors(&stderr, &logged).to_string()]);
    let samples = std::fs::read_to_string(&files.samples).unwrap_or_default();
    let samples = Samples::read(&samples, normalizer)?;
    seen.insert("checks".into(), samples.checks());
    seen.insert("requests".into(), samples.requests());
    insert_by_case(&mut seen, "samples", samples.lines(case));
    let summary = std::fs::read_to_string(&files.summary).unwrap_or_default();
    let summary: Value = serde_json::from_str(&summary).unwrap_or_default();
    seen.insert("metrics".into(), metrics(&summary, normalizer));
    seen.insert("thresholds".into(), thresholds(&summary, normalizer));
    let wire = requests.iter().map(|r| wire::line(r, normalizer)).collect();
    seen.insert("wire".into(), wire);
    if case.compares.iter().any(|aspect| aspect == "connections") {
        let used: BTreeSet<_> = requests.iter().map(|r| r.connection).collect();
        seen.insert("connections".into(), vec![used.len().to_string()]);
    }
    if case.compares.iter().any(|aspect| aspect == "stdout") {
        let text = std::fs::read_to_string(&files.stdout)?;
        let lines = text.lines().map(|line| normalizer.apply(line)).collect();
        seen.insert("stdout".into(), lines);
    }
    for lines in seen.values_mut() {
        lines.sort_unstable();
    }
    Ok(seen)
}

/// Before the name of a case in the name of its aspect.
pub(crate) const CASE: &str = "case ";

/// Lines that a named case of the script made go to that case, the others to `aspect`.
///
/// `lib/cases.js` prints `case NAME: VALUE` and puts it on samples as the tag `case`.
fn insert_by_case(seen: &mut Observation, aspect: &str, lines: Vec<String>) {
    seen.entry(aspect.to_owned()).or_default();
    for line in lines {
        let named = match aspect {
            "console" => line
                .strip_prefix("info: case ")
                .and_then(|line| line.split_once(": ")),
            _ => line
                .split_once("case=")
                .and_then(|(_, l)| l.split_once([',', '}'])),
        };
        let key = named.map_or(aspect.to_owned(), |(name, _)| format!("{CASE}{name}"));
        seen.entry(key).or_default().push(line);
    }
}

/// The log lines on stderr; anything else there is none of ours.
fn logged(stderr: &str) -> Vec<Value> {
    let lines = stderr.lines().map(serde_json::from_str);
    lines.filter_map(Result::ok).collect()
}

/// The messages that the script itself logged.
fn console(logged: &[Value], normalizer: &Normalizer) -> Vec<String> {
    logged
        .iter()
        .filter(|line| line["source"] == "console")
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            normalizer.apply(&format!("{}: {}", text("level"), text("msg")))
        })
        .collect()
}

/// How many errors the tool itself reported, as log lines or as plain text; their wording is its own.
fn errors(stderr: &str, logged: &[Value]) -> usize {
    let as_text = stderr.lines().filter(|line| line.starts_with("error: "));
    let as_log = logged
        .iter()
        .filter(|line| line["source"] != "console" && line["level"] == "error");
    as_text.count() + as_log.count()
}

/// The samples of a run, grouped by metric and tags.
#[derive(Default)]
struct Samples {
    series: BTreeMap<(String, String), Series>,
    tags: BTreeMap<(String, String), Map<String, Value>>,
    contains: BTreeMap<String, String>,
}

#[derive(Default)]
struct Series {
    count: u64,
    sum: f64,
}

impl Samples {
    fn read(text: &str, normalizer: &Normalizer) -> Result<Samples, Failure> {
        let mut samples = Samples::default();
        for line in text.lines() {
            let mut line: Value = serde_json::from_str(line)?;
            let metric = line["metric"].as_str().unwrap_or_default().to_owned();
            let data = &mut line["data"];
            if let Some(contains) = data["contains"].as_str() {
                samples.contains.insert(metric, contains.to_owned());
                continue;
            }
            let tags = canonical_tags(&data["tags"], normalizer);
            let key = (metric, shown(&tags));
            let series = samples.series.entry(key.clone()).or_default();
            series.count += 1;
            series.sum += data["value"].as_f64().unwrap_or(0.0);
            samples.tags.insert(key, tags);
        }
        Ok(samples)
    }

    /// `name passes=N fails=M`.
    fn checks(&self) -> Vec<String> {
        let mut checks: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for (key, series) in self.of("checks") {
            let name = self.tag(key, "check");
            let (passes, fails) = checks.entry(name).or_default();
            *passes += series.sum;
            *fails += series.count as f64 - series.sum;
        }
        checks
            .iter()
            .map(|(name, (passes, fails))| format!("{name} passes={passes} fails={fails}"))
            .collect()
    }

    /// `method name status count`.
    fn requests(&self) -> Vec<String> {
        let mut requests: BTreeMap<String, u64> = BTreeMap::new();
        for (key, series) in self.of("http_reqs") {
            let [method, name, status] = ["method", "name", "status"].map(|t| self.tag(key, t));
            *requests
                .entry(format!("{method} {name} {status}"))
                .or_default() += series.count;
        }
        requests
            .iter()
            .map(|(request, count)| format!("{request} {count}"))
            .collect()
    }

    /// `metric{tags} count=N sum=S`; no sum where values are times or bytes.
    fn lines(&self, case: &Case) -> Vec<String> {
        self.series
            .iter()
            .filter(|((metric, _), _)| {
                !CLOCKED.contains(&metric.as_str()) && !case.masks_metric(metric)
            })
            .filter(|(key, series)| !self.is_implied(key, series))
            .map(|((metric, tags), series)| {
                let contains = self.contains.get(metric).map_or("", String::as_str);
                let count = series.count;
                if contains == "default" && !case.masks_values(metric) {
                    // Rounded: sums depend on the order of adding.
                    format!("{metric}{{{tags}}} count={count} sum={:.6}", series.sum)
                } else {
                    format!("{metric}{{{tags}}} count={count}")
                }
            })
            .collect()
    }

    /// The phases of a request come with its duration; they are shown only if they do not.
    fn is_implied(&self, (metric, tags): &(String, String), series: &Series) -> bool {
        let duration = (DURATION.to_owned(), tags.clone());
        PHASES.contains(&metric.as_str())
            && self
                .series
                .get(&duration)
                .is_some_and(|d| d.count == series.count)
            && PHASES.iter().all(|phase| {
                let phase = ((*phase).to_owned(), tags.clone());
                self.series
                    .get(&phase)
                    .is_some_and(|p| p.count == series.count)
            })
    }

    fn of(&self, metric: &str) -> impl Iterator<Item = (&(String, String), &Series)> {
        self.series
            .iter()
            .filter(move |((name, _), _)| name == metric)
    }

    fn tag(&self, key: &(String, String), name: &str) -> String {
        self.tags
            .get(key)
            .and_then(|tags| tags.get(name))
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }
}

/// Tags sorted by name; the wording of errors is not compared, only that there is one.
fn canonical_tags(tags: &Value, normalizer: &Normalizer) -> Map<String, Value> {
    let mut sorted: Vec<_> = tags
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let text = value.as_str().unwrap_or_default();
            let text = match name.as_str() {
                "error" => "SOME".to_owned(),
                _ => normalizer.apply(text),
            };
            (name.clone(), Value::String(text))
        })
        .collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted.into_iter().collect()
}

fn shown(tags: &Map<String, Value>) -> String {
    let pairs: Vec<_> = tags
        .iter()
        .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
        .collect();
    pairs.join(",")
}

fn summary_metrics(summary: &Value) -> impl Iterator<Item = (&String, &Value)> {
    summary["metrics"].as_object().into_iter().flatten()
}

/// The names of all metrics in the summary.
fn metrics(summary: &Value, normalizer: &Normalizer) -> Vec<String> {
    summary_metrics(summary)
        .filter(|(name, _)| !CLOCKED.contains(&name.as_str()))
        .map(|(name, _)| normalizer.apply(name))
        .collect()
}

/// `metric expression failed|ok`.
fn thresholds(summary: &Value, normalizer: &Normalizer) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, metric) in summary_metrics(summary) {
        for (expression, failed) in metric["thresholds"].as_object().into_iter().flatten() {
            // In this file, true means that the threshold was crossed.
            let verdict = if failed == &Value::Bool(true) {
                "failed"
            } else {
                "ok"
            };
            lines.push(normalizer.apply(&format!("{name} {expression} {verdict}")));
        }
    }
    lines
}

/// An observation as text to remember.
pub(crate) fn to_json(observation: &Observation) -> String {
    serde_json::json!(observation).to_string()
}

/// The observation that was remembered.
pub(crate) fn from_json(text: &str) -> Result<Observation, Failure> {
    let value: Value = serde_json::from_str(text)?;
    let aspects = value
        .as_object()
        .ok_or("a remembered observation is broken")?;
    Ok(aspects
        .iter()
        .map(|(aspect, lines)| {
            let lines = lines.as_array().into_iter().flatten();
            let lines = lines.filter_map(Value::as_str).map(String::from);
            (aspect.clone(), lines.collect())
        })
        .collect())
}
