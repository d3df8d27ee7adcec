//! The bridge between blocking JavaScript and futures: a VU runs on its own stack and suspends instead of blocking.
//!
//! Invariants: a suspended coroutine is never unwound (there are C frames on its stack); it is told to abort, resumed,
//! and ends by itself. JavaScript runs only on the coroutine's stack, futures are polled only on the worker's.

#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::mem::ManuallyDrop;
use std::pin::{Pin, pin};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, Waker};

use corosensei::{Coroutine, CoroutineResult, Yielder};
use netload_engine::state::RunState;
use netload_engine::stop::{Interrupted, Stop};
use netload_net::Clock;

use crate::event_loop::EventLoop;
use crate::footprint::Footprint;
use crate::stack::VuStack;

/// How long JavaScript may run without waiting before other VUs of the worker get their turn.
const SLICE_NS: u64 = 10_000_000;
/// How often a VU that is told to abort is resumed before it is given up (its memory is then leaked).
const ABORT_RESUMES: usize = 100_000;

/// The waker of the task that resumes; valid until the next suspension.
struct Resume(NonNull<Waker>);

/// Why a coroutine suspends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suspend {
    /// It waits for a future.
    Pending,
    /// It has done what it was told and waits for the next command.
    Idle,
}

/// The inner end: what the code on the coroutine's stack uses to wait.
pub(crate) struct Bridge {
    yielder: Cell<Option<NonNull<Yielder<Resume, Suspend>>>>,
    waker: Cell<Option<NonNull<Waker>>>,
    stop: Rc<Stop>,
    state: Option<Arc<RunState>>,
    clock: Clock,
    /// Set when the VU is to be torn down.
    aborting: Cell<bool>,
    /// Set when JavaScript was cut short, until the next command.
    interrupted: Cell<bool>,
    /// When the current stretch of JavaScript was first seen busy; 0 at its start.
    busy_since_ns: Cell<u64>,
}

impl Bridge {
    pub(crate) fn new(stop: Rc<Stop>, state: Option<Arc<RunState>>, clock: Clock) -> Self {
        Self {
            yielder: Cell::new(None),
            waker: Cell::new(None),
            stop,
            state,
            clock,
            aborting: Cell::new(false),
            interrupted: Cell::new(false),
            busy_since_ns: Cell::new(0),
        }
    }

    /// Waits for a future; the VU's other asynchronous work goes on meanwhile.
    ///
    /// # Errors
    /// When the VU was told to stop; the future is dropped then.
    pub(crate) fn wait<F: Future>(
        &self,
        event_loop: &EventLoop,
        future: F,
    ) -> Result<F::Output, Interrupted> {
        let mut future = pin!(future);
        // Filled in from the other stack: outputs are large, and what is returned across the stacks is copied often.
        let mut output = None;
        loop {
            if self.aborting.get() || self.stop.requested() {
                self.interrupted.set(true);
                return Err(Interrupted);
            }
            self.poll(event_loop, future.as_mut(), &mut output);
            if let Some(output) = output {
                return Ok(output);
            }
            self.suspend(Suspend::Pending);
        }
    }

    fn poll<F: Future>(
        &self,
        event_loop: &EventLoop,
        future: Pin<&mut F>,
        output: &mut Option<F::Output>,
    ) {
        let (yielder, waker) = self.outside();
        // Deep native code, such as a TLS handshake, runs on the worker's stack and never makes a VU's stack grow.
        let poll = SameThread(move || {
            let mut cx = Context::from_waker(waker);
            match future.poll(&mut cx) {
                Poll::Ready(ready) => *output = Some(ready),
                Poll::Pending => {
                    event_loop.poll(&mut cx);
                    self.stop.watch(waker);
                }
            }
        });
        yielder.on_parent_stack(move || poll.call());
    }

    /// Asked by the interpreter now and then while JavaScript runs: whether it must end. Lets other VUs run when it
    /// has been busy for long.
    pub(crate) fn must_end(&self) -> bool {
        let now_ns = self.clock.now_ns();
        let since_ns = self.busy_since_ns.get();
        if since_ns == 0 {
            self.busy_since_ns.set(now_ns);
        } else if now_ns.saturating_sub(since_ns) >= SLICE_NS && !self.aborting.get() {
            let (_, waker) = self.outside();
            waker.wake_by_ref();
            self.suspend(Suspend::Pending);
        }
        let killed = || self.state.as_ref().is_some_and(|s| s.killed.load(Relaxed));
        let end = self.aborting.get() || self.stop.due(self.clock.now_ns()) || killed();
        if end {
            self.interrupted.set(true);
        }
        end
    }

    /// Notes that JavaScript is being cut short.
    pub(crate) fn interrupt(&self) {
        self.interrupted.set(true);
    }

