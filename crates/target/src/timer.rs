//! Waiting until an instant, exact to some microseconds.
//!
//! A reference server is only a reference if its service times are right, and
//! tokio's timers are rounded to a millisecond. On Linux each worker owns one
//! timerfd and a heap of deadlines; elsewhere tokio's timer is used. Waking a
//! sleeping thread still takes tens of microseconds, so a worker can also look
//! at the clock without ever sleeping.
//!
//! Invariant: a wait never ends early.

use std::time::Instant;

/// How a worker waits for its deadlines and for the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// It sleeps.
    Asleep,
    /// It asks again and again, and uses up its core.
    Busy,
}

#[cfg(target_os = "linux")]
pub(crate) use linux::Timer;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::Timer;

#[cfg(target_os = "linux")]
mod linux {
    use super::{Instant, Waiting};
    use std::cell::{Cell, RefCell};
    use std::collections::BinaryHeap;
    use std::future::poll_fn;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::rc::Rc;
    use std::task::{Poll, Waker};
    use std::time::Duration;

    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use tokio::io::unix::AsyncFd;

    /// The shortest setting: zero would disarm the timer.
    const SOONEST: Duration = Duration::from_nanos(1);

    /// One worker's timer.
    pub(crate) struct Timer {
        waits: RefCell<BinaryHeap<Wait>>,
        begun: Cell<u64>,
        armed: Cell<Option<Instant>>,
        fd: AsyncFd<OwnedFd>,
        waiting: Waiting,
    }

    struct Wait {
        until: Instant,
        /// Counts waits, so that equal deadlines end in the order of asking.
        begun: u64,
        waker: Waker,
    }

    impl Timer {
        /// Creates the timer and the task that serves it; call inside a `LocalSet`.
        pub(crate) fn start(waiting: Waiting) -> io::Result<Rc<Timer>> {
            let fd = timerfd_create(
                TimerfdClockId::Monotonic,
                TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC,
            )?;
            #[expect(
                deprecated,
                reason = "the replacement is unsafe; an OwnedFd always gives the descriptor it owns, \
                          which is all the safe form cannot know of other types"
            )]
            let fd = AsyncFd::new(fd)?;
            let timer = Rc::new(Timer {
                waits: RefCell::default(),
                begun: Cell::new(0),
                armed: Cell::new(None),
                fd,
                waiting,
            });
            tokio::task::spawn_local(Rc::clone(&timer).serve());
            Ok(timer)
        }

        /// Returns at `until` or as soon after it as the machine allows.
        pub(crate) async fn wait_until(&self, until: Instant) {
            poll_fn(|cx| {
                if Instant::now() >= until {
                    return Poll::Ready(());
                }
                let begun = self.begun.get();
                self.begun.set(begun + 1);
                self.waits.borrow_mut().push(Wait {
                    until,
                    begun,
                    waker: cx.waker().clone(),
                });
                if self.waiting == Waiting::Busy {
                    return Poll::Pending;
                }
                if self.armed.get().is_none_or(|armed| until < armed) {
                    self.arm(until);
                }
                Poll::Pending
            })
            .await;
        }

        async fn serve(self: Rc<Timer>) {
            if self.waiting == Waiting::Busy {
                loop {
                    self.wake_due();
                    // Lets the others run and looks for events without waiting for one.
                    tokio::task::yield_now().await;
                }
            }
            let mut expirations = [0; 8];
            while let Ok(mut guard) = self.fd.readable().await {
                // The count itself does not matter; reading it rearms the notification.
                let _ = rustix::io::read(self.fd.get_ref(), &mut expirations);
                guard.clear_ready();
                self.armed.set(None);
                self.wake_due();
            }
        }

        fn wake_due(&self) {
            let now = Instant::now();
            let next = loop {
                let mut waits = self.waits.borrow_mut();
                match waits.peek() {
                    Some(next) if next.until > now => break Some(next.until),
                    Some(_) => waits.pop().into_iter().for_each(|due| due.waker.wake()),
                    None => break None,
                }
            };
            if let (Some(until), Waiting::Asleep) = (next, self.waiting) {
                self.arm(until);
            }
        }

        fn arm(&self, until: Instant) {
            let left = until.saturating_duration_since(Instant::now()).max(SOONEST);
            let setting = Itimerspec {
                it_interval: Timespec {
                    tv_sec: 0,
                    tv_nsec: 0,
                },
                it_value: Timespec {
                    tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
                    tv_nsec: left.subsec_nanos().into(),
                },
            };
            match timerfd_settime(&self.fd, TimerfdTimerFlags::empty(), &setting) {
                Ok(_) => self.armed.set(Some(until)),
                // Nothing else can wake the waiters: fall back to waking them at once.
                Err(_) => self.waits.borrow_mut().drain().for_each(|w| w.waker.wake()),
            }
        }
    }

    impl Ord for Wait {
        /// The earliest deadline is the greatest, as `BinaryHeap` wants it.
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            (other.until, other.begun).cmp(&(self.until, self.begun))
        }
    }

    impl PartialOrd for Wait {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    impl PartialEq for Wait {
        fn eq(&self, other: &Self) -> bool {
            self.begun == other.begun
        }
    }

    impl Eq for Wait {}
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use super::{Instant, Waiting};
    use std::io;
    use std::rc::Rc;

    /// One worker's timer.
    pub(crate) struct Timer;

    impl Timer {
        /// Creates the timer, which always sleeps.
        pub(crate) fn start(_: Waiting) -> io::Result<Rc<Timer>> {
            Ok(Rc::new(Timer))
        }

        /// Returns at `until` or up to a millisecond after it.
        pub(crate) async fn wait_until(&self, until: Instant) {
            tokio::time::sleep_until(until.into()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Waits for each of `millis` after the start, all at once; gives the order in which they ended.
    fn ended(waiting: Waiting, millis: &[u64]) -> Vec<usize> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        tokio::task::LocalSet::new().block_on(&runtime, async {
            let timer = Timer::start(waiting).unwrap();
            let ended = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
            let start = Instant::now();
            let waits: Vec<_> = millis
                .iter()
                .enumerate()
                .map(|(index, millis)| {
                    let (timer, ended) = (timer.clone(), ended.clone());
                    let until = start + Duration::from_millis(*millis);
                    tokio::task::spawn_local(async move {
                        timer.wait_until(until).await;
                        assert!(Instant::now() >= until);
                        ended.borrow_mut().push(index);
                    })
                })
                .collect();
            for wait in waits {
                wait.await.unwrap();
            }
            ended.take()
        })
    }

    #[test]
    fn waits_end_in_order_and_never_early() {
        for waiting in [Waiting::Asleep, Waiting::Busy] {
            assert_eq!(ended(waiting, &[9, 1, 5]), [1, 2, 0], "{waiting:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn equal_deadlines_end_in_the_order_of_asking() {
        let order = ended(Waiting::Busy, &[5; 20]);
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }
}
