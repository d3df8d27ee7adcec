//! The reference for lateness: a bare loop that sleeps with a timerfd until just before each start, then spins.
//!
//! Nothing can start on time more exactly in user space; what is left is the machine. It runs as a process of its own,
//! on the generator's core, while the reference server holds the other one as in every run: a host takes time away from
//! a machine that is busy. Invariant: planned starts come from arithmetic, never from a clock.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Stdio;

use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime,
    timerfd_create, timerfd_settime,
};

use super::truth::Server;
use super::{CORE, Failure, Rig};
use crate::bench::measure::pinned;
use crate::{Outcome, host, shell};

/// The last part of each wait, in nanoseconds: as long as waking up may take.
const SPIN_NS: u64 = 50_000;
/// From the start of the loop to the first planned start.
const RUN_UP_NS: u64 = 10_000_000;

/// Runs the loop in another process; gives p99 of the lateness in nanoseconds.
pub(super) fn lateness_p99_ns(rig: &Rig, rate: f64) -> Result<f64, Failure> {
    let _server = Server::start(&rig.netload, &rig.fresh_folder()?)?;
    let mut command = pinned(CORE, &std::env::current_exe()?);
    host::wait_until_quiet();
    command.args([
        "accuracy",
        "--pace",
        &rate.to_string(),
        "--seconds",
        &rig.seconds.to_string(),
    ]);
    Ok(shell::read(command.stdin(Stdio::null()))?.trim().parse()?)
}

/// The loop itself; prints p99.
pub(super) fn run(rate: f64, seconds: u64) -> Outcome {
    // As netload does while starts are planned: idle processors stay awake, where that is permitted.
    let awake = OpenOptions::new().write(true).open("/dev/cpu_dma_latency");
    let _awake = awake.and_then(|mut file| file.write_all(&0i32.to_ne_bytes()).map(|()| file));
    let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
    let begin = now_ns() + RUN_UP_NS;
    let count = (rate * seconds as f64) as u64;
    let mut late = Vec::with_capacity(count as usize);
    for index in 0..count {
        let planned = begin + (index as f64 * 1e9 / rate) as u64;
        let wake = planned.saturating_sub(SPIN_NS);
        if now_ns() < wake {
            let setting = Itimerspec {
                it_interval: timespec(0),
                it_value: timespec(wake),
            };
            timerfd_settime(&timer, TimerfdTimerFlags::ABSTIME, &setting)?;
            rustix::io::read(&timer, &mut [0; 8])?;
        }
        let started = loop {
            let now = now_ns();
            if now >= planned {
                break now;
            }
            std::hint::spin_loop();
        };
        late.push(started - planned);
    }
    late.sort_unstable();
    let rank = (late.len() as f64 * 0.99).ceil() as usize;
    println!("{}", late.get(rank.saturating_sub(1)).copied().unwrap_or(0));
    Ok(())
}

fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

fn timespec(ns: u64) -> Timespec {
    Timespec {
        tv_sec: (ns / 1_000_000_000) as i64,
        tv_nsec: (ns % 1_000_000_000) as i64,
    }
}
