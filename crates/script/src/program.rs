//! A loaded script: what the one pass that loads it found, and what every VU is made from.
//!
//! Loading fills the tables of modules, files and shared arrays; sealing ends that. Locks are taken only while VUs are
//! initialised, never per request.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use netload_engine::log::Log;
use netload_engine::program::{Program, ProgramError, VuHost};
use netload_engine::worker::Worker;
use netload_metrics::Registry;
use serde_json::Value as Json;

use crate::context::{Local, Running, VuContext};
use crate::intrinsics::Intrinsics;
use crate::loader;
use crate::modules::data::ArrayData;
use crate::vu::{Exported, ScriptVu};

/// What a VU's JavaScript may use unless another limit is given, in bytes.
pub const MEMORY_LIMIT_BYTES: u64 = 256 << 20;
/// How often a load starts over because an import names what a native module does not export.
const MISSING_EXPORTS_LIMIT: usize = 1_000;

/// Where a script comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A text, such as one read from standard input; imports are relative to `folder`.
    Text {
        /// The script.
        text: String,
        /// The folder that relative paths start from.
        folder: PathBuf,
    },
}

/// How a script is run.
#[derive(Clone)]
pub struct RuntimeOptions {
    /// What scripts see as `__ENV`, the later of two equal names winning.
    pub env: Vec<(String, String)>,
    /// Whether `__ENV` also holds the environment of the process; `env` wins.
    pub system_env: bool,
    /// Whether `global` is there (compatibility mode `extended`).
    pub global_alias: bool,
    /// What each VU's JavaScript may use, in bytes.
    pub memory_limit_bytes: u64,
    /// Where custom metrics are declared.
    pub registry: Arc<Registry>,
    /// Where console lines go while no worker exists.
    pub log: Arc<dyn Log>,
}

impl RuntimeOptions {
    /// k6's defaults.
    pub fn new(registry: Arc<Registry>, log: Arc<dyn Log>) -> Self {
        Self {
            env: Vec::new(),
            system_env: true,
            global_alias: true,
            memory_limit_bytes: MEMORY_LIMIT_BYTES,
            registry,
            log,
        }
    }
}

/// One module's text and, once compiled, its bytecode.
#[derive(Clone)]
struct ModuleCode {
    source: Arc<str>,
    bytecode: Option<Arc<[u8]>>,
}

/// What all VUs of a script share, on all threads.
pub(crate) struct Shared {
    /// The name of the script's own module.
    pub(crate) entry: String,
    /// The names and values of `__ENV`, sorted.
    pub(crate) env: Vec<(String, String)>,
    /// Whether `global` is there.
    pub(crate) global_alias: bool,
    /// What each VU's JavaScript may use, in bytes.
    pub(crate) memory_limit_bytes: u64,
    /// Where custom metrics are declared.
    pub(crate) registry: Arc<Registry>,
    /// Where console lines go while no worker exists.
    pub(crate) log: Arc<dyn Log>,
    modules: Mutex<HashMap<String, ModuleCode>>,
    files: Mutex<HashMap<PathBuf, Arc<[u8]>>>,
    arrays: Mutex<HashMap<String, Arc<ArrayData>>>,
    missing: Mutex<BTreeSet<(String, String)>>,
    sealed: AtomicBool,
    intrinsics: OnceLock<Intrinsics>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn new(entry: String, options: &RuntimeOptions) -> Self {
        let mut env: HashMap<String, String> = HashMap::new();
        if options.system_env {
            let text = |s: std::ffi::OsString| s.to_string_lossy().into_owned();
            env.extend(std::env::vars_os().map(|(k, v)| (text(k), text(v))));
        }
        env.extend(options.env.iter().cloned());
        let mut env: Vec<_> = env.into_iter().collect();
        env.sort();
        Self {
            entry,
            env,
            global_alias: options.global_alias,
            memory_limit_bytes: options.memory_limit_bytes,
            registry: options.registry.clone(),
            log: options.log.clone(),
            modules: Mutex::default(),
            files: Mutex::default(),
            arrays: Mutex::default(),
            missing: Mutex::default(),
            sealed: AtomicBool::new(false),
            intrinsics: OnceLock::new(),
        }
    }

    /// The text of a module.
    pub(crate) fn source(&self, name: &str) -> Option<Arc<str>> {
        lock(&self.modules).get(name).map(|m| m.source.clone())
    }

