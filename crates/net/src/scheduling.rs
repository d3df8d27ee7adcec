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

/// What a patient thread gets of a processor that others want too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// As much as they.
    Equal,
    /// A tenth of what one of them gets: for a thread that needs little, and whose work may wait. What it has not used
    /// while it waited it may use in a row later, and that is a tenth as well.
    Small,
}

/// How nice a thread with a small claim is.
#[cfg(target_os = "linux")]
const SMALL_NICE: i32 = 10;

/// While it lives, the thread that made it interrupts no other thread when it wakes.
#[derive(Debug)]
pub struct Patience {
    /// Drop must happen on the same thread.
    _not_send: std::marker::PhantomData<*const ()>,
    #[cfg(target_os = "linux")]
    before: Option<linux::Attributes>,
}

impl Patience {
    /// Begins on the present thread.
    pub fn begin(claim: Claim) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = claim;
        Self {
            _not_send: std::marker::PhantomData,
            #[cfg(target_os = "linux")]
            before: linux::read().filter(|before| {
                let nice = match claim {
                    Claim::Equal => before.nice,
                    Claim::Small => before.nice.max(SMALL_NICE),
                };
                before.sched_policy == linux::OTHER
                    && linux::write(&linux::Attributes {
                        sched_policy: linux::BATCH,
                        nice,
                        ..*before
                    })
            }),
        }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(before) = &self.before
            && !linux::write(before)
            && let Some(now) = linux::read()
        {
            // Without permission a nice thread stays nice.
            linux::write(&linux::Attributes {
                nice: now.nice,
                ..*before
            });
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
        pub(super) size: u32,
        pub(super) sched_policy: u32,
        pub(super) flags: u64,
        pub(super) nice: i32,
        pub(super) priority: u32,
        pub(super) sched_runtime: u64,
        pub(super) deadline: u64,
        pub(super) period: u64,
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
        let (before, during, after) = alone(|| {
            let policy = || linux::read().unwrap().sched_policy;
            let before = policy();
            let patience = Patience::begin(Claim::Small);
            let during = linux::read().unwrap();
            drop(patience);
            (before, during, policy())
        });
        assert_eq!((before, after), (linux::OTHER, linux::OTHER));
        assert_eq!(during.sched_policy, linux::BATCH);
        assert!(during.nice >= SMALL_NICE, "{during:?}");
    }

    #[test]
    fn an_equal_claim_stays_equal() {
        let (before, during) = alone(|| {
            let nice = || linux::read().unwrap().nice;
            let before = nice();
            let _patience = Patience::begin(Claim::Equal);
            (before, nice())
        });
        assert_eq!(before, during);
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
