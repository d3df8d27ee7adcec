//! What the line formats have in common: parts of a line that are made once per tag set, and the numbers beside tags.

use std::borrow::Cow;
use std::collections::BTreeMap;

use netload_metrics::recorder::Sample;
use netload_metrics::{Aggregator, TagSet, TagsId};

use crate::sinks::SinkOptions;

/// Rendered tag sets, by worker and number. Bounded by the number of tag sets, which the recorders limit.
#[derive(Debug, Default)]
pub(crate) struct TagCache {
    /// Empty until it is needed; no format renders a set to nothing.
    workers: Vec<Vec<Box<[u8]>>>,
}

impl TagCache {
    /// Appends a tag set, rendered at its first use.
    pub(crate) fn push(
        &mut self,
        worker: usize,
        id: TagsId,
        aggregator: &Aggregator,
        out: &mut Vec<u8>,
        render: impl FnOnce(&TagSet) -> Vec<u8>,
    ) {
        if worker >= self.workers.len() {
            self.workers.resize_with(worker + 1, Vec::new);
        }
        let of_worker = &mut self.workers[worker];
        let at = id.0 as usize;
        if at >= of_worker.len() {
            of_worker.resize_with(at + 1, Box::default);
        }
        let rendered = &mut of_worker[at];
        if rendered.is_empty() {
            let tags = aggregator.tags(worker, id).cloned().unwrap_or_default();
            *rendered = render(&tags).into();
        }
        out.extend_from_slice(rendered);
    }
}

/// Which numbers stand beside the tags of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metadata {
    None,
    Vu,
    Iteration,
    Both,
}

impl Metadata {
    /// `vu` and `iter` are enabled like tags, but they are not tags: they would make a series of every sample.
    pub(crate) fn of(options: &SinkOptions) -> Self {
        let enabled = |name: &str| options.system_tags.iter().any(|tag| tag == name);
        match (enabled("vu"), enabled("iter")) {
            (false, false) => Self::None,
            (true, false) => Self::Vu,
            (false, true) => Self::Iteration,
            (true, true) => Self::Both,
        }
    }

    pub(crate) fn has_iteration(self) -> bool {
        matches!(self, Self::Iteration | Self::Both)
    }

    pub(crate) fn has_vu(self) -> bool {
        matches!(self, Self::Vu | Self::Both)
    }

    /// Everything that stands beside the tags of a sample, sorted by name; of a name given twice the script's counts.
    pub(crate) fn pairs(self, sample: &Sample) -> BTreeMap<&str, Cow<'_, str>> {
        let mut pairs = BTreeMap::new();
        let own = &sample.stamp;
        if self.has_iteration() && own.vu != 0 {
            pairs.insert("iter", own.iteration.to_string().into());
        }
        if self.has_vu() && own.vu != 0 {
            pairs.insert("vu", own.vu.to_string().into());
        }
        for (name, value) in sample.metadata.iter().flat_map(TagSet::iter) {
            pairs.insert(name, value.into());
        }
        pairs
    }
}
