//! Objects that look like one made before: the same names in the same order, other values.
//!
//! Owns the pattern objects, whose shape the new ones share, so that an object costs one step instead of one per
//! property. Leaves out where the values come from. Invariants: no script ever sees a pattern; a pattern has as many
//! properties as values are given for it.

#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::c_int;

use rquickjs::object::Property;
use rquickjs::{Ctx, Error, Object, Result, Undefined, Value, qjs};

/// Properties of such an object at most.
pub(crate) const PROPERTIES_LIMIT: usize = 32;

unsafe extern "C" {
    /// Makes an object with the shape of the plain object `like` and these `count` values, which it takes over.
    fn JS_NewObjectLike(
        ctx: *mut qjs::JSContext,
        like: qjs::JSValue,
        count: c_int,
        values: *const qjs::JSValue,
    ) -> qjs::JSValue;
}

/// Values for a new object, in the order of its names.
pub(crate) struct Values<'a, 'js> {
    ctx: &'a Ctx<'js>,
    raw: [qjs::JSValue; PROPERTIES_LIMIT],
    len: usize,
}

impl<'a, 'js> Values<'a, 'js> {
    /// None yet.
    pub(crate) fn new(ctx: &'a Ctx<'js>) -> Self {
        let raw = [qjs::JS_UNDEFINED; PROPERTIES_LIMIT];
        Self { ctx, raw, len: 0 }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds one; what does not fit is dropped, and then there are not as many values as names.
    pub(crate) fn push(&mut self, value: &Value<'js>) {
        if let Some(room) = self.raw.get_mut(self.len) {
            // SAFETY: the value is alive, and of this context's runtime.
            *room = unsafe { qjs::JS_DupValue(self.ctx.as_raw().as_ptr(), value.as_raw()) };
            self.len += 1;
        }
    }
}

impl Drop for Values<'_, '_> {
    fn drop(&mut self) {
        for value in &self.raw[..self.len] {
            // SAFETY: `push` has taken this reference, and nobody has taken it over.
            unsafe { qjs::JS_FreeValue(self.ctx.as_raw().as_ptr(), *value) };
        }
    }
}

/// What objects of one kind have in common.
pub(crate) struct Layout {
    pattern: Cell<qjs::JSValue>,
    properties: Cell<usize>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            pattern: Cell::new(qjs::JS_UNDEFINED),
            properties: Cell::new(0),
        }
    }
}

impl Layout {
    /// Makes the pattern, unless there is one.
    pub(crate) fn learn_once(&self, ctx: &Ctx<'_>, names: &[&str]) -> Result<()> {
        if self.properties.get() == 0 {
            self.learn(ctx, names)?;
        }
        Ok(())
    }

    /// Makes the pattern anew. The names are distinct and not too many.
    pub(crate) fn learn(&self, ctx: &Ctx<'_>, names: &[&str]) -> Result<()> {
        self.remember(ctx, names, |property| property.writable().configurable())
    }

    /// [`Self::learn`] for objects whose properties cannot be changed; new ones could still be added to them.
    pub(crate) fn learn_constant(&self, ctx: &Ctx<'_>, names: &[&str]) -> Result<()> {
        self.remember(ctx, names, |property| property)
    }

    fn remember(
        &self,
        ctx: &Ctx<'_>,
        names: &[&str],
        make: fn(Property<Undefined>) -> Property<Undefined>,
    ) -> Result<()> {
        self.end(ctx);
        let pattern = Object::new(ctx.clone())?;
        for name in names {
            pattern.prop(*name, make(Property::from(Undefined).enumerable()))?;
        }
        // SAFETY: the object is alive; `end` gives this reference back.
        let held = unsafe { qjs::JS_DupValue(ctx.as_raw().as_ptr(), pattern.as_raw()) };
        self.pattern.set(held);
        self.properties.set(names.len());
        Ok(())
    }

    /// A new object with these values.
    ///
    /// # Errors
    /// When memory is short, or when there are not as many values as names.
    pub(crate) fn object<'js>(&self, mut values: Values<'_, 'js>) -> Result<Value<'js>> {
        let properties = self.properties.get();
        if properties == 0 || properties != values.len {
            return Err(Error::Unknown);
        }
        let ctx = values.ctx;
        // From here on they belong to the new object, also when there is none.
        values.len = 0;
        // SAFETY: the pattern is a plain object with that many properties, held by this layout.
        unsafe {
            let raw = JS_NewObjectLike(
                ctx.as_raw().as_ptr(),
                self.pattern.get(),
                properties as c_int,
                values.raw.as_ptr(),
            );
            if qjs::JS_IsException(raw) {
                return Err(Error::Exception);
            }
            Ok(Value::from_raw(ctx.clone(), raw))
        }
    }

    /// Lets go of what belongs to the VU's runtime.
    pub(crate) fn end(&self, ctx: &Ctx<'_>) {
        self.properties.set(0);
        let pattern = self.pattern.replace(qjs::JS_UNDEFINED);
        // SAFETY: `learn` has taken this reference in the same runtime.
        unsafe { qjs::JS_FreeValue(ctx.as_raw().as_ptr(), pattern) };
    }
}
