//! Runs a script text through the real engine and keeps what it logged and measured.

#![allow(dead_code, reason = "every test file uses another part of the harness")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use netload_engine::{Finish, Level, Log, ProgramError, Record, RunConfig, RunResult, run};
use netload_metrics::{Aggregate, Registry};
use netload_net::{NetConfig, Network};
use netload_plan::{Layered, Options, Origin, Plan};
use netload_script::{RuntimeOptions, Script, Source};
use serde_json::{Value as Json, json};

/// Keeps log records.
#[derive(Default)]
pub(crate) struct Lines(Mutex<Vec<Record>>);

impl Log for Lines {
    fn log(&self, record: Record) {
        self.0.lock().unwrap().push(record);
    }
}

/// What a run left.
pub(crate) struct Ran {
    pub(crate) result: RunResult,
    pub(crate) records: Vec<Record>,
}

impl Ran {
    /// What the script printed while the test ran, init code left out when it prints nothing.
    pub(crate) fn console(&self) -> Vec<&str> {
        let printed = self.records.iter().filter(|r| r.source == Some("console"));
        printed.map(|r| r.message.as_str()).collect()
    }

    /// The texts of exceptions.
    pub(crate) fn exceptions(&self) -> Vec<&str> {
        let not_console = |r: &&Record| r.level == Level::Error && r.source != Some("console");
        let errors = self.records.iter().filter(not_console);
        errors.map(|r| r.message.as_str()).collect()
    }

    /// The sum of a counter or the number of a trend's samples.
    pub(crate) fn count(&self, metric: &str) -> u64 {
        match self.result.summary.metric(metric).map(|m| &m.data) {
            Some(Aggregate::Counter(c)) => c.sum as u64,
            Some(Aggregate::Trend(h)) => h.count(),
            Some(other) => panic!("{metric} is {other:?}"),
            None => 0,
        }
    }

    pub(crate) fn completed(&self) {
        assert_eq!(self.result.finish, Finish::Completed, "{:?}", self.records);
    }
}

/// A test of one script.
pub(crate) struct Test {
    script: Source,
    options: Json,
    runtime: Box<dyn FnOnce(&mut RuntimeOptions)>,
    workers: usize,
    summary: Option<&'static str>,
}

/// What is left of a test once its script is loaded: options as typed, workers, the summary's data.
type Rest = (Json, usize, Option<&'static str>);

impl Test {
    pub(crate) fn new(script: &str) -> Self {
        Self::source(Source::Text {
            text: script.to_owned(),
            folder: PathBuf::from("/scripts"),
        })
    }

    pub(crate) fn file(path: &Path) -> Self {
        Self::source(Source::File(path.to_owned()))
    }

    pub(crate) fn source(script: Source) -> Self {
        Self {
            script,
            options: json!({}),
            runtime: Box::new(|_| {}),
            workers: 1,
            summary: None,
        }
    }

    /// Options as given on the command line.
    pub(crate) fn options(mut self, options: Json) -> Self {
        self.options = options;
        self
    }

    pub(crate) fn runtime(mut self, change: impl FnOnce(&mut RuntimeOptions) + 'static) -> Self {
        self.runtime = Box::new(change);
        self
    }

    /// Calls handleSummary with this data.
    pub(crate) fn summary(mut self, data: &'static str) -> Self {
        self.summary = Some(data);
        self
    }

    /// Only loads the script.
    pub(crate) fn load(self) -> Result<(Script, Json), ProgramError> {
        let (_, loaded) = self.load_with(Arc::default(), Arc::new(Registry::new()));
        loaded
    }

    fn load_with(
        self,
        log: Arc<Lines>,
        registry: Arc<Registry>,
    ) -> (Rest, Result<(Script, Json), ProgramError>) {
        let mut options = RuntimeOptions::new(registry, log);
        options.system_env = false;
        (self.runtime)(&mut options);
        let rest = (self.options, self.workers, self.summary);
        (rest, Script::load(self.script, options))
    }

    /// Loads and runs the script.
    pub(crate) fn run(self) -> Ran {
        let log: Arc<Lines> = Arc::default();
        let registry = Arc::new(Registry::new());
        let ((typed, workers, summary), loaded) = self.load_with(log.clone(), registry.clone());
        let (script, options) = loaded.unwrap_or_else(|e| panic!("{e}"));
        log.0.lock().unwrap().clear();
        let mut layered = Layered::default();
        for (origin, json) in [(Origin::Script, options), (Origin::CommandLine, typed)] {
            if !json.is_null() {
                layered.add(origin, Options::from_json(&json).unwrap().0);
            }
        }
        let plan = Arc::new(Plan::resolve(&layered).unwrap());
        let config = RunConfig {
            plan,
            registry,
            workers,
            network: Network::new(&NetConfig::default()).unwrap(),
            sinks: Vec::new(),
            log: log.clone(),
            scopes: false,
            thresholds: true,
            on_start: Box::new(|_| {}),
            observer: Box::new(|_| {}),
            summary_data: summary.map(|data| -> netload_engine::run::SummaryData {
                Box::new(move |_, _| data.to_owned())
            }),
        };
        let result = run(Arc::new(script), config).unwrap();
        let records = std::mem::take(&mut *log.0.lock().unwrap());
        Ran { result, records }
    }
}

/// What a script prints in one iteration.
pub(crate) fn printed(body: &str) -> Vec<String> {
    let script = format!("export default function () {{\n{body}\n}}");
    let ran = Test::new(&script).run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    ran.console().into_iter().map(str::to_owned).collect()
}
