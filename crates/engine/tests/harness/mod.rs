//! A program that only waits, and a way to run it by options written as in a script.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use netload_engine::{
    Activation, Iteration, Log, Outcome, Program, ProgramError, Record, RunConfig, RunResult,
    RunState, Vu, VuHost, Worker, run,
};
use netload_metrics::{Aggregate, Registry, Sink, TagsId};
use netload_net::{NetConfig, Network};
use netload_plan::{Layered, Options, Origin, Plan};

/// What the VUs of a run did.
#[derive(Default)]
pub(crate) struct Diary {
    /// (VU, iteration in the test, planned start) of every iteration that began.
    pub(crate) begun: Mutex<Vec<(u64, u64, Option<u64>)>>,
    /// VUs that were made.
    pub(crate) made: AtomicU64,
    /// Log records.
    pub(crate) log: Mutex<Vec<Record>>,
}

impl Log for Diary {
    fn log(&self, record: Record) {
        self.log.lock().unwrap().push(record);
    }
}

/// Each iteration waits for `wait`.
pub(crate) struct Waiter {
    pub(crate) wait: Duration,
    pub(crate) diary: Arc<Diary>,
    pub(crate) on_iteration: Option<fn(&RunState, u64)>,
    pub(crate) setup: Option<Result<&'static str, &'static str>>,
}

pub(crate) struct WaiterVu {
    wait: Duration,
    diary: Arc<Diary>,
    host: VuHost,
    on_iteration: Option<fn(&RunState, u64)>,
    setup: Option<Result<&'static str, &'static str>>,
}

impl Program for Waiter {
    type Local = ();
    type Vu = WaiterVu;

    fn local(&self, _: &Rc<Worker>) -> Result<(), ProgramError> {
        Ok(())
    }

    async fn vu(&self, _: &Rc<()>, host: VuHost) -> Result<WaiterVu, ProgramError> {
        self.diary.made.fetch_add(u64::from(host.id > 0), Relaxed);
        Ok(WaiterVu {
            wait: self.wait,
            diary: self.diary.clone(),
            host,
            on_iteration: self.on_iteration,
            setup: self.setup,
        })
    }

    fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    fn has_teardown(&self) -> bool {
        self.setup.is_some()
    }
}

impl Vu for WaiterVu {
    fn activate(&mut self, activation: Activation) {
        if let Some(Ok(data)) = self.setup {
            assert_eq!(activation.setup_data.as_deref(), Some(data));
        }
    }

    async fn iterate(&mut self, iteration: Iteration) -> Outcome {
        let entry = (self.host.id, iteration.in_test, iteration.planned_ns);
        self.diary.begun.lock().unwrap().push(entry);
        if let Some(act) = self.on_iteration {
            act(&self.host.worker.state, iteration.in_instance);
        }
        if self.wait.is_zero() {
            return Outcome::Finished;
        }
        let nap = std::pin::pin!(tokio::time::sleep(self.wait));
        match self.host.stop.guard(nap).await {
            Ok(()) => Outcome::Finished,
            Err(_) => Outcome::Interrupted,
        }
    }

    fn take_bytes(&mut self) -> (u64, u64) {
        (1, 2)
    }

    async fn setup(&mut self, _: TagsId) -> Result<Option<String>, ProgramError> {
        match self.setup {
            Some(Ok(data)) => Ok(Some(data.to_owned())),
            Some(Err(error)) => Err(ProgramError::Exception(error.to_owned())),
            None => Ok(None),
        }
    }

    async fn teardown(&mut self, _: TagsId, _: Option<Arc<str>>) -> Result<(), ProgramError> {
        let entry = (0, u64::MAX, None);
        self.diary.begun.lock().unwrap().push(entry);
        Ok(())
    }
}

impl Waiter {
    pub(crate) fn new(wait: Duration) -> Self {
        Self {
            wait,
            diary: Arc::default(),
            on_iteration: None,
            setup: None,
        }
    }

    /// Runs by the options of a script, on two workers.
    #[allow(dead_code, reason = "each test file uses its own part")]
    pub(crate) fn run(self, options: serde_json::Value) -> (RunResult, Arc<Diary>) {
        let (options, _) = Options::from_json(&options).unwrap();
        let mut layered = Layered::default();
        layered.add(Origin::Script, options);
        self.run_plan(Plan::resolve(&layered).unwrap())
    }

    /// Runs by a plan, on two workers.
    pub(crate) fn run_plan(self, plan: Plan) -> (RunResult, Arc<Diary>) {
        self.run_into(plan, Vec::new())
    }

    /// Runs by a plan, on two workers, with outputs.
    pub(crate) fn run_into(self, plan: Plan, sinks: Vec<Box<dyn Sink>>) -> (RunResult, Arc<Diary>) {
        let plan = Arc::new(plan);
        let diary = self.diary.clone();
        let config = RunConfig {
            plan,
            registry: Arc::new(Registry::new()),
            workers: 2,
            network: Network::new(&NetConfig::default()).unwrap(),
            sinks,
            log: diary.clone(),
            scopes: false,
            thresholds: true,
            on_start: Box::new(|_| {}),
            observer: Box::new(|_| {}),
            summary_data: None,
        };
        let result = run(Arc::new(self), config).unwrap();
        (result, diary)
    }
}

/// The sum of a counter in the summary, 0 when it was not observed.
pub(crate) fn count(result: &RunResult, metric: &str) -> u64 {
    match result.summary.metric(metric).map(|m| &m.data) {
        Some(Aggregate::Counter(c)) => c.sum as u64,
        Some(Aggregate::Trend(h)) => h.count(),
        Some(other) => panic!("{metric} is {other:?}"),
        None => 0,
    }
}
