//! The picture of a running test, as pure functions of a [`ProgressView`].
//!
//! Owns two forms: plain lines for logs and pipes ([`plain`], k6's form, about once a second), and a frame for terminals
//! ([`frame`], drawn again in the same place). Leaves out clocks, cursor movements and streams: the caller fills the view
//! ten times a second at most and draws. A frame never has a line that is wider than the terminal.

mod frame;
mod plain;

use netload_plan::duration::format_go;

pub use frame::frame;
pub use plain::plain;

/// Everything that is shown about a running test.
#[derive(Clone, Debug, Default)]
pub struct ProgressView {
    /// What the run is doing: `running`, `setup`, `paused`, `stopping`.
    pub status: String,
    /// How long the load has lasted, in nanoseconds.
    pub elapsed_ns: u64,
    /// How long it can last, graceful stops left out, in nanoseconds; none if nothing ends it.
    pub total_ns: Option<u64>,
    /// VUs that run an iteration.
    pub vus_active: u64,
    /// VUs that the plan can need at most.
    pub vus_max: u64,
    /// Iterations so far.
    pub iterations: Iterations,
    /// Every scenario in the order of the start block.
    pub scenarios: Vec<ScenarioView>,
    /// What was measured lately.
    pub live: Live,
    /// What the user should know now, the newest last.
    pub warnings: Vec<String>,
}

/// Iterations so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Came to their end.
    pub complete: u64,
    /// Were cut off.
    pub interrupted: u64,
    /// Were planned and could not start.
    pub dropped: u64,
}

/// What was measured lately.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// Requests in the last second.
    pub requests_per_s: f64,
    /// Requests per second of the last seconds, the oldest first; as many as are known.
    pub recent_per_s: Vec<f64>,
    /// The median of the last second, in milliseconds; none without requests.
    pub p50_ms: Option<f64>,
    /// The 99th percentile of the last second, in milliseconds; none without requests.
    pub p99_ms: Option<f64>,
    /// Requests so far.
    pub requests: u64,
    /// Failed requests so far.
    pub failed: u64,
    /// How the durations of all requests so far are spread; none without requests.
    pub spread: Option<Spread>,
    /// What went wrong so far and how often, the most frequent first.
    pub causes: Vec<(String, u64)>,
}

/// A histogram with columns of equal width on a logarithmic scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Where the first column begins, in milliseconds.
    pub low_ms: f64,
    /// Where the last one ends, in milliseconds.
    pub high_ms: f64,
    /// Requests in each column.
    pub counts: Vec<u64>,
}

impl Spread {
    /// Columns.
    pub const COLUMNS: usize = 30;

    /// Of values in buckets, each with its middle in milliseconds and its count, ascending; none when there are none.
    pub fn of(buckets: impl Iterator<Item = (f64, u64)> + Clone) -> Option<Self> {
        let low_ms = buckets.clone().next()?.0;
        let high_ms = buckets.clone().last()?.0;
        let mut counts = vec![0; Self::COLUMNS];
        let width = (high_ms / low_ms).ln().max(f64::MIN_POSITIVE) / Self::COLUMNS as f64;
        for (middle_ms, count) in buckets {
            let at = ((middle_ms / low_ms).ln() / width) as usize;
            counts[at.min(Self::COLUMNS - 1)] += count;
        }
        Some(Self {
            low_ms,
            high_ms,
            counts,
        })
    }
}

/// One scenario.
#[derive(Clone, Debug)]
pub struct ScenarioView {
    /// Its name.
    pub name: String,
    /// Where it is in its life.
    pub phase: Phase,
    /// How long it has run, in nanoseconds.
    pub elapsed_ns: u64,
    /// How long it runs (for a number of iterations: at most), graceful stop left out, in nanoseconds; none without limit.
    pub duration_ns: Option<u64>,
    /// Its active VUs.
    pub vus_active: u64,
    /// The most it can have, if the number changes during the test.
    pub vus_max: Option<u64>,
    /// What decides when iterations start.
    pub load: Load,
}

/// Where a scenario is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It starts so many nanoseconds from now.
    Waiting {
        /// Nanoseconds until it starts.
        starts_in_ns: u64,
    },
    /// It runs.
    Running,
    /// It has done what it was to do.
    Done,
    /// It was stopped before.
    Stopped,
}

/// What decides when iterations start, and how far that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// VUs start again when they are done.
    Looping,
    /// VUs draw from one number of iterations.
    SharedIterations {
        /// Started so far.
        done: u64,
        /// All.
        total: u64,
    },
    /// Each VU has a number of iterations.
    PerVuIterations {
        /// Started so far, of all VUs.
        done: u64,
        /// Of all VUs.
        total: u64,
        /// Of one VU.
        each: u64,
    },
    /// Iterations start at a rate.
    Arrivals {
        /// The rate that the plan wants now, in iterations per second.
        per_s: f64,
    },
}

