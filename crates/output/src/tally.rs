//! Which statuses came back and what went wrong, counted from the tags of `http_reqs` while the test runs.
//!
//! The sums of [`netload_metrics::Summary`] have no such split. The number of distinct errors is limited.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use netload_metrics::{
    Aggregate, Aggregator, MetricId, RunInfo, Sink, SinkError, Summary, TagSet, Window,
};

/// Distinct errors that are kept apart; the others are counted as [`OTHER_ERRORS`].
pub const ERROR_LIMIT: usize = 50;
/// Stands for all errors beyond [`ERROR_LIMIT`].
pub const OTHER_ERRORS: &str = "other errors";

/// Statuses and errors of all exchanges so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Responses by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Exchanges without a response, by their error text.
    pub errors: BTreeMap<String, ErrorCount>,
}

/// How often an error happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorCount {
    /// k6's number for it; empty when unknown.
    pub code: String,
    /// Exchanges that ended with it.
    pub count: u64,
}

/// A tally that is filled by its [`TallySink`] and can be looked at during the run.
#[derive(Clone, Debug, Default)]
pub struct SharedTally(Arc<Mutex<Tally>>);

impl SharedTally {
    /// What was counted so far.
    pub fn snapshot(&self) -> Tally {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The sink that fills a [`SharedTally`].
#[derive(Debug, Default)]
pub struct TallySink {
    shared: SharedTally,
    requests: Option<MetricId>,
}

impl TallySink {
    /// A sink with an empty tally.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tally that it fills.
    pub fn shared(&self) -> SharedTally {
        self.shared.clone()
    }
}

impl Sink for TallySink {
    fn describe(&self) -> String {
        "statuses and errors".to_owned()
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        self.requests = Some(info.registry.builtin.http_reqs);
        Ok(())
    }

    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError> {
        let mut tally = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        for delta in &window.series {
            let Aggregate::Counter(counter) = &delta.data else {
                continue;
            };
            if Some(delta.metric) != self.requests {
                continue;
            }
            if let Some(tags) = aggregator.tags(window.worker, delta.tags) {
                tally.add(tags, counter.samples);
            }
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<(), SinkError> {
        Ok(())
    }
}

impl Tally {
    /// Counts exchanges with these tags.
    pub fn add(&mut self, tags: &TagSet, exchanges: u64) {
        let status = tags.value("status").and_then(|s| s.parse().ok());
        if let Some(status) = status.filter(|s| *s != 0) {
            *self.statuses.entry(status).or_default() += exchanges;
            return;
        }
        let code = tags.value("error_code").unwrap_or_default();
        let text = match tags.value("error") {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ if code.is_empty() => "no response".to_owned(),
            _ => format!("error code {code}"),
        };
        let is_known = self.errors.contains_key(&text);
        let full = !is_known && self.errors.len() >= ERROR_LIMIT;
        let (text, code) = if full {
            (OTHER_ERRORS.to_owned(), "")
        } else {
            (text, code)
        };
        let error = self.errors.entry(text).or_default();
        error.count += exchanges;
        code.clone_into(&mut error.code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_and_errors_are_told_apart() {
        let mut tally = Tally::default();
        tally.add(&TagSet::new([("status", "200")]), 3);
        tally.add(&TagSet::new([("status", "404"), ("error_code", "1404")]), 2);
        let refused = [
            ("status", "0"),
            ("error_code", "1212"),
            ("error", "connection refused"),
        ];
        tally.add(&TagSet::new(refused), 1);
        tally.add(&TagSet::new([("error_code", "1000")]), 1);
        assert_eq!(tally.statuses, BTreeMap::from([(200, 3), (404, 2)]));
        assert_eq!(tally.errors["connection refused"].code, "1212");
        assert_eq!(tally.errors["error code 1000"].count, 1);
    }

    #[test]
    fn distinct_errors_are_limited_and_none_is_lost() {
        let mut tally = Tally::default();
        for i in 0..1_000 {
            tally.add(&TagSet::new([("error", &*format!("error {i}"))]), 1);
        }
        assert_eq!(tally.errors.len(), ERROR_LIMIT + 1);
        assert_eq!(tally.errors.values().map(|e| e.count).sum::<u64>(), 1_000);
    }
}
