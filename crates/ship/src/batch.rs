//! What was measured in about a second, by series, made once for all outputs.
//!
//! Owns the translation from a worker's numbers to series that are the same for everybody. Invariant: every sample of
//! every window is in exactly one batch.

use std::collections::HashMap;
use std::sync::Arc;

use netload_metrics::{Aggregate, Aggregator, Metric, MetricId, Registry, TagSet, TagsId, Window};

/// A metric with a set of tags.
#[derive(Debug)]
pub(crate) struct Series {
    /// Counted from 0 in the order of appearance.
    pub(crate) number: usize,
    pub(crate) metric: Metric,
    pub(crate) tags: TagSet,
}

/// A series and what it has seen.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) series: Arc<Series>,
    pub(crate) data: Aggregate,
}

/// Everything measured since the batch before.
#[derive(Debug)]
pub(crate) struct Batch {
    /// When it was closed, in nanoseconds since 1970.
    pub(crate) unix_ns: u64,
    pub(crate) entries: Vec<Entry>,
}

impl Batch {
    /// How many samples it stands for.
    pub(crate) fn samples(&self) -> u64 {
        self.entries.iter().map(|e| e.data.samples()).sum()
    }
}

struct Slot {
    series: Arc<Series>,
    data: Aggregate,
    touched: bool,
}

/// Adds windows up until a batch is wanted.
pub(crate) struct Collecting {
    registry: Arc<Registry>,
    routes: HashMap<(usize, MetricId, TagsId), usize>,
    numbers: HashMap<(MetricId, TagSet), usize>,
    slots: Vec<Slot>,
    touched: Vec<usize>,
}

impl Collecting {
    pub(crate) fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            routes: HashMap::new(),
            numbers: HashMap::new(),
            slots: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Adds a window that the aggregator has absorbed.
    pub(crate) fn absorb(&mut self, window: &Window, aggregator: &Aggregator) {
        for delta in &window.series {
            let route = (window.worker, delta.metric, delta.tags);
            let at = match self.routes.get(&route) {
                Some(at) => *at,
                None => {
                    let tags = aggregator.tags(window.worker, delta.tags);
                    let at = self.number(delta.metric, tags.cloned().unwrap_or_default());
                    self.routes.insert(route, at);
                    at
                }
            };
            let slot = &mut self.slots[at];
            if !slot.touched {
                slot.touched = true;
                self.touched.push(at);
            }
            slot.data.merge(&delta.data);
        }
    }

    /// Everything since the last call.
    pub(crate) fn take(&mut self, unix_ns: u64) -> Batch {
        let mut entries = Vec::with_capacity(self.touched.len());
        for at in self.touched.drain(..) {
            let slot = &mut self.slots[at];
            slot.touched = false;
            let empty = Aggregate::empty(slot.series.metric.kind);
            entries.push(Entry {
                series: slot.series.clone(),
                data: std::mem::replace(&mut slot.data, empty),
            });
        }
        Batch { unix_ns, entries }
    }

    fn number(&mut self, metric: MetricId, tags: TagSet) -> usize {
        let number = self.slots.len();
        let known = self.numbers.entry((metric, tags.clone())).or_insert(number);
        if *known == number {
            let metric = self.registry.metric(metric);
            let data = Aggregate::empty(metric.kind);
            let series = Series {
                number,
                metric,
                tags,
            };
            self.slots.push(Slot {
                series: Arc::new(series),
                data,
                touched: false,
            });
        }
        *known
    }
}

#[cfg(test)]
mod tests {
    use netload_metrics::{Recorder, Stamp};

    use super::*;

    #[test]
    fn equal_series_of_several_workers_become_one() {
        let registry = Arc::new(Registry::new());
        let metric = registry.builtin.http_reqs;
        let mut aggregator = Aggregator::new(registry.clone(), 2, false);
        let mut collecting = Collecting::new(registry.clone());
        for worker in 0..2 {
            let mut recorder = Recorder::new(worker, registry.clone(), 100, false);
            if worker == 1 {
                recorder.tags.extend(TagsId::EMPTY, &[("only", "here")]);
            }
            let tags = recorder.tags.extend(TagsId::EMPTY, &[("status", "200")]);
            recorder.record(metric, tags, 1.0, Stamp::default());
            recorder.record(metric, TagsId::EMPTY, 1.0, Stamp::default());
            let window = recorder.take_window();
            aggregator.absorb(&window);
            collecting.absorb(&window, &aggregator);
        }
        let batch = collecting.take(7);
        assert_eq!(
            (batch.unix_ns, batch.entries.len(), batch.samples()),
            (7, 2, 4)
        );
        assert_eq!(batch.entries[0].series.tags.value("status"), Some("200"));
        assert_eq!(collecting.take(8).samples(), 0);
    }
}
