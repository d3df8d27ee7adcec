//! Whether the wall clock, by which the kernel stamps packets, was set.

use netload_metrics::generator::Evidence;
use netload_net::Clock;

/// A clock of the coordinator's own, asked ten times a second.
pub(super) struct ClockWatch {
    clock: Clock,
    steps: u64,
    offset_ns: u64,
    step_ns: u64,
    /// Slices with a step, and all.
    pub(super) stepped: u64,
    pub(super) slices: u64,
}

impl ClockWatch {
    pub(super) fn new() -> Self {
        let clock = Clock::new();
        Self {
            steps: clock.wall_clock().steps,
            offset_ns: clock.unix_ns(0),
            clock,
            step_ns: 0,
            stepped: 0,
            slices: 0,
        }
    }

    /// Looks at both clocks.
    pub(super) fn look(&mut self) {
        // Mapping an instant measures the offset anew when it is old.
        let _ = self.clock.to_monotonic(0, 0, self.clock.now_ns());
        let offset_ns = self.clock.unix_ns(0);
        self.step_ns = self.step_ns.max(offset_ns.abs_diff(self.offset_ns));
        self.offset_ns = offset_ns;
    }

    /// Writes the steps since the last call into the evidence.
    pub(super) fn tell(&mut self, evidence: &mut Evidence) {
        let steps = self.clock.wall_clock().steps;
        evidence.clock_steps = steps - self.steps;
        if evidence.clock_steps > 0 {
            evidence.clock_step_ns = self.step_ns;
            self.stepped += 1;
        }
        self.slices += 1;
        self.steps = steps;
        self.step_ns = 0;
    }
}
