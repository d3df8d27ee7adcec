//! Counts that must agree at the end: conservation of iterations and exchanges, and Little's law.
//!
//! Pure arithmetic on what was counted independently in different places. A contradiction means that samples or time
//! were lost, so the numbers cannot be trusted.

use std::sync::atomic::Ordering::Relaxed;

use netload_metrics::{Aggregate, Summary};
use netload_plan::Executor;

use crate::state::RunState;

/// Shorter loads say nothing about Little's law, in nanoseconds.
const LITTLE_LEAST_NS: u64 = 5_000_000_000;
/// The same for fewer iterations.
const LITTLE_LEAST_ITERATIONS: u64 = 100;
/// Iterations that took more of the time of their VUs than there was, by this share and beyond the error of the looks, are
/// a contradiction.
const LITTLE_AT_MOST: f64 = 0.10;
/// Standard errors that the looks may be off.
const LITTLE_ERRORS: f64 = 4.0;

/// The mean number of VUs at work, from looks at equal distances.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AtWork {
    looks: u64,
    sum: f64,
    squares: f64,
    /// The sum of VUs times nanoseconds.
    integral: f64,
    span_ns: u64,
}

impl AtWork {
    /// `vus` VUs ran an iteration during the last `span_ns`.
    pub(super) fn look(&mut self, vus: i64, span_ns: u64) {
        let vus = vus.max(0) as f64;
        self.looks += 1;
        self.sum += vus;
        self.squares += vus * vus;
        self.integral += vus * span_ns as f64;
        self.span_ns += span_ns;
    }

    /// The standard error of the mean, as a share of it.
    fn error(&self) -> f64 {
        let n = self.looks.max(1) as f64;
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0);
        (variance / n).sqrt() / mean.max(f64::MIN_POSITIVE)
    }
}

/// What the audit found.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// The part of the VUs' time that no iteration accounts for.
    pub(super) little_residual: Option<f64>,
    /// Sentences without full stop.
    pub(super) contradictions: Vec<String>,
}

/// Compares the counts of a run that is over.
pub(super) fn audit(state: &RunState, summary: &Summary, at_work: &AtWork) -> Audit {
    let mut audit = Audit::default();
    let (mut completed, mut interrupted) = (0, 0);
    for scenario in &state.scenarios {
        let done = scenario.completed.count() + scenario.interrupted.count();
        completed += scenario.completed.count();
        interrupted += scenario.interrupted.count();
        let drawn = scenario.next_iteration.load(Relaxed);
        let started = match &scenario.scenario.executor {
            // Every VU that finds the quota used up has drawn one number too many.
            Executor::SharedIterations(_) => drawn.min(done),
            _ => drawn,
        };
        if started != done {
            audit.contradictions.push(format!(
                "{started} iterations of `{}` started, but {done} ended",
                scenario.scenario.name
            ));
        }
    }
    let counter = |name: &str| match summary.metric(name).map(|m| &m.data) {
        Some(Aggregate::Counter(counter)) => counter.sum as u64,
        _ => 0,
    };
    let recorded = counter("iterations");
    if recorded != completed {
        audit.contradictions.push(format!(
            "{completed} iterations were completed, but {recorded} were recorded"
        ));
    }
    let (requests, durations) = (counter("http_reqs"), trend(summary, "http_req_duration").0);
    if requests != durations {
        audit.contradictions.push(format!(
            "{requests} requests were counted, but {durations} durations were recorded"
        ));
    }
    let padded = state.plan.min_iteration_duration_ns > 0;
    if interrupted == 0 && !padded {
        little(trend(summary, "iteration_duration"), at_work, &mut audit);
    }
    audit
}

/// The number of values and their sum in milliseconds.
fn trend(summary: &Summary, name: &str) -> (u64, f64) {
    match summary.metric(name).map(|m| &m.data) {
        Some(Aggregate::Trend(values)) => (values.count(), values.sum()),
        _ => (0, 0.0),
    }
}

/// Little's law: VUs at work times the time is the time their iterations took.
fn little((iterations, sum_ms): (u64, f64), at_work: &AtWork, audit: &mut Audit) {
    let enough = at_work.span_ns >= LITTLE_LEAST_NS && iterations >= LITTLE_LEAST_ITERATIONS;
    if !enough || at_work.integral <= 0.0 {
        return;
    }
    let residual = 1.0 - sum_ms * 1e6 / at_work.integral;
    audit.little_residual = Some(residual);
    // Time between iterations, when a worker has no turn for a VU, is lost honestly; time cannot be won.
    if -residual > LITTLE_AT_MOST + LITTLE_ERRORS * at_work.error() {
        audit.contradictions.push(format!(
            "the iterations of the VUs account for {:.0}% of the VUs' time",
            (1.0 - residual) * 100.0
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residual(vus: &[i64], sum_s: f64) -> Audit {
        let mut at_work = AtWork::default();
        for vus in vus {
            at_work.look(*vus, 100_000_000);
        }
        let mut audit = Audit::default();
        little((1_000, sum_s * 1e3), &at_work, &mut audit);
        audit
    }

    #[test]
    fn vus_times_time_is_the_time_of_their_iterations() {
        let fine = residual(&[10; 100], 99.0);
        assert!((fine.little_residual.unwrap() - 0.01).abs() < 1e-9);
        assert!(fine.contradictions.is_empty());
        let lost = residual(&[10; 100], 50.0);
        assert_eq!(lost.little_residual, Some(0.5));
        assert!(lost.contradictions.is_empty());
        let won = residual(&[10; 100], 150.0);
        assert_eq!(
            won.contradictions,
            ["the iterations of the VUs account for 150% of the VUs' time"]
        );
    }

    #[test]
    fn looks_that_differ_much_prove_nothing() {
        let vus: Vec<i64> = (0..100).map(|n| i64::from(n % 10 == 0) * 10).collect();
        assert!(residual(&vus, 13.0).contradictions.is_empty());
        assert_eq!(residual(&[10; 3], 1.0).little_residual, None);
    }
}
