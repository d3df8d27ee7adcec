//! Calls outside the load: setup, teardown and the summary, each in a VU of its own.

use std::rc::Rc;

use netload_metrics::TagsId;

use crate::message::{Report, SpecialCall, SpecialResult};
use crate::program::{Program, ProgramError, Vu, VuHost};
use crate::stop::Stop;

use super::Thread;

impl<P: Program> Thread<P> {
    pub(super) async fn run_special(
        self: Rc<Self>,
        number: u64,
        call: SpecialCall,
        deadline_ns: u64,
    ) {
        let stop = Rc::new(Stop::default());
        stop.set_deadline(deadline_ns);
        self.specials.borrow_mut().push(stop.clone());
        let thread = self.clone();
        let alarm = {
            let stop = stop.clone();
            tokio::task::spawn_local(async move {
                thread.worker.sleep_until(deadline_ns).await;
                stop.request();
            })
        };
        let result = self.call_special(call, stop.clone()).await;
        alarm.abort();
        self.specials.borrow_mut().retain(|s| !Rc::ptr_eq(s, &stop));
        self.report(Report::Special { number, result });
    }

    async fn call_special(
        &self,
        call: SpecialCall,
        stop: Rc<Stop>,
    ) -> Result<SpecialResult, ProgramError> {
        let host = VuHost {
            id: 0,
            id_in_test: 0,
            worker: self.worker.clone(),
            stop,
        };
        let mut vu = self.program.vu(&self.local, host).await?;
        match call {
            SpecialCall::Setup => {
                let tags = self.special_tags("::setup");
                let data = vu.setup(tags).await;
                self.record_bytes(&mut vu, tags);
                data.map(SpecialResult::Setup)
            }
            SpecialCall::Teardown(data) => {
                let tags = self.special_tags("::teardown");
                let result = vu.teardown(tags, data).await;
                self.record_bytes(&mut vu, tags);
                result.map(|()| SpecialResult::Teardown)
            }
            SpecialCall::Summary(data) => vu.summarize(&data).await.map(SpecialResult::Summary),
        }
    }

    fn special_tags(&self, group: &str) -> TagsId {
        let plan = &self.worker.plan;
        let mut tags: Vec<(&str, &str)> = Vec::new();
        tags.extend(plan.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        if plan.system_tags.contains(netload_plan::SystemTag::Group) {
            tags.push(("group", group));
        }
        let mut recorder = self.worker.recorder.borrow_mut();
        recorder.tags.extend(TagsId::EMPTY, &tags)
    }

    fn record_bytes(&self, vu: &mut P::Vu, tags: TagsId) {
        let stamp = self.worker.stamp(0, 0);
        let (sent, received) = vu.take_bytes();
        let mut recorder = self.worker.recorder.borrow_mut();
        let m = recorder.registry().builtin;
        recorder.record(m.data_sent, tags, sent as f64, stamp);
        recorder.record(m.data_received, tags, received as f64, stamp);
    }
}
