//! Freezing a value with everything in it.

#![allow(unsafe_code)]

use rquickjs::{Ctx, Error, Object, Result, Value, qjs};

/// Freezes an object and all objects in it. It must hold no cycle, as anything that was JSON.
pub(crate) fn deeply<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<()> {
    let mut open: Vec<Object<'js>> = value.as_object().cloned().into_iter().collect();
    while let Some(object) = open.pop() {
        for inner in object.values::<Value<'js>>() {
            open.extend(inner?.into_object());
        }
        shallowly(ctx, &object)?;
    }
    Ok(())
}

/// Freezes an object, but not what is in it.
pub(crate) fn shallowly<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<()> {
    // SAFETY: the object is alive and belongs to this context.
    let done = unsafe { qjs::JS_FreezeObject(ctx.as_raw().as_ptr(), object.as_raw()) };
    match done {
        0.. => Ok(()),
        _ => Err(Error::Exception),
    }
}
