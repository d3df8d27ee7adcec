//! Rust functions as QuickJS C functions: no allocation per call, one small JS object per function.
//!
//! Owns the trampoline from the C calling convention and the conversion of Rust errors and panics to exceptions.
//! Invariant: nothing unwinds into C; a panic becomes an InternalError.

#![allow(unsafe_code)]

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use rquickjs::{Ctx, Error, Exception, Function, Object, Result, Value, qjs};

use crate::context::VuContext;

/// One call from JavaScript.
pub(crate) struct Call<'a, 'js> {
    ctx: Ctx<'js>,
    this: qjs::JSValue,
    args: &'a [qjs::JSValue],
}

impl<'js> Call<'_, 'js> {
    /// The context of the caller.
    pub(crate) fn ctx(&self) -> &Ctx<'js> {
        &self.ctx
    }

    /// The VU whose script calls.
    pub(crate) fn vu(&self) -> &VuContext {
        VuContext::of(&self.ctx)
    }

    /// How many arguments were given.
    pub(crate) fn len(&self) -> usize {
        self.args.len()
    }

    /// An argument; undefined when it was not given.
    pub(crate) fn arg(&self, index: usize) -> Value<'js> {
        self.duplicate(self.raw_arg(index))
    }

    /// The engine's own value of an argument, borrowed for the call; undefined when it was not given.
    pub(crate) fn raw_arg(&self, index: usize) -> qjs::JSValue {
        self.args.get(index).copied().unwrap_or(qjs::JS_UNDEFINED)
    }

    /// `this`; of a constructor the `new.target`.
    pub(crate) fn this(&self) -> Value<'js> {
        self.duplicate(self.this)
    }

    /// Undefined, the result of most calls.
    pub(crate) fn undefined(&self) -> Result<Value<'js>> {
        Ok(Value::new_undefined(self.ctx.clone()))
    }

    fn duplicate(&self, value: qjs::JSValue) -> Value<'js> {
        // SAFETY: arguments and `this` belong to this context and live for the whole call; the duplicate is counted.
        unsafe {
            let value = qjs::JS_DupValue(self.ctx.as_raw().as_ptr(), value);
            Value::from_raw(self.ctx.clone(), value)
        }
    }
}

/// What a native function looks like. Functions and closures that capture nothing fit.
pub(crate) trait Native:
    for<'a, 'js> Fn(&Call<'a, 'js>) -> Result<Value<'js>> + Copy + 'static
{
}

impl<F> Native for F where F: for<'a, 'js> Fn(&Call<'a, 'js>) -> Result<Value<'js>> + Copy + 'static {}

/// A native function that many JavaScript functions share, told apart by a number.
pub(crate) trait Numbered:
    for<'a, 'js> Fn(&Call<'a, 'js>, i16) -> Result<Value<'js>> + Copy + 'static
{
}

impl<F> Numbered for F where
    F: for<'a, 'js> Fn(&Call<'a, 'js>, i16) -> Result<Value<'js>> + Copy + 'static
{
}

/// A JavaScript function without arguments that runs `native` with this number.
pub(crate) fn numbered<'js, F: Numbered>(
    ctx: &Ctx<'js>,
    name: &str,
    number: i16,
    _native: F,
) -> Result<Function<'js>> {
    const {
        assert!(
            size_of::<F>() == 0,
            "a native function must not capture anything"
        )
    };
    let c_name = CString::new(name)?;
    let trampoline: unsafe extern "C" fn(_, _, _, _, _) -> _ = numbered_trampoline::<F>;
    // SAFETY: functions of this kind are called with the number as one argument more, as the trampoline takes it; the
    // engine keeps every kind under one type.
    let value = unsafe {
        let trampoline = std::mem::transmute::<NumberedFunction, PlainFunction>(trampoline);
        let raw = qjs::JS_NewCFunction2(
            ctx.as_raw().as_ptr(),
            Some(trampoline),
            c_name.as_ptr(),
            0,
            qjs::JSCFunctionEnum_JS_CFUNC_generic_magic,
            i32::from(number),
        );
        Value::from_raw(ctx.clone(), raw)
    };
    value.into_function().ok_or(Error::Exception)
}

