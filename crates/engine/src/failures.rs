//! The last failed exchanges, for whoever looks on: a bounded ring that nobody fills while nobody looks.
//!
//! Invariant: an exchange that did not fail costs nothing, a failed one that is not wanted one relaxed load.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Failed exchanges that wait to be taken; beyond it the oldest is dropped.
const WAITING_AT_MOST: usize = 256;
/// Longest text of a URL or an error, in bytes.
const TEXT_AT_MOST: usize = 512;

/// One failed exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedExchange {
    /// When it ended, in nanoseconds since 1970.
    pub unix_ns: u64,
    /// Its method.
    pub method: Box<str>,
    /// The user's name for it, or its URL without credentials.
    pub name: Box<str>,
    /// The status, 0 without a response.
    pub status: u16,
    /// What went wrong; empty when the status says it all.
    pub error: Box<str>,
    /// How long it took, in nanoseconds.
    pub duration_ns: u64,
}

/// The ring. VUs of all workers put in, one observer takes out.
#[derive(Debug, Default)]
pub struct Failures {
    /// How many are wanted before the next look.
    wanted: AtomicU64,
    ring: Mutex<VecDeque<FailedExchange>>,
}

impl Failures {
    /// Keeps a failed exchange, if it is wanted.
    pub fn note(&self, make: impl FnOnce() -> FailedExchange) {
        if self.wanted.load(Relaxed) == 0 {
            return;
        }
        let take_one = |wanted: u64| wanted.checked_sub(1);
        if self
            .wanted
            .fetch_update(Relaxed, Relaxed, take_one)
            .is_err()
        {
            return;
        }
        let failed = make();
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        if ring.len() >= WAITING_AT_MOST {
            ring.pop_front();
        }
        ring.push_back(failed);
    }

    /// Takes what has come, the oldest first, and asks for so many more until the next call.
    pub fn take(&self, wanted: u64) -> Vec<FailedExchange> {
        self.wanted.store(wanted, Relaxed);
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.drain(..).collect()
    }
}

impl FailedExchange {
    /// A text of limited length.
    pub fn text(text: &str) -> Box<str> {
        let end = text.floor_char_boundary(TEXT_AT_MOST);
        text[..end].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(status: u16) -> FailedExchange {
        FailedExchange {
            unix_ns: 0,
            method: "GET".into(),
            name: FailedExchange::text(&"ä".repeat(1_000)),
            status,
            error: "".into(),
            duration_ns: 0,
        }
    }

    #[test]
    fn nothing_is_kept_until_somebody_asks() {
        let failures = Failures::default();
        failures.note(|| unreachable!("nobody wants it"));
        assert!(failures.take(2).is_empty());
        for status in 500..510 {
            failures.note(|| failed(status));
        }
        let taken: Vec<u16> = failures.take(0).iter().map(|f| f.status).collect();
        assert_eq!(taken, [500, 501]);
        failures.note(|| unreachable!("nobody wants it any more"));
    }

    #[test]
    fn the_ring_is_bounded() {
        let failures = Failures::default();
        failures.take(u64::MAX);
        for _ in 0..WAITING_AT_MOST + 10 {
            failures.note(|| failed(500));
        }
        let taken = failures.take(0);
        assert_eq!(taken.len(), WAITING_AT_MOST);
        assert_eq!(taken[0].name.len(), TEXT_AT_MOST);
    }
}
