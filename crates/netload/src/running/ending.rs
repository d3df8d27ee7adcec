//! How a run came to its end, as an exit code and a sentence.

use std::sync::atomic::Ordering::Relaxed;

use netload_engine::{End, Finish, ProgramError, RunResult};

use crate::exit::Exit;
use crate::failure::Failure;

use super::Gate;

/// The exit of a finished run; everything but success is a failure with its reason. What the gate refuses goes before
/// thresholds: numbers that are not the server's decide nothing.
pub(crate) fn exit(result: &RunResult, gate: Gate) -> Result<Exit, Failure> {
    let of_program =
        |part: &str, error: &ProgramError, timeout: Exit| match (error, result.state.ended()) {
            (ProgramError::Interrupted, Some(end)) => ended(&end),
            (ProgramError::Timeout(text), _) => Failure::new(timeout, text),
            (ProgramError::Invalid(text), _) => Failure::new(Exit::Failure, text),
            (error, _) => thrown(part, error),
        };
    if result.finish == Finish::Completed {
        gate.check(result)?;
    }
    match &result.finish {
        Finish::Ended(end) => Err(ended(end)),
        Finish::Init(error) => Err(of_program("the init code", error, Exit::Timeout)),
        Finish::Setup(error) => Err(of_program("setup()", error, Exit::SetupTimeout)),
        Finish::Teardown(error) => Err(of_program("teardown()", error, Exit::TeardownTimeout)),
        Finish::Completed if result.state.marked_failed.load(Relaxed) => Err(Failure::new(
            Exit::MarkedFailed,
            "the script marked the test as failed",
        )),
        Finish::Completed => thresholds(result),
    }
}

/// An exception outside of an iteration, with the part of the script that threw it.
pub(crate) fn thrown(part: &str, error: &ProgramError) -> Failure {
    let text = error.to_string();
    Failure::new(
        Exit::ScriptException,
        format!("{part} threw an exception\n{}", text.trim_end()),
    )
}

fn ended(end: &End) -> Failure {
    match end {
        End::Script(message) if message.is_empty() => {
            Failure::new(Exit::AbortedByScript, "the script aborted the test")
        }
        End::Script(message) => {
            // The script crate says so itself when there is a message.
            let message = message.strip_prefix("test aborted: ").unwrap_or(message);
            let text = format!("the script aborted the test: {message}");
            Failure::new(Exit::AbortedByScript, text)
        }
        End::Threshold(metric, expression) => {
            let text = format!("the test was ended by the threshold `{expression}` on `{metric}`");
            Failure::new(Exit::Thresholds, text)
        }
        End::Signal => Failure::new(Exit::Signal, "the test was ended by a signal"),
        End::Api => Failure::new(
            Exit::StoppedByApi,
            "the test was stopped through the REST API",
        ),
    }
}

fn thresholds(result: &RunResult) -> Result<Exit, Failure> {
    let failed = |m: &&netload_metrics::summary::MetricSummary| m.thresholds.iter().any(|t| !t.ok);
    let names: Vec<String> = result
        .summary
        .metrics
        .iter()
        .filter(failed)
        .map(|m| format!("`{}`", m.name))
        .collect();
    match names.as_slice() {
        [] => Ok(Exit::Success),
        [name] => Err(Failure::new(
            Exit::Thresholds,
            format!("a threshold on {name} failed"),
        )),
        names => Err(Failure::new(
            Exit::Thresholds,
            format!("thresholds on {} failed", names.join(", ")),
        )),
    }
}
