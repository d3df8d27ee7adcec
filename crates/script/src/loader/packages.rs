//! Packages in `node_modules`, found as Node.js finds them (nodejs.org/api/esm.html, "Resolution Algorithm
//! Specification", and modules.html, "All together").
//!
//! Conditions of `exports` and `imports` that hold are `k6`, `browser`, `default`, and `import` or `require`; never
//! `node`, whose modules are not there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map as Object, Value as Json};

use super::library::{Asking, Library};
use super::locate;
use super::names;
use crate::modules;

/// How deep conditions may be nested.
const DEPTH_LIMIT: usize = 32;

/// Modules of Node.js itself.
const OF_NODE: &[&str] = &[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "worker_threads",
    "zlib",
];

/// A package's package.json.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// As it was read.
    pub(crate) content: Arc<[u8]>,
    json: Json,
}

impl Manifest {
    /// Reads one.
    ///
    /// # Errors
    /// When it is not JSON.
    pub(crate) fn read(path: &Path, content: Arc<[u8]>) -> Result<Self, String> {
        let json = serde_json::from_slice(&content)
            .map_err(|e| format!("{} is not JSON: {e}", path.display()))?;
        Ok(Self { content, json })
    }

    /// The file that stands for the package where there are no exports.
    pub(crate) fn main(&self) -> Option<&str> {
        self.json["main"].as_str()
    }
}

/// The file that a package's name, perhaps with a path in it, means in the file `base`.
///
/// # Errors
/// One sentence why there is none.
pub(super) fn resolve(
    library: &Library,
    base: &Path,
    specifier: &str,
    asking: Asking,
) -> Result<PathBuf, String> {
    if specifier.starts_with('#') {
        return inner(library, base, specifier, asking);
    }
    let (name, subpath) = split(specifier);
    for folder in base.ancestors().skip(1) {
        if folder
            .file_name()
            .is_some_and(|name| name == "node_modules")
        {
            continue;
        }
        let package = folder.join("node_modules").join(name);
        if library.store.is_folder(&package) {
            return in_package(library, &package, name, &subpath, asking);
        }
    }
    if let Some(found) = itself(library, base, name, &subpath, asking)? {
        return Ok(found);
    }
    let folder = base.parent().unwrap_or(base).display();
    let above = format!("in a node_modules folder of {folder} or above");
    Err(no_package(specifier, &above))
}

/// That there is no such package in a place, and what may be meant.
pub(super) fn no_package(specifier: &str, place: &str) -> String {
    let (name, _) = split(specifier);
    let native = format!("k6/{name}");
    let similar = modules::refusal(&native).is_none();
    let bare = name.strip_prefix("node:").unwrap_or(name);
    if OF_NODE.contains(&bare) {
        let hint = if similar {
            format!("did you mean {native}?")
        } else {
            "use a package made for browsers, or bundle without it".to_owned()
        };
        return format!("{name} is a module of Node.js, which netload is not; {hint}");
    }
    let hint = if similar {
        format!("did you mean {native}?")
    } else if name.ends_with(".js") || name.ends_with(".ts") {
        format!("a file is imported by its path, such as ./{specifier}")
    } else {
        format!("install it with `npm install {name}`")
    };
    format!("there is no package {name} {place}; {hint}")
}

/// The package's name and the path in it, `.` for the package itself.
fn split(specifier: &str) -> (&str, String) {
    let slashes = usize::from(specifier.starts_with('@'));
    match specifier.match_indices('/').nth(slashes) {
        Some((at, _)) => (&specifier[..at], format!(".{}", &specifier[at..])),
        None => (specifier, ".".to_owned()),
    }
}

fn in_package(
    library: &Library,
    package: &Path,
    name: &str,
    subpath: &str,
    asking: Asking,
) -> Result<PathBuf, String> {
    let manifest = library.manifest(package)?;
    let exports = manifest
        .as_ref()
        .map_or(&Json::Null, |m| &m.json["exports"]);
    if !exports.is_null() {
        let target = exported(exports, subpath, asking)
            .ok_or_else(|| format!("the package {name} does not export {subpath}"))?;
        return target_file(library, package, &target);
    }
    if subpath != "." {
        return locate::file(library, &names::clean(&package.join(subpath)));
    }
    locate::folder(library, package)?.ok_or_else(|| {
        format!(
            "the package {name} in {} has no main file",
            package.display()
        )
    })
}

