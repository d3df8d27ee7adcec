//! One worker's buffer of what was measured since the last window, without locks and, once warm, without allocation.
//!
//! A sample goes to a slot: the pair of a metric and an interned tag set, looked up once and then known by a number.
//! Each window the touched slots are moved out as a [`Window`]; the aggregator gives the emptied histograms back.

use std::collections::HashMap;
use std::sync::Arc;

use crate::accuracy::Accuracy;
use crate::aggregate::Aggregate;
use crate::histogram::Histogram;
use crate::registry::{Kind, MetricId, Registry};
use crate::tags::{Interner, TagSet, TagsId};

/// The number of a series in one worker's [`Recorder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotId(u32);

/// The number of a [`Recorder::bundle`] in one worker's [`Recorder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BundleId(u32);

/// The number of a check (group path and name) in one worker's [`Recorder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CheckId(u32);

/// When and by whom a sample was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Nanoseconds since 1970.
    pub unix_ns: u64,
    /// The number of the VU, from 1; 0 in setup and teardown.
    pub vu: u64,
    /// The VU's iteration, from 0.
    pub iteration: u64,
}

/// One single value, kept only when an output wants every sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Which metric.
    pub metric: MetricId,
    /// Which tags, in the numbering of the worker that made it.
    pub tags: TagsId,
    /// The value in the metric's unit.
    pub value: f64,
    /// When and by whom.
    pub stamp: Stamp,
    /// What the VU said about itself then: like tags, but of single samples and never of series.
    pub metadata: Option<TagSet>,
}

/// What one series has seen in a window.
#[derive(Clone, Debug)]
pub struct SeriesDelta {
    /// Which metric.
    pub metric: MetricId,
    /// Which tags, in the numbering of the worker.
    pub tags: TagsId,
    /// The merged samples.
    pub data: Aggregate,
}

/// What one check has seen in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckDelta {
    /// The path of the group it stands in, such as `::a::b`, empty outside groups.
    pub group: Arc<str>,
    /// Its name; none for a group that was entered.
    pub name: Option<Arc<str>>,
    /// How often it held.
    pub passes: u64,
    /// How often it did not.
    pub fails: u64,
}

/// Everything a worker has recorded since the last one.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// Which worker.
    pub worker: usize,
    /// Tag sets that are new, continuing the worker's numbering.
    pub fresh_tags: Vec<TagSet>,
    /// The touched series, in the order of their first sample.
    pub series: Vec<SeriesDelta>,
    /// The touched checks and groups, in the order of their first use.
    pub checks: Vec<CheckDelta>,
    /// Every sample, when an output wants them.
    pub samples: Vec<Sample>,
    /// Samples that were not kept because the limit was reached.
    pub samples_lost: u64,
    /// Tags that have too many values, the worst first.
    pub blamed: Vec<Arc<str>>,
    /// What the worker knows of the quality of its measurements.
    pub accuracy: Accuracy,
}

#[derive(Debug)]
struct Slot {
    metric: MetricId,
    tags: TagsId,
    data: Aggregate,
    touched: bool,
}

/// Series that get their values together, and the rows of values that are not in their aggregates yet.
#[derive(Debug)]
struct Bundle {
    slots: Box<[SlotId]>,
    /// Row after row.
    waiting: Vec<f64>,
    /// Whether the recorder has it among those to settle.
    listed: bool,
}

#[derive(Debug)]
struct CheckSlot {
    group: Arc<str>,
    name: Option<Arc<str>>,
    passes: u64,
    fails: u64,
    touched: bool,
}

/// Where a worker records.
#[derive(Debug)]
pub struct Recorder {
    worker: usize,
    /// The worker's tag sets.
    pub tags: Interner,
    registry: Arc<Registry>,
    index: HashMap<(MetricId, TagsId), SlotId>,
    slots: Vec<Slot>,
    touched: Vec<SlotId>,
    bundles: Vec<Bundle>,
    bundle_index: HashMap<Box<[SlotId]>, BundleId>,
    /// Bundles that may have waiting rows.
    unsettled: Vec<BundleId>,
    checks: Vec<CheckSlot>,
    check_index: HashMap<Arc<str>, HashMap<Option<Arc<str>>, CheckId>>,
    touched_checks: Vec<CheckId>,
    samples: Option<Vec<Sample>>,
    samples_lost: u64,
    /// What VUs say about themselves, by number; only kept with samples.
    metadata: HashMap<u64, TagSet>,
    #[expect(clippy::vec_box, reason = "the boxes themselves are handed out again")]
    spare: Vec<Box<Histogram>>,
}

impl Recorder {
    /// Samples kept in one window at most when an output wants every sample.
    pub const SAMPLES_LIMIT: usize = 4_000_000;
    /// Emptied histograms kept for reuse at most.
    const SPARE_LIMIT: usize = 1_024;
    /// Rows of a bundle that wait at most.
    const ROWS_LIMIT: usize = 64;

