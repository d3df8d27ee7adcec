//! Where JavaScript values live: small ones in the worker's slabs, the others in mimalloc.
//!
//! The engine takes most small blocks from the slabs by itself; it counts what it has and enforces the memory limit.

#![allow(unsafe_code)]

use libmimalloc_sys::{mi_free, mi_malloc, mi_realloc, mi_usable_size};
use rquickjs::allocator::Allocator;
use rquickjs::{Ctx, qjs};

use crate::slabs;

unsafe extern "C" {
    /// Bytes in use in a runtime, and the most there ever were.
    fn JS_HeapBytes(runtime: *mut qjs::JSRuntime, peak: *mut qjs::size_t) -> qjs::size_t;
}

/// The size of a JavaScript heap.
pub(crate) struct HeapBytes {
    /// Bytes in use.
    pub(crate) now: usize,
    /// The most there ever were.
    pub(crate) peak: usize,
}

/// How large the heap is that `ctx` belongs to.
pub(crate) fn bytes(ctx: &Ctx<'_>) -> HeapBytes {
    let mut peak = 0;
    // SAFETY: the context is live, and only numbers are read.
    let now = unsafe { JS_HeapBytes(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), &mut peak) };
    let size = |bytes: qjs::size_t| usize::try_from(bytes).unwrap_or(usize::MAX);
    HeapBytes {
        now: size(now),
        peak: size(peak),
    }
}

/// The memory of one runtime.
pub(crate) struct Heap;

impl Heap {
    fn take(&self, size: usize) -> *mut u8 {
        if let Some(block) = slabs::take(size) {
            return block;
        }
        // SAFETY: any size may be asked for; null means that there is no memory.
        unsafe { mi_malloc(size) }.cast()
    }

    /// # Safety
    /// The block came from `take` and is not used any more.
    unsafe fn give_back(&self, block: *mut u8) {
        // SAFETY: as the caller promises; what is not from the slabs is from mimalloc.
        unsafe {
            if !slabs::give_back(block) {
                mi_free(block.cast());
            }
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
                return unsafe { mi_realloc(block.cast(), size) }.cast();
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