impl ScenarioView {
    /// How much of it is done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        let part = |done: u64, total: u64| {
            if total == 0 {
                0.0
            } else {
                (done as f64 / total as f64).min(1.0)
            }
        };
        match (self.phase, self.load) {
            (Phase::Waiting { .. }, _) => 0.0,
            (Phase::Done, _) => 1.0,
            (
                _,
                Load::SharedIterations { done, total } | Load::PerVuIterations { done, total, .. },
            ) => part(done, total),
            _ => part(self.elapsed_ns, self.duration_ns.unwrap_or(self.elapsed_ns)),
        }
    }

    fn mark(&self) -> &'static str {
        match self.phase {
            Phase::Waiting { .. } => "•",
            Phase::Running => " ",
            Phase::Done => "✓",
            Phase::Stopped => "✗",
        }
    }

    /// The columns beside the bar, as k6 has them: VUs, time, iterations or rate.
    fn columns(&self) -> Vec<String> {
        if let Phase::Waiting { starts_in_ns } = self.phase {
            return vec!["waiting".to_owned(), clock(starts_in_ns, starts_in_ns)];
        }
        let vus = match self.vus_max {
            Some(max) => format!("{}/{max} VUs", padded(self.vus_active, max)),
            None => format!("{} VUs", self.vus_active),
        };
        let counted = matches!(
            self.load,
            Load::SharedIterations { .. } | Load::PerVuIterations { .. }
        );
        let time = match self.duration_ns {
            None => clock(self.elapsed_ns, self.elapsed_ns),
            Some(ns) if self.phase == Phase::Done && !counted => format_go(ns),
            Some(ns) => format!("{}/{}", clock(self.elapsed_ns.min(ns), ns), format_go(ns)),
        };
        let mut columns = vec![vus, time];
        match self.load {
            Load::Looping => {}
            Load::SharedIterations { done, total } => {
                columns.push(format!("{}/{total} shared iters", padded(done, total)));
            }
            Load::PerVuIterations { done, total, each } => {
                columns.push(format!(
                    "{}/{total} iters, {each} per VU",
                    padded(done, total)
                ));
            }
            Load::Arrivals { per_s } => columns.push(format!("{per_s:05.2} iters/s")),
        }
        columns
    }
}

/// A time in tenths of a second with the places that `longest_ns` needs: `0m01.0s` for a minute, `1.0s` for 9 seconds.
fn clock(ns: u64, longest_ns: u64) -> String {
    const SECOND_NS: u64 = 1_000_000_000;
    let tenths = ns / (SECOND_NS / 10);
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    let longest_s = longest_ns / SECOND_NS;
    let digits = |n: u64| n.checked_ilog10().unwrap_or(0) as usize + 1;
    if longest_s < 60 {
        let width = digits(longest_s);
        return format!("{seconds:0width$}.{tenth}s");
    }
    let (minutes, s) = (seconds / 60, seconds % 60);
    if longest_s < 3_600 {
        let width = digits(longest_s / 60);
        return format!("{minutes:0width$}m{s:02}.{tenth}s");
    }
    let width = digits(longest_s / 3_600);
    let (hours, m) = (minutes / 60, minutes % 60);
    format!("{hours:0width$}h{m:02}m{s:02}.{tenth}s")
}

/// A number with the zeros in front that `most` needs.
fn padded(number: u64, most: u64) -> String {
    let width = most.to_string().len();
    format!("{number:0width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_counts_every_value_once() {
        let buckets = [(0.5, 3), (1.0, 5), (2.0, 1), (1_000.0, 1)];
        let spread = Spread::of(buckets.into_iter()).unwrap();
        assert_eq!(spread.counts.iter().sum::<u64>(), 10);
        assert_eq!(
            (spread.counts[0], spread.counts[Spread::COLUMNS - 1]),
            (3, 1)
        );
        assert_eq!(Spread::of(std::iter::empty()), None);
        let one = Spread::of([(4.0, 7)].into_iter()).unwrap();
        assert_eq!(one.counts[0], 7);
    }

    #[test]
    fn clocks_keep_their_width() {
        let s = 1_000_000_000;
        assert_eq!(clock(s, 2 * s), "1.0s");
        assert_eq!(clock(s, 36 * s), "01.0s");
        assert_eq!(clock(s + 99_999_999, 90 * s), "0m01.0s");
        assert_eq!(clock(61 * s, 600 * s), "01m01.0s");
        assert_eq!(clock(3_661 * s, 7_200 * s), "1h01m01.0s");
    }

    #[test]
    fn a_scenario_is_as_far_as_its_iterations_or_its_time() {
        let mut view = ScenarioView {
            name: "a".to_owned(),
            phase: Phase::Running,
            elapsed_ns: 1,
            duration_ns: Some(4),
            vus_active: 1,
            vus_max: None,
            load: Load::Looping,
        };
        assert_eq!(view.fraction(), 0.25);
        view.load = Load::SharedIterations { done: 3, total: 4 };
        assert_eq!(view.fraction(), 0.75);
        view.load = Load::SharedIterations { done: 0, total: 0 };
        assert_eq!(view.fraction(), 0.0);
        view.phase = Phase::Done;
        assert_eq!(view.fraction(), 1.0);
    }
}
