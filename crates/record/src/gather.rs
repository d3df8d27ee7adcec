//! The record of a run in memory: for what is said at its end, and for the pages while it goes on.
//!
//! Distributions are kept in coarse buckets and as bytes. Invariant: however long the run is, it takes about the same
//! memory: when there are many frames, neighbours are merged. The numbers of the whole run come from the result at its
//! end, so they lose nothing.

use std::sync::{Arc, Mutex, PoisonError};

use crate::frame::Frame;
use crate::keeper::{Receiver, Update};
use crate::key::Key;
use crate::point::Point;
use crate::record::{Head, Record, Tail};

/// Distributions have 32 buckets in an octave: 2.2 % wide.
const SCALE: i8 = 5;

/// How finely a run is gathered: so many frames become half as many. Even numbers.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// Frames of seconds.
    pub seconds: usize,
    /// Frames of ten seconds.
    pub spans: usize,
    /// The only trend whose distribution is kept over time; the others' are kept for the whole run, in its last frame.
    /// Without a name all are kept over time.
    pub trend: Option<&'static str>,
}

impl Detail {
    /// For rules, which look at a hundred windows, and at durations in each.
    pub const RULES: Self = Self {
        seconds: 240,
        spans: 96,
        trend: Some("http_req_duration"),
    };
    /// For charts: two hours of seconds.
    pub const CHARTS: Self = Self {
        seconds: 7_200,
        spans: 720,
        trend: None,
    };
}

/// Frames of one kind, all but the last as bytes: a tenth of what they take in memory.
#[derive(Default)]
struct Frames {
    packed: Vec<Box<[u8]>>,
    /// Frames that make a packed one by now.
    together: usize,
    /// What will be packed next, and how many frames are in it.
    group: Option<Frame>,
    in_group: usize,
    /// The last frame: the next one that begins where it did takes its place.
    last: Option<Frame>,
    /// The distributions that are not kept over time, but for those of the last frame.
    pooled: Frame,
}

impl Frames {
    /// Adds a frame; one that begins where the last one did takes its place. `is_pooled` tells which trends are not kept
    /// over time.
    fn put(&mut self, frame: &Frame, limit: usize, is_pooled: impl Fn(u32) -> bool) {
        let frame = coarse(frame);
        let is_next = |last: &Frame| last.at_ns != frame.at_ns;
        if self.last.as_ref().is_some_and(is_next) {
            self.close(limit, is_pooled);
        }
        self.last = Some(frame);
    }

    /// Counts the last frame to its group, for another one begins.
    fn close(&mut self, limit: usize, is_pooled: impl Fn(u32) -> bool) {
        let Some(mut last) = self.last.take() else {
            return;
        };
        let (pooled, kept): (Vec<_>, Vec<_>) = last
            .points
            .into_iter()
            .partition(|(key, point)| matches!(point, Point::Trend(_)) && is_pooled(*key));
        last.points = kept;
        self.pooled.merge_points(&pooled);
        self.group = Some(joined(self.group.take(), last));
        self.in_group += 1;
        if self.in_group < self.together {
            return;
        }
        self.in_group = 0;
        self.packed.extend(self.group.take().as_ref().map(packed));
        if self.packed.len() >= limit {
            self.halve();
        }
    }

    /// Merges each frame with its neighbour.
    fn halve(&mut self) {
        self.together = self.together.max(1) * 2;
        let all = std::mem::take(&mut self.packed);
        for pair in all.chunks(2) {
            let mut frames = pair.iter().filter_map(|bytes| Frame::decode(bytes).ok());
            let Some(mut sum) = frames.next() else {
                continue;
            };
            frames.for_each(|next| sum.merge(&next));
            self.packed.push(packed(&sum));
        }
    }

    fn read(&self) -> Vec<Frame> {
        let packed = self.packed.iter();
        let mut frames: Vec<Frame> = packed
            .filter_map(|bytes| Frame::decode(bytes).ok())
            .collect();
        // Without a last frame nothing was put.
        let last = self.last.clone();
        frames.extend(last.map(|last| {
            let mut last = joined(self.group.clone(), last);
            last.merge_points(&self.pooled.points);
            last
        }));
        frames
    }
}

/// A group with the frame that follows.
fn joined(group: Option<Frame>, last: Frame) -> Frame {
    match group {
        Some(mut group) => {
            group.merge(&last);
            group
        }
        None => last,
    }
}

fn packed(frame: &Frame) -> Box<[u8]> {
    let mut bytes = Vec::new();
    frame.encode(&mut bytes);
    bytes.into_boxed_slice()
}

