//! How much load: connections, an end, perhaps a rate, as a scenario of the engine.

use std::collections::BTreeMap;

use netload_plan::executor::{
    Arrival, ConstantArrivalRate, ConstantVus, SharedIterations, Surplus,
};
use netload_plan::{Executor, Scenario};

/// The longest time that a run limited by requests may take, in nanoseconds: a year.
const UNLIMITED_NS: u64 = 365 * 86_400 * 1_000_000_000;

/// Running exchanges may finish for so long after the end, in nanoseconds.
const GRACE_NS: u64 = 5_000_000_000;

/// When the load ends; what comes first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// After so many requests.
    pub requests: Option<u64>,
    /// After so many nanoseconds.
    pub duration_ns: Option<u64>,
}

/// Requests per time, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub count: u64,
    /// In how many nanoseconds.
    pub per_ns: u64,
}

/// The load of one fixed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Connections; with a rate the most that are used: further starts wait.
    pub connections: u64,
    /// Requests at once on each.
    pub streams: u64,
    /// When it ends.
    pub limit: Limit,
    /// The rate of the open model; none is the closed model.
    pub rate: Option<Rate>,
    /// How the starts of the open model are spread.
    pub arrival: Arrival,
    /// Longest time of one request, in nanoseconds.
    pub timeout_ns: u64,
}

impl Load {
    /// The scenario that makes this load.
    pub fn scenario(&self) -> Scenario {
        Scenario {
            name: netload_plan::scenario::DEFAULT_NAME.to_owned(),
            executor: self.executor(),
            start_time_ns: 0,
            graceful_stop_ns: GRACE_NS.min(self.timeout_ns),
            exec: netload_plan::scenario::DEFAULT_EXEC.to_owned(),
            env: BTreeMap::new(),
            tags: BTreeMap::new(),
            options: None,
        }
    }

    /// How long starts are planned for, in nanoseconds: not longer than the number of requests takes.
    fn planned_ns(&self, rate: Rate, duration_ns: u64) -> u64 {
        match (self.arrival, self.limit.requests) {
            // The n-th start is n-1 periods after the first; the end is exclusive.
            (Arrival::Constant, Some(requests)) => {
                let period_ns = (rate.per_ns / rate.count.max(1)).max(1);
                duration_ns.min(requests.saturating_mul(period_ns))
            }
            _ => duration_ns,
        }
    }

    fn executor(&self) -> Executor {
        let at_once = self.connections.saturating_mul(self.streams.max(1));
        let duration_ns = self.limit.duration_ns.unwrap_or(UNLIMITED_NS);
        match (self.rate, self.limit.requests) {
            (Some(rate), requests) => Executor::ConstantArrivalRate(ConstantArrivalRate {
                rate: rate.count,
                time_unit_ns: rate.per_ns,
                duration_ns: self.planned_ns(rate, duration_ns),
                pre_allocated_vus: at_once,
                max_vus: at_once,
                arrival: self.arrival,
                most_starts: requests.unwrap_or(u64::MAX),
                surplus: Surplus::Queue,
            }),
            (None, Some(iterations)) => Executor::SharedIterations(SharedIterations {
                vus: at_once.min(iterations),
                iterations,
                max_duration_ns: duration_ns,
            }),
            (None, None) => Executor::ConstantVus(ConstantVus {
                vus: at_once,
                duration_ns,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: Load = Load {
        connections: 10,
        streams: 1,
        limit: Limit {
            requests: None,
            duration_ns: None,
        },
        rate: None,
        arrival: Arrival::Constant,
        timeout_ns: 1_000_000_000,
    };

    #[test]
    fn a_rate_with_a_number_of_requests_plans_exactly_so_many_starts() {
        let limit = Limit {
            requests: Some(7),
            duration_ns: Some(60_000_000_000),
        };
        let rate = Some(Rate {
            count: 3,
            per_ns: 1_000_000_000,
        });
        let load = Load {
            limit,
            rate,
            ..LOAD
        };
        let share = netload_plan::Share::whole();
        let starts = load.executor().starts(&share).unwrap();
        assert_eq!(starts.count(), 7);
    }

    #[test]
    fn there_are_never_more_connections_than_requests() {
        let limit = Limit {
            requests: Some(3),
            duration_ns: None,
        };
        let load = Load { limit, ..LOAD };
        assert_eq!(load.executor().max_vus(&netload_plan::Share::whole()), 3);
    }
}