    /// Whether JavaScript was cut short since the last command.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// Ends the current command: suspends until there is another one.
    pub(crate) fn idle(&self) {
        self.suspend(Suspend::Idle);
        self.interrupted.set(false);
    }

    fn suspend(&self, why: Suspend) {
        let (yielder, _) = self.outside();
        let resume = yielder.suspend(why);
        self.waker.set(Some(resume.0));
        self.busy_since_ns.set(0);
    }

    fn outside(&self) -> (&Yielder<Resume, Suspend>, &Waker) {
        let (Some(yielder), Some(waker)) = (self.yielder.get(), self.waker.get()) else {
            unreachable!("the bridge is only crossed on its coroutine");
        };
        // SAFETY: the yielder lives as long as the coroutine's body runs, and only that body calls this; the waker
        // is borrowed by the resumption that is going on, and replaced at the next one.
        unsafe { (yielder.as_ref(), waker.as_ref()) }
    }
}

/// Something that crosses from one stack to another but stays on its thread.
struct SameThread<T>(T);

// SAFETY: both stacks are run by the same thread, so nothing is sent anywhere.
unsafe impl<T> Send for SameThread<T> {}

impl<T> SameThread<T> {
    /// Calls what is inside; a method, so that a closure captures the whole.
    fn call<R>(self) -> R
    where
        T: FnOnce() -> R,
    {
        (self.0)()
    }
}

/// The outer end: owns the coroutine, gives it commands of type `C` and takes replies of type `R`.
pub(crate) struct Puppet<C, R> {
    coroutine: ManuallyDrop<Coroutine<Resume, Suspend, (), VuStack>>,
    mailbox: Rc<Mailbox<C, R>>,
    bridge: Rc<dyn AsRef<Bridge>>,
    footprint: Footprint,
}

/// Where commands and replies change hands.
pub(crate) struct Mailbox<C, R> {
    command: RefCell<Option<C>>,
    reply: RefCell<Option<R>>,
}

impl<C, R> Mailbox<C, R> {
    /// Replies to the last command and waits for the next; none means that the coroutine must end.
    pub(crate) fn next(&self, bridge: &Bridge, reply: R) -> Option<C> {
        *self.reply.borrow_mut() = Some(reply);
        bridge.idle();
        self.command.borrow_mut().take()
    }
}

impl<C: 'static, R: 'static> Puppet<C, R> {
    /// A coroutine that runs `body` on its own stack once the first command is given. `body` gets the lowest address
    /// of its stack.
    ///
    /// # Errors
    /// When there is no memory for a stack.
    pub(crate) fn new<B: AsRef<Bridge> + 'static>(
        bridge: Rc<B>,
        body: impl FnOnce(Rc<B>, &Mailbox<C, R>, usize) + 'static,
    ) -> std::io::Result<Self> {
        let stack = VuStack::take()?;
        let limit = corosensei::stack::Stack::limit(&stack).get();
        let mailbox = Rc::new(Mailbox {
            command: RefCell::new(None),
            reply: RefCell::new(None),
        });
        let inner = (bridge.clone(), mailbox.clone());
        let coroutine = Coroutine::with_stack(stack, move |yielder, resume: Resume| {
            let (bridge, mailbox) = inner;
            bridge
                .as_ref()
                .as_ref()
                .yielder
                .set(Some(NonNull::from(yielder)));
            bridge.as_ref().as_ref().waker.set(Some(resume.0));
            body(bridge, &mailbox, limit);
        });
        Ok(Self {
            coroutine: ManuallyDrop::new(coroutine),
            mailbox,
            bridge,
            footprint: Footprint::default(),
        })
    }

    /// Has a command carried out; none when the coroutine ended instead. Dropping the future aborts the command.
    pub(crate) async fn command(&mut self, command: C) -> Option<R> {
        *self.mailbox.command.borrow_mut() = Some(command);
        let guard = AbortOnDrop {
            puppet: self,
            done: false,
        };
        let mut guard = guard;
        std::future::poll_fn(|cx| {
            let polled = guard.puppet.resume(cx.waker());
            guard.done = polled.is_ready();
            polled
        })
        .await;
        drop(guard);
        self.mailbox.reply.borrow_mut().take()
    }

    fn resume(&mut self, waker: &Waker) -> Poll<()> {
        if self.coroutine.done() {
            return Poll::Ready(());
        }
        self.footprint.before();
        let polled = match self.coroutine.resume(Resume(NonNull::from(waker))) {
            CoroutineResult::Yield(Suspend::Pending) => Poll::Pending,
            CoroutineResult::Yield(Suspend::Idle) | CoroutineResult::Return(()) => Poll::Ready(()),
        };
        self.footprint.after(polled.is_ready());
        polled
    }

    /// Makes the running command end at once. False when it does not.
    fn abort(&mut self) -> bool {
        let bridge = self.bridge.clone();
        let bridge: &Bridge = bridge.as_ref().as_ref();
        bridge.aborting.set(true);
        let ended = (0..ABORT_RESUMES).any(|_| self.resume(Waker::noop()).is_ready());
        bridge.aborting.set(false);
        ended
    }
}

