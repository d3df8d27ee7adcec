//! The one writer of standard error: log lines and the live view, so that neither tears the other.
//!
//! Records come from worker threads and must not wait: they go into a bounded queue, and what does not fit is counted.
//! Invariant: everything taken before [`Screen::settle`] is written when it returns.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use netload_engine::log::{Level, Log, Record};
use netload_script::Secrets;

use super::frame;
use super::line::{self, Form};
use super::settings::size;
use crate::failure::Failure;

/// Records and frames that wait to be written; beyond it records are dropped and counted.
const MESSAGES_QUEUED: usize = 16_384;

/// Where log lines go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Standard error, together with the live view.
    Stderr,
    /// Standard output.
    Stdout,
    /// Nowhere.
    Nowhere,
    /// Appended to this file.
    File(String),
}

/// How log lines are written.
#[derive(Clone, Debug)]
pub(crate) struct ScreenConfig {
    /// Where they go.
    pub(crate) output: Output,
    /// Their form.
    pub(crate) form: Form,
    /// What is less important is left out.
    pub(crate) level: Level,
    /// A file of their own for what the script prints.
    pub(crate) console: Option<String>,
    /// What no line shows.
    pub(crate) secrets: Arc<Secrets>,
}

enum Message {
    Record(Record),
    /// The live view from now on; empty takes it away.
    Frame(String),
    /// Plain text that stays.
    Text(String),
    /// Answer when everything before is written.
    Settle(SyncSender<()>),
    End,
}

/// The handle to the writing thread.
pub(crate) struct Screen {
    queue: SyncSender<Message>,
    level: Level,
    dropped: AtomicU64,
    thread: Mutex<Option<JoinHandle<()>>>,
    tap: Arc<OnceLock<Tap>>,
}

/// Sees every record as it is written, without secrets.
type Tap = Box<dyn Fn(&Record) + Send + Sync>;

impl Screen {
    /// Opens the log and starts the thread.
    pub(crate) fn start(config: &ScreenConfig) -> Result<Self, Failure> {
        let (queue, messages) = sync_channel(MESSAGES_QUEUED);
        let tap = Arc::new(OnceLock::new());
        let mut writer = Writer {
            log: sink(&config.output)?,
            console: config.console.as_deref().map(append).transpose()?,
            secrets: config.secrets.clone(),
            tap: tap.clone(),
            form: config.form,
            console_form: if config.form == Form::Colored {
                Form::Text
            } else {
                config.form
            },
            started: Instant::now(),
            frame: String::new(),
            columns: 0,
        };
        let thread = std::thread::Builder::new()
            .name("screen".to_owned())
            .spawn(move || writer.run(&messages))
            .map_err(|e| {
                Failure::usage(format!("cannot start the thread that writes the log: {e}"))
            })?;
        Ok(Self {
            queue,
            level: config.level,
            dropped: AtomicU64::new(0),
            thread: Mutex::new(Some(thread)),
            tap,
        })
    }

    /// Shows records to somebody else too; only the first one counts.
    pub(crate) fn tap(&self, tap: Tap) {
        // A run has one place where it is watched.
        let _ = self.tap.set(tap);
    }

    /// Replaces the live view: lines, each with its line end; an empty text takes the view away.
    pub(crate) fn frame(&self, text: String) {
        // A view that does not fit into the queue is out of date before it could be seen.
        let _ = self.queue.try_send(Message::Frame(text));
    }

    /// Writes text that stays, such as a line of progress.
    pub(crate) fn text(&self, text: String) {
        let _ = self.queue.send(Message::Text(text));
    }

    /// Takes the live view away and waits until everything is written.
    pub(crate) fn settle(&self) {
        let (done, settled) = sync_channel(1);
        let _ = self.queue.send(Message::Frame(String::new()));
        if self.queue.send(Message::Settle(done)).is_ok() {
            let _ = settled.recv();
        }
    }

    /// Ends the thread, after everything is written. Says how many records did not fit into the queue.
    pub(crate) fn end(&self) {
        let dropped = self.dropped.load(Relaxed);
        if dropped > 0 {
            let text = format!(
                "{dropped} log lines were dropped because they came faster than they could be written"
            );
            let _ = self
                .queue
                .send(Message::Record(Record::new(Level::Warning, text)));
        }
        let _ = self.queue.send(Message::Frame(String::new()));
        let _ = self.queue.send(Message::End);
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            // A writer that panicked has told so already.
            let _ = thread.join();
        }
    }
}

impl Log for Screen {
    fn log(&self, record: Record) {
        if record.level < self.level {
            return;
        }
        if self.queue.try_send(Message::Record(record)).is_err() {
            self.dropped.fetch_add(1, Relaxed);
        }
    }
}

