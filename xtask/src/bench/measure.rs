//! One child process: its CPU time, its peak memory, its output.
//!
//! CPU time is what the kernel charged to children that have ended, so only one
//! child may end at a time. Invariant: the child is pinned before it starts.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use super::Failure;
use crate::host;

/// How often memory is read; peaks are kept by the kernel, so this only has to catch the end.
const POLL: Duration = Duration::from_millis(10);
/// A child that runs longer than this is given up.
const PATIENCE: Duration = Duration::from_secs(600);

/// What one run used and said.
pub(crate) struct Used {
    /// User and system time, in seconds.
    pub(crate) cpu_seconds: f64,
    /// From start to end, in seconds.
    pub(crate) wall_seconds: f64,
    /// Peak resident memory, in bytes.
    pub(crate) peak_bytes: u64,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A command that runs on these cores only (`0`, `0,1`).
pub(crate) fn pinned(cores: &str, program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", cores]).arg(program);
    command
}

/// Runs to the end on a quiet machine; failing is an error unless the status is one of `accepted`.
pub(crate) fn run(command: &mut Command, accepted: &[i32]) -> Result<Used, Failure> {
    host::wait_until_quiet();
    run_at_once(command, accepted)
}

/// The same without waiting, for whoever has others beside it that do not wait.
pub(crate) fn run_at_once(command: &mut Command, accepted: &[i32]) -> Result<Used, Failure> {
    let folder = std::env::temp_dir().join(format!("netload-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    command
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?);
    let cpu_before = children_cpu_seconds()?;
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_bytes = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err(format!("still running after {PATIENCE:?}").into());
        }
        peak_bytes = peak_bytes.max(peak(&status_file).unwrap_or(0));
        std::thread::sleep(POLL.min(Duration::from_millis(1) + start.elapsed() / 20));
    };
    let used = Used {
        wall_seconds: start.elapsed().as_secs_f64(),
        cpu_seconds: children_cpu_seconds()? - cpu_before,
        peak_bytes,
        stdout: std::fs::read_to_string(&out)?,
        stderr: std::fs::read_to_string(&err)?,
    };
    if status.success() || status.code().is_some_and(|code| accepted.contains(&code)) {
        Ok(used)
    } else {
        let last: Vec<_> = used.stderr.lines().rev().take(3).collect();
        Err(format!("{:?} ended with {status}: {last:?}", command.get_args()).into())
    }
}

fn children_cpu_seconds() -> Result<f64, Failure> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(micros as f64 / 1e6)
}

/// The peak of resident memory so far.
fn peak(status_file: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status_file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
