//! How far the numbers of a run can be trusted: stamps, clocks, censored values, and what became of everything planned.
//!
//! Owns the facts and how they add up. Leaves out where they come from (net and engine) and how they are shown.
//! Invariant: merging loses no count.

use crate::compat::Compat;
use crate::histogram::Histogram;
use crate::interval::InstrumentError;

/// Whose time is in the durations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// The server's and the network's: measured at the kernel.
    #[default]
    Net,
    /// Everybody's: measured where other tools measure.
    Gross,
}

impl Basis {
    /// The names in options and documents.
    pub const NAMES: [&str; 2] = ["net", "gross"];

    /// `net` or `gross`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Net => "net",
            Self::Gross => "gross",
        }
    }

    /// The basis with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Net, Self::Gross]
            .into_iter()
            .find(|basis| basis.name() == name)
    }
}

/// Values that are known only from below: what was waited for had not come by then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Censored {
    /// How many.
    pub count: u64,
    /// The smallest bound, in nanoseconds.
    pub least_ns: u64,
    /// The largest.
    pub most_ns: u64,
}

impl Censored {
    /// Adds others.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.least_ns = if self.count == 0 {
            other.least_ns
        } else {
            self.least_ns.min(other.least_ns)
        };
        self.most_ns = self.most_ns.max(other.most_ns);
        self.count += other.count;
    }
}

/// What became of the exchanges: `begun = finished + failed + unfinished`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    /// Begun.
    pub begun: u64,
    /// With a complete response.
    pub finished: u64,
    /// Without; those that timed out included.
    pub failed: u64,
    /// Given up at their deadline. They are in the durations with the time until then.
    pub timed_out: Censored,
    /// Cut off with the iteration around them, so in no duration.
    pub unfinished: Censored,
}

/// Which responses have a kernel stamp on their end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// Those that have one.
    pub kernel: u64,
    /// Over unix sockets, which have none.
    pub unix: u64,
    /// Over sockets that the kernel refused to stamp.
    pub refused: u64,
    /// That should have one.
    pub missing: u64,
}

impl Stamps {
    /// Responses without a stamp.
    pub fn without(&self) -> u64 {
        self.unix + self.refused + self.missing
    }

    /// Why most of those without a stamp have none; empty when all have one.
    pub fn reason(&self) -> &'static str {
        let reasons = [
            (self.unix, "unix sockets have none"),
            (self.refused, "the kernel refused to make them"),
            (self.missing, "they did not come with the data"),
        ];
        let most = reasons.iter().max_by_key(|(count, _)| *count);
        most.filter(|(count, _)| *count > 0)
            .map_or("", |(_, reason)| reason)
    }

    /// Adds others.
    pub fn merge(&mut self, other: &Self) {
        self.kernel += other.kernel;
        self.unix += other.unix;
        self.refused += other.refused;
        self.missing += other.missing;
    }

    /// The share of responses without a stamp.
    pub fn share_without(&self) -> f64 {
        self.without() as f64 / (self.kernel + self.without()).max(1) as f64
    }
}

/// The sampled departures of requests. Distributions are in nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Departures {
    /// Requests whose departure the kernel was asked for.
    pub asked: u64,
    /// Those for which it answered.
    pub answered: u64,
    /// Those that did not leave between the clock reads around their write.
    pub outside: u64,
    /// From the clock read before the write until the driver had the bytes.
    pub delay: Histogram,
    /// From the clock read before the write to the one behind it.
    pub bracket: Histogram,
    /// The real departure minus the assumed one.
    pub error: Histogram,
}

/// The wall clock behind the stamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WallClock {
    /// How often it was seen to jump.
    pub steps: u64,
    /// The largest jump, in nanoseconds.
    pub largest_step_ns: u64,
    /// Stamps that may have been read on the wrong side of a jump, at most.
    pub suspects: u64,
    /// How far a mapped stamp can be wrong otherwise, in nanoseconds.
    pub mapping_error_ns: u64,
}

