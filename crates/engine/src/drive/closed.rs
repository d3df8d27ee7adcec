//! Executors whose VUs start together and loop: shared-iterations, per-vu-iterations, constant-vus.

use std::sync::atomic::Ordering::Relaxed;

use netload_plan::executor::{ConstantVus, PerVuIterations, SharedIterations};

use crate::message::{Command, Quota};

use super::crew::Crew;
use super::{Driver, Event};

impl Driver {
    pub(super) async fn constant_vus(&mut self, executor: &ConstantVus, begin_ns: u64) {
        let vus = self.share().count(executor.vus) as usize;
        let crew = Crew::new(vus, vus, self.scenario.scenario.graceful_stop_ns);
        self.hold(crew, begin_ns, begin_ns).await;
    }

    pub(super) async fn shared_iterations(&mut self, executor: &SharedIterations, begin_ns: u64) {
        let share = self.share();
        let (vus, total) = (share.count(executor.vus), executor.iterations(&share));
        self.loop_all(vus, begin_ns, &Quota::Shared(total)).await;
        // Every VU that found the pool empty has drawn one number too many.
        let attempted = self.scenario.next_iteration.load(Relaxed).min(total);
        self.drop_rest(total - attempted);
    }

    pub(super) async fn per_vu_iterations(&mut self, executor: &PerVuIterations, begin_ns: u64) {
        let vus = self.share().count(executor.vus);
        let quota = Quota::Own(executor.iterations);
        self.loop_all(vus, begin_ns, &quota).await;
        let attempted = self.scenario.next_iteration.load(Relaxed);
        self.drop_rest((vus * executor.iterations).saturating_sub(attempted));
    }

    /// Runs `vus` VUs until all of them have stopped.
    async fn loop_all(&mut self, vus: u64, begin_ns: u64, quota: &Quota) {
        let mut running = 0;
        for _ in 0..vus {
            let slot = self.stage.pool.take().await;
            let order = self.order(slot, begin_ns, quota.clone());
            self.stage.send(slot, Command::Loop(order));
            running += 1;
        }
        while running > 0 {
            match self.events.recv().await {
                Some(Event::LoopDone { slot, .. }) => {
                    self.stage.pool.put(slot);
                    running -= 1;
                }
                Some(_) => {}
                None => return,
            }
        }
    }

    /// Counts iterations that were never attempted.
    fn drop_rest(&self, iterations: u64) {
        // What a run that was told to end did not attempt was not dropped.
        if iterations > 0 && !self.stage.state.is_ending() {
            self.stage
                .state
                .drop_iterations(self.scenario.index, iterations);
            let entry = (self.scenario.index, iterations);
            self.stage.unattempted.borrow_mut().push(entry);
        }
    }
}
