//! What a VU is to the native functions its script calls: the engine's services, its tags, its way to wait.
//!
//! One [`VuContext`] per VU, found from any native function through the JS context in one step. Everything is in
//! cells, because JavaScript calls back at any depth; no borrow is ever held over a wait or a call into JavaScript.

#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use netload_engine::log::{Level, Record};
use netload_engine::program::{Activation, Iteration, VuHost};
use netload_engine::stop::{Interrupted, Stop};
use netload_engine::worker::Worker;
use netload_http::{Buffers, Client, ClientConfig, PoolLimits};
use netload_metrics::{Stamp, TagsId};
use netload_net::Clock;
use rquickjs::{Ctx, Error, Exception, Result, Value, qjs};

use crate::coroutine::Bridge;
use crate::event_loop::EventLoop;
use crate::heap;
use crate::loader::commonjs::Made;
use crate::modules::Exports;
use crate::modules::execution::VuTags;
use crate::modules::html::HtmlState;
use crate::modules::http::state::{HttpLocal, HttpState};
use crate::modules::k6::{CheckCache, GroupId, Groups};
use crate::modules::rows::Rows;
use crate::program::Shared;
use crate::random::Random;
use crate::rejections::Rejections;
use crate::web::Aborts;

/// What the VUs of one worker share.
pub struct Local {
    /// The worker's services.
    pub(crate) worker: Rc<Worker>,
    /// What `k6/http` keeps per worker.
    pub(crate) http_local: HttpLocal,
    /// The worker's buffers for requests and responses.
    pub(crate) buffers: Rc<Buffers>,
    /// The groups that were entered.
    pub(crate) groups: RefCell<Groups>,
}

impl Local {
    /// The services of a worker.
    pub(crate) fn new(worker: &Rc<Worker>) -> Self {
        Self {
            worker: worker.clone(),
            http_local: HttpLocal::new(worker),
            buffers: Buffers::new(),
            groups: RefCell::default(),
        }
    }
}

/// Which part of the life cycle a VU is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Top-level code of the modules.
    Init,
    /// The setup function.
    Setup,
    /// Iterations.
    Iteration,
    /// The teardown function.
    Teardown,
    /// The handleSummary function.
    Summary,
}

/// The engine's side of a VU; missing only in the pass that loads the script.
pub(crate) struct Running {
    /// What the engine gave the VU.
    pub(crate) host: VuHost,
    /// What the VUs of the worker share.
    pub(crate) local: Rc<Local>,
    /// The VU's connections.
    pub(crate) client: Rc<Client>,
}

impl Running {
    /// A VU's connections follow the plan.
    pub(crate) fn new(local: &Rc<Local>, host: VuHost) -> Self {
        let plan = &host.worker.plan;
        let config = ClientConfig {
            pool: PoolLimits {
                total: limit(plan.http.batch),
                per_host: limit(plan.http.batch_per_host),
            },
            no_reuse: plan.http.no_connection_reuse,
            one_link: false,
        };
        let vu = host.worker.dialer.vu_local(host.id);
        let client = Client::new(
            host.worker.dialer.clone(),
            local.buffers.clone(),
            vu,
            config,
        );
        Self {
            local: local.clone(),
            client: Rc::new(client),
            host,
        }
    }
}

