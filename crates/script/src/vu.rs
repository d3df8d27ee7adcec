//! A virtual user: a coroutine that owns a JavaScript runtime and carries out one command at a time.
//!
//! The outer half implements the engine's [`Vu`]; the inner half runs on the coroutine's stack and lives as long as
//! the VU. A command ends only when nothing it started is left: no job, timer, promise or request.

#![allow(unsafe_code)]

use std::rc::Rc;
use std::sync::Arc;

use netload_engine::log::{Level, Record};
use netload_engine::program::{Activation, Iteration, Outcome, ProgramError, Vu};
use netload_metrics::TagsId;
use rquickjs::{Context, Ctx, Function, Object, Runtime, Value, qjs};
use serde_json::Value as Json;

use crate::context::{Phase, VuContext};
use crate::coroutine::{Mailbox, Puppet};
use crate::error::Failure;
use crate::heap::{self, Heap};
use crate::slabs;
use crate::stack::{NATIVE_RESERVE_BYTES, STACK_BYTES, trim};
use crate::{globals, loader, plain_data};

/// Functions with a place in the life cycle; they must be functions when they are exported.
const LIFE_CYCLE: [&str; 4] = ["default", "setup", "teardown", "handleSummary"];

/// What a script exports.
#[derive(Debug, Clone)]
pub(crate) struct Exported {
    /// The names of its functions.
    pub(crate) functions: Vec<String>,
    /// Its `options`, null when there are none.
    pub(crate) options: Json,
    /// The exported names of [`LIFE_CYCLE`] and whether they are functions.
    pub(crate) life_cycle: Vec<(&'static str, bool)>,
}

/// What the inner half is told.
enum Command {
    Init,
    Iterate(Iteration),
    Setup,
    Teardown(Option<Arc<str>>),
    Summarize(String),
}

/// What it answers.
enum Reply {
    /// Boxed, because every reply takes as much room as the largest.
    Init(Box<Result<Exported, ProgramError>>),
    Iterated(Outcome),
    Setup(Result<Option<String>, ProgramError>),
    Teardown(Result<(), ProgramError>),
    Summary(Result<Option<Summary>, ProgramError>),
}

/// What handleSummary returned: destinations with their content.
type Summary = Vec<(String, Vec<u8>)>;

/// A virtual user that runs a script.
pub struct ScriptVu {
    context: Rc<VuContext>,
    puppet: Puppet<Command, Reply>,
}

impl ScriptVu {
    /// Makes the VU and runs the script's init code.
    pub(crate) async fn start(context: VuContext) -> Result<(Self, Exported), ProgramError> {
        let context = Rc::new(context);
        let puppet = Puppet::new(context.clone(), body)
            .map_err(|e| ProgramError::Invalid(format!("no memory for another VU: {e}")))?;
        let mut vu = Self { context, puppet };
        match vu.puppet.command(Command::Init).await {
            Some(Reply::Init(init)) => init.map(|exported| (vu, exported)),
            _ => Err(ProgramError::Interrupted),
        }
    }

    fn enter(&self, phase: Phase, tags: TagsId) {
        self.context.enter(phase);
        self.context.tags.set(tags);
        *self.context.activation.borrow_mut() = None;
        self.context.iteration.set(None);
    }
}

impl Vu for ScriptVu {
    fn activate(&mut self, activation: Activation) {
        self.context.activate(activation);
    }

    async fn iterate(&mut self, iteration: Iteration) -> Outcome {
        match self.puppet.command(Command::Iterate(iteration)).await {
            Some(Reply::Iterated(outcome)) => outcome,
            _ => Outcome::Interrupted,
        }
    }

    fn tags(&self) -> Option<TagsId> {
        Some(self.context.tags.get())
    }

    fn take_bytes(&mut self) -> (u64, u64) {
        self.context
            .attached()
            .map_or((0, 0), |running| running.client.take_bytes())
    }

    async fn setup(&mut self, tags: TagsId) -> Result<Option<String>, ProgramError> {
        self.enter(Phase::Setup, tags);
        match self.puppet.command(Command::Setup).await {
            Some(Reply::Setup(result)) => result,
            _ => Err(ProgramError::Interrupted),
        }
    }

