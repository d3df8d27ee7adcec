//! What scripts find without importing anything: console, timers, open, require, `__ENV`, `__VU`, `__ITER`,
//! `Math.random`, TextEncoder and TextDecoder; `crypto` is in `modules::webcrypto`.

pub(crate) mod bytes;
pub(crate) mod console;
pub(crate) mod freeze;
mod text;

use rquickjs::module::Declared;
use rquickjs::object::Property;
use rquickjs::{ArrayBuffer, Coerced, Ctx, Exception, Function, Module, Object, Result, Value};

use crate::loader::library::Asking;
use crate::loader::{locate, names};
use crate::native::{Call, accessor, function, getter};
use crate::{loader, modules};

/// Puts all globals in place.
pub(crate) fn install(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    globals.set("console", console::make(ctx)?)?;
    modules::timers::define(&globals)?;
    globals.set("open", function(ctx, "open", 2, open)?)?;
    globals.set("require", function(ctx, "require", 1, require)?)?;
    accessor(&globals, "__ENV", env, Some(set_env))?;
    getter(&globals, "__VU", |call| {
        let id = call.vu().id() as f64;
        Ok(Value::new_number(call.ctx().clone(), id))
    })?;
    getter(&globals, "__ITER", |call| match call.vu().iteration.get() {
        Some(iteration) => Ok(Value::new_number(
            call.ctx().clone(),
            iteration.in_vu as f64,
        )),
        None => call.undefined(),
    })?;
    let math: Object<'_> = globals.get("Math")?;
    let random = function(ctx, "random", 0, |call| {
        Ok(Value::new_float(
            call.ctx().clone(),
            call.vu().random.next(),
        ))
    })?;
    math.prop("random", Property::from(random).writable().configurable())?;
    let vu = crate::context::VuContext::of(ctx);
    if vu.shared.intrinsics().buffers() {
        text::install(ctx)?;
        modules::webcrypto::define(&globals)?;
    }
    crate::web::install(ctx, vu.shared.intrinsics())?;
    if vu.shared.global_alias {
        globals.set("global", globals.clone())?;
    }
    Ok(())
}

/// The property that keeps `__ENV` once somebody asked for it.
const ENV_KEPT: &str = "__ENV";

/// Made when first asked for, because most VUs of most scripts never do and it is large.
fn env<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let env = make_env(call.ctx())?.into_value();
    keep_env(call.ctx(), env.clone())?;
    call.vu().env_made.set(true);
    Ok(env)
}

/// With the variables of the scenario that has the VU.
fn make_env<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let vu = crate::context::VuContext::of(ctx);
    let env = Object::new(ctx.clone())?;
    for (name, value) in vu.shared.environment() {
        env.set(name, value)?;
    }
    if let Some(activation) = &*vu.activation.borrow() {
        for (name, value) in &activation.scenario.scenario.env {
            env.set(name.as_str(), value.as_str())?;
        }
    }
    if vu.shared.freeze_env {
        let object: Object<'_> = ctx.globals().get("Object")?;
        let freeze: Function<'_> = object.get("freeze")?;
        freeze.call::<_, ()>((env.clone(),))?;
    }
    Ok(env)
}

fn set_env<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    keep_env(call.ctx(), call.arg(0))?;
    call.undefined()
}

fn keep_env<'js>(ctx: &Ctx<'js>, env: Value<'js>) -> Result<()> {
    let property = Property::from(env).writable().configurable().enumerable();
    ctx.globals().prop(ENV_KEPT, property)
}

/// Adds the variables of the scenario that takes the VU to an `__ENV` that was made before.
pub(crate) fn merge_env(ctx: &Ctx<'_>) -> Result<()> {
    let vu = crate::context::VuContext::of(ctx);
    if !vu.env_made.get() {
        return Ok(());
    }
    if vu.shared.freeze_env {
        return keep_env(ctx, make_env(ctx)?.into_value());
    }
    let activation = vu.activation.borrow();
    let Some(activation) = &*activation else {
        return Ok(());
    };
    let env: Value<'_> = ctx.globals().get(ENV_KEPT)?;
    if let Some(env) = env.as_object() {
        for (name, value) in &activation.scenario.scenario.env {
            env.set(name.as_str(), value.as_str())?;
        }
    }
    Ok(())
}

/// The path that a name means in the module whose code called the native function that runs.
pub(crate) fn path_of(ctx: &Ctx<'_>, name: &str) -> std::path::PathBuf {
    let vu = crate::context::VuContext::of(ctx);
    let base = names::path(&loader::calling_module(ctx));
    // Modules from elsewhere open files beside the script.
    let base = base.or_else(|| names::path(&vu.shared.entry));
    names::absolute(
        &base.unwrap_or_default(),
        name.trim_start_matches("file://"),
    )
}

fn open<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let refuse = |text: &str| Err(Exception::throw_message(ctx, text));
    if !vu.in_init() {
        return refuse("the open() function is only available in the init context");
    }
    let name = call.arg(0).get::<Coerced<String>>()?.0;
    if name.is_empty() || call.arg(0).is_undefined() {
        return refuse("open() can't be used with an empty filename");
    }
    let path = path_of(ctx, &name);
    let content = match vu.shared.library.open(&path) {
        Ok(content) => content,
        Err(reason) => return refuse(&format!("cannot open '{name}': {reason}")),
    };
    let binary = call
        .arg(1)
        .as_string()
        .is_some_and(|m| m.to_string().is_ok_and(|m| m == "b"));
    if binary {
        return Ok(ArrayBuffer::new_copy(ctx.clone(), &content[..])?.into_value());
    }
    let text = String::from_utf8_lossy(&content);
    Ok(rquickjs::String::from_str(ctx.clone(), &text)?.into_value())
}

fn require<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let name = call.arg(0).get::<Coerced<String>>()?.0;
    if !vu.in_init() {
        let text = "the require() function is only available in the init context";
        return Err(Exception::throw_message(ctx, text));
    }
    let base = loader::calling_module(ctx);
    loader::commonjs::require(ctx, &base, &name)
}

/// Fills `import.meta` of a module.
pub(crate) fn import_meta<'js>(
    ctx: &Ctx<'js>,
    module: &Module<'js, Declared>,
    name: &str,
) -> Result<()> {
    let meta = module.meta()?;
    meta.set("url", name)?;
    meta.set("resolve", function(ctx, "resolve", 1, resolve)?)
}

fn resolve<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu) = (call.ctx(), call.vu());
    let specifier = call.arg(0).get::<Coerced<String>>()?.0;
    let base = loader::calling_module(ctx);
    match locate::resolve(&vu.shared.library, &base, &specifier, Asking::Import) {
        Ok(name) => Ok(rquickjs::String::from_str(ctx.clone(), &name)?.into_value()),
        Err(reason) => Err(Exception::throw_message(
            ctx,
            &format!("cannot resolve '{specifier}': {reason}"),
        )),
    }
}
