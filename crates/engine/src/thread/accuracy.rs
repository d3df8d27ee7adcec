//! What the worker's instrument and clock know, as the metrics crate adds it up.

use netload_metrics::accuracy::{Accuracy, Censored, Departures, Exchanges, Stamps, WallClock};
use netload_net::{Bounds, TxSample};

use crate::program::Program;

use super::Thread;

impl<P: Program> Thread<P> {
    /// Everything since the last call.
    pub(super) fn accuracy(&self) -> Accuracy {
        let (counts, samples) = self.worker.dialer.instrument().take();
        Accuracy {
            exchanges: Exchanges {
                begun: counts.begun,
                finished: counts.finished,
                failed: counts.failed,
                timed_out: censored(counts.timed_out),
                unfinished: censored(counts.unfinished),
            },
            stamps: Stamps {
                kernel: counts.stamped,
                unix: counts.unix,
                refused: counts.refused,
                missing: counts.missing,
            },
            departures: departures(counts.tx_asked, counts.tx_answered, &samples),
            clock: self.wall_clock(),
            ..Accuracy::default()
        }
    }

    fn wall_clock(&self) -> WallClock {
        let seen = self.worker.clock.wall_clock();
        let told = self.suspects_told.replace(seen.suspects);
        WallClock {
            steps: seen.steps,
            largest_step_ns: seen.largest_step_ns,
            suspects: seen.suspects - told,
            mapping_error_ns: seen.mapping_error_ns,
        }
    }
}

fn censored(bounds: Bounds) -> Censored {
    Censored {
        count: bounds.count,
        least_ns: bounds.least_ns,
        most_ns: bounds.most_ns,
    }
}

fn departures(asked: u64, answered: u64, samples: &[TxSample]) -> Departures {
    let mut departures = Departures {
        asked,
        answered,
        ..Departures::default()
    };
    for sample in samples {
        let left = sample.left_ns as f64;
        departures.delay.record(left);
        departures.bracket.record(sample.returned_ns as f64);
        departures.error.record(left - sample.assumed_ns as f64);
        let outside = sample.left_ns < 0 || sample.left_ns as u64 > sample.returned_ns;
        departures.outside += u64::from(outside);
    }
    departures
}
