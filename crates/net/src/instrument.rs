//! What a worker knows about the quality of its own measurements.
//!
//! Owns the counts of stamps and exchanges and the sampled transmit stamps, from which it learns how long after the
//! clock read before a write the bytes really leave. Leaves out what follows from them (the metrics crate). Invariant:
//! every exchange that was begun is counted exactly once more, as finished, failed or unfinished.

use std::cell::{Cell, RefCell};

/// One in so many exchanges asks the kernel when its request left.
pub const TX_SAMPLING: u64 = 64;

/// So many exchanges at the start ask all the same, so that something is known early.
const TX_FIRST: u64 = 16;

/// Requests larger than this are not sampled, in bytes: they leave in parts.
pub const TX_REQUEST_LIMIT: usize = 16 * 1024;

/// The delay is the median of so many last samples.
const DELAYS: usize = 31;

/// Samples kept between two looks at them at most.
const SAMPLES_LIMIT: usize = 16_384;

/// One sampled request, in nanoseconds since the clock read just before its write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxSample {
    /// The kernel handed it to the driver.
    pub left_ns: i64,
    /// The write returned.
    pub returned_ns: u64,
    /// What was assumed for `left_ns`.
    pub assumed_ns: u64,
}

/// Values that are known only from below: what was waited for had not come by then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How many.
    pub count: u64,
    /// The smallest bound, in nanoseconds.
    pub least_ns: u64,
    /// The largest.
    pub most_ns: u64,
}

impl Bounds {
    fn add(&mut self, ns: u64) {
        self.least_ns = if self.count == 0 {
            ns
        } else {
            self.least_ns.min(ns)
        };
        self.most_ns = self.most_ns.max(ns);
        self.count += 1;
    }
}

/// Counts since the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Exchanges that were begun.
    pub begun: u64,
    /// Exchanges with a complete response.
    pub finished: u64,
    /// Exchanges without.
    pub failed: u64,
    /// Those of them that were given up at their deadline, by how long they had lasted.
    pub timed_out: Bounds,
    /// Exchanges that were cut off with the iteration around them, by how long they had lasted.
    pub unfinished: Bounds,
    /// Responses whose end has a kernel stamp.
    pub stamped: u64,
    /// Responses over a unix socket, which has no stamps.
    pub unix: u64,
    /// Responses over a socket that the kernel refused to stamp.
    pub refused: u64,
    /// Responses that should have a stamp and have none, or an impossible one.
    pub missing: u64,
    /// Requests whose departure the kernel was asked for.
    pub tx_asked: u64,
    /// Those for which it answered.
    pub tx_answered: u64,
}

/// Why a response has no stamp, or that it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamping {
    /// The kernel stamps what this socket receives.
    Kernel,
    /// Nobody wants stamps.
    Unwanted,
    /// The kernel refused.
    Refused,
    /// A unix socket.
    Unix,
}

/// How an exchange ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a complete response.
    Finished,
    /// Without.
    Failed,
    /// At its deadline, after so many nanoseconds.
    TimedOut(u64),
    /// With the iteration around it, after so many nanoseconds.
    Unfinished(u64),
}

/// One worker's instrument.
#[derive(Debug, Default)]
pub struct Instrument {
    counts: RefCell<Counts>,
    asked: Cell<u64>,
    samples: RefCell<Vec<TxSample>>,
    plain: Delay,
    tls: Delay,
}

impl Instrument {
    /// An exchange begins.
    pub fn begin(&self) {
        self.counts.borrow_mut().begun += 1;
    }

    /// An exchange is over.
    pub fn end(&self, ending: Ending) {
        let mut counts = self.counts.borrow_mut();
        match ending {
            Ending::Finished => counts.finished += 1,
            Ending::Failed => counts.failed += 1,
            Ending::TimedOut(ns) => {
                counts.failed += 1;
                counts.timed_out.add(ns);
            }
            Ending::Unfinished(ns) => counts.unfinished.add(ns),
        }
    }

