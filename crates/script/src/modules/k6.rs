//! The module `k6`: check, group, sleep, fail, randomSeed.
//!
//! `check` is on the hot path: a check seen before costs a few comparisons, found by the identity of its name.

#![allow(unsafe_code)]

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use netload_metrics::recorder::CheckId;
use netload_metrics::{SlotId, TagsId};
use netload_plan::SystemTag;
use rquickjs::{Ctx, Error, Exception, Object, Result, Value, qjs};

use crate::context::{Running, VuContext};
use crate::keys::{Keys, owned};
use crate::modules::tags;
use crate::native::{Call, function};

/// Series of checks that one VU remembers; beyond it starts over.
const CHECKS_REMEMBERED: usize = 256;
/// Shapes of check lists that one VU keeps alive.
const SHAPES_KEPT: usize = 32;
/// Groups that one worker remembers; further ones are counted as the last of them.
const GROUPS_LIMIT: usize = 10_000;

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    exports.set("check", function(ctx, "check", 2, check)?)?;
    exports.set("fail", function(ctx, "fail", 1, fail)?)?;
    exports.set("group", function(ctx, "group", 2, group)?)?;
    exports.set("randomSeed", function(ctx, "randomSeed", 1, random_seed)?)?;
    exports.set("sleep", function(ctx, "sleep", 1, sleep)?)?;
    Ok(exports)
}

/// A group in its worker's [`Groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupId(u32);

impl GroupId {
    /// Outside of all groups.
    pub(crate) const OUTSIDE: Self = Self(0);
}

/// The groups one worker has seen.
#[derive(Default)]
pub(crate) struct Groups {
    /// Paths such as `::a::b`; the group outside is not in it.
    paths: Vec<Rc<str>>,
    children: HashMap<(u32, Box<str>), GroupId>,
}

impl Groups {
    /// The group `name` inside of `parent`.
    fn enter(&mut self, parent: GroupId, name: &str) -> GroupId {
        // A group without a name that is in no other is no group at all, in k6 and in its tags.
        if parent == GroupId::OUTSIDE && name.is_empty() {
            return parent;
        }
        if let Some(id) = self.children.get(&(parent.0, name.into())) {
            return *id;
        }
        if self.paths.len() < GROUPS_LIMIT {
            let path = format!("{}::{name}", self.path(parent));
            self.paths.push(path.into());
            let id = GroupId(self.paths.len() as u32);
            self.children.insert((parent.0, name.into()), id);
        }
        GroupId(self.paths.len() as u32)
    }

    /// The path of a group; empty outside.
    pub(crate) fn path(&self, group: GroupId) -> Rc<str> {
        let index = (group.0 as usize).checked_sub(1);
        index.map_or_else(|| Rc::from(""), |i| self.paths[i].clone())
    }
}

/// Where the results of one check go.
#[derive(Clone, Copy)]
struct CheckSeries {
    rate: SlotId,
    check: CheckId,
}

struct CachedCheck {
    name: qjs::JSAtom,
    tags: TagsId,
    group: GroupId,
    series: CheckSeries,
}

/// The checks one VU has seen without tags of their own, by the identity of the name.
#[derive(Default)]
pub(crate) struct CheckCache {
    checks: Vec<CachedCheck>,
    /// One object of each shape that lists of checks have had. A shape dies with its last object, so without them each
    /// iteration would build the shape of each list anew.
    shapes: Vec<qjs::JSValue>,
}

impl CheckCache {
    fn find(&self, name: qjs::JSAtom, tags: TagsId, group: GroupId) -> Option<CheckSeries> {
        let same = |c: &&CachedCheck| c.name == name && c.tags == tags && c.group == group;
        self.checks.iter().find(same).map(|c| c.series)
    }

    fn insert(&mut self, ctx: &Ctx<'_>, cached: CachedCheck) {
        if self.checks.len() >= CHECKS_REMEMBERED {
            self.clear(ctx);
        }
        // SAFETY: the atom is alive; the duplicate keeps its number from being used for another name.
        unsafe { qjs::JS_DupAtom(ctx.as_raw().as_ptr(), cached.name) };
        self.checks.push(cached);
    }

