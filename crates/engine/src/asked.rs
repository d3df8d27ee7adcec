//! Setup and teardown that somebody asked for while the run goes on, beside those that belong to its course.
//!
//! Owns who waits for which call. Invariant: everybody who asked is answered once: with the result, or by the end of
//! the channel when the run ends before.

use std::collections::HashMap;

use tokio::sync::mpsc::UnboundedSender;

use crate::message::SpecialResult;
use crate::program::ProgramError;
use crate::state::RunState;

/// Where the answer to a call goes: what setup returned as JSON text, or why it failed.
pub type Reply = UnboundedSender<Result<Option<String>, String>>;

/// The number of the calls that belong to the course of the run.
pub(crate) const OWN: u64 = 0;

/// Those who wait.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    last: u64,
    waiting: HashMap<u64, Reply>,
}

impl Asked {
    /// Somebody waits: the number of the call.
    pub(crate) fn enter(&mut self, reply: Reply) -> u64 {
        self.last += 1;
        self.waiting.insert(self.last, reply);
        self.last
    }

    /// A call has ended. What setup returned is from now on the data of the run.
    pub(crate) fn answer(
        &mut self,
        number: u64,
        result: Result<SpecialResult, ProgramError>,
        state: &RunState,
    ) {
        let Some(reply) = self.waiting.remove(&number) else {
            return;
        };
        let answer = match result {
            Ok(SpecialResult::Setup(data)) => {
                state.set_setup_data(data.as_deref().map(Into::into));
                Ok(data)
            }
            Ok(_) => Ok(None),
            Err(error) => Err(error.to_string()),
        };
        // Whoever asked may have given up.
        let _ = reply.send(answer);
    }
}
