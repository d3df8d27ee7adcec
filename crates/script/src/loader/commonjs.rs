//! CommonJS: `require`, `module` and `exports`, and such modules seen from an import.
//!
//! A module's text is compiled as the body of a function, so that it is what it is in Node.js: sloppy unless it says
//! otherwise, with its own `this`. It runs at most once per VU, when it is first required or imported.

#![allow(unsafe_code)]

use std::ffi::CString;

use rquickjs::module::{Declarations, Exports, ModuleDef};
use rquickjs::{Ctx, Error, Exception, Function, Module, Object, Persistent, Result, Value, qjs};

use super::library::{Asking, Format};
use super::locate;
use crate::context::VuContext;
use crate::modules;

/// What stands before a module's text on its first line.
const HEAD: &str = "(function (exports, require, module) {";
/// What stands after it.
const TAIL: &str = "\n})";

/// By how much the columns of the first line are moved.
pub(crate) const FIRST_LINE_SHIFT: usize = HEAD.len();

/// The `module` objects made so far in one VU, by the modules' names.
pub(crate) type Made = Vec<(String, Persistent<Object<'static>>)>;

/// Compiles a text to bytecode.
pub(super) fn compile(ctx: &Ctx<'_>, name: &str, text: &str) -> Result<Vec<u8>> {
    // A line that names an interpreter is none of JavaScript's.
    let comment = if text.starts_with("#!") { "//" } else { "" };
    let source = CString::new(format!("{HEAD}{comment}{text}{TAIL}"))?;
    let file = CString::new(name)?;
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
    // SAFETY: both texts end in a zero, and the value is owned here.
    let compiled = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let value = qjs::JS_Eval(
            raw,
            source.as_ptr(),
            source.as_bytes().len() as qjs::size_t,
            file.as_ptr(),
            flags as std::ffi::c_int,
        );
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        value
    };
    let flags = qjs::JS_WRITE_OBJ_BYTECODE | qjs::JS_WRITE_OBJ_STRIP_SOURCE;
    let mut length: qjs::size_t = 0;
    // SAFETY: the compiled value is alive until it is freed here; the block belongs to us until it is.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        let block = qjs::JS_WriteObject(raw, &raw mut length, compiled, flags as std::ffi::c_int);
        qjs::JS_FreeValue(raw, compiled);
        if block.is_null() {
            return Err(Error::Exception);
        }
        let bytes = std::slice::from_raw_parts(block, length as usize).to_vec();
        qjs::js_free(raw, block.cast());
        Ok(bytes)
    }
}

/// The function around a module's text.
fn wrapper<'js>(ctx: &Ctx<'js>, bytecode: &[u8]) -> Result<Function<'js>> {
    // SAFETY: this process wrote the bytecode, with this engine, and the library keeps it for longer than there is a
    // runtime; evaluating takes over what reading returned.
    let value = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let flags = (qjs::JS_READ_OBJ_BYTECODE | qjs::JS_READ_OBJ_ROM_DATA) as std::ffi::c_int;
        let read = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as qjs::size_t, flags);
        if qjs::JS_IsException(read) {
            return Err(Error::Exception);
        }
        let value = qjs::JS_EvalFunction(raw, read);
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Value::from_raw(ctx.clone(), value)
    };
    value.into_function().ok_or(Error::Unknown)
}

/// The global `require`: the exports of what `specifier` means in the module `base`.
pub(crate) fn require<'js>(ctx: &Ctx<'js>, base: &str, specifier: &str) -> Result<Value<'js>> {
    let library = &VuContext::of(ctx).shared.library;
    let name = locate::resolve(library, base, specifier, Asking::Require).map_err(|reason| {
        let text = format!("cannot require '{specifier}': {reason}");
        Exception::throw_message(ctx, &text)
    })?;
    if modules::is_native(&name) {
        return modules::exports(ctx, &name).map(Object::into_value);
    }
    match super::format(ctx, &name, specifier)? {
        Format::CommonJs | Format::Json => exports(ctx, &name),
        Format::EcmaScript => namespace(ctx, &name, specifier),
    }
}

