//! What outputs are told, second by second: the seconds cover the run, and each comes behind its windows.

mod harness;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use harness::{Waiter, count};
use netload_metrics::{
    Aggregate, Aggregator, MetricId, RunInfo, Second, Sink, SinkError, Summary, Window,
};
use netload_plan::{Layered, Options, Origin, Plan};

/// What the output was told: the length, the end and the iterations of each second.
type Told = Arc<Mutex<Vec<(u64, u64, u64)>>>;

#[derive(Default)]
struct Listener {
    told: Told,
    iterations: Option<MetricId>,
    running: u64,
}

impl Sink for Listener {
    fn describe(&self) -> String {
        "listener".to_owned()
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        self.iterations = Some(info.registry.builtin.iterations);
        Ok(())
    }

    fn window(&mut self, window: &Window, _: &Aggregator) -> Result<(), SinkError> {
        for delta in &window.series {
            if let (true, Aggregate::Counter(c)) =
                (Some(delta.metric) == self.iterations, &delta.data)
            {
                self.running += c.samples;
            }
        }
        Ok(())
    }

    fn second(&mut self, second: &Second<'_>, _: &Aggregator) -> Result<(), SinkError> {
        let iterations = std::mem::take(&mut self.running);
        let entry = (second.span_ns, second.elapsed_ns, iterations);
        self.told.lock().unwrap().push(entry);
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<(), SinkError> {
        assert_eq!(self.running, 0, "a window came after the last second");
        Ok(())
    }
}

#[test]
fn the_seconds_of_a_run_hold_everything_it_did() {
    let wish = serde_json::json!({ "vus": 2, "duration": "2500ms" });
    let mut layered = Layered::default();
    layered.add(Origin::Script, Options::from_json(&wish).unwrap().0);
    let listener = Listener::default();
    let told = listener.told.clone();
    let plan = Plan::resolve(&layered).unwrap();
    let waiter = Waiter::new(Duration::from_millis(50));
    let (result, _) = waiter.run_into(plan, vec![Box::new(listener)]);

    let told = told.lock().unwrap();
    assert!(told.len() >= 3, "{told:?}");
    let iterations: u64 = told.iter().map(|(_, _, iterations)| iterations).sum();
    assert_eq!(iterations, count(&result, "iterations"));
    let ends: Vec<u64> = told.iter().map(|(_, end_ns, _)| *end_ns).collect();
    assert!(ends.is_sorted(), "{ends:?}");
    let spans_ns: u64 = told.iter().map(|(span_ns, ..)| span_ns).sum();
    let last_ns = ends[ends.len() - 1];
    assert!(
        last_ns.abs_diff(spans_ns) < 50_000_000,
        "{spans_ns} ns of {last_ns}"
    );
}
