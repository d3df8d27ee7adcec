//! Tests that the server starts: each a process of its own, so that whatever a script does, the server, its history and
//! the other tests go on.
//!
//! A child gets one line that says what to run and then orders, on its standard input; its events come on standard error,
//! told by a mark from whatever else it writes there. Invariant: a child whose server is gone ends itself.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use netload_web::{Hub, Kind, Order, Refusal, Running};
use serde_json::{Value, json};

use super::desk::{MARK, now_ms};
use super::pipe;
use super::wanted::{Source, Wanted};

/// Tests that may run at the same time: they disturb each other.
const CHILDREN_AT_MOST: usize = 4;
/// Longest wait for a child to show its record.
const VIEW_TIMEOUT: Duration = Duration::from_secs(10);
/// What is kept of a child's standard output, its summary, in bytes.
const SUMMARY_AT_MOST: u64 = 256 << 10;
/// Records of tests that are over, kept for pages still open.
const LAST_VIEWS: usize = 5;

/// The command that a child runs.
pub(crate) const TASK: &str = "serve-task";

/// All children.
#[derive(Clone, Default)]
pub(crate) struct Children {
    state: Arc<Mutex<State>>,
    /// What every child is given on its command line.
    arguments: Arc<Vec<String>>,
}

#[derive(Default)]
struct State {
    running: HashMap<String, Arc<Handle>>,
    /// The last words of tests that are over, the newest last.
    views: Vec<(String, String)>,
}

struct Handle {
    orders: Mutex<ChildStdin>,
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    number: u64,
    waiting: HashMap<u64, SyncSender<String>>,
}

impl Children {
    /// None yet; every one will be given these arguments.
    pub(crate) fn new(arguments: Vec<String>) -> Self {
        Self {
            arguments: Arc::new(arguments),
            ..Self::default()
        }
    }

    /// Starts a test.
    pub(crate) fn start(&self, wanted: &Wanted, id: &str, hub: &Hub) -> Result<(), Refusal> {
        if self.state().running.len() >= CHILDREN_AT_MOST {
            let text = format!("{CHILDREN_AT_MOST} tests are running already");
            return Err(Refusal::conflict(text).hint("stop one of them, or wait"));
        }
        let failed = |e: std::io::Error| Refusal::failed(format!("cannot start a test: {e}"));
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Command::new(program)
            .args([TASK, "--quiet"])
            .args(&*self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(mut orders), Some(output), Some(events)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Refusal::failed("cannot talk to the test"));
        };
        let first = format!("{}\n", task(wanted, id));
        orders.write_all(first.as_bytes()).map_err(failed)?;
        let handle = Arc::new(Handle {
            orders: Mutex::new(orders),
            asked: Mutex::default(),
        });
        let run = hub.open(id);
        self.state().running.insert(id.to_owned(), handle.clone());
        let summary = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What cannot be read is not shown; the numbers come another way.
            let _ = output.take(SUMMARY_AT_MOST).read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let children = self.clone();
        std::thread::spawn(move || {
            let end = listen(BufReader::new(events), &run, &handle);
            children.over(child, &run, end, summary.join().unwrap_or_default());
        });
        Ok(())
    }

    /// Gives a child an order; false when there is no such child.
    pub(crate) fn steer(&self, id: &str, order: &Order) -> Result<bool, Refusal> {
        let Some(handle) = self.find(id) else {
            return Ok(false);
        };
        handle.send(&pipe::line(order))?;
        Ok(true)
    }

    /// The record of a child as pages show it; none when there is no such child.
    pub(crate) fn view(&self, id: &str) -> Option<Result<String, Refusal>> {
        if let Some(handle) = self.find(id)
            && let Ok(view) = handle.view()
        {
            return Some(match view.as_str() {
                "null" => Err(Refusal::conflict("the test has not begun yet")),
                _ => Ok(view),
            });
        }
        let state = self.state();
        let found = state.views.iter().find(|(of, _)| of == id);
        found.map(|(_, view)| Ok(view.clone()))
    }

    /// Ends every child.
    pub(crate) fn stop_all(&self) {
        let all: Vec<Arc<Handle>> = self.state().running.values().cloned().collect();
        for handle in all {
            // A child that cannot be told anything ends by itself.
            let _ = handle.send(&pipe::line(&Order::Stop));
        }
    }

    /// Whether none runs.
    pub(crate) fn is_empty(&self) -> bool {
        self.state().running.is_empty()
    }

    fn over(&self, mut child: Child, run: &Running, end: Ending, summary: String) {
        let code = child.wait().ok().and_then(|status| status.code());
        let mut state = self.state();
        state.running.remove(run.id());
        if let Some(view) = end.view {
            if state.views.len() >= LAST_VIEWS {
                state.views.remove(0);
            }
            state.views.push((run.id().to_owned(), view));
        }
        drop(state);
        let told = end.told.unwrap_or_else(|| {
            json!({
                "exit_code": code,
                "sentence": match (code, end.last_words.is_empty()) {
                    (None, _) => "the process of the test was killed".to_owned(),
                    (Some(code), true) => format!("the test ended with exit code {code}"),
                    (Some(_), false) => end.last_words,
                },
                "failed": true,
            })
        });
        let mut told = told;
        told["summary"] = summary.into();
        run.post(Kind::End, told.to_string());
    }

    fn find(&self, id: &str) -> Option<Arc<Handle>> {
        self.state().running.get(id).cloned()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Handle {
    fn send(&self, line: &str) -> Result<(), Refusal> {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        orders
            .write_all(line.as_bytes())
            .map_err(|_| Refusal::conflict("the test is over"))
    }

    fn view(&self) -> Result<String, Refusal> {
        let (answer, answered) = sync_channel(1);
        let number = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.number += 1;
            let number = asked.number;
            asked.waiting.insert(number, answer);
            number
        };
        self.send(&format!(
            "{}\n",
            json!({ "order": "view", "number": number })
        ))?;
        let view = answered.recv_timeout(VIEW_TIMEOUT);
        view.map_err(|_| Refusal::conflict("the test does not answer"))
    }

    fn answer(&self, text: &str) {
        let Some((number, view)) = text.split_once(' ') else {
            return;
        };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = number
            .parse()
            .ok()
            .and_then(|n: u64| asked.waiting.remove(&n));
        if let Some(waiting) = waiting {
            // Whoever asked may have given up.
            let _ = waiting.send(view.to_owned());
        }
    }
}

