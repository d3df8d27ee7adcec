//! What was offered to a receiver and what it took.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use netload_metrics::summary::Delivery;

/// Where an output tells the user what happens, while the run goes on.
pub(crate) type Warn = Arc<dyn Fn(String) + Send + Sync>;

/// The account of one output. What is not delivered at the end is lost.
pub(crate) struct Account {
    /// Name and receiver.
    output: String,
    offered: AtomicU64,
    delivered: AtomicU64,
    reason: Mutex<Option<String>>,
    warn: Warn,
}

impl Account {
    pub(crate) fn new(output: String, warn: Warn) -> Self {
        Self {
            output,
            offered: AtomicU64::new(0),
            delivered: AtomicU64::new(0),
            reason: Mutex::new(None),
            warn,
        }
    }

    pub(crate) fn offer(&self, samples: u64) {
        self.offered.fetch_add(samples, Relaxed);
    }

    pub(crate) fn deliver(&self, samples: u64) {
        self.delivered.fetch_add(samples, Relaxed);
    }

    /// Remembers what went wrong last.
    pub(crate) fn blame(&self, reason: &str) {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason.to_owned());
    }

    /// Tells the user.
    pub(crate) fn warn(&self, what: &str) {
        (self.warn)(format!("the output {} {what}", self.output));
    }

    /// The account as it stands.
    pub(crate) fn delivery(&self) -> Delivery {
        let offered = self.offered.load(Relaxed);
        let lost = offered.saturating_sub(self.delivered.load(Relaxed));
        let reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        Delivery {
            output: self.output.clone(),
            offered,
            lost,
            reason: reason.clone().filter(|_| lost > 0),
        }
    }
}
