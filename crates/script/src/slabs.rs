//! Small blocks of memory for one thread, the last one freed given out first.
//!
//! A script makes and frees some dozens of small values per iteration. Given out again at once they stay in the
//! processor's nearest cache, whichever VU of the worker runs; an allocator that walks through its pages in turn
//! pushes everything else out of it. Blocks are cut from slabs in one reserved range of addresses, so a block's size
//! follows from its address. The engine takes and frees blocks by itself, in a few instructions, through the lists of
//! [`Slabs`], and knows a block's size from its own header. Invariants: a block is freed by the thread that took it;
//! slabs are never given back before the thread ends.

#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null_mut};

/// Sizes are multiples of this, in bytes; also the alignment of every block. The engine needs no more, and most of what
/// it takes is an odd multiple: closures' variables and functions' properties are 56 bytes.
const GRAIN_BYTES: usize = 8;
/// The largest block, in bytes.
pub(crate) const LARGEST_BYTES: usize = 512;
/// How many sizes there are; the engine's `JS_SLAB_SIZES`.
const SIZES: usize = LARGEST_BYTES / GRAIN_BYTES;
/// What is cut into blocks of one size, in bytes.
const SLAB_BYTES: usize = 64 * 1024;
/// Addresses reserved for a thread, in bytes; only what is used becomes memory. Beyond it there are no small blocks.
const RANGE_BYTES: usize = 8 << 30;

/// What the first part of the range has in pages of the usual size, in bytes; what is behind it has huge ones where the
/// system has them.
#[cfg(target_os = "linux")]
const SMALL_PAGES_BYTES: usize = 8 << 20;

/// A block that is free holds the address of the next one.
#[repr(C)]
struct Free {
    next: *mut Free,
}

/// The rest of a slab that was never given out.
#[derive(Clone, Copy)]
#[repr(C)]
struct Rest {
    at: usize,
    end: usize,
}

/// The first two fields are what the engine calls `JSSlabs`.
#[repr(C)]
struct Slabs {
    free: [Cell<*mut Free>; SIZES],
    cut: extern "C" fn(c_int) -> *mut c_void,
    start: Cell<usize>,
    /// Bytes of the range that are cut into slabs.
    used: Cell<usize>,
    rests: [Cell<Rest>; SIZES],
    refused: Cell<bool>,
}

thread_local! {
    static SLABS: Slabs = const {
        Slabs {
            free: [const { Cell::new(null_mut()) }; SIZES],
            cut: cut_for_engine,
            start: Cell::new(0),
            used: Cell::new(0),
            rests: [const { Cell::new(Rest { at: 0, end: 0 }) }; SIZES],
            refused: Cell::new(false),
        }
    };
    /// The index of the size of each slab, and the owner of the range.
    static RANGE: RefCell<Option<Range>> = const { RefCell::new(None) };
    /// Where `Range::sizes` begins.
    static SIZE_TABLE: Cell<*const u8> = const { Cell::new(std::ptr::null()) };
}

/// The reserved addresses, given back when the thread ends.
struct Range {
    mapped: NonNull<libc::c_void>,
    sizes: Box<[u8]>,
}

impl Range {
    fn reserve() -> Option<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice.
        let mapped = unsafe { libc::mmap(null_mut(), RANGE_BYTES, protection, flags, -1, 0) };
        if mapped == libc::MAP_FAILED {
            return None;
        }
        // Many VUs that run libraries touch more pages than the processor knows the addresses of: huge pages spare them
        // a tenth of their time. A small run would only become 7 MB larger.
        // SAFETY: both parts lie in the mapping that was just made.
        #[cfg(target_os = "linux")]
        unsafe {
            libc::madvise(mapped, SMALL_PAGES_BYTES, libc::MADV_NOHUGEPAGE);
            let rest = mapped.byte_add(SMALL_PAGES_BYTES);
            libc::madvise(rest, RANGE_BYTES - SMALL_PAGES_BYTES, libc::MADV_HUGEPAGE);
        };
        let sizes = vec![0; RANGE_BYTES / SLAB_BYTES].into_boxed_slice();
        NonNull::new(mapped).map(|mapped| Self { mapped, sizes })
    }

    fn start(&self) -> usize {
        self.mapped.as_ptr() as usize
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: mapped by `reserve`; the VUs of a thread end before their thread, so no block is in use.
        unsafe { libc::munmap(self.mapped.as_ptr(), RANGE_BYTES) };
    }
}

unsafe extern "C" {
    /// Tells the engine where the runtimes that this thread makes take their small blocks from.
    fn JS_UseSlabs(slabs: *const Slabs);
}

/// Lets the engine take blocks from this thread's slabs, for the runtimes that the thread makes from now on.
pub(crate) fn offer() {
    // SAFETY: the lists stay where they are until the thread ends, and runtimes end before their thread.
    SLABS.with(|slabs| unsafe { JS_UseSlabs(slabs) });
}

