//! What all workers of one server share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::log::RequestLog;
use crate::recorder::Archive;
use crate::{TargetConfig, limits};

/// Two runs of a server draw the same service times.
const SEED: u64 = 0x006e_6574_6c6f_6164;

/// A request for a place of a service.
#[derive(Debug)]
pub(crate) struct Booking<'a> {
    /// Whose places.
    pub(crate) name: &'a str,
    /// How many there are.
    pub(crate) places: usize,
    /// How long one is taken.
    pub(crate) time: Duration,
    /// How long one may wait for it; none is for ever.
    pub(crate) patience: Option<Duration>,
}

/// What all workers of one server share; nothing here is touched by `GET /`.
#[derive(Debug)]
pub(crate) struct State {
    /// When the server started; the clock of `/stall`.
    pub(crate) started: Instant,
    /// Folders whose files are served.
    pub(crate) files: Vec<PathBuf>,
    /// Present when requests are logged.
    pub(crate) log: Option<RequestLog>,
    /// Present when the kernel's stamps are logged.
    pub(crate) served: Option<Arc<Archive>>,
    random: Mutex<SmallRng>,
    counters: Mutex<HashMap<String, u64>>,
    /// By path, when each place of a service is free again.
    queues: Mutex<HashMap<String, Vec<Instant>>>,
    connections: AtomicU64,
    open: AtomicUsize,
}

impl State {
    /// A server that starts now.
    pub(crate) fn new(config: &TargetConfig) -> State {
        State {
            started: Instant::now(),
            files: config.files.clone(),
            log: config.log_requests.then(RequestLog::default),
            served: config.log_service.then(Arc::default),
            random: Mutex::new(SmallRng::seed_from_u64(SEED)),
            counters: Mutex::default(),
            queues: Mutex::default(),
            connections: AtomicU64::new(0),
            open: AtomicUsize::new(0),
        }
    }

    /// Counts one more for that name; names beyond the limit share one counter.
    pub(crate) fn count(&self, name: &str) -> u64 {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let full = counters.len() >= limits::COUNTERS && !counters.contains_key(name);
        let name = if full { "" } else { name };
        let counter = counters.entry(name.to_owned()).or_insert(0);
        *counter += 1;
        *counter
    }

    /// Takes the place that is free first, from then on for its time; none when that is more than patience away.
    pub(crate) fn book(&self, booking: &Booking<'_>, now: Instant) -> Option<Instant> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let full = queues.len() >= limits::COUNTERS && !queues.contains_key(booking.name);
        let name = if full { "" } else { booking.name };
        let places = queues.entry(name.to_owned()).or_default();
        places.resize(booking.places, now);
        let place = places.iter_mut().min()?;
        let begin = now.max(*place);
        if booking
            .patience
            .is_some_and(|patience| begin - now > patience)
        {
            return None;
        }
        *place = begin + booking.time;
        Some(*place)
    }

    /// A number from 0 up to, but not including, 1.
    pub(crate) fn draw(&self) -> f64 {
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        random.random()
    }

    /// Takes the number of a new connection; `None` when there are too many already.
    pub(crate) fn open_connection(&self) -> Option<u64> {
        if self.open.fetch_add(1, Ordering::Relaxed) >= limits::CONNECTIONS {
            self.open.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(self.connections.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Says that a connection has ended.
    pub(crate) fn close_connection(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }

    /// Connections accepted so far.
    pub(crate) fn accepted(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_in_turn_and_a_full_line_refuses() {
        let state = State::new(&TargetConfig::default());
        let (now, time) = (Instant::now(), Duration::from_secs(10));
        let booking = Booking {
            name: "a",
            places: 2,
            time,
            patience: Some(time),
        };
        let booked = [(); 5].map(|()| state.book(&booking, now).map(|end| (end - now).as_secs()));
        assert_eq!(booked, [Some(10), Some(10), Some(20), Some(20), None]);
        let later = state.book(&booking, now + 3 * time).unwrap();
        assert_eq!(later - now, 4 * time);
    }
}
