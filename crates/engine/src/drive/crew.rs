//! A number of looping VUs that orders change while the scenario runs.
//!
//! Owns what `externally-controlled` is from its start, and what `constant-vus` and `ramping-vus` are from the moment
//! when somebody asks for another number. Invariant: a scenario has no more VUs from the pool than were planned for it,
//! because the others there are promised to other scenarios; those beyond are made for it and stay with it.

use std::sync::atomic::Ordering::Relaxed;

use crate::log::{Level, Record};
use crate::message::{Command, Quota, VuSlot};

use super::{Driver, Event, Scale};

/// The VUs of one scenario.
pub(super) struct Crew {
    /// Those that loop, each with the number of its order.
    pub running: Vec<(VuSlot, u64)>,
    /// Those that may finish their iteration.
    pub leaving: Vec<(VuSlot, u64)>,
    /// How many are to run.
    pub wanted: usize,
    /// How many the plan has for the scenario.
    pub planned: usize,
    /// How long one that leaves may take, in nanoseconds.
    pub grace_ns: u64,
    /// How many were made for it beyond the plan, and which of them do nothing.
    made: usize,
    spare: Vec<VuSlot>,
    /// How many are being made.
    asked: usize,
}

impl Crew {
    /// Nobody yet.
    pub(super) fn new(wanted: usize, planned: usize, grace_ns: u64) -> Self {
        Self {
            running: Vec::new(),
            leaving: Vec::new(),
            wanted,
            planned,
            grace_ns,
            made: 0,
            spare: Vec::new(),
            asked: 0,
        }
    }

    /// Those that were taken from the pool.
    fn of_pool(&self) -> usize {
        (self.running.len() + self.leaving.len() + self.spare.len()).saturating_sub(self.made)
    }
}

impl Driver {
    /// How many VUs were ordered for this scenario, if any were.
    pub(super) fn ordered(&self, scale: &Scale) -> Option<u64> {
        scale.vus.get(&self.scenario.index).copied()
    }

    /// Keeps as many VUs running as are wanted, until the scenario ends. The first begin at `first_ns`.
    pub(super) async fn hold(&mut self, mut crew: Crew, begin_ns: u64, first_ns: u64) {
        let regular_end_ns = self.ends_ns(begin_ns).0;
        let mut scale = self.stage.scale.clone();
        let end = self.stage.clone();
        let end = end.sleep_until(regular_end_ns);
        tokio::pin!(end);
        let mut from_ns = first_ns;
        loop {
            self.grow(&mut crew, begin_ns, from_ns).await;
            self.shrink(&mut crew, begin_ns);
            tokio::select! {
                _ = &mut end => break,
                event = self.events.recv() => match event {
                    Some(event) => self.note(event, &mut crew),
                    None => return,
                },
                Ok(()) = scale.changed() => {
                    let wanted = self.ordered(&scale.borrow_and_update());
                    crew.wanted = wanted.map_or(crew.wanted, |vus| self.crew_of(vus, &crew));
                }
            }
            from_ns = self.stage.clock.now_ns();
        }
        while !(crew.running.is_empty() && crew.leaving.is_empty()) {
            let Some(event) = self.events.recv().await else {
                return;
            };
            self.note(event, &mut crew);
        }
        crew.spare
            .into_iter()
            .for_each(|slot| self.stage.pool.put(slot));
    }

    /// How many VUs an order means here. One that is controlled from outside has a largest number.
    fn crew_of(&self, vus: u64, crew: &Crew) -> usize {
        match self.scenario.scenario.executor {
            netload_plan::Executor::ExternallyControlled(_) => (vus as usize).min(crew.planned),
            _ => self.share().count(vus) as usize,
        }
    }

    /// Starts VUs that are missing: those that were about to leave first, those that have to be made last.
    async fn grow(&self, crew: &mut Crew, begin_ns: u64, from_ns: u64) {
        let (regular_end_ns, hard_end_ns) = self.ends_ns(begin_ns);
        let state = &self.stage.state;
        while crew.running.len() + crew.asked < crew.wanted
            && from_ns < regular_end_ns
            && !state.is_ending()
        {
            let slot = if let Some((slot, _)) = crew.leaving.pop() {
                slot
            } else if crew.of_pool() < crew.planned {
                self.stage.pool.take().await
            } else if let Some(slot) = crew.spare.pop() {
                slot
            } else {
                crew.asked += 1;
                // The receiver lives as long as the drivers do.
                let _ = self.stage.wanted.send(self.scenario.index);
                continue;
            };
            let epoch = self.direct(slot, from_ns, regular_end_ns, hard_end_ns);
            crew.running.push((slot, epoch));
        }
    }

    /// Lets VUs go that are too many.
    fn shrink(&self, crew: &mut Crew, begin_ns: u64) {
        let hard_end_ns = self.ends_ns(begin_ns).1;
        while crew.running.len() > crew.wanted {
            let Some((slot, _)) = crew.running.pop() else {
                return;
            };
            let now_ns = self.stage.clock.now_ns();
            let latest_ns = now_ns.saturating_add(crew.grace_ns).min(hard_end_ns);
            let epoch = self.direct(slot, now_ns, now_ns, latest_ns);
            crew.leaving.push((slot, epoch));
        }
    }

    /// Orders a VU to loop; the number of the order.
    pub(super) fn direct(
        &self,
        slot: VuSlot,
        start_ns: u64,
        regular_end_ns: u64,
        hard_end_ns: u64,
    ) -> u64 {
        let mut order = self.order(slot, start_ns, Quota::Unlimited);
        order.regular_end_ns = regular_end_ns;
        order.hard_end_ns = hard_end_ns;
        let epoch = order.epoch;
        self.stage.send(slot, Command::Loop(order));
        epoch
    }

    fn note(&self, event: Event, crew: &mut Crew) {
        match event {
            Event::LoopDone { slot, epoch } => {
                let mut gone = false;
                for list in [&mut crew.running, &mut crew.leaving] {
                    if let Some(at) = list.iter().position(|entry| *entry == (slot, epoch)) {
                        list.swap_remove(at);
                        gone = true;
                    }
                }
                if gone && crew.spare.len() < crew.made {
                    crew.spare.push(slot);
                } else if gone {
                    self.stage.pool.put(slot);
                }
            }
            Event::NewVu(made) => {
                crew.asked = crew.asked.saturating_sub(1);
                match made {
                    Ok(slot) => {
                        crew.made += 1;
                        crew.spare.push(slot);
                    }
                    Err(reason) => {
                        crew.wanted = crew.wanted.min(crew.running.len() + crew.asked);
                        let text = format!("no further virtual user can be made: {reason}");
                        let record = Record::new(Level::Warning, text);
                        let name = &*self.scenario.scenario.name;
                        self.stage.log.log(record.with("scenario", name));
                    }
                }
                self.scenario.growing.store(false, Relaxed);
            }
            Event::OpenDone | Event::NeedVu => {}
        }
    }
}
