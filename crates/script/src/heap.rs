//! Where JavaScript values live: mimalloc, so that the VUs of a worker share pages of equal sizes, and a count per VU.
//!
//! The engine itself enforces the memory limit; the count here tells when collecting garbage is worth its time.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::rc::Rc;

use libmimalloc_sys::{mi_calloc, mi_free, mi_malloc, mi_realloc, mi_usable_size};
use rquickjs::allocator::Allocator;

/// The memory of one runtime.
pub(crate) struct Heap {
    bytes: Rc<Cell<usize>>,
    peak: Rc<Cell<usize>>,
}

impl Heap {
    /// An empty heap, and the number of bytes that are in use in it. `peak` is kept at the most there ever were.
    pub(crate) fn new(peak: Rc<Cell<usize>>) -> (Self, Rc<Cell<usize>>) {
        let bytes = Rc::new(Cell::new(0));
        let heap = Self {
            bytes: bytes.clone(),
            peak,
        };
        (heap, bytes)
    }

    fn count(&self, taken: *mut u8) -> *mut u8 {
        if !taken.is_null() {
            // SAFETY: mimalloc has just returned this block.
            let size = unsafe { mi_usable_size(taken.cast()) };
            let bytes = self.bytes.get().wrapping_add(size);
            self.bytes.set(bytes);
            self.peak.set(self.peak.get().max(bytes));
        }
        taken
    }

    fn discount(&self, given_back: *mut u8) {
        // SAFETY: the caller passes a block that is still in use.
        let size = unsafe { mi_usable_size(given_back.cast()) };
        self.bytes.set(self.bytes.get().wrapping_sub(size));
    }
}

// SAFETY: every block comes from mimalloc, is aligned to at least 8 bytes and has at least the size that was asked for.
unsafe impl Allocator for Heap {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        // SAFETY: any size may be asked for; null means that there is no memory.
        self.count(unsafe { mi_malloc(size) }.cast())
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        // SAFETY: as above; an overflowing product gives null.
        self.count(unsafe { mi_calloc(count, size) }.cast())
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        self.discount(block);
        // SAFETY: the block came from this allocator and is not used any more.
        unsafe { mi_free(block.cast()) };
    }

    unsafe fn realloc(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        if !block.is_null() {
            self.discount(block);
        }
        // SAFETY: the block is null or came from this allocator; on failure it stays as it is.
        let moved: *mut u8 = unsafe { mi_realloc(block.cast(), size) }.cast();
        if moved.is_null() && !block.is_null() {
            self.count(block);
        }
        self.count(moved)
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: the block came from this allocator.
        unsafe { mi_usable_size(block.cast()) }
    }
}
