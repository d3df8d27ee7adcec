//! The thread that writes a run as it goes.
//!
//! Invariant: the caller never waits for the disk while the load runs. What the thread cannot take in time is counted and
//! told at the end.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver as Queue, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use netload_net::{Claim, Patience};
use netload_record::{Frame, Head, Receiver, Tail, Update};
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::error::StoreError;
use crate::list::Line;
use crate::schema::{SECOND, SPAN};
use crate::{Store, prune};

/// Updates that wait for the disk, in seconds of the run.
const QUEUE_SECONDS: usize = 300;
/// How long another process may keep the store to itself, for example while it deletes old runs; meanwhile seconds queue.
const PATIENCE: Duration = Duration::from_secs(15);
/// Memory for pages of the file: a second only adds at its end, and reads nothing.
const CACHE_KILOBYTES: i64 = 256;
/// How hard frames and texts are compressed: fast.
const COMPRESSION: i32 = 3;

enum Message {
    Begin(Box<Head>),
    Update(Arc<Update>),
    End(Arc<Tail>),
}

/// What became of the writing, for whoever started it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    problem: Arc<Mutex<Option<String>>>,
    missed: Arc<AtomicU64>,
}

impl Outcome {
    /// Why the run is not or not completely kept, as one sentence without full stop; none when it is.
    pub fn problem(&self) -> Option<String> {
        let problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        let missed = self.missed.load(Relaxed);
        match &*problem {
            Some(problem) => Some(format!("this run was not kept completely: {problem}")),
            None if missed > 0 => Some(format!(
                "{missed} seconds of this run were not kept: the disk could not keep up"
            )),
            None => None,
        }
    }

    fn fail(&self, error: &StoreError) {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        problem.get_or_insert_with(|| error.to_string());
    }
}

/// A run's way to the disk.
pub struct Writer {
    queue: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<()>>,
    outcome: Outcome,
}

impl Writer {
    /// Opens the store and starts the thread.
    ///
    /// # Errors
    /// As [`Store::open`], and when there can be no further thread.
    pub fn start(path: &Path) -> Result<(Self, Outcome), StoreError> {
        let store = Store::open(path)?;
        let (sender, queue) = sync_channel(QUEUE_SECONDS);
        let outcome = Outcome::default();
        let told = outcome.clone();
        let thread = std::thread::Builder::new().name("store".to_owned());
        let thread = thread
            .spawn(move || {
                // Writing may wait for whatever the load needs.
                let _patience = Patience::begin(Claim::Small);
                if let Err(error) = write(store, &queue) {
                    told.fail(&error);
                }
            })
            .map_err(|e| StoreError::Failed(e.to_string()))?;
        let writer = Self {
            queue: Some(sender),
            thread: Some(thread),
            outcome: outcome.clone(),
        };
        Ok((writer, outcome))
    }
}

impl Receiver for Writer {
    fn begin(&mut self, head: &Head) {
        if let Some(queue) = &self.queue {
            let _ = queue.try_send(Message::Begin(Box::new(head.clone())));
        }
    }

    fn update(&mut self, update: &Arc<Update>) {
        let Some(queue) = &self.queue else { return };
        if let Err(TrySendError::Full(_)) = queue.try_send(Message::Update(update.clone())) {
            self.outcome.missed.fetch_add(1, Relaxed);
        }
    }

    fn end(&mut self, tail: &Arc<Tail>) {
        // The load is over: now there is time to wait.
        if let Some(queue) = self.queue.take() {
            let _ = queue.send(Message::End(Arc::clone(tail)));
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes what comes until the run is over.
fn write(mut store: Store, queue: &Queue<Message>) -> Result<(), StoreError> {
    let Ok(Message::Begin(head)) = queue.recv() else {
        return Ok(());
    };
    store.connection.busy_timeout(PATIENCE)?;
    store
        .connection
        .pragma_update(None, "cache_size", -CACHE_KILOBYTES)?;
    begin(&store.connection, &head)?;
    prune::prune(&mut store.connection, prune::SIZE_LIMIT_BYTES)?;
    while let Ok(message) = queue.recv() {
        match message {
            Message::Begin(_) => {}
            Message::Update(update) => self::update(&mut store.connection, &head, &update)?,
            Message::End(tail) => return end(&store.connection, &head, &tail),
        }
    }
    Ok(())
}

fn begin(connection: &Connection, head: &Head) -> Result<(), StoreError> {
    let text = packed(&json(head)?)?;
    connection.execute(
        "INSERT INTO runs (id, started_unix_ns, heard_unix_ns, command, title, head, bytes) \
         VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6)",
        params![
            head.id,
            whole(head.started_unix_ns),
            head.command,
            head.title,
            text,
            text.len() as i64
        ],
    )?;
    for (label, value) in &head.labels {
        connection.execute(
            "INSERT INTO labels (run, label, value) VALUES (?1, ?2, ?3)",
            params![head.id, label, value],
        )?;
    }
    Ok(())
}

/// One second of the run in one transaction.
fn update(connection: &mut Connection, head: &Head, update: &Update) -> Result<(), StoreError> {
    let change = connection.transaction()?;
    let mut bytes = 0;
    for (number, key) in (update.first_fresh..).zip(&update.fresh_keys) {
        let text = json(key)?;
        bytes += text.len();
        change.execute(
            "INSERT OR IGNORE INTO keys (run, number, key) VALUES (?1, ?2, ?3)",
            params![head.id, number, text],
        )?;
    }
    for (kind, frame) in [(SECOND, &update.second), (SPAN, &update.span)] {
        let mut data = Vec::new();
        frame.encode(&mut data);
        let data = packed_bytes(&data)?;
        // A span is written again every second until it is full; it counts once.
        bytes += if kind == SECOND || is_full(frame) {
            data.len()
        } else {
            0
        };
        change.execute(
            "INSERT OR REPLACE INTO frames (run, kind, at_ns, data) VALUES (?1, ?2, ?3, ?4)",
            params![head.id, kind, whole(frame.at_ns), data],
        )?;
    }
    let heard = head
        .started_unix_ns
        .saturating_add(update.second.until_ns());
    change.execute(
        "UPDATE runs SET heard_unix_ns = ?2, bytes = bytes + ?3 WHERE id = ?1",
        params![head.id, whole(heard), bytes as i64],
    )?;
    change.commit()?;
    Ok(())
}

/// Whether a span is complete: within half a second of its ten.
fn is_full(span: &Frame) -> bool {
    span.span_ns >= 9_500_000_000
}

fn end(connection: &Connection, head: &Head, tail: &Tail) -> Result<(), StoreError> {
    // The largest text of all, and nobody looks for anything in it: as it comes, without a tree of values.
    let text = serde_json::to_string(tail).map_err(|e| StoreError::Failed(e.to_string()))?;
    let text = packed(&text)?;
    let line = json(&Line::of(tail))?;
    connection.execute(
        "UPDATE runs SET tail = ?2, line = ?3, bytes = bytes + ?4 WHERE id = ?1",
        params![head.id, text, line, text.len() as i64],
    )?;
    Ok(())
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_value(value)
        .map(|value: Value| value.to_string())
        .map_err(|e| StoreError::Failed(e.to_string()))
}

fn packed(text: &str) -> Result<Vec<u8>, StoreError> {
    packed_bytes(text.as_bytes())
}

fn packed_bytes(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    zstd::bulk::compress(bytes, COMPRESSION).map_err(|e| StoreError::Failed(e.to_string()))
}

/// As SQLite counts: with a sign.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
