//! From what is written in an import or `require` to the name of the module it means.
//!
//! Exact names win, as in k6; where there is no such file, what Node and TypeScript find is found: endings that are
//! left out, folders with an index, `./a.js` that is `./a.ts`.

use std::path::{Path, PathBuf};

use super::library::{Asking, Library};
use super::names::{self, REMOTE_SCHEME};
use super::packages;
use crate::modules;

/// Endings that may be left out, in the order they are tried.
const ENDINGS: [&str; 7] = ["js", "mjs", "cjs", "ts", "mts", "cts", "json"];

/// Endings that stand for the TypeScript a file was written in.
const WRITTEN_IN: [(&str, &str); 3] = [("js", "ts"), ("mjs", "mts"), ("cjs", "cts")];

/// The name of the module that `specifier` means in the module `base`.
///
/// # Errors
/// One sentence why there cannot be such a module.
pub(crate) fn resolve(
    library: &Library,
    base: &str,
    specifier: &str,
    asking: Asking,
) -> Result<String, String> {
    if modules::is_native(specifier) {
        return match modules::refusal(specifier) {
            None => Ok(specifier.to_owned()),
            Some(reason) => Err(reason),
        };
    }
    if netload_typescript::helper(specifier).is_some() {
        return Ok(specifier.to_owned());
    }
    let key = (base.to_owned(), specifier.to_owned(), asking);
    if let Some(name) = library.resolved(&key) {
        return Ok(name);
    }
    let name = search(library, base, specifier, asking)?;
    library.keep_resolved(key, &name);
    Ok(name)
}

fn search(
    library: &Library,
    base: &str,
    specifier: &str,
    asking: Asking,
) -> Result<String, String> {
    if let Some(path) = specifier.strip_prefix(names::FILE_SCHEME) {
        return file(library, &names::clean(Path::new(path))).map(|p| names::of_path(&p));
    }
    let is_path = specifier.starts_with(['.', '/']);
    let remote_base = base.starts_with(REMOTE_SCHEME);
    if specifier.starts_with(REMOTE_SCHEME) || remote_base && is_path {
        return remote(library, base, specifier);
    }
    if let Some((scheme, _)) = specifier.split_once("://") {
        return Err(format!(
            "modules cannot be imported over {scheme}; only https://, file paths, packages and k6/... can"
        ));
    }
    let base = names::path(base).unwrap_or_default();
    let path = if is_path {
        file(library, &names::absolute(&base, specifier))?
    } else if remote_base {
        return Err(packages::no_package(specifier, "of a remote module"));
    } else {
        packages::resolve(library, &base, specifier, asking)?
    };
    Ok(names::of_path(&path))
}

/// The address of a remote module. What follows `#` is what its text must be: `#sha256-...`.
fn remote(library: &Library, base: &str, specifier: &str) -> Result<String, String> {
    let parsed = if specifier.starts_with(REMOTE_SCHEME) {
        url::Url::parse(specifier)
    } else {
        url::Url::parse(base).and_then(|base| base.join(specifier))
    };
    let mut address = parsed.map_err(|e| format!("{specifier} is not an address: {e}"))?;
    let integrity = address.fragment().map(str::to_owned);
    address.set_fragment(None);
    let name = String::from(address);
    if let Some(integrity) = integrity.filter(|text| text.starts_with("sha")) {
        library.demand(&name, &integrity)?;
    }
    Ok(name)
}

/// The file that a path means.
///
/// # Errors
/// When there is none.
pub(crate) fn file(library: &Library, path: &Path) -> Result<PathBuf, String> {
    let store = &library.store;
    // Texts that were handed over have a name and no file.
    if store.is_file(path) || library.text(&names::of_path(path)).is_some() {
        return Ok(path.to_owned());
    }
    let found = written_in(path)
        .filter(|p| store.is_file(p))
        .or_else(|| with_ending(library, path));
    if let Some(found) = found {
        return Ok(found);
    }
    if store.is_folder(path) {
        return folder(library, path)?.ok_or_else(|| {
            format!(
                "{} is a folder without index.js; name a file in it",
                path.display()
            )
        });
    }
    // Tells which file of the folder may be meant.
    store.read(path).map(|_| path.to_owned())
}

/// The file that stands for a folder: what its package.json names, else its index.
///
/// # Errors
/// When its package.json cannot be read.
pub(crate) fn folder(library: &Library, path: &Path) -> Result<Option<PathBuf>, String> {
    let manifest = library.manifest(path)?;
    let main = manifest.as_ref().and_then(|m| m.main());
    if let Some(main) = main {
        let main = names::clean(&path.join(main));
        let exact = Some(main.clone()).filter(|p| library.store.is_file(p));
        let index = || with_ending(library, &main.join("index"));
        if let Some(found) = exact.or_else(|| with_ending(library, &main)).or_else(index) {
            return Ok(Some(found));
        }
    }
    Ok(with_ending(library, &path.join("index")))
}

fn with_ending(library: &Library, path: &Path) -> Option<PathBuf> {
    let candidates = ENDINGS.iter().map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    });
    candidates
        .into_iter()
        .find(|path| library.store.is_file(path))
}

