//! Every text and file a test has read: modules with what they were made from, bytecode, opened files, the names that
//! specifiers stand for.
//!
//! Loading fills it; sealing ends that, and from then on VUs find exactly what loading found. Locks are taken only while
//! VUs are initialised.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use netload_typescript::{Map, Problem};
use serde_json::Value as Json;

use super::names;
use super::packages::Manifest;
use super::remote::{self, Remote};
use super::store::Store;
use super::syntax::{self, Syntax};
use crate::program::lock;

/// How a module is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// With import and export.
    EcmaScript,
    /// With `require` and `module.exports`.
    CommonJs,
    /// Data.
    Json,
}

/// Who looks for a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asking {
    /// An import.
    Import,
    /// A call of `require`.
    Require,
}

/// A module's text.
#[derive(Debug)]
pub(crate) struct Text {
    /// As it was read.
    pub(crate) original: Arc<str>,
    /// What is compiled, when it is not the original.
    javascript: Option<String>,
    /// How it is evaluated, as far as its text tells.
    pub(crate) format: Format,
    /// What it imports.
    pub(crate) syntax: Syntax,
    /// The way back from what is compiled; of JavaScript read when first asked for.
    map: OnceLock<Option<Map>>,
}

impl Text {
    /// What is compiled.
    pub(crate) fn javascript(&self) -> &str {
        self.javascript.as_deref().unwrap_or(&self.original)
    }

    /// Whether what is compiled was made here from what the user wrote.
    pub(crate) fn is_translated(&self) -> bool {
        self.javascript.is_some()
    }
}

/// The names that `specifier` stands for, by who asks from where.
type Resolved = HashMap<(String, String, Asking), String>;

/// A module's bytecode, and how it is evaluated.
pub(crate) type Compiled = (Format, Arc<[u8]>);

/// What a test has read.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// Where files come from.
    pub(crate) store: Store,
    /// Whether and how remote modules are had.
    remote: Remote,
    /// What imports demand of remote modules, by their addresses.
    integrity: Mutex<HashMap<String, String>>,
    warnings: Mutex<Vec<String>>,
    texts: Mutex<HashMap<String, Arc<Text>>>,
    bytecode: Mutex<HashMap<String, Compiled>>,
    files: Mutex<BTreeMap<PathBuf, Arc<[u8]>>>,
    manifests: Mutex<BTreeMap<PathBuf, Option<Arc<Manifest>>>>,
    resolved: Mutex<Resolved>,
    /// Names that are imported from modules whose exports are known only when they run.
    wanted: Mutex<BTreeSet<(String, String)>>,
    /// The exports such modules turned out to have.
    exports: Mutex<HashMap<String, Vec<String>>>,
    sealed: AtomicBool,
}

impl Library {
    /// An empty one.
    pub(crate) fn new(store: Store, remote: Remote) -> Self {
        Self {
            store,
            remote,
            ..Self::default()
        }
    }

    /// Whether loading has ended.
    pub(crate) fn is_sealed(&self) -> bool {
        self.sealed.load(Relaxed)
    }

    /// Ends loading: nothing new can be read from now on.
    pub(crate) fn seal(&self) {
        self.sealed.store(true, Relaxed);
    }

    /// A module's text, if it was read.
    pub(crate) fn text(&self, name: &str) -> Option<Arc<Text>> {
        lock(&self.texts).get(name).cloned()
    }

    /// Calls `see` with the text of every module.
    pub(crate) fn with_texts<R>(&self, see: impl FnOnce(&[&str]) -> R) -> R {
        let texts = lock(&self.texts);
        let texts: Vec<&str> = texts.values().map(|t| t.javascript()).collect();
        see(&texts)
    }

    /// A module's bytecode, if it was compiled.
    pub(crate) fn bytecode(&self, name: &str) -> Option<Compiled> {
        lock(&self.bytecode).get(name).cloned()
    }