    async fn teardown(&mut self, tags: TagsId, data: Option<Arc<str>>) -> Result<(), ProgramError> {
        self.enter(Phase::Teardown, tags);
        match self.puppet.command(Command::Teardown(data)).await {
            Some(Reply::Teardown(result)) => result,
            _ => Err(ProgramError::Interrupted),
        }
    }

    async fn summarize(&mut self, data: &str) -> Result<Option<Summary>, ProgramError> {
        self.enter(Phase::Summary, TagsId::EMPTY);
        match self
            .puppet
            .command(Command::Summarize(data.to_owned()))
            .await
        {
            Some(Reply::Summary(result)) => result,
            _ => Err(ProgramError::Interrupted),
        }
    }
}

/// The life of the inner half, on the coroutine's stack.
fn body(vu: Rc<VuContext>, mailbox: &Mailbox<Command, Reply>, stack_limit: usize) {
    let machine = match Machine::new(&vu) {
        Ok(machine) => machine,
        Err(error) => {
            let text = format!("cannot start JavaScript: {error}");
            let error = Err(ProgramError::Invalid(text));
            mailbox.next(&vu.bridge, Reply::Init(Box::new(error)));
            return;
        }
    };
    machine.context.with(|ctx| {
        vu.bind(&ctx);
        live(&vu, &ctx, mailbox, stack_limit);
        // What is kept outside must not outlive the runtime.
        vu.end(&ctx);
    });
    let Machine {
        context, runtime, ..
    } = machine;
    drop(context);
    drop(runtime);
}

/// A runtime with what surrounds it.
struct Machine {
    runtime: Runtime,
    context: Context,
}

impl Machine {
    fn new(vu: &Rc<VuContext>) -> rquickjs::Result<Self> {
        slabs::offer();
        let runtime = Runtime::new_with_alloc(Heap)?;
        let limit = usize::try_from(vu.shared.memory_limit_bytes).unwrap_or(usize::MAX);
        runtime.set_memory_limit(limit);
        runtime.set_max_stack_size(STACK_BYTES - NATIVE_RESERVE_BYTES);
        runtime.set_loader(loader::Modules, loader::Modules);
        let asked = vu.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || asked.bridge.must_end())));
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            |ctx, promise, reason, is_handled| {
                let rejections = &VuContext::of(&ctx).rejections;
                rejections.track(&ctx, promise, reason, is_handled);
            },
        )));
        let context = vu.shared.intrinsics().context(&runtime)?;
        // SAFETY: called on the stack that all JavaScript of this runtime will run on, near its top.
        unsafe { qjs::JS_UpdateStackTop(context.get_runtime_ptr()) };
        Ok(Self { runtime, context })
    }
}

/// Collects garbage once the heap has grown by half of what it holds now.
fn settle_down(ctx: &Ctx<'_>) {
    let bytes = heap::bytes(ctx).now;
    // SAFETY: only sets a number; the lock on the runtime is held by whoever has the context.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_SetGCThreshold(runtime, (bytes + bytes / 2) as qjs::size_t);
    }
}

fn live(vu: &VuContext, ctx: &Ctx<'_>, mailbox: &Mailbox<Command, Reply>, stack_limit: usize) {
    let (init, namespace) = match init(vu, ctx) {
        Ok((exported, namespace)) => (Ok(exported), Some(namespace)),
        Err(failure) => (Err(failure.into()), None),
    };
    vu.forget_pending(ctx);
    settle_down(ctx);
    trim(stack_limit);
    let mut next = mailbox.next(&vu.bridge, Reply::Init(Box::new(init)));
    let Some(namespace) = namespace else {
        return;
    };
    let mut active = Active::default();
    while let Some(command) = next {
        let reply = match command {
            Command::Init => return,
            Command::Iterate(iteration) => {
                Reply::Iterated(iterate(vu, ctx, &namespace, &mut active, iteration))
            }
            Command::Setup => Reply::Setup(setup(vu, ctx, &namespace).map_err(Into::into)),
            Command::Teardown(data) => {
                Reply::Teardown(teardown(vu, ctx, &namespace, data).map_err(Into::into))
            }
            Command::Summarize(data) => {
                Reply::Summary(summarize(vu, ctx, &namespace, data).map_err(Into::into))
            }
        };
        vu.forget_pending(ctx);
        next = mailbox.next(&vu.bridge, reply);
    }
}

