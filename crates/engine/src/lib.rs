//! Runs a plan: worker threads, virtual users, executors at run time, the mapping of exchanges to metrics, aggregation.
//!
//! One thread per core carries load and shares nothing with the others; the calling thread coordinates at human speed.
//! The engine knows no script, no output format and no terminal: programs and sinks are plugged in.

mod asked;
mod collect;
mod coordinate;
mod drive;
pub mod exchange;
mod failures;
mod health;
pub mod log;
mod message;
pub mod pace;
mod placement;
mod pool;
pub mod program;
pub mod run;
pub mod state;
pub mod stop;
mod thread;
mod waiting;
pub mod worker;

pub use asked::Reply;
pub use failures::{FailedExchange, Failures};
pub use log::{Level, Log, Record};
pub use program::{Activation, Documents, Iteration, Outcome, Program, ProgramError, Vu, VuHost};
pub use run::{Finish, Live, Phase, Recent, RunConfig, RunError, RunResult, run};
pub use state::{Control, Course, End, RunState, ScenarioState};
pub use stop::{Interrupted, Stop};
pub use waiting::WAITING_LIMIT;
pub use worker::Worker;
