//! Summary, JSON, CSV and the other places where results go.
//!
//! Owns how results look: texts for people, documents for machines, k6's file formats, and the picture of a running
//! test. Leaves out where the numbers come from (the metrics crate) and when something is printed (the binary): what is
//! here takes data and returns text, or implements [`netload_metrics::Sink`]. Nothing here is on the path of a request.

mod accuracy;
mod ci;
pub mod csv;
pub mod document;
mod encode;
mod error;
mod file;
pub mod generator;
pub mod handle_summary;
pub mod hit;
pub mod json;
mod line;
pub mod machine_readable;
pub mod number;
pub mod palette;
#[cfg(feature = "parquet")]
mod parquet;
pub mod progress;
mod samples;
pub mod sinks;
pub mod start;
pub mod stat;
pub mod summary_export;
pub mod tally;
pub mod text;
pub mod zero;

pub use error::OutputError;
pub use line::wrap;
pub use number::TimeUnit;
pub use palette::Palette;
pub use stat::TrendStat;
pub use text::{Mode, SummaryOptions};

/// Netload's own metrics. k6 does not have them, so k6's formats leave them out: scripts iterate over the metrics, and
/// people compare files. Our own document has them.
pub const OWN_METRICS: [&str; 5] = [
    "http_req_compat",
    "http_req_gross",
    "http_req_response",
    "http_req_tare",
    "iteration_lateness",
];

/// Whether a metric, or the metric a sub-metric belongs to, is one of [`OWN_METRICS`].
pub fn is_own_metric(name: &str) -> bool {
    let base = name.split('{').next().unwrap_or(name);
    OWN_METRICS.contains(&base)
}
