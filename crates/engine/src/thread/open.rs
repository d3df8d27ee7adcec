//! One worker's part of an open scenario: the VUs that take planned starts, from the first to the last.
//!
//! Owns the seats and the course of the scenario; [`super::release`] releases the starts. A start that finds no free VU
//! here goes to a worker that has one. When the whole instance has none it is dropped, counted and never made up, or,
//! where the scenario queues, it waits for the next VU that becomes free.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Poll, Waker};
use std::time::Duration;

use netload_plan::executor::Surplus;
use tokio::sync::Notify;

use crate::message::{OpenOrder, OpenShared, Report, VuSlot};
use crate::program::Program;
use crate::state::{Course, ScenarioState};
use crate::stop::Stop;

use super::iterate::Start;
use super::{Thread, VuCell};

/// How often a worker looks whether the others still release starts, at the end of a scenario that queues.
const RELEASE_POLL: Duration = Duration::from_millis(1);

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
    pub(super) scenario: Arc<ScenarioState>,
    pub(super) shared: Arc<OpenShared>,
    setup_data: Option<Arc<str>>,
    hard_end_ns: u64,
    seats: RefCell<Vec<Rc<Seat>>>,
    free: RefCell<VecDeque<Rc<Seat>>>,
    /// Seats that have not been left yet.
    taken: Cell<usize>,
    /// A change of the law that has not begun here.
    pub(super) change: RefCell<Option<Arc<Course>>>,
    /// No further start becomes due.
    pub(super) over: Cell<bool>,
    /// Not even a waiting start becomes an iteration.
    closed: Cell<bool>,
    pub(super) changed: Notify,
}

impl OpenRun {
    /// No further starts; what runs is interrupted.
    pub(super) fn interrupt(&self) {
        self.over.set(true);
        self.closed.set(true);
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

    /// A start that waits, for a VU that has just become free.
    fn next_waiting(&self) -> Option<u64> {
        (!self.closed.get()).then(|| self.shared.line.pop())?
    }

    /// Whether a start at this instant is still to come: neither is the scenario over, nor has the law changed by then.
    pub(super) fn holds(&self, at_ns: u64) -> bool {
        !self.over.get() && !self.is_changed_by(at_ns)
    }

    /// Whether the law changes at or before an instant.
    pub(super) fn is_changed_by(&self, at_ns: u64) -> bool {
        self.change
            .borrow()
            .as_ref()
            .is_some_and(|course| course.from_ns <= at_ns)
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
            change: RefCell::new(None),
            over: Cell::new(self.interrupted.get()),
            closed: Cell::new(self.interrupted.get()),
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

    /// Another law plans the starts from an instant on.
    pub(super) fn change_open(&self, scenario: usize, course: Arc<Course>) {
        if let Some(run) = self.open.borrow().get(&scenario) {
            *run.change.borrow_mut() = Some(course);
            run.changed.notify_waiters();
        }
    }

    /// A start from another worker, which reserved a free VU here.
    pub(super) fn take_tick(&self, scenario: usize, planned_ns: u64) {
        let run = self.open.borrow().get(&scenario).cloned();
        match run {
            Some(run) if !run.closed.get() => give(&run, planned_ns),
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
        let mut next = seat.next().await;
        while let Some(planned_ns) = next {
            scenario.vus_active.fetch_add(1, Relaxed);
            self.worker.state.vus_active.fetch_add(1, Relaxed);
            let start = Start {
                number: scenario.next_iteration.fetch_add(1, Relaxed),
                planned_ns: Some(planned_ns),
                began_ns: None,
                hard_end_ns: run.hard_end_ns,
            };
            self.iterate(&mut cell, scenario, &mut slots, start).await;
            scenario.vus_active.fetch_sub(1, Relaxed);
            self.worker.state.vus_active.fetch_sub(1, Relaxed);
            next = match run.next_waiting() {
                Some(waiting) => Some(waiting),
                None => {
                    self.vacate(&run, &seat);
                    tokio::task::coop::consume_budget().await;
                    seat.next().await
                }
            };
        }
        self.idle.borrow_mut().insert(cell.slot, cell);
        run.taken.set(run.taken.get() - 1);
        run.changed.notify_waiters();
    }

    /// The VU in this seat is free.
    fn vacate(&self, run: &OpenRun, seat: &Rc<Seat>) {
        seat.busy.set(false);
        run.free.borrow_mut().push_back(seat.clone());
        run.shared.put(self.worker.index);
        if !run.closed.get() {
            self.look_at_line(run);
        }
        if run.over.get() {
            run.changed.notify_waiters();
        }
    }

    async fn run_open(self: Rc<Self>, run: Rc<OpenRun>, order: OpenOrder) {
        self.hand_out_starts(&run, &order).await;
        run.shared.stop_releasing();
        self.wait_for_others(&run, &order).await;
        // By chance a number of starts may be through long before the time they could take at most.
        if !order.scenario.scenario.executor.ends_with_its_starts() {
            self.wait_or_change(&run, order.regular_end_ns, |run| run.over.get())
                .await;
        }
        run.over.set(true);
        let idle = |run: &OpenRun| !run.any_busy();
        self.wait_or_change(&run, order.hard_end_ns, idle).await;
        run.interrupt();
        self.wait_or_change(&run, u64::MAX, idle).await;
        // A worker without VUs is through at once, while those of others still serve the line.
        if run.shared.stop_serving() {
            self.leave_line(&run);
        }
        run.retire_all();
        self.wait_or_change(&run, u64::MAX, |run| run.taken.get() == 0)
            .await;
        self.open.borrow_mut().remove(&order.scenario.index);
        self.report(Report::OpenDone {
            scenario: order.scenario.index,
        });
    }

    /// Waits until no worker can put a start into the waiting line or send one here any more.
    async fn wait_for_others(&self, run: &OpenRun, order: &OpenOrder) {
        if order.scenario.scenario.executor.surplus() != Surplus::Queue {
            return;
        }
        let over =
            |run: &OpenRun| run.over.get() || self.worker.clock.now_ns() >= order.hard_end_ns;
        while run.shared.is_releasing() && !over(run) {
            tokio::time::sleep(RELEASE_POLL).await;
        }
        // What was sent before the others stopped is taken in the meantime.
        tokio::time::sleep(RELEASE_POLL).await;
    }

    /// Waits until an instant, or until the run has changed into something wanted.
    pub(super) async fn wait_or_change(
        &self,
        run: &OpenRun,
        until_ns: u64,
        done: impl Fn(&OpenRun) -> bool,
    ) {
        while !done(run) && self.worker.clock.now_ns() < until_ns {
            tokio::select! {
                () = run.changed.notified() => {}
                () = self.worker.sleep_until(until_ns) => {}
            }
        }
    }
}

/// Gives a start to the VU that has been free for longest; one is reserved.
pub(super) fn give(run: &OpenRun, planned_ns: u64) {
    if let Some(seat) = run.free.borrow_mut().pop_front() {
        seat.busy.set(true);
        seat.planned_ns.set(Some(planned_ns));
        seat.wake();
    }
}
