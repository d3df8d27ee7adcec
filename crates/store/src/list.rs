//! The history: one line for each run, the newest first.

use std::collections::BTreeMap;

use netload_record::{Head, Key, Point, Record, Tail};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Store;
use crate::error::StoreError;
use crate::load;

/// A run without an end that was heard of within this time is still running, in nanoseconds.
pub const RUNNING_WITHIN_NS: u64 = 5_000_000_000;

/// Which runs are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Labels that a run must have.
    pub labels: Vec<(String, String)>,
    /// A part of the title, in any case.
    pub title: Option<String>,
    /// At most so many runs.
    pub limit: usize,
}

/// Whether a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It goes on.
    Running,
    /// It came to its end.
    Finished,
    /// Its process is gone and told no end.
    Interrupted,
}

/// One line of the history.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunLine {
    /// The run's name.
    pub id: String,
    /// When it started, in nanoseconds since 1970.
    pub started_unix_ns: u64,
    /// `run`, `hit` or `demo`.
    pub command: String,
    /// The script's path or the URL.
    pub title: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Whether it is over.
    pub state: State,
    /// What is said about the whole of it.
    #[serde(flatten)]
    pub line: Line,
}

/// The few numbers that tell runs apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// How long it lasted, in nanoseconds.
    pub elapsed_ns: u64,
    /// Requests per second.
    pub rate: Option<f64>,
    /// The 95th percentile of `http_req_duration`, in milliseconds.
    pub p95_ms: Option<f64>,
    /// The share of failed requests, from 0 to 1.
    pub failed_share: Option<f64>,
    /// The verdict on the generator.
    pub verdict: Option<String>,
    /// The exit code of the process.
    pub exit_code: Option<u8>,
    /// How it ended, in one sentence.
    pub ending: Option<String>,
}

impl Line {
    /// Of a finished run.
    pub(crate) fn of(tail: &Tail) -> Self {
        let value =
            |metric: &str, name: &str| tail.document["metrics"][metric]["values"][name].as_f64();
        let verdict = tail.document["generator"]["verdict"].as_str();
        Self {
            elapsed_ns: tail.elapsed_ns,
            rate: value("http_reqs", "rate"),
            p95_ms: value("http_req_duration", "p95"),
            failed_share: value("http_req_failed", "rate"),
            verdict: verdict.map(str::to_owned),
            exit_code: Some(tail.exit_code),
            ending: Some(tail.ending.clone()),
        }
    }

    /// Of a run without an end.
    fn so_far(record: &Record) -> Self {
        let total = |metric| record.total(&Key::whole(metric));
        let elapsed_ns = record.elapsed_ns();
        let seconds = elapsed_ns as f64 / 1e9;
        let p95 = total("http_req_duration").and_then(|p| p.dist().map(|d| d.quantile(0.95)));
        Self {
            elapsed_ns,
            rate: total("http_reqs")
                .filter(|_| seconds > 0.0)
                .map(|p| p.sum() / seconds),
            p95_ms: p95,
            failed_share: total("http_req_failed").as_ref().and_then(Point::share),
            ..Self::default()
        }
    }
}

impl Store {
    /// The runs that are wanted, the newest first, as seen at `now_unix_ns` (nanoseconds since 1970).
    ///
    /// # Errors
    /// When the store cannot be read. A run that is damaged is listed without its numbers.
    pub fn list(&self, filter: &Filter, now_unix_ns: u64) -> Result<Vec<RunLine>, StoreError> {
        let mut read = self.connection.prepare(
            "SELECT id, heard_unix_ns, head, line FROM runs ORDER BY started_unix_ns DESC, id DESC",
        )?;
        let mut rows = read.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if found.len() >= filter.limit {
                break;
            }
            let id: String = row.get(0)?;
            let Ok(head) = load::parsed::<Head>(&row.get::<_, Vec<u8>>(2)?) else {
                continue;
            };
            if !filter.takes(&head) {
                continue;
            }
            let line: Option<String> = row.get(3)?;
            let line: Option<Line> = line.and_then(|text| serde_json::from_str(&text).ok());
            let heard = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
            let state = match &line {
                Some(_) => State::Finished,
                None if heard.saturating_add(RUNNING_WITHIN_NS) > now_unix_ns => State::Running,
                None => State::Interrupted,
            };
            let line = line.unwrap_or_else(|| {
                let record = self.load(&id);
                record.map_or_else(|_| Line::default(), |record| Line::so_far(&record))
            });
            found.push(RunLine {
                id,
                started_unix_ns: head.started_unix_ns,
                command: head.command,
                title: head.title,
                labels: head.labels,
                state,
                line,
            });
        }
        Ok(found)
    }

    /// Forgets runs by their exact ids; those that are not there are no error. Returns how many were there.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn delete(&mut self, ids: &[String]) -> Result<usize, StoreError> {
        let change = self.connection.transaction()?;
        let mut gone = 0;
        for id in ids {
            gone += change.execute("DELETE FROM runs WHERE id = ?1", params![id])?;
        }
        change.commit()?;
        crate::prune::give_back(&self.connection)?;
        Ok(gone)
    }
}

impl Filter {
    fn takes(&self, head: &Head) -> bool {
        let has = |(label, value): &(String, String)| head.labels.get(label) == Some(value);
        let lower = |text: &str| text.to_lowercase();
        let titled = |part: &String| lower(&head.title).contains(&lower(part));
        self.labels.iter().all(has) && self.title.as_ref().is_none_or(titled)
    }
}

impl RunLine {
    /// As JSON, with every number that is known.
    pub fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