/// What a child said at its end.
#[derive(Default)]
struct Ending {
    told: Option<Value>,
    view: Option<String>,
    /// The last line that was no event, such as an error.
    last_words: String,
}

/// Passes on what a child tells until it is gone.
fn listen(events: impl BufRead, run: &Running, handle: &Handle) -> Ending {
    let mut end = Ending::default();
    for line in events.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let Some((kind, data)) = line.strip_prefix(MARK).and_then(|l| l.split_once(' ')) else {
            if !line.trim().is_empty() {
                let log =
                    json!({ "time_ms": now_ms(), "level": "error", "message": line, "fields": {} });
                run.post(Kind::Log, log.to_string());
                if line.starts_with("error: ") {
                    end.last_words = line.trim_start_matches("error: ").to_owned();
                }
            }
            continue;
        };
        match (kind, Kind::named(kind)) {
            ("view", _) => handle.answer(data),
            ("last-view", _) => end.view = Some(data.to_owned()),
            // Told when the process is gone, with its summary.
            (_, Some(Kind::End)) => end.told = serde_json::from_str(data).ok(),
            (_, Some(kind)) => run.post(kind, data),
            _ => {}
        }
    }
    end
}

/// What a child is told to run.
fn task(wanted: &Wanted, id: &str) -> Value {
    let object = |pairs: &[(String, String)]| -> serde_json::Map<String, Value> {
        let pairs = pairs.iter().cloned();
        pairs.map(|(name, value)| (name, value.into())).collect()
    };
    let mut task = json!({
        "id": id,
        "title": wanted.title,
        "options": wanted.options,
        "env": object(&wanted.env),
        "labels": object(&wanted.labels),
    });
    match &wanted.source {
        Source::File(path) => task["file"] = path.as_str().into(),
        Source::Text(text) => task["script"] = text.as_str().into(),
    }
    task
}
