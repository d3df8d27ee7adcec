//! What is ready to be sent and was not sent yet.
//!
//! Invariant: it never holds more than [`OUTBOX_LIMIT_BYTES`], or one parcel; the oldest goes first.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use tokio::sync::Notify;

/// Bytes that one output keeps for a receiver that does not take them: minutes of most runs.
pub const OUTBOX_LIMIT_BYTES: usize = 16 * 1024 * 1024;

/// Something to send in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parcel {
    pub(crate) bytes: Vec<u8>,
    /// Samples that are lost when it is.
    pub(crate) samples: u64,
}

/// Parcels in the order in which they are sent.
#[derive(Default)]
pub(crate) struct Outbox {
    parcels: RefCell<VecDeque<Parcel>>,
    bytes: Cell<usize>,
    is_closed: Cell<bool>,
    changed: Notify,
}

impl Outbox {
    /// Adds a parcel. Whether older ones had to go for it.
    pub(crate) fn push(&self, parcel: Parcel) -> bool {
        let mut parcels = self.parcels.borrow_mut();
        let mut bytes = self.bytes.get() + parcel.bytes.len();
        parcels.push_back(parcel);
        let mut dropped = false;
        while bytes > OUTBOX_LIMIT_BYTES && parcels.len() > 1 {
            if let Some(oldest) = parcels.pop_front() {
                bytes -= oldest.bytes.len();
                dropped = true;
            }
        }
        self.bytes.set(bytes);
        self.changed.notify_one();
        dropped
    }

    /// No more parcels will come.
    pub(crate) fn close(&self) {
        self.is_closed.set(true);
        self.changed.notify_one();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.get()
    }

    /// The next parcel, once there is one; none at the end.
    pub(crate) async fn next(&self) -> Option<Parcel> {
        loop {
            if let Some(parcel) = self.parcels.borrow_mut().pop_front() {
                self.bytes.set(self.bytes.get() - parcel.bytes.len());
                return Some(parcel);
            }
            if self.is_closed.get() {
                return None;
            }
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_box_loses_the_oldest() {
        let outbox = Outbox::default();
        let parcel = |samples| Parcel {
            bytes: vec![0; OUTBOX_LIMIT_BYTES / 4],
            samples,
        };
        assert_eq!(
            (1..=6).map(|n| outbox.push(parcel(n))).collect::<Vec<_>>(),
            [false, false, false, false, true, true]
        );
        outbox.close();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let mut left = Vec::new();
        runtime.block_on(async {
            while let Some(parcel) = outbox.next().await {
                left.push(parcel.samples);
            }
        });
        assert_eq!(left, [3, 4, 5, 6]);
    }
}