/// How the engine calls native functions.
type PlainFunction = unsafe extern "C" fn(
    *mut qjs::JSContext,
    qjs::JSValue,
    std::ffi::c_int,
    *mut qjs::JSValue,
) -> qjs::JSValue;

/// How it calls those with a number.
type NumberedFunction = unsafe extern "C" fn(
    *mut qjs::JSContext,
    qjs::JSValue,
    std::ffi::c_int,
    *mut qjs::JSValue,
    std::ffi::c_int,
) -> qjs::JSValue;

/// A JavaScript function that runs `native`.
pub(crate) fn function<'js, F: Native>(
    ctx: &Ctx<'js>,
    name: &str,
    length: u8,
    native: F,
) -> Result<Function<'js>> {
    make(
        ctx,
        name,
        length,
        native,
        qjs::JSCFunctionEnum_JS_CFUNC_generic,
    )
}

/// A constructor (`new` only) that runs `native` and whose instances inherit from `prototype`. `this` in the call is
/// `new.target`.
pub(crate) fn constructor<'js, F: Native>(
    ctx: &Ctx<'js>,
    name: &str,
    length: u8,
    prototype: &Object<'js>,
    native: F,
) -> Result<Function<'js>> {
    let constructor = make(
        ctx,
        name,
        length,
        native,
        qjs::JSCFunctionEnum_JS_CFUNC_constructor,
    )?;
    // SAFETY: both values belong to this context and are alive.
    unsafe {
        qjs::JS_SetConstructor(
            ctx.as_raw().as_ptr(),
            constructor.as_raw(),
            prototype.as_raw(),
        );
    }
    Ok(constructor)
}

/// Defines an accessor on `object`: read by `get`, written by `set` (which gets the value as its argument).
pub(crate) fn accessor<'js, G: Native, S: Native>(
    object: &Object<'js>,
    name: &str,
    get: G,
    set: Option<S>,
) -> Result<()> {
    let ctx = object.ctx();
    let getter = function(ctx, name, 0, get)?;
    let setter = set.map(|set| function(ctx, name, 1, set)).transpose()?;
    let flags = qjs::JS_PROP_CONFIGURABLE | qjs::JS_PROP_ENUMERABLE;
    let c_name = CString::new(name)?;
    // SAFETY: all values belong to this context; the property takes over the counted duplicates of both functions.
    let defined = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let atom = qjs::JS_NewAtom(raw, c_name.as_ptr());
        let setter = setter.map_or(qjs::JS_UNDEFINED, |s| into_raw(s.into_value()));
        let getter = into_raw(getter.into_value());
        let done = qjs::JS_DefinePropertyGetSet(
            raw,
            object.as_raw(),
            atom,
            getter,
            setter,
            flags as std::ffi::c_int,
        );
        qjs::JS_FreeAtom(raw, atom);
        done
    };
    if defined < 0 {
        return Err(Error::Exception);
    }
    Ok(())
}

/// [`accessor`] with a setter.
pub(crate) fn property<G: Native, S: Native>(
    object: &Object<'_>,
    name: &str,
    get: G,
    set: S,
) -> Result<()> {
    accessor(object, name, get, Some(set))
}

/// [`accessor`] without a setter.
pub(crate) fn getter<'js, F: Native>(object: &Object<'js>, name: &str, get: F) -> Result<()> {
    accessor::<F, F>(object, name, get, None)
}