/// What became of the plan, in iterations:
/// `planned = started + dropped + refused + left` (open model), `started = finished + failed + interrupted`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conservation {
    /// Starts that became due; none in the closed model, where nothing is planned in time.
    pub planned: Option<u64>,
    /// Iterations of the open model that began.
    pub started_as_planned: u64,
    /// Iterations that began.
    pub started: u64,
    /// Iterations that ran to their end.
    pub finished: u64,
    /// Iterations that threw.
    pub failed: u64,
    /// Iterations that were cut short.
    pub interrupted: u64,
    /// Starts that were dropped because no VU was free, and iterations of a closed scenario that its time did not allow.
    pub dropped: u64,
    /// Those of them that were planned in time.
    pub dropped_as_planned: u64,
    /// Starts that found the waiting line full.
    pub refused: u64,
    /// Starts that still waited at the end.
    pub left: u64,
    /// How long the oldest of them had waited, in nanoseconds.
    pub longest_left_ns: u64,
}

impl Conservation {
    /// Whether nothing was lost and nothing made up.
    pub fn holds(&self) -> bool {
        let ended = self.finished + self.failed + self.interrupted;
        let released = self.started_as_planned + self.dropped_as_planned + self.refused + self.left;
        self.started == ended && self.planned.is_none_or(|planned| planned == released)
    }
}

/// Everything about the quality of a run's numbers.
#[derive(Clone, Debug, Default)]
pub struct Accuracy {
    /// Whose time is in the durations.
    pub basis: Basis,
    /// The tool whose definition `http_req_compat` follows.
    pub compat: Option<Compat>,
    /// What became of the exchanges.
    pub exchanges: Exchanges,
    /// Which responses have stamps.
    pub stamps: Stamps,
    /// When requests left.
    pub departures: Departures,
    /// The wall clock.
    pub clock: WallClock,
    /// What became of the plan; known at the end.
    pub conservation: Option<Conservation>,
}

impl Accuracy {
    /// Adds what another worker, or the same one in another window, knows.
    pub fn merge(&mut self, other: &Self) {
        let (mine, theirs) = (&mut self.exchanges, &other.exchanges);
        mine.begun += theirs.begun;
        mine.finished += theirs.finished;
        mine.failed += theirs.failed;
        mine.timed_out.merge(&theirs.timed_out);
        mine.unfinished.merge(&theirs.unfinished);
        self.stamps.merge(&other.stamps);
        let (mine, theirs) = (&mut self.departures, &other.departures);
        mine.asked += theirs.asked;
        mine.answered += theirs.answered;
        mine.outside += theirs.outside;
        mine.delay.merge(&theirs.delay);
        mine.bracket.merge(&theirs.bracket);
        mine.error.merge(&theirs.error);
        // All workers see the same wall clock.
        let (mine, theirs) = (&mut self.clock, &other.clock);
        mine.steps = mine.steps.max(theirs.steps);
        mine.largest_step_ns = mine.largest_step_ns.max(theirs.largest_step_ns);
        mine.suspects += theirs.suspects;
        mine.mapping_error_ns = mine.mapping_error_ns.max(theirs.mapping_error_ns);
    }

    /// How far a net duration can be wrong, in milliseconds.
    pub fn instrument_error(&self) -> InstrumentError {
        let mapping = self.clock.mapping_error_ns as f64;
        let error = &self.departures.error;
        // 95 % of the departures lie between these.
        let (early, late) = if error.count() > 0 {
            (error.percentile(2.5), error.percentile(97.5))
        } else {
            (0.0, 0.0)
        };
        let stamped = self.stamps.kernel + self.stamps.without();
        InstrumentError {
            // A request that left later than assumed took less time than reported.
            below: (late.max(0.0) + mapping) / 1e6,
            above: ((-early).max(0.0) + mapping) / 1e6,
            inflated: self.stamps.share_without(),
            astray: self.clock.suspects as f64 / stamped.max(1) as f64,
        }
    }
}
