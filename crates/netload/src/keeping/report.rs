//! The files that the report of a run goes to.
//!
//! Invariant: a file that cannot be written is told before the run starts; what fails afterwards changes no exit code,
//! because the test has run.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use netload_analysis::Finding;
use netload_engine::{Level, Log, Record as LogRecord};
use netload_pages::report;
use netload_record::Record;

use crate::failure::Failure;
use crate::terminal::Terminal;

/// Names of `--out` that mean a report.
const OUTPUTS: [&str; 2] = ["report", "html"];

/// The files.
#[derive(Default)]
pub(crate) struct Reports(Mutex<Vec<PathBuf>>);

impl Reports {
    /// A report for this file; `place` is the option that asks for it.
    pub(crate) fn add(&self, file: &str, place: &str) -> Result<(), Failure> {
        let path = PathBuf::from(file);
        if file.is_empty() {
            return Err(Failure::usage("a report needs the name of a file").at(place));
        }
        // Opened and not emptied: an older report stays until there is a new one.
        let opened = OpenOptions::new().append(true).create(true).open(&path);
        opened.map_err(|e| {
            Failure::usage(format!("cannot write the report to `{file}`: {e}")).at(place)
        })?;
        self.lock().push(path);
        Ok(())
    }

    /// Whether anybody wants one.
    pub(super) fn is_wanted(&self) -> bool {
        !self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the reports.
    pub(super) fn write(&self, record: &Record, findings: &[Finding], terminal: &Terminal) {
        let paths = self.lock();
        if paths.is_empty() {
            return;
        }
        let html = html(record, findings);
        for path in &*paths {
            if let Err(e) = fs::write(path, &html) {
                let text = format!("cannot write the report to `{}`: {e}", path.display());
                terminal.screen.log(LogRecord::new(Level::Error, text));
            }
        }
    }
}

/// The file of an output that is a report: `report=FILE` or `html=FILE`.
pub(crate) fn of_output(spec: &str) -> Option<&str> {
    let (name, file) = spec.split_once('=').unwrap_or((spec, ""));
    OUTPUTS.contains(&name).then_some(file)
}

/// The report of a run with what was found in it.
pub(crate) fn html(record: &Record, findings: &[Finding]) -> String {
    report::html(record, findings.iter().map(Finding::value).collect())
}

/// The name of a report when nobody gives one.
pub(crate) fn default_name(record: &Record) -> PathBuf {
    Path::new(&format!("netload-{}.html", record.head.id)).to_owned()
}