fn make<'js, F: Native>(
    ctx: &Ctx<'js>,
    name: &str,
    length: u8,
    _native: F,
    kind: qjs::JSCFunctionEnum,
) -> Result<Function<'js>> {
    const {
        assert!(
            size_of::<F>() == 0,
            "a native function must not capture anything"
        );
    };
    let c_name = CString::new(name)?;
    // SAFETY: the trampoline has the signature of both kinds of function; the name is copied by the engine.
    let value = unsafe {
        let raw = qjs::JS_NewCFunction2(
            ctx.as_raw().as_ptr(),
            Some(trampoline::<F>),
            c_name.as_ptr(),
            i32::from(length),
            kind,
            0,
        );
        Value::from_raw(ctx.clone(), raw)
    };
    value.into_function().ok_or(Error::Exception)
}

unsafe extern "C" fn trampoline<F: Native>(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    argc: std::ffi::c_int,
    argv: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: a function that captures nothing has no bytes, so any aligned pointer stands for it.
    let native = unsafe { *NonNull::<F>::dangling().as_ref() };
    // SAFETY: the engine passes a live context and `argc` live values.
    unsafe { enter(ctx, this, argc, argv, |call| native(call)) }
}

unsafe extern "C" fn numbered_trampoline<F: Numbered>(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    argc: std::ffi::c_int,
    argv: *mut qjs::JSValue,
    number: std::ffi::c_int,
) -> qjs::JSValue {
    // SAFETY: a function that captures nothing has no bytes, so any aligned pointer stands for it.
    let native = unsafe { *NonNull::<F>::dangling().as_ref() };
    // The engine keeps the number in 16 bits.
    let number = number as i16;
    // SAFETY: the engine passes a live context and `argc` live values.
    unsafe { enter(ctx, this, argc, argv, |call| native(call, number)) }
}

/// Lets scripts take the method off its object and call it alone, as they may with k6: `const { json } = res`.
pub(crate) fn detachable(method: Function<'_>) -> Function<'_> {
    // SAFETY: a function is an object, and alive.
    unsafe { JS_MakeDetachable(method.as_raw()) };
    method
}

unsafe extern "C" {
    /// Marks a function as one that keeps the object it is read from.
    fn JS_MakeDetachable(function: qjs::JSValue);
}

/// A [`function`] that belongs to native objects and is [`detachable`].
pub(crate) fn method<'js, F: Native>(
    ctx: &Ctx<'js>,
    name: &str,
    length: u8,
    native: F,
) -> Result<Function<'js>> {
    function(ctx, name, length, native).map(detachable)
}

/// Runs a native function, nothing unwinding into C.
///
/// # Safety
/// The context is live, and `argv` points to `argc` live values.
#[inline]
unsafe fn enter(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    argc: std::ffi::c_int,
    argv: *mut qjs::JSValue,
    native: impl for<'a, 'js> FnOnce(&Call<'a, 'js>) -> Result<Value<'js>>,
) -> qjs::JSValue {
    // SAFETY: the caller vouches for the context and the values.
    let (ctx, args) = unsafe {
        let args = match usize::try_from(argc) {
            Ok(count) if count > 0 => std::slice::from_raw_parts(argv, count),
            _ => &[],
        };
        (Ctx::from_raw(NonNull::new_unchecked(ctx)), args)
    };
    let call = Call { ctx, this, args };
    match catch_unwind(AssertUnwindSafe(|| native(&call))) {
        Ok(Ok(value)) => into_raw(value),
        Ok(Err(Error::Exception)) => qjs::JS_EXCEPTION,
        Ok(Err(error)) => throw(&call.ctx, &error.to_string()),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown");
            throw(&call.ctx, &format!("internal error: {text}"))
        }
    }
}

fn throw(ctx: &Ctx<'_>, message: &str) -> qjs::JSValue {
    // The pending exception is the result; the value says that there is one.
    let _ = Exception::throw_type(ctx, message);
    qjs::JS_EXCEPTION
}

/// Hands a value over to the engine.
fn into_raw(value: Value<'_>) -> qjs::JSValue {
    let raw = value.as_raw();
    // SAFETY: the duplicate is owned by the engine, the original is dropped here.
    unsafe { qjs::JS_DupValue(value.ctx().as_raw().as_ptr(), raw) }
}
