//! `netload target` beside a measurement: started, listening, and gone when its value is.
//!
//! Owns the process and its address; what it answers and on which core is the caller's. Invariant: nothing of it outlives
//! its value.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};

/// What it says before its address.
const LISTENING: &str = "listening on ";

/// A running target.
pub(crate) struct Target {
    process: Child,
    url: String,
}

impl Target {
    /// Starts it on a free port of loopback and waits until it listens. `command` is netload, perhaps on a core of its own.
    pub(crate) fn start(mut command: Command, options: &[&str]) -> std::io::Result<Self> {
        let mut process = command
            .args(["target", "--listen", "127.0.0.1:0"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let url = line.trim().strip_prefix(LISTENING).unwrap_or_default();
        let target = Self {
            url: url.to_owned(),
            process,
        };
        match target.url.is_empty() {
            true => Err(std::io::Error::other(format!(
                "the target did not start: {line:?}"
            ))),
            false => Ok(target),
        }
    }

    /// `http://` with host and port.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&mut self) -> std::io::Result<Option<ExitStatus>> {
        self.process.try_wait()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // It has ended already, or it has nothing to lose.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