fn coarse(frame: &Frame) -> Frame {
    let point = |point: &Point| match point {
        Point::Trend(dist) => Point::Trend(dist.at_scale(SCALE)),
        other => other.clone(),
    };
    Frame {
        points: frame
            .points
            .iter()
            .map(|(key, p)| (*key, point(p)))
            .collect(),
        ..*frame
    }
}

struct State {
    detail: Detail,
    head: Head,
    keys: Vec<Key>,
    seconds: Frames,
    spans: Frames,
    tail: Option<Arc<Tail>>,
}

/// The receiver; clones share what they have.
#[derive(Clone)]
pub struct Gatherer(Arc<Mutex<State>>);

impl Gatherer {
    /// Without a run yet.
    pub fn new(detail: Detail) -> Self {
        let state = State {
            detail,
            head: Head::default(),
            keys: Vec::new(),
            seconds: Frames::default(),
            spans: Frames::default(),
            tail: None,
        };
        Self(Arc::new(Mutex::new(state)))
    }

    /// Gathers in another detail from now on.
    pub fn gather_in(&self, detail: Detail) {
        self.lock().detail = detail;
    }

    /// The run so far. In long runs frames are longer than a second.
    pub fn record(&self) -> Record {
        let state = self.lock();
        Record {
            head: state.head.clone(),
            keys: state.keys.clone(),
            seconds: state.seconds.read(),
            spans: state.spans.read(),
            tail: state.tail.as_deref().cloned(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Receiver for Gatherer {
    fn begin(&mut self, head: &Head) {
        self.lock().head = head.clone();
    }

    fn update(&mut self, update: &Arc<Update>) {
        let state = &mut *self.lock();
        state.keys.extend_from_slice(&update.fresh_keys);
        let keys = &state.keys;
        let detail = state.detail;
        let is_pooled = |key: u32| {
            let metric = keys.get(key as usize).map(|key| &key.metric);
            detail
                .trend
                .is_some_and(|kept| metric.is_none_or(|metric| *metric != *kept))
        };
        state.seconds.put(&update.second, detail.seconds, is_pooled);
        state.spans.put(&update.span, detail.spans, is_pooled);
    }

    fn end(&mut self, tail: &Arc<Tail>) {
        self.lock().tail = Some(Arc::clone(tail));
    }
}

#[cfg(test)]
mod tests {
    use netload_metrics::Histogram;

    use super::*;
    use crate::dist::Dist;

    const DETAIL: Detail = Detail::RULES;

    #[test]
    fn a_long_run_takes_few_frames_and_loses_nothing() {
        let mut gatherer = Gatherer::new(DETAIL);
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
        let record = gatherer.record();
        let samples =
            |frames: &[Frame]| frames.iter().map(|f| f.points[0].1.samples()).sum::<u64>();
        assert!(record.seconds.len() <= DETAIL.seconds && record.spans.len() <= DETAIL.spans);
        assert_eq!(
            (samples(&record.seconds), samples(&record.spans)),
            (seconds, seconds)
        );
        assert_eq!(
            record.seconds.last().unwrap().until_ns(),
            seconds * 1_000_000_000
        );
    }

    #[test]
    fn rules_see_one_trend_over_time_and_the_others_as_a_whole() {
        let mut gatherer = Gatherer::new(DETAIL);
        let mut values = Histogram::default();
        values.record(1.0);
        values.record(2.0);
        let trend = || Point::Trend(Dist::of(&values, SCALE));
        for second in 0..500 {
            let update = Update {
                fresh_keys: match second {
                    0 => ["http_req_duration", "http_req_sending"]
                        .map(Key::whole)
                        .to_vec(),
                    _ => Vec::new(),
                },
                second: Frame {
                    at_ns: second * 1_000_000_000,
                    span_ns: 1_000_000_000,
                    points: vec![(0, trend()), (1, trend())],
                    ..Frame::default()
                },
                ..Update::default()
            };
            gatherer.update(&Arc::new(update));
        }
        let record = gatherer.record();
        let frames_with = |key| {
            record
                .seconds
                .iter()
                .filter(|f| f.point(key).is_some())
                .count()
        };
        assert_eq!((frames_with(0), frames_with(1)), (record.seconds.len(), 1));
        let samples = |metric| record.total(&Key::whole(metric)).unwrap().samples();
        assert_eq!(
            (samples("http_req_duration"), samples("http_req_sending")),
            (1_000, 1_000)
        );
    }
}
