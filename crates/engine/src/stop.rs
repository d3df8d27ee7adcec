//! How a running iteration is told to end: a flag that wakes the task which runs it.
//!
//! Nothing is ever unwound from outside. The VU sees the flag in [`Stop::guard`] (or in its interrupt handler) and
//! ends by itself.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// The iteration was told to end before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the iteration was interrupted")]
pub struct Interrupted;

/// One VU's order to stop, shared by the VU and the executor on the same thread.
#[derive(Debug)]
pub struct Stop {
    requested: Cell<bool>,
    deadline_ns: Cell<u64>,
    waker: RefCell<Option<Waker>>,
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            requested: Cell::new(false),
            deadline_ns: Cell::new(u64::MAX),
            waker: RefCell::new(None),
        }
    }
}

impl Stop {
    /// Tells the iteration to end now, and wakes it.
    pub fn request(&self) {
        self.requested.set(true);
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }

    /// Takes the order back and sets the instant (monotonic nanoseconds) at which code that never waits must end.
    pub fn reset(&self, deadline_ns: u64) {
        self.requested.set(false);
        self.deadline_ns.set(deadline_ns);
    }

    /// Moves the instant at which code that never waits must end.
    pub fn set_deadline(&self, deadline_ns: u64) {
        self.deadline_ns.set(deadline_ns);
    }

    /// The instant (monotonic nanoseconds) at which code that never waits must end.
    pub fn deadline_ns(&self) -> u64 {
        self.deadline_ns.get()
    }

    /// Whether the iteration was told to end.
    pub fn requested(&self) -> bool {
        self.requested.get()
    }

    /// Whether the iteration must end, asked by code that does not wait and so cannot be woken.
    pub fn due(&self, now_ns: u64) -> bool {
        self.requested.get() || now_ns >= self.deadline_ns.get()
    }

    /// Waits for a future, but not beyond the order to stop; the future is dropped then.
    pub fn guard<F: Future>(&self, future: F) -> Guard<'_, F> {
        Guard { stop: self, future }
    }

    /// Registers who is to be woken by [`Self::request`].
    pub fn watch(&self, waker: &Waker) {
        let mut slot = self.waker.borrow_mut();
        if !slot.as_ref().is_some_and(|w| w.will_wake(waker)) {
            *slot = Some(waker.clone());
        }
    }
}

/// The future of [`Stop::guard`].
#[derive(Debug)]
pub struct Guard<'a, F> {
    stop: &'a Stop,
    future: F,
}

impl<F: Future + Unpin> Future for Guard<'_, F> {
    type Output = Result<F::Output, Interrupted>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if self.stop.requested() {
            return Poll::Ready(Err(Interrupted));
        }
        match Pin::new(&mut self.future).poll(cx) {
            Poll::Ready(value) => Poll::Ready(Ok(value)),
            Poll::Pending => {
                self.stop.watch(cx.waker());
                Poll::Pending
            }
        }
    }
}
