//! From import specifiers to modules: paths with their full file name, `file://`, and the native modules.
//!
//! Files are read only in the pass that loads the script; VUs get the bytecode made there. Resolving is pure path
//! arithmetic, so both find the same names.

#![allow(unsafe_code)]

use std::path::{Component, Path, PathBuf};

use netload_engine::log::Level;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::{Declared, WriteOptions};
use rquickjs::{Ctx, Error, Exception, Module, Result};

use crate::context::VuContext;
use crate::modules;

/// What every module of a file is called: this and its absolute path.
const FILE_SCHEME: &str = "file://";

/// The name of the module in a file.
pub(crate) fn module_name(path: &Path) -> String {
    format!("{FILE_SCHEME}{}", path.display())
}

/// The file behind a module's name.
pub(crate) fn module_path(name: &str) -> Option<PathBuf> {
    name.strip_prefix(FILE_SCHEME).map(PathBuf::from)
}

/// `path` seen from the folder of the module `base`, without `.` and `..`.
pub(crate) fn absolute(base: &str, path: &str) -> PathBuf {
    let folder = module_path(base).unwrap_or_default();
    let joined = folder.parent().unwrap_or(Path::new("/")).join(path);
    let mut clean = PathBuf::new();
    for part in joined.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// The name of the module that `specifier` means in the module `base`.
///
/// # Errors
/// One sentence why there cannot be such a module.
pub(crate) fn resolve(base: &str, specifier: &str) -> std::result::Result<String, String> {
    if modules::is_native(specifier) {
        return match modules::refusal(specifier) {
            None => Ok(specifier.to_owned()),
            Some(reason) => Err(reason),
        };
    }
    let scheme = specifier.split_once("://").map(|(scheme, _)| scheme);
    let name = match scheme {
        Some("file") => module_name(&absolute(base, specifier.trim_start_matches(FILE_SCHEME))),
        Some("https") => {
            return Err("modules cannot be imported over https yet; \
                        save the file next to the script and import it by its path"
                .to_owned());
        }
        Some(other) => {
            return Err(format!(
                "modules cannot be imported over {other}; only file paths and k6/... can"
            ));
        }
        None if specifier.starts_with(['.', '/']) => module_name(&absolute(base, specifier)),
        None => {
            return Err(format!(
                "packages are not looked up; to import a file write its path, such as ./{specifier}.js"
            ));
        }
    };
    Ok(name)
}

/// The rquickjs side of this file.
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
        let found = resolve(base, name).and_then(|found| {
            if !modules::is_native(&found) {
                VuContext::of(ctx).shared.read_module(&found)?;
            }
            Ok(found)
        });
        found.map_err(|reason| {
            let text = format!("cannot import '{name}': {reason}");
            throw_at(ctx, &text, &place(ctx, base, name))
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
pub(crate) fn load<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    if modules::is_native(name) {
        return Module::declare_def::<modules::Native, _>(ctx.clone(), name);
    }
    let vu = VuContext::of(ctx);
    let module = match vu.shared.bytecode(name) {
        // SAFETY: this process wrote the bytecode, with this engine.
        Some(bytecode) => unsafe { Module::load(ctx.clone(), &bytecode) }?,
        None => compile(ctx, vu, name)?,
    };
    if vu
        .shared
        .source(name)
        .is_some_and(|s| s.contains("import.meta"))
    {
        crate::globals::import_meta(ctx, &module, name)?;
    }
    Ok(module)
}

/// Reads, compiles and remembers a module; only in the pass that loads the script.
fn compile<'js>(ctx: &Ctx<'js>, vu: &VuContext, name: &str) -> Result<Module<'js, Declared>> {
    let source = vu.shared.read_module(name).map_err(|reason| {
        let text = format!("cannot import '{name}': {reason}");
        Exception::throw_message(ctx, &text)
    })?;
    let module = Module::declare(ctx.clone(), name, source.as_bytes())?;
    let options = WriteOptions {
        // The text of functions is not worth its memory in every VU; line numbers are kept.
        strip_source: true,
        ..WriteOptions::default()
    };
    match module.write(options) {
        Ok(bytecode) => vu.shared.keep_bytecode(name, bytecode),
        Err(error) => {
            vu.log(Level::Error, format!("cannot compile '{name}': {error}"));
            return Err(error);
        }
    }
    Ok(module)
}

/// Throws an error that says it comes from `place`.
fn throw_at(ctx: &Ctx<'_>, message: &str, place: &str) -> Error {
    let thrown = Exception::from_message(ctx.clone(), message).and_then(|exception| {
        let object = exception.into_object();
        object.set("stack", format!("    at {place}\n"))?;
        Ok(ctx.throw(object.into_value()))
    });
    thrown.unwrap_or_else(|error| error)
}

/// Where `base` imports `name`: file, line and column, or just the file when it is not found.
fn place(ctx: &Ctx<'_>, base: &str, name: &str) -> String {
    let Some(source) = VuContext::of(ctx).shared.source(base) else {
        return base.to_owned();
    };
    let quoted = [format!("'{name}'"), format!("\"{name}\"")];
    let found = source.lines().enumerate().find_map(|(line, text)| {
        let column = quoted.iter().find_map(|q| text.find(q.as_str()))?;
        Some(format!("{base}:{}:{}", line + 1, column + 1))
    });
    found.unwrap_or_else(|| base.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_become_names() {
        let base = "file:///a/b/main.js";
        for (specifier, name) in [
            ("k6/http", "k6/http"),
            ("./lib.js", "file:///a/b/lib.js"),
            ("../lib.js", "file:///a/lib.js"),
            ("./x/./y/../lib.js", "file:///a/b/x/lib.js"),
            ("../../../../lib.js", "file:///lib.js"),
            ("/lib.js", "file:///lib.js"),
            ("file:///c/lib.js", "file:///c/lib.js"),
        ] {
            assert_eq!(resolve(base, specifier).as_deref(), Ok(name), "{specifier}");
        }
    }
}
