//! What keeps an iteration alive after its function returned: timers and promises that native futures will settle.
//!
//! Futures make progress whenever the VU waits, also inside a blocking call; JavaScript callbacks run only in
//! [`EventLoop::settle`], one at a time. Nothing survives the end of an iteration.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use futures_util::stream::{FuturesUnordered, Stream};
use rquickjs::{Ctx, Error, Function, Persistent, Result, Value};

use crate::context::VuContext;
use crate::error::Failure;

/// Timers and pending promises of one VU at most; more is an endless loop in the script.
const REGISTERED_LIMIT: usize = 100_000;

/// What to do in JavaScript when a future is done.
type Completion = Box<dyn for<'js> FnOnce(&Ctx<'js>) -> Result<()>>;

/// A registered timer.
struct Timer {
    id: u32,
    every_ns: Option<u64>,
    callback: Persistent<Function<'static>>,
    args: Vec<Persistent<Value<'static>>>,
}

/// The timers and promises of one VU.
#[derive(Default)]
pub(crate) struct EventLoop {
    /// By due time, then by the order of registration.
    timers: RefCell<BTreeMap<(u64, u64), Timer>>,
    pending: RefCell<Option<FuturesUnordered<LocalBoxFuture<'static, Completion>>>>,
    ready: RefCell<VecDeque<Completion>>,
    order: Cell<u64>,
    last_id: Cell<u32>,
    /// Whether anything was registered since everything was forgotten; most iterations register nothing.
    used: Cell<bool>,
}

impl EventLoop {
    /// Lets the futures make progress; their callbacks run later.
    pub(crate) fn poll(&self, cx: &mut Context<'_>) {
        // The common case of a script without promises ends here.
        let mut pending = self.pending.borrow_mut();
        let Some(futures) = pending.as_mut() else {
            return;
        };
        while let Poll::Ready(Some(completion)) = Pin::new(&mut *futures).poll_next(cx) {
            self.ready.borrow_mut().push_back(completion);
        }
    }