    /// The bytecode of a module.
    pub(crate) fn bytecode(&self, name: &str) -> Option<Arc<[u8]>> {
        lock(&self.modules).get(name)?.bytecode.clone()
    }

    /// Remembers the bytecode of a module that was read before.
    pub(crate) fn keep_bytecode(&self, name: &str, bytecode: Vec<u8>) {
        if let Some(module) = lock(&self.modules).get_mut(name) {
            module.bytecode = Some(bytecode.into());
        }
    }

    /// Reads a module's file.
    ///
    /// # Errors
    /// One sentence why it cannot be read.
    pub(crate) fn read_module(&self, name: &str) -> Result<Arc<str>, String> {
        if let Some(source) = self.source(name) {
            return Ok(source);
        }
        let path = loader::module_path(name).ok_or("it is not a file")?;
        if self.sealed.load(Relaxed) {
            return Err("VUs can only import what was imported while the script was loaded".into());
        }
        if let Some(reason) = refused_extension(&path) {
            return Err(reason);
        }
        let bytes = std::fs::read(&path).map_err(|e| cannot_read(&path, &e))?;
        let source: Arc<str> = String::from_utf8(bytes)
            .map_err(|_| format!("{} is not UTF-8 text", path.display()))?
            .into();
        self.keep_source(name, source.clone());
        Ok(source)
    }

    fn keep_source(&self, name: &str, source: Arc<str>) {
        let code = ModuleCode {
            source,
            bytecode: None,
        };
        lock(&self.modules).insert(name.to_owned(), code);
    }

    /// The content of a file that the script opens.
    ///
    /// # Errors
    /// One sentence why it cannot be had.
    pub(crate) fn open(&self, path: &Path) -> Result<Arc<[u8]>, String> {
        if let Some(content) = lock(&self.files).get(path) {
            return Ok(content.clone());
        }
        if self.sealed.load(Relaxed) {
            return Err(format!(
                "{} was not opened while the script was loaded; \
                 open() must be called with the same files in every VU",
                path.display()
            ));
        }
        let content: Arc<[u8]> = std::fs::read(path)
            .map_err(|e| cannot_read(path, &e))?
            .into();
        lock(&self.files).insert(path.to_owned(), content.clone());
        Ok(content)
    }

    /// The shared array of this name.
    pub(crate) fn array(&self, name: &str) -> Option<Arc<ArrayData>> {
        lock(&self.arrays).get(name).cloned()
    }

    /// Remembers a shared array; the first of a name counts.
    pub(crate) fn keep_array(&self, name: &str, data: ArrayData) -> Arc<ArrayData> {
        let data = Arc::new(data);
        lock(&self.arrays)
            .entry(name.to_owned())
            .or_insert(data)
            .clone()
    }

    /// Names that the script imports from a native module although it does not export them; they are undefined.
    pub(crate) fn missing_exports(&self, module: &str) -> Vec<String> {
        let missing = lock(&self.missing);
        let of_module = missing.iter().filter(|(m, _)| m == module);
        of_module.map(|(_, name)| name.clone()).collect()
    }

    /// Notes the missing export that a failed load complains about. True when it is a new one of a native module.
    fn note_missing_export(&self, error: &ProgramError) -> bool {
        let ProgramError::Exception(text) = error else {
            return false;
        };
        let Some((_, rest)) = text.split_once("Could not find export '") else {
            return false;
        };
        let found = rest
            .split_once("' in module '")
            .and_then(|(name, rest)| Some((rest.split_once('\'')?.0, name)));
        match found {
            Some((module, name)) if crate::modules::is_native(module) => {
                let mut missing = lock(&self.missing);
                missing.len() < MISSING_EXPORTS_LIMIT
                    && missing.insert((module.to_owned(), name.to_owned()))
            }
            _ => false,
        }
    }

    /// Ends loading: nothing new can be read from now on.
    fn seal(&self) {
        let modules = lock(&self.modules);
        let texts = modules.values().map(|m| &*m.source);
        let _ = self.intrinsics.set(Intrinsics::reachable(texts));
        self.sealed.store(true, Relaxed);
    }

    /// What a VU's library must hold: everything until the script is loaded.
    pub(crate) fn intrinsics(&self) -> Intrinsics {
        self.intrinsics.get().copied().unwrap_or(Intrinsics::ALL)
    }

    /// Whether an exception says that the memory limit was reached.
    pub(crate) fn is_out_of_memory(&self, headline: &str) -> bool {
        headline == "InternalError: out of memory"
    }

