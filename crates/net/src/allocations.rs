//! An allocator that counts what the threads that make the load ask for.
//!
//! Compiled only with the feature `count-allocations`, for the benchmark that shows that an exchange allocates nothing: every
//! allocation asks the kernel for the name of its thread, because whatever else keeps it in the thread would allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How the names of threads that make the load begin.
const WORKER: &[u8] = b"worker-";
/// Bytes of a thread's name, with the zero at its end, as the kernel has it.
const NAME_BYTES: usize = 16;

static BY_WORKERS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, counting.
#[derive(Debug)]
pub struct Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }
}

fn count() {
    let mut name = [0u8; NAME_BYTES];
    // SAFETY: the kernel writes at most so many bytes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    BY_WORKERS.fetch_add(u64::from(name.starts_with(WORKER)), Relaxed);
}

impl Counting {
    /// How often the threads that make the load have asked for memory since the start.
    pub fn by_workers() -> u64 {
        BY_WORKERS.load(Relaxed)
    }
}
