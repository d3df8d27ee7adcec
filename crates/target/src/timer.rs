//! Waiting until an instant, exact to some microseconds.
//!
//! A reference server is only a reference if its service times are right, and
//! tokio's timers are rounded to a millisecond. On Linux each worker owns one
//! timerfd and a heap of deadlines; elsewhere tokio's timer is used.
//!
//! Invariant: a wait never ends early.

use std::time::Instant;

#[cfg(target_os = "linux")]
pub(crate) use linux::Timer;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::Timer;

#[cfg(target_os = "linux")]
mod linux {
    use super::Instant;
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
        armed: Cell<Option<Instant>>,
        fd: AsyncFd<OwnedFd>,
    }

    struct Wait {
        until: Instant,
        waker: Waker,
    }

    impl Timer {
        /// Creates the timer and the task that serves it; call inside a `LocalSet`.
        pub(crate) fn start() -> io::Result<Rc<Timer>> {
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
                armed: Cell::new(None),
                fd,
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
                self.waits.borrow_mut().push(Wait {
                    until,
                    waker: cx.waker().clone(),
                });
                if self.armed.get().is_none_or(|armed| until < armed) {
                    self.arm(until);
                }
                Poll::Pending
            })
            .await;
        }

        async fn serve(self: Rc<Timer>) {
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
            if let Some(until) = next {
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
            other.until.cmp(&self.until)
        }
    }

    impl PartialOrd for Wait {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    impl PartialEq for Wait {
        fn eq(&self, other: &Self) -> bool {
            self.until == other.until
        }
    }

    impl Eq for Wait {}
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use super::Instant;
    use std::io;
    use std::rc::Rc;

    /// One worker's timer.
    pub(crate) struct Timer;

    impl Timer {
        /// Creates the timer.
        pub(crate) fn start() -> io::Result<Rc<Timer>> {
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

    #[test]
    fn waits_end_in_order_and_never_early() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let ended = tokio::task::LocalSet::new().block_on(&runtime, async {
            let timer = Timer::start().unwrap();
            let ended = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
            let start = Instant::now();
            let waits: Vec<_> = [9_u64, 1, 5]
                .into_iter()
                .map(|millis| {
                    let (timer, ended) = (timer.clone(), ended.clone());
                    tokio::task::spawn_local(async move {
                        let until = start + Duration::from_millis(millis);
                        timer.wait_until(until).await;
                        assert!(Instant::now() >= until);
                        ended.borrow_mut().push(millis);
                    })
                })
                .collect();
            for wait in waits {
                wait.await.unwrap();
            }
            ended.take()
        });
        assert_eq!(ended, [1, 5, 9]);
    }
}
