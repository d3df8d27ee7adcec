//! The course of a run, on the calling thread: make VUs, setup, drive the scenarios, teardown, summary.
//!
//! Everything waits in [`Coordinator::pump`], which meanwhile collects windows, judges thresholds, obeys orders and
//! shows the state.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

use netload_net::{Claim, Clock, Patience};
use netload_plan::{Plan, Requirements, Share};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Interval, MissedTickBehavior};

use crate::asked::{Asked, OWN, Reply};
use crate::collect::{Collector, Parts};
use crate::drive::{self, Driver, Event, Scale, Stage};
use crate::health::{ARRIVAL_NS, Health};
use crate::log::{Level, Log, Record};
use crate::message::{Command, Report, SpecialCall, SpecialResult, VuSlot};
use crate::pace::RateLimit;
use crate::placement::Placement;
use crate::pool::VuPool;
use crate::program::{Documents, Program, ProgramError};
use crate::run::{Finish, Live, Phase, RunConfig, RunError, RunResult, SummaryData};
use crate::state::{Control, End, RunState};
use crate::thread::{self, Birth};

/// How often the state is shown.
const SHOW_EVERY: Duration = Duration::from_millis(100);
/// How long a second lasts, in nanoseconds.
const SECOND_NS: u64 = 1_000_000_000;
/// The first second that outputs are told of is longer instead of shorter than this, in nanoseconds.
const TOLD_LEAST_NS: u64 = 500_000_000;
/// How often thresholds are judged, in nanoseconds.
const JUDGE_EVERY_NS: u64 = 2_000_000_000;

/// The conductor of a run.
pub(crate) struct Coordinator {
    plan: Arc<Plan>,
    state: Arc<RunState>,
    clock: Clock,
    collector: Collector,
    /// From the moment when all workers are up.
    health: Option<Health>,
    registry: Arc<netload_metrics::Registry>,
    log: Arc<dyn Log>,
    workers: Vec<UnboundedSender<Command>>,
    placement: Placement,
    threads: Vec<JoinHandle<()>>,
    reports: UnboundedReceiver<Report>,
    orders: UnboundedReceiver<Control>,
    observer: Box<dyn FnMut(&Live<'_>)>,
    summary_data: Option<SummaryData>,
    shows: Interval,
    next_second_ns: u64,
    last_second_ns: u64,
    last_told_ns: u64,
    last_judged_ns: u64,
    phase: Phase,
    ended: watch::Sender<bool>,
    scale: watch::Sender<Scale>,
    samples_in_flight: Arc<AtomicUsize>,
    next_slot: VuSlot,
    has_setup: bool,
    has_teardown: bool,
    claim: Claim,
    asked: Asked,
}

impl Coordinator {
    /// Opens the outputs and starts the worker threads.
    pub(crate) fn start<P: Program>(program: Arc<P>, config: RunConfig) -> Result<Self, RunError> {
        let clock = Clock::new();
        let (control, orders) = unbounded_channel();
        let workers = config.workers.max(1);
        let state = Arc::new(RunState::new(config.plan.clone(), workers, control));
        let keep_samples = config.sinks.iter().any(|s| s.wants_samples());
        let planned = config.plan.scenarios.iter();
        let mut planned = planned.filter(|s| s.executor.kind().is_open_model());
        // Writing every sample is too much work for second place.
        let claim = match planned.next().is_some() && !keep_samples {
            true => Claim::Small,
            false => Claim::Equal,
        };
        let collector = Collector::new(Parts {
            plan: config.plan.clone(),
            registry: config.registry.clone(),
            workers,
            sinks: config.sinks,
            log: config.log.clone(),
            scopes: config.scopes,
            thresholds: config.thresholds,
            started_unix_ns: clock.unix_ns(clock.now_ns()),
        })?;
        (config.on_start)(state.clone());
        let (report, reports) = unbounded_channel();
        let (senders, receivers): (Vec<_>, Vec<_>) =
            (0..workers).map(|_| unbounded_channel()).unzip();
        let samples_in_flight = Arc::new(AtomicUsize::new(0));
        let rate_limit = config.plan.http.rps.and_then(RateLimit::new).map(Arc::new);
        let mut threads = Vec::new();
        for (index, commands) in receivers.into_iter().enumerate() {
            let birth = Birth {
                index,
                program: program.clone(),
                state: state.clone(),
                registry: config.registry.clone(),
                net: config.network.clone(),
                rate_limit: rate_limit.clone(),
                log: config.log.clone(),
                keep_samples,
                series_limit: netload_metrics::tags::Interner::DEFAULT_LIMIT,
                samples_in_flight: samples_in_flight.clone(),
                commands,
                peers: senders.clone(),
                reports: report.clone(),
            };
            let name = format!("worker-{index}");
            let builder = std::thread::Builder::new().name(name);
            threads.push(builder.spawn(move || thread::run(birth))?);
        }
        let clock_ns = clock.now_ns();
        let mut shows = tokio::time::interval(SHOW_EVERY);
        shows.set_missed_tick_behavior(MissedTickBehavior::Skip);
        Ok(Self {
            plan: config.plan,
            state,
            last_second_ns: clock_ns,
            last_told_ns: clock_ns,
            last_judged_ns: clock.now_ns(),
            clock,
            collector,
            health: None,
            registry: config.registry,
            log: config.log,
            workers: senders,
            placement: Placement::new(workers, program.neighbours()),
            threads,
            reports,
            orders,
            observer: config.observer,
            summary_data: config.summary_data,
            shows,
            next_second_ns: clock_ns + SECOND_NS - SHOW_EVERY.as_nanos() as u64,
            phase: Phase::Init,
            ended: watch::Sender::new(false),
            scale: watch::Sender::new(Scale::default()),
            samples_in_flight,
            next_slot: 0,
            has_setup: program.has_setup(),
            has_teardown: program.has_teardown(),
            claim,
            asked: Asked::default(),
        })
    }

