//! Processors that stay awake while exact instants are waited for.
//!
//! Owns the one wish to the kernel that needs permission: no sleep of an idle processor may take longer than nothing to
//! wake from (PM QoS, as `cyclictest` asks for it). Invariant: where it is not permitted nothing else changes.

use std::fs::{File, OpenOptions};
use std::io::Write;

/// Where Linux takes the wish; it holds as long as the file is open.
const PATH: &str = "/dev/cpu_dma_latency";
/// The time to wake up that is tolerated, in microseconds, as the kernel reads it.
const TOLERATED_US: i32 = 0;

/// While it lives, idle processors of the machine wait without sleeping, if that is permitted.
#[derive(Debug)]
pub struct Awake {
    _held: Option<File>,
}

impl Awake {
    /// Asks for it.
    pub fn hold() -> Self {
        let held = OpenOptions::new().write(true).open(PATH);
        let held = held.and_then(|mut file| {
            file.write_all(&TOLERATED_US.to_ne_bytes())?;
            Ok(file)
        });
        Self { _held: held.ok() }
    }
}
