//! Which worker has which VU.
//!
//! Owns the law alone: VUs go round the workers in groups of neighbours. Invariant: the worker of a slot never
//! changes.

use crate::message::VuSlot;

/// The law of one instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    workers: u64,
    neighbours: u64,
}

impl Placement {
    /// For so many workers; VUs in groups of so many neighbours stay together.
    pub(crate) fn new(workers: usize, neighbours: u64) -> Self {
        Self {
            workers: (workers as u64).max(1),
            neighbours: neighbours.max(1),
        }
    }

    /// The worker that has the VU.
    pub(crate) fn worker_of(self, slot: VuSlot) -> usize {
        (slot / self.neighbours % self.workers) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_together() {
        let workers = |placement: Placement| -> Vec<usize> {
            (0..6).map(|slot| placement.worker_of(slot)).collect()
        };
        assert_eq!(workers(Placement::new(2, 1)), [0, 1, 0, 1, 0, 1]);
        assert_eq!(workers(Placement::new(2, 2)), [0, 0, 1, 1, 0, 0]);
        assert_eq!(workers(Placement::new(1, 4)), [0; 6]);
    }
}
