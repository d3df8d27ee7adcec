//! `netload features`.

use netload_plan::FEATURES;
use serde_json::{Value, json};

use super::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

/// What k6 calls the state of all of them.
const LIFECYCLE: &str = "Experimental";

pub(super) const COMMAND: Command = Command {
    name: "features",
    about: "List k6's feature flags, which --features takes",
    details: "",
    categories: &[Category::Version],
    operand: None,
    examples: &[],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    if typed.switch("json")? {
        let all: Vec<Value> = FEATURES
            .iter()
            .map(|f| json!({ "feature": f.name, "lifecycle": LIFECYCLE, "description": f.about }))
            .collect();
        stdout::line(&format!("{:#}", Value::from(all)))?;
        return Ok(Exit::Success);
    }
    let width = FEATURES.iter().map(|f| f.name.len()).max().unwrap_or(0);
    for feature in &FEATURES {
        stdout::line(&format!("{:width$}  {}", feature.name, feature.about))?;
    }
    Ok(Exit::Success)
}
