//! What the hypervisor takes from this machine while netload runs, by the kernel's count in `/proc/stat`.
//!
//! A run without a disturbance of ours is no clean run when the host disturbs it: an alarm is right then, and silence too
//! when little was taken. Owns the witness, not the judgement. Invariant: a machine that does not count says that nothing
//! was taken, so no run is set aside for want of knowledge.

use std::time::{Duration, Instant};

/// How often is looked: the kernel counts in ticks of 10 ms, netload judges half seconds.
const EVERY: Duration = Duration::from_millis(500);

/// Looks at the counters while a run lasts.
pub(super) struct Steal {
    looked: Instant,
    ticks: Vec<[u64; 2]>,
    most: f64,
}

impl Steal {
    pub(super) fn watch() -> Self {
        Self {
            looked: Instant::now(),
            ticks: ticks(&stat()),
            most: 0.0,
        }
    }

    /// To be called often.
    pub(super) fn look(&mut self) {
        if self.looked.elapsed() >= EVERY {
            self.looked = Instant::now();
            let now = ticks(&stat());
            self.most = self.most.max(share(&self.ticks, &now));
            self.ticks = now;
        }
    }

    /// The largest part of a CPU's half second that was taken.
    pub(super) fn most(&self) -> f64 {
        self.most
    }
}

fn stat() -> String {
    std::fs::read_to_string("/proc/stat").unwrap_or_default()
}

/// Stolen ticks and all ticks of each CPU.
fn ticks(stat: &str) -> Vec<[u64; 2]> {
    let cpus = stat.lines().filter_map(|line| line.strip_prefix("cpu"));
    cpus.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .map(|rest| {
            let counts = rest.split_ascii_whitespace().skip(1).take(8);
            let counts: Vec<u64> = counts.filter_map(|count| count.parse().ok()).collect();
            [counts.get(7).copied().unwrap_or(0), counts.iter().sum()]
        })
        .collect()
}

/// The largest part that was taken of one CPU.
fn share(before: &[[u64; 2]], now: &[[u64; 2]]) -> f64 {
    let parts = before.iter().zip(now).map(|(before, now)| {
        let [stolen, all] = [0, 1].map(|at| now[at].saturating_sub(before[at]) as f64);
        stolen / all.max(1.0)
    });
    parts.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_that_lost_most_counts() {
        let before = "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 10 0 5 80 0 0 0 1 0 0\ncpu1 10 0 5 80 0 0 0 1 0 0\nintr 7";
        let now = "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 20 0 5 115 0 0 0 6 0 0\ncpu1 35 0 5 105 0 0 0 1 0 0\nintr 9";
        let (before, now) = (ticks(before), ticks(now));
        assert_eq!(before, [[1, 96], [1, 96]]);
        assert_eq!(share(&before, &now), 0.1);
        assert_eq!(share(&ticks(""), &ticks("")), 0.0);
    }
}
