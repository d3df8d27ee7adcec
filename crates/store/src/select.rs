//! How runs are named: ids, beginnings of ids, `last`, `last~2`, and labels such as `branch=main`.

use crate::error::StoreError;
use crate::list::Filter;
use crate::{State, Store};

/// Most runs that a label can mean.
pub const MATCHES_LIMIT: usize = 10;
/// Ids that are shown when a beginning is not enough.
const SHOWN: usize = 4;

/// Whether a text can name runs by what they have in common, and so mean several.
pub fn is_selector(text: &str) -> bool {
    text.contains('=')
}

impl Store {
    /// The ids that a text means, the newest first; at least one. A label means the last [`MATCHES_LIMIT`] finished runs
    /// that have it, several labels joined by commas those that have all; everything else means one run.
    ///
    /// # Errors
    /// When it means no run, or the beginning of an id is that of several.
    pub fn select(&self, text: &str) -> Result<Vec<String>, StoreError> {
        let nothing = || StoreError::NoRun(text.to_owned());
        if is_selector(text) {
            let labels = text.split(',').filter_map(|pair| pair.split_once('='));
            let filter = Filter {
                labels: labels
                    .map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned()))
                    .collect(),
                title: None,
                limit: usize::MAX,
            };
            let runs = self.list(&filter, u64::MAX)?.into_iter();
            let finished = runs
                .filter(|run| run.state == State::Finished)
                .map(|run| run.id);
            let ids: Vec<String> = finished.take(MATCHES_LIMIT).collect();
            return if ids.is_empty() {
                Err(nothing())
            } else {
                Ok(ids)
            };
        }
        if let Some(back) = back(text) {
            let mut read = self.connection.prepare(
                "SELECT id FROM runs ORDER BY started_unix_ns DESC, id DESC LIMIT 1 OFFSET ?1",
            )?;
            let mut ids = read.query_map([back], |row| row.get(0))?;
            return Ok(vec![ids.next().ok_or_else(nothing)??]);
        }
        let mut read = self.connection.prepare(
            "SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id DESC LIMIT ?2",
        )?;
        let rows = read.query_map(rusqlite::params![text, SHOWN as i64], |row| {
            row.get::<_, String>(0)
        })?;
        let mut ids = rows.collect::<Result<Vec<_>, _>>()?;
        if let Some(at) = ids.iter().position(|id| id == text) {
            return Ok(vec![ids.swap_remove(at)]);
        }
        match ids.len() {
            0 => Err(nothing()),
            _ if text.is_empty() => Err(nothing()),
            1 => Ok(ids),
            _ => Err(StoreError::Ambiguous {
                selector: text.to_owned(),
                runs: ids,
            }),
        }
    }
}

/// How many runs before the last one: `last` is 0, `last~2` is 2.
fn back(text: &str) -> Option<i64> {
    match text.strip_prefix("last")? {
        "" => Some(0),
        rest => rest.strip_prefix('~')?.parse::<u32>().ok().map(i64::from),
    }
}
