//! Running tests as pages see them: the newest state, bounded rings of log lines and failed requests, and a stream of
//! events for whoever is looking on.
//!
//! Events are JSON texts made elsewhere. Posting never waits: rings drop their oldest entry, streams their slow readers'.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::broadcast;

/// Log lines kept of one test.
const LOGS_KEPT: usize = 1_000;
/// Failed requests kept of one test.
const FAILURES_KEPT: usize = 500;
/// Events that a slow reader may lag behind.
const EVENTS_QUEUED: usize = 512;
/// Tests that are kept when they are over, so that pages still open can read their last lines.
const OVER_KEPT: usize = 20;

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What is fixed from the start: id, title, labels, options.
    Head,
    /// Where the test is: phase, elapsed time, VUs, newest rates.
    Status,
    /// One more second of the charts.
    Row,
    /// A log line.
    Log,
    /// A failed request.
    Failure,
    /// The test is over: exit code and one sentence.
    End,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Head,
        Self::Status,
        Self::Row,
        Self::Log,
        Self::Failure,
        Self::End,
    ];

    /// Its name in streams.
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Status => "status",
            Self::Row => "row",
            Self::Log => "log",
            Self::Failure => "failure",
            Self::End => "end",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One event of a running test.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its number within the test, from 1.
    pub number: u64,
    /// What it is about.
    pub kind: Kind,
    /// A JSON document on one line.
    pub data: Arc<str>,
}

/// One test, running or just over.
#[derive(Debug)]
pub struct Running {
    id: String,
    state: Mutex<State>,
    stream: broadcast::Sender<Event>,
}

#[derive(Debug, Default)]
struct State {
    number: u64,
    head: Option<Arc<str>>,
    status: Option<Arc<str>>,
    end: Option<Arc<str>>,
    logs: VecDeque<(u64, Arc<str>)>,
    failures: VecDeque<(u64, Arc<str>)>,
}

impl Running {
    fn new(id: String) -> Self {
        Self {
            id,
            state: Mutex::default(),
            stream: broadcast::channel(EVENTS_QUEUED).0,
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Takes an event and passes it on. `data`: a JSON document on one line.
    pub fn post(&self, kind: Kind, data: impl Into<Arc<str>>) {
        let data = data.into();
        let mut state = self.state();
        state.number += 1;
        let number = state.number;
        match kind {
            Kind::Head => state.head = Some(data.clone()),
            Kind::Status => state.status = Some(data.clone()),
            Kind::End => state.end = Some(data.clone()),
            Kind::Log => keep(&mut state.logs, LOGS_KEPT, number, &data),
            Kind::Failure => keep(&mut state.failures, FAILURES_KEPT, number, &data),
            Kind::Row => {}
        }
        // Sent under the lock, so that numbers and order agree. Nobody looking on is no error.
        let _ = self.stream.send(Event { number, kind, data });
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.state().end.is_some()
    }

    /// Its newest state in one document.
    pub fn summary(&self) -> Value {
        let state = self.state();
        json!({
            "id": self.id,
            "running": state.end.is_none(),
            "head": parsed(state.head.as_deref()),
            "status": parsed(state.status.as_deref()),
            "end": parsed(state.end.as_deref()),
            "number": state.number,
        })
    }

    /// The kept log lines, the oldest first, with the numbers of their events.
    pub fn logs(&self) -> Value {
        listed(&self.state().logs)
    }

    /// The kept failed requests, the oldest first, with the numbers of their events.
    pub fn failures(&self) -> Value {
        listed(&self.state().failures)
    }

    /// The state now and everything that is posted from now on.
    pub(crate) fn follow(&self) -> (Value, broadcast::Receiver<Event>) {
        let receiver = self.stream.subscribe();
        (self.summary(), receiver)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(ring: &mut VecDeque<(u64, Arc<str>)>, limit: usize, number: u64, data: &Arc<str>) {
    if ring.len() >= limit {
        ring.pop_front();
    }
    ring.push_back((number, data.clone()));
}

fn listed(ring: &VecDeque<(u64, Arc<str>)>) -> Value {
    let item =
        |(number, data): &(u64, Arc<str>)| json!({ "number": number, "item": parsed(Some(data)) });
    ring.iter().map(item).collect()
}

fn parsed(text: Option<&str>) -> Value {
    text.and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default()
}

/// All tests of this process that run or just ended.
#[derive(Clone, Debug, Default)]
pub struct Hub(Arc<Mutex<BTreeMap<String, Arc<Running>>>>);

impl Hub {
    /// A place for a test that starts now; ids are sortable by time.
    pub fn open(&self, id: &str) -> Arc<Running> {
        let running = Arc::new(Running::new(id.to_owned()));
        let mut all = self.all();
        all.insert(id.to_owned(), running.clone());
        let over: Vec<String> = all
            .values()
            .filter(|r| r.is_over())
            .map(|r| r.id.clone())
            .collect();
        for id in over.iter().take(over.len().saturating_sub(OVER_KEPT)) {
            all.remove(id);
        }
        running
    }

    /// The test with this id.
    pub fn find(&self, id: &str) -> Option<Arc<Running>> {
        self.all().get(id).cloned()
    }

    /// Every test that runs, the newest first.
    pub fn running(&self) -> Vec<Arc<Running>> {
        let all = self.all();
        all.values()
            .rev()
            .filter(|r| !r.is_over())
            .cloned()
            .collect()
    }

    /// Takes a test out.
    pub fn forget(&self, id: &str) {
        self.all().remove(id);
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Running>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_keep_the_newest_and_numbers_go_on() {
        let hub = Hub::default();
        let run = hub.open("a");
        for i in 0..LOGS_KEPT + 5 {
            run.post(Kind::Log, format!("{{\"i\":{i}}}"));
        }
        let logs = run.logs();
        let all = logs.as_array().map(Vec::as_slice).unwrap_or_default();
        assert_eq!(all.len(), LOGS_KEPT);
        assert_eq!(all[0]["item"]["i"], 5);
        assert_eq!(all[0]["number"], 6);
    }

    #[test]
    fn tests_that_are_over_make_room() {
        let hub = Hub::default();
        for i in 0..100 {
            hub.open(&format!("{i:03}")).post(Kind::End, "{}");
        }
        let live = hub.open("live");
        assert!(hub.find("000").is_none());
        assert!(hub.find("099").is_some());
        assert_eq!(hub.running().len(), 1);
        assert_eq!(hub.running()[0].id(), live.id());
    }

    #[test]
    fn who_follows_gets_the_state_and_what_comes_after() {
        let hub = Hub::default();
        let run = hub.open("a");
        run.post(Kind::Head, "{\"title\":\"t\"}");
        let (state, mut events) = run.follow();
        run.post(Kind::Row, "{\"t\":1}");
        assert_eq!(state["head"]["title"], "t");
        let event = events.try_recv().unwrap();
        assert_eq!(
            (event.kind, event.number, &*event.data),
            (Kind::Row, 2, "{\"t\":1}")
        );
    }
}
