//! Results where build servers show them: JUnit, GitHub, GitLab, Azure.
//!
//! Owns the cases (a threshold or a check that held or did not) and the sink that writes at the end of the run. Each
//! format is a pure function of the summary in a file of its own. Invariant: nothing is written before the end, and what cannot be written is found out at
//! the start.

mod annotate;
mod junit;
mod markdown;
mod openmetrics;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use netload_metrics::summary::Group;
use netload_metrics::{Aggregator, RunInfo, Sink, SinkError, Summary, Window};

use crate::OutputError;
use crate::number;
use crate::sinks::SinkOptions;

const DEFAULT_JUNIT: &str = "junit.xml";
const DEFAULT_METRICS: &str = "metrics.txt";
const DEFAULT_MARKDOWN: &str = "netload-summary.md";
/// Where GitHub's runner wants the summary of a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// A folder that Azure's agent empties before each job.
const AGENT_FOLDER: &str = "AGENT_TEMPDIRECTORY";

/// Something that held or did not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case {
    /// The metric, or the group of a check without its leading colons; empty outside groups.
    pub(crate) of: String,
    pub(crate) name: String,
    pub(crate) kind: CaseKind,
    /// What was seen instead, where it did not hold.
    pub(crate) failure: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CaseKind {
    Threshold,
    Check,
}

/// All thresholds in the order of the metrics, then all checks in the order of their groups.
pub(crate) fn cases(summary: &Summary) -> Vec<Case> {
    let mut cases = Vec::new();
    for metric in &summary.metrics {
        cases.extend(metric.thresholds.iter().map(|threshold| Case {
            of: metric.name.clone(),
            name: threshold.source.clone(),
            kind: CaseKind::Threshold,
            failure: (!threshold.ok).then(|| match threshold.number {
                Some(number) => format!("it is {}", number::plain(number)),
                None => "there was no value to compare".to_owned(),
            }),
        }));
    }
    checks(&summary.root, &mut cases);
    cases
}

fn checks(group: &Group, cases: &mut Vec<Case>) {
    cases.extend(group.checks.iter().map(|check| Case {
        of: group.path.trim_start_matches("::").to_owned(),
        name: check.name.clone(),
        kind: CaseKind::Check,
        failure: (check.fails > 0).then(|| {
            let total = check.passes + check.fails;
            let (fails, total) = (number::grouped(check.fails), number::grouped(total));
            format!("failed {fails} of {total} times")
        }),
    }));
    group.groups.iter().for_each(|g| checks(g, cases));
}

/// Which build server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    JUnit,
    GitHub,
    GitLab,
    Azure,
}

/// What is known before the end.
pub(crate) struct CiSink {
    format: Format,
    file: PathBuf,
}

impl CiSink {
    /// A sink for what stands behind the name of the output.
    ///
    /// # Errors
    /// When there is no file to write to.
    pub(crate) fn new(
        format: Format,
        argument: &str,
        options: &SinkOptions,
    ) -> Result<Self, OutputError> {
        let file = match (format, argument) {
            (_, file) if !file.is_empty() => file.into(),
            (Format::JUnit, _) => DEFAULT_JUNIT.into(),
            (Format::GitLab, _) => DEFAULT_METRICS.into(),
            (Format::GitHub, _) => step_summary(&options.environment)?,
            (Format::Azure, _) => {
                let folder = options.environment.get(AGENT_FOLDER);
                PathBuf::from(folder.map_or(".", String::as_str)).join(DEFAULT_MARKDOWN)
            }
        };
        Ok(Self { format, file })
    }

    fn name(&self) -> &'static str {
        match self.format {
            Format::JUnit => "junit",
            Format::GitHub => "github",
            Format::GitLab => "gitlab",
            Format::Azure => "azure",
        }
    }

    fn failed(&self, source: std::io::Error) -> OutputError {
        OutputError::File {
            path: self.file.display().to_string(),
            source,
        }
    }

    /// The step summary belongs to other steps too and is continued; every other file is ours.
    fn open(&self) -> Result<std::fs::File, OutputError> {
        let continued = self.format == Format::GitHub;
        let mut options = OpenOptions::new();
        options.create(true).append(continued);
        let options = options.write(true).truncate(!continued);
        options.open(&self.file).map_err(|e| self.failed(e))
    }
}

fn step_summary(environment: &BTreeMap<String, String>) -> Result<PathBuf, OutputError> {
    let file = environment.get(STEP_SUMMARY).filter(|f| !f.is_empty());
    file.map(PathBuf::from).ok_or_else(|| OutputError::Argument {
        sink: "github",
        problem: format!("{STEP_SUMMARY} is not set, as this is no step of GitHub Actions; name a file: github=FILE"),
    })
}

impl Sink for CiSink {
    fn describe(&self) -> String {
        format!("{} ({})", self.name(), self.file.display())
    }

    fn start(&mut self, _: &RunInfo) -> Result<(), SinkError> {
        self.open()?;
        Ok(())
    }

    fn window(&mut self, _: &Window, _: &Aggregator) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), SinkError> {
        let text = match self.format {
            Format::JUnit => junit::render(summary),
            Format::GitHub | Format::Azure => markdown::render(summary),
            Format::GitLab => openmetrics::render(summary),
        };
        let mut file = self.open()?;
        file.write_all(text.as_bytes())
            .map_err(|e| self.failed(e))?;
        let commands = match self.format {
            Format::GitHub => annotate::github(&cases(summary)),
            Format::Azure => annotate::azure(&cases(summary), &self.file),
            Format::JUnit | Format::GitLab => String::new(),
        };
        // Runners read commands from the standard output of a step.
        let told = std::io::stdout().write_all(commands.as_bytes());
        Ok(told.map_err(|source| OutputError::File {
            path: "the standard output".to_owned(),
            source,
        })?)
    }
}
