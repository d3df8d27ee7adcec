//! The commands: an explicit list, one file each.

mod archive;
mod client;
mod compare;
mod completion;
mod demo;
mod features;
mod history;
mod hit;
mod inspect;
mod man;
mod new;
mod reference;
mod report;
mod run;
mod serve;
mod target;
mod version;
mod zero;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::typed::Typed;

/// One command.
#[derive(Debug)]
pub(crate) struct Command {
    /// What the user types.
    pub(crate) name: &'static str,
    /// One line without full stop.
    pub(crate) about: &'static str,
    /// Further sentences for `--help`.
    pub(crate) details: &'static str,
    /// The options it takes.
    pub(crate) categories: &'static [Category],
    /// What may stand beside the options.
    pub(crate) operand: Option<Operand>,
    /// Examples: what, and how.
    pub(crate) examples: &'static [(&'static str, &'static str)],
    /// Whether the list of commands leaves it out.
    pub(crate) hidden: bool,
    /// Does the work.
    pub(crate) act: fn(&Typed) -> Result<Exit, Failure>,
}

/// What stands beside a command's options; at most one.
#[derive(Debug)]
pub(crate) struct Operand {
    /// Its placeholder; one that ends in dots takes several.
    pub(crate) name: &'static str,
    /// One line without full stop.
    pub(crate) help: &'static str,
    /// What it is, for sentences: `a script`.
    pub(crate) what: &'static str,
    /// One that could be typed.
    pub(crate) example: &'static str,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// Whether it is the name of a file.
    pub(crate) is_file: bool,
}

/// Every command, in the order of the help text.
pub(crate) const ALL: &[Command] = &[
    run::COMMAND,
    hit::COMMAND,
    demo::COMMAND,
    target::COMMAND,
    zero::COMMAND,
    history::COMMAND,
    compare::COMMAND,
    serve::COMMAND,
    serve::TASK_COMMAND,
    report::COMMAND,
    inspect::COMMAND,
    archive::COMMAND,
    new::COMMAND,
    client::STATUS,
    client::PAUSE,
    client::RESUME,
    client::SCALE,
    completion::COMMAND,
    version::COMMAND,
    features::COMMAND,
    man::COMMAND,
    reference::COMMAND,
];

/// The command with this name.
pub(crate) fn named(name: &str) -> Option<&'static Command> {
    ALL.iter().find(|c| c.name == name)
}
