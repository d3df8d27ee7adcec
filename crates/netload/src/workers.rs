//! How many threads make load.

use crate::failure::Failure;
use crate::typed::Typed;

/// Most workers; more than the largest machines have cores.
const WORKERS_AT_MOST: u64 = 1024;

/// The number asked for with `--workers`, else one for each core.
pub(crate) fn count(typed: &Typed) -> Result<usize, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    match typed.count("workers")? {
        Some(n) if n > WORKERS_AT_MOST => Err(Failure::usage(format!(
            "there can be {WORKERS_AT_MOST} workers at most, not {n}"
        ))),
        Some(n) => Ok(n as usize),
        None => Ok(cores()),
    }
}
