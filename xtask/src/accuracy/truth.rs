//! The server whose service times are known, and what it says happened.
//!
//! It is netload's own target on a core of its own: it never sleeps and logs the kernel's stamps. Invariant: the truth
//! of a run comes from the requests that the tool counted, and from nothing the tool said about their times.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use netload_target::{Precision, Served, ServiceLog};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::Failure;
use super::quantiles::{Law, Quantiles};
use crate::bench::measure::pinned;
use crate::target::Target;

/// The core the server has for itself.
const CORE: &str = "1";
/// How long the server may take to write its log.
const END_PATIENCE: Duration = Duration::from_secs(20);
/// A log with more missing stamps than this is no truth.
const MISSING_SHARE: f64 = 0.01;

/// The reference server while it runs; killed when dropped.
pub(super) struct Server {
    target: Target,
    log: PathBuf,
}

/// What happened in one run, by the server's kernel.
#[derive(Debug)]
pub(super) struct Truth {
    /// Service times: last byte of the request in, last byte of the answer out.
    pub(super) service: Quantiles,
    /// Requests they were made of.
    pub(super) requests: usize,
    /// Requests per second between the first arrival and the last.
    pub(super) per_second: f64,
    /// How far the server itself was from its script.
    pub(super) precision: Precision,
}

impl Server {
    /// Starts it and waits until it listens.
    pub(super) fn start(netload: &Path, folder: &Path) -> Result<Server, Failure> {
        let log = folder.join("served.bin");
        let options = ["--workers", "1", "--busy-poll", "--log"];
        let log_text = log.to_str().ok_or("the path of the log is no text")?;
        let options = [&options[..], &[log_text]].concat();
        Ok(Server {
            target: Target::start(pinned(CORE, netload), &options)?,
            log,
        })
    }

    /// The URL of that path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.target.url())
    }

    /// Ends it and reads what happened; `counted` is how many requests the tool counted, `law` how it takes percentiles.
    pub(super) fn truth(mut self, counted: Option<u64>, law: Law) -> Result<Truth, Failure> {
        kill(Pid::from_raw(self.target.pid() as i32), Signal::SIGINT)?;
        let start = Instant::now();
        while self.target.ended()?.is_none() {
            if start.elapsed() > END_PATIENCE {
                return Err("the target did not end".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        of_log(ServiceLog::read(&self.log)?, counted, law)
    }
}

fn of_log(log: ServiceLog, counted: Option<u64>, law: Law) -> Result<Truth, Failure> {
    if log.left_out > 0 {
        return Err(format!("{} requests did not fit into the log", log.left_out).into());
    }
    let logged = log.served.len();
    let precision = log.precision().ok_or("the server logged nothing")?;
    if precision.judged < logged - (logged as f64 * MISSING_SHARE) as usize {
        return Err(format!(
            "{} of {logged} requests have no stamp",
            logged - precision.judged
        )
        .into());
    }
    let kept = counted_by_tool(log.served, counted);
    let service = kept
        .iter()
        .filter_map(|served| Some(served.service_ns()? as f64))
        .collect();
    Ok(Truth {
        service: Quantiles::of(service, law),
        requests: kept.len(),
        per_second: per_second(&kept),
        precision,
    })
}

/// Most tools give up what is under way at their end. Those answers left last, so exactly they are taken out.
fn counted_by_tool(mut served: Vec<Served>, counted: Option<u64>) -> Vec<Served> {
    // An answer that never left was not seen by anybody either.
    served.sort_by_key(|s| {
        if s.sent_unix_ns == 0 {
            u64::MAX
        } else {
            s.sent_unix_ns
        }
    });
    let counted = counted.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    served.truncate(counted);
    served
}

/// Arrivals per second, without the first tenth of the time: there the connections are opened, and what comes late at the
/// very beginning is no rate.
fn per_second(served: &[Served]) -> f64 {
    let stamps = served.iter().map(|s| s.received_unix_ns);
    let mut arrivals: Vec<u64> = stamps.filter(|ns| *ns != 0).collect();
    arrivals.sort_unstable();
    let (Some(first), Some(last)) = (arrivals.first(), arrivals.last()) else {
        return 0.0;
    };
    let from = first + (last - first) / 10;
    let steady = &arrivals[arrivals.partition_point(|ns| *ns < from)..];
    let spans = steady.len().saturating_sub(1) as f64;
    let elapsed_ns = steady.first().map_or(0, |first| last - first);
    match elapsed_ns {
        0 => 0.0,
        ns => spans * 1e9 / ns as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(received: u64, sent: u64) -> Served {
        Served {
            received_unix_ns: received,
            sent_unix_ns: sent,
            ..Served::default()
        }
    }

    #[test]
    fn what_the_tool_gave_up_is_no_part_of_the_truth() {
        let log = ServiceLog {
            served: vec![served(10, 20), served(1_000, 9_000), served(1_010, 1_030)],
            left_out: 0,
        };
        let truth = of_log(log.clone(), Some(2), Law::Nearest).unwrap();
        assert_eq!(truth.requests, 2);
        assert_eq!(truth.service.at(99.9), Some(20.0));
        let all = of_log(log, None, Law::Nearest).unwrap();
        assert_eq!(all.service.at(99.9), Some(8_000.0));
    }

    #[test]
    fn a_log_without_stamps_is_refused() {
        let log = ServiceLog {
            served: vec![served(10, 20), served(10, 0)],
            left_out: 0,
        };
        assert!(of_log(log, None, Law::Nearest).is_err());
        assert!(of_log(ServiceLog::default(), None, Law::Nearest).is_err());
    }

    #[test]
    fn the_rate_is_that_of_the_arrivals() {
        let second = 1_000_000_000;
        let arrivals: Vec<_> = (1..=11)
            .map(|n| served(n * second, n * second + 5))
            .collect();
        assert_eq!(per_second(&arrivals), 1.0);
    }
}