    /// Keeps the shape of a list of checks alive.
    fn keep_shape(&mut self, ctx: &Ctx<'_>, keys: &Keys<'_, '_>) {
        if self.shapes.len() >= SHAPES_KEPT {
            return;
        }
        let raw = ctx.as_raw().as_ptr();
        // SAFETY: the object and the names belong to this context; `clear` frees the object.
        unsafe {
            let object = qjs::JS_NewObject(raw);
            for name in keys.atoms() {
                let flags = qjs::JS_PROP_C_W_E as i32;
                qjs::JS_DefinePropertyValue(raw, object, name, qjs::JS_UNDEFINED, flags);
            }
            self.shapes.push(object);
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self, ctx: &Ctx<'_>) {
        for cached in self.checks.drain(..) {
            // SAFETY: `insert` has taken a reference to this atom of the same runtime.
            unsafe { qjs::JS_FreeAtom(ctx.as_raw().as_ptr(), cached.name) };
        }
        for object in self.shapes.drain(..) {
            // SAFETY: `keep_shape` made it in this context.
            unsafe { qjs::JS_FreeValue(ctx.as_raw().as_ptr(), object) };
        }
    }
}

fn check<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let running = vu.running(ctx, "check()")?;
    let boxed;
    let mut sets = call.raw_arg(1);
    // SAFETY: only looks at the tag.
    if !unsafe { qjs::JS_IsObject(sets) } {
        if call.arg(1).is_undefined() || call.arg(1).is_null() {
            let text =
                "no checks provided to check(); write check(value, { 'is ok': (value) => true })";
            return Err(Exception::throw_type(ctx, text));
        }
        boxed = as_object(call.arg(1))?;
        sets = boxed.as_raw();
    }
    let extra = if call.len() > 2 {
        tags::parse(ctx, &call.arg(2))?
    } else {
        tags::Tags::new()
    };
    let keys = Keys::of(ctx, sets)?;
    let known = vu.checks.borrow().checks.len();
    let stamp = vu.stamp();
    let mut all = true;
    for name in keys.atoms() {
        let series = series(vu, ctx, running, name, &extra)?;
        let outcome = passes(ctx, sets, name, call.raw_arg(0));
        let passed = match &outcome {
            Ok(Some(passed)) => *passed,
            Ok(None) => return Err(async_check(ctx)),
            Err(_) => false,
        };
        let mut recorder = running.host.worker.recorder.borrow_mut();
        recorder.add(series.rate, f64::from(u8::from(passed)), stamp);
        recorder.check(series.check, passed);
        drop(recorder);
        outcome?;
        all &= passed;
    }
    let mut checks = vu.checks.borrow_mut();
    if checks.checks.len() != known {
        checks.keep_shape(ctx, &keys);
    }
    Ok(Value::new_bool(ctx.clone(), all))
}

/// A primitive value as the object that JavaScript sees it as: a text has its letters as members, a number has none.
fn as_object(value: Value<'_>) -> Result<Value<'_>> {
    let ctx = value.ctx().clone();
    if value.is_undefined() || value.is_null() {
        let text = "cannot convert undefined or null to object";
        return Err(Exception::throw_type(&ctx, text));
    }
    let object: rquickjs::Function<'_> = ctx.globals().get("Object")?;
    object.call((value,))
}

fn async_check(ctx: &Ctx<'_>) -> Error {
    Exception::throw_type(
        ctx,
        "check() does not support async functions as arguments; \
         await the value first and check the result",
    )
}

/// Whether the check `name` of `sets` holds for `value`; none when it is asynchronous.
fn passes(
    ctx: &Ctx<'_>,
    sets: qjs::JSValue,
    name: qjs::JSAtom,
    mut value: qjs::JSValue,
) -> Result<Option<bool>> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: all values are alive during the call; what the engine returns is owned and freed here.
    unsafe {
        let test = owned(ctx, qjs::JS_GetProperty(raw, sets, name))?;
        if !test.is_function() {
            return Ok(Some(qjs::JS_ToBool(raw, test.as_raw()) > 0));
        }
        let result = qjs::JS_Call(raw, test.as_raw(), qjs::JS_UNDEFINED, 1, &mut value);
        let result = owned(ctx, result)?;
        // A promise from a plain function counts as an object like any other, that is, as true.
        if result.is_object() && result.is_promise() && test.as_object().is_some_and(is_async) {
            return Ok(None);
        }
        Ok(Some(qjs::JS_ToBool(raw, result.as_raw()) > 0))
    }
}

/// Whether a function was written as `async`.
fn is_async(function: &Object<'_>) -> bool {
    let tag = rquickjs::atom::PredefinedAtom::SymbolToStringTag;
    let kind: Result<Option<String>> = function.get(tag);
    kind.is_ok_and(|kind| kind.is_some_and(|kind| kind.starts_with("Async")))
}

