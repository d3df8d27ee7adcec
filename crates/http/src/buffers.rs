//! Buffers that a worker's exchanges share and give back.
//!
//! Owns the read buffer, the spare message buffers and the heads that came lately. Invariant: what is kept is bounded, and a buffer handed out is
//! empty.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::h1::RecentHeads;

/// Size of the buffer that socket reads go to, one per worker.
pub const READ_BUFFER_BYTES: usize = 64 * 1024;

/// Spare message buffers kept per worker.
pub const SPARE_BUFFERS: usize = 256;

/// A message buffer that has grown beyond this is not kept.
pub const SPARE_BUFFER_BYTES: usize = 64 * 1024;

/// Capacity of a fresh message buffer: an ordinary head and a small body.
const FRESH_BUFFER_BYTES: usize = 1024;

/// The buffers of one worker.
#[derive(Debug)]
pub struct Buffers {
    pub(crate) read: RefCell<Box<[u8]>>,
    spare: RefCell<Vec<Vec<u8>>>,
    pub(crate) recent_heads: RefCell<RecentHeads>,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            read: RefCell::new(vec![0; READ_BUFFER_BYTES].into()),
            spare: RefCell::default(),
            recent_heads: RefCell::default(),
        }
    }
}

impl Buffers {
    /// The buffers for one worker thread.
    pub fn new() -> Rc<Self> {
        Rc::default()
    }

    pub(crate) fn take(self: &Rc<Self>) -> Buffer {
        let bytes = self.spare.borrow_mut().pop();
        Buffer {
            bytes: bytes.unwrap_or_else(|| Vec::with_capacity(FRESH_BUFFER_BYTES)),
            home: Some(self.clone()),
        }
    }
}

/// A growing buffer that returns to its worker when dropped.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    home: Option<Rc<Buffers>>,
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Some(home) = self.home.take() else { return };
        if self.bytes.capacity() > SPARE_BUFFER_BYTES {
            return;
        }
        let mut spare = home.spare.borrow_mut();
        if spare.len() < SPARE_BUFFERS {
            self.bytes.clear();
            spare.push(std::mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_buffer_is_used_again_and_comes_back_empty() {
        let buffers = Buffers::new();
        let mut first = buffers.take();
        first.extend_from_slice(b"abc");
        let at = first.as_ptr();
        drop(first);
        let second = buffers.take();
        assert_eq!(second.as_ptr(), at);
        assert!(second.is_empty());
    }

    #[test]
    fn large_and_superfluous_buffers_are_let_go() {
        let buffers = Buffers::new();
        let mut large = buffers.take();
        large.reserve(SPARE_BUFFER_BYTES + 1);
        drop(large);
        assert!(buffers.spare.borrow().is_empty());
        let many: Vec<_> = (0..SPARE_BUFFERS + 3).map(|_| buffers.take()).collect();
        drop(many);
        assert_eq!(buffers.spare.borrow().len(), SPARE_BUFFERS);
    }
}
