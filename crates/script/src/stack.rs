//! Stacks for VU coroutines: reserved generously, resident only where touched, reused by the same thread.
//!
//! Stacks are carved from slabs of one mapping each, because two mappings per stack would end at 32,000 VUs. The
//! lowest page of every stack is a guard: installed with `MADV_GUARD_INSTALL` where the kernel has it (no mapping of
//! its own), else protected.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::OnceLock;

use corosensei::stack::{Stack, StackPointer};

/// Address space of one stack in bytes, the guard included: some three thousand calls of JavaScript inside each other.
pub(crate) const STACK_BYTES: usize = 2 * 1024 * 1024;
/// What native code may need below the deepest JavaScript frame. Futures are polled on the worker's own stack.
pub(crate) const NATIVE_RESERVE_BYTES: usize = 64 * 1024;
/// Stacks in one mapping.
const STACKS_PER_SLAB: usize = 64;
/// `MADV_GUARD_INSTALL`, Linux 6.13.
#[cfg(target_os = "linux")]
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// The smallest unit that can be guarded or given back.
fn page_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        // SAFETY: only asks.
        let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(bytes).unwrap_or(4096)
    })
}

/// From one stack to the next. A page more than a stack, so that the same depth of different stacks does not fall on
/// the same entries of the address translation cache, which selects them by the low bits of the page number.
fn stride() -> usize {
    STACK_BYTES + page_bytes()
}

/// One mapping that holds many stacks.
struct Slab {
    start: NonNull<libc::c_void>,
}

impl Slab {
    fn bytes() -> usize {
        stride() * STACKS_PER_SLAB
    }

    fn new() -> std::io::Result<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                Self::bytes(),
                protection,
                flags,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        // SAFETY: the mapping was just made. A huge page would make a barely used stack resident as a whole.
        #[cfg(target_os = "linux")]
        unsafe {
            libc::madvise(start, Self::bytes(), libc::MADV_NOHUGEPAGE)
        };
        NonNull::new(start)
            .map(|start| Self { start })
            .ok_or_else(|| std::io::Error::other("a mapping at address zero"))
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this size; no stack of it is left, because each holds the slab.
        unsafe { libc::munmap(self.start.as_ptr(), Self::bytes()) };
    }
}

/// One stack; goes back to its thread's pool when dropped.
pub(crate) struct VuStack {
    limit: usize,
    slab: Option<Rc<Slab>>,
}

thread_local! {
    static FREE: RefCell<Vec<(usize, Rc<Slab>)>> = const { RefCell::new(Vec::new()) };
}

impl VuStack {
    /// A stack from the pool, or from a new slab.
    ///
    /// # Errors
    /// When the kernel refuses memory.
    pub(crate) fn take() -> std::io::Result<Self> {
        FREE.with_borrow_mut(|free| {
            if free.is_empty() {
                let slab = Rc::new(Slab::new()?);
                let start = slab.start.as_ptr() as usize;
                for index in (0..STACKS_PER_SLAB).rev() {
                    let limit = start + index * stride();
                    guard(limit)?;
                    free.push((limit, slab.clone()));
                }
            }
            let (limit, slab) = free.pop().ok_or(std::io::ErrorKind::OutOfMemory)?;
            Ok(Self {
                limit,
                slab: Some(slab),
            })
        })
    }
}

impl Drop for VuStack {
    fn drop(&mut self) {
        if let Some(slab) = self.slab.take() {
            let usable = (self.limit + page_bytes()) as *mut libc::c_void;
            let length = STACK_BYTES - page_bytes();
            // SAFETY: nobody uses this stack any more, so its content does not matter; the guard stays.
            unsafe { libc::madvise(usable, length, libc::MADV_DONTNEED) };
            // While the thread ends the pool may be gone; the slab is then unmapped by its last stack.
            let _ = FREE.try_with(|free| free.borrow_mut().push((self.limit, slab)));
        }
    }
}

/// Makes the page at `at` fault on every access.
fn guard(at: usize) -> std::io::Result<()> {
    let (page, length) = (at as *mut libc::c_void, page_bytes());
    // SAFETY: the page belongs to a slab that is being set up and holds nothing.
    #[cfg(target_os = "linux")]
    let cheaply = unsafe { libc::madvise(page, length, MADV_GUARD_INSTALL) == 0 };
    #[cfg(not(target_os = "linux"))]
    let cheaply = false;
    // SAFETY: as above.
    let done = cheaply || unsafe { libc::mprotect(page, length, libc::PROT_NONE) == 0 };
    if done {
        Ok(())
    } else {
        Err(std::io::Error::last_os_error())
    }
}

/// Gives back the memory of the stack `limit` below the frame that calls this.
pub(crate) fn trim(limit: usize) {
    let here = 0_u8;
    // One page more stays for the frames of this call.
    let page = page_bytes();
    let top = (std::ptr::from_ref(&here) as usize - page) & !(page - 1);
    let bottom = limit + page;
    if top > bottom {
        // SAFETY: nothing below the current frame of the own stack is in use.
        unsafe { libc::madvise(bottom as *mut _, top - bottom, libc::MADV_DONTNEED) };
    }
}

// SAFETY: the stack is `STACK_BYTES` of private memory whose lowest page is a guard; base and limit are page aligned.
unsafe impl Stack for VuStack {
    fn base(&self) -> StackPointer {
        NonZeroUsize::MIN.saturating_add(self.limit + STACK_BYTES - 1)
    }

    fn limit(&self) -> StackPointer {
        NonZeroUsize::MIN.saturating_add(self.limit - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_do_not_overlap_and_are_used_again() {
        let stacks: Vec<VuStack> = (0..STACKS_PER_SLAB + 1)
            .map(|_| VuStack::take().unwrap())
            .collect();
        let mut limits: Vec<usize> = stacks.iter().map(|s| s.limit).collect();
        limits.sort_unstable();
        assert!(
            limits
                .windows(2)
                .all(|pair| pair[1] - pair[0] >= STACK_BYTES)
        );
        drop(stacks);
        let again = VuStack::take().unwrap();
        assert!(limits.contains(&again.limit));
        assert_eq!(again.base().get() - Stack::limit(&again).get(), STACK_BYTES);
    }
}
