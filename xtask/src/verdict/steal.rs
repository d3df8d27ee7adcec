//! What the hypervisor takes from this machine while netload runs.
//!
//! A run without a disturbance of ours is no clean run when the host disturbs it: an alarm is right then, and silence too
//! when little was taken. Owns the witness, not the judgement. Invariant: a machine that does not count says that nothing
//! was taken, so no run is set aside for want of knowledge.

use std::time::{Duration, Instant};

use crate::host::Ticks;

/// How often is looked: the kernel counts in ticks of 10 ms, netload judges half seconds.
const EVERY: Duration = Duration::from_millis(500);

/// Looks at the counters while a run lasts.
pub(super) struct Steal {
    looked: Instant,
    ticks: Ticks,
    most: f64,
}

impl Steal {
    pub(super) fn watch() -> Self {
        Self {
            looked: Instant::now(),
            ticks: Ticks::now(),
            most: 0.0,
        }
    }

    /// To be called often.
    pub(super) fn look(&mut self) {
        if self.looked.elapsed() >= EVERY {
            self.looked = Instant::now();
            let now = Ticks::now();
            self.most = self.most.max(now.most_since(&self.ticks));
            self.ticks = now;
        }
    }

    /// The largest part of a CPU's half second that was taken.
    pub(super) fn most(&self) -> f64 {
        self.most
    }
}
