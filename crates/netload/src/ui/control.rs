//! What pages can ask of this process: tests to start and steer, and the records of earlier ones.

use netload_pages::view;
use netload_web::{Control, Filter, Hub, Order, Refusal, Scaling};
use serde_json::{Value, json};

use super::children::Children;
use super::history::{self, History};
use super::keep::Kept;
use super::wanted::{Source, Wanted};
use super::{curve, pipe};
use crate::hit::load;
use crate::keeping::new_id;
use crate::running::Reins;

/// This process.
pub(super) struct Here {
    pub(super) hub: Hub,
    pub(super) children: Children,
    /// The test of this process, when it is one.
    pub(super) own: Option<(String, Reins, Kept)>,
    /// Where earlier runs are kept.
    pub(super) history: History,
}

impl Here {
    fn own(&self, id: &str) -> Option<&(String, Reins, Kept)> {
        self.own.as_ref().filter(|(own, ..)| own == id)
    }
}

impl Control for Here {
    fn start(&self, wanted: &Value) -> Result<Value, Refusal> {
        if self.own.is_some() {
            return Err(
                Refusal::conflict("this process runs one test and starts no others")
                    .hint("`netload serve` does"),
            );
        }
        let wanted = Wanted::read(wanted)?;
        let id = new_id();
        self.children.start(&wanted, &id, &self.hub)?;
        Ok(json!({ "id": id }))
    }

    fn preview(&self, wanted: &Value) -> Result<Value, Refusal> {
        let is_own = wanted["load"]["shape"] == "script";
        let wanted = Wanted::read(wanted)?;
        let script = match &wanted.source {
            Source::File(_) => None,
            Source::Text(text) => Some(text),
        };
        Ok(json!({
            "title": wanted.title,
            "script": script,
            "options": wanted.options,
            // Only the script knows what it says about itself, and it is not run for a look.
            "curves": if is_own { json!([]) } else { curve::curves(&wanted.plan()?) },
        }))
    }

    fn steer(&self, run: &str, order: &Order) -> Result<(), Refusal> {
        if let Some((_, reins, _)) = self.own(run) {
            return pipe::obey_one(order, reins);
        }
        if let Order::Scale(Scaling {
            rate: Some(rate), ..
        }) = order
        {
            // What the test itself refuses is told in its log; what nobody can read is told at once.
            load::rate(rate).map_err(Refusal::wrong)?;
        }
        match self.children.steer(run, order)? {
            true => Ok(()),
            false => Err(Refusal::missing(format!("no test `{run}` is running here"))),
        }
    }

    fn runs(&self, filter: &Filter) -> Result<Value, Refusal> {
        self.history.list(filter)
    }

    fn view(&self, run: &str) -> Result<String, Refusal> {
        if let Some((_, _, kept)) = self.own(run) {
            let none = || Refusal::conflict("the test has not begun yet");
            return kept.view().ok_or_else(none);
        }
        if let Some(view) = self.children.view(run) {
            return view;
        }
        let record = self.history.record(run)?;
        Ok(view::of(&record, history::findings(&record)).to_string())
    }

    fn findings(&self, run: &str) -> Result<Value, Refusal> {
        Ok(history::findings(&self.history.record(run)?).into())
    }

    fn compare(&self, before: &str, after: &str) -> Result<Value, Refusal> {
        let (before, after) = (self.history.record(before)?, self.history.record(after)?);
        Ok(history::compare(&before, &after))
    }

    fn forget(&self, run: &str) -> Result<(), Refusal> {
        self.history.forget(run)
    }
}
