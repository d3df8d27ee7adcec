//! Earlier runs, for pages: those of the user's store, and what the rules and the statistics say about them.

use std::path::PathBuf;

use netload_analysis::compare::{Margin, compare as compared};
use netload_analysis::{Finding, findings as found};
use netload_record::Record;
use netload_store::{RunLine, Store};
use netload_web::{Filter, Refusal};
use serde_json::{Value, json};

use crate::keeping::{now_unix_ns, place};
use crate::typed::Typed;

/// Where earlier runs are kept; none when nobody keeps any.
#[derive(Clone, Debug, Default)]
pub(crate) struct History(Option<PathBuf>);

impl History {
    /// The one that was named, else that of the user.
    pub(crate) fn of(typed: &Typed) -> Self {
        Self(place::path(typed))
    }

    /// The newest runs.
    pub(super) fn list(&self, filter: &Filter) -> Result<Value, Refusal> {
        if self.0.as_ref().is_none_or(|path| !path.exists()) {
            return Ok(json!([]));
        }
        let label = filter.text.split_once('=');
        let wanted = netload_store::Filter {
            labels: label
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into_iter()
                .collect(),
            title: (label.is_none() && !filter.text.is_empty()).then(|| filter.text.clone()),
            limit: filter.limit,
        };
        let listed = self.store()?.list(&wanted, now_unix_ns());
        let listed = listed.map_err(|e| Refusal::failed(e.to_string()))?;
        Ok(listed.iter().map(RunLine::value).collect())
    }

    /// One run.
    pub(super) fn record(&self, id: &str) -> Result<Record, Refusal> {
        let loaded = self.store()?.load(id);
        loaded.map_err(|e| Refusal::missing(e.to_string()))
    }

    /// Takes a run out.
    pub(super) fn forget(&self, id: &str) -> Result<(), Refusal> {
        let gone = self.store()?.delete(&[id.to_owned()]);
        match gone.map_err(|e| Refusal::failed(e.to_string()))? {
            0 => Err(Refusal::missing(format!("there is no run `{id}`"))),
            _ => Ok(()),
        }
    }

    fn store(&self) -> Result<Store, Refusal> {
        let none = || Refusal::missing("there is no such run: no runs are kept here");
        let path = self.0.as_deref().ok_or_else(none)?;
        Store::open_existing(path).map_err(|e| Refusal::missing(e.to_string()))
    }
}

/// What the rules say about a run, as pages show it.
pub(super) fn findings(record: &Record) -> Vec<Value> {
    let seconds = |ns: u64| ns as f64 / 1e9;
    let shown = |finding: &Finding| {
        let mut shown = finding.value();
        shown["since_s"] = seconds(finding.since_ns).into();
        shown["until_s"] = seconds(finding.until_ns).into();
        shown
    };
    found(record).iter().map(shown).collect()
}

/// What changed from one run to another.
pub(super) fn compare(before: &Record, after: &Record) -> Value {
    let (before, after) = (before.clone(), after.clone());
    compared(&[before], &[after], &Margin::default()).value()
}
