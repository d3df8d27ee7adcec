//! What is done to a tool while it measures.
//!
//! Only the generator is disturbed: the server has a core of its own. Invariant: nothing of it outlives its value.

use std::process::{Child, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{CORE, Failure};
use crate::bench::measure::pinned;

/// Programs that want the generator's core for themselves.
const HOGS: usize = 6;
/// The scheduler prefers them, where that is permitted: who only waits mostly is given the processor at once.
const HOG_NICE: &str = "-5";
/// How long a pulse stops the generator, and how long it runs between two.
const STOPPED: Duration = Duration::from_millis(200);
const RUNNING: Duration = Duration::from_millis(300);

/// A disturbance of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// None.
    Quiet,
    /// Endless loops on the same core.
    Hog,
    /// Stopped and continued again and again.
    Pulses,
}

impl Disturbance {
    /// What it is, for a table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Disturbance::Quiet => "undisturbed",
            Disturbance::Hog => "six CPU hogs on its core",
            Disturbance::Pulses => "stopped for 200 ms every 500 ms",
        }
    }

    /// Starts to disturb the process `pid`.
    pub(super) fn start(self, pid: u32) -> Result<Disturber, Failure> {
        let mut disturber = Disturber {
            hogs: Vec::new(),
            pulses: None,
        };
        match self {
            Disturbance::Quiet => {}
            Disturbance::Hog => {
                for _ in 0..HOGS {
                    let mut hog = pinned(CORE, "nice".as_ref());
                    hog.args(["-n", HOG_NICE, "sh", "-c", "while :; do :; done"]);
                    hog.stdin(Stdio::null()).stderr(Stdio::null());
                    disturber.hogs.push(hog.spawn()?);
                }
            }
            Disturbance::Pulses => disturber.pulses = Some(Pulses::start(pid)),
        }
        Ok(disturber)
    }
}

/// A disturbance under way; ends when dropped.
pub(super) struct Disturber {
    hogs: Vec<Child>,
    pulses: Option<Pulses>,
}

impl Drop for Disturber {
    fn drop(&mut self) {
        drop(self.pulses.take());
        for hog in &mut self.hogs {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

struct Pulses {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Pulses {
    fn start(pid: u32) -> Pulses {
        let (stop, stopped) = channel::<()>();
        let pid = Pid::from_raw(pid as i32);
        let thread = std::thread::spawn(move || {
            let over = |time| stopped.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
            while !over(RUNNING) && kill(pid, Signal::SIGSTOP).is_ok() {
                let end = over(STOPPED);
                if kill(pid, Signal::SIGCONT).is_err() || end {
                    break;
                }
            }
        });
        Pulses {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Pulses {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn pulses_stop_a_process_and_leave_it_running() {
        let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
        let state = |pid: u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            stat.split(' ').nth(2).unwrap_or_default().to_owned()
        };
        let disturber = Disturbance::Pulses.start(sleeper.id()).unwrap();
        let patience = std::time::Instant::now() + Duration::from_secs(20);
        while state(sleeper.id()) != "T" {
            assert!(std::time::Instant::now() < patience, "never stopped");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(disturber);
        while state(sleeper.id()) == "T" {
            assert!(std::time::Instant::now() < patience, "never continued");
            std::thread::sleep(Duration::from_millis(5));
        }
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
    }
}