    /// Remembers a module's bytecode, for as long as there is a library: VUs read its functions when they are first called.
    pub(crate) fn keep_bytecode(&self, name: &str, format: Format, bytecode: Vec<u8>) {
        let mut all = lock(&self.bytecode);
        // What is there may be in use, so the first of a name stays.
        all.entry(name.to_owned())
            .or_insert_with(|| (format, bytecode.into()));
    }

    /// Reads a module.
    ///
    /// # Errors
    /// One sentence why it cannot be had; further lines may follow it.
    pub(crate) fn read(&self, name: &str) -> Result<Arc<Text>, String> {
        if let Some(text) = self.text(name) {
            return Ok(text);
        }
        if self.is_sealed() {
            return Err("VUs can only import what was imported while the script was loaded".into());
        }
        if let Some(helper) = netload_typescript::helper(name) {
            return self.keep_text(name, helper.into());
        }
        let content = match names::path(name) {
            Some(path) => self.store.read(&path)?,
            None => self.fetch(name)?,
        };
        let text = std::str::from_utf8(&content).map_err(|_| "it is not UTF-8 text".to_owned())?;
        self.keep_text(name, text.into())
    }

    /// The content of a remote module, checked.
    fn fetch(&self, address: &str) -> Result<Arc<[u8]>, String> {
        let content = match (&self.store, self.store.remote(address)) {
            (_, Some(content)) => content,
            (Store::Archive(_), None) => return Err("it is not in the archive".to_owned()),
            (Store::Disk, None) => {
                let fetched = remote::fetch(&self.remote, address)?;
                lock(&self.warnings).extend(fetched.warning);
                fetched.content.into()
            }
        };
        if let Some(integrity) = lock(&self.integrity).get(address) {
            remote::check(&content, integrity)?;
        }
        Ok(content)
    }

    /// Remembers what an import demands of a remote module.
    ///
    /// # Errors
    /// When the module was read and is not that.
    pub(crate) fn demand(&self, address: &str, integrity: &str) -> Result<(), String> {
        if let Some(text) = self.text(address) {
            remote::check(text.original.as_bytes(), integrity)?;
        }
        lock(&self.integrity).insert(address.to_owned(), integrity.to_owned());
        Ok(())
    }

    /// Keeps something that the user should know.
    pub(crate) fn warn(&self, warning: String) {
        lock(&self.warnings).push(warning);
    }

