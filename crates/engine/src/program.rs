//! What the engine runs: a program makes VUs, a VU runs iterations. Scripts and fixed requests implement these.
//!
//! VUs live on one worker thread and never leave it. A VU is told what to do by its executor, one call at a time.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use netload_http::Opening;
use netload_metrics::TagsId;

use crate::state::ScenarioState;
use crate::stop::Stop;
use crate::worker::Worker;

/// A program cannot go on. The text is complete: sentence, place and hint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The script threw, or could not be loaded.
    #[error("{0}")]
    Exception(String),
    /// It did not end within its time limit.
    #[error("{0}")]
    Timeout(String),
    /// It was stopped from outside, or asked for the end of the run itself.
    #[error("the program was interrupted")]
    Interrupted,
    /// It asks for something that does not exist, such as a function.
    #[error("{0}")]
    Invalid(String),
}

/// What handleSummary returned: destinations (`stdout`, `stderr` or a path) with their content.
pub type Documents = Vec<(String, Vec<u8>)>;

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to its end.
    Finished,
    /// It threw; already logged. It counts like a finished one.
    Failed,
    /// It was told to stop. Neither counted nor timed.
    Interrupted,
}

/// Something that can be loaded.
pub trait Program: Send + Sync + 'static {
    /// What the VUs of one worker share.
    type Local: 'static;
    /// Its virtual user.
    type Vu: Vu;

    /// Prepares a worker; called once on its thread.
    ///
    /// # Errors
    /// When the worker cannot run this program.
    fn local(&self, worker: &Rc<Worker>) -> Result<Self::Local, ProgramError>;

    /// Makes a VU and runs its init code.
    fn vu(
        &self,
        local: &Rc<Self::Local>,
        host: VuHost,
    ) -> impl Future<Output = Result<Self::Vu, ProgramError>>;

    /// How many VUs with consecutive numbers share something and therefore stay on one worker.
    fn neighbours(&self) -> u64 {
        1
    }

    /// Whether there is a setup function.
    fn has_setup(&self) -> bool {
        false
    }

    /// Whether there is a teardown function.
    fn has_teardown(&self) -> bool {
        false
    }
}

/// What a VU gets from the engine.
#[derive(Clone)]
pub struct VuHost {
    /// Its number in this instance, from 1; 0 for the VU that runs setup, teardown and the summary.
    pub id: u64,
    /// Its number in the whole test (all segments), from 1; 0 like above.
    pub id_in_test: u64,
    /// The services of its worker.
    pub worker: Rc<Worker>,
    /// Its order to stop.
    pub stop: Rc<Stop>,
}

/// A scenario takes a VU.
#[derive(Clone)]
pub struct Activation {
    /// The scenario with its running state.
    pub scenario: Arc<ScenarioState>,
    /// The tags of everything the VU records: run, scenario, `group` (empty).
    pub tags: TagsId,
    /// What setup returned, as JSON text; none when it returned nothing.
    pub setup_data: Option<Arc<str>>,
}

/// One call of the scenario's function.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Its number within the scenario in this instance, from 0.
    pub in_instance: u64,
    /// Its number within the scenario in the whole test, from 0.
    pub in_test: u64,
    /// Its number within the VU since the VU was made, from 0 (`__ITER`).
    pub in_vu: u64,
    /// Its number within the VU since this scenario took it, from 0.
    pub in_scenario: u64,
    /// When the plan wants it to start (monotonic nanoseconds); none in the closed model.
    pub planned_ns: Option<u64>,
    /// How its start relates to that; none in the closed model.
    pub opening: Option<Opening>,
}

/// A virtual user.
pub trait Vu: 'static {
    /// A scenario takes the VU; iterations follow.
    fn activate(&mut self, activation: Activation);

    /// Runs one iteration. It ends soon after its [`Stop`] is requested.
    fn iterate(&mut self, iteration: Iteration) -> impl Future<Output = Outcome>;

    /// The tags that the VU's script has now, when they differ from those of the activation.
    fn tags(&self) -> Option<TagsId> {
        None
    }

    /// What the tool itself added to the last iteration since its start, as far as it is known, in nanoseconds. Without
    /// it the VU would have been free again so much sooner.
    fn tare_ns(&self) -> u64 {
        0
    }

    /// Bytes (sent, received) on this VU's sockets since the last call.
    fn take_bytes(&mut self) -> (u64, u64);

    /// Runs setup and returns its result as JSON text. `tags` as in [`Activation`].
    fn setup(
        &mut self,
        tags: TagsId,
    ) -> impl Future<Output = Result<Option<String>, ProgramError>> {
        let _ = tags;
        async { Ok(None) }
    }

    /// Runs teardown with what setup returned.
    fn teardown(
        &mut self,
        tags: TagsId,
        setup_data: Option<Arc<str>>,
    ) -> impl Future<Output = Result<(), ProgramError>> {
        let _ = (tags, setup_data);
        async { Ok(()) }
    }

    /// Runs handleSummary with its data as JSON text: destinations (`stdout`, `stderr` or a path) with their content.
    /// None when there is no such function.
    fn summarize(
        &mut self,
        data: &str,
    ) -> impl Future<Output = Result<Option<Documents>, ProgramError>> {
        let _ = data;
        async { Ok(None) }
    }
}