    /// A recorder for one worker. `keep_samples`: whether an output wants every sample.
    pub fn new(worker: usize, registry: Arc<Registry>, series: usize, keep_samples: bool) -> Self {
        Self {
            worker,
            tags: Interner::new(series),
            registry,
            index: HashMap::new(),
            slots: Vec::new(),
            touched: Vec::new(),
            bundles: Vec::new(),
            bundle_index: HashMap::new(),
            unsettled: Vec::new(),
            checks: Vec::new(),
            check_index: HashMap::new(),
            touched_checks: Vec::new(),
            samples: keep_samples.then(Vec::new),
            samples_lost: 0,
            metadata: HashMap::new(),
            spare: Vec::new(),
        }
    }

    /// The metrics of the run.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The slot of a series; look it up once, keep the number.
    pub fn slot(&mut self, metric: MetricId, tags: TagsId) -> SlotId {
        if let Some(slot) = self.index.get(&(metric, tags)) {
            return *slot;
        }
        let slot = SlotId(self.slots.len() as u32);
        let data = Aggregate::empty(self.registry.metric(metric).kind);
        self.slots.push(Slot {
            metric,
            tags,
            data,
            touched: false,
        });
        self.index.insert((metric, tags), slot);
        slot
    }

    /// Series that get their values together, one each; make it once, keep the number.
    pub fn bundle(&mut self, slots: &[SlotId]) -> BundleId {
        if let Some(known) = self.bundle_index.get(slots) {
            return *known;
        }
        let id = BundleId(self.bundles.len() as u32);
        self.bundle_index.insert(slots.into(), id);
        self.bundles.push(Bundle {
            slots: slots.into(),
            waiting: Vec::new(),
            listed: false,
        });
        id
    }

    /// Adds one sample to each series of a bundle, in their order. Quicker than one by one: rows wait until there are
    /// enough of them, then each series is gone through once.
    pub fn add_row(&mut self, id: BundleId, row: &[f64], stamp: Stamp) {
        debug_assert_eq!(row.len(), self.bundles[id.0 as usize].slots.len());
        if self.samples.is_some() {
            // Whoever wants every sample wants its stamp too.
            for (column, value) in row.iter().enumerate() {
                let slot = self.bundles[id.0 as usize].slots[column];
                self.add(slot, *value, stamp);
            }
            return;
        }
        let bundle = &mut self.bundles[id.0 as usize];
        if !bundle.listed {
            bundle.listed = true;
            self.unsettled.push(id);
        }
        bundle.waiting.extend_from_slice(row);
        if bundle.waiting.len() >= Self::ROWS_LIMIT * row.len() {
            self.settle(id, stamp);
        }
    }

    /// Adds the waiting rows of a bundle to its series. Gauges take them as of `stamp`.
    #[cold]
    fn settle(&mut self, id: BundleId, stamp: Stamp) {
        let bundle = &mut self.bundles[id.0 as usize];
        let width = bundle.slots.len();
        for (column, slot) in bundle.slots.iter().enumerate() {
            let series = &mut self.slots[slot.0 as usize];
            if !series.touched {
                series.touched = true;
                self.touched.push(*slot);
            }
            let values = bundle.waiting.chunks_exact(width).map(|row| row[column]);
            series.data.add_all(values, stamp.unix_ns);
        }
        bundle.waiting.clear();
    }

    /// Adds a sample to a series.
    pub fn add(&mut self, slot: SlotId, value: f64, stamp: Stamp) {
        let series = &mut self.slots[slot.0 as usize];
        if !series.touched {
            series.touched = true;
            self.touched.push(slot);
        }
        series.data.add(value, stamp.unix_ns);
        if let Some(samples) = &mut self.samples {
            if samples.len() < Self::SAMPLES_LIMIT {
                let (metric, tags) = (series.metric, series.tags);
                samples.push(Sample {
                    metric,
                    tags,
                    value,
                    stamp,
                    metadata: match self.metadata.is_empty() {
                        true => None,
                        false => self.metadata.get(&stamp.vu).cloned(),
                    },
                });
            } else {
                self.samples_lost += 1;
            }
        }
    }

    /// What a VU says about itself from now on; an empty set takes it back.
    pub fn set_metadata(&mut self, vu: u64, metadata: TagSet) {
        if self.samples.is_none() || metadata.is_empty() {
            self.metadata.remove(&vu);
        } else {
            self.metadata.insert(vu, metadata);
        }
    }

    /// [`Self::slot`] and [`Self::add`] in one, for what happens rarely.
    pub fn record(&mut self, metric: MetricId, tags: TagsId, value: f64, stamp: Stamp) {
        let slot = self.slot(metric, tags);
        self.add(slot, value, stamp);
    }

    /// The number of a check in a group, or with `None` of the group itself; look it up once, keep the number.
    pub fn check_slot(&mut self, group: &str, name: Option<&str>) -> CheckId {
        let found = self
            .check_index
            .get(group)
            .and_then(|names| names.iter().find(|(n, _)| n.as_deref() == name));
        if let Some((_, id)) = found {
            return *id;
        }
        let id = CheckId(self.checks.len() as u32);
        let group: Arc<str> = group.into();
        let name: Option<Arc<str>> = name.map(Into::into);
        self.checks.push(CheckSlot {
            group: group.clone(),
            name: name.clone(),
            passes: 0,
            fails: 0,
            touched: false,
        });
        self.check_index.entry(group).or_default().insert(name, id);
        id
    }

