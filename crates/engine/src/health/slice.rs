//! What the workers measured in a slice of the run, collected from their windows.

use netload_metrics::accuracy::Stamps;
use netload_metrics::generator::{Evidence, Spread};
use netload_metrics::{Aggregate, Aggregator, Builtin, Histogram, TagsId, Window};

/// How an exchange says that no more files could be opened.
const NO_FILES: &str = "too many open files";
/// How it says that no local port was free.
const NO_PORTS: &str = "cannot assign requested address";

/// The distributions of a slice.
#[derive(Debug, Default)]
pub(super) struct Slice {
    pub(super) net: Histogram,
    pub(super) gross: Histogram,
    tare: Histogram,
    late: Histogram,
    out_of_files: u64,
    out_of_ports: u64,
    stamps: Stamps,
}

impl Slice {
    /// Adds a window that the aggregator has absorbed.
    pub(super) fn absorb(&mut self, window: &Window, metrics: &Builtin, aggregator: &Aggregator) {
        self.stamps.merge(&window.accuracy.stamps);
        for delta in &window.series {
            match &delta.data {
                Aggregate::Trend(values) if delta.metric == metrics.http_req_duration => {
                    self.net.merge(values);
                }
                Aggregate::Trend(values) if delta.metric == metrics.http_req_gross => {
                    self.gross.merge(values);
                }
                Aggregate::Trend(values) if delta.metric == metrics.http_req_tare => {
                    self.tare.merge(values);
                }
                Aggregate::Trend(values) if delta.metric == metrics.iteration_lateness => {
                    self.late.merge(values);
                }
                Aggregate::Counter(count) if delta.metric == metrics.http_reqs => {
                    self.count_refused(count.sum as u64, window.worker, delta.tags, aggregator);
                }
                _ => {}
            }
        }
    }

    fn count_refused(&mut self, count: u64, worker: usize, tags: TagsId, aggregator: &Aggregator) {
        let tags = aggregator.tags(worker, tags);
        let Some(error) = tags.and_then(|t| t.value("error")) else {
            return;
        };
        if error.contains(NO_FILES) {
            self.out_of_files += count;
        } else if error.contains(NO_PORTS) {
            self.out_of_ports += count;
        }
    }

    /// Writes what was measured into the evidence.
    pub(super) fn tell(&self, evidence: &mut Evidence) {
        evidence.net = Spread::from(&self.net);
        evidence.gross = Spread::from(&self.gross);
        evidence.tare = Spread::from(&self.tare);
        evidence.late = Spread::from(&self.late);
        evidence.out_of_files = self.out_of_files;
        evidence.out_of_ports = self.out_of_ports;
        evidence.unstamped = self.stamps.without();
        evidence.responses = self.stamps.kernel + evidence.unstamped;
    }

    /// Begins anew and keeps the memory.
    pub(super) fn clear(&mut self) {
        for values in [
            &mut self.net,
            &mut self.gross,
            &mut self.tare,
            &mut self.late,
        ] {
            values.clear();
        }
        self.out_of_files = 0;
        self.out_of_ports = 0;
        self.stamps = Stamps::default();
    }
}
