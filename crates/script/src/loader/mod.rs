//! From import specifiers to modules: how the engine's loader asks for them, and how they are compiled.
//!
//! Files are read only in the pass that loads the script; VUs get the bytecode made there and the names found there.

#![allow(unsafe_code)]

pub(crate) mod commonjs;
pub(crate) mod library;
pub(crate) mod locate;
pub(crate) mod names;
mod packages;
pub(crate) mod remote;
pub(crate) mod store;
mod syntax;

use std::sync::Arc;

use netload_engine::log::Level;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::{Declared, WriteOptions};
use rquickjs::{Ctx, Error, Exception, Module, Object, Result};

use crate::context::VuContext;
use crate::modules;
use library::{Asking, Format, Text};

/// The rquickjs side of this folder.
pub(crate) struct Modules;

impl Resolver for Modules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        // Read here, where it is known who imports it.
        let library = &VuContext::of(ctx).shared.library;
        let found = locate::resolve(library, base, name, Asking::Import).and_then(|found| {
            if !modules::is_native(&found) {
                let text = library.read(&found)?;
                if text.format != Format::EcmaScript && !library.is_sealed() {
                    note_imports(ctx, base, name, &found);
                }
            }
            Ok(found)
        });
        found.map_err(|reason| {
            let place = place(ctx, base, name);
            throw_import(ctx, name, &reason, &place)
        })
    }
}

impl Loader for Modules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        load(ctx, name)
    }
}

/// The module of this name, declared but not evaluated.
fn load<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    if modules::is_native(name) {
        return Module::declare_def::<modules::Native, _>(ctx.clone(), name);
    }
    let library = &VuContext::of(ctx).shared.library;
    let module = match library.bytecode(name) {
        // SAFETY: this process wrote the bytecode, with this engine. The library keeps it, and every VU the library, for
        // longer than there is a runtime: functions are read from it when they are first called.
        Some((Format::EcmaScript, bytecode)) => unsafe { Module::load(ctx.clone(), &bytecode) }?,
        Some(_) => return Module::declare_def::<commonjs::Seen, _>(ctx.clone(), name),
        None => match compile(ctx, name)? {
            Some(module) => module,
            None => return Module::declare_def::<commonjs::Seen, _>(ctx.clone(), name),
        },
    };
    let wants_meta = |text: Arc<Text>| text.javascript().contains("import.meta");
    if library.text(name).is_some_and(wants_meta) {
        crate::globals::import_meta(ctx, &module, name)?;
    }
    Ok(module)
}

/// How the module of this name is evaluated. Compiles it when that has not been done.
fn format(ctx: &Ctx<'_>, name: &str, specifier: &str) -> Result<Format> {
    let library = &VuContext::of(ctx).shared.library;
    if let Some((format, _)) = library.bytecode(name) {
        return Ok(format);
    }
    let text = library
        .read(name)
        .map_err(|reason| throw_import(ctx, specifier, &reason, ""))?;
    match text.format {
        Format::CommonJs => match compile(ctx, name)? {
            Some(_) => Ok(Format::EcmaScript),
            None => Ok(Format::CommonJs),
        },
        format => Ok(format),
    }
}

/// Compiles and remembers a module; only in the pass that loads the script. None when it is no ES module.
fn compile<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Option<Module<'js, Declared>>> {
    let library = &VuContext::of(ctx).shared.library;
    let refused = |reason: String| throw_import(ctx, name, &reason, "");
    let text = library.read(name).map_err(refused)?;
    let compiled = compile_text(ctx, name, &text);
    match compiled {
        Err(Error::Exception) => {
            let thrown = ctx.catch();
            let is_syntax = thrown.as_object().is_some_and(|error| {
                let name = error.get::<_, Option<String>>("name");
                name.is_ok_and(|name| name.as_deref() == Some("SyntaxError"))
            });
            let other = if is_syntax {
                library.as_typescript(name)
            } else {
                None
            };
            match other {
                Some(text) => compile_text(ctx, name, &*text.map_err(refused)?),
                None => Err(ctx.throw(thrown)),
            }
        }
        compiled => compiled,
    }
}

