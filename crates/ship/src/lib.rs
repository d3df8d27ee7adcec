//! Results on their way over a network, to the databases and collectors that people already run.
//!
//! Owns what receivers want to read (line protocol, remote write, OTLP, StatsD, Graphite, a page to scrape) and the way
//! there: one thread, bounded buffers, retries, and the account of what was lost. Leaves out files and texts (the output
//! crate) and all measuring. Invariant: the thread that hands results in never waits before the end of the run, so a
//! receiver that is slow, full or dead costs its own results and nothing else.

mod account;
mod batch;
mod carrier;
mod courier;
mod endpoint;
mod error;
mod fleet;
mod given;
#[cfg(test)]
mod golden;
mod graphite;
mod influx;
#[cfg(feature = "kafka")]
mod kafka;
mod otlp;
mod outbox;
mod outputs;
mod prometheus;
mod protobuf;
mod scrape;
mod statsd;
mod text;
mod totals;

pub use error::ShipError;
pub use fleet::{FINISH_LIMIT, Fleet};
pub use outbox::OUTBOX_LIMIT_BYTES;
pub use outputs::{Environment, is_known, names, open};
