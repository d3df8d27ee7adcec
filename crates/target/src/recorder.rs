//! Collecting what was served while the server runs: one list per thread, put together at the end.
//!
//! Leaves out the format of the log. Invariant: recording one request takes no lock and writes no file, so that it
//! does not disturb the times it records.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits;
use crate::service_log::{Served, ServiceLog};
use crate::stamp::Sent;

/// Where the threads of one server leave their lists when they end.
#[derive(Debug, Default)]
pub(crate) struct Archive(Mutex<ServiceLog>);

impl Archive {
    /// All that was left here; nothing remains.
    pub(crate) fn take(&self) -> ServiceLog {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The list of one thread; archived when the last connection and the thread let go of it.
#[derive(Debug)]
pub(crate) struct Recorder {
    log: RefCell<ServiceLog>,
    limit: usize,
    archive: Arc<Archive>,
}

impl Recorder {
    /// An empty list for at most `limit` requests.
    pub(crate) fn new(archive: Arc<Archive>, limit: usize) -> Rc<Recorder> {
        Rc::new(Recorder {
            log: RefCell::default(),
            limit,
            archive,
        })
    }

    fn keep(&self, served: Served) {
        let mut log = self.log.borrow_mut();
        if log.served.len() < self.limit {
            log.served.push(served);
        } else {
            log.left_out += 1;
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let mine = self.log.take();
        let mut all = self
            .archive
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        all.served.extend(mine.served);
        all.left_out += mine.left_out;
    }
}

/// The requests of one connection whose answers are on their way.
#[derive(Debug)]
pub(crate) struct Answers {
    recorder: Rc<Recorder>,
    connection: u32,
    number: u32,
    /// Answered, not handed to the kernel yet.
    rendered: Vec<Served>,
    /// Handed to the kernel: the offset of the last byte, and what it belongs to.
    sending: VecDeque<(u32, Served)>,
}

impl Answers {
    /// Nothing on its way yet.
    pub(crate) fn new(recorder: Rc<Recorder>, connection: u64) -> Answers {
        Answers {
            recorder,
            // More than 2^32 connections would need a month at full speed.
            connection: connection as u32,
            number: 0,
            rendered: Vec::new(),
            sending: VecDeque::new(),
        }
    }

    /// A request was answered; the bytes leave with the next flush.
    pub(crate) fn rendered(&mut self, received_unix_ns: Option<u64>, script_ns: u64) {
        self.number = self.number.wrapping_add(1);
        self.rendered.push(Served {
            connection: self.connection,
            number: self.number,
            received_unix_ns: received_unix_ns.unwrap_or(0),
            sent_unix_ns: 0,
            script_ns,
        });
    }

    /// Everything rendered so far was handed to the kernel; `sent` bytes in all.
    pub(crate) fn flushed(&mut self, sent: u64) {
        // The kernel counts modulo 2^32.
        let last = sent.wrapping_sub(1) as u32;
        for served in self.rendered.drain(..) {
            self.sending.push_back((last, served));
        }
        while self.sending.len() > limits::STAMPS_AWAITED {
            self.give_up_oldest();
        }
    }

    /// Whether the kernel still owes a stamp.
    pub(crate) fn waiting(&self) -> bool {
        !self.sending.is_empty()
    }

    /// The kernel stamped a send. Sends are stamped in order, so older ones that still wait were not stamped.
    pub(crate) fn stamped(&mut self, sent: Sent) {
        while let Some((last, served)) = self.sending.front().copied() {
            // Offsets wrap: the stamp belongs to a later send if this one lies behind it.
            if last.wrapping_sub(sent.offset) as i32 > 0 {
                return;
            }
            self.sending.pop_front();
            let sent_unix_ns = if last == sent.offset { sent.unix_ns } else { 0 };
            self.recorder.keep(Served {
                sent_unix_ns,
                ..served
            });
        }
    }

    fn give_up_oldest(&mut self) {
        if let Some((_, served)) = self.sending.pop_front() {
            self.recorder.keep(served);
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        while self.waiting() {
            self.give_up_oldest();
        }
        for served in self.rendered.drain(..) {
            self.recorder.keep(served);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flushes one answer after each of `sent` total bytes, then brings `stamps`; gives the logged stamps.
    fn logged(sent: &[u64], stamps: &[(u32, u64)]) -> Vec<u64> {
        let archive = Arc::new(Archive::default());
        let mut answers = Answers::new(Recorder::new(archive.clone(), 10), 1);
        for total in sent {
            answers.rendered(Some(1), 0);
            answers.flushed(*total);
        }
        for (offset, unix_ns) in stamps {
            answers.stamped(Sent {
                offset: *offset,
                unix_ns: *unix_ns,
            });
        }
        drop(answers);
        let log = archive.take();
        log.served.iter().map(|s| s.sent_unix_ns).collect()
    }

    #[test]
    fn stamps_find_their_requests() {
        assert_eq!(logged(&[10, 20], &[(9, 5), (19, 6)]), [5, 6]);
        // A stamp that never came is a missing one, not that of another request.
        assert_eq!(logged(&[10, 20], &[(19, 6)]), [0, 6]);
        assert_eq!(logged(&[10, 20], &[(9, 5)]), [5, 0]);
        assert_eq!(logged(&[10], &[(4, 3), (9, 5)]), [5]);
        // Offsets wrap at 2^32.
        let wrap = 1 << 32;
        assert_eq!(
            logged(&[wrap - 5, wrap + 5], &[(u32::MAX - 5, 1), (4, 2)]),
            [1, 2]
        );
    }

    #[test]
    fn a_full_log_counts_what_it_leaves_out() {
        let archive = Arc::new(Archive::default());
        let mut answers = Answers::new(Recorder::new(archive.clone(), 2), 1);
        for sent in 1..=5 {
            answers.rendered(None, 0);
            answers.flushed(sent);
        }
        drop(answers);
        let log = archive.take();
        assert_eq!((log.served.len(), log.left_out), (2, 3));
    }
}
