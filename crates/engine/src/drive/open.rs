//! constant-arrival-rate and ramping-arrival-rate: workers release planned starts, VUs are added while they last.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use netload_plan::duration::format_go;

use crate::log::{Level, Record};
use crate::message::{Command, OpenOrder, OpenShared, VuSlot};
use crate::state::Course;

use super::{Driver, Event};

/// How long before it begins a change is told to the workers, in nanoseconds: each must know of it in time.
const NOTICE_NS: u64 = 10_000_000;

impl Driver {
    /// Runs the scenario with `planned` VUs and up to `most`.
    pub(super) async fn open(&mut self, planned: u64, mut most: u64, begin_ns: u64) {
        let mut slots: Vec<VuSlot> = Vec::new();
        for _ in 0..planned {
            slots.push(self.stage.pool.take().await);
        }
        let mut parts = self.take_part(&slots, begin_ns);
        let placement = self.stage.placement;
        let mut asked = planned;
        let mut told = false;
        let mut scale = self.stage.scale.clone();
        let mut rate = None;
        while parts > 0 {
            let event = tokio::select! {
                event = self.events.recv() => event,
                Ok(()) = scale.changed() => {
                    let wanted = scale.borrow_and_update().clone();
                    let wanted_rate = wanted.rates.get(&self.scenario.index).copied();
                    if wanted_rate != rate {
                        rate = wanted_rate;
                        self.change_rate(rate, begin_ns);
                    }
                    if let Some(max) = wanted.max.map(|max| self.share().count(max)) {
                        most = max.max(asked);
                        told = false;
                        self.scenario.growing.store(false, Relaxed);
                    }
                    continue;
                }
            };
            match event {
                Some(Event::OpenDone) => parts -= 1,
                Some(Event::NeedVu) if asked < most => {
                    asked += 1;
                    // The receiver lives as long as the drivers do.
                    let _ = self.stage.wanted.send(self.scenario.index);
                }
                Some(Event::NeedVu) if !told => {
                    told = true;
                    self.warn_insufficient(asked);
                }
                Some(Event::NewVu(Ok(slot))) => {
                    slots.push(slot);
                    let scenario = self.scenario.index;
                    let join = Command::Join { scenario, slot };
                    let _ = self.stage.workers[placement.worker_of(slot)].send(join);
                    self.scenario.growing.store(false, Relaxed);
                }
                Some(_) => {}
                None => return,
            }
        }
        for slot in slots {
            self.stage.pool.put(slot);
        }
    }

    /// Lets another law plan the starts from soon on, by the same clock on all workers.
    fn change_rate(&self, rate: Option<(u64, u64)>, begin_ns: u64) {
        let Some((count, per_ns)) = rate else { return };
        let from_ns = self.stage.clock.now_ns().max(begin_ns) + NOTICE_NS;
        let rest_ns = self.ends_ns(begin_ns).0.saturating_sub(from_ns);
        match self
            .scenario
            .scenario
            .executor
            .at_rate(count, per_ns, rest_ns)
        {
            Ok(law) => {
                let course = Arc::new(Course { from_ns, law });
                self.scenario.set_course(course.clone());
                for worker in &self.stage.workers {
                    let course = course.clone();
                    let scenario = self.scenario.index;
                    let _ = worker.send(Command::Change { scenario, course });
                }
            }
            Err(reason) => return self.stage.log.log(Record::new(Level::Warning, reason)),
        }
        let text = format!("the rate is now {count} in {}", format_go(per_ns));
        let record = Record::new(Level::Info, text);
        let name = &*self.scenario.scenario.name;
        self.stage.log.log(record.with("scenario", name));
    }

    fn warn_insufficient(&self, vus: u64) {
        let text = format!(
            "Insufficient VUs, all {vus} are busy and maxVUs allows no more: iterations are dropped"
        );
        let kind = self.scenario.scenario.executor.kind().name();
        let record = Record::new(Level::Warning, text)
            .with("scenario", &*self.scenario.scenario.name)
            .with("executor", kind);
        self.stage.log.log(record);
    }

    /// Tells the workers that have VUs to start; those without only get what others cannot take.
    fn take_part(&self, slots: &[VuSlot], begin_ns: u64) -> usize {
        let workers = self.stage.workers.len();
        let (regular_end_ns, hard_end_ns) = self.ends_ns(begin_ns);
        let shared = Arc::new(OpenShared::new(workers));
        let own = |worker: usize| -> Vec<VuSlot> {
            let here = |slot: &&VuSlot| self.stage.placement.worker_of(**slot) == worker;
            slots.iter().filter(here).copied().collect()
        };
        let mut busy: Vec<usize> = (0..workers).filter(|w| !own(*w).is_empty()).collect();
        if busy.is_empty() {
            busy.push(0);
        }
        for worker in 0..workers {
            // A worker without a stripe of its own still gives seats to VUs that join later.
            let place = busy.iter().position(|w| *w == worker);
            let order = OpenOrder {
                scenario: self.scenario.clone(),
                slots: own(worker),
                stripe: place.map(|p| (p as u64, busy.len() as u64)),
                start_ns: begin_ns,
                regular_end_ns,
                hard_end_ns,
                shared: shared.clone(),
                setup_data: self.stage.setup_data.clone(),
            };
            let _ = self.stage.workers[worker].send(Command::Open(Box::new(order)));
        }
        workers
    }
}