fn written_in(path: &Path) -> Option<PathBuf> {
    let ending = path.extension()?.to_str()?;
    let (_, source) = WRITTEN_IN.iter().find(|(made, _)| *made == ending)?;
    Some(path.with_extension(source))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::remote::Remote;
    use super::super::store::{Held, Store};
    use super::*;

    fn library(files: &[(&str, &str)]) -> Library {
        let mut held = Held::default();
        for (path, text) in files {
            held.insert(PathBuf::from(path), text.as_bytes().into());
        }
        Library::new(Store::Archive(Arc::new(held)), Remote::default())
    }

    fn found(library: &Library, specifier: &str, asking: Asking) -> String {
        let base = "file:///a/b/main.js";
        let name = resolve(library, base, specifier, asking);
        name.unwrap_or_else(|reason| format!("! {reason}"))
    }

    fn imported(library: &Library, specifier: &str) -> String {
        found(library, specifier, Asking::Import)
    }

    #[test]
    fn paths_become_names() {
        let library = library(&[
            ("/a/b/lib.js", ""),
            ("/a/lib.js", ""),
            ("/lib.js", ""),
            ("/c/lib.js", ""),
        ]);
        for (specifier, name) in [
            ("k6/http", "k6/http"),
            ("./lib.js", "file:///a/b/lib.js"),
            ("../lib.js", "file:///a/lib.js"),
            ("./x/./y/../../lib.js", "file:///a/b/lib.js"),
            ("../../../../lib.js", "file:///lib.js"),
            ("/lib.js", "file:///lib.js"),
            ("file:///c/lib.js", "file:///c/lib.js"),
            ("https://h/x/../y.js?a=1", "https://h/y.js?a=1"),
        ] {
            assert_eq!(imported(&library, specifier), name, "{specifier}");
        }
        let remote = resolve(&library, "https://h/x/y.js", "../z.js", Asking::Import);
        assert_eq!(remote.as_deref(), Ok("https://h/z.js"));
    }

    #[test]
    fn what_is_left_out_is_found() {
        let library = library(&[
            ("/a/b/types.ts", ""),
            ("/a/b/data.json", ""),
            ("/a/b/dir/index.js", ""),
            ("/a/b/pkg/package.json", r#"{ "main": "lib/start" }"#),
            ("/a/b/pkg/lib/start.js", ""),
            ("/a/b/x", ""),
            ("/a/b/x.js", ""),
        ]);
        for (specifier, name) in [
            ("./types", "file:///a/b/types.ts"),
            ("./types.js", "file:///a/b/types.ts"),
            ("./data", "file:///a/b/data.json"),
            ("./dir", "file:///a/b/dir/index.js"),
            ("./pkg", "file:///a/b/pkg/lib/start.js"),
            ("./x", "file:///a/b/x"),
        ] {
            assert_eq!(imported(&library, specifier), name, "{specifier}");
        }
        assert_eq!(
            imported(&library, "./nothing.js"),
            "! /a/b/nothing.js is not in the archive"
        );
    }

    #[test]
    fn packages_follow_their_exports() {
        let exports = r##"{
            "name": "both",
            "exports": {
                ".": { "types": "./t.d.ts", "node": "./node.js", "import": "./esm.mjs", "require": "./cjs.cjs" },
                "./feature/*": "./src/*.js",
                "./feature/secret/*": null,
                "./list": ["bad", "./src/list.js"]
            },
            "imports": { "#inner": "./src/inner.js" }
        }"##;
        let library = library(&[
            ("/a/node_modules/both/package.json", exports),
            ("/a/node_modules/both/esm.mjs", ""),
            ("/a/node_modules/both/cjs.cjs", ""),
            ("/a/node_modules/both/src/x.js", ""),
            ("/a/node_modules/both/src/list.js", ""),
            ("/a/node_modules/both/src/inner.js", ""),
            (
                "/a/b/node_modules/old/package.json",
                r#"{ "main": "main.js" }"#,
            ),
            ("/a/b/node_modules/old/main.js", ""),
            ("/a/b/node_modules/old/part.js", ""),
            ("/node_modules/@scope/p/index.js", ""),
        ]);
        for (specifier, name) in [
            ("both", "file:///a/node_modules/both/esm.mjs"),
            ("both/feature/x", "file:///a/node_modules/both/src/x.js"),
            ("both/list", "file:///a/node_modules/both/src/list.js"),
            ("old", "file:///a/b/node_modules/old/main.js"),
            ("old/part", "file:///a/b/node_modules/old/part.js"),
            ("@scope/p", "file:///node_modules/@scope/p/index.js"),
        ] {
            assert_eq!(imported(&library, specifier), name, "{specifier}");
        }
        let required = found(&library, "both", Asking::Require);
        assert_eq!(required, "file:///a/node_modules/both/cjs.cjs");
        let inner = resolve(
            &library,
            "file:///a/node_modules/both/esm.mjs",
            "#inner",
            Asking::Import,
        );
        assert_eq!(
            inner.as_deref(),
            Ok("file:///a/node_modules/both/src/inner.js")
        );
        for (specifier, reason) in [
            (
                "both/feature/secret/a",
                "! the package both does not export ./feature/secret/a",
            ),
            (
                "both/esm.mjs",
                "! the package both does not export ./esm.mjs",
            ),
            (
                "missing",
                "! there is no package missing in a node_modules folder of /a/b or above; install it with `npm install missing`",
            ),
            (
                "fs",
                "! fs is a module of Node.js, which netload is not; use a package made for browsers, or bundle without it",
            ),
            (
                "http",
                "! http is a module of Node.js, which netload is not; did you mean k6/http?",
            ),
        ] {
            assert_eq!(imported(&library, specifier), reason, "{specifier}");
        }
    }
}