    /// Carries the plan out.
    pub(crate) async fn run(mut self) -> RunResult {
        // Begun only now, so that the workers do not inherit it.
        let _patience = Patience::begin(self.claim);
        let mut finish = self.go().await;
        let over_before_teardown = matches!(finish, Finish::Init(_) | Finish::Setup(_))
            || (finish != Finish::Completed && self.phase == Phase::Setup);
        if self.has_teardown && !self.plan.no_teardown && !over_before_teardown {
            self.phase = Phase::Teardown;
            let call = SpecialCall::Teardown(self.state.setup_data());
            let limit_ns = self.plan.teardown_timeout_ns;
            match self.special(call, limit_ns, "teardown()").await {
                Err(ProgramError::Interrupted) | Ok(_) => {}
                Err(error) if finish == Finish::Completed => finish = Finish::Teardown(error),
                Err(error) => self.log.log(Record::new(Level::Error, error.to_string())),
            }
        }
        self.phase = Phase::Done;
        let elapsed_ns = self.elapsed_ns();
        self.flush_workers().await;
        if self.state.started_ns.load(Relaxed) > 0 {
            self.tell_second(self.clock.now_ns());
        }
        let mut summary = self.collector.finish(elapsed_ns);
        let report = self.health.take();
        let report = report.map(|h| h.finish(&self.state, &summary));
        summary.generator = report.map(Box::new);
        summary.accuracy.basis = self.plan.measurement.basis;
        summary.accuracy.compat = self.plan.measurement.compat;
        summary.accuracy.conservation = Some(self.state.conservation());
        let setup_data = self.state.setup_data();
        let documents = self.documents(&summary, setup_data.as_deref()).await;
        self.show();
        self.shut_down().await;
        self.collector.close(&mut summary);
        if let (Finish::Completed, Some(end)) = (&finish, self.state.ended()) {
            finish = Finish::Ended(end);
        }
        RunResult {
            summary,
            finish,
            setup_data,
            documents,
            state: self.state,
        }
    }

