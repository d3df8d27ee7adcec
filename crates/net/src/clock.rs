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

/// A stamp may seem to come so much too early or too late before it is doubted, in nanoseconds.
const TOLERANCE_NS: u64 = 2_000;

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
    /// The offset before the last jump.
    offset_before_ns: Cell<u64>,
    refreshed_ns: Cell<u64>,
    /// Stamps mapped since the offset was measured.
    mapped: Cell<u64>,
    wall: Cell<WallClock>,
}

/// What was seen of the wall clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WallClock {
    /// How often it jumped.
    pub steps: u64,
    /// The largest jump, in nanoseconds.
    pub largest_step_ns: u64,
    /// Stamps that may have been mapped with the offset of the wrong side of a jump, at most.
    pub suspects: u64,
    /// How far a mapping can be wrong otherwise: the width of the widest bracket around a measurement, in nanoseconds.
    pub mapping_error_ns: u64,
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
            offset_before_ns: Cell::new(offset_ns),
            refreshed_ns: Cell::new(anchor_ns),
            mapped: Cell::new(0),
            wall: Cell::new(WallClock {
                mapping_error_ns: width_ns,
                ..WallClock::default()
            }),
        }))
    }

    /// Monotonic nanoseconds now.
    #[inline]
    pub fn now_ns(&self) -> u64 {
        monotonic_ns()
    }

    /// Maps a wall-clock stamp (nanoseconds since 1970) to monotonic nanoseconds. What was stamped happened between
    /// `floor_ns` and `ceiling_ns`, a recent reading that the caller already has; it also decides whether the offset is
    /// measured anew. None when the stamp cannot be from between: the wall clock was set in the meantime.
    #[inline]
    pub fn to_monotonic(&self, realtime_ns: u64, floor_ns: u64, ceiling_ns: u64) -> Option<u64> {
        let inner = &self.0;
        if ceiling_ns.saturating_sub(inner.refreshed_ns.get()) >= OFFSET_REFRESH_NS {
            self.refresh(ceiling_ns);
        }
        inner.mapped.set(inner.mapped.get() + 1);
        let mapped_ns = realtime_ns.saturating_sub(inner.offset_ns.get());
        if mapped_ns + TOLERANCE_NS >= floor_ns && mapped_ns <= ceiling_ns + TOLERANCE_NS {
            return Some(mapped_ns);
        }
        self.map_again(realtime_ns, floor_ns, ceiling_ns)
    }

    /// The stamp is impossible by the present offset: perhaps by a new one, or by the one before, it is not.
    #[cold]
    fn map_again(&self, realtime_ns: u64, floor_ns: u64, ceiling_ns: u64) -> Option<u64> {
        self.refresh(ceiling_ns);
        let offsets = [&self.0.offset_ns, &self.0.offset_before_ns];
        let mapped = offsets.map(|offset| realtime_ns.saturating_sub(offset.get()));
        mapped
            .into_iter()
            .find(|ns| ns + TOLERANCE_NS >= floor_ns && *ns <= ceiling_ns + TOLERANCE_NS)
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

    /// What was seen of the wall clock since the start.
    pub fn wall_clock(&self) -> WallClock {
        self.0.wall.get()
    }

    #[cold]
    fn refresh(&self, now_ns: u64) {
        let (offset_ns, width_ns) = sandwich();
        let inner = &self.0;
        let step_ns = offset_ns.abs_diff(inner.offset_ns.get());
        let mut wall = inner.wall.get();
        if step_ns > STEP_THRESHOLD_NS + width_ns {
            wall.steps += 1;
            wall.largest_step_ns = wall.largest_step_ns.max(step_ns);
            // The jump was somewhere between the two measurements.
            wall.suspects += inner.mapped.get();
            inner.offset_before_ns.set(inner.offset_ns.get());
        }
        wall.mapping_error_ns = wall.mapping_error_ns.max(width_ns);
        inner.wall.set(wall);
        inner.mapped.set(0);
        inner.offset_ns.set(offset_ns);
        inner.refreshed_ns.set(now_ns);
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
        assert_eq!(clock.to_monotonic(clock.unix_ns(now), 0, now), Some(now));
    }

    #[test]
    fn a_stale_offset_is_measured_again() {
        let clock = Clock::new();
        clock.0.offset_ns.set(17);
        let now = clock.now_ns();
        let wall = read(libc::CLOCK_REALTIME);
        let mapped = clock.to_monotonic(wall, 0, now + OFFSET_REFRESH_NS);
        assert!(mapped.unwrap().abs_diff(now) < 1_000_000_000);
        assert_eq!(clock.wall_clock().steps, 1);
    }

    /// As if the wall clock had jumped by so much after the offset was measured.
    fn jumped(by_ns: i64) -> Clock {
        let clock = Clock::new();
        let offset = clock.0.offset_ns.get().checked_add_signed(-by_ns);
        clock.0.offset_ns.set(offset.unwrap());
        clock
    }

    #[test]
    fn a_stamp_from_after_a_jump_is_mapped_by_the_new_offset() {
        for by_ns in [100_000_000, -100_000_000] {
            let clock = jumped(by_ns);
            let floor = clock.now_ns();
            let wall = read(libc::CLOCK_REALTIME);
            let ceiling = clock.now_ns();
            let mapped = clock.to_monotonic(wall, floor, ceiling).unwrap();
            assert!(mapped + TOLERANCE_NS >= floor && mapped <= ceiling + TOLERANCE_NS);
            let seen = clock.wall_clock();
            assert_eq!((seen.steps, seen.suspects), (1, 1));
            assert!(seen.largest_step_ns.abs_diff(100_000_000) < 1_000_000);
        }
    }

    #[test]
    fn a_stamp_from_before_a_jump_is_mapped_by_the_old_offset() {
        let clock = jumped(100_000_000);
        let at = clock.now_ns();
        // Stamped by the clock that the offset still describes.
        let stamp = clock.unix_ns(at);
        let late = at + OFFSET_REFRESH_NS;
        assert_eq!(clock.to_monotonic(stamp, at - 1_000, late), Some(at));
        assert_eq!(clock.wall_clock().steps, 1);
    }

    #[test]
    fn a_stamp_from_nowhere_is_none() {
        let clock = Clock::new();
        let now = clock.now_ns();
        let wall = clock.unix_ns(now);
        assert_eq!(clock.to_monotonic(wall - 1_000_000_000, now - 5, now), None);
        assert_eq!(clock.to_monotonic(wall + 1_000_000_000, now - 5, now), None);
        assert_eq!(clock.wall_clock().steps, 0, "nothing has jumped");
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
