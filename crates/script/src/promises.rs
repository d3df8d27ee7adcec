//! Promises that are settled when they are made, and errors with names of their own.

use rquickjs::{Ctx, Error, Exception, Result, Value};

use crate::context::VuContext;

/// A promise of a value that is there already, or of the exception that was thrown instead.
pub(crate) fn settled<'js>(ctx: &Ctx<'js>, done: Result<Value<'js>>) -> Result<Value<'js>> {
    let (promise, resolve, reject) = ctx.promise()?;
    match done {
        Ok(value) => resolve.call::<_, ()>((value,))?,
        // Being told to stop is no matter of promises.
        Err(Error::Exception) if !VuContext::of(ctx).bridge.interrupted() => {
            reject.call::<_, ()>((ctx.catch(),))?;
        }
        Err(error) => return Err(error),
    }
    Ok(promise.into_value())
}

/// Throws an error object with this name.
pub(crate) fn throw_named(ctx: &Ctx<'_>, name: &str, text: &str) -> Error {
    let error = Exception::from_message(ctx.clone(), text).and_then(|exception| {
        let object = exception.into_object();
        object.set("name", name)?;
        Ok(ctx.throw(object.into_value()))
    });
    error.unwrap_or_else(|error| error)
}