    /// Takes what the user should know about what was read.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.warnings))
    }

    /// Remembers a module's text.
    ///
    /// # Errors
    /// When it is not what its name says.
    pub(crate) fn keep_text(&self, name: &str, original: Arc<str>) -> Result<Arc<Text>, String> {
        let text = Arc::new(prepare(name, original, false)?);
        lock(&self.texts).insert(name.to_owned(), text.clone());
        Ok(text)
    }

    /// Takes a text without a name of its own, which is no JavaScript, for TypeScript; none when it has a name.
    ///
    /// # Errors
    /// When it is no TypeScript either.
    pub(crate) fn as_typescript(&self, name: &str) -> Option<Result<Arc<Text>, String>> {
        let text = self.text(name)?;
        if text.is_translated() || !names::is_nameless(name) {
            return None;
        }
        Some(prepare(name, text.original.clone(), true).map(|text| {
            let text = Arc::new(text);
            lock(&self.texts).insert(name.to_owned(), text.clone());
            text
        }))
    }

    /// The content of a file that the script opens.
    ///
    /// # Errors
    /// One sentence why it cannot be had.
    pub(crate) fn open(&self, path: &Path) -> Result<Arc<[u8]>, String> {
        if let Some(content) = lock(&self.files).get(path) {
            return Ok(content.clone());
        }
        if self.is_sealed() {
            return Err(format!(
                "{} was not opened while the script was loaded; \
                 open() must be called with the same files in every VU",
                path.display()
            ));
        }
        let content = self.store.read(path)?;
        lock(&self.files).insert(path.to_owned(), content.clone());
        Ok(content)
    }

    /// The description of the package in `folder`, none when there is none.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub(crate) fn manifest(&self, folder: &Path) -> Result<Option<Arc<Manifest>>, String> {
        if let Some(known) = lock(&self.manifests).get(folder) {
            return Ok(known.clone());
        }
        let path = folder.join("package.json");
        let found = if self.store.is_file(&path) {
            let content = self.store.read(&path)?;
            Some(Arc::new(Manifest::read(&path, content)?))
        } else {
            None
        };
        lock(&self.manifests).insert(folder.to_owned(), found.clone());
        Ok(found)
    }

    /// What `specifier` was found to stand for.
    pub(crate) fn resolved(&self, key: &(String, String, Asking)) -> Option<String> {
        lock(&self.resolved).get(key).cloned()
    }

    /// Remembers what `specifier` stands for.
    pub(crate) fn keep_resolved(&self, key: (String, String, Asking), name: &str) {
        lock(&self.resolved).insert(key, name.to_owned());
    }

    /// Notes that `export` of a module is imported although the module may not have it. True when that is new.
    pub(crate) fn want(&self, module: &str, export: &str) -> bool {
        lock(&self.wanted).insert((module.to_owned(), export.to_owned()))
    }

    /// How many such notes there are.
    pub(crate) fn wanted_count(&self) -> usize {
        lock(&self.wanted).len()
    }

    /// What is imported from a module although it may not have it.
    pub(crate) fn wanted(&self, module: &str) -> Vec<String> {
        let wanted = lock(&self.wanted);
        let of_module = wanted.iter().filter(|(m, _)| m == module);
        of_module.map(|(_, name)| name.clone()).collect()
    }

    /// The exports a module turned out to have when it ran.
    pub(crate) fn exports(&self, module: &str) -> Option<Vec<String>> {
        lock(&self.exports).get(module).cloned()
    }

    /// Remembers the exports of a module that has run.
    pub(crate) fn keep_exports(&self, module: &str, exports: Vec<String>) {
        lock(&self.exports).insert(module.to_owned(), exports);
    }

    /// Calls `see` with the way back from a module's code; false when there is none.
    pub(crate) fn with_map<R>(&self, name: &str, see: impl FnOnce(&Map) -> R) -> Option<R> {
        let text = self.text(name)?;
        let map = text.map.get_or_init(|| self.map_of(name, &text.original));
        map.as_ref().map(see)
    }

    /// The source map that a text names, within it or beside it.
    fn map_of(&self, name: &str, text: &str) -> Option<Map> {
        let url = map_url(text)?;
        let json = match url.strip_prefix("data:application/json") {
            Some(inline) => {
                use base64::Engine;
                let (_, data) = inline.split_once("base64,")?;
                let bytes = base64::engine::general_purpose::STANDARD
                    .decode(data)
                    .ok()?;
                String::from_utf8(bytes).ok()?
            }
            None => {
                let path = map_path(name, text)?;
                String::from_utf8(self.store.read(&path).ok()?.to_vec()).ok()?
            }
        };
        Map::parse(&json).ok()
    }

    /// Where a module names another in what is compiled of it: line and column from 1.
    pub(crate) fn mention(&self, base: &str, specifier: &str) -> Option<(usize, usize)> {
        let text = self.text(base)?;
        let quoted = [format!("'{specifier}'"), format!("\"{specifier}\"")];
        let mut lines = text.javascript().lines().enumerate();
        lines.find_map(|(line, text)| {
            let column = quoted.iter().find_map(|q| text.find(q.as_str()))?;
            Some((line + 1, column + 1))
        })
    }

    /// The module that imports `export` of another, and the other as it is written there.
    pub(crate) fn importing(&self, module: &str, export: &str) -> Option<(String, String)> {
        let resolved = lock(&self.resolved);
        let mut importing: Vec<_> = resolved
            .iter()
            .filter(|(_, name)| *name == module)
            .filter(|((base, specifier, _), _)| {
                self.text(base).is_some_and(|text| {
                    let mut imports = text.syntax.imports.iter();
                    imports.any(|import| {
                        import.specifier == *specifier && import.names.iter().any(|n| n == export)
                    })
                })
            })
            .map(|((base, specifier, _), _)| (base.clone(), specifier.clone()))
            .collect();
        importing.sort();
        importing.into_iter().next()
    }

    /// Everything that was read, by name, for an archive.
    pub(crate) fn everything(&self) -> BTreeMap<String, Arc<[u8]>> {
        let mut all = BTreeMap::new();
        for (name, text) in &*lock(&self.texts) {
            if netload_typescript::helper(name).is_none() {
                all.insert(name.clone(), text.original.as_bytes().into());
            }
            // So that errors point to the sources there too.
            if let Some(path) = map_path(name, &text.original)
                && let Ok(map) = self.store.read(&path)
            {
                all.insert(names::of_path(&path), map);
            }
        }
        for (path, content) in &*lock(&self.files) {
            all.insert(names::of_path(path), content.clone());
        }
        for (folder, manifest) in &*lock(&self.manifests) {
            if let Some(manifest) = manifest {
                let path = folder.join("package.json");
                all.insert(names::of_path(&path), manifest.content.clone());
            }
        }
        all
    }
}

