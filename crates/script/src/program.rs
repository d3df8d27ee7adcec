//! A loaded script: what the one pass that loads it found, and what every VU is made from.
//!
//! Loading fills the tables of modules, files and shared arrays; sealing ends that. Locks are taken only while VUs are
//! initialised, never per request.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use netload_engine::log::{Level, Log, Record};
use netload_engine::program::{Program, ProgramError, VuHost};
use netload_engine::worker::Worker;
use netload_metrics::Registry;
use serde_json::Value as Json;

use crate::archive::{self, Archive, Packing};
use crate::context::{Local, Running, VuContext};
use crate::environment::Variables;
use crate::intrinsics::Intrinsics;
use crate::loader::commonjs::ALL;
use crate::loader::library::{Format, Library};
use crate::loader::names;
use crate::loader::remote::Remote;
use crate::loader::store::Store;
use crate::modules::data::ArrayData;
use crate::secrets::Secrets;
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
    /// An archive.
    Archive(Archive),
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
    /// Whether `__ENV` is frozen.
    pub freeze_env: bool,
    /// What each VU's JavaScript may use, in bytes.
    pub memory_limit_bytes: u64,
    /// Whether and how remote modules are had.
    pub remote: Remote,
    /// Where scripts get secrets from.
    pub secrets: Arc<Secrets>,
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
            freeze_env: false,
            memory_limit_bytes: MEMORY_LIMIT_BYTES,
            remote: Remote::default(),
            secrets: Arc::default(),
            registry,
            log,
        }
    }
}

/// What all VUs of a script share, on all threads.
pub(crate) struct Shared {
    /// The name of the script's own module.
    pub(crate) entry: String,
    /// The names and values that `__ENV` can have, sorted.
    env: Vec<(String, String)>,
    /// Whether `global` is there.
    pub(crate) global_alias: bool,
    /// Whether `__ENV` is frozen.
    pub(crate) freeze_env: bool,
    /// What each VU's JavaScript may use, in bytes.
    pub(crate) memory_limit_bytes: u64,
    /// Where custom metrics are declared.
    pub(crate) registry: Arc<Registry>,
    /// Where console lines go while no worker exists.
    pub(crate) log: Arc<dyn Log>,
    /// Where scripts get secrets from.
    pub(crate) secrets: Arc<Secrets>,
    /// Every text and file that was read.
    pub(crate) library: Library,
    arrays: Mutex<HashMap<String, Arc<ArrayData>>>,
    intrinsics: OnceLock<Intrinsics>,
    variables: OnceLock<Variables>,
}

/// Locks a table; a panic elsewhere does not make it unusable.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn new(entry: String, library: Library, options: &RuntimeOptions) -> Self {
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
            freeze_env: options.freeze_env,
            memory_limit_bytes: options.memory_limit_bytes,
            registry: options.registry.clone(),
            log: options.log.clone(),
            secrets: options.secrets.clone(),
            library,
            arrays: Mutex::default(),
            intrinsics: OnceLock::new(),
            variables: OnceLock::new(),
        }
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

    /// Notes the missing export that a failed load complains about. True when it is a new one of a module that may
    /// lack it: a native one, or one whose exports are known only when it runs.
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
        let Some((module, name)) = found else {
            return false;
        };
        let library = &self.library;
        let may_lack = crate::modules::is_native(module)
            || matches!(library.bytecode(module), Some((Format::CommonJs, _)));
        let noted = may_lack
            && library.wanted_count() < MISSING_EXPORTS_LIMIT
            && library.want(module, name);
        if noted && crate::modules::is_native(module) {
            library.warn(format!("{module} has no export `{name}`: it is undefined"));
        }
        noted
    }

    /// Ends loading: nothing new can be read from now on.
    fn seal(&self) {
        let reachable = |texts: &[&str]| Intrinsics::reachable(texts.iter().copied());
        let _ = self.intrinsics.set(self.library.with_texts(reachable));
        let readable = |texts: &[&str]| Variables::readable(texts.iter().copied());
        let _ = self.variables.set(self.library.with_texts(readable));
        self.library.seal();
    }

    /// What a VU's library must hold: everything until the script is loaded.
    pub(crate) fn intrinsics(&self) -> Intrinsics {
        self.intrinsics.get().copied().unwrap_or(Intrinsics::ALL)
    }

    /// The names and values of `__ENV`: all until the script is loaded, then those that it can read.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        let variables = self.variables.get().unwrap_or(&Variables::All);
        let all = self.env.iter().map(|(name, value)| (&**name, &**value));
        all.filter(|(name, _)| variables.has(name))
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

/// The name of a script's own module, and a library that has what is known of it.
fn library(source: Source, options: &RuntimeOptions) -> Result<(String, Library), ProgramError> {
    let remote = options.remote.clone();
    Ok(match source {
        Source::File(path) => {
            let path = std::path::absolute(&path).unwrap_or(path);
            (names::of_path(&path), Library::new(Store::Disk, remote))
        }
        Source::Text { text, folder } => {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            let entry = names::of_path(&folder.join(names::STANDARD_INPUT));
            let library = Library::new(Store::Disk, remote);
            let kept = library.keep_text(&entry, text.into());
            kept.map_err(ProgramError::Exception)?;
            (entry, library)
        }
        Source::Archive(archive) => {
            let store = Store::Archive(archive.held);
            (archive.entry, Library::new(store, remote))
        }
    })
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
        let (entry, library) = library(source, options)?;
        // The engine looks at all that the script exports.
        library.want(&entry, ALL);
        let shared = Arc::new(Shared::new(entry, library, options));
        loop {
            let vu = VuContext::new(shared.clone(), None);
            match clock.block_on(ScriptVu::start(vu)) {
                Ok((_, exported)) => {
                    for warning in shared.library.take_warnings() {
                        shared.log.log(Record::new(Level::Warning, warning));
                    }
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
        // Of CommonJS everything together stands for a default that is not there.
        let common_js = matches!(
            shared.library.bytecode(&shared.entry),
            Some((Format::CommonJs, _))
        );
        for (name, is_function) in &exported.life_cycle {
            let stands_in = common_js && *name == "default";
            if !is_function && !stands_in {
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

    /// The script with everything it has read, as a tar file.
    ///
    /// # Errors
    /// One sentence why it cannot be packed.
    pub fn archive(&self, packing: &Packing) -> Result<Vec<u8>, String> {
        let files = self.shared.library.everything();
        archive::pack(&self.shared.entry, &files, packing)
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
