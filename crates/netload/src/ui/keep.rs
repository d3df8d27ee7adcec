//! The record of a running test for its pages: rows as they come, and everything whenever somebody opens a page.

use std::sync::Arc;

use netload_pages::view;
use netload_record::{Detail, Gatherer, Head, Key, Receiver, Tail, Update};
use netload_web::Kind;
use serde_json::json;

use super::desk::Desk;
use super::history;

/// What is kept of a run; clones share it.
#[derive(Clone)]
pub(crate) struct Kept(Gatherer);

impl Kept {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self(Gatherer::new(Detail::CHARTS))
    }

    /// Everything a page shows, as JSON text; none before the load starts.
    pub(crate) fn view(&self) -> Option<String> {
        let record = self.0.record();
        if record.head.id.is_empty() {
            return None;
        }
        let view = match record.tail {
            Some(_) => view::of(&record, history::findings(&record)),
            None => view::of_running(&record, Vec::new()),
        };
        Some(view.to_string())
    }

    /// The receivers that keep a run and tell its pages.
    pub(crate) fn receivers(&self, desk: Arc<Desk>) -> [Box<dyn Receiver>; 2] {
        let rows = Rows {
            desk,
            keys: Vec::new(),
        };
        [Box::new(self.0.clone()), Box::new(rows)]
    }
}

/// Tells rows. A row is a few dozen numbers: made where it comes, once a second.
struct Rows {
    desk: Arc<Desk>,
    keys: Vec<Key>,
}

impl Receiver for Rows {
    fn begin(&mut self, head: &Head) {
        let told = json!({
            "id": head.id,
            "title": head.title,
            "command": head.command,
            "labels": head.labels,
            "started_ms": head.started_unix_ns / 1_000_000,
            "workers": head.workers,
        });
        self.desk.post(Kind::Head, told.to_string());
    }

    fn update(&mut self, update: &Arc<Update>) {
        self.keys.extend_from_slice(&update.fresh_keys);
        let row = view::row(&self.keys, &update.second);
        self.desk.post(Kind::Row, row.to_string());
    }

    fn end(&mut self, tail: &Arc<Tail>) {
        let told = json!({
            "exit_code": tail.exit_code,
            "sentence": tail.ending,
            "failed": tail.failed,
            "elapsed_s": tail.elapsed_ns as f64 / 1e9,
        });
        self.desk.post(Kind::End, told.to_string());
    }
}