    /// The memory limit in words.
    pub(crate) fn memory_text(&self) -> String {
        format!("{} MiB", self.memory_limit_bytes >> 20)
    }
}

fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::NotFound {
        format!("there is no file {}", path.display())
    } else {
        format!("cannot read {}: {error}", path.display())
    }
}

/// Files that are not JavaScript, by their names.
fn refused_extension(path: &Path) -> Option<String> {
    match path.extension()?.to_str()? {
        "ts" | "mts" | "cts" | "tsx" => Some(format!(
            "{} is TypeScript, which this version of netload does not run yet; compile it to JavaScript first",
            path.display()
        )),
        "json" => Some(format!(
            "JSON is not a module; use JSON.parse(open('{}')) in the init code",
            path.display()
        )),
        "tar" => Some(format!(
            "{} is an archive, which this version of netload does not run yet",
            path.display()
        )),
        _ => None,
    }
}

/// A loaded script.
#[derive(Clone)]
pub struct Script {
    shared: Arc<Shared>,
    exported: Arc<Exported>,
}

impl Script {
    /// Runs the script's init code once, to find its options, functions, files and metrics.
    ///
    /// Returns the script and its `options` as JSON (null when it exports none).
    ///
    /// # Errors
    /// When the script cannot be read or compiled, throws, or exports no function.
    pub fn load(source: Source, options: RuntimeOptions) -> Result<(Self, Json), ProgramError> {
        // JavaScript runs on a thread of its own, so that this can be called from anywhere, also from inside a runtime.
        let loading = std::thread::Builder::new()
            .name("load".into())
            .spawn(move || Self::load_here(source, &options))
            .map_err(|e| ProgramError::Invalid(format!("cannot start a thread: {e}")))?;
        loading
            .join()
            .unwrap_or_else(|_| Err(ProgramError::Exception("loading the script failed".into())))
    }

    fn load_here(source: Source, options: &RuntimeOptions) -> Result<(Self, Json), ProgramError> {
        let clock = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|e| ProgramError::Invalid(format!("cannot start a runtime: {e}")))?;
        let (entry, text) = match source {
            Source::File(path) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                (loader::module_name(&path), None)
            }
            Source::Text { text, folder } => {
                let folder = std::path::absolute(&folder).unwrap_or(folder);
                (loader::module_name(&folder.join("-")), Some(text))
            }
        };
        let shared = Arc::new(Shared::new(entry, options));
        if let Some(text) = text {
            let entry = shared.entry.clone();
            shared.keep_source(&entry, text.into());
        }
        loop {
            let vu = VuContext::new(shared.clone(), None);
            match clock.block_on(ScriptVu::start(vu)) {
                Ok((_, exported)) => {
                    shared.seal();
                    return Self::checked(shared, exported);
                }
                Err(error) if shared.note_missing_export(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn checked(shared: Arc<Shared>, exported: Exported) -> Result<(Self, Json), ProgramError> {
        let options = exported.options.clone();
        for (name, is_function) in &exported.life_cycle {
            if !is_function {
                return Err(ProgramError::Invalid(format!(
                    "the exported '{name}' of {} must be a function",
                    shared.entry
                )));
            }
        }
        if exported.functions.is_empty() {
            return Err(ProgramError::Invalid(format!(
                "{} exports no function; write 'export default function () {{ ... }}'",
                shared.entry
            )));
        }
        let exported = Arc::new(exported);
        Ok((Self { shared, exported }, options))
    }

    /// The names of the exported functions.
    pub fn functions(&self) -> &[String] {
        &self.exported.functions
    }

    /// Whether the script exports a function of this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.exported.functions.iter().any(|f| f == name)
    }
}

impl Program for Script {
    type Local = Local;
    type Vu = ScriptVu;

    fn local(&self, worker: &Rc<Worker>) -> Result<Local, ProgramError> {
        Ok(Local::new(worker))
    }

    async fn vu(&self, local: &Rc<Local>, host: VuHost) -> Result<ScriptVu, ProgramError> {
        let running = Running::new(local, host);
        let vu = VuContext::new(self.shared.clone(), Some(running));
        let (vu, _) = ScriptVu::start(vu).await?;
        Ok(vu)
    }

    fn has_setup(&self) -> bool {
        self.has_function("setup")
    }

    fn has_teardown(&self) -> bool {
        self.has_function("teardown")
    }
}
