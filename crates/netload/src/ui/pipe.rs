//! The near end of a test that a server started: the first line of standard input says what to run, further lines are
//! orders, events go out on standard error.
//!
//! A test must not outlive whoever can stop it: when standard input ends, the test is ended.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use netload_engine::{Control, End};
use netload_web::{Order, Refusal, Scaling};
use serde_json::{Value, json};

use super::desk::{Desk, MARK, Way};
use super::keep::Kept;
use crate::failure::Failure;
use crate::running::Reins;
use crate::steering;

/// Lines of events that wait to be written.
const LINES_QUEUED: usize = 4_096;

/// The first line: what to run.
pub(crate) fn first_line() -> Result<Value, Failure> {
    let mut line = String::new();
    let strange =
        || Failure::usage("this command is for `netload serve`, which tells it what to run");
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|_| strange())?;
    serde_json::from_str(&line).map_err(|_| strange())
}

/// A desk whose events go to the process that started this one.
pub(crate) fn desk() -> Result<(Arc<Desk>, Writer), Failure> {
    let (lines, queue) = sync_channel::<String>(LINES_QUEUED);
    let own = lines.clone();
    let thread = std::thread::Builder::new()
        .name("events".to_owned())
        .spawn(move || write(&queue))
        .map_err(|e| Failure::usage(format!("cannot start the thread that tells events: {e}")))?;
    let writer = Writer { lines: own, thread };
    Ok((Arc::new(Desk::new(Way::Pipe(lines))), writer))
}

/// The thread that writes events.
pub(crate) struct Writer {
    lines: std::sync::mpsc::SyncSender<String>,
    thread: std::thread::JoinHandle<()>,
}

impl Writer {
    /// The record of a test that is over.
    pub(crate) fn last_view(&self, view: &str) {
        // Whoever does not listen any more does not need it.
        let _ = self.lines.send(format!("{MARK}last-view {view}\n"));
    }

    /// Waits until everything is written.
    pub(crate) fn finish(self) {
        let _ = self.lines.send(String::new());
        let _ = self.thread.join();
    }
}

fn write(queue: &Receiver<String>) {
    while let Ok(line) = queue.recv() {
        if line.is_empty() || std::io::stderr().write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Obeys the orders on standard input until it ends, which ends the test.
pub(crate) fn obey(reins: Reins, kept: Kept, writer: &Writer) -> Result<(), Failure> {
    let lines = writer.lines.clone();
    let obeying = move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let Ok(order) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            match order["order"].as_str() {
                Some("view") => {
                    let view = kept.view().unwrap_or_else(|| "null".to_owned());
                    let _ = lines.send(format!("{MARK}view {} {view}\n", order["number"]));
                }
                Some(name) => {
                    if let Err(refusal) = carry_out(name, &order, &reins) {
                        // No event: it becomes a line of the log that the page shows.
                        let _ = lines.send(format!("{refusal}\n"));
                    }
                }
                None => {}
            }
        }
        // A test that has not begun ends with its process.
        let _ = carry_out("stop", &Value::Null, &reins);
    };
    std::thread::Builder::new()
        .name("orders".to_owned())
        .spawn(obeying)
        .map_err(|e| Failure::usage(format!("cannot start the thread that takes orders: {e}")))?;
    Ok(())
}

fn carry_out(name: &str, order: &Value, reins: &Reins) -> Result<(), Refusal> {
    let text = |name: &str| order[name].as_str().map(str::to_owned);
    let read = match name {
        "stop" => Order::Stop,
        "pause" => Order::Pause,
        "resume" => Order::Resume,
        "scale" => Order::Scale(Scaling {
            vus: order["vus"].as_u64(),
            max: order["max"].as_u64(),
            rate: text("rate"),
            scenario: text("scenario"),
        }),
        _ => return Ok(()),
    };
    obey_one(&read, reins)
}

/// Gives a running test an order.
///
/// # Errors
/// The test has not begun, or cannot do it.
pub(crate) fn obey_one(order: &Order, reins: &Reins) -> Result<(), Refusal> {
    let Some(state) = reins.state() else {
        return Err(Refusal::conflict("the test has not begun yet"));
    };
    match order {
        Order::Stop => state.end(End::Api),
        Order::Pause => state.order(Control::Pause(true)),
        Order::Resume => state.order(Control::Pause(false)),
        Order::Scale(wanted) => steering::scale(&state, wanted).map_err(Refusal::conflict)?,
    }
    Ok(())
}

/// An order as a line for [`obey`].
pub(crate) fn line(order: &Order) -> String {
    let order = match order {
        Order::Stop => json!({ "order": "stop" }),
        Order::Pause => json!({ "order": "pause" }),
        Order::Resume => json!({ "order": "resume" }),
        Order::Scale(Scaling {
            vus,
            max,
            rate,
            scenario,
        }) => {
            json!({ "order": "scale", "vus": vus, "max": max, "rate": rate, "scenario": scenario })
        }
    };
    format!("{order}\n")
}