/// A block for the engine; null when there is none.
extern "C" fn cut_for_engine(index: c_int) -> *mut c_void {
    let index = usize::try_from(index).ok().filter(|index| *index < SIZES);
    let block = index.and_then(|index| SLABS.with(|slabs| slabs.cut(index)));
    block.map_or(null_mut(), <*mut u8>::cast)
}

/// A block of at least `size` bytes; none when that is more than [`LARGEST_BYTES`] or there are no
/// addresses left.
pub(crate) fn take(size: usize) -> Option<*mut u8> {
    let index = size.saturating_sub(1) / GRAIN_BYTES;
    if index >= SIZES {
        return None;
    }
    SLABS.with(|slabs| {
        let first = slabs.free[index].get();
        if first.is_null() {
            return slabs.cut(index);
        }
        // SAFETY: what is in the list is free and was written by `give_back`.
        slabs.free[index].set(unsafe { (*first).next });
        Some(first.cast())
    })
}

/// The size of a block of this thread; none when it is none of ours.
pub(crate) fn size_of_block(block: *const u8) -> Option<usize> {
    SLABS
        .with(|slabs| slabs.index_of(block))
        .map(|index| (index + 1) * GRAIN_BYTES)
}

/// Takes a block back; false (and nothing happens) when it is none of ours.
///
/// # Safety
/// A block that came from [`take`] on this thread is not used any more.
pub(crate) unsafe fn give_back(block: *mut u8) -> bool {
    SLABS.with(|slabs| {
        let Some(index) = slabs.index_of(block) else {
            return false;
        };
        let freed: *mut Free = block.cast();
        // SAFETY: the block is ours, unused, aligned and large enough for a pointer.
        unsafe {
            freed.write(Free {
                next: slabs.free[index].get(),
            });
        }
        slabs.free[index].set(freed);
        true
    })
}

impl Slabs {
    fn index_of(&self, block: *const u8) -> Option<usize> {
        let offset = (block as usize).wrapping_sub(self.start.get());
        if offset >= self.used.get() {
            return None;
        }
        // SAFETY: the offset is inside the slabs that were cut, each of which has an entry.
        Some(usize::from(unsafe {
            *SIZE_TABLE.get().add(offset / SLAB_BYTES)
        }))
    }

    /// A block that was never used.
    #[cold]
    fn cut(&self, index: usize) -> Option<*mut u8> {
        let bytes = (index + 1) * GRAIN_BYTES;
        let mut rest = self.rests[index].get();
        if rest.end - rest.at < bytes {
            rest = self.next_slab(index)?;
        }
        self.rests[index].set(Rest {
            at: rest.at + bytes,
            end: rest.end,
        });
        Some(rest.at as *mut u8)
    }

    fn next_slab(&self, index: usize) -> Option<Rest> {
        RANGE.with_borrow_mut(|range| {
            if range.is_none() && !self.refused.get() {
                *range = Range::reserve();
                self.refused.set(range.is_none());
            }
            let range = range.as_mut()?;
            let number = self.used.get() / SLAB_BYTES;
            *range.sizes.get_mut(number)? = index as u8;
            self.start.set(range.start());
            SIZE_TABLE.set(range.sizes.as_ptr());
            self.used.set(self.used.get() + SLAB_BYTES);
            let at = range.start() + number * SLAB_BYTES;
            Some(Rest {
                at,
                end: at + SLAB_BYTES,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_a_thread_of_its_own(test: impl FnOnce() + Send + 'static) {
        std::thread::spawn(test).join().unwrap();
    }

    #[test]
    fn blocks_are_disjoint_aligned_and_know_their_size() {
        on_a_thread_of_its_own(|| {
            let mut taken: Vec<(usize, usize)> = (1..=LARGEST_BYTES)
                .cycle()
                .take(20_000)
                .map(|size| {
                    let block = take(size).unwrap();
                    let bytes = size_of_block(block).unwrap();
                    assert!(bytes >= size && bytes < size + GRAIN_BYTES);
                    assert_eq!(block as usize % GRAIN_BYTES, 0);
                    (block as usize, bytes)
                })
                .collect();
            taken.sort_unstable();
            assert!(taken.windows(2).all(|p| p[0].0 + p[0].1 <= p[1].0));
        });
    }

    #[test]
    fn the_last_block_freed_is_the_next_one_given_out() {
        on_a_thread_of_its_own(|| {
            let first = take(40).unwrap();
            let second = take(40).unwrap();
            // SAFETY: both came from `take` and are not used.
            unsafe {
                assert!(give_back(first));
                assert!(give_back(second));
            }
            assert_eq!(take(33), Some(second));
            assert_eq!(take(40), Some(first));
        });
    }

    #[test]
    fn other_memory_is_left_alone() {
        on_a_thread_of_its_own(|| {
            take(8).unwrap();
            let mut elsewhere = 0_u64;
            let block: *mut u8 = (&raw mut elsewhere).cast();
            assert_eq!(size_of_block(block), None);
            // SAFETY: not a block, which is what is tested.
            assert!(!unsafe { give_back(block) });
            assert!(take(LARGEST_BYTES + 1).is_none());
        });
    }
}