/// Where the lines end up.
enum Sink {
    Stderr,
    Stdout,
    Nowhere,
    File(BufWriter<File>),
}

struct Writer {
    log: Sink,
    console: Option<BufWriter<File>>,
    secrets: Arc<Secrets>,
    tap: Arc<OnceLock<Tap>>,
    form: Form,
    console_form: Form,
    started: Instant,
    frame: String,
    /// How wide the terminal was when the view was drawn.
    columns: usize,
}

impl Writer {
    fn run(&mut self, messages: &Receiver<Message>) {
        while let Ok(first) = messages.recv() {
            // What waits is written in one go: the view is taken away and drawn again once, not once a line.
            let mut lines = String::new();
            let mut frame = None;
            let mut settled = Vec::new();
            let mut ended = false;
            for message in std::iter::once(first).chain(messages.try_iter().take(MESSAGES_QUEUED)) {
                match message {
                    Message::Record(mut record) => {
                        self.secrets.redact(&mut record);
                        if let Some(tap) = self.tap.get() {
                            tap(&record);
                        }
                        self.record(&record, &mut lines);
                    }
                    Message::Frame(text) => frame = Some(text),
                    Message::Text(text) => lines += &text,
                    Message::Settle(done) => settled.push(done),
                    Message::End => ended = true,
                }
            }
            self.show(&lines, frame);
            self.flush();
            for done in settled {
                let _ = done.send(());
            }
            if ended {
                return;
            }
        }
    }

    fn record(&mut self, record: &Record, lines: &mut String) {
        let time = local_time();
        let seconds = self.started.elapsed().as_secs();
        if let (Some(console), Some("console")) = (&mut self.console, record.source) {
            let bare = Record {
                source: None,
                ..record.clone()
            };
            let line = line::line(&bare, self.console_form, &time, seconds);
            let _ = console.write_all(line.as_bytes());
            return;
        }
        let line = line::line(record, self.form, &time, seconds);
        // Who cannot be written to cannot be told so either.
        let _ = match &mut self.log {
            Sink::Stderr => {
                *lines += &line;
                Ok(())
            }
            Sink::Stdout => io::stdout().write_all(line.as_bytes()),
            Sink::Nowhere => Ok(()),
            Sink::File(file) => file.write_all(line.as_bytes()),
        };
    }

    /// Writes lines above the view and the view below them, in one piece.
    fn show(&mut self, lines: &str, frame: Option<String>) {
        if lines.is_empty() && frame.is_none() {
            return;
        }
        let columns = size().0;
        let is_same_width = columns == self.columns;
        // A view that was composed before the terminal became narrower takes more rows than it has lines.
        let is_whole = |view: &str| frame::rows(view, columns) == view.lines().count();
        let old = std::mem::take(&mut self.frame);
        let new = frame.unwrap_or_else(|| old.clone());
        let text = match (old.is_empty(), new.is_empty()) {
            (true, true) => lines.to_owned(),
            (true, false) => format!("{lines}\x1b[?25l{new}"),
            (false, true) => format!("{}{lines}\x1b[?25h", frame::erase(&old, columns)),
            // Only what changed, where it stands: nothing can flicker.
            (false, false)
                if lines.is_empty() && is_same_width && is_whole(&old) && is_whole(&new) =>
            {
                frame::change(&old, &new)
            }
            (false, false) => format!("{}{lines}{new}", frame::erase(&old, columns)),
        };
        self.frame = new;
        self.columns = columns;
        let _ = io::stderr().write_all(text.as_bytes());
    }

    fn flush(&mut self) {
        if let Sink::File(file) = &mut self.log {
            let _ = file.flush();
        }
        if let Some(console) = &mut self.console {
            let _ = console.flush();
        }
    }
}

/// Now, in RFC 3339 with seconds and the local time zone; Go writes UTC as Z.
pub(super) fn local_time() -> String {
    let now = jiff::Zoned::now();
    let zone = if now.offset().is_zero() { "Z" } else { "%:z" };
    now.strftime(&format!("%Y-%m-%dT%H:%M:%S{zone}"))
        .to_string()
}

fn sink(output: &Output) -> Result<Sink, Failure> {
    Ok(match output {
        Output::Stderr => Sink::Stderr,
        Output::Stdout => Sink::Stdout,
        Output::Nowhere => Sink::Nowhere,
        Output::File(path) => Sink::File(append(path)?),
    })
}

fn append(path: &str) -> Result<BufWriter<File>, Failure> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened
        .map(BufWriter::new)
        .map_err(|e| Failure::usage(format!("cannot write to the file `{path}`: {e}")))
}