    /// Everything up to teardown.
    async fn go(&mut self) -> Finish {
        if let Err(error) = self.make_vus().await {
            return match (error, self.state.ended()) {
                (ProgramError::Interrupted, Some(end)) => Finish::Ended(end),
                (error, _) => Finish::Init(error),
            };
        }
        self.wait_while_paused().await;
        let started_ns = self.clock.now_ns();
        self.state.started_ns.store(started_ns, Relaxed);
        self.last_second_ns = started_ns;
        self.last_told_ns = started_ns;
        self.last_judged_ns = started_ns;
        if self.has_setup && !self.plan.no_setup && self.state.ended().is_none() {
            self.phase = Phase::Setup;
            let limit_ns = self.plan.setup_timeout_ns;
            match self.special(SpecialCall::Setup, limit_ns, "setup()").await {
                Ok(SpecialResult::Setup(data)) => self.state.set_setup_data(data.map(Into::into)),
                Ok(_) => {}
                Err(error) => {
                    return match self.state.ended() {
                        Some(end) => Finish::Ended(end),
                        None => Finish::Setup(error),
                    };
                }
            }
        }
        if let Some(end) = self.state.ended() {
            return Finish::Ended(end);
        }
        self.phase = Phase::Load;
        if let Some(health) = &mut self.health {
            health.begin(self.clock.now_ns());
        }
        self.drive().await;
        self.flush_workers().await;
        if let Some(health) = &mut self.health {
            health.end(&self.state, self.clock.now_ns());
        }
        self.state.ended().map_or(Finish::Completed, Finish::Ended)
    }

    async fn make_vus(&mut self) -> Result<(), ProgramError> {
        let mut up = 0;
        while up < self.workers.len() {
            if let Some(Report::Up(result)) = self.pump().await {
                result?;
                up += 1;
            }
        }
        self.health = Some(Health::new(self.registry.builtin, self.workers.len()));
        let share = Share::of_instance(self.plan.segmentation.clone());
        let planned = Requirements::of(&self.plan.scenarios, &share).planned_vus;
        for _ in 0..planned {
            self.make_vu();
        }
        let mut ready = 0;
        while ready < planned {
            if self.state.ended().is_some() {
                return Err(ProgramError::Interrupted);
            }
            if let Some(Report::Ready { result, .. }) = self.pump().await {
                result?;
                ready += 1;
            }
        }
        Ok(())
    }

    fn make_vu(&mut self) -> VuSlot {
        let slot = self.next_slot;
        self.next_slot += 1;
        let id_in_test = self.plan.segmentation.global_index(slot).unwrap_or(slot) + 1;
        let worker = self.placement.worker_of(slot);
        let _ = self.workers[worker].send(Command::Init { slot, id_in_test });
        slot
    }

    async fn wait_while_paused(&mut self) {
        while self.state.paused.load(Relaxed) && self.plan.paused && self.state.ended().is_none() {
            self.phase = Phase::Paused;
            self.pump().await;
        }
    }

    /// Runs all scenarios side by side until the last one is over.
    async fn drive(&mut self) {
        let pool = Rc::new(VuPool::default());
        (0..self.next_slot).for_each(|slot| pool.put(slot));
        let (wanted, mut wants) = unbounded_channel();
        let stage = Rc::new(Stage {
            state: self.state.clone(),
            pool,
            workers: self.workers.clone(),
            placement: self.placement,
            clock: self.clock.clone(),
            started_ns: self.clock.now_ns(),
            setup_data: self.state.setup_data(),
            ended: self.ended.subscribe(),
            scale: self.scale.subscribe(),
            wanted,
            epochs: Cell::new(0),
            unattempted: RefCell::default(),
            log: self.log.clone(),
        });
        let mut events: Vec<UnboundedSender<Event>> = Vec::new();
        let mut drivers = JoinSet::new();
        for scenario in &self.state.scenarios {
            let (sender, receiver) = unbounded_channel();
            events.push(sender);
            let driver = Driver {
                stage: stage.clone(),
                scenario: scenario.clone(),
                events: receiver,
            };
            drivers.spawn_local(driver.run());
        }
        let mut expected: HashMap<VuSlot, usize> = HashMap::new();
        while !drivers.is_empty() {
            tokio::select! {
                biased;
                _ = drivers.join_next() => {}
                Some(scenario) = wants.recv() => {
                    expected.insert(self.make_vu(), scenario);
                }
                report = self.pump() => {
                    if let Some(report) = report {
                        drive::route(report, &events, &mut expected);
                    }
                }
            }
            let dropped = stage.unattempted.take();
            for (scenario, count) in dropped {
                let unix_ns = self.clock.unix_ns(self.clock.now_ns());
                self.collector.record_dropped(scenario, count, unix_ns);
            }
        }
    }

