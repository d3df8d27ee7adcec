//! `netload demo`: the built-in target and the first example, so that everything can be seen without anything else.

use netload_script::Source;
use netload_target::{Target, TargetConfig};

use super::{Command, run};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::settings::Settings;
use crate::typed::Typed;

/// The example that is shown.
const SCRIPT: &str = include_str!("../../../../examples/quickstart.js");

/// Its name, for the reader.
const TITLE: &str = "examples/quickstart.js";

pub(super) const COMMAND: Command = Command {
    name: "demo",
    about: "Show everything in ten seconds: the target, a script, its results",
    details: "Starts the reference server on a free loopback port and runs examples/quickstart.js against it. Options \
              of `netload run` can be given.",
    categories: &[
        Category::Load,
        Category::Lifecycle,
        Category::Requests,
        Category::Network,
        Category::Results,
        Category::Keeping,
        Category::Generator,
        Category::Script,
        Category::Control,
        Category::Ui,
        Category::Terminal,
    ],
    operand: None,
    examples: &[(
        "With every group and scenario",
        "netload demo --summary-mode full",
    )],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let target =
        Target::start(TargetConfig::default()).map_err(|e| Failure::usage(e.to_string()))?;
    let text = SCRIPT.to_owned();
    let folder = std::env::current_dir().unwrap_or_default();
    let source = Source::Text { text, folder };
    let mut settings = Settings::resolve(typed, Some((source, TITLE.to_owned())), true)?;
    let base_url = format!("http://{}", target.addr());
    settings.command = "demo";
    settings.env.insert(0, ("BASE_URL".to_owned(), base_url));
    let exit = run::run(typed, &settings);
    target.shutdown();
    exit
}
