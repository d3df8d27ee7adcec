//! Another rate in the middle of an open scenario: what it plans from there on.
//!
//! Owns the law that takes the place of the scenario's own and the rate at an instant. Leaves out when it begins. A
//! changed scenario goes on at one rate to its planned end, whatever its stages had planned.

use super::{ConstantArrivalRate, Executor, RampingArrivalRate, Stage, Surplus};
use crate::duration::Nanos;

impl Executor {
    /// The rest of an open scenario at `count` iterations in `per_ns`, for `rest_ns`.
    ///
    /// # Errors
    /// One sentence: the scenario has no rate, or a number of iterations that another rate would not reach, or the rate
    /// is none.
    pub fn at_rate(&self, count: u64, per_ns: Nanos, rest_ns: Nanos) -> Result<Self, &'static str> {
        if count == 0 || count > per_ns {
            return Err(
                "a rate is at least one iteration in its time and at most one in a nanosecond",
            );
        }
        let (pre_allocated_vus, max_vus, arrival, surplus) = match self {
            Self::ConstantArrivalRate(e) if e.most_starts != u64::MAX => {
                return Err("a test with a number of requests keeps its rate");
            }
            Self::ConstantArrivalRate(e) => (e.pre_allocated_vus, e.max_vus, e.arrival, e.surplus),
            Self::RampingArrivalRate(e) => {
                (e.pre_allocated_vus, e.max_vus, e.arrival, Surplus::Drop)
            }
            _ => return Err("only scenarios with an arrival rate have a rate to change"),
        };
        Ok(Self::ConstantArrivalRate(ConstantArrivalRate {
            rate: count,
            time_unit_ns: per_ns,
            duration_ns: rest_ns,
            pre_allocated_vus,
            max_vus,
            arrival,
            most_starts: u64::MAX,
            surplus,
        }))
    }

    /// The rate planned so long after the start, in iterations per second of the whole test; none in the closed model.
    pub fn rate_at(&self, elapsed_ns: Nanos) -> Option<f64> {
        match self {
            Self::ConstantArrivalRate(e) => Some(e.rate as f64 * 1e9 / e.time_unit_ns as f64),
            Self::RampingArrivalRate(e) => Some(along(e, elapsed_ns)),
            _ => None,
        }
    }
}

fn along(plan: &RampingArrivalRate, elapsed_ns: Nanos) -> f64 {
    let per_s = |rate: f64| rate * 1e9 / plan.time_unit_ns as f64;
    let (mut from, mut at_ns) = (plan.start_rate as f64, 0u64);
    for Stage {
        duration_ns,
        target,
    } in &plan.stages
    {
        let to = *target as f64;
        let end_ns = at_ns.saturating_add(*duration_ns);
        if elapsed_ns < end_ns {
            let part = (elapsed_ns - at_ns) as f64 / *duration_ns as f64;
            return per_s(from + (to - from) * part);
        }
        (from, at_ns) = (to, end_ns);
    }
    per_s(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::{Arrival, SharedIterations};
    use crate::share::Share;

    const SECOND_NS: u64 = 1_000_000_000;

    fn ramp() -> Executor {
        let stage = |seconds: u64, target| Stage {
            duration_ns: seconds * SECOND_NS,
            target,
        };
        Executor::RampingArrivalRate(RampingArrivalRate {
            start_rate: 0,
            time_unit_ns: SECOND_NS,
            stages: vec![stage(10, 100), stage(0, 50), stage(10, 50)],
            pre_allocated_vus: 2,
            max_vus: 9,
            arrival: Arrival::Constant,
        })
    }

    #[test]
    fn the_rest_goes_on_at_one_rate() {
        let rest = ramp().at_rate(20, SECOND_NS, 5 * SECOND_NS).unwrap();
        assert_eq!(rest.starts(&Share::whole()).unwrap().total(), 100);
        assert_eq!(rest.max_vus(&Share::whole()), 9);
        assert_eq!(rest.rate_at(0), Some(20.0));
        assert!(rest.at_rate(0, SECOND_NS, 1).is_err());
        assert!(rest.at_rate(2, 1, 1).is_err());
    }

    #[test]
    fn what_has_no_rate_to_change_says_why() {
        let closed = Executor::SharedIterations(SharedIterations {
            vus: 1,
            iterations: 1,
            max_duration_ns: 1,
        });
        assert_eq!(closed.rate_at(0), None);
        assert!(
            closed
                .at_rate(1, SECOND_NS, 1)
                .unwrap_err()
                .contains("arrival rate")
        );
        let Ok(Executor::ConstantArrivalRate(mut fixed)) = ramp().at_rate(1, SECOND_NS, 1) else {
            panic!("a ramp goes on at a constant rate");
        };
        fixed.most_starts = 10;
        let fixed = Executor::ConstantArrivalRate(fixed);
        assert!(
            fixed
                .at_rate(1, SECOND_NS, 1)
                .unwrap_err()
                .contains("number of requests")
        );
    }

    #[test]
    fn a_ramp_has_a_rate_at_every_instant() {
        let rates = [0, 5, 10, 19, 99].map(|s| ramp().rate_at(s * SECOND_NS).unwrap());
        assert_eq!(rates, [0.0, 50.0, 50.0, 50.0, 50.0]);
    }
}
