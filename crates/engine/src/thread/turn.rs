//! When a VU could have taken a planned start, had the tool never been late.
//!
//! Owns the split of the time between planned and actual start into wait (something else was being served) and lateness
//! (the tool). A stall of the tool delays all starts behind it: what they then wait for each other is still the tool's
//! share and is carried on as the VU's lag until the VU has been idle. Invariant: wait + lateness is the whole time.

use netload_http::Opening;

/// What a turn from one request to the next may take without being a stall, in nanoseconds. Each connection of a server
/// that is always busy pays this again and again; carried on it would add up to an answer about another server.
const REGULAR_TURN_NS: u64 = 1_000_000;

/// What is known of a VU between its iterations, monotonic nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// When its last iteration was served to the end.
    free_ns: u64,
    /// How much sooner that would have been without stalls of the tool.
    lag_ns: u64,
}

impl Turn {
    /// A start planned for `planned_ns` really begins.
    pub(super) fn begin(&mut self, planned_ns: u64, began_ns: u64) -> Opening {
        let due_ns = planned_ns.max(self.free_ns.saturating_sub(self.lag_ns));
        let possible_ns = planned_ns.max(self.free_ns);
        let fresh_ns = began_ns.saturating_sub(possible_ns);
        self.lag_ns = possible_ns - due_ns;
        if fresh_ns >= REGULAR_TURN_NS {
            self.lag_ns += fresh_ns;
        }
        Opening {
            wait_ns: due_ns - planned_ns,
            late_ns: began_ns.saturating_sub(due_ns),
        }
    }

    /// The iteration was served to the end at `free_ns`.
    pub(super) fn end(&mut self, free_ns: u64) {
        self.free_ns = free_ns;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: u64 = 1_000_000;

    fn opening(wait_ns: u64, late_ns: u64) -> Opening {
        Opening { wait_ns, late_ns }
    }

    #[test]
    fn an_idle_vu_waits_for_nobody() {
        let mut turn = Turn::default();
        assert_eq!(turn.begin(100 * MS, 100 * MS + 30), opening(0, 30));
        turn.end(101 * MS);
        assert_eq!(turn.begin(110 * MS, 110 * MS), opening(0, 0));
    }

    #[test]
    fn a_busy_server_makes_its_users_wait() {
        let mut turn = Turn::default();
        turn.begin(100 * MS, 100 * MS);
        turn.end(150 * MS);
        assert_eq!(turn.begin(110 * MS, 150 * MS + 40), opening(40 * MS, 40));
        turn.end(200 * MS);
        assert_eq!(
            turn.begin(120 * MS, 200 * MS + 40),
            opening(80 * MS, 40),
            "turns do not add up"
        );
    }

    #[test]
    fn what_a_stall_of_the_tool_delays_is_the_tools() {
        let mut turn = Turn::default();
        // The tool slept from 100 to 300 ms; each request takes 1 ms, one is planned every 10 ms.
        let mut now = 300 * MS;
        for planned in (100..300).step_by(10) {
            let planned = planned * MS;
            assert_eq!(turn.begin(planned, now), opening(0, now - planned));
            now += MS;
            turn.end(now);
        }
    }

    #[test]
    fn a_stall_does_not_hide_a_slow_server() {
        let mut turn = Turn::default();
        // 200 ms late, then 50 ms of service with a start every 10 ms: 40 ms of the second one's time are the server's.
        turn.begin(100 * MS, 300 * MS);
        turn.end(350 * MS);
        assert_eq!(turn.begin(110 * MS, 350 * MS), opening(40 * MS, 200 * MS));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(starts in prop::collection::vec((0u64..20 * MS, 0u64..5 * MS, 1u64..30 * MS), 1..50)) {
            let (mut turn, mut planned, mut now) = (Turn::default(), 0, 0);
            for (gap, late, service) in starts {
                planned += gap;
                let began = planned.max(now) + late;
                let opening = turn.begin(planned, began);
                prop_assert_eq!(planned + opening.wait_ns + opening.late_ns, began);
                now = began + service;
                turn.end(now);
            }
        }
    }
}
