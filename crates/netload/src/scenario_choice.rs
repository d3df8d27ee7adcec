//! `--scenario` and its companions, as typed: which scenarios of the script run, and with what numbers.
//!
//! Leaves out whether the script has such scenarios; that is known once it is loaded.

use netload_plan::duration;
use netload_plan::options::{Change, Choice};
use serde_json::Value;

use crate::failure::Failure;
use crate::typed::Typed;

/// The options with the field of a scenario that each sets.
const FIELDS: [(&str, &str); 4] = [
    ("scenarioVus", "vus"),
    ("scenarioDuration", "duration"),
    ("scenarioIterations", "iterations"),
    ("scenarioRate", "rate"),
];

/// Reads all of them.
pub(crate) fn read(typed: &Typed) -> Result<Choice, Failure> {
    let mut choice = Choice::default();
    for text in typed.texts("scenario") {
        let names = text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        choice.names.extend(names.map(str::to_owned));
    }
    for (key, field) in FIELDS {
        let Some(given) = typed.given(key) else {
            continue;
        };
        for text in &given.texts {
            let (scenario, text) = match text.split_once('=') {
                Some((name, text)) => (Some(name.to_owned()), text),
                None => (None, text.as_str()),
            };
            let value = value(field, text).map_err(|message| given.failure(message))?;
            choice.changes.push(Change {
                scenario,
                field,
                value,
            });
        }
    }
    Ok(choice)
}

fn value(field: &str, text: &str) -> Result<Value, String> {
    if field == "duration" {
        duration::parse_go(text).map_err(|e| e.to_string())?;
        return Ok(text.into());
    }
    match text.parse::<u64>() {
        Ok(number) => Ok(number.into()),
        Err(_) => Err(format!("`{text}` is not a whole number")),
    }
}
