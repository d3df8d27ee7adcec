//! One series of one run as rows of numbers that can be added: a row for each window.

use netload_record::{Dist, Frame, Key, Point, Record};

/// More windows are merged with their neighbours: the draws need no more, and longer windows depend less on each other.
const WINDOWS_LIMIT: usize = 240;
/// Windows shorter than this share of the usual one are left out: the rest of a second at the end of a run.
const SHORT_SHARE: f64 = 0.5;
/// From so many windows on, the first is left out: connections are made and caches filled in it.
const WARM_UP_FROM: usize = 10;

/// The windows of one run: each row holds seconds, and then what the measure adds up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    /// The number of columns.
    pub(crate) width: usize,
    /// Row after row.
    pub(crate) cells: Vec<f64>,
}

impl Series {
    pub(crate) fn len(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    pub(crate) fn row(&self, at: usize) -> &[f64] {
        &self.cells[at * self.width..(at + 1) * self.width]
    }
}

/// The buckets that both sides use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets {
    pub(crate) scale: i8,
    pub(crate) first: i32,
    pub(crate) count: usize,
}

impl Buckets {
    /// The upper end of a bucket's share: `at` buckets from the first.
    pub(crate) fn value(&self, at: f64) -> f64 {
        ((f64::from(self.first) + at) / f64::from(self.scale).exp2()).exp2()
    }

    /// The buckets of all these distributions.
    pub(crate) fn of<'a>(all: impl Iterator<Item = &'a Dist> + Clone) -> Option<Self> {
        let scale = all.clone().map(|d| d.scale).min()?;
        let number = |d: &Dist, bucket: &(i32, u64)| bucket.0 >> (d.scale - scale);
        let firsts = all
            .clone()
            .filter_map(|d| Some(number(d, d.positive.first()?)));
        let lasts = all
            .clone()
            .filter_map(|d| Some(number(d, d.positive.last()?)));
        let (first, last) = (firsts.min()?, lasts.max()?);
        Some(Self {
            scale,
            first,
            count: (last - first + 1) as usize,
        })
    }
}

/// The frames that are compared.
pub(crate) fn windows(frames: &[Frame]) -> &[Frame] {
    let mut usual: Vec<u64> = frames.iter().map(|f| f.span_ns).collect();
    usual.sort_unstable();
    let usual = usual.get(usual.len() / 2).copied().unwrap_or(0) as f64;
    let mut frames = frames;
    while let Some((last, rest)) = frames.split_last()
        && (last.span_ns as f64) < usual * SHORT_SHARE
    {
        frames = rest;
    }
    match frames {
        [_, rest @ ..] if frames.len() >= WARM_UP_FROM => rest,
        all => all,
    }
}

/// What a series has seen in each window; short of data the last windows may be merged.
pub(crate) fn points(record: &Record, key: &Key) -> Vec<(f64, Option<Point>)> {
    let Some(number) = record.key(key) else {
        return Vec::new();
    };
    let frames = windows(record.frames_of(key));
    let together = frames.len().div_ceil(WINDOWS_LIMIT).max(1);
    let merged = |group: &[Frame]| {
        let seconds = group.iter().map(Frame::span_s).sum();
        let mut points = group.iter().filter_map(|f| f.point(number));
        let mut sum = points.next().cloned();
        if let Some(sum) = &mut sum {
            points.for_each(|point| sum.merge(point));
        }
        (seconds, sum)
    };
    frames.chunks(together).map(merged).collect()
}

/// Rows of seconds and a sum.
pub(crate) fn sums(points: &[(f64, Option<Point>)]) -> Series {
    let row = |(seconds, point): &(f64, Option<Point>)| {
        [*seconds, point.as_ref().map_or(0.0, Point::sum)]
    };
    Series {
        width: 2,
        cells: points.iter().flat_map(row).collect(),
    }
}

/// Rows of seconds, values that count, and all values.
pub(crate) fn shares(points: &[(f64, Option<Point>)], failures: bool) -> Series {
    let row = |(seconds, point): &(f64, Option<Point>)| {
        let (passes, total) = match point {
            Some(Point::Rate { passes, total }) => (*passes, *total),
            _ => (0, 0),
        };
        let hits = if failures { total - passes } else { passes };
        [*seconds, hits as f64, total as f64]
    };
    Series {
        width: 3,
        cells: points.iter().flat_map(row).collect(),
    }
}

/// Rows of seconds, values at or below zero, and the counts of the buckets.
pub(crate) fn counts(points: &[(f64, Option<Point>)], buckets: &Buckets) -> Series {
    let width = 2 + buckets.count;
    let mut cells = vec![0.0; width * points.len()];
    for ((seconds, point), row) in points.iter().zip(cells.chunks_mut(width)) {
        row[0] = *seconds;
        let Some(dist) = point.as_ref().and_then(Point::dist) else {
            continue;
        };
        let positive: u64 = dist.positive.iter().map(|(_, count)| *count).sum();
        row[1] = (dist.count - positive) as f64;
        let shift = dist.scale - buckets.scale;
        for (index, count) in &dist.positive {
            row[2 + ((index >> shift) - buckets.first) as usize] += *count as f64;
        }
    }
    Series { width, cells }
}
