//! A timer that is exact to microseconds, where the runtime's own timers tick in milliseconds.
//!
//! A Linux timerfd with absolute times on the monotonic clock, waited for with everything else by the event loop.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// An alarm clock for one waiter at a time.
#[derive(Debug)]
pub struct Alarm {
    timer: AsyncFd<OwnedFd>,
}

impl Alarm {
    /// A new alarm, not set.
    ///
    /// # Errors
    /// When the kernel gives no timer, or outside an event loop.
    pub fn new() -> io::Result<Self> {
        // SAFETY: the call takes no pointers; its result is checked before it is owned.
        let fd = unsafe {
            libc::timerfd_create(
                libc::CLOCK_MONOTONIC,
                libc::TFD_NONBLOCK | libc::TFD_CLOEXEC,
            )
        };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `fd` was just opened and belongs to nobody else.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        // SAFETY: the descriptor is owned by the `AsyncFd` and is not closed or replaced before it is dropped.
        let timer = unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) }?;
        Ok(Self { timer })
    }

    /// Waits until an instant on the monotonic clock, in nanoseconds. Returns at once when it has passed.
    pub async fn until(&self, at_ns: u64) {
        if self.set(at_ns).is_err() {
            return;
        }
        while let Ok(mut guard) = self.timer.readable().await {
            let mut fired = [0u8; 8];
            let read = guard.try_io(|timer| {
                // SAFETY: the buffer is valid for its length while the call runs.
                let n = unsafe {
                    libc::read(timer.as_raw_fd(), fired.as_mut_ptr().cast(), fired.len())
                };
                if n < 0 {
                    Err(io::Error::last_os_error())
                } else {
                    Ok(())
                }
            });
            if read.is_ok() {
                return;
            }
        }
    }

    fn set(&self, at_ns: u64) -> io::Result<()> {
        let zero = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // All zero would disarm the timer instead of firing at once.
        let at_ns = at_ns.max(1);
        let value = libc::timespec {
            tv_sec: (at_ns / 1_000_000_000) as libc::time_t,
            tv_nsec: (at_ns % 1_000_000_000) as libc::c_long,
        };
        let spec = libc::itimerspec {
            it_interval: zero,
            it_value: value,
        };
        // SAFETY: `spec` lives through the call, the old value is not asked for.
        let done = unsafe {
            libc::timerfd_settime(
                self.timer.as_raw_fd(),
                libc::TFD_TIMER_ABSTIME,
                &raw const spec,
                std::ptr::null_mut(),
            )
        };
        if done < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}