/// Runs the init code; returns what the script exports.
fn init<'js>(vu: &VuContext, ctx: &Ctx<'js>) -> Result<(Exported, Object<'js>), Failure> {
    let caught = |e| Failure::caught(vu, ctx, e);
    globals::install(ctx).map_err(caught)?;
    let entry = vu.shared.entry.as_str();
    let promise = rquickjs::Module::import(ctx, entry).map_err(caught)?;
    let namespace = settled(vu, ctx, promise.into_value())?;
    let namespace = namespace.into_object().ok_or(Failure::Interrupted)?;
    let exported = exported(ctx, &namespace).map_err(caught)?;
    Ok((exported, namespace))
}

fn exported<'js>(ctx: &Ctx<'js>, namespace: &Object<'js>) -> rquickjs::Result<Exported> {
    let mut found = Exported {
        functions: Vec::new(),
        options: Json::Null,
        life_cycle: Vec::new(),
    };
    for property in namespace.props::<String, Value<'js>>() {
        let (name, value) = property?;
        if let Some(known) = LIFE_CYCLE.iter().find(|l| **l == name) {
            found.life_cycle.push((known, value.is_function()));
        }
        if name == "options" {
            found.options = plain_data::of_options(ctx, value)?;
        } else if value.is_function() {
            found.functions.push(name);
        }
    }
    Ok(found)
}

/// What the scenario that has the VU calls, with which data. Made anew when another scenario takes the VU.
#[derive(Default)]
struct Active<'js> {
    serial: u64,
    call: Option<(Function<'js>, Value<'js>)>,
}

impl<'js> Active<'js> {
    fn refresh(
        &mut self,
        vu: &VuContext,
        ctx: &Ctx<'js>,
        namespace: &Object<'js>,
    ) -> Result<(), Failure> {
        if self.call.is_some() && self.serial == vu.activations() {
            return Ok(());
        }
        let (name, data) = match &*vu.activation.borrow() {
            Some(a) => (a.scenario.scenario.exec.clone(), a.setup_data.clone()),
            None => ("default".to_owned(), None),
        };
        let caught = |e| Failure::caught(vu, ctx, e);
        globals::merge_env(ctx).map_err(caught)?;
        let function = function(ctx, namespace, &name).map_err(caught)?;
        let data = parsed(ctx, data.as_deref()).map_err(caught)?;
        self.serial = vu.activations();
        self.call = Some((function, data));
        Ok(())
    }
}

fn iterate<'js>(
    vu: &VuContext,
    ctx: &Ctx<'js>,
    namespace: &Object<'js>,
    active: &mut Active<'js>,
    iteration: Iteration,
) -> Outcome {
    vu.begin_iteration(iteration);
    let result = active.refresh(vu, ctx, namespace).and_then(|()| {
        let Some((function, data)) = &active.call else {
            return Ok(());
        };
        function
            .call::<_, Value<'js>>((data.clone(),))
            .map_err(|e| Failure::caught(vu, ctx, e))?;
        vu.event_loop.settle(vu, ctx)
    });
    if matches!(result, Err(Failure::Exception { .. })) {
        // They belong to this iteration, not to the next one.
        vu.event_loop.run_down(vu, ctx);
    }
    vu.end_iteration();
    match result {
        // The iteration that ends the test counts: it did what it wanted.
        Err(Failure::Interrupted) if vu.test_aborted.get() => Outcome::Finished,
        Err(Failure::Interrupted) => Outcome::Interrupted,
        Err(Failure::Exception { text, in_promise }) => {
            log_exception(vu, text, in_promise);
            Outcome::Failed
        }
        Ok(()) if vu.bridge.interrupted() => Outcome::Interrupted,
        Ok(()) => Outcome::Finished,
    }
}

fn log_exception(vu: &VuContext, text: String, in_promise: bool) {
    let mut record = Record::new(Level::Error, text);
    if let Some(activation) = &*vu.activation.borrow() {
        let scenario = &activation.scenario.scenario;
        record = record
            .with("executor", scenario.executor.kind().name())
            .with("scenario", scenario.name.clone());
    }
    if !in_promise {
        record = record
            .from_source("stacktrace")
            .with("hint", "script exception");
    }
    vu.log_record(record);
}