fn compile_text<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    text: &Text,
) -> Result<Option<Module<'js, Declared>>> {
    let library = &VuContext::of(ctx).shared.library;
    match text.format {
        Format::Json => Ok(None),
        Format::EcmaScript => compile_module(ctx, name, text.javascript()).map(Some),
        Format::CommonJs => match commonjs::compile(ctx, name, text.javascript()) {
            Ok(bytecode) => {
                library.keep_bytecode(name, Format::CommonJs, bytecode);
                Ok(None)
            }
            Err(_) => {
                // Only a module may wait at its top level.
                let thrown = ctx.catch();
                let module = compile_module(ctx, name, text.javascript()).map(Some);
                module.map_err(|error| {
                    if text.javascript().contains("await") {
                        return error;
                    }
                    ctx.catch();
                    ctx.throw(thrown)
                })
            }
        },
    }
}

fn compile_module<'js>(ctx: &Ctx<'js>, name: &str, text: &str) -> Result<Module<'js, Declared>> {
    let vu = VuContext::of(ctx);
    let module = Module::declare(ctx.clone(), name, text.as_bytes())?;
    let options = WriteOptions {
        // The text of functions is not worth its memory in every VU; line numbers are kept.
        strip_source: true,
        ..WriteOptions::default()
    };
    match module.write(options) {
        Ok(bytecode) => {
            let library = &vu.shared.library;
            library.keep_bytecode(name, Format::EcmaScript, bytecode);
        }
        Err(error) => {
            vu.log(Level::Error, format!("cannot compile '{name}': {error}"));
            return Err(error);
        }
    }
    Ok(module)
}

/// Remembers what `base` imports from a module whose exports are known only when it runs.
fn note_imports(ctx: &Ctx<'_>, base: &str, specifier: &str, found: &str) {
    let library = &VuContext::of(ctx).shared.library;
    let Some(text) = library.text(base) else {
        return;
    };
    let same = |import: &&syntax::Import| import.specifier == specifier;
    for import in text.syntax.imports.iter().filter(same) {
        if import.all {
            library.want(found, commonjs::ALL);
        }
        for name in &import.names {
            library.want(found, name);
        }
    }
}

/// Throws that a module cannot be had. A reason that begins like an error of JavaScript stands for itself.
fn throw_import(ctx: &Ctx<'_>, specifier: &str, reason: &str, place: &str) -> Error {
    let is_syntax = reason.starts_with("SyntaxError: ");
    if !is_syntax {
        return throw_at(
            ctx,
            &format!("cannot import '{specifier}': {reason}"),
            place,
        );
    }
    // It has places of its own.
    let text = reason.trim_start_matches("SyntaxError: ");
    let thrown = Exception::from_message(ctx.clone(), text).and_then(|exception| {
        let object: Object<'_> = exception.into_object();
        object.set("name", "SyntaxError")?;
        object.set("stack", "")?;
        Ok(ctx.throw(object.into_value()))
    });
    thrown.unwrap_or_else(|error| error)
}

/// Throws an error that says it comes from `place`.
fn throw_at(ctx: &Ctx<'_>, message: &str, place: &str) -> Error {
    let thrown = Exception::from_message(ctx.clone(), message).and_then(|exception| {
        let object = exception.into_object();
        if !place.is_empty() {
            object.set("stack", format!("    at {place}\n"))?;
        }
        Ok(ctx.throw(object.into_value()))
    });
    thrown.unwrap_or_else(|error| error)
}

/// Where `base` imports `name` in what is compiled: file, line and column, or just the file when it is not found.
fn place(ctx: &Ctx<'_>, base: &str, name: &str) -> String {
    match VuContext::of(ctx).shared.library.mention(base, name) {
        Some((line, column)) => format!("{base}:{line}:{column}"),
        None => base.to_owned(),
    }
}

/// The module whose code called the native function that runs, the script's own when that is none.
pub(crate) fn calling_module(ctx: &Ctx<'_>) -> String {
    let name = ctx.script_or_module_name(1);
    let name = name.and_then(|name| name.to_string().ok());
    name.unwrap_or_else(|| VuContext::of(ctx).shared.entry.clone())
}
