//! `netload archive SCRIPT`: a test with everything it reads in one file.

use std::fs;
use std::sync::Arc;

use netload_engine::Log;
use netload_plan::Options;
use netload_plan::options::Scope;
use netload_script::Packing;
use serde_json::Value;

use super::Command;
use super::run::SCRIPT;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load_script::{self, Loaded};
use crate::options::Category;
use crate::settings::Settings;
use crate::terminal::Terminal;
use crate::terminal::settings::TerminalSettings;
use crate::typed::Typed;

/// The archive's name when none is given.
const FILE: &str = "archive.tar";

pub(super) const COMMAND: Command = Command {
    name: "archive",
    about: "Pack a test with everything it reads into one file",
    details: "Holds the script, the modules it imports, the files it opens, its options and the variables given with \
              -e. The layout is k6's: k6 runs it too, unless the script uses what only netload has.",
    categories: &[
        Category::Archive,
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
            "Pack a test and run it elsewhere",
            "netload archive -O login.tar login.ts",
        ),
        (
            "With other options than the script's",
            "netload archive --vus 100 --duration 10m -O soak.tar login.ts",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let settings = Settings::resolve(typed, None, false)?;
    let terminal = Terminal::start(
        TerminalSettings::resolve(typed)?.hiding(&settings.secrets),
        None,
    )?;
    let Loaded {
        script, resolved, ..
    } = load_script::load(&settings, terminal.screen.clone() as Arc<dyn Log>)?;
    terminal.screen.settle();
    let packing = Packing {
        options: packed_options(resolved.layered.options()),
        env: if typed.switch("excludeEnvVars")? {
            Vec::new()
        } else {
            settings.env.clone()
        },
        global_alias: settings.global_alias,
    };
    let packed = script.archive(&packing).map_err(Failure::usage)?;
    let file = typed.text("archiveOut").unwrap_or(FILE);
    fs::write(file, packed).map_err(|e| Failure::usage(format!("cannot write `{file}`: {e}")))?;
    Ok(Exit::Success)
}

/// The options as those of a script, which is what whoever runs the archive takes them for.
fn packed_options(options: &Options) -> Value {
    let mut packed = options.to_json();
    if let Some(members) = packed.as_object_mut() {
        let of_scripts = |name: &str| {
            let known = Options::KEYS.iter().find(|key| key.name == name);
            known.is_none_or(|key| key.scope == Scope::Anywhere)
        };
        members.retain(|name, _| of_scripts(name));
    }
    packed
}
