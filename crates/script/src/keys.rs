//! The names of an object's properties, as the engine's atoms: compared by number, without making texts of them.
//!
//! Invariant: the list is freed with its owner, and every atom in it lives as long.

#![allow(unsafe_code)]

use rquickjs::{Ctx, Error, Result, Value, qjs};

/// The own enumerable string keys of an object.
pub(crate) struct Keys<'a, 'js> {
    ctx: &'a Ctx<'js>,
    table: *mut qjs::JSPropertyEnum,
    count: u32,
}

impl<'a, 'js> Keys<'a, 'js> {
    /// Those of `object`, which is alive and an object.
    pub(crate) fn of(ctx: &'a Ctx<'js>, object: qjs::JSValue) -> Result<Self> {
        let (mut table, mut count) = (std::ptr::null_mut(), 0);
        let flags = qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_ENUM_ONLY;
        // SAFETY: the object is alive; on success the table belongs to us and is freed in `drop`.
        let done = unsafe {
            let raw = ctx.as_raw().as_ptr();
            qjs::JS_GetOwnPropertyNames(raw, &mut table, &mut count, object, flags as i32)
        };
        if done < 0 {
            return Err(Error::Exception);
        }
        Ok(Self { ctx, table, count })
    }

    /// All of them, in the order of the object.
    pub(crate) fn atoms(&self) -> impl ExactSizeIterator<Item = qjs::JSAtom> {
        // SAFETY: the table has `count` entries; an empty one may be null.
        let entries = match self.table.is_null() {
            true => &[],
            false => unsafe { std::slice::from_raw_parts(self.table, self.count as usize) },
        };
        entries.iter().map(|entry| entry.atom)
    }
}

impl Drop for Keys<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the table was made by `JS_GetOwnPropertyNames` for this context.
        unsafe { qjs::JS_FreePropertyEnum(self.ctx.as_raw().as_ptr(), self.table, self.count) };
    }
}

/// Takes over a value that the engine returned.
///
/// # Safety
/// The value must be owned by the caller and belong to `ctx`.
pub(crate) unsafe fn owned<'js>(ctx: &Ctx<'js>, value: qjs::JSValue) -> Result<Value<'js>> {
    // SAFETY: as the caller promises.
    let value = unsafe { Value::from_raw(ctx.clone(), value) };
    if value.is_exception() {
        return Err(Error::Exception);
    }
    Ok(value)
}
