//! The record of a run in memory, for what is said at its end.
//!
//! Invariant: however long the run is, it takes about the same memory: when there are many frames, neighbours are merged.

use std::sync::{Arc, Mutex, PoisonError};

use crate::frame::Frame;
use crate::keeper::{Receiver, Update};
use crate::key::Key;
use crate::record::{Head, Record, Tail};

/// Frames of seconds, and of spans, that are kept at most.
const SECONDS_LIMIT: usize = 960;
const SPANS_LIMIT: usize = 96;

/// Frames as bytes: a tenth of what they take in memory.
#[derive(Default)]
struct Frames {
    /// Each with its beginning.
    packed: Vec<(u64, Vec<u8>)>,
}

impl Frames {
    /// Adds a frame; one that begins where the last one did takes its place.
    fn put(&mut self, frame: &Frame, limit: usize) {
        if self
            .packed
            .last()
            .is_some_and(|(at_ns, _)| *at_ns == frame.at_ns)
        {
            self.packed.pop();
        } else if self.packed.len() >= limit {
            self.halve();
        }
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        self.packed.push((frame.at_ns, bytes));
    }

    /// Merges each frame with its neighbour.
    fn halve(&mut self) {
        let all = std::mem::take(&mut self.packed);
        for pair in all.chunks(2) {
            let mut frames = pair
                .iter()
                .filter_map(|(_, bytes)| Frame::decode(bytes).ok());
            let Some(mut sum) = frames.next() else {
                continue;
            };
            frames.for_each(|next| sum.merge(&next));
            let mut bytes = Vec::new();
            sum.encode(&mut bytes);
            self.packed.push((sum.at_ns, bytes));
        }
    }

    fn read(&self) -> Vec<Frame> {
        let frames = self.packed.iter();
        frames
            .filter_map(|(_, bytes)| Frame::decode(bytes).ok())
            .collect()
    }
}

#[derive(Default)]
struct State {
    head: Head,
    keys: Vec<Key>,
    seconds: Frames,
    spans: Frames,
    tail: Option<Tail>,
}

/// The receiver.
#[derive(Default)]
pub struct Gatherer(Arc<Mutex<State>>);

/// What a [`Gatherer`] has.
#[derive(Clone, Default)]
pub struct Gathered(Arc<Mutex<State>>);

impl Gatherer {
    /// Without a run yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What it will have.
    pub fn gathered(&self) -> Gathered {
        Gathered(self.0.clone())
    }
}

impl Gathered {
    /// The run so far. In long runs frames are longer than a second.
    pub fn record(&self) -> Record {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Record {
            head: state.head.clone(),
            keys: state.keys.clone(),
            seconds: state.seconds.read(),
            spans: state.spans.read(),
            tail: state.tail.clone(),
        }
    }
}

impl Receiver for Gatherer {
    fn begin(&mut self, head: &Head) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).head = head.clone();
    }

    fn update(&mut self, update: &Arc<Update>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.keys.extend(update.fresh_keys.iter().cloned());
        state.seconds.put(&update.second, SECONDS_LIMIT);
        state.spans.put(&update.span, SPANS_LIMIT);
    }

    fn end(&mut self, tail: &Tail) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).tail = Some(tail.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;

    #[test]
    fn a_long_run_takes_few_frames_and_loses_nothing() {
        let mut gatherer = Gatherer::new();
        let seconds = 5_000u64;
        let frame = |at_ns, span_ns, samples| Frame {
            at_ns,
            span_ns,
            points: vec![(0, Point::Counter { sum: 1.0, samples })],
            ..Frame::default()
        };
        for second in 0..seconds {
            let at_ns = second * 1_000_000_000;
            let since_ns = second / 10 * 10_000_000_000;
            let update = Update {
                second: frame(at_ns, 1_000_000_000, 1),
                span: frame(since_ns, at_ns + 1_000_000_000 - since_ns, second % 10 + 1),
                ..Update::default()
            };
            gatherer.update(&Arc::new(update));
        }
        let record = gatherer.gathered().record();
        let samples =
            |frames: &[Frame]| frames.iter().map(|f| f.points[0].1.samples()).sum::<u64>();
        assert!(record.seconds.len() <= SECONDS_LIMIT && record.spans.len() <= SPANS_LIMIT);
        assert_eq!(
            (samples(&record.seconds), samples(&record.spans)),
            (seconds, seconds)
        );
        assert_eq!(
            record.seconds.last().unwrap().until_ns(),
            seconds * 1_000_000_000
        );
    }
}