    /// Runs setup, teardown or the summary on the first worker.
    async fn special(
        &mut self,
        call: SpecialCall,
        limit_ns: u64,
        name: &str,
    ) -> Result<SpecialResult, ProgramError> {
        let deadline_ns = self.clock.now_ns().saturating_add(limit_ns);
        self.send_special(OWN, call, deadline_ns);
        loop {
            let Some(Report::Special { result, .. }) = self.pump().await else {
                continue;
            };
            return match result {
                Err(ProgramError::Interrupted) if self.clock.now_ns() >= deadline_ns => {
                    let seconds = limit_ns as f64 / 1e9;
                    let text = format!("{name} execution timed out after {seconds} seconds");
                    Err(ProgramError::Timeout(text))
                }
                other => other,
            };
        }
    }

    async fn documents(
        &mut self,
        summary: &netload_metrics::Summary,
        setup_data: Option<&str>,
    ) -> Option<Documents> {
        let data = self.summary_data.as_ref()?(summary, setup_data);
        let limit_ns = self.plan.handle_summary_timeout_ns;
        let call = SpecialCall::Summary(data);
        match self.special(call, limit_ns, "handleSummary()").await {
            Ok(SpecialResult::Summary(documents)) => documents,
            Ok(_) => None,
            Err(error) => {
                let text = format!("handleSummary() failed, the default summary follows: {error}");
                self.log.log(Record::new(Level::Error, text));
                None
            }
        }
    }

    async fn flush_workers(&mut self) {
        let asked = self.workers.iter();
        let mut waiting = asked.filter(|w| w.send(Command::Flush).is_ok()).count();
        while waiting > 0 && self.threads.iter().any(|t| !t.is_finished()) {
            if let Some(Report::Flushed) = self.pump().await {
                waiting -= 1;
            }
        }
    }

    async fn shut_down(&mut self) {
        for worker in &self.workers {
            let _ = worker.send(Command::Shutdown);
        }
        let mut down = 0;
        while down < self.threads.len() {
            if let Some(Report::Down) = self.pump().await {
                down += 1;
            }
        }
        for thread in self.threads.drain(..) {
            // A worker that panicked has reported nothing; the panic hook has told the user.
            let _ = thread.join();
        }
    }

    /// Waits for the next thing to happen. Windows, orders and the clock are handled here; a report that concerns the
    /// present phase is returned. Safe to drop while it waits.
    async fn pump(&mut self) -> Option<Report> {
        tokio::select! {
            report = self.reports.recv() => match report {
                Some(Report::Window(window)) => {
                    self.collector.absorb(&window);
                    if let Some(health) = &mut self.health {
                        health.absorb(&window, &self.collector.aggregator);
                    }
                    self.samples_in_flight.fetch_sub(window.samples.len(), Relaxed);
                    let worker = window.worker;
                    let _ = self.workers[worker].send(Command::Recycle(window));
                    None
                }
                Some(Report::Special { number, result }) if number != OWN => {
                    self.asked.answer(number, result, &self.state);
                    None
                }
                other => other,
            },
            Some(order) = self.orders.recv() => {
                self.obey(order);
                None
            }
            _ = self.shows.tick() => {
                self.tick();
                None
            }
        }
    }

    fn obey(&mut self, order: Control) {
        match order {
            Control::End(_) => {
                self.ended.send_replace(true);
                for worker in &self.workers {
                    let _ = worker.send(Command::Interrupt);
                }
            }
            Control::Setup(reply) => self.ask(SpecialCall::Setup, reply),
            Control::Teardown(reply) => {
                self.ask(SpecialCall::Teardown(self.state.setup_data()), reply);
            }
            Control::Pause(paused) => self.state.paused.store(paused, Relaxed),
            Control::MaxVus(max) => self.scale.send_modify(|scale| scale.max = Some(max)),
            Control::Vus { scenario, vus } => {
                let state = &self.state.scenarios[scenario];
                state.order_vus(vus);
                let text = format!("the number of virtual users is now {vus}");
                let record = Record::new(Level::Info, text);
                self.log.log(record.with("scenario", &*state.scenario.name));
                self.scale.send_modify(|scale| {
                    scale.vus.insert(scenario, vus);
                });
            }
            Control::Rate {
                scenario,
                count,
                per_ns,
            } => {
                let rate = (count, per_ns);
                self.scale.send_modify(|scale| {
                    scale.rates.insert(scenario, rate);
                });
            }
        }
    }

