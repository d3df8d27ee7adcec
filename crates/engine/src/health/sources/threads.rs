//! How long each worker thread ran and how long it was ready to run but had to wait (`/proc/self/task/*/schedstat`).
//!
//! The thread that reads is watched too: when it did not run although it should have, its own wait says why.

use netload_metrics::generator::Evidence;

use super::proc_file::ProcFile;
use super::{Source, grown};

/// The worker threads of this process.
pub(super) struct Threads {
    workers: Vec<Thread>,
    reader: Thread,
}

struct Thread {
    file: ProcFile,
    ran_ns: u64,
    waited_ns: u64,
}

impl Threads {
    /// Finds the workers by the names of their threads.
    pub(super) fn open(workers: usize) -> Result<Self, String> {
        let folder = "/proc/self/task";
        let mut found: Vec<Option<Thread>> = (0..workers).map(|_| None).collect();
        for entry in std::fs::read_dir(folder).map_err(|e| format!("{folder}: {e}"))? {
            let Ok(entry) = entry else { continue };
            let path = entry.path().display().to_string();
            // A thread may end while we look.
            let Ok(name) = std::fs::read_to_string(format!("{path}/comm")) else {
                continue;
            };
            let number = name.trim().strip_prefix("worker-").map(str::parse::<usize>);
            if let Some(Ok(number)) = number
                && let Some(place) = found.get_mut(number)
            {
                *place = Some(Thread::open(format!("{path}/schedstat"))?);
            }
        }
        let workers: Option<Vec<Thread>> = found.into_iter().collect();
        Ok(Self {
            workers: workers.ok_or_else(|| format!("{folder} does not show the worker threads"))?,
            reader: Thread::open("/proc/thread-self/schedstat".to_owned())?,
        })
    }
}

impl Thread {
    fn open(path: String) -> Result<Self, String> {
        let file = ProcFile::open(path)?;
        let (ran_ns, waited_ns) = parse(file.text()).ok_or_else(|| file.strange())?;
        Ok(Self {
            file,
            ran_ns,
            waited_ns,
        })
    }

    /// Nanoseconds it ran and waited since the last reading.
    fn read(&mut self) -> Result<(u64, u64), String> {
        let (ran_ns, waited_ns) = match parse(self.file.read()?) {
            Some(read) => read,
            None => return Err(self.file.strange()),
        };
        Ok((
            grown(&mut self.ran_ns, ran_ns),
            grown(&mut self.waited_ns, waited_ns),
        ))
    }
}

impl Source for Threads {
    fn read(&mut self, span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let (_, waited_ns) = self.reader.read()?;
        evidence.stood_still_waiting_ns = waited_ns;
        let mut most = 0;
        for (index, worker) in self.workers.iter_mut().enumerate() {
            let (ran_ns, waited_ns) = worker.read()?;
            if index == 0 || ran_ns + waited_ns > most {
                most = ran_ns + waited_ns;
                evidence.worker = index;
                evidence.worker_run = Some((ran_ns as f64 / span_ns as f64).min(1.0));
                evidence.worker_wait = Some((waited_ns as f64 / span_ns as f64).min(1.0));
            }
        }
        Ok(())
    }
}

/// The first two numbers: time on a CPU and time in a run queue, in nanoseconds.
fn parse(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_numbers_count() {
        assert_eq!(parse("123 456 7\n"), Some((123, 456)));
        assert_eq!(parse("123"), None);
        assert_eq!(parse(""), None);
    }
}