/// Where a text says that its source map is.
fn map_url(text: &str) -> Option<&str> {
    let (_, url) = text.rsplit_once("//# sourceMappingURL=")?;
    url.split_whitespace().next()
}

/// The file with a module's source map, when there is one beside it.
fn map_path(name: &str, text: &str) -> Option<PathBuf> {
    let url = map_url(text).filter(|url| !url.contains(':'))?;
    Some(names::absolute(&names::path(name)?, url))
}

/// Makes of a text what can be compiled; `typescript` where its name does not tell.
fn prepare(name: &str, original: Arc<str>, typescript: bool) -> Result<Text, String> {
    let ending = names::ending(name);
    let format = match ending {
        "json" => {
            serde_json::from_str::<Json>(&original).map_err(|e| format!("it is not JSON: {e}"))?;
            return Ok(Text {
                original,
                javascript: None,
                format: Format::Json,
                syntax: Syntax::default(),
                map: OnceLock::new(),
            });
        }
        "tsx" | "jsx" => {
            return Err("JSX is not part of netload; bundle the script first".to_owned());
        }
        "mjs" | "mts" => Some(Format::EcmaScript),
        "cjs" | "cts" => Some(Format::CommonJs),
        _ => None,
    };
    let map = OnceLock::new();
    let javascript = if typescript || matches!(ending, "ts" | "mts" | "cts") {
        let compiled = netload_typescript::compile(name, &original)
            .map_err(|problems| syntax_errors(name, &original, &problems))?;
        let _ = map.set(Some(compiled.map));
        Some(compiled.code)
    } else {
        None
    };
    let syntax = syntax::scan(javascript.as_deref().unwrap_or(&original));
    let by_text = if syntax.is_module {
        Format::EcmaScript
    } else {
        Format::CommonJs
    };
    Ok(Text {
        format: format.unwrap_or(by_text),
        original,
        javascript,
        syntax,
        map,
    })
}

/// The problems of a TypeScript file, each with its place and the line.
fn syntax_errors(name: &str, text: &str, problems: &[Problem]) -> String {
    let mut all = Vec::new();
    for problem in problems {
        let mut one = format!("SyntaxError: {}", problem.message);
        if let Some((line, column)) = problem.place {
            one.push_str(&format!("\n\tat {name}:{line}:{column}"));
            if let Some(shown) = crate::error::marked_line(text, line, column) {
                one.push('\n');
                one.push_str(&shown);
            }
        }
        all.push(one);
    }
    all.join("\n")
}
