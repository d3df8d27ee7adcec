//! What the hypervisor takes from this machine, by the kernel's count in `/proc/stat`, and waiting until it takes little.
//!
//! Figures of a machine that is away half of the time are figures of its neighbours, so whatever measures waits before each
//! run. Leaves out what becomes of runs that were disturbed all the same: who measures has a rule for them. Invariant: a
//! machine that does not count its steal is never waited for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How long all processors are kept busy to see what is taken: steal only counts while somebody wants to run, in ticks
/// of 10 ms.
const PROBE: Duration = Duration::from_millis(500);
/// A machine is quiet when of no processor more than this part was taken.
const QUIET: f64 = 0.02;
/// From one look to the next while it is not.
const PAUSE: Duration = Duration::from_secs(2);
/// What comes in gusts comes again: after one, so many looks in a row must be quiet.
const LOOKS: u32 = 8;
/// A command waits no longer than this, in all.
const WAIT_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Stolen ticks and all ticks of each processor so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks(Vec<[u64; 2]>);

impl Ticks {
    pub(crate) fn now() -> Self {
        Self::read(&std::fs::read_to_string("/proc/stat").unwrap_or_default())
    }

    fn read(stat: &str) -> Self {
        let lines = stat.lines().filter_map(|line| line.strip_prefix("cpu"));
        let one = |line: &str| {
            let counts = line.split_ascii_whitespace().skip(1).take(8);
            let counts: Vec<u64> = counts.filter_map(|count| count.parse().ok()).collect();
            [counts.get(7).copied().unwrap_or(0), counts.iter().sum()]
        };
        // The first line sums up the others and has no number.
        let numbered = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        Self(numbered.map(one).collect())
    }

    /// The part of all processors' time that was taken since then.
    pub(crate) fn stolen_since(&self, before: &Self) -> f64 {
        let [stolen, all] = [0, 1].map(|at| {
            let sum = |ticks: &Self| ticks.0.iter().map(|cpu| cpu[at]).sum::<u64>();
            sum(self).saturating_sub(sum(before)) as f64
        });
        stolen / all.max(1.0)
    }

    /// The largest part that was taken of one processor since then.
    pub(crate) fn most_since(&self, before: &Self) -> f64 {
        let parts = self.0.iter().zip(&before.0).map(|(now, before)| {
            let [stolen, all] = [0, 1].map(|at| now[at].saturating_sub(before[at]) as f64);
            stolen / all.max(1.0)
        });
        parts.fold(0.0, f64::max)
    }
}

/// Milliseconds that this command has waited.
static WAITED_MS: AtomicU64 = AtomicU64::new(0);

/// Waits until the machine is quiet. To be called before each run, while nothing else runs.
pub(crate) fn wait_until_quiet() {
    let before = waited();
    if before >= WAIT_LIMIT {
        return;
    }
    let taken = probe();
    if taken <= QUIET {
        return;
    }
    println!("  waiting: the hypervisor takes {:.0} %", taken * 100.0);
    let start = Instant::now();
    let mut quiet = 0;
    while quiet < LOOKS && before + start.elapsed() < WAIT_LIMIT {
        thread::sleep(PAUSE);
        quiet = if probe() <= QUIET { quiet + 1 } else { 0 };
    }
    WAITED_MS.fetch_add(start.elapsed().as_millis() as u64, Relaxed);
}

/// How long this command has waited for a quiet machine.
pub(crate) fn waited() -> Duration {
    Duration::from_millis(WAITED_MS.load(Relaxed))
}

/// Keeps all processors busy for a moment: the largest part of one that was taken.
fn probe() -> f64 {
    let before = Ticks::now();
    let is_over = AtomicBool::new(false);
    let spin = || {
        while !is_over.load(Relaxed) {
            std::hint::spin_loop();
        }
    };
    thread::scope(|scope| {
        for _ in 0..before.0.len() {
            scope.spawn(spin);
        }
        thread::sleep(PROBE);
        is_over.store(true, Relaxed);
    });
    Ticks::now().most_since(&before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_that_lost_most_counts() {
        let before = "cpu  20 0 10 160 0 0 0 2 0 0\ncpu0 10 0 5 80 0 0 0 1 0 0\ncpu1 10 0 5 80 0 0 0 1 0 0\nintr 7";
        let now = "cpu  55 0 10 220 0 0 0 7 0 0\ncpu0 20 0 5 115 0 0 0 6 0 0\ncpu1 35 0 5 105 0 0 0 1 0 0\nintr 9";
        let (before, now) = (Ticks::read(before), Ticks::read(now));
        assert_eq!(before.0, [[1, 96], [1, 96]]);
        assert_eq!(now.most_since(&before), 0.1);
        assert_eq!(now.stolen_since(&before), 0.05);
        let nothing = Ticks::read("");
        assert_eq!(nothing.most_since(&nothing), 0.0);
        assert_eq!(nothing.stolen_since(&nothing), 0.0);
    }
}
