//! Releasing planned starts at their instants, as exactly as the machine can, and finding who takes them.
//!
//! Owns the wait for a start (a timer, then a short spin through the event loop) and the choice of the VU: one of this
//! worker, else one of another, else by the scenario's law the waiting line or nobody. Invariant: every start that is
//! due is counted as planned exactly once, and then as started, dropped, refused or left.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use netload_net::{Alarm, Awake, run_promptly};
use netload_plan::executor::{Starts, Surplus};
use netload_plan::{Share, Stripe};

use crate::message::{Command, OpenOrder, Report};
use crate::program::Program;
use crate::state::Course;

use super::Thread;
use super::lead::Lead;
use super::open::{OpenRun, give};

/// Starts handed out in a row before other tasks get their turn.
const BURST: u32 = 256;

/// Shorter sleeps cost more than they save: the timer, the way into the kernel and back, in nanoseconds.
const SLEEP_LEAST_NS: u64 = 5_000;

/// At most this part of the time between two starts is spent spinning.
const SPIN_PART: u64 = 4;

/// The starts that one law plans, from an instant on.
struct Law {
    starts: Option<Starts>,
    from_ns: u64,
}

impl Law {
    /// The instant of the next start.
    fn next(&mut self) -> Option<u64> {
        let start = self.starts.as_mut()?.next()?;
        Some(self.from_ns.saturating_add(start.offset_ns))
    }
}

/// The law that takes over before the next start, if there is one.
fn next_law(run: &OpenRun, next: Option<u64>) -> Option<Arc<Course>> {
    match run.is_changed_by(next.unwrap_or(u64::MAX)) {
        true => run.change.borrow_mut().take(),
        false => None,
    }
}

impl<P: Program> Thread<P> {
    pub(super) async fn hand_out_starts(self: &Rc<Self>, run: &Rc<OpenRun>, order: &OpenOrder) {
        let stripe = order.stripe.and_then(|(index, of)| Stripe::new(index, of));
        let Some(stripe) = stripe else { return };
        // A worker that has released starts once stays so: the thread is the run's.
        run_promptly();
        // An idle processor that sleeps starts late whatever was planned: most of all a virtual one.
        let _awake = Awake::hold();
        let share = Share::new(self.worker.plan.segmentation.clone(), stripe);
        let mut law = Law {
            starts: order.scenario.scenario.executor.starts(&share),
            from_ns: order.start_ns,
        };
        let alarm = Alarm::new().ok();
        let mut lead = Lead::default();
        let mut in_a_row: u32 = 0;
        let mut before_ns = order.start_ns;
        let mut next = law.next();
        while !run.over.get() && !self.worker.state.is_ending() {
            if let Some(course) = next_law(run, next) {
                law = Law {
                    starts: course.law.starts(&share),
                    from_ns: course.from_ns,
                };
                before_ns = law.from_ns;
                next = law.next();
                continue;
            }
            let Some(planned_ns) = next else {
                // Without a start to come, the law may still change until the time is up.
                if self.wait_for_change(run, order).await {
                    continue;
                }
                return;
            };
            if self.worker.clock.now_ns() < planned_ns {
                in_a_row = 0;
                let spin_ns = lead.ns().min((planned_ns - before_ns) / SPIN_PART);
                let rang_late = self.wait_for_start(run, &alarm, planned_ns, spin_ns).await;
                if let Some(ns) = rang_late {
                    lead.learn(ns);
                }
                if !run.holds(planned_ns) || self.worker.state.is_ending() {
                    continue;
                }
            } else {
                in_a_row += 1;
                if in_a_row.is_multiple_of(BURST) {
                    tokio::task::yield_now().await;
                }
            }
            before_ns = planned_ns;
            next = law.next();
            run.scenario.planned.bump(self.worker.index);
            self.dispatch(run, planned_ns);
        }
    }

    /// Waits for a change of the law after the last start; false when the scenario's time is up before.
    async fn wait_for_change(&self, run: &OpenRun, order: &OpenOrder) -> bool {
        if order.scenario.scenario.executor.ends_with_its_starts() {
            return false;
        }
        let until_ns = order.regular_end_ns;
        let done = |run: &OpenRun| !run.holds(until_ns);
        self.wait_or_change(run, until_ns, done).await;
        run.is_changed_by(until_ns)
    }

