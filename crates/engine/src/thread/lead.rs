//! How long before a planned start a worker's alarm rings.
//!
//! Waking up takes a few microseconds on a machine of one's own and a hundred on a virtual one whose processor was given
//! away meanwhile, and it changes with the hour. So the time is learned from how late the alarm rang. Owns that law
//! alone. Invariant: between the least and the most, whatever happened.

/// The least, in nanoseconds.
const LEAST_NS: u64 = 50_000;
/// The most: what is spun is taken from others.
const MOST_NS: u64 = 200_000;
/// From the alarm to a worker that looks at the clock, beside the wake-up itself.
const MARGIN_NS: u64 = 5_000;
/// How much is added for a start that the alarm came too late for.
const MORE_NS: u64 = 10_000;
/// How much is taken away for one in time: so one in a hundred comes too late.
const LESS_NS: u64 = 100;

/// What was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    ns: u64,
}

impl Default for Lead {
    fn default() -> Self {
        Self { ns: LEAST_NS }
    }
}

impl Lead {
    /// The time, in nanoseconds.
    pub(super) fn ns(self) -> u64 {
        self.ns
    }

    /// The alarm rang so much later than it was set to.
    pub(super) fn learn(&mut self, rang_late_ns: u64) {
        // What takes longer than the most is no wake-up: others had the processor, and no lead is enough for that.
        if rang_late_ns > MOST_NS {
            return;
        }
        self.ns = if rang_late_ns + MARGIN_NS > self.ns {
            self.ns + MORE_NS
        } else {
            self.ns - LESS_NS
        };
        self.ns = self.ns.clamp(LEAST_NS, MOST_NS);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn after(late: impl IntoIterator<Item = u64>) -> u64 {
        let mut lead = Lead::default();
        late.into_iter().for_each(|ns| lead.learn(ns));
        lead.ns()
    }

    #[test]
    fn a_machine_that_wakes_at_once_costs_the_least() {
        assert_eq!(after([2_000; 1_000]), LEAST_NS);
    }

    #[test]
    fn most_wake_ups_are_soon_in_time_and_rare_ones_do_not_count() {
        let slow = after([90_000; 200]);
        assert!((90_000..=110_000).contains(&slow), "{slow}");
        let rare = after((0..10_000).map(|n| if n % 1_000 == 0 { 150_000 } else { 20_000 }));
        assert!(rare <= LEAST_NS + MORE_NS, "{rare}");
    }

    #[test]
    fn a_processor_taken_by_others_teaches_nothing() {
        assert_eq!(after([3_000_000; 1_000]), LEAST_NS);
    }

    proptest! {
        #[test]
        fn it_stays_between_its_bounds(late in prop::collection::vec(0u64..10_000_000, 0..500)) {
            let ns = after(late);
            prop_assert!((LEAST_NS..=MOST_NS).contains(&ns));
        }
    }
}
