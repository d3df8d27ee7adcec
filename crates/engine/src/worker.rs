//! The services one worker thread offers its VUs: recorder, clock, network, log, shared state. Nothing here is shared
//! between threads except what is behind an `Arc`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use netload_metrics::{Recorder, Stamp};
use netload_net::{Clock, Dialer};
use netload_plan::Plan;

use crate::exchange::ExchangeCache;
use crate::log::{Level, Log, Record};
use crate::pace::RateLimit;
use crate::state::RunState;

/// The longest wait that the timers can count, in nanoseconds: a year.
const FOREVER_NS: u64 = 365 * 86_400 * 1_000_000_000;

/// One worker's services.
pub struct Worker {
    /// Its number, from 0.
    pub index: usize,
    /// How many workers the instance has.
    pub count: usize,
    /// What is run.
    pub plan: Arc<Plan>,
    /// The instance's state.
    pub state: Arc<RunState>,
    /// Where samples go. Never held over a wait.
    pub recorder: RefCell<Recorder>,
    /// Tag sets and slots of exchanges seen before.
    pub exchanges: RefCell<ExchangeCache>,
    /// The worker's clock.
    pub clock: Clock,
    /// The worker's way to the network.
    pub dialer: Rc<Dialer>,
    /// The run's limit on requests per second (`rps`), shared by all workers.
    pub rate_limit: Option<Arc<RateLimit>>,
    /// Where log records go.
    pub log: Arc<dyn Log>,
}

impl Worker {
    /// A stamp for samples made now.
    pub fn stamp(&self, vu: u64, iteration: u64) -> Stamp {
        self.stamp_at(self.clock.now_ns(), vu, iteration)
    }

    /// A stamp for samples made at an instant (monotonic nanoseconds).
    pub fn stamp_at(&self, at_ns: u64, vu: u64, iteration: u64) -> Stamp {
        Stamp {
            unix_ns: self.clock.unix_ns(at_ns),
            vu,
            iteration,
        }
    }

    /// The number in the whole test of an iteration or VU of this instance, both from 0.
    pub fn in_test(&self, in_instance: u64) -> u64 {
        let cut = &self.plan.segmentation;
        cut.global_index(in_instance).unwrap_or(in_instance)
    }

    /// Waits until an instant (monotonic nanoseconds), to the millisecond.
    pub async fn sleep_until(&self, at_ns: u64) {
        let rest_ns = at_ns.saturating_sub(self.clock.now_ns());
        tokio::time::sleep(Duration::from_nanos(rest_ns.min(FOREVER_NS))).await;
    }

    /// Writes a log record.
    pub fn log(&self, record: Record) {
        self.log.log(record);
    }

    /// Logs a warning.
    pub fn warn(&self, message: impl Into<String>) {
        self.log(Record::new(Level::Warning, message));
    }
}