    /// A response came, with or without a stamp on its end.
    pub fn response(&self, has_stamp: bool, stamping: Stamping) {
        let mut counts = self.counts.borrow_mut();
        match stamping {
            _ if has_stamp => counts.stamped += 1,
            Stamping::Kernel => counts.missing += 1,
            Stamping::Refused => counts.refused += 1,
            Stamping::Unix => counts.unix += 1,
            Stamping::Unwanted => {}
        }
    }

    /// Whether the next request should ask for its departure.
    pub fn is_sampling(&self) -> bool {
        let asked = self.asked.get();
        self.asked.set(asked + 1);
        asked < TX_FIRST || asked.is_multiple_of(TX_SAMPLING)
    }

    /// How long after the clock read before a write the bytes leave, as far as is known, in nanoseconds.
    pub fn send_delay_ns(&self, tls: bool) -> u64 {
        self.delay(tls).median_ns.get()
    }

    /// What came of a request that asked for its departure.
    pub fn departure(&self, tls: bool, sample: Option<TxSample>) {
        let mut counts = self.counts.borrow_mut();
        counts.tx_asked += 1;
        let Some(sample) = sample else { return };
        counts.tx_answered += 1;
        self.delay(tls).learn(sample.left_ns.max(0) as u64);
        let mut samples = self.samples.borrow_mut();
        if samples.len() < SAMPLES_LIMIT {
            samples.push(sample);
        }
    }

    /// The counts and samples since the last call.
    pub fn take(&self) -> (Counts, Vec<TxSample>) {
        (self.counts.take(), self.samples.take())
    }

    fn delay(&self, tls: bool) -> &Delay {
        if tls { &self.tls } else { &self.plain }
    }
}

/// A running median.
#[derive(Debug, Default)]
struct Delay {
    last: RefCell<Vec<u64>>,
    next: Cell<usize>,
    median_ns: Cell<u64>,
}

impl Delay {
    fn learn(&self, ns: u64) {
        let mut last = self.last.borrow_mut();
        if last.len() < DELAYS {
            last.push(ns);
        } else {
            last[self.next.get()] = ns;
            self.next.set((self.next.get() + 1) % DELAYS);
        }
        let mut sorted = [0; DELAYS];
        let sorted = &mut sorted[..last.len()];
        sorted.copy_from_slice(&last);
        sorted.sort_unstable();
        self.median_ns.set(sorted[sorted.len() / 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(left_ns: i64) -> Option<TxSample> {
        Some(TxSample {
            left_ns,
            returned_ns: 9_000,
            assumed_ns: 0,
        })
    }

    #[test]
    fn the_delay_is_the_median_of_the_last_samples_of_its_kind() {
        let instrument = Instrument::default();
        for left_ns in [3_000, 1_000, 2_000, 900_000] {
            instrument.departure(false, sample(left_ns));
        }
        instrument.departure(false, None);
        assert_eq!(instrument.send_delay_ns(false), 3_000);
        assert_eq!(instrument.send_delay_ns(true), 0);
        for _ in 0..DELAYS {
            instrument.departure(false, sample(7_000));
        }
        assert_eq!(instrument.send_delay_ns(false), 7_000);
        let (counts, samples) = instrument.take();
        assert_eq!((counts.tx_asked, counts.tx_answered), (36, 35));
        assert_eq!(samples.len(), 35);
        assert_eq!(instrument.take().0, Counts::default());
    }

    #[test]
    fn one_in_sixty_four_is_sampled_and_a_few_at_the_start() {
        let instrument = Instrument::default();
        let asked = (0..6_400).filter(|_| instrument.is_sampling()).count();
        assert_eq!(asked, 16 + 99);
    }

    #[test]
    fn every_exchange_ends_once() {
        let instrument = Instrument::default();
        let endings = [
            Ending::Finished,
            Ending::Failed,
            Ending::TimedOut(30),
            Ending::TimedOut(20),
            Ending::Unfinished(5),
        ];
        for ending in endings {
            instrument.begin();
            instrument.end(ending);
        }
        let counts = instrument.take().0;
        let ended = counts.finished + counts.failed + counts.unfinished.count;
        assert_eq!((counts.begun, ended), (5, 5));
        let timed_out = Bounds {
            count: 2,
            least_ns: 20,
            most_ns: 30,
        };
        assert_eq!(counts.timed_out, timed_out);
    }
}