    /// Counts one result of a check (for a group: one visit, passed).
    pub fn check(&mut self, id: CheckId, passed: bool) {
        let check = &mut self.checks[id.0 as usize];
        if passed {
            check.passes += 1;
        } else {
            check.fails += 1;
        }
        if !check.touched {
            check.touched = true;
            self.touched_checks.push(id);
        }
    }

    /// Moves everything recorded since the last call out.
    pub fn take_window(&mut self) -> Window {
        while let Some(id) = self.unsettled.pop() {
            self.bundles[id.0 as usize].listed = false;
            self.settle(id, Stamp::default());
        }
        let mut series = Vec::with_capacity(self.touched.len());
        for id in self.touched.drain(..) {
            let slot = &mut self.slots[id.0 as usize];
            slot.touched = false;
            let empty = match &slot.data {
                Aggregate::Trend(_) => Aggregate::Trend(self.spare.pop().unwrap_or_default()),
                Aggregate::Counter(_) => Aggregate::empty(Kind::Counter),
                Aggregate::Gauge(_) => Aggregate::empty(Kind::Gauge),
                Aggregate::Rate(_) => Aggregate::empty(Kind::Rate),
            };
            series.push(SeriesDelta {
                metric: slot.metric,
                tags: slot.tags,
                data: std::mem::replace(&mut slot.data, empty),
            });
        }
        let mut checks = Vec::with_capacity(self.touched_checks.len());
        for id in self.touched_checks.drain(..) {
            let check = &mut self.checks[id.0 as usize];
            check.touched = false;
            checks.push(CheckDelta {
                group: check.group.clone(),
                name: check.name.clone(),
                passes: std::mem::take(&mut check.passes),
                fails: std::mem::take(&mut check.fails),
            });
        }
        Window {
            worker: self.worker,
            fresh_tags: self.tags.fresh(),
            series,
            checks,
            samples: self
                .samples
                .as_mut()
                .map(std::mem::take)
                .unwrap_or_default(),
            samples_lost: std::mem::take(&mut self.samples_lost),
            blamed: self.tags.blamed().to_vec(),
            accuracy: Accuracy::default(),
        }
    }

    /// Takes back the memory of an absorbed window.
    pub fn recycle(&mut self, window: Window) {
        for delta in window.series {
            if let Aggregate::Trend(mut histogram) = delta.data
                && self.spare.len() < Self::SPARE_LIMIT
            {
                histogram.clear();
                self.spare.push(histogram);
            }
        }
    }

    /// Samples waiting for the next window.
    pub fn pending_samples(&self) -> usize {
        self.samples.as_ref().map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sum, count and largest value of every series of a window, by the order of metrics.
    fn seen(recorder: &mut Recorder) -> Vec<(MetricId, u64, f64, f64)> {
        let mut all: Vec<_> = recorder
            .take_window()
            .series
            .into_iter()
            .map(|series| match series.data {
                Aggregate::Trend(h) => (series.metric, h.count(), h.sum(), h.percentile(90.0)),
                Aggregate::Counter(c) => (series.metric, c.samples, c.sum, 0.0),
                Aggregate::Rate(r) => (series.metric, r.total, r.passes as f64, 0.0),
                Aggregate::Gauge(g) => (series.metric, g.samples, g.last, g.max),
            })
            .collect();
        all.sort_by_key(|(metric, ..)| *metric);
        all
    }

    proptest! {
        #[test]
        fn rows_count_like_single_samples(
            rows in prop::collection::vec((0u32..1000, 0u32..1000), 1..700), cut in 0usize..700,
        ) {
            let registry = Arc::new(Registry::new());
            let m = registry.builtin;
            let mut by_row = Recorder::new(0, registry.clone(), 100, false);
            let mut one_by_one = Recorder::new(0, registry, 100, false);
            let slots = |recorder: &mut Recorder| {
                [m.http_req_duration, m.http_reqs].map(|metric| recorder.slot(metric, TagsId::EMPTY))
            };
            let columns = slots(&mut by_row);
            let bundle = by_row.bundle(&columns);
            let singles = slots(&mut one_by_one);
            for (i, (a, b)) in rows.iter().enumerate() {
                let row = [f64::from(*a), f64::from(*b)];
                by_row.add_row(bundle, &row, Stamp::default());
                one_by_one.add(singles[0], row[0], Stamp::default());
                one_by_one.add(singles[1], row[1], Stamp::default());
                if i == cut {
                    prop_assert_eq!(seen(&mut by_row), seen(&mut one_by_one));
                }
            }
            prop_assert_eq!(seen(&mut by_row), seen(&mut one_by_one));
        }
    }
}
