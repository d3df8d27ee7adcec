//! What is measured and how it adds up: metrics, tags, recorders, windows, merging and threshold arithmetic.
//!
//! Pure data and arithmetic: no I/O, no clock, no threads. Memory depends on the number of series, never on the
//! number of samples. Merging is exact: the order in which windows are absorbed does not change any count.

pub mod accuracy;
pub mod aggregate;
pub mod aggregator;
pub mod batches;
pub mod compat;
pub mod generator;
pub mod histogram;
pub mod interval;
pub mod recorder;
pub mod registry;
pub mod sink;
pub mod summary;
pub mod tags;
pub mod threshold;

pub use accuracy::{Accuracy, Basis, Conservation};
pub use aggregate::Aggregate;
pub use aggregator::Aggregator;
pub use batches::Dispersion;
pub use compat::Compat;
pub use histogram::Histogram;
pub use interval::{InstrumentError, Interval, interval};
pub use recorder::{BundleId, Recorder, SlotId, Stamp, Window};
pub use registry::{Builtin, Contains, DeclareError, Kind, Metric, MetricId, Registry};
pub use sink::{RunInfo, Second, Sink, SinkError};
pub use summary::Summary;
pub use tags::{TagSet, TagsId};
