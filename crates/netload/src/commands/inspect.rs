//! `netload inspect SCRIPT`: the consolidated options, and where each value comes from.

use std::sync::Arc;

use netload_engine::Log;
use netload_plan::Plan;
use netload_plan::duration::format_tenths;
use serde_json::Value;

use super::Command;
use super::run::SCRIPT;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::format;
use crate::load_script::{self, Loaded};
use crate::options::Category;
use crate::settings::Settings;
use crate::terminal::settings::TerminalSettings;
use crate::terminal::{Terminal, stdout};
use crate::typed::Typed;

pub(super) const COMMAND: Command = Command {
    name: "inspect",
    about: "Show the options of a test, and where each comes from",
    details: "Loads the script without running it, and prints its options together with those of the configuration \
              file, the environment and the command line, as JSON.",
    categories: &[
        Category::Inspect,
        Category::Load,
        Category::Lifecycle,
        Category::Requests,
        Category::Network,
        Category::Results,
        Category::Script,
        Category::Control,
        Category::Terminal,
    ],
    operand: Some(SCRIPT),
    examples: &[
        (
            "Where does the duration come from?",
            "netload inspect --origins script.js",
        ),
        (
            "How many virtual users, and for how long?",
            "netload inspect --execution-requirements script.js",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let mut settings = Settings::resolve(typed, None, false)?;
    settings.judged = typed.switch("executionRequirements")?;
    let terminal = Terminal::start(
        TerminalSettings::resolve(typed)?.hiding(&settings.secrets),
        None,
    )?;
    let Loaded { resolved, .. } =
        load_script::load(&settings, terminal.screen.clone() as Arc<dyn Log>)?;
    terminal.screen.settle();
    if typed.switch("origins")? {
        let options = resolved.layered.options().to_json();
        for (key, origin) in resolved.layered.origins() {
            let value = options.get(key).unwrap_or(&Value::Null);
            stdout::line(&format!("{key:<26} {:<14} {value}", origin.name()))?;
        }
        return Ok(Exit::Success);
    }
    let mut options = resolved.layered.options().to_json();
    if typed.switch("executionRequirements")? {
        options = required(&resolved.plan, &options);
    }
    // It is about the tool and not about the test; k6 does not show it either.
    if let Some(options) = options.as_object_mut() {
        options.shift_remove("noUsageReport");
    }
    stdout::line(&format::pretty(&options))?;
    Ok(Exit::Success)
}

/// The options with the defaults that k6 fills in here, and what the test needs.
fn required(plan: &Plan, typed: &Value) -> Value {
    let mut options = plan.consolidated();
    // The shortcuts stay readable beside the scenario that they became.
    for shortcut in ["vus", "duration", "iterations", "stages"] {
        options[shortcut] = typed[shortcut].clone();
    }
    let needs = plan.requirements();
    let total = needs
        .total_duration_ns
        .map_or("unlimited".to_owned(), format_tenths);
    options["totalDuration"] = total.into();
    options["maxVUs"] = needs.max_vus.into();
    options
}
