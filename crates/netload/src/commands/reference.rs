//! `netload reference`: docs/reference/options.md, from the options table and the exit codes.

use super::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::reference;
use crate::terminal::stdout;
use crate::typed::Typed;

pub(super) const COMMAND: Command = Command {
    name: "reference",
    about: "Print the reference page of all options",
    details: "",
    categories: &[],
    operand: None,
    examples: &[(
        "Bring the page up to date",
        "netload reference > docs/reference/options.md",
    )],
    hidden: true,
    act,
};

fn act(_: &Typed) -> Result<Exit, Failure> {
    stdout::bytes(reference::page().as_bytes())?;
    Ok(Exit::Success)
}
