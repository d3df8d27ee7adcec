//! The limit on requests per second that all VUs of an instance share (`rps`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Hands out instants that are at least one interval apart.
#[derive(Debug)]
pub struct RateLimit {
    interval_ns: u64,
    next_ns: AtomicU64,
}

impl RateLimit {
    /// At most `per_second` requests per second; none when it is 0.
    pub fn new(per_second: u64) -> Option<Self> {
        (per_second > 0).then(|| Self {
            interval_ns: 1_000_000_000 / per_second,
            next_ns: AtomicU64::new(0),
        })
    }

    /// The instant (monotonic nanoseconds) at which the caller may send, asked at `now_ns`. Unused instants of the past
    /// are lost: there are no bursts.
    pub fn reserve(&self, now_ns: u64) -> u64 {
        let step = |next: u64| Some(next.max(now_ns).saturating_add(self.interval_ns));
        let taken = self.next_ns.fetch_update(Relaxed, Relaxed, step);
        taken.map_or(now_ns, |next| next.max(now_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_an_interval_apart_and_never_past() {
        let limit = RateLimit::new(1_000).unwrap();
        let times: Vec<u64> = [0, 0, 0, 10_000_000, 10_000_000]
            .map(|now| limit.reserve(now))
            .into();
        assert_eq!(times, [0, 1_000_000, 2_000_000, 10_000_000, 11_000_000]);
        assert!(RateLimit::new(0).is_none());
    }
}
