//! externally-controlled: the number of VUs is set by the user while the test runs.

use netload_plan::executor::ExternallyControlled;

use crate::message::{Command, Quota, VuSlot};

use super::{Driver, Event};

impl Driver {
    pub(super) async fn external(&mut self, executor: &ExternallyControlled, begin_ns: u64) {
        let (regular_end_ns, hard_end_ns) = self.ends_ns(begin_ns);
        let most = self.share().count(executor.max_vus) as usize;
        let mut wanted = (self.share().count(executor.vus) as usize).min(most);
        let mut running: Vec<(VuSlot, u64)> = Vec::new();
        let mut leaving: Vec<(VuSlot, u64)> = Vec::new();
        let mut scale = self.stage.scale.clone();
        let end = self.stage.clone();
        let end = end.sleep_until(regular_end_ns);
        tokio::pin!(end);
        loop {
            while running.len() < wanted {
                let slot = self.stage.pool.take().await;
                let now_ns = self.stage.clock.now_ns();
                let mut order = self.order(slot, begin_ns, Quota::Unlimited);
                (order.start_ns, order.regular_end_ns) = (now_ns, regular_end_ns);
                order.hard_end_ns = hard_end_ns;
                running.push((slot, order.epoch));
                self.stage.send(slot, Command::Loop(order));
            }
            while running.len() > wanted {
                let Some((slot, _)) = running.pop() else {
                    break;
                };
                let now_ns = self.stage.clock.now_ns();
                let mut order = self.order(slot, begin_ns, Quota::Unlimited);
                (order.start_ns, order.regular_end_ns) = (now_ns, now_ns);
                let grace_ns = self.scenario.scenario.graceful_stop_ns;
                order.hard_end_ns = now_ns.saturating_add(grace_ns).min(hard_end_ns);
                leaving.push((slot, order.epoch));
                self.stage.send(slot, Command::Loop(order));
            }
            tokio::select! {
                _ = &mut end => break,
                event = self.events.recv() => match event {
                    Some(event) => self.gone(&event, &mut running, &mut leaving),
                    None => return,
                },
                changed = scale.changed() => if changed.is_ok() {
                    let vus = scale.borrow_and_update().vus;
                    wanted = vus.map_or(wanted, |v| v as usize).min(most);
                },
            }
        }
        while !(running.is_empty() && leaving.is_empty()) {
            let Some(event) = self.events.recv().await else {
                return;
            };
            self.gone(&event, &mut running, &mut leaving);
        }
    }

    fn gone(
        &self,
        event: &Event,
        running: &mut Vec<(VuSlot, u64)>,
        leaving: &mut Vec<(VuSlot, u64)>,
    ) {
        let Event::LoopDone { slot, epoch } = event else {
            return;
        };
        for list in [running, leaving] {
            if let Some(at) = list.iter().position(|entry| *entry == (*slot, *epoch)) {
                list.swap_remove(at);
                self.stage.pool.put(*slot);
            }
        }
    }
}
