//! One deadline timer per connection, re-armed as rarely as possible.
//!
//! Owns the timer registration. Invariant: in the steady state an exchange neither registers nor cancels a timer: the
//! one of an earlier exchange fires too early rather than too late and is then moved.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use netload_net::Clock;
use tokio::time::{Instant, Sleep};

/// A timer that is kept from exchange to exchange.
#[derive(Debug, Default)]
pub(crate) struct Timer {
    sleep: Option<Pin<Box<Sleep>>>,
    waker: Option<Waker>,
}

impl Timer {
    /// Tells whether `deadline_ns` has passed; if not, the task is woken when it does.
    pub(crate) fn poll_passed(
        &mut self,
        cx: &mut Context<'_>,
        deadline_ns: u64,
        clock: &Clock,
    ) -> bool {
        let at = || Instant::from_std(clock.instant(deadline_ns));
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at())));
        if !sleep.is_elapsed() {
            let waker_known = self
                .waker
                .as_ref()
                .is_some_and(|waker| waker.will_wake(cx.waker()));
            let in_time = Instant::from_std(clock.instant(deadline_ns)) >= sleep.deadline();
            if waker_known && in_time {
                return false;
            }
            if !in_time {
                sleep.as_mut().reset(at());
            }
        } else if clock.now_ns() >= deadline_ns {
            return true;
        } else {
            sleep.as_mut().reset(at());
        }
        self.waker = Some(cx.waker().clone());
        while sleep.as_mut().poll(cx) == Poll::Ready(()) {
            if clock.now_ns() >= deadline_ns {
                return true;
            }
            sleep.as_mut().reset(at());
        }
        false
    }
}
