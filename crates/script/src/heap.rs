//! Where JavaScript values live: small ones in the worker's slabs, the others in mimalloc, and a count per VU.
//!
//! The engine itself enforces the memory limit; the count here tells when collecting garbage is worth its time.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::rc::Rc;

use libmimalloc_sys::{mi_free, mi_malloc, mi_realloc, mi_usable_size};
use rquickjs::allocator::Allocator;

use crate::slabs;

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

    fn count(&self, size: usize) {
        let bytes = self.bytes.get().wrapping_add(size);
        self.bytes.set(bytes);
        if bytes > self.peak.get() {
            self.peak.set(bytes);
        }
    }

    fn discount(&self, size: usize) {
        self.bytes.set(self.bytes.get().wrapping_sub(size));
    }

    fn take(&self, size: usize) -> *mut u8 {
        if let Some((block, bytes)) = slabs::take(size) {
            self.count(bytes);
            return block;
        }
        // SAFETY: any size may be asked for; null means that there is no memory.
        let block: *mut u8 = unsafe { mi_malloc(size) }.cast();
        if !block.is_null() {
            // SAFETY: mimalloc has just returned this block.
            self.count(unsafe { mi_usable_size(block.cast()) });
        }
        block
    }

    /// # Safety
    /// The block came from `take` and is not used any more.
    unsafe fn give_back(&self, block: *mut u8) {
        // SAFETY: as the caller promises; what is not from the slabs is from mimalloc.
        unsafe {
            if let Some(bytes) = slabs::give_back(block) {
                self.discount(bytes);
                return;
            }
            self.discount(mi_usable_size(block.cast()));
            mi_free(block.cast());
        }
    }

    /// A larger or smaller block of mimalloc's with the same content; null leaves the old one as it is.
    ///
    /// # Safety
    /// The block came from mimalloc and is in use.
    unsafe fn resize_large(&self, block: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            let before = mi_usable_size(block.cast());
            let moved: *mut u8 = mi_realloc(block.cast(), size).cast();
            if !moved.is_null() {
                self.discount(before);
                self.count(mi_usable_size(moved.cast()));
            }
            moved
        }
    }
}

// SAFETY: every block comes from the slabs or from mimalloc, is aligned to at least 8 bytes and has at least the size
// that was asked for. A runtime never leaves its thread, so neither do its blocks.
unsafe impl Allocator for Heap {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        self.take(size)
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(bytes) = count.checked_mul(size) else {
            return std::ptr::null_mut();
        };
        let block = self.take(bytes);
        if !block.is_null() {
            // SAFETY: the block has at least this size.
            unsafe { block.write_bytes(0, bytes) };
        }
        block
    }

    unsafe fn dealloc(&mut self, block: *mut u8) {
        // SAFETY: the engine frees what it took, once.
        unsafe { self.give_back(block) };
    }

    unsafe fn realloc(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        if block.is_null() {
            return self.take(size);
        }
        let before = match slabs::size_of_block(block) {
            Some(bytes) if size <= bytes && bytes - size < bytes / 2 => return block,
            Some(bytes) => bytes,
            // SAFETY: what is not from the slabs is from mimalloc.
            None if size > slabs::LARGEST_BYTES => {
                return unsafe { self.resize_large(block, size) };
            }
            // SAFETY: as above.
            None => unsafe { mi_usable_size(block.cast()) },
        };
        let moved = self.take(size);
        if !moved.is_null() {
            // SAFETY: both blocks are in use, distinct, and at least as large as what is copied.
            unsafe {
                std::ptr::copy_nonoverlapping(block, moved, before.min(size));
                self.give_back(block);
            }
        }
        moved
    }

    unsafe fn usable_size(block: *mut u8) -> usize {
        // SAFETY: what is not from the slabs is from mimalloc.
        slabs::size_of_block(block).unwrap_or_else(|| unsafe { mi_usable_size(block.cast()) })
    }
}