fn setup<'js>(
    vu: &VuContext,
    ctx: &Ctx<'js>,
    namespace: &Object<'js>,
) -> Result<Option<String>, Failure> {
    let value = call(vu, ctx, namespace, "setup", ())?;
    plain_data::of_setup(ctx, value).map_err(|e| Failure::caught(vu, ctx, e))
}

fn teardown<'js>(
    vu: &VuContext,
    ctx: &Ctx<'js>,
    namespace: &Object<'js>,
    data: Option<Arc<str>>,
) -> Result<(), Failure> {
    let data = parsed(ctx, data.as_deref()).map_err(|e| Failure::caught(vu, ctx, e))?;
    call(vu, ctx, namespace, "teardown", (data,)).map(drop)
}

fn summarize<'js>(
    vu: &VuContext,
    ctx: &Ctx<'js>,
    namespace: &Object<'js>,
    data: String,
) -> Result<Option<Summary>, Failure> {
    let caught = |e| Failure::caught(vu, ctx, e);
    if !namespace.contains_key("handleSummary").map_err(caught)? {
        return Ok(None);
    }
    let data = ctx.json_parse(data).map_err(caught)?;
    let returned = call(vu, ctx, namespace, "handleSummary", (data,))?;
    if returned.is_undefined() || returned.is_null() {
        return Ok(None);
    }
    let refused = |text: String| Failure::Exception {
        text,
        in_promise: false,
    };
    let Some(object) = returned.as_object().filter(|object| !object.is_array()) else {
        let kind = globals::bytes::type_name(&returned);
        let text =
            format!("handleSummary() must return an object such as {{ stdout: text }}, not {kind}");
        return Err(refused(text));
    };
    let mut summary = Summary::new();
    for property in object.props::<String, Value<'js>>() {
        let (destination, content) = property.map_err(caught)?;
        if let Some(content) = globals::bytes::of(&content) {
            summary.push((destination, content));
        } else {
            let kind = globals::bytes::type_name(&content);
            let text = format!(
                "handleSummary() returned {kind} for '{destination}'; it must be a string or an ArrayBuffer"
            );
            return Err(refused(text));
        }
    }
    Ok(Some(summary))
}

/// Calls an exported function and waits until it and everything it started is done.
fn call<'js, A: rquickjs::function::IntoArgs<'js>>(
    vu: &VuContext,
    ctx: &Ctx<'js>,
    namespace: &Object<'js>,
    name: &str,
    args: A,
) -> Result<Value<'js>, Failure> {
    let caught = |e| Failure::caught(vu, ctx, e);
    let function = function(ctx, namespace, name).map_err(caught)?;
    let value = function.call::<_, Value<'js>>(args).map_err(caught)?;
    settled(vu, ctx, value)
}

/// Lets everything that was started end; of a promise returns the value it was resolved with.
fn settled<'js>(vu: &VuContext, ctx: &Ctx<'js>, value: Value<'js>) -> Result<Value<'js>, Failure> {
    let promise = value.as_promise().cloned();
    let settled = vu.event_loop.settle(vu, ctx);
    let Some(promise) = promise else {
        return settled.map(|()| value);
    };
    match promise.result::<Value<'js>>() {
        Some(Err(error)) => {
            vu.rejections.clear();
            Err(Failure::caught(vu, ctx, error))
        }
        Some(Ok(value)) => settled.map(|()| value),
        None => {
            settled?;
            Err(Failure::Exception {
                text: "the script waits for a promise that nothing will ever resolve".to_owned(),
                in_promise: false,
            })
        }
    }
}

fn function<'js>(
    ctx: &Ctx<'js>,
    namespace: &Object<'js>,
    name: &str,
) -> rquickjs::Result<Function<'js>> {
    let value: Value<'js> = namespace.get(name)?;
    value.into_function().ok_or_else(|| {
        let text = format!("function '{name}' not found in exports");
        rquickjs::Exception::throw_reference(ctx, &text)
    })
}

/// A copy of what setup returned.
fn parsed<'js>(ctx: &Ctx<'js>, json: Option<&str>) -> rquickjs::Result<Value<'js>> {
    match json {
        Some(json) => ctx.json_parse(json),
        None => Ok(Value::new_undefined(ctx.clone())),
    }
}
