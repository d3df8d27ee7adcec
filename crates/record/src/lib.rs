//! What is kept of a run, and arithmetic over it: the same data for the store, the report, the live pages, the findings
//! and the comparison.
//!
//! Pure data: no files, no clock, no threads. Invariants: merging neighbouring frames changes no count; memory depends on
//! the number of seconds and series, never on the number of requests; no bytes make [`Frame::decode`] panic.

mod bytes;
mod dist;
mod frame;
mod gather;
mod keeper;
mod key;
mod point;
mod record;

pub use bytes::{DecodeError, FORMAT};
pub use dist::Dist;
pub use frame::Frame;
pub use gather::{Detail, Gatherer};
pub use keeper::{Feed, Keeper, Receiver, Update};
pub use key::{Key, OTHER, Part, SERIES_LIMIT};
pub use point::Point;
pub use record::{Head, MetricInfo, Record, SCRIPT_LIMIT_BYTES, Tail};
