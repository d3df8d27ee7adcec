//! What the scheduler is asked to do for the threads of a run, as far as that needs no permission.
//!
//! Owns the two wishes: a thread that releases planned starts wants the processor the moment it wakes, and the thread
//! that watches over the run never wants to interrupt anybody. Leaves out which thread is which. Invariant: a kernel
//! that refuses a wish changes nothing else; the run is measured either way.

/// The time a prompt thread may run in a row, in nanoseconds: the least that Linux grants. A thread that wakes runs at
/// once if its turn is shorter than that of the one that runs, and it pays by being asked for the processor sooner.
#[cfg(target_os = "linux")]
const PROMPT_TURN_NS: u64 = 100_000;

/// Asks for the present thread to run as soon as it wakes: short turns, since Linux 6.12. Tells whether it was granted.
pub fn run_promptly() -> bool {
    #[cfg(target_os = "linux")]
    {
        linux::read().is_some_and(|mut now| {
            now.sched_runtime = PROMPT_TURN_NS;
            now.sched_policy == linux::OTHER && linux::write(&now)
        })
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// While it lives, the thread that made it interrupts no other thread when it wakes; it has its share of the processor
/// all the same.
#[derive(Debug)]
pub struct Patience {
    /// Drop must happen on the same thread.
    _not_send: std::marker::PhantomData<*const ()>,
    #[cfg(target_os = "linux")]
    granted: bool,
}

impl Patience {
    /// Begins on the present thread.
    pub fn begin() -> Self {
        Self {
            _not_send: std::marker::PhantomData,
            #[cfg(target_os = "linux")]
            granted: linux::change(linux::OTHER, linux::BATCH),
        }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if self.granted {
            linux::change(linux::BATCH, linux::OTHER);
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    /// The policy of ordinary threads.
    pub(super) const OTHER: u32 = libc::SCHED_OTHER as u32;
    /// The policy of threads that interrupt nobody when they wake.
    pub(super) const BATCH: u32 = libc::SCHED_BATCH as u32;

    /// The kernel's `struct sched_attr` in its first version.
    #[repr(C)]
    #[derive(Debug, Default)]
    pub(super) struct Attributes {
        size: u32,
        pub(super) sched_policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        pub(super) sched_runtime: u64,
        deadline: u64,
        period: u64,
    }

    /// Its length in bytes, as the kernel wants it.
    const SIZE: u32 = size_of::<Attributes>() as u32;

    /// How the present thread is scheduled.
    pub(super) fn read() -> Option<Attributes> {
        let mut found = Attributes::default();
        // SAFETY: `found` is valid for writes of `SIZE` bytes while the call runs, and any bytes are valid in it.
        let result = unsafe {
            libc::syscall(
                libc::SYS_sched_getattr,
                0,
                std::ptr::from_mut(&mut found),
                SIZE,
                0,
            )
        };
        (result == 0).then_some(found)
    }

    /// Schedules the present thread like this.
    pub(super) fn write(wanted: &Attributes) -> bool {
        let wanted = Attributes {
            size: SIZE,
            ..*wanted
        };
        // SAFETY: `wanted` is valid for reads of the `SIZE` bytes it names while the call runs.
        let result =
            unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::from_ref(&wanted), 0) };
        result == 0
    }

    /// Goes from one policy to another; does nothing when the thread has a third one.
    pub(super) fn change(from: u32, to: u32) -> bool {
        read().is_some_and(|now| {
            now.sched_policy == from
                && write(&Attributes {
                    sched_policy: to,
                    ..now
                })
        })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// On a thread of its own: other tests keep their policy.
    fn alone<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
        std::thread::spawn(test).join().unwrap()
    }

    #[test]
    fn patience_ends_with_its_value() {
        let seen = alone(|| {
            let policy = || linux::read().unwrap().sched_policy;
            let before = policy();
            let patience = Patience::begin();
            let during = policy();
            drop(patience);
            (before, during, policy())
        });
        assert_eq!(seen, (linux::OTHER, linux::BATCH, linux::OTHER));
    }

    #[test]
    fn a_prompt_thread_keeps_its_policy_and_gets_short_turns_where_they_are_known() {
        let (granted, now) = alone(|| (run_promptly(), linux::read().unwrap()));
        assert!(granted);
        assert_eq!(now.sched_policy, linux::OTHER);
        // Older kernels say nothing about turns of ordinary threads.
        assert!([0, PROMPT_TURN_NS].contains(&now.sched_runtime));
    }
}