    /// Runs a call that somebody asked for; a script without that function has nothing to run.
    fn ask(&mut self, call: SpecialCall, reply: Reply) {
        let (exists, limit_ns) = match call {
            SpecialCall::Setup => (self.has_setup, self.plan.setup_timeout_ns),
            _ => (self.has_teardown, self.plan.teardown_timeout_ns),
        };
        if !exists {
            // Whoever asked may have given up.
            let _ = reply.send(Ok(None));
            return;
        }
        let number = self.asked.enter(reply);
        let deadline_ns = self.clock.now_ns().saturating_add(limit_ns);
        self.send_special(number, call, deadline_ns);
    }

    fn send_special(&self, number: u64, call: SpecialCall, deadline_ns: u64) {
        let _ = self.workers[0].send(Command::Special {
            number,
            call,
            deadline_ns,
        });
    }

    fn tick(&mut self) {
        let now_ns = self.clock.now_ns();
        let is_running = self.state.started_ns.load(Relaxed) > 0;
        // By the clock, not by the number of shows: a busy machine skips some, and then a second would last several.
        if now_ns >= self.next_second_ns {
            let late_ns = now_ns - self.next_second_ns;
            self.next_second_ns += SECOND_NS * (1 + late_ns / SECOND_NS);
            let span_ns = now_ns.saturating_sub(self.last_second_ns).max(1);
            self.last_second_ns = now_ns;
            self.collector.next_second(span_ns as f64 / 1e9);
            if is_running {
                let active = self.state.vus_active.load(Relaxed) as f64;
                let made = self.state.vus_initialized.load(Relaxed) as f64;
                let unix_ns = self.clock.unix_ns(now_ns);
                self.collector.record_vus(active, made, unix_ns);
            }
        }
        let is_over = second_of(now_ns) > second_of(self.last_told_ns);
        if is_running && is_over && now_ns >= self.last_told_ns + TOLD_LEAST_NS {
            self.tell_second(now_ns);
        }
        if let (Phase::Load, Some(health)) = (self.phase, &mut self.health) {
            health.look(&self.state, now_ns);
        }
        if self.phase == Phase::Load && now_ns >= self.last_judged_ns + JUDGE_EVERY_NS {
            self.last_judged_ns = now_ns;
            let elapsed_ns = self.elapsed_ns();
            if let Some((metric, rule)) = self.collector.aggregator.judge(elapsed_ns, false) {
                self.state.end(End::Threshold(metric, rule));
            }
        }
        self.show();
    }

    /// Tells the outputs what the second was like that ends now.
    fn tell_second(&mut self, now_ns: u64) {
        let span_ns = now_ns.saturating_sub(self.last_told_ns).max(1);
        self.last_told_ns = now_ns;
        let count = |vus: &std::sync::atomic::AtomicI64| vus.load(Relaxed).max(0) as u64;
        self.collector.second(&netload_metrics::Second {
            elapsed_ns: self.elapsed_ns(),
            unix_ns: self.clock.unix_ns(now_ns),
            span_ns,
            vus: count(&self.state.vus_active),
            vus_max: count(&self.state.vus_initialized),
            plan: self.state.conservation(),
            generator: self.health.as_ref().and_then(Health::now),
        });
    }

    fn show(&mut self) {
        let live = Live {
            phase: self.phase,
            state: &self.state,
            aggregator: &self.collector.aggregator,
            recent: &self.collector.recent,
            generator: self.health.as_ref().and_then(Health::now),
            elapsed_ns: self.elapsed_ns(),
            now_ns: self.clock.now_ns(),
        };
        (self.observer)(&live);
    }

    fn elapsed_ns(&self) -> u64 {
        match self.state.started_ns.load(Relaxed) {
            0 => 0,
            started_ns => self.clock.now_ns().saturating_sub(started_ns),
        }
    }
}

/// The second of the clock that a moment belongs to. It ends when the windows of the workers, which follow the same
/// clock, have arrived: so it is complete when the outputs get it, and nothing of it waits for the next one.
fn second_of(now_ns: u64) -> u64 {
    now_ns.saturating_sub(ARRIVAL_NS) / SECOND_NS
}