    /// Waits for a planned start, or until the run is over or the law changes before it. Tells by how many nanoseconds the
    /// alarm rang too late, if it was needed.
    async fn wait_for_start(
        &self,
        run: &OpenRun,
        alarm: &Option<Alarm>,
        at_ns: u64,
        spin_ns: u64,
    ) -> Option<u64> {
        let clock = &self.worker.clock;
        let Some(alarm) = alarm else {
            self.wait_or_change(run, at_ns, |run| !run.holds(at_ns))
                .await;
            return None;
        };
        // The start before goes first: setting a timer costs a virtual machine microseconds.
        tokio::task::yield_now().await;
        let spin_from_ns = at_ns - spin_ns;
        let mut rang_late = None;
        while run.holds(at_ns) && clock.now_ns() + SLEEP_LEAST_NS < spin_from_ns {
            tokio::select! {
                () = run.changed.notified() => {}
                () = alarm.until(spin_from_ns) => {
                    rang_late = Some(clock.now_ns().saturating_sub(spin_from_ns));
                }
            }
        }
        // Each turn lets the event loop look at the sockets: nothing waits for the spin but the processor.
        while run.holds(at_ns) && clock.now_ns() < at_ns {
            tokio::task::yield_now().await;
        }
        rang_late
    }

    fn dispatch(&self, run: &OpenRun, planned_ns: u64) {
        if self.find_taker(run, |_| Some(planned_ns)) {
            return;
        }
        let scenario = run.scenario.index;
        if run.scenario.scenario.executor.surplus() == Surplus::Queue {
            if run.shared.line.push(planned_ns) {
                // A VU may have become free after it was looked for and before the start was in the line.
                self.find_taker(run, |run| run.shared.line.pop());
            } else {
                run.scenario.refused.fetch_add(1, Relaxed);
                self.record_dropped(run, 1);
            }
            return;
        }
        self.worker.state.drop_iterations(scenario, 1);
        self.record_dropped(run, 1);
        if !run.scenario.growing.swap(true, Relaxed) {
            self.report(Report::NeedVu { scenario });
        }
    }

    /// Gives a start to a free VU of this worker, else of another; false when there is none. A VU that turns out not to
    /// be needed, because there is no start, is free again.
    fn find_taker(&self, run: &OpenRun, start: impl Fn(&OpenRun) -> Option<u64>) -> bool {
        let own = self.worker.index;
        let others = (0..self.peers.len()).filter(|other| *other != own);
        for worker in std::iter::once(own).chain(others) {
            if !run.shared.take(worker) {
                continue;
            }
            match start(run) {
                None => run.shared.put(worker),
                Some(planned_ns) if worker == own => give(run, planned_ns),
                Some(planned_ns) => {
                    // A worker that is gone has ended its part; the run is over then.
                    let scenario = run.scenario.index;
                    let tick = Command::Tick {
                        scenario,
                        planned_ns,
                    };
                    let _ = self.peers[worker].send(tick);
                }
            }
            return true;
        }
        false
    }

    /// After a VU of this worker was put among the free ones: a start that came into the line meanwhile gets it.
    pub(super) fn look_at_line(&self, run: &OpenRun) {
        if run.shared.line.is_empty() || !run.shared.take(self.worker.index) {
            return;
        }
        match run.shared.line.pop() {
            Some(planned_ns) => give(run, planned_ns),
            None => run.shared.put(self.worker.index),
        }
    }

    /// At the very end of a scenario: what still waits will never start.
    pub(super) fn leave_line(&self, run: &OpenRun) {
        let (left, oldest_ns) = run.shared.line.close();
        if let Some(oldest_ns) = oldest_ns {
            let waited_ns = self.worker.clock.now_ns().saturating_sub(oldest_ns);
            run.scenario.left.fetch_add(left, Relaxed);
            run.scenario.longest_left_ns.fetch_max(waited_ns, Relaxed);
            self.record_dropped(run, left);
        }
    }

    /// Counts planned starts that became no iterations, where k6 counts them.
    pub(super) fn record_dropped(&self, run: &OpenRun, count: u64) {
        let tags = self.scenario_tags(&run.scenario);
        let stamp = self.worker.stamp(0, 0);
        let mut recorder = self.worker.recorder.borrow_mut();
        let metric = recorder.registry().builtin.dropped_iterations;
        recorder.record(metric, tags, count as f64, stamp);
    }
}
