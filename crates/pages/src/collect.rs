//! A run kept in memory for its report, in bounded room.
//!
//! Distributions are kept in coarse buckets, and when there are too many frames neighbours are merged. The numbers of
//! the whole run come from the result at its end, so they lose nothing.

use std::sync::{Arc, Mutex, PoisonError};

use netload_record::{Frame, Head, Point, Receiver, Record, Tail, Update};

/// Distributions have 32 buckets in an octave: 2.2 % wide.
const SCALE: i8 = 5;
/// So many frames of each kind become half as many: two hours of seconds.
const FRAMES: usize = 7_200;

/// Receives a run and keeps it; clones share what they keep.
#[derive(Clone, Default)]
pub struct Collector(Arc<Mutex<Collected>>);

#[derive(Default)]
struct Collected {
    record: Record,
    /// How many seconds make a frame by now.
    together: usize,
    /// How many seconds are in the last frame.
    in_last: usize,
}

impl Collector {
    /// What was received so far.
    pub fn record(&self) -> Record {
        self.lock().record.clone()
    }

    /// The same, leaving nothing behind.
    pub fn take(&self) -> Record {
        std::mem::take(&mut *self.lock()).record
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Collected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Receiver for Collector {
    fn begin(&mut self, head: &Head) {
        self.lock().record.head = head.clone();
    }

    fn update(&mut self, update: &Arc<Update>) {
        self.lock().add(update);
    }

    fn end(&mut self, tail: &Tail) {
        self.lock().record.tail = Some(tail.clone());
    }
}

impl Collected {
    fn add(&mut self, update: &Update) {
        self.record.keys.extend_from_slice(&update.fresh_keys);
        let second = coarse(&update.second);
        match self.record.seconds.last_mut() {
            Some(last) if self.in_last < self.together => last.merge(&second),
            _ => {
                self.record.seconds.push(second);
                self.in_last = 0;
            }
        }
        self.in_last += 1;
        self.together = self.together.max(1);
        let spans = &mut self.record.spans;
        match spans.last_mut() {
            Some(last) if last.at_ns == update.span.at_ns => *last = coarse(&update.span),
            _ => spans.push(coarse(&update.span)),
        }
        if self.record.seconds.len() > FRAMES {
            let half = self.record.coarsened(FRAMES.div_ceil(2));
            self.together *= self
                .record
                .seconds
                .len()
                .div_ceil(half.seconds.len().max(1));
            self.in_last = self.together;
            self.record.seconds = half.seconds;
        }
        if self.record.spans.len() > FRAMES {
            // The last one goes on, so it must not be merged.
            let last = self.record.spans.pop();
            self.record.spans = self.record.coarsened(FRAMES / 2).spans;
            self.record.spans.extend(last);
        }
    }
}

fn coarse(frame: &Frame) -> Frame {
    let mut frame = frame.clone();
    for (_, point) in &mut frame.points {
        if let Point::Trend(dist) = point {
            dist.to_scale(SCALE);
        }
    }
    frame
}
