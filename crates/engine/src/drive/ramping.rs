//! ramping-vus: VUs come and go along a line; one that leaves may finish its iteration.

use netload_plan::executor::RampingVus;

use crate::message::{Command, Quota, VuSlot};

use super::{Driver, Event};

/// One of the VUs the line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Post {
    Vacant,
    Running { slot: VuSlot, epoch: u64 },
    Leaving { slot: VuSlot, epoch: u64 },
}

impl Driver {
    pub(super) async fn ramping_vus(&mut self, executor: &RampingVus, begin_ns: u64) {
        let (regular_end_ns, hard_end_ns) = self.ends_ns(begin_ns);
        let share = self.share();
        let mut posts = vec![Post::Vacant; share.count(executor.most_vus()) as usize];
        for step in executor.steps(&share) {
            let at_ns = begin_ns + step.offset_ns;
            if !self.wait_minding(&mut posts, at_ns).await {
                break;
            }
            let wanted = step.vus as usize;
            for (place, post) in posts.iter_mut().enumerate() {
                let start = place < wanted && at_ns < regular_end_ns;
                *post = match *post {
                    Post::Vacant if start => {
                        let slot = self.stage.pool.take().await;
                        self.aim(slot, begin_ns, at_ns, regular_end_ns, hard_end_ns, true)
                    }
                    Post::Leaving { slot, .. } if start => {
                        self.aim(slot, begin_ns, at_ns, regular_end_ns, hard_end_ns, true)
                    }
                    Post::Running { slot, .. } if place >= wanted => {
                        let grace = at_ns.saturating_add(executor.graceful_ramp_down_ns);
                        self.aim(slot, begin_ns, at_ns, at_ns, grace.min(hard_end_ns), false)
                    }
                    other => other,
                };
            }
        }
        while posts.iter().any(|p| *p != Post::Vacant) {
            let Some(event) = self.events.recv().await else {
                return;
            };
            self.mind(&mut posts, &event);
        }
    }

    fn aim(
        &self,
        slot: VuSlot,
        begin_ns: u64,
        at_ns: u64,
        regular_end_ns: u64,
        hard_end_ns: u64,
        run: bool,
    ) -> Post {
        let mut order = self.order(slot, begin_ns, Quota::Unlimited);
        order.start_ns = at_ns;
        order.regular_end_ns = regular_end_ns;
        order.hard_end_ns = hard_end_ns;
        let epoch = order.epoch;
        self.stage.send(slot, Command::Loop(order));
        if run {
            Post::Running { slot, epoch }
        } else {
            Post::Leaving { slot, epoch }
        }
    }

    /// Waits for an instant while VUs stop; false when the run was told to end.
    async fn wait_minding(&mut self, posts: &mut [Post], at_ns: u64) -> bool {
        loop {
            let stage = self.stage.clone();
            tokio::select! {
                biased;
                go_on = stage.sleep_until(at_ns) => return go_on,
                event = self.events.recv() => match event {
                    Some(event) => self.mind(posts, &event),
                    None => return false,
                },
            }
        }
    }

    /// A VU has stopped; a report about an order that was replaced since is old news.
    fn mind(&self, posts: &mut [Post], event: &Event) {
        let Event::LoopDone { slot, epoch } = event else {
            return;
        };
        let here = |p: &&mut Post| match p {
            Post::Running { slot: s, epoch: e } | Post::Leaving { slot: s, epoch: e } => {
                s == slot && e == epoch
            }
            Post::Vacant => false,
        };
        if let Some(post) = posts.iter_mut().find(here) {
            *post = Post::Vacant;
            self.stage.pool.put(*slot);
        }
    }
}
