//! The module `k6/execution`: what the script can know of the test, its scenario and its VU, and how it can end them.
//!
//! All values are read when they are asked for; nothing is copied per iteration.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

use netload_engine::log::Level;
use netload_engine::program::{Activation, Iteration};
use netload_engine::state::End;
use netload_metrics::{TagSet, TagsId};
use rquickjs::object::Property;
use rquickjs::proxy::ProxyHandler;
use rquickjs::{Array, Ctx, Exception, Object, Proxy, Result, Value};

use crate::context::{Phase, Running, VuContext, throw_uncatchable};
use crate::globals::freeze;
use crate::modules::tags;
use crate::native::{Call, Native, function, getter, property};

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    exports.set("instance", instance(ctx)?)?;
    exports.set("scenario", scenario(ctx)?)?;
    exports.set("test", test(ctx)?)?;
    exports.set("vu", vu(ctx)?)?;
    // What it tells changes; what it consists of does not.
    for part in ["instance", "scenario", "test", "vu"] {
        let object: Object<'js> = exports.get(part)?;
        freeze::shallowly(ctx, &object)?;
        exports.prop(part, Property::from(object).enumerable())?;
    }
    Ok(exports)
}

fn number<'js>(call: &Call<'_, 'js>, value: f64) -> Result<Value<'js>> {
    Ok(Value::new_number(call.ctx().clone(), value))
}

fn instance<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    getter(&object, "currentTestRunDuration", |call| {
        let state = &in_test(call, "instance")?.host.worker.state;
        let started_ns = state.started_ns.load(Relaxed);
        let took_ns = match started_ns {
            0 => 0,
            started_ns => call.vu().now_ns().saturating_sub(started_ns),
        };
        number(call, took_ns as f64 / 1e6)
    })?;
    getter(&object, "iterationsCompleted", |call| {
        let state = &in_test(call, "instance")?.host.worker.state;
        number(call, state.iterations_completed() as f64)
    })?;
    getter(&object, "iterationsInterrupted", |call| {
        let state = &in_test(call, "instance")?.host.worker.state;
        number(call, state.iterations_interrupted() as f64)
    })?;
    getter(&object, "vusActive", |call| {
        let state = &in_test(call, "instance")?.host.worker.state;
        number(call, state.vus_active.load(Relaxed) as f64)
    })?;
    getter(&object, "vusInitialized", |call| {
        let state = &in_test(call, "instance")?.host.worker.state;
        number(call, state.vus_initialized.load(Relaxed) as f64)
    })?;
    Ok(object)
}

/// The engine's side; throws in the init context.
fn in_test<'a>(call: &'a Call<'_, '_>, what: &str) -> Result<&'a Running> {
    call.vu()
        .running(call.ctx(), &format!("reading exec.{what}"))
}

/// The scenario that runs; throws where there is none.
fn in_scenario<'js, T>(
    call: &Call<'_, 'js>,
    read: impl FnOnce(&Activation, Iteration) -> T,
) -> Result<T> {
    let vu = call.vu();
    let activation = vu.activation.borrow();
    match (&*activation, vu.iteration.get()) {
        (Some(activation), Some(iteration)) if vu.phase() == Phase::Iteration => {
            Ok(read(activation, iteration))
        }
        _ => Err(Exception::throw_message(
            call.ctx(),
            "exec.scenario can only be read in an iteration",
        )),
    }
}

fn scenario<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    getter(&object, "name", |call| {
        let name = in_scenario(call, |a, _| a.scenario.scenario.name.clone())?;
        text(call, &name)
    })?;
    getter(&object, "executor", |call| {
        let name = in_scenario(call, |a, _| a.scenario.scenario.executor.kind().name())?;
        text(call, name)
    })?;
    getter(&object, "startTime", |call| {
        let started_ns = in_scenario(call, |a, _| a.scenario.started_unix_ns.load(Relaxed))?;
        number(call, (started_ns / 1_000_000) as f64)
    })?;
    getter(&object, "progress", |call| {
        let progress = in_scenario(call, |a, _| a.scenario.progress(call.vu().now_ns()))?;
        number(call, progress)
    })?;
    getter(&object, "iterationInInstance", |call| {
        let iteration = in_scenario(call, |_, i| i.in_instance)?;
        number(call, iteration as f64)
    })?;
    getter(&object, "iterationInTest", |call| {
        let iteration = in_scenario(call, |_, i| i.in_test)?;
        number(call, iteration as f64)
    })?;
    Ok(object)
}

fn text<'js>(call: &Call<'_, 'js>, text: &str) -> Result<Value<'js>> {
    rquickjs::String::from_str(call.ctx().clone(), text).map(rquickjs::String::into_value)
}

fn test<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("abort", function(ctx, "abort", 1, abort)?)?;
    object.set("fail", function(ctx, "fail", 1, fail)?)?;
    getter(&object, "options", options)?;
    Ok(object)
}

