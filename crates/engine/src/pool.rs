//! Initialised VUs that no scenario uses; the one that has waited longest goes first.

use std::cell::RefCell;
use std::collections::VecDeque;

use tokio::sync::Notify;

use crate::message::VuSlot;

/// The free VUs of an instance. Lives on the coordinator's thread.
#[derive(Debug, Default)]
pub(crate) struct VuPool {
    free: RefCell<VecDeque<VuSlot>>,
    returned: Notify,
}

impl VuPool {
    /// Gives a VU back.
    pub(crate) fn put(&self, slot: VuSlot) {
        self.free.borrow_mut().push_back(slot);
        self.returned.notify_one();
    }

    /// Takes a VU, waiting for one if all are in use.
    pub(crate) async fn take(&self) -> VuSlot {
        loop {
            if let Some(slot) = self.free.borrow_mut().pop_front() {
                return slot;
            }
            self.returned.notified().await;
        }
    }
}
