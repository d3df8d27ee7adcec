//! What the server needs from the program around it: tests to start and steer, and records of earlier ones.

use serde_json::Value;

/// Why something asked for is not done: one sentence, with the status that fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The status of the answer.
    pub status: u16,
    /// One sentence for the reader.
    pub message: String,
    /// What to do, if that is known; may be empty.
    pub hint: String,
}

impl Refusal {
    /// The request itself is wrong.
    pub fn wrong(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// There is no such thing.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(404, message)
    }

    /// It cannot be done now.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(409, message)
    }

    /// It could have been done, but something here failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(500, message)
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    fn new(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            hint: String::new(),
        }
    }
}

/// An order to a running test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// End gracefully, with teardown and summary.
    Stop,
    /// Start no further iterations until told to.
    Pause,
    /// Go on.
    Resume,
    /// Carry another load.
    Scale(Scaling),
}

/// Another load for a running test: a number of VUs for one whose VUs loop, a rate for one that has a rate.
/// Nothing set changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scaling {
    /// VUs that run.
    pub vus: Option<u64>,
    /// VUs there may be.
    pub max: Option<u64>,
    /// Iterations of a scenario with an arrival rate, such as `500/s`.
    pub rate: Option<String>,
    /// The scenario that gets them, where several could.
    pub scenario: Option<String>,
}

/// Which earlier tests are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Part of the title, or a label as `name=value`; empty for all.
    pub text: String,
    /// Tests at most, the newest.
    pub limit: usize,
}

/// The program around the server. Every call may block: each is made on a thread that may wait.
///
/// # Errors
/// Each refusal becomes the answer to whoever asked.
pub trait Control: Send + Sync + 'static {
    /// Starts a test and returns at least its `id`.
    fn start(&self, wanted: &Value) -> Result<Value, Refusal>;
    /// What such a test would do: the load as points of a curve, the script that would run.
    fn preview(&self, wanted: &Value) -> Result<Value, Refusal>;
    /// Gives a running test an order.
    fn steer(&self, run: &str, order: &Order) -> Result<(), Refusal>;
    /// Earlier tests, the newest first.
    fn runs(&self, filter: &Filter) -> Result<Value, Refusal>;
    /// Everything a page shows of a test, running or over, as JSON text.
    fn view(&self, run: &str) -> Result<String, Refusal>;
    /// What was found out about a test.
    fn findings(&self, run: &str) -> Result<Value, Refusal>;
    /// Two tests side by side.
    fn compare(&self, before: &str, after: &str) -> Result<Value, Refusal>;
    /// Takes an earlier test out of the history.
    fn forget(&self, run: &str) -> Result<(), Refusal>;
}
