//! Planned starts that found nothing free and wait for their turn, for all workers of an instance together.
//!
//! Owns their number and their order, which is that of the plan: after a stall of the tool each worker brings all its
//! late starts at once, and none must wait behind later ones of another worker. Touched only while something waits:
//! workers look at the count, which costs a load, and take the lock only when it is not zero. Invariant: nothing is
//! pushed once the line is closed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Starts that wait at most; beyond it a start is refused and counted. Eight megabytes.
pub const WAITING_LIMIT: usize = 1_000_000;

/// The line of waiting starts (monotonic nanoseconds), first planned, first served.
#[derive(Debug, Default)]
pub(crate) struct WaitingLine {
    line: Mutex<Line>,
    len: AtomicUsize,
}

#[derive(Debug, Default)]
struct Line {
    starts: BinaryHeap<Reverse<u64>>,
    closed: bool,
}

impl WaitingLine {
    /// Puts a start into its place; false when the line is full or closed.
    pub(crate) fn push(&self, planned_ns: u64) -> bool {
        let mut line = self.lock();
        if line.closed || line.starts.len() >= WAITING_LIMIT {
            return false;
        }
        line.starts.push(Reverse(planned_ns));
        self.len.store(line.starts.len(), Ordering::SeqCst);
        drop(line);
        // Whoever looks for a free VU after this sees one that was put before it looked at this line, or is seen by it.
        fence(Ordering::SeqCst);
        true
    }

    /// Takes the first start, if there is one.
    pub(crate) fn pop(&self) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        let mut line = self.lock();
        let first = line.starts.pop();
        self.len.store(line.starts.len(), Ordering::SeqCst);
        first.map(|Reverse(planned_ns)| planned_ns)
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        fence(Ordering::SeqCst);
        self.len.load(Ordering::SeqCst) == 0
    }

    /// Lets nothing in any more and empties the line: how many starts were left, and the oldest of them.
    pub(crate) fn close(&self) -> (u64, Option<u64>) {
        let mut line = self.lock();
        line.closed = true;
        let oldest = line.starts.peek().map(|Reverse(planned_ns)| *planned_ns);
        let left = (line.starts.len() as u64, oldest);
        line.starts = BinaryHeap::new();
        self.len.store(0, Ordering::SeqCst);
        left
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_leave_in_the_order_in_which_they_were_planned() {
        let line = WaitingLine::default();
        assert!(line.is_empty() && line.pop().is_none());
        assert!([5, 3, 9].into_iter().all(|start| line.push(start)));
        assert_eq!(line.pop(), Some(3));
        assert_eq!(line.close(), (2, Some(5)));
        assert!(!line.push(1), "a closed line takes nothing");
        assert_eq!(line.close(), (0, None));
    }

    #[test]
    fn the_line_has_an_end() {
        let line = WaitingLine::default();
        assert!((0..WAITING_LIMIT as u64).all(|start| line.push(start)));
        assert!(!line.push(0));
        line.pop();
        assert!(line.push(0));
    }
}