/// Aborts the running command unless it was done.
struct AbortOnDrop<'a, C: 'static, R: 'static> {
    puppet: &'a mut Puppet<C, R>,
    done: bool,
}

impl<C: 'static, R: 'static> Drop for AbortOnDrop<'_, C, R> {
    fn drop(&mut self) {
        if !self.done {
            self.puppet.abort();
            self.puppet.mailbox.reply.borrow_mut().take();
        }
    }
}

impl<C, R> Drop for Puppet<C, R> {
    fn drop(&mut self) {
        // Idle: the missing command ends the body. (A running command was aborted when its future was dropped.)
        self.mailbox.command.borrow_mut().take();
        let bridge: &Bridge = self.bridge.as_ref().as_ref();
        bridge.aborting.set(true);
        for _ in 0..ABORT_RESUMES {
            if self.coroutine.done() || !self.coroutine.started() {
                // SAFETY: dropped once, here. Nothing is suspended on the stack, so nothing is unwound.
                unsafe { ManuallyDrop::drop(&mut self.coroutine) };
                return;
            }
            // The result does not matter: what counts is that the body ends.
            let _ = self.coroutine.resume(Resume(NonNull::from(Waker::noop())));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    /// A VU without JavaScript.
    struct Bare {
        bridge: Bridge,
        events: EventLoop,
    }

    impl AsRef<Bridge> for Bare {
        fn as_ref(&self) -> &Bridge {
            &self.bridge
        }
    }

    /// A puppet that waits for ever when it is told 0, else replies with what it is told. Notes how waits ended.
    fn puppet(notes: Rc<RefCell<Vec<&'static str>>>) -> (Puppet<u32, u32>, Rc<Stop>) {
        let stop = Rc::new(Stop::default());
        let bare = Rc::new(Bare {
            bridge: Bridge::new(stop.clone(), None, Clock::new()),
            events: EventLoop::default(),
        });
        let body = move |vu: Rc<Bare>, mailbox: &Mailbox<u32, u32>, _: usize| {
            let mut reply = 0;
            while let Some(command) = mailbox.next(&vu.bridge, reply) {
                let waited = match command {
                    0 => vu.bridge.wait(&vu.events, pending::<()>()),
                    _ => vu.bridge.wait(&vu.events, ready(())),
                };
                notes.borrow_mut().push(if waited.is_ok() {
                    "waited"
                } else {
                    "interrupted"
                });
                reply = command;
            }
            notes.borrow_mut().push("ended");
        };
        (Puppet::new(bare, body).unwrap(), stop)
    }

    fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn commands_are_carried_out_and_the_body_ends_with_its_owner() {
        let notes = Rc::default();
        let (mut puppet, _) = puppet(Rc::clone(&notes));
        // The first command only starts the body.
        assert_eq!(poll_once(pin!(puppet.command(9))), Poll::Ready(Some(0)));
        assert_eq!(poll_once(pin!(puppet.command(7))), Poll::Ready(Some(7)));
        drop(puppet);
        assert_eq!(*notes.borrow(), ["waited", "ended"]);
    }

    #[test]
    fn a_wait_ends_when_it_is_told_to_stop() {
        let notes = Rc::default();
        let (mut puppet, stop) = puppet(Rc::clone(&notes));
        assert!(poll_once(pin!(puppet.command(9))).is_ready());
        {
            let mut waiting = pin!(puppet.command(0));
            assert_eq!(poll_once(waiting.as_mut()), Poll::Pending);
            stop.request();
            assert_eq!(poll_once(waiting), Poll::Ready(Some(0)));
        }
        assert_eq!(*notes.borrow(), ["interrupted"]);
    }

    #[test]
    fn a_dropped_command_is_aborted_and_the_next_one_works() {
        let notes = Rc::default();
        let (mut puppet, _) = puppet(Rc::clone(&notes));
        assert!(poll_once(pin!(puppet.command(9))).is_ready());
        assert_eq!(poll_once(pin!(puppet.command(0))), Poll::Pending);
        assert_eq!(poll_once(pin!(puppet.command(5))), Poll::Ready(Some(5)));
        drop(puppet);
        assert_eq!(*notes.borrow(), ["interrupted", "waited", "ended"]);
    }

    #[test]
    fn a_puppet_that_never_started_is_dropped_quietly() {
        let notes = Rc::default();
        drop(puppet(Rc::clone(&notes)));
        assert!(notes.borrow().is_empty());
    }
}
