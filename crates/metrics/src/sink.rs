//! Where results go: the trait that every output implements and the binary plugs in.

use std::sync::Arc;

use crate::aggregator::Aggregator;
use crate::recorder::Window;
use crate::registry::Registry;
use crate::summary::Summary;

/// Why an output could not do its work.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SinkError(pub String);

/// What an output is told before the load starts.
#[derive(Clone, Debug)]
pub struct RunInfo {
    /// The metrics of the run.
    pub registry: Arc<Registry>,
    /// How many workers will send windows.
    pub workers: usize,
    /// When the run started, in nanoseconds since 1970.
    pub started_unix_ns: u64,
    /// Thresholds by the full name of the metric they are on, as written.
    pub thresholds: Vec<(String, Vec<String>)>,
}

/// An output. All calls come from one thread that carries no load; a slow output delays only itself.
pub trait Sink: Send {
    /// Its name and target for the description at the start, such as `json (results.json)`.
    fn describe(&self) -> String;

    /// Whether it wants every single sample and not only the merged windows.
    fn wants_samples(&self) -> bool {
        false
    }

    /// The load is about to start.
    ///
    /// # Errors
    /// When the output cannot be opened; the run does not start.
    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError>;

    /// A worker's window, already absorbed by the aggregator, which resolves its tag numbers.
    ///
    /// # Errors
    /// When it could not be written; told once, the run goes on.
    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError>;

    /// The end of the run.
    ///
    /// # Errors
    /// When the rest could not be written.
    fn finish(&mut self, summary: &Summary) -> Result<(), SinkError>;
}