/// A package that imports itself by its name.
fn itself(
    library: &Library,
    base: &Path,
    name: &str,
    subpath: &str,
    asking: Asking,
) -> Result<Option<PathBuf>, String> {
    let Some((folder, manifest)) = enclosing(library, base)? else {
        return Ok(None);
    };
    if manifest.json["name"].as_str() != Some(name) || manifest.json["exports"].is_null() {
        return Ok(None);
    }
    in_package(library, &folder, name, subpath, asking).map(Some)
}

/// A name that begins with `#`, from the package's own `imports`.
fn inner(
    library: &Library,
    base: &Path,
    specifier: &str,
    asking: Asking,
) -> Result<PathBuf, String> {
    let found = enclosing(library, base)?;
    let target = found.as_ref().and_then(|(folder, manifest)| {
        let imports = manifest.json["imports"].as_object()?;
        Some((folder, matched(imports, specifier, asking)?))
    });
    match target {
        Some((folder, target)) if target.starts_with('.') => target_file(library, folder, &target),
        Some((folder, target)) => resolve(library, &folder.join("package.json"), &target, asking),
        None => Err(format!(
            "no package.json of its package has {specifier} in its imports"
        )),
    }
}

/// The nearest package that a file is in.
fn enclosing(library: &Library, base: &Path) -> Result<Option<(PathBuf, Arc<Manifest>)>, String> {
    for folder in base.ancestors().skip(1) {
        if let Some(manifest) = library.manifest(folder)? {
            return Ok(Some((folder.to_owned(), manifest)));
        }
    }
    Ok(None)
}

fn target_file(library: &Library, package: &Path, target: &str) -> Result<PathBuf, String> {
    let path = names::clean(&package.join(target));
    if !path.starts_with(package) {
        return Err(format!("{target} leads out of {}", package.display()));
    }
    locate::file(library, &path)
}

/// What `exports` has for a path in the package.
fn exported(exports: &Json, subpath: &str, asking: Asking) -> Option<String> {
    match exports {
        Json::Object(table) if table.keys().any(|key| key.starts_with('.')) => {
            matched(table, subpath, asking)
        }
        all if subpath == "." => target(all, "", asking, 0),
        _ => None,
    }
}

/// The target of an exact key, else of the most specific pattern.
fn matched(table: &Object<String, Json>, key: &str, asking: Asking) -> Option<String> {
    if let Some(exact) = table.get(key).filter(|_| !key.contains('*')) {
        return target(exact, "", asking, 0);
    }
    let patterns = table.iter().filter_map(|(pattern, value)| {
        let (before, after) = pattern.split_once('*')?;
        let matched = key.strip_prefix(before)?.strip_suffix(after)?;
        (!matched.is_empty()).then_some((before.len(), pattern.len(), matched, value))
    });
    let best = patterns.max_by_key(|(before, length, ..)| (*before, *length));
    let (_, _, matched, value) = best?;
    target(value, matched, asking, 0)
}

/// The path behind a target, which may be a path, a choice by conditions or a list.
fn target(value: &Json, matched: &str, asking: Asking, depth: usize) -> Option<String> {
    let holds = |condition: &str| match condition {
        "default" | "k6" | "browser" => true,
        "import" => asking == Asking::Import,
        "require" => asking == Asking::Require,
        _ => false,
    };
    if depth > DEPTH_LIMIT {
        return None;
    }
    match value {
        Json::String(path) => Some(path.replace('*', matched)),
        Json::Object(choice) => choice
            .iter()
            .filter(|(condition, _)| holds(condition))
            .find_map(|(_, value)| target(value, matched, asking, depth + 1)),
        // Of a list the first that can be one.
        Json::Array(list) => list
            .iter()
            .filter_map(|value| target(value, matched, asking, depth + 1))
            .find(|path| path.starts_with("./")),
        _ => None,
    }
}
