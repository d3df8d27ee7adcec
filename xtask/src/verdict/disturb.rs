//! What is done to the generator while it measures. Invariant: nothing of it outlives its value.

use std::any::Any;
use std::process::{Child, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::time::{ClockId, Timespec, clock_gettime, clock_settime};

use super::{CORE, Failure, quota};
use crate::bench::measure::pinned;

/// Programs that want the generator's core for themselves.
const HOGS: usize = 2;
/// How long a pulse stops the generator, and how long it runs between two.
const STOPPED: Duration = Duration::from_millis(200);
const RUNNING: Duration = Duration::from_millis(300);
/// How far the clock is set, in nanoseconds.
const STEP_NS: i64 = 100_000_000;

/// A disturbance under way; ends when dropped.
pub(super) struct Disturber {
    _under_way: Box<dyn Any>,
}

impl Disturber {
    /// Nothing is done.
    pub(super) fn none() -> Self {
        Self::of(())
    }

    fn of(under_way: impl Any) -> Self {
        Self {
            _under_way: Box::new(under_way),
        }
    }

    /// Starts endless loops on the generator's core.
    pub(super) fn hogs() -> Result<Self, Failure> {
        let mut hogs = Hogs(Vec::new());
        for _ in 0..HOGS {
            let mut hog = pinned(CORE, "sh".as_ref());
            hog.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            hogs.0.push(hog.spawn()?);
        }
        Ok(Self::of(hogs))
    }

    /// Stops and continues a process again and again.
    pub(super) fn pulses(pid: u32) -> Self {
        let (stop, stopped) = channel::<()>();
        let pid = Pid::from_raw(pid as i32);
        let thread = std::thread::spawn(move || {
            let over = |time| stopped.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
            while kill(pid, Signal::SIGSTOP).is_ok() {
                let end = over(STOPPED);
                if kill(pid, Signal::SIGCONT).is_err() || end || over(RUNNING) {
                    break;
                }
            }
        });
        Self::of(Pulses {
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Tightens the quota of the group in which the generator runs.
    pub(super) fn quota() -> Result<Self, Failure> {
        quota::Tight::begin().map(Self::of)
    }

    /// Sets the wall clock.
    pub(super) fn clock() -> Result<Self, Failure> {
        set_clock(STEP_NS)?;
        Ok(Self::of(Step))
    }

    /// The same when its time is over.
    pub(super) fn ended(self) -> Self {
        drop(self);
        Self::none()
    }
}

/// Endless loops.
struct Hogs(Vec<Child>);

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// A thread that stops and continues a process.
struct Pulses {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Pulses {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A clock that is wrong.
struct Step;

impl Drop for Step {
    fn drop(&mut self) {
        if let Err(error) = set_clock(-STEP_NS) {
            println!("the clock stays 100 ms ahead: {error}");
        }
    }
}

fn set_clock(by_ns: i64) -> Result<(), Failure> {
    let now = clock_gettime(ClockId::Realtime);
    let ns = now.tv_sec * 1_000_000_000 + now.tv_nsec + by_ns;
    let time = Timespec {
        tv_sec: ns.div_euclid(1_000_000_000),
        tv_nsec: ns.rem_euclid(1_000_000_000),
    };
    clock_settime(ClockId::Realtime, time).map_err(|e| format!("the clock cannot be set: {e}"))?;
    Ok(())
}