/// A limit of the plan as a count; more than memory can hold is no limit.
fn limit(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// One VU as its native functions see it.
pub(crate) struct VuContext {
    /// The program.
    pub(crate) shared: Arc<Shared>,
    /// The tags of everything recorded now: scenario, group, `vu.metrics.tags`.
    pub(crate) tags: Cell<TagsId>,
    /// What `k6/http` keeps per VU.
    pub(crate) http_state: HttpState,
    /// What `k6/html` keeps per VU.
    pub(crate) html_state: HtmlState,
    /// Timers and promises that wait.
    pub(crate) event_loop: EventLoop,
    /// The tables in shared arrays.
    pub(crate) rows: Rows,
    /// Promises that were rejected and not handled yet.
    pub(crate) rejections: Rejections,
    /// The current group.
    pub(crate) group: Cell<GroupId>,
    /// Series of checks seen before.
    pub(crate) checks: RefCell<CheckCache>,
    /// `vu.metrics.tags` and `vu.metrics.metadata`.
    pub(crate) own_tags: VuTags,
    /// `Math.random`.
    pub(crate) random: Random,
    /// The exports of native modules made so far.
    pub(crate) exports: RefCell<Exports>,
    /// What waits for signals to be aborted.
    pub(crate) aborts: Aborts,
    /// The CommonJS modules that have run.
    pub(crate) common_js: RefCell<Made>,
    /// The way to suspend.
    pub(crate) bridge: Bridge,
    /// The scenario that has the VU.
    pub(crate) activation: RefCell<Option<Activation>>,
    /// The current iteration.
    pub(crate) iteration: Cell<Option<Iteration>>,
    /// The clock of the worker.
    pub(crate) clock: Clock,
    /// Whether the script has looked at `__ENV`.
    pub(crate) env_made: Cell<bool>,
    /// Whether the script has asked for the end of the test.
    pub(crate) test_aborted: Cell<bool>,
    activations: Cell<u64>,
    phase: Cell<Phase>,
    running: Option<Running>,
}

impl AsRef<Bridge> for VuContext {
    fn as_ref(&self) -> &Bridge {
        &self.bridge
    }
}

impl VuContext {
    /// A VU in its init phase. `running`: the engine's side, none in the pass that only loads the script.
    pub(crate) fn new(shared: Arc<Shared>, running: Option<Running>) -> Self {
        let (stop, state, clock, id) = match &running {
            Some(r) => (
                r.host.stop.clone(),
                Some(r.host.worker.state.clone()),
                r.host.worker.clock.clone(),
                r.host.id_in_test,
            ),
            None => (Rc::new(Stop::default()), None, Clock::new(), 0),
        };
        Self {
            shared,
            tags: Cell::new(TagsId::EMPTY),
            http_state: HttpState::default(),
            html_state: HtmlState::default(),
            event_loop: EventLoop::default(),
            rows: Rows::default(),
            rejections: Rejections::default(),
            group: Cell::new(GroupId::OUTSIDE),
            checks: RefCell::default(),
            own_tags: VuTags::default(),
            random: Random::of_vu(id),
            exports: RefCell::default(),
            aborts: Aborts::default(),
            common_js: RefCell::default(),
            bridge: Bridge::new(stop, state, clock.clone()),
            activation: RefCell::new(None),
            iteration: Cell::new(None),
            clock,
            env_made: Cell::new(false),
            test_aborted: Cell::new(false),
            activations: Cell::new(0),
            phase: Cell::new(Phase::Init),
            running,
        }
    }

    /// The VU whose script runs in `ctx`.
    pub(crate) fn of<'a>(ctx: &'a Ctx<'_>) -> &'a Self {
        // SAFETY: `bind` is called on every context before any native function can be, and the VU outlives it.
        unsafe { &*qjs::JS_GetContextOpaque(ctx.as_raw().as_ptr()).cast::<Self>() }
    }

    /// Makes this the VU of `ctx`. The caller keeps the VU alive and in place as long as the context.
    pub(crate) fn bind(self: &Rc<Self>, ctx: &Ctx<'_>) {
        // SAFETY: only `of` reads the pointer; the VU's body holds the `Rc` longer than the context.
        unsafe {
            qjs::JS_SetContextOpaque(ctx.as_raw().as_ptr(), Rc::as_ptr(self).cast_mut().cast());
        }
    }

    /// A scenario takes the VU.
    pub(crate) fn activate(&self, activation: Activation) {
        self.enter(Phase::Iteration);
        self.tags.set(self.own_tags.onto(self, activation.tags));
        *self.activation.borrow_mut() = Some(activation);
        self.activations.set(self.activations.get() + 1);
    }

    /// How often a scenario took the VU.
    pub(crate) fn activations(&self) -> u64 {
        self.activations.get()
    }

    /// Before the scenario's function is called.
    pub(crate) fn begin_iteration(&self, iteration: Iteration) {
        self.iteration.set(Some(iteration));
        if let Some(running) = &self.running {
            running.client.open(iteration.opening);
            let keep_cookies = running.host.worker.plan.http.no_cookies_reset;
            self.http_state.start_iteration(keep_cookies);
        }
    }

    /// After everything the iteration started has ended.
    pub(crate) fn end_iteration(&self) {
        if let Some(running) = &self.running
            && running.host.worker.plan.http.no_vu_connection_reuse
        {
            running.client.close_idle();
        }
    }

    /// Drops what a command that was cut short left behind.
    pub(crate) fn forget_pending(&self, ctx: &Ctx<'_>) {
        self.event_loop.clear();
        self.rejections.clear();
        self.aborts.clear();
        if self.bridge.interrupted() {
            // Jobs of the interrupted command must not run in the next one.
            self.group.set(GroupId::OUTSIDE);
            while ctx.execute_pending_job() {}
        }
    }

    /// Drops every JavaScript value that is kept; the runtime ends.
    pub(crate) fn end(&self, ctx: &Ctx<'_>) {
        self.event_loop.clear();
        self.rejections.clear();
        self.checks.borrow_mut().clear(ctx);
        self.http_state.end(ctx);
        self.rows.end(ctx);
        self.html_state.clear();
        let exports = std::mem::take(&mut *self.exports.borrow_mut());
        drop(exports);
        let common_js = std::mem::take(&mut *self.common_js.borrow_mut());
        drop(common_js);
    }

    /// Whether the JavaScript heap has come close to its limit.
    pub(crate) fn heap_was_full(&self, ctx: &Ctx<'_>) -> bool {
        let limit = usize::try_from(self.shared.memory_limit_bytes).unwrap_or(usize::MAX);
        heap::bytes(ctx).peak >= limit - limit / 4
    }

    /// Where in its life the VU is.
    pub(crate) fn phase(&self) -> Phase {
        self.phase.get()
    }

    /// Enters another part of its life.
    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.set(phase);
    }

    /// Whether top-level code of the modules runs.
    pub(crate) fn in_init(&self) -> bool {
        self.phase.get() == Phase::Init
    }

    /// The engine's side, for functions that are not allowed in the init context: throws `what` with that reason.
    pub(crate) fn running(&self, ctx: &Ctx<'_>, what: &str) -> Result<&Running> {
        match &self.running {
            Some(running) if !self.in_init() => Ok(running),
            _ => Err(Exception::throw_message(
                ctx,
                &format!("{what} is not allowed in the init context"),
            )),
        }
    }

    /// The engine's side where there is one.
    pub(crate) fn attached(&self) -> Option<&Running> {
        self.running.as_ref()
    }

    /// Waits for a future; timers do not fire meanwhile, pending requests go on.
    ///
    /// # Errors
    /// When the VU was told to stop; the future is dropped then.
    pub(crate) fn wait<F: Future>(&self, future: F) -> std::result::Result<F::Output, Interrupted> {
        self.bridge.wait(&self.event_loop, future)
    }

    /// [`Self::wait`] for native functions: being told to stop becomes an exception that JavaScript cannot catch.
    pub(crate) fn wait_in<F: Future>(&self, ctx: &Ctx<'_>, future: F) -> Result<F::Output> {
        self.wait(future).map_err(|_| throw_uncatchable(ctx))
    }

    /// A promise that `future` will settle while the VU waits: `convert` makes the value, or throws, from its output.
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
        self.event_loop.promise(ctx, future, convert)
    }

    /// Monotonic nanoseconds.
    pub(crate) fn now_ns(&self) -> u64 {
        self.clock.now_ns()
    }

    /// A stamp for samples made now.
    pub(crate) fn stamp(&self) -> Stamp {
        let iteration = self.iteration.get().map_or(0, |i| i.in_vu);
        Stamp {
            unix_ns: self.clock.unix_ns(self.clock.now_ns()),
            vu: self.id_in_test(),
            iteration,
        }
    }

    /// The VU's number in the instance; 0 for setup, teardown and the load pass.
    pub(crate) fn id(&self) -> u64 {
        self.running.as_ref().map_or(0, |r| r.host.id)
    }

    /// The VU's number in the whole test.
    pub(crate) fn id_in_test(&self) -> u64 {
        self.running.as_ref().map_or(0, |r| r.host.id_in_test)
    }

    /// Writes a log record.
    pub(crate) fn log(&self, level: Level, message: impl Into<String>) {
        self.log_record(Record::new(level, message));
    }

    /// Writes a log record with all its fields.
    pub(crate) fn log_record(&self, record: Record) {
        match &self.running {
            Some(running) => running.host.worker.log(record),
            None => self.shared.log.log(record),
        }
    }
}

/// Throws what JavaScript cannot catch, so that the script ends here.
pub(crate) fn throw_uncatchable(ctx: &Ctx<'_>) -> Error {
    VuContext::of(ctx).bridge.interrupt();
    let error = Exception::throw_internal(ctx, "interrupted");
    let value = ctx.catch();
    // SAFETY: the value is an error object of this context.
    unsafe { qjs::JS_SetUncatchableError(ctx.as_raw().as_ptr(), value.as_raw()) };
    ctx.throw(value);
    error
}