    /// A promise that `future` will settle: `convert` makes the value (or throws) from its output.
    pub(crate) fn promise<'js, F, T, C>(
        &self,
        ctx: &Ctx<'js>,
        future: F,
        convert: C,
    ) -> Result<Value<'js>>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
        C: for<'a> FnOnce(&Ctx<'a>, T) -> Result<Value<'a>> + 'static,
    {
        self.register(ctx)?;
        let (promise, resolve, reject) = ctx.promise()?;
        let resolve = Persistent::save(ctx, resolve);
        let reject = Persistent::save(ctx, reject);
        let settled = async move {
            let output = future.await;
            let completion: Completion =
                Box::new(move |ctx| settle_promise(ctx, convert(ctx, output), resolve, reject));
            completion
        };
        let mut pending = self.pending.borrow_mut();
        let futures = pending.get_or_insert_default();
        futures.push(Box::pin(settled));
        Ok(promise.into_value())
    }

    /// Registers a timer and returns its number.
    pub(crate) fn add_timer<'js>(
        &self,
        ctx: &Ctx<'js>,
        now_ns: u64,
        delay_ns: u64,
        repeat: bool,
        callback: Function<'js>,
        args: Vec<Value<'js>>,
    ) -> Result<u32> {
        self.register(ctx)?;
        let id = self.last_id.get().wrapping_add(1);
        self.last_id.set(id);
        let timer = Timer {
            id,
            every_ns: repeat.then_some(delay_ns),
            callback: Persistent::save(ctx, callback),
            args: args.into_iter().map(|v| Persistent::save(ctx, v)).collect(),
        };
        self.insert(now_ns.saturating_add(delay_ns), timer);
        Ok(id)
    }

    /// Forgets a timer.
    pub(crate) fn clear_timer(&self, id: u32) {
        let gone: Vec<Timer> = {
            let mut timers = self.timers.borrow_mut();
            let keys: Vec<_> = timers
                .iter()
                .filter(|(_, t)| t.id == id)
                .map(|(k, _)| *k)
                .collect();
            keys.iter().filter_map(|key| timers.remove(key)).collect()
        };
        // Freed outside the borrow, because freeing a function can run anything.
        drop(gone);
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        if !self.used.replace(false) {
            return;
        }
        let timers = std::mem::take(&mut *self.timers.borrow_mut());
        let pending = self.pending.borrow_mut().take();
        let ready = std::mem::take(&mut *self.ready.borrow_mut());
        drop((timers, pending, ready));
    }

    /// Runs JavaScript until nothing is registered any more: jobs, then callbacks one by one, each with its jobs.
    ///
    /// # Errors
    /// The first exception of a callback, an unhandled rejection, or the order to stop.
    pub(crate) fn settle(&self, vu: &VuContext, ctx: &Ctx<'_>) -> std::result::Result<(), Failure> {
        loop {
            while ctx.execute_pending_job() {
                if vu.bridge.interrupted() {
                    return Err(Failure::Interrupted);
                }
            }
            vu.rejections.check(ctx)?;
            if !self.used.get() {
                return Ok(());
            }
            if let Some(completion) = self.next_ready() {
                completion(ctx).map_err(|e| Failure::caught(vu, ctx, e))?;
                continue;
            }
            if let Some(timer) = self.next_due(vu.now_ns()) {
                run_timer(ctx, timer).map_err(|e| Failure::caught(vu, ctx, e))?;
                continue;
            }
            if !self.registered() {
                return Ok(());
            }
            self.wait_for_next(vu)?;
        }
    }

    /// Runs the jobs that wait after an exception; what they do to promises is of no interest any more. Timers and requests
    /// are forgotten.
    pub(crate) fn run_down(&self, vu: &VuContext, ctx: &Ctx<'_>) {
        while !vu.bridge.interrupted() && ctx.execute_pending_job() {}
        vu.rejections.clear();
    }

    fn next_ready(&self) -> Option<Completion> {
        self.ready.borrow_mut().pop_front()
    }

    fn next_due(&self, now_ns: u64) -> Option<Call> {
        let mut timers = self.timers.borrow_mut();
        let entry = timers.first_entry()?;
        let due_ns = entry.key().0;
        if due_ns > now_ns {
            return None;
        }
        let timer = entry.remove();
        let call = Call {
            callback: timer.callback.clone(),
            args: timer.args.clone(),
        };
        drop(timers);
        if let Some(every_ns) = timer.every_ns {
            // An interval that cannot keep up does not pile up calls.
            self.insert(due_ns.saturating_add(every_ns).max(now_ns), timer);
        }
        Some(call)
    }

    fn registered(&self) -> bool {
        let pending = self.pending.borrow();
        !self.timers.borrow().is_empty() || pending.as_ref().is_some_and(|p| !p.is_empty())
    }

    fn wait_for_next(&self, vu: &VuContext) -> std::result::Result<(), Failure> {
        let due_ns = self.timers.borrow().first_key_value().map(|(k, _)| k.0);
        let pause = due_ns.map(|due_ns| due_ns.saturating_sub(vu.now_ns()));
        let completed = poll_fn(|cx| {
            self.poll(cx);
            if self.ready.borrow().is_empty() {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        });
        let waited = match pause {
            None => vu.wait(completed),
            Some(pause_ns) => vu.wait(async {
                tokio::select! {
                    biased;
                    () = completed => {}
                    () = tokio::time::sleep(Duration::from_nanos(pause_ns)) => {}
                }
            }),
        };
        waited.map_err(|_| Failure::Interrupted)
    }

    fn insert(&self, due_ns: u64, timer: Timer) {
        let order = self.order.get();
        self.order.set(order + 1);
        self.timers.borrow_mut().insert((due_ns, order), timer);
    }

    /// Makes room for one more timer or promise.
    fn register(&self, ctx: &Ctx<'_>) -> Result<()> {
        let pending = self
            .pending
            .borrow()
            .as_ref()
            .map_or(0, FuturesUnordered::len);
        if self.timers.borrow().len() + pending < REGISTERED_LIMIT {
            self.used.set(true);
            return Ok(());
        }
        let text = format!("more than {REGISTERED_LIMIT} timers and promises are waiting");
        Err(rquickjs::Exception::throw_range(ctx, &text))
    }
}

/// A timer's function with its arguments.
struct Call {
    callback: Persistent<Function<'static>>,
    args: Vec<Persistent<Value<'static>>>,
}

fn run_timer(ctx: &Ctx<'_>, call: Call) -> Result<()> {
    let args: Vec<Value<'_>> = call
        .args
        .into_iter()
        .map(|arg| arg.restore(ctx))
        .collect::<Result<_>>()?;
    call.callback
        .restore(ctx)?
        .call::<_, Value<'_>>((rquickjs::function::Rest(args),))
        .map(drop)
}

fn settle_promise<'js>(
    ctx: &Ctx<'js>,
    value: Result<Value<'js>>,
    resolve: Persistent<Function<'static>>,
    reject: Persistent<Function<'static>>,
) -> Result<()> {
    let (function, value) = match value {
        Ok(value) => (resolve, value),
        Err(Error::Exception) => (reject, ctx.catch()),
        Err(error) => {
            let error = rquickjs::Exception::from_message(ctx.clone(), &error.to_string())?;
            (reject, error.into_object().into_value())
        }
    };
    function
        .restore(ctx)?
        .call::<_, Value<'_>>((value,))
        .map(drop)
}
