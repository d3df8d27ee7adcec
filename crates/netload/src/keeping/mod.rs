//! What is kept of a run beside its results: the record on disk, and the findings at the end.
//!
//! Invariant: nothing here fails a run. What cannot be kept is told in one line.

pub(crate) mod labels;
pub(crate) mod place;
pub(crate) mod report;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use netload_analysis::{Finding, Severity, findings};
use netload_engine::{Level, Log, Record as LogRecord};
use netload_metrics::Sink;
use netload_output::document;
use netload_record::{Detail, Feed, Gatherer, Head, Keeper, SCRIPT_LIMIT_BYTES, Tail};
use netload_store::{Outcome, Writer, run_id};
use serde_json::Value;

use report::Reports;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::running::Done;
use crate::terminal::Terminal;
use crate::typed::Typed;

/// What is known of a run before it starts.
pub(crate) struct About {
    /// The run's name; see [`new_id`].
    pub(crate) id: String,
    /// Labels besides those that were typed or found.
    pub(crate) labels: BTreeMap<String, String>,
    /// `run`, `hit` or `demo`.
    pub(crate) command: &'static str,
    /// The script's path or the URL.
    pub(crate) title: String,
    /// The options in effect.
    pub(crate) options: Value,
    /// The script.
    pub(crate) script: Option<String>,
    /// Threads.
    pub(crate) workers: usize,
}

/// The keeping of one run.
pub(crate) struct Keeping {
    /// Where everybody who wants to know about the run is told.
    pub(crate) feed: Feed,
    head: Head,
    gathered: Gatherer,
    outcome: Option<Outcome>,
    reports: Reports,
}

impl Keeping {
    /// Opens the store, unless nobody wants one.
    pub(crate) fn start(typed: &Typed, about: About, terminal: &Terminal) -> Result<Self, Failure> {
        let now_unix_ns = now_unix_ns();
        let mut labels = labels::of(typed)?;
        labels.extend(about.labels);
        let head = Head {
            id: about.id,
            started_unix_ns: now_unix_ns,
            command: about.command.to_owned(),
            title: about.title,
            labels,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            host: host(),
            workers: u32::try_from(about.workers).unwrap_or(u32::MAX),
            options: about.options,
            script: about.script.filter(|text| text.len() <= SCRIPT_LIMIT_BYTES),
            ..Head::default()
        };
        let feed = Feed::default();
        let gathered = Gatherer::new(Detail::RULES);
        feed.add(Box::new(gathered.clone()));
        let reports = Reports::default();
        if let Some(file) = typed.text("report") {
            reports.add(file, "--report")?;
        }
        let mut outcome = None;
        if !typed.switch("noStore")?
            && let Some(path) = place::path(typed)
        {
            match Writer::start(&path) {
                Ok((writer, told)) => {
                    feed.add(Box::new(writer));
                    outcome = Some(told);
                }
                Err(error) => warn(terminal, format!("this run is not kept: {error}")),
            }
        }
        Ok(Self {
            feed,
            head,
            gathered,
            outcome,
            reports,
        })
    }

    /// The sink that listens to the run.
    pub(crate) fn sink(&self) -> Box<dyn Sink> {
        if self.reports.is_wanted() {
            self.gathered.gather_in(Detail::CHARTS);
        }
        Box::new(Keeper::new(self.head.clone(), self.feed.clone()))
    }

    /// Keeps the end of the run and finds what stands out.
    pub(crate) fn end(
        &self,
        done: &Done,
        ended: &Result<Exit, Failure>,
        terminal: &Terminal,
    ) -> Vec<Finding> {
        let mut document = document::document(&done.result.summary, Some(&done.tally));
        let evidence = match document.pointer_mut("/generator/evidence") {
            Some(Value::Array(evidence)) => std::mem::take(evidence),
            _ => Vec::new(),
        };
        let (exit, ending) = match ended {
            Ok(exit) => (*exit, "the test ran".to_owned()),
            Err(failure) => (
                failure.exit,
                failure
                    .findings
                    .first()
                    .map_or_else(String::new, |f| f.message.clone()),
            ),
        };
        self.feed.end(&Arc::new(Tail {
            elapsed_ns: done.result.summary.elapsed_ns,
            exit_code: exit.code(),
            ending,
            failed: exit != Exit::Success,
            document,
            evidence,
        }));
        if let Some(problem) = self.outcome.as_ref().and_then(Outcome::problem) {
            warn(terminal, problem);
        }
        let record = self.gathered.record();
        let findings = findings(&record);
        self.reports.write(&record, &findings, terminal);
        findings
    }

    /// Takes the outputs that are reports, and gives the others.
    pub(crate) fn take_reports(&self, outputs: Vec<String>) -> Result<Vec<String>, Failure> {
        let mut others = Vec::new();
        for spec in outputs {
            match report::of_output(&spec) {
                Some(file) => self.reports.add(file, "--out")?,
                None => others.push(spec),
            }
        }
        Ok(others)
    }

    /// What the summary says of the findings: the most severe ones, and where the others are. Empty when there is
    /// nothing to say.
    pub(crate) fn words(&self, findings: &[Finding]) -> String {
        /// Findings that are told.
        const TOLD: usize = 3;
        /// Where lines are broken.
        const WIDTH: usize = 80;
        // The verdict on the generator has a paragraph of its own in every summary.
        let is_news = |f: &&Finding| f.severity > Severity::Note && f.rule != "generator-trouble";
        let grave: Vec<&Finding> = findings.iter().filter(is_news).collect();
        let mut text = String::new();
        for finding in grave.iter().take(TOLD) {
            let sentence = format!("{}: {}", finding.title, finding.sentence);
            for (row, line) in netload_output::wrap(&sentence, WIDTH - 4)
                .iter()
                .enumerate()
            {
                text += if row == 0 { "  ! " } else { "    " };
                text += line;
                text.push('\n');
            }
        }
        if grave.len() > TOLD {
            text += &format!("    and {} more\n", grave.len() - TOLD);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }
}

fn warn(terminal: &Terminal, text: String) {
    terminal.screen.log(LogRecord::new(Level::Warning, text));
}

/// The name of a run that starts now.
pub(crate) fn new_id() -> String {
    // The standard library's hasher is seeded by the system.
    let chance = RandomState::new().hash_one(std::process::id());
    run_id(now_unix_ns(), chance)
}

/// Nanoseconds since 1970.
pub(crate) fn now_unix_ns() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

/// The name of this machine; empty when it has none.
fn host() -> String {
    let name =
        std::fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| std::env::var("HOSTNAME"));
    name.map_or_else(|_| String::new(), |name| name.trim().to_owned())
}
