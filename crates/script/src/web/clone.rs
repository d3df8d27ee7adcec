//! structuredClone: the engine writes a value with everything in it, circles included, and reads it again.

#![allow(unsafe_code)]

use rquickjs::{Error, Result, Value, qjs};

use super::throw_named;
use crate::native::Call;

pub(super) fn structured_clone<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let mut length: qjs::size_t = 0;
    let flags = qjs::JS_WRITE_OBJ_REFERENCE as std::ffi::c_int;
    // SAFETY: the argument lives for the whole call; the block is freed after it was read.
    let read = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let block = qjs::JS_WriteObject(raw, &raw mut length, call.raw_arg(0), flags);
        if block.is_null() {
            None
        } else {
            let flags = qjs::JS_READ_OBJ_REFERENCE as std::ffi::c_int;
            let value = qjs::JS_ReadObject(raw, block, length, flags);
            qjs::js_free(raw, block.cast());
            Some(value)
        }
    };
    match read {
        Some(value) if qjs_is_exception(value) => Err(Error::Exception),
        // SAFETY: the value is new and owned here.
        Some(value) => Ok(unsafe { Value::from_raw(ctx.clone(), value) }),
        None => {
            ctx.catch();
            let text = "the value holds something that cannot be cloned, such as a function";
            Err(throw_named(ctx, "DataCloneError", text))
        }
    }
}

fn qjs_is_exception(value: qjs::JSValue) -> bool {
    // SAFETY: only looks at the tag.
    unsafe { qjs::JS_IsException(value) }
}