fn options<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let running = in_test(call, "test.options")?;
    let mut json = running.host.worker.plan.consolidated();
    // Here, but not where options are printed, k6 names these even if nobody set them.
    for key in ["consoleOutput", "localIPs"] {
        json[key] = json[key].take();
    }
    if let Some(options) = json.as_object_mut() {
        // The shortcuts have become scenarios.
        for shortcut in ["vus", "duration", "iterations", "stages"] {
            options.shift_remove(shortcut);
        }
    }
    let json = json.to_string();
    let value = call.ctx().json_parse(json)?;
    freeze::deeply(call.ctx(), &value)?;
    Ok(value)
}

/// The text of an optional message.
fn message(call: &Call<'_, '_>) -> Result<Option<String>> {
    let message = call.arg(0);
    if message.is_undefined() || message.is_null() {
        return Ok(None);
    }
    message
        .get::<rquickjs::Coerced<String>>()
        .map(|m| Some(m.0))
}

fn abort<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let vu = call.vu();
    let text = match message(call)? {
        Some(message) => format!("test aborted: {message}"),
        None => "test aborted".to_owned(),
    };
    vu.test_aborted.set(true);
    match vu.attached() {
        Some(running) => running.host.worker.state.end(End::Script(text)),
        // The caller of the load reports the failure; this line carries the message.
        None => vu.log(Level::Info, text),
    }
    Err(throw_uncatchable(call.ctx()))
}

fn fail<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let running = in_test(call, "test.fail")?;
    let text = match message(call)? {
        Some(message) => format!("test marked as failed: {message}"),
        None => "test marked as failed".to_owned(),
    };
    running.host.worker.state.marked_failed.store(true, Relaxed);
    call.vu().log(Level::Error, text);
    call.undefined()
}

fn vu<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    getter(&object, "idInInstance", |call| {
        let id = in_test(call, "vu")?.host.id;
        number(call, id as f64)
    })?;
    getter(&object, "idInTest", |call| {
        let id = in_test(call, "vu")?.host.id_in_test;
        number(call, id as f64)
    })?;
    getter(&object, "iterationInInstance", |call| {
        in_test(call, "vu")?;
        number(
            call,
            call.vu().iteration.get().map_or(0, |i| i.in_vu) as f64,
        )
    })?;
    getter(&object, "iterationInScenario", |call| {
        in_test(call, "vu")?;
        let iteration = call.vu().iteration.get().map_or(0, |i| i.in_scenario);
        number(call, iteration as f64)
    })?;
    let tags = proxy(ctx, tag_get, tag_set, tag_delete, tag_keys)?;
    let metadata = proxy(ctx, data_get, data_set, data_delete, data_keys)?;
    let metrics = Object::new(ctx.clone())?;
    // What is in them can be set; they cannot be put aside.
    metrics.prop("tags", Property::from(tags).enumerable())?;
    metrics.prop("metadata", Property::from(metadata).enumerable())?;
    object.prop("metrics", Property::from(metrics).enumerable())?;
    property(&object, "tags", old_tags, |call| call.undefined())?;
    Ok(object)
}

/// The older name of `metrics.tags`; what is put in its place is dropped, as k6 does.
fn old_tags<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let vu = call.this().into_object().ok_or(rquickjs::Error::Unknown)?;
    let metrics: Object<'js> = vu.get("metrics")?;
    metrics.get("tags")
}

/// An object whose properties live in Rust.
fn proxy<'js>(
    ctx: &Ctx<'js>,
    get: impl Native,
    set: impl Native,
    delete: impl Native,
    keys: impl Native,
) -> Result<Value<'js>> {
    let handler = Object::new(ctx.clone())?;
    handler.set("get", function(ctx, "get", 3, get)?)?;
    handler.set("set", function(ctx, "set", 4, set)?)?;
    handler.set(
        "deleteProperty",
        function(ctx, "deleteProperty", 2, delete)?,
    )?;
    handler.set("ownKeys", function(ctx, "ownKeys", 1, keys)?)?;
    handler.set("has", function(ctx, "has", 2, has)?)?;
    let describe = function(ctx, "getOwnPropertyDescriptor", 2, describe)?;
    handler.set("getOwnPropertyDescriptor", describe)?;
    let target = Object::new(ctx.clone())?;
    let proxy = Proxy::new(ctx.clone(), target, ProxyHandler::from_object(handler)?)?;
    Ok(proxy.into_value())
}

/// The value that the handler's own `get` finds.
fn found<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let handler = call.this().into_object().ok_or(rquickjs::Error::Unknown)?;
    let get: rquickjs::Function<'js> = handler.get("get")?;
    get.call((rquickjs::function::This(handler), call.arg(0), call.arg(1)))
}

fn has<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let has = !found(call)?.is_undefined();
    Ok(Value::new_bool(call.ctx().clone(), has))
}

