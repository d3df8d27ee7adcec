//! ramping-vus: VUs come and go along a line; one that leaves may finish its iteration. Once another number of them is
//! ordered, the rest of the line is left.

use netload_plan::executor::RampingVus;

use tokio::sync::watch;

use crate::message::VuSlot;

use super::crew::Crew;
use super::{Driver, Event, Scale};

/// One of the VUs the line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Post {
    Vacant,
    Running { slot: VuSlot, epoch: u64 },
    Leaving { slot: VuSlot, epoch: u64 },
}

/// What a wait came to.
enum Waited {
    /// Its instant.
    Reached,
    /// The end of the run.
    Ended,
    /// An order for so many VUs.
    Ordered(u64),
}

impl Driver {
    pub(super) async fn ramping_vus(&mut self, executor: &RampingVus, begin_ns: u64) {
        let (regular_end_ns, hard_end_ns) = self.ends_ns(begin_ns);
        let share = self.share();
        let mut posts = vec![Post::Vacant; share.count(executor.most_vus()) as usize];
        let mut scale = self.stage.scale.clone();
        for step in executor.steps(&share) {
            let at_ns = begin_ns + step.offset_ns;
            match self.wait_minding(&mut posts, at_ns, &mut scale).await {
                Waited::Reached => {}
                Waited::Ended => break,
                Waited::Ordered(vus) => {
                    return self.leave_line(executor, posts, vus, begin_ns).await;
                }
            }
            let wanted = step.vus as usize;
            for (place, post) in posts.iter_mut().enumerate() {
                let start = place < wanted && at_ns < regular_end_ns;
                *post = match *post {
                    Post::Vacant if start => {
                        let slot = self.stage.pool.take().await;
                        self.aim(slot, at_ns, regular_end_ns, hard_end_ns, true)
                    }
                    Post::Leaving { slot, .. } if start => {
                        self.aim(slot, at_ns, regular_end_ns, hard_end_ns, true)
                    }
                    Post::Running { slot, .. } if place >= wanted => {
                        let grace = at_ns.saturating_add(executor.graceful_ramp_down_ns);
                        self.aim(slot, at_ns, at_ns, grace.min(hard_end_ns), false)
                    }
                    other => other,
                };
            }
        }
        // The line may end in a flat part, at whose end the last step is long past.
        if let Waited::Ordered(vus) = self
            .wait_minding(&mut posts, regular_end_ns, &mut scale)
            .await
        {
            return self.leave_line(executor, posts, vus, begin_ns).await;
        }
        while posts.iter().any(|p| *p != Post::Vacant) {
            let Some(event) = self.events.recv().await else {
                return;
            };
            self.mind(&mut posts, &event);
        }
    }

    /// Goes on with another number of VUs than the line has.
    async fn leave_line(
        &mut self,
        executor: &RampingVus,
        posts: Vec<Post>,
        vus: u64,
        begin_ns: u64,
    ) {
        let wanted = self.share().count(vus) as usize;
        let mut crew = Crew::new(wanted, posts.len(), executor.graceful_ramp_down_ns);
        for post in posts {
            match post {
                Post::Running { slot, epoch } => crew.running.push((slot, epoch)),
                Post::Leaving { slot, epoch } => crew.leaving.push((slot, epoch)),
                Post::Vacant => {}
            }
        }
        let now_ns = self.stage.clock.now_ns();
        self.hold(crew, begin_ns, now_ns).await;
    }

    fn aim(
        &self,
        slot: VuSlot,
        at_ns: u64,
        regular_end_ns: u64,
        hard_end_ns: u64,
        run: bool,
    ) -> Post {
        let epoch = self.direct(slot, at_ns, regular_end_ns, hard_end_ns);
        if run {
            Post::Running { slot, epoch }
        } else {
            Post::Leaving { slot, epoch }
        }
    }

    /// Waits for an instant while VUs stop.
    async fn wait_minding(
        &mut self,
        posts: &mut [Post],
        at_ns: u64,
        scale: &mut watch::Receiver<Scale>,
    ) -> Waited {
        loop {
            let stage = self.stage.clone();
            tokio::select! {
                biased;
                go_on = stage.sleep_until(at_ns) => return if go_on { Waited::Reached } else { Waited::Ended },
                Ok(()) = scale.changed() => {
                    if let Some(vus) = self.ordered(&scale.borrow_and_update()) {
                        return Waited::Ordered(vus);
                    }
                }
                event = self.events.recv() => match event {
                    Some(event) => self.mind(posts, &event),
                    None => return Waited::Ended,
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
