//! VUs of the closed model: each starts its next iteration when the last one is done.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::message::{LoopOrder, Quota, Report, VuSlot};
use crate::program::Program;
use crate::stop::Stop;

use super::iterate::Start;
use super::{Thread, VuCell};

/// How often a paused VU looks whether it may go on.
const PAUSE_POLL: Duration = Duration::from_millis(10);

/// When a running VU ends; changed from outside while it runs.
pub(super) struct LoopControl {
    scenario: usize,
    stop: Rc<Stop>,
    epoch: Cell<u64>,
    regular_end_ns: Cell<u64>,
    hard_end_ns: Cell<u64>,
}

impl LoopControl {
    /// No further iteration, and the present one is interrupted.
    pub(super) fn end_now(&self) {
        self.regular_end_ns.set(0);
        self.hard_end_ns.set(0);
        self.stop.request();
    }

    fn aim(&self, order: &LoopOrder) {
        self.epoch.set(order.epoch);
        self.regular_end_ns.set(order.regular_end_ns);
        self.hard_end_ns.set(order.hard_end_ns);
        self.stop.set_deadline(order.hard_end_ns);
    }
}

impl<P: Program> Thread<P> {
    /// Starts a VU, or aims a running one anew.
    pub(super) fn start_loop(self: &Rc<Self>, order: LoopOrder) {
        self.arm_hard_stop(order.scenario.index, order.hard_end_ns);
        if let Some(running) = self.loops.borrow().get(&order.slot) {
            running.aim(&order);
            return;
        }
        let Some(cell) = self.idle.borrow_mut().remove(&order.slot) else {
            self.report_loop_done(order.scenario.index, order.slot, order.epoch);
            return;
        };
        let control = Rc::new(LoopControl {
            scenario: order.scenario.index,
            stop: cell.stop.clone(),
            epoch: Cell::new(0),
            regular_end_ns: Cell::new(0),
            hard_end_ns: Cell::new(0),
        });
        control.aim(&order);
        if self.interrupted.get() {
            control.end_now();
        }
        self.loops.borrow_mut().insert(order.slot, control.clone());
        tokio::task::spawn_local(self.clone().run_loop(cell, order, control));
    }

    async fn run_loop(
        self: Rc<Self>,
        mut cell: VuCell<P::Vu>,
        order: LoopOrder,
        control: Rc<LoopControl>,
    ) {
        let LoopOrder {
            scenario,
            slot,
            start_ns,
            quota,
            setup_data,
            ..
        } = order;
        let mut slots = self.activate(&mut cell, &scenario, setup_data);
        self.worker.sleep_until(start_ns).await;
        scenario.vus_active.fetch_add(1, Relaxed);
        self.worker.state.vus_active.fetch_add(1, Relaxed);
        let mut done = 0;
        while let Some(now_ns) = self.may_go_on(&control).await {
            let Some(number) = draw(&quota, done, &scenario) else {
                break;
            };
            done += 1;
            let start = Start {
                number,
                planned_ns: None,
                began_ns: Some(now_ns),
                hard_end_ns: control.hard_end_ns.get(),
            };
            self.iterate(&mut cell, &scenario, &mut slots, start).await;
            // A script that never waits must not keep the others from running.
            tokio::task::coop::consume_budget().await;
        }
        scenario.vus_active.fetch_sub(1, Relaxed);
        self.worker.state.vus_active.fetch_sub(1, Relaxed);
        self.loops.borrow_mut().remove(&slot);
        self.idle.borrow_mut().insert(slot, cell);
        self.report_loop_done(scenario.index, slot, control.epoch.get());
    }

    /// The time of the look at the clock that allowed it; none when the loop is over.
    async fn may_go_on(&self, control: &LoopControl) -> Option<u64> {
        loop {
            let now_ns = self.worker.clock.now_ns();
            let over = now_ns >= control.regular_end_ns.get();
            if over || self.worker.state.is_ending() {
                return None;
            }
            if !self.worker.state.paused.load(Relaxed) {
                return Some(now_ns);
            }
            tokio::time::sleep(PAUSE_POLL).await;
        }
    }

    fn report_loop_done(&self, scenario: usize, slot: VuSlot, epoch: u64) {
        self.report(Report::LoopDone {
            scenario,
            slot,
            epoch,
        });
    }

    /// At this instant every VU of the scenario whose time is over is told to stop.
    fn arm_hard_stop(self: &Rc<Self>, scenario: usize, at_ns: u64) {
        if !self.hard_stops.borrow_mut().insert((scenario, at_ns)) {
            return;
        }
        let thread = self.clone();
        tokio::task::spawn_local(async move {
            thread.worker.sleep_until(at_ns).await;
            thread.hard_stops.borrow_mut().remove(&(scenario, at_ns));
            let now_ns = thread.worker.clock.now_ns();
            for control in thread.loops.borrow().values() {
                if control.scenario == scenario && control.hard_end_ns.get() <= now_ns {
                    control.end_now();
                }
            }
        });
    }
}

/// The number of the next iteration; none when the quota is used up.
fn draw(quota: &Quota, done: u64, scenario: &Arc<crate::state::ScenarioState>) -> Option<u64> {
    let next = || scenario.next_iteration.fetch_add(1, Relaxed);
    match quota {
        Quota::Unlimited => Some(next()),
        Quota::Own(limit) => (done < *limit).then(next),
        Quota::Shared(limit) => Some(next()).filter(|number| number < limit),
    }
}
