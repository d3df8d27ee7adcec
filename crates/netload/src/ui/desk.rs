//! What a running test tells pages: its state twice a second, its log, its failed requests, its seconds, its end.
//!
//! The same desk serves a page of this process and, through a pipe, one of the process that started this one. Never
//! waits: what comes faster than pages could show is counted and left out.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};

use netload_engine::{Live, Phase, Record};
use netload_web::{Kind, Running};
use serde_json::{Value, json};

use crate::steering::has_vus;
use crate::terminal::line::level_name;

/// Log lines passed on in half a second.
const LOGS_PER_LOOK: i64 = 100;
/// Failed requests asked for in half a second.
const FAILURES_PER_LOOK: u64 = 25;
/// Longest log line passed on, in bytes.
const LINE_AT_MOST: usize = 8 << 10;
/// Calls of [`Desk::show`] between two looks; it is called ten times a second.
const CALLS_PER_LOOK: u64 = 5;

/// Where events go.
pub(crate) enum Way {
    /// To the pages of this process.
    Here(Arc<Running>),
    /// To the process that started this one, as lines.
    Pipe(SyncSender<String>),
}

/// The desk of one run.
pub(crate) struct Desk {
    way: Way,
    /// Log lines that may still be passed on before the next look.
    logs_left: AtomicI64,
    left_out: AtomicU64,
    looks: Mutex<Looks>,
}

#[derive(Default)]
struct Looks {
    calls: u64,
    phase: Option<Phase>,
}

/// The mark before every line of an event, so that it is told from whatever else a process writes.
pub(crate) const MARK: char = '\u{1e}';

impl Desk {
    /// A desk that tells there.
    pub(crate) fn new(way: Way) -> Self {
        Self {
            way,
            logs_left: AtomicI64::new(LOGS_PER_LOOK),
            left_out: AtomicU64::new(0),
            looks: Mutex::default(),
        }
    }

    /// Tells an event.
    pub(crate) fn post(&self, kind: Kind, data: String) {
        match &self.way {
            Way::Here(run) => run.post(kind, data),
            Way::Pipe(lines) => {
                let line = format!("{MARK}{} {data}\n", kind.name());
                // The head and the end must arrive; the reader takes everything or is gone.
                let sent = match kind {
                    Kind::Head | Kind::End => lines.send(line).map_err(|_| ()),
                    _ => lines.try_send(line).map_err(|e| {
                        if matches!(e, TrySendError::Full(_)) {
                            self.left_out.fetch_add(1, Relaxed);
                        }
                    }),
                };
                // A process that nobody listens to is about to be stopped.
                let _ = sent;
            }
        }
    }

    /// Tells a log line, if not too many came before.
    pub(crate) fn log(&self, record: &Record) {
        if self.logs_left.fetch_sub(1, Relaxed) <= 0 {
            self.left_out.fetch_add(1, Relaxed);
            return;
        }
        let end = record.message.floor_char_boundary(LINE_AT_MOST);
        let fields: serde_json::Map<String, Value> = record
            .fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.as_str().into()))
            .collect();
        let line = json!({
            "time_ms": now_ms(),
            "level": level_name(record.level),
            "message": &record.message[..end],
            "source": record.source,
            "fields": fields,
        });
        self.post(Kind::Log, line.to_string());
    }

    /// Shows a moment: a new phase at once, the rest twice a second.
    pub(crate) fn show(&self, live: &Live<'_>) {
        let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        looks.calls += 1;
        let is_new = looks.phase != Some(live.phase);
        if !is_new && !looks.calls.is_multiple_of(CALLS_PER_LOOK) {
            return;
        }
        looks.phase = Some(live.phase);
        self.logs_left.store(LOGS_PER_LOOK, Relaxed);
        for failed in live.state.failures.take(FAILURES_PER_LOOK) {
            let line = json!({
                "time_ms": failed.unix_ns / 1_000_000,
                "method": failed.method,
                "name": failed.name,
                "status": failed.status,
                "error": failed.error,
                "duration_ms": failed.duration_ns as f64 / 1e6,
            });
            self.post(Kind::Failure, line.to_string());
        }
        let left_out = self.left_out.load(Relaxed);
        self.post(Kind::Status, status(live, left_out).to_string());
    }
}

/// Where the test is, as pages show it.
fn status(live: &Live<'_>, left_out: u64) -> Value {
    let state = live.state;
    let (requests, failed) = live.aggregator.requests();
    let scenarios: Vec<Value> = state
        .scenarios
        .iter()
        .map(|s| {
            json!({
                "name": s.scenario.name,
                "progress": s.progress(live.now_ns),
                "vus": s.vus_active.load(Relaxed),
                "done": s.done.load(Relaxed),
                "rate": s.rate_at(live.now_ns),
                "loops": has_vus(&s.scenario.executor),
            })
        })
        .collect();
    json!({
        "phase": phase(live),
        "elapsed_s": live.elapsed_ns as f64 / 1e9,
        "vus": state.vus_active.load(Relaxed),
        "vus_made": state.vus_initialized.load(Relaxed),
        "iterations": state.iterations_completed(),
        "interrupted": state.iterations_interrupted(),
        "dropped": state.iterations_dropped(),
        "requests": requests,
        "failed": failed,
        "rate": live.recent.rate,
        "failed_rate": live.recent.failed,
        "p50_ms": (live.recent.rate > 0.0).then_some(live.recent.p50_ms),
        "p99_ms": (live.recent.rate > 0.0).then_some(live.recent.p99_ms),
        "generator": live.generator,
        "paused": state.paused.load(Relaxed),
        "scalable": state.scenarios.iter().any(|s| has_vus(&s.scenario.executor)),
        "scenarios": scenarios,
        "left_out": left_out,
    })
}

fn phase(live: &Live<'_>) -> &'static str {
    match live.phase {
        Phase::Init => "starting",
        Phase::Paused => "paused",
        Phase::Setup => "setup",
        Phase::Load if live.state.ended().is_some() => "stopping",
        Phase::Load if live.state.paused.load(Relaxed) => "paused",
        Phase::Load => "running",
        Phase::Teardown => "teardown",
        Phase::Done => "over",
    }
}

/// Now, in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}
