//! A stretch of a run: how many VUs, what became of the plan, and what each series has seen.

use std::borrow::Cow;

use crate::point::Point;

/// A stretch of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// When it began, in nanoseconds since the run started (setup included).
    pub at_ns: u64,
    /// How long it was, in nanoseconds.
    pub span_ns: u64,
    /// VUs that ran iterations at its end; the most of merged frames.
    pub vus: u64,
    /// VUs that were initialised at its end; the most of merged frames.
    pub vus_max: u64,
    /// Starts that became due in it; none in the closed model.
    pub planned: Option<u64>,
    /// Iterations that began in it.
    pub started: u64,
    /// Starts that were dropped in it.
    pub dropped: u64,
    /// What was seen, by the number of the key, ascending.
    pub points: Vec<(u32, Point)>,
}

impl Frame {
    /// Its end, in nanoseconds since the run started.
    pub fn until_ns(&self) -> u64 {
        self.at_ns.saturating_add(self.span_ns)
    }

    /// Its length in seconds.
    pub fn span_s(&self) -> f64 {
        self.span_ns as f64 / 1e9
    }

    /// What a series has seen in it.
    pub fn point(&self, key: u32) -> Option<&Point> {
        let at = self.points.binary_search_by_key(&key, |(k, _)| *k).ok()?;
        Some(&self.points[at].1)
    }

    /// Adds the frame that follows; what lies between both counts as part of it.
    pub fn merge(&mut self, next: &Self) {
        self.span_ns = next.until_ns().saturating_sub(self.at_ns);
        self.vus = self.vus.max(next.vus);
        self.vus_max = self.vus_max.max(next.vus_max);
        self.planned = match (self.planned, next.planned) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        self.started += next.started;
        self.dropped += next.dropped;
        self.merge_points(&next.points);
    }

    /// Adds what was seen elsewhere, by the number of the key.
    pub fn merge_points(&mut self, points: &[(u32, Point)]) {
        for (key, point) in points {
            match self.points.binary_search_by_key(key, |(k, _)| *k) {
                Ok(at) => self.points[at].1.merge(point),
                Err(at) => self.points.insert(at, (*key, point.clone())),
            }
        }
    }

    /// At most `limit` frames (at least one): neighbours are merged, no count changes. As they are when they are no more.
    pub fn at_most(frames: &[Self], limit: usize) -> Cow<'_, [Self]> {
        let together = frames.len().div_ceil(limit.max(1));
        if together <= 1 {
            return Cow::Borrowed(frames);
        }
        let merged = |group: &[Self]| {
            let (first, rest) = group.split_first()?;
            let mut sum = first.clone();
            rest.iter().for_each(|frame| sum.merge(frame));
            Some(sum)
        };
        frames.chunks(together).filter_map(merged).collect()
    }
}
