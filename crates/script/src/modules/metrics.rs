//! The module `k6/metrics`: Counter, Gauge, Rate and Trend. Declared in the init context, filled anywhere else.

use std::cell::Cell;

use netload_engine::log::Level;
use netload_metrics::{Contains, Kind, MetricId, SlotId, TagsId};
use rquickjs::class::{JsClass, Readable, Trace, Tracer};
use rquickjs::function::Constructor;
use rquickjs::object::Property;
use rquickjs::{Class, Ctx, Exception, Function, Object, Result, Value};

use crate::modules::tags;
use crate::native::{Call, constructor, method};

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    exports.set(
        "Counter",
        class(ctx, "Counter", |call| declare(call, Kind::Counter))?,
    )?;
    exports.set(
        "Gauge",
        class(ctx, "Gauge", |call| declare(call, Kind::Gauge))?,
    )?;
    exports.set(
        "Rate",
        class(ctx, "Rate", |call| declare(call, Kind::Rate))?,
    )?;
    exports.set(
        "Trend",
        class(ctx, "Trend", |call| declare(call, Kind::Trend))?,
    )?;
    Ok(exports)
}

/// The native side of a metric object.
struct Metric {
    id: MetricId,
    /// The series of the last sample without tags of its own.
    last: Cell<Option<(TagsId, SlotId)>>,
}

impl<'js> Trace<'js> for Metric {
    fn trace<'a>(&self, _tracer: Tracer<'a, 'js>) {}
}

impl<'js> JsClass<'js> for Metric {
    const NAME: &'static str = "Metric";
    type Mutable = Readable;

    fn constructor(_ctx: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

crate::lifetime::without_js!(Metric);

fn class<'js, F: crate::native::Native>(
    ctx: &Ctx<'js>,
    name: &str,
    declare: F,
) -> Result<Function<'js>> {
    let prototype = Object::new(ctx.clone())?;
    prototype.set("add", method(ctx, "add", 2, add)?)?;
    constructor(ctx, name, 2, &prototype, declare)
}

fn declare<'js>(call: &Call<'_, 'js>, kind: Kind) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    if !vu.in_init() {
        let text = "metrics must be declared in the init context";
        return Err(Exception::throw_message(ctx, text));
    }
    if call.arg(0).is_undefined() || call.arg(0).is_null() {
        let text = "a metric needs a name, such as 'my_metric'";
        return Err(Exception::throw_type(ctx, text));
    }
    let name: String = call.arg(0).get::<rquickjs::Coerced<String>>()?.0;
    let contains = if call.arg(1).get::<rquickjs::Coerced<bool>>()?.0 {
        Contains::Time
    } else {
        Contains::Default
    };
    let id = vu
        .shared
        .registry
        .declare(&name, kind, contains)
        .map_err(|e| Exception::throw_message(ctx, &e.to_string()))?;
    let metric = Metric {
        id,
        last: Cell::new(None),
    };
    let new_target = call.this().into_object().ok_or(rquickjs::Error::Unknown)?;
    let prototype: Object<'js> = new_target.get("prototype")?;
    let object = Class::instance_proto(metric, prototype)?.into_inner();
    object.prop("name", Property::from(name).enumerable())?;
    Ok(object.into_value())
}

fn add<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let this = call.this();
    let Some(metric) = this.as_object().and_then(Class::<Metric>::from_object) else {
        return Err(Exception::throw_type(
            ctx,
            "add() must be called on a metric",
        ));
    };
    let metric = metric.borrow();
    let running = vu.running(ctx, "adding to a metric")?;
    let Some(value) = number(&call.arg(0))? else {
        return refuse(call, metric.id);
    };
    let mut recorder_tags = vu.tags.get();
    let own = call.len() > 1 && !call.arg(1).is_undefined() && !call.arg(1).is_null();
    if own {
        let more = tags::parse(ctx, &call.arg(1))?;
        let more: Vec<(&str, &str)> = more.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let mut recorder = running.host.worker.recorder.borrow_mut();
        recorder_tags = recorder.tags.extend(recorder_tags, &more);
    }
    let mut recorder = running.host.worker.recorder.borrow_mut();
    let slot = match metric.last.get() {
        Some((tags, slot)) if tags == recorder_tags => slot,
        _ => recorder.slot(metric.id, recorder_tags),
    };
    if !own {
        metric.last.set(Some((recorder_tags, slot)));
    }
    recorder.add(slot, value, vu.stamp());
    drop(recorder);
    Ok(Value::new_bool(ctx.clone(), true))
}

/// What a value counts as; none when it does not.
fn number(value: &Value<'_>) -> Result<Option<f64>> {
    if let Some(flag) = value.as_bool() {
        return Ok(Some(f64::from(u8::from(flag))));
    }
    if value.is_null() || value.is_undefined() || value.is_symbol() {
        return Ok(None);
    }
    let number = match value.as_number() {
        Some(number) => number,
        None => value.get::<rquickjs::Coerced<f64>>()?.0,
    };
    Ok((!number.is_nan()).then_some(number))
}

/// A value that is no number: a warning, or an exception when the option `throw` is set.
fn refuse<'js>(call: &Call<'_, 'js>, id: MetricId) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let name = vu.shared.registry.metric(id).name;
    let shown = crate::globals::console::text(&call.arg(0));
    let text = format!(
        "'{shown}' is an invalid value for metric '{name}', a number or a boolean value is expected"
    );
    let throws = vu.attached().is_some_and(|r| r.host.worker.plan.http.throw);
    if throws {
        return Err(Exception::throw_type(ctx, &text));
    }
    vu.log(Level::Warning, text);
    Ok(Value::new_bool(ctx.clone(), false))
}
