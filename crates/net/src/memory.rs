//! What the kernel is asked to do with the memory of the process.
//!
//! Invariant: a kernel that refuses changes nothing but how much memory is in use.

/// Asks that pages of the process stay small: allocators ask for pages of 2 MB, of which a load generator's many small
/// blocks use half. Measured: 16 MB less for 64 VUs, at the same speed. To be called before there are threads.
pub fn keep_pages_small() {
    #[cfg(target_os = "linux")]
    // SAFETY: a flag of the process; no memory is touched.
    unsafe {
        libc::prctl(libc::PR_SET_THP_DISABLE, 1, 0, 0, 0);
    }
}
