//! One worker's part of an open scenario: starts are planned in time, free VUs take them.
//!
//! A start that finds no free VU here goes to a worker that has one; only when the whole instance has none is it
//! dropped, counted and never made up.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Poll, Waker};

use netload_net::Alarm;
use netload_plan::{Share, Stripe};
use tokio::sync::Notify;

use crate::message::{Command, OpenOrder, OpenShared, Report, VuSlot};
use crate::program::Program;
use crate::state::ScenarioState;
use crate::stop::Stop;

use super::iterate::Start;
use super::{Thread, VuCell};

/// Starts handed out in a row before other tasks get their turn.
const BURST: u32 = 256;

/// A VU that waits for a start.
struct Seat {
    stop: Rc<Stop>,
    planned_ns: Cell<Option<u64>>,
    retired: Cell<bool>,
    busy: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Seat {
    fn wake(&self) {
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }

    /// The next start; none when the seat is given up.
    async fn next(&self) -> Option<u64> {
        poll_fn(|cx| {
            if let Some(planned_ns) = self.planned_ns.take() {
                return Poll::Ready(Some(planned_ns));
            }
            if self.retired.get() {
                return Poll::Ready(None);
            }
            *self.waker.borrow_mut() = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
}

/// The running part.
pub(super) struct OpenRun {
    scenario: Arc<ScenarioState>,
    shared: Arc<OpenShared>,
    setup_data: Option<Arc<str>>,
    hard_end_ns: u64,
    seats: RefCell<Vec<Rc<Seat>>>,
    free: RefCell<VecDeque<Rc<Seat>>>,
    /// Seats that have not been left yet.
    taken: Cell<usize>,
    over: Cell<bool>,
    changed: Notify,
}

impl OpenRun {
    /// No further starts; what runs is interrupted.
    pub(super) fn interrupt(&self) {
        self.over.set(true);
        for seat in self.seats.borrow().iter() {
            if seat.busy.get() {
                seat.stop.request();
            }
        }
        self.changed.notify_waiters();
    }

    fn retire_all(&self) {
        for seat in self.seats.borrow().iter() {
            seat.retired.set(true);
            seat.wake();
        }
    }

    fn any_busy(&self) -> bool {
        self.seats.borrow().iter().any(|s| s.busy.get())
    }
}

impl<P: Program> Thread<P> {
    pub(super) fn start_open(self: &Rc<Self>, order: OpenOrder) {
        let run = Rc::new(OpenRun {
            scenario: order.scenario.clone(),
            shared: order.shared.clone(),
            setup_data: order.setup_data.clone(),
            hard_end_ns: order.hard_end_ns,
            seats: RefCell::default(),
            free: RefCell::default(),
            taken: Cell::new(0),
            over: Cell::new(self.interrupted.get()),
            changed: Notify::new(),
        });
        self.open
            .borrow_mut()
            .insert(order.scenario.index, run.clone());
        for slot in &order.slots {
            self.seat(&run, *slot);
        }
        tokio::task::spawn_local(self.clone().run_open(run, order));
    }

    pub(super) fn join_open(self: &Rc<Self>, scenario: usize, slot: VuSlot) {
        let run = self.open.borrow().get(&scenario).cloned();
        if let Some(run) = run.filter(|run| !run.over.get()) {
            self.seat(&run, slot);
        }
    }

    /// A start from another worker, which reserved a free VU here.
    pub(super) fn take_tick(&self, scenario: usize, planned_ns: u64) {
        let run = self.open.borrow().get(&scenario).cloned();
        match run {
            Some(run) if !run.over.get() => give(&run, planned_ns),
            _ => self.worker.state.drop_iterations(scenario, 1),
        }
    }

    fn seat(self: &Rc<Self>, run: &Rc<OpenRun>, slot: VuSlot) {
        let Some(cell) = self.idle.borrow_mut().remove(&slot) else {
            return;
        };
        let seat = Rc::new(Seat {
            stop: cell.stop.clone(),
            planned_ns: Cell::new(None),
            retired: Cell::new(false),
            busy: Cell::new(false),
            waker: RefCell::new(None),
        });
        run.seats.borrow_mut().push(seat.clone());
        run.taken.set(run.taken.get() + 1);
        run.free.borrow_mut().push_back(seat.clone());
        run.shared.put(self.worker.index);
        tokio::task::spawn_local(self.clone().sit(run.clone(), seat, cell));
    }

    async fn sit(self: Rc<Self>, run: Rc<OpenRun>, seat: Rc<Seat>, mut cell: VuCell<P::Vu>) {
        let scenario = &run.scenario;
        let mut slots = self.activate(&mut cell, scenario, run.setup_data.clone());
        while let Some(planned_ns) = seat.next().await {
            scenario.vus_active.fetch_add(1, Relaxed);
            self.worker.state.vus_active.fetch_add(1, Relaxed);
            let start = Start {
                number: scenario.next_iteration.fetch_add(1, Relaxed),
                planned_ns: Some(planned_ns),
                hard_end_ns: run.hard_end_ns,
            };
            self.iterate(&mut cell, scenario, &mut slots, start).await;
            scenario.vus_active.fetch_sub(1, Relaxed);
            self.worker.state.vus_active.fetch_sub(1, Relaxed);
            seat.busy.set(false);
            run.free.borrow_mut().push_back(seat.clone());
            run.shared.put(self.worker.index);
            if run.over.get() {
                run.changed.notify_waiters();
            }
            tokio::task::coop::consume_budget().await;
        }
        self.idle.borrow_mut().insert(cell.slot, cell);
        run.taken.set(run.taken.get() - 1);
        run.changed.notify_waiters();
    }

    async fn run_open(self: Rc<Self>, run: Rc<OpenRun>, order: OpenOrder) {
        self.hand_out_starts(&run, &order).await;
        self.wait_or_change(&run, order.regular_end_ns, |run| run.over.get())
            .await;
        run.over.set(true);
        let idle = |run: &OpenRun| !run.any_busy();
        self.wait_or_change(&run, order.hard_end_ns, idle).await;
        run.interrupt();
        self.wait_or_change(&run, u64::MAX, idle).await;
        run.retire_all();
        self.wait_or_change(&run, u64::MAX, |run| run.taken.get() == 0)
            .await;
        self.open.borrow_mut().remove(&order.scenario.index);
        self.report(Report::OpenDone {
            scenario: order.scenario.index,
        });
    }

    /// Waits until an instant, or until the run has changed into something wanted.
    async fn wait_or_change(&self, run: &OpenRun, until_ns: u64, done: impl Fn(&OpenRun) -> bool) {
        while !done(run) && self.worker.clock.now_ns() < until_ns {
            tokio::select! {
                () = run.changed.notified() => {}
                () = self.worker.sleep_until(until_ns) => {}
            }
        }
    }

    async fn hand_out_starts(self: &Rc<Self>, run: &Rc<OpenRun>, order: &OpenOrder) {
        let stripe = order.stripe.and_then(|(index, of)| Stripe::new(index, of));
        let Some(stripe) = stripe else { return };
        let share = Share::new(self.worker.plan.segmentation.clone(), stripe);
        let starts = order.scenario.scenario.executor.starts(&share);
        let alarm = Alarm::new().ok();
        let mut in_a_row: u32 = 0;
        for start in starts.into_iter().flatten() {
            let planned_ns = order.start_ns + start.offset_ns;
            if self.worker.clock.now_ns() < planned_ns {
                in_a_row = 0;
                self.wait_for_start(run, &alarm, planned_ns).await;
            } else {
                in_a_row += 1;
                if in_a_row.is_multiple_of(BURST) {
                    tokio::task::yield_now().await;
                }
            }
            if run.over.get() || self.worker.state.is_ending() {
                return;
            }
            self.dispatch(run, planned_ns);
        }
    }

    /// Waits for a planned start as exactly as the machine can, or until the run is over.
    async fn wait_for_start(&self, run: &OpenRun, alarm: &Option<Alarm>, at_ns: u64) {
        let Some(alarm) = alarm else {
            return self.wait_or_change(run, at_ns, |run| run.over.get()).await;
        };
        while !run.over.get() && self.worker.clock.now_ns() < at_ns {
            tokio::select! {
                () = run.changed.notified() => {}
                () = alarm.until(at_ns) => {}
            }
        }
    }

    fn dispatch(&self, run: &OpenRun, planned_ns: u64) {
        let own = self.worker.index;
        if run.shared.take(own) {
            give(run, planned_ns);
            return;
        }
        let scenario = run.scenario.index;
        let others = (0..self.peers.len()).filter(|other| *other != own);
        for other in others {
            if run.shared.take(other) {
                // A worker that is gone has ended its part; the run is over then.
                let tick = Command::Tick {
                    scenario,
                    planned_ns,
                };
                let _ = self.peers[other].send(tick);
                return;
            }
        }
        self.worker.state.drop_iterations(scenario, 1);
        let tags = self.scenario_tags(&run.scenario);
        let stamp = self.worker.stamp(0, 0);
        let mut recorder = self.worker.recorder.borrow_mut();
        let metric = recorder.registry().builtin.dropped_iterations;
        recorder.record(metric, tags, 1.0, stamp);
        if !run.scenario.growing.swap(true, Relaxed) {
            self.report(Report::NeedVu { scenario });
        }
    }
}

/// Gives a start to the VU that has been free for longest; one is reserved.
fn give(run: &OpenRun, planned_ns: u64) {
    if let Some(seat) = run.free.borrow_mut().pop_front() {
        seat.busy.set(true);
        seat.planned_ns.set(Some(planned_ns));
        seat.wake();
    }
}
