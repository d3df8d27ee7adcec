//! externally-controlled: the number of VUs is set by the user while the test runs.

use netload_plan::executor::ExternallyControlled;

use super::Driver;
use super::crew::Crew;

impl Driver {
    pub(super) async fn external(&mut self, executor: &ExternallyControlled, begin_ns: u64) {
        let most = self.share().count(executor.max_vus) as usize;
        let wanted = (self.share().count(executor.vus) as usize).min(most);
        let crew = Crew::new(wanted, most, self.scenario.scenario.graceful_stop_ns);
        self.hold(crew, begin_ns, begin_ns).await;
    }
}
