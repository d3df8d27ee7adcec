//! Where results go: the trait that every output implements and the binary plugs in.

use std::sync::Arc;

use crate::accuracy::Conservation;
use crate::aggregator::Aggregator;
use crate::recorder::Window;
use crate::registry::Registry;
use crate::summary::{Delivery, Summary};

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

/// A second of the run that is over: what the workers recorded in it has come as windows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Second<'a> {
    /// Its end, in nanoseconds since the run started.
    pub elapsed_ns: u64,
    /// The same in nanoseconds since 1970.
    pub unix_ns: u64,
    /// How long it was, in nanoseconds; the last one of a run is usually shorter.
    pub span_ns: u64,
    /// VUs that run iterations.
    pub vus: u64,
    /// VUs that are initialised.
    pub vus_max: u64,
    /// What became of the plan since the run started.
    pub plan: Conservation,
    /// What is wrong with the generator now, in one sentence.
    pub generator: Option<&'a str>,
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

    /// A second is over; called after its windows, and once more for the rest at the end.
    ///
    /// # Errors
    /// As for [`Self::window`].
    fn second(&mut self, _second: &Second<'_>, _aggregator: &Aggregator) -> Result<(), SinkError> {
        Ok(())
    }

    /// The end of the run.
    ///
    /// # Errors
    /// When the rest could not be written.
    fn finish(&mut self, summary: &Summary) -> Result<(), SinkError>;

    /// What became of the results, for each receiver over a network; asked after [`Self::finish`].
    fn deliveries(&self) -> Vec<Delivery> {
        Vec::new()
    }
}
