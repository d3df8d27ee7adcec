//! The clock: monotonic nanoseconds, and the way from the kernel's wall-clock stamps to them.
//!
//! Owns every clock read of the hot path. Leaves out timers (tokio's). Invariant: all instants handed out are
//! `CLOCK_MONOTONIC` nanoseconds, so they can be compared and subtracted whatever happens to the wall clock.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How old the wall-clock offset may get before a stamp is mapped with it.
pub const OFFSET_REFRESH_NS: u64 = 100_000_000;

/// A change of the offset larger than this counts as a step of the wall clock.
pub const STEP_THRESHOLD_NS: u64 = 5_000;

/// How many sandwiched reads are made per refresh; the narrowest wins.
const SANDWICHES: usize = 3;

/// A worker's clock. Cheap to clone; all clones share one offset.
#[derive(Clone, Debug)]
pub struct Clock(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    anchor: Instant,
    anchor_ns: u64,
    offset_ns: Cell<u64>,
    width_ns: Cell<u64>,
    refreshed_ns: Cell<u64>,
    steps: Cell<u64>,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock {
    /// Reads both clocks once and starts from there.
    pub fn new() -> Self {
        let anchor = Instant::now();
        let anchor_ns = monotonic_ns();
        let (offset_ns, width_ns) = sandwich();
        Self(Rc::new(Inner {
            anchor,
            anchor_ns,
            offset_ns: Cell::new(offset_ns),
            width_ns: Cell::new(width_ns),
            refreshed_ns: Cell::new(anchor_ns),
            steps: Cell::new(0),
        }))
    }

    /// Monotonic nanoseconds now.
    #[inline]
    pub fn now_ns(&self) -> u64 {
        monotonic_ns()
    }

    /// Maps a wall-clock stamp (nanoseconds since 1970) to monotonic nanoseconds. `now_ns` is a recent reading that
    /// the caller already has; it decides whether the offset is measured anew.
    #[inline]
    pub fn to_monotonic(&self, realtime_ns: u64, now_ns: u64) -> u64 {
        if now_ns.saturating_sub(self.0.refreshed_ns.get()) >= OFFSET_REFRESH_NS {
            self.refresh(now_ns);
        }
        realtime_ns.saturating_sub(self.0.offset_ns.get())
    }

    /// Maps a monotonic instant to nanoseconds since 1970.
    pub fn unix_ns(&self, mono_ns: u64) -> u64 {
        mono_ns.saturating_add(self.0.offset_ns.get())
    }

    /// The point in tokio's time that is `mono_ns` on this clock.
    pub fn instant(&self, mono_ns: u64) -> Instant {
        if mono_ns >= self.0.anchor_ns {
            self.0.anchor + Duration::from_nanos(mono_ns - self.0.anchor_ns)
        } else {
            let back = Duration::from_nanos(self.0.anchor_ns - mono_ns);
            self.0.anchor.checked_sub(back).unwrap_or(self.0.anchor)
        }
    }

    /// How far the last mapping can be wrong: the width of the narrowest sandwich, in nanoseconds.
    pub fn mapping_error_ns(&self) -> u64 {
        self.0.width_ns.get()
    }

    /// How often the wall clock was seen to jump since the start.
    pub fn steps(&self) -> u64 {
        self.0.steps.get()
    }

    #[cold]
    fn refresh(&self, now_ns: u64) {
        let (offset_ns, width_ns) = sandwich();
        if offset_ns.abs_diff(self.0.offset_ns.get()) > STEP_THRESHOLD_NS + width_ns {
            self.0.steps.set(self.0.steps.get() + 1);
        }
        self.0.offset_ns.set(offset_ns);
        self.0.width_ns.set(width_ns);
        self.0.refreshed_ns.set(now_ns);
    }
}

/// Monotonic nanoseconds now, for callers that have no [`Clock`] at hand.
#[inline]
pub fn monotonic_ns() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// Measures wall clock minus monotonic clock; returns it with the width of the bracket around the reading.
fn sandwich() -> (u64, u64) {
    let mut best = (0, u64::MAX);
    for _ in 0..SANDWICHES {
        let before = read(libc::CLOCK_MONOTONIC);
        let wall = read(libc::CLOCK_REALTIME);
        let after = read(libc::CLOCK_MONOTONIC);
        let width = after.saturating_sub(before);
        if width < best.1 {
            best = (wall.saturating_sub(before + width / 2), width);
        }
    }
    best
}

#[inline]
fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid timespec that lives across the call, and both clock ids used here always exist.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_go_back() {
        let clock = Clock::new();
        let mut last = 0;
        for _ in 0..10_000 {
            let now = clock.now_ns();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn wall_and_monotonic_map_to_each_other() {
        let clock = Clock::new();
        let now = clock.now_ns();
        assert_eq!(clock.to_monotonic(clock.unix_ns(now), now), now);
    }

    #[test]
    fn a_stale_offset_is_measured_again() {
        let clock = Clock::new();
        clock.0.offset_ns.set(17);
        let now = clock.now_ns();
        let wall = read(libc::CLOCK_REALTIME);
        let mapped = clock.to_monotonic(wall, now + OFFSET_REFRESH_NS);
        assert!(mapped.abs_diff(now) < 1_000_000_000);
        assert_eq!(clock.steps(), 1);
    }

    #[test]
    fn instants_agree_with_the_standard_library() {
        let clock = Clock::new();
        let before = Instant::now();
        let at = clock.instant(clock.now_ns());
        assert!(at + Duration::from_millis(1) >= before);
        assert!(at <= Instant::now() + Duration::from_millis(1));
    }
}
