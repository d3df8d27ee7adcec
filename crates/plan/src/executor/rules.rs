//! Rules that several executors share, and their sentences.
//!
//! Owns the checks on counts, times and stages. Leaves out which executor asks for which.

use super::{Arrival, Stage, stages_ns};
use crate::duration::{LONGEST_NS, Nanos, format_go};
use crate::options::ScenarioOptions;
use crate::problem::{Findings, Place};

/// Most VUs of one scenario.
pub const VUS_LIMIT: u64 = 100_000_000;

/// Most iterations of one scenario: Go's and JavaScript's counters still show it.
pub const WHOLE_ITERATIONS_LIMIT: u64 = i64::MAX as u64;

/// Shortest run of a scenario, in nanoseconds.
const SHORTEST_NS: Nanos = 1_000_000_000;

/// A count of VUs: at least one, at most the limit.
pub(super) fn vus(key: &str, count: u64, place: &Place, findings: &mut Findings) {
    if count == 0 {
        findings.problem(place.key(key).problem("there must be at least 1 VU"));
    }
    vus_at_most(key, count, place, findings);
}

/// A count of VUs that may be zero.
pub(super) fn vus_at_most(key: &str, count: u64, place: &Place, findings: &mut Findings) {
    if count > VUS_LIMIT {
        let message = format!("{count} VUs are more than the limit of {VUS_LIMIT}");
        findings.problem(place.key(key).problem(message));
    }
}

/// A count of iterations: at least one.
pub(super) fn iterations(count: u64, place: &Place, findings: &mut Findings) {
    if count == 0 {
        let message = "there must be at least 1 iteration";
        findings.problem(place.key("iterations").problem(message));
    }
}

/// A length of at least one second.
pub(super) fn at_least_a_second(key: &str, ns: Nanos, place: &Place, findings: &mut Findings) {
    if ns < SHORTEST_NS {
        let message = format!("must be at least 1s, but is {}", format_go(ns));
        let mut problem = place.key(key).problem(message);
        if ns > 0 {
            problem = problem.hint("a bare number is milliseconds; write \"10s\" for ten seconds");
        }
        findings.problem(problem);
    }
}

/// A field without default.
pub(super) fn required<T>(
    key: &str,
    value: Option<T>,
    example: &str,
    place: &Place,
    findings: &mut Findings,
) -> Option<T> {
    if value.is_none() {
        let problem = place.problem(format!("`{key}` is missing"));
        findings.problem(problem.hint(format!("add `{key}: {example}`")));
    }
    value
}

/// The time unit of a rate: not zero.
pub(super) fn time_unit(ns: Nanos, place: &Place, findings: &mut Findings) {
    if ns == 0 {
        let message = "must be more than 0";
        findings.problem(place.key("timeUnit").problem(message));
    }
}

/// `maxVUs` against `preAllocatedVUs`, and both against the limit.
pub(super) fn pool(planned: u64, most: u64, place: &Place, findings: &mut Findings) {
    if most < planned {
        let message = format!("{most} is less than the {planned} VUs of `preAllocatedVUs`");
        findings.problem(place.key("maxVUs").problem(message));
    }
    if most == 0 && planned == 0 {
        let message = "there must be at least 1 VU";
        findings.problem(place.key("preAllocatedVUs").problem(message));
    }
    vus_at_most("preAllocatedVUs", planned, place, findings);
    vus_at_most("maxVUs", most, place, findings);
}

/// Stages: at least one, not longer than a duration can be, and not zero all along.
pub(super) fn stages(
    start_key: &str,
    start: u64,
    stages: Option<&[Stage]>,
    place: &Place,
    findings: &mut Findings,
) {
    let stages = stages.unwrap_or_default();
    if stages.is_empty() {
        let problem = place.problem("at least one stage is needed");
        findings.problem(problem.hint("add `stages: [{ duration: '30s', target: 10 }]`"));
    } else if start == 0 && stages.iter().all(|stage| stage.target == 0) {
        let message = format!("`{start_key}` or the target of a stage must be more than 0");
        findings.problem(place.problem(message));
    }
    if stages_ns(stages) > LONGEST_NS {
        let message = "the stages together are too long";
        findings.problem(place.key("stages").problem(message));
    }
}

/// How starts are spread: `arrival` and its `seed`.
pub(super) fn arrival(
    options: &ScenarioOptions,
    place: &Place,
    findings: &mut Findings,
) -> Arrival {
    let name = options.arrival.unwrap_or("constant");
    if options.seed.is_some() && name != "poisson" {
        let problem = place.key("seed").problem("a seed is for Poisson arrivals");
        findings.problem(problem.hint("add `arrival: 'poisson'`, or leave `seed` out"));
    }
    Arrival::named(name, options.seed).unwrap_or_default()
}