/// The namespace of an ES module, evaluated now.
fn namespace<'js>(ctx: &Ctx<'js>, name: &str, specifier: &str) -> Result<Value<'js>> {
    let promise = Module::import(ctx, name)?;
    while promise.result::<Value<'js>>().is_none() && ctx.execute_pending_job() {}
    promise.result::<Value<'js>>().unwrap_or_else(|| {
        let text = format!(
            "cannot require '{specifier}': it waits for something, or for the module that requires it; use import"
        );
        Err(Exception::throw_message(ctx, &text))
    })
}

/// What a CommonJS or JSON module exports; it runs if it has not yet.
pub(super) fn exports<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Value<'js>> {
    let vu = VuContext::of(ctx);
    let known = vu
        .common_js
        .borrow()
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, m)| m.clone());
    if let Some(module) = known {
        return module.restore(ctx)?.get("exports");
    }
    let module = Object::new(ctx.clone())?;
    let kept = Persistent::save(ctx, module.clone());
    if let Some(text) = vu
        .shared
        .library
        .text(name)
        .filter(|t| t.format == Format::Json)
    {
        module.set("exports", ctx.json_parse(&*text.original)?)?;
        vu.common_js.borrow_mut().push((name.to_owned(), kept));
        return module.get("exports");
    }
    let Some((_, bytecode)) = vu.shared.library.bytecode(name) else {
        let text = format!("{name} was not loaded");
        return Err(Exception::throw_message(ctx, &text));
    };
    let exports = Object::new(ctx.clone())?;
    module.set("exports", exports.clone())?;
    module.set("id", name)?;
    let run = wrapper(ctx, &bytecode)?;
    // Known before it runs, so that a circle of requires ends.
    vu.common_js.borrow_mut().push((name.to_owned(), kept));
    let require: Value<'js> = ctx.globals().get("require")?;
    let arguments = (
        rquickjs::function::This(exports.clone()),
        exports,
        require,
        module.clone(),
    );
    if let Err(error) = run.call::<_, Value<'js>>(arguments) {
        vu.common_js.borrow_mut().retain(|(n, _)| n != name);
        return Err(error);
    }
    module.get("exports")
}

/// A CommonJS or JSON module as an ES module: `default` is its own `default` where it has one, else all of it.
///
/// Its other exports are those that somebody imports, because they are known only when it has run.
pub(super) struct Seen;

/// The note that somebody imports all there is.
pub(crate) const ALL: &str = "*";

impl Seen {
    /// The names that are exported.
    fn names(ctx: &Ctx<'_>, name: &str) -> Result<Vec<String>> {
        let library = &VuContext::of(ctx).shared.library;
        let mut names = library.wanted(name);
        let all = names.iter().any(|n| n == ALL);
        names.retain(|n| n != ALL && n != "default");
        if !all {
            return Ok(names);
        }
        let keys = match library.exports(name) {
            Some(keys) => keys,
            // Only in the pass that loads the script: it runs before its turn, to see what it exports.
            None => {
                let mut keys = Vec::new();
                if let Some(object) = exports(ctx, name)?.as_object() {
                    for key in object.keys::<String>() {
                        keys.push(key?);
                    }
                }
                library.keep_exports(name, keys.clone());
                keys
            }
        };
        for key in keys {
            if key != "default" && !names.contains(&key) {
                names.push(key);
            }
        }
        Ok(names)
    }
}

impl ModuleDef for Seen {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        let module = declarations.module();
        let name: String = module.name()?;
        declarations.declare("default")?;
        for key in Self::names(module.ctx(), &name)? {
            declarations.declare(key)?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, module: &Exports<'js>) -> Result<()> {
        let name: String = module.module().name()?;
        let all = exports(ctx, &name)?;
        let object = all.as_object();
        for key in Self::names(ctx, &name)? {
            let value = match object {
                Some(object) => object.get(&*key)?,
                None => Value::new_undefined(ctx.clone()),
            };
            module.export(key, value)?;
        }
        let own_default = match object {
            Some(object) if object.contains_key("default")? => Some(object.get("default")?),
            _ => None,
        };
        module.export("default", own_default.unwrap_or(all))?;
        Ok(())
    }
}