fn series(
    vu: &VuContext,
    ctx: &Ctx<'_>,
    running: &Running,
    name: qjs::JSAtom,
    extra: &tags::Tags,
) -> Result<CheckSeries> {
    let (tags, group) = (vu.tags.get(), vu.group.get());
    if extra.is_empty()
        && let Some(series) = vu.checks.borrow().find(name, tags, group)
    {
        return Ok(series);
    }
    // SAFETY: the atom is alive; the string is owned here.
    let text = unsafe { owned(ctx, qjs::JS_AtomToString(ctx.as_raw().as_ptr(), name))? };
    let text: String = text.get()?;
    refuse_separator(ctx, &text)?;
    let path = running.local.groups.borrow().path(group);
    let mut recorder = running.host.worker.recorder.borrow_mut();
    let mut more: Vec<(&str, &str)> = extra
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    if running
        .host
        .worker
        .plan
        .system_tags
        .contains(SystemTag::Check)
    {
        more.push(("check", &text));
    }
    let all_tags = recorder.tags.extend(tags, &more);
    let rate = recorder.registry().builtin.checks;
    let series = CheckSeries {
        rate: recorder.slot(rate, all_tags),
        check: recorder.check_slot(&path, Some(&text)),
    };
    drop(recorder);
    if extra.is_empty() {
        let cached = CachedCheck {
            name,
            tags,
            group,
            series,
        };
        vu.checks.borrow_mut().insert(ctx, cached);
    }
    Ok(series)
}

fn refuse_separator(ctx: &Ctx<'_>, name: &str) -> Result<()> {
    if name.contains("::") {
        let text = "group and check names may not contain '::'";
        return Err(Exception::throw_message(ctx, text));
    }
    Ok(())
}

fn group<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let running = vu.running(ctx, "group()")?;
    let name = match call.arg(0) {
        nothing if nothing.is_undefined() || nothing.is_null() => String::new(),
        name => name.get::<rquickjs::Coerced<String>>()?.0,
    };
    refuse_separator(ctx, &name)?;
    let Some(inner) = call.arg(1).into_function() else {
        let text = "group() requires a callback as a second argument";
        return Err(Exception::throw_type(ctx, text));
    };
    if is_async(&inner) {
        let text = "group() does not support async functions as arguments";
        return Err(Exception::throw_type(ctx, text));
    }
    let (outer, outer_tags) = (vu.group.get(), vu.tags.get());
    let (group, inner_tags) = enter_group(running, outer, outer_tags, &name);
    vu.group.set(group);
    vu.tags.set(inner_tags);
    let start_ns = vu.now_ns();
    let result = inner.call::<_, Value<'js>>(());
    let took_ns = vu.now_ns() - start_ns;
    let mut recorder = running.host.worker.recorder.borrow_mut();
    let metric = recorder.registry().builtin.group_duration;
    recorder.record(metric, vu.tags.get(), took_ns as f64 / 1e6, vu.stamp());
    drop(recorder);
    vu.group.set(outer);
    let tags = if vu.tags.get() == inner_tags {
        outer_tags
    } else {
        // The script has set tags of its own inside; they stay.
        tagged(
            running,
            vu.tags.get(),
            &running.local.groups.borrow().path(outer),
        )
    };
    vu.tags.set(tags);
    result
}

/// `tags` with the path of a group, when that tag is wanted.
fn tagged(running: &Running, tags: TagsId, path: &str) -> TagsId {
    if !running
        .host
        .worker
        .plan
        .system_tags
        .contains(SystemTag::Group)
    {
        return tags;
    }
    let mut recorder = running.host.worker.recorder.borrow_mut();
    recorder.tags.extend(tags, &[("group", path)])
}

fn enter_group(running: &Running, outer: GroupId, tags: TagsId, name: &str) -> (GroupId, TagsId) {
    let mut groups = running.local.groups.borrow_mut();
    let group = groups.enter(outer, name);
    let path = groups.path(group);
    let mut recorder = running.host.worker.recorder.borrow_mut();
    let visit = recorder.check_slot(&path, None);
    recorder.check(visit, true);
    drop(recorder);
    (group, tagged(running, tags, &path))
}

fn sleep<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let seconds: f64 = call.arg(0).get::<rquickjs::Coerced<f64>>()?.0;
    // Not a number and negative mean no time; what no clock can hold means for ever.
    if seconds > 0.0 {
        let pause = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        call.vu().wait_in(call.ctx(), tokio::time::sleep(pause))?;
    }
    call.undefined()
}

fn fail<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let message = call.arg(0);
    let text = if message.is_undefined() {
        String::new()
    } else {
        message.get::<rquickjs::Coerced<String>>()?.0
    };
    Err(Exception::throw_message(call.ctx(), &text))
}

fn random_seed<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let seed: f64 = call.arg(0).get::<rquickjs::Coerced<f64>>()?.0;
    call.vu().random.reseed(seed as i64 as u64);
    call.undefined()
}