fn describe<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let value = found(call)?;
    if value.is_undefined() {
        return Ok(value);
    }
    let description = Object::new(call.ctx().clone())?;
    description.set("value", value)?;
    description.set("writable", true)?;
    description.set("enumerable", true)?;
    description.set("configurable", true)?;
    Ok(description.into_value())
}

/// The property a trap is about; none for symbols.
fn named(call: &Call<'_, '_>) -> Result<Option<String>> {
    let name = call.arg(1);
    name.as_string()
        .map(rquickjs::String::to_string)
        .transpose()
}

fn optional<'js>(call: &Call<'_, 'js>, found: Option<&str>) -> Result<Value<'js>> {
    match found {
        Some(found) => text(call, found),
        None => call.undefined(),
    }
}

fn yes<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    Ok(Value::new_bool(call.ctx().clone(), true))
}

fn names<'js>(call: &Call<'_, 'js>, names: Vec<String>) -> Result<Value<'js>> {
    let array = Array::new(call.ctx().clone())?;
    for (index, name) in names.into_iter().enumerate() {
        array.set(index, name)?;
    }
    Ok(array.into_value())
}

fn tag_get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let Some(name) = named(call)? else {
        return call.undefined();
    };
    let running = in_test(call, "vu.tags")?;
    let recorder = running.host.worker.recorder.borrow();
    let value = recorder
        .tags
        .set(call.vu().tags.get())
        .value(&name)
        .map(str::to_owned);
    drop(recorder);
    optional(call, value.as_deref())
}

fn tag_set<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = named(call)?.unwrap_or_default();
    let vu = call.vu();
    let running = in_test(call, "vu.tags")?;
    let value = tags::text(call.ctx(), &name, &call.arg(2))?;
    let mut recorder = running.host.worker.recorder.borrow_mut();
    vu.tags
        .set(recorder.tags.extend(vu.tags.get(), &[(&name, &value)]));
    drop(recorder);
    vu.own_tags.tags.borrow_mut().insert(name, value);
    yes(call)
}

fn tag_delete<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = named(call)?.unwrap_or_default();
    let vu = call.vu();
    let running = in_test(call, "vu.tags")?;
    let mut recorder = running.host.worker.recorder.borrow_mut();
    vu.tags.set(recorder.tags.without(vu.tags.get(), &name));
    drop(recorder);
    vu.own_tags.tags.borrow_mut().remove(&name);
    yes(call)
}

fn tag_keys<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let running = in_test(call, "vu.tags")?;
    let recorder = running.host.worker.recorder.borrow();
    let set = recorder.tags.set(call.vu().tags.get());
    let keys = set.iter().map(|(key, _)| key.to_owned()).collect();
    drop(recorder);
    names(call, keys)
}

fn data_get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let Some(name) = named(call)? else {
        return call.undefined();
    };
    let value = call.vu().own_tags.metadata.borrow().get(&name).cloned();
    optional(call, value.as_deref())
}

fn data_set<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = named(call)?.unwrap_or_default();
    let value = tags::text(call.ctx(), &name, &call.arg(2))?;
    let vu = call.vu();
    vu.own_tags.metadata.borrow_mut().insert(name, value);
    vu.own_tags.tell_metadata(vu);
    yes(call)
}

fn data_delete<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let name = named(call)?.unwrap_or_default();
    let vu = call.vu();
    vu.own_tags.metadata.borrow_mut().remove(&name);
    vu.own_tags.tell_metadata(vu);
    yes(call)
}

fn data_keys<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let keys = call
        .vu()
        .own_tags
        .metadata
        .borrow()
        .keys()
        .cloned()
        .collect();
    names(call, keys)
}

/// The tags and metadata a script gave its VU; they stay over iterations and scenarios.
#[derive(Default)]
pub(crate) struct VuTags {
    tags: RefCell<BTreeMap<String, String>>,
    metadata: RefCell<BTreeMap<String, String>>,
}

impl VuTags {
    /// `base` with the script's tags.
    pub(crate) fn onto(&self, vu: &VuContext, base: TagsId) -> TagsId {
        let tags = self.tags.borrow();
        match vu.attached() {
            Some(running) if !tags.is_empty() => {
                let more: Vec<_> = tags.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
                running
                    .host
                    .worker
                    .recorder
                    .borrow_mut()
                    .tags
                    .extend(base, &more)
            }
            _ => base,
        }
    }

    /// Puts the metadata on the samples that the VU makes from now on.
    fn tell_metadata(&self, vu: &VuContext) {
        if let Some(running) = vu.attached() {
            let metadata = self.metadata.borrow();
            let pairs = metadata.iter().map(|(k, v)| (k.as_str(), v.as_str()));
            let host = &running.host;
            let mut recorder = host.worker.recorder.borrow_mut();
            recorder.set_metadata(host.id, TagSet::new(pairs));
        }
    }
}
