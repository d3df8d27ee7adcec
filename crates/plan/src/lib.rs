//! Scenarios, executor laws, segments, options and threshold expressions as pure data and arithmetic.
//!
//! Owns what a test *is*: the options a user typed and which of them win, the scenarios they turn
//! into, the instants at which iterations start, the cut of all that among instances and workers.
//! Leaves out everything that happens: no I/O, no clock, no threads. Time is always an argument.
//!
//! The way through the crate: [`Options`] (one layer, as typed) -> [`Layered`] (layers merged,
//! with the origin of each value) -> [`Plan`] (every default resolved, validated) -> the laws in
//! [`executor`], each taking a [`Share`] of the plan.

pub mod address;
pub mod duration;
pub mod executor;
pub mod features;
pub mod measurement;
pub mod names;
pub mod options;
pub mod problem;
pub mod requirements;
pub mod resolved;
pub mod scenario;
pub mod segment;
pub mod share;
pub mod system_tags;
pub mod threshold;
pub mod tls;

pub use duration::Nanos;
pub use executor::{Executor, ExecutorKind, Start, Starts, VuStep};
pub use features::{FEATURES, Feature, Features};
pub use measurement::Measurement;
pub use options::{Layered, Options, Origin};
pub use problem::{Place, Problem, Warning};
pub use requirements::Requirements;
pub use resolved::Plan;
pub use scenario::Scenario;
pub use segment::{Segment, SegmentSequence, Segmentation};
pub use share::{Share, Stripe};
pub use system_tags::{SystemTag, SystemTags};
pub use threshold::{Threshold, ThresholdSet};
