//! What the kernel tells about this process and its machine, read by the coordinator a few times a second.
//!
//! One file per source. Each keeps its file open, reads it anew and turns counters into what happened since the last
//! reading. Leaves out what it means. Invariant: a source that cannot be read is told once and then left alone; nothing
//! here runs on a worker.

mod cgroup;
mod files;
mod memory;
mod network;
mod ports;
mod pressure;
mod proc_file;
mod processor;
mod softnet;
mod threads;

use netload_metrics::generator::{Evidence, Unread};

/// Something that adds to the evidence of a slice.
trait Source {
    /// Adds what happened since the last reading, `span_ns` ago.
    fn read(&mut self, span_ns: u64, evidence: &mut Evidence) -> Result<(), String>;
}

/// How a source is called, how it is opened, and what is not known without it.
struct Kind {
    quantity: &'static str,
    effect: &'static str,
    open: fn(workers: usize) -> Result<Box<dyn Source>, String>,
}

/// Every source.
const KINDS: &[Kind] = &[
    Kind {
        quantity: "run-queue wait of the workers",
        effect: "a delay by other programs on the same CPU is seen but not explained",
        open: |workers| Ok(Box::new(threads::Threads::open(workers)?)),
    },
    Kind {
        quantity: "CPU time and steal",
        effect: "a delay by the hypervisor is seen in gross and tare only, and not explained",
        open: |_| Ok(Box::new(processor::Processor::open()?)),
    },
    Kind {
        quantity: "CPU quota of the cgroup",
        effect: "a delay by a container's quota is seen but not explained",
        open: |_| Ok(Box::new(cgroup::Cgroup::open()?)),
    },
    Kind {
        quantity: "pressure stall information",
        effect: "waiting for memory or disks is not explained",
        open: |_| Ok(Box::new(pressure::Pressure::open()?)),
    },
    Kind {
        quantity: "softnet drops",
        effect: "packets that this machine dropped look like packets the network lost",
        open: |_| Ok(Box::new(softnet::Softnet::open()?)),
    },
    Kind {
        quantity: "retransmits and full accept queues",
        effect: "lost packets look like a slow server",
        open: |_| Ok(Box::new(network::Network::open()?)),
    },
    Kind {
        quantity: "local ports",
        effect: "running out of ports is known only when it happens",
        open: |_| Ok(Box::new(ports::Ports::open()?)),
    },
    Kind {
        quantity: "open files",
        effect: "running out of files is known only when it happens",
        open: |_| Ok(Box::new(files::Files::open()?)),
    },
    Kind {
        quantity: "memory",
        effect: "waiting for memory is not explained",
        open: |_| Ok(Box::new(memory::Memory::open()?)),
    },
];

/// All sources that can be read here.
pub(super) struct Sources {
    open: Vec<(&'static Kind, Box<dyn Source>)>,
    unread: Vec<Unread>,
}

impl Sources {
    /// Opens what there is; the worker threads must have started.
    pub(super) fn open(workers: usize) -> Self {
        let mut sources = Self {
            open: Vec::new(),
            unread: Vec::new(),
        };
        for kind in KINDS {
            match (kind.open)(workers) {
                Ok(source) => sources.open.push((kind, source)),
                Err(reason) => sources.unread.push(unread(kind, reason)),
            }
        }
        sources
    }

    /// Adds what happened in the last `span_ns`.
    pub(super) fn read(&mut self, span_ns: u64, evidence: &mut Evidence) {
        let unread_now = &mut self.unread;
        self.open.retain_mut(|(kind, source)| {
            let read = source.read(span_ns.max(1), evidence);
            if let Err(reason) = &read {
                unread_now.push(unread(kind, reason.clone()));
            }
            read.is_ok()
        });
    }

    /// What could not be read, and why.
    pub(super) fn unread(&self) -> &[Unread] {
        &self.unread
    }
}

fn unread(kind: &Kind, reason: String) -> Unread {
    Unread {
        quantity: kind.quantity,
        reason,
        effect: kind.effect,
    }
}

/// How much a counter grew; one that starts anew counts from 0.
fn grown(last: &mut u64, now: u64) -> u64 {
    let grown = now.checked_sub(*last).unwrap_or(now);
    *last = now;
    grown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_can_be_read_and_the_rest_has_a_reason() {
        let mut sources = Sources::open(0);
        let mut evidence = Evidence::default();
        sources.read(1_000_000, &mut evidence);
        assert_eq!(sources.open.len() + sources.unread().len(), KINDS.len());
        for unread in sources.unread() {
            assert!(!unread.reason.is_empty(), "{}", unread.quantity);
        }
    }

    #[test]
    fn a_counter_that_starts_anew_counts_from_zero() {
        let mut last = 10;
        assert_eq!(grown(&mut last, 15), 5);
        assert_eq!(grown(&mut last, 3), 3);
    }
}
