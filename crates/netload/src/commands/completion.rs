//! `netload completion SHELL`: the completion script of a shell, from the options table.

use clap_complete::Shell;

use super::{Command, Operand};
use crate::cli;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal::stdout;
use crate::typed::Typed;

pub(super) const COMMAND: Command = Command {
    name: "completion",
    about: "Print a shell's completion script",
    details: "Shells: bash, zsh, fish, powershell, elvish.",
    categories: &[],
    operand: Some(Operand {
        name: "SHELL",
        help: "bash, zsh, fish, powershell or elvish",
        what: "the name of a shell",
        example: "bash",
        required: true,
        is_file: false,
    }),
    examples: &[
        ("For this bash", "source <(netload completion bash)"),
        (
            "For every fish",
            "netload completion fish > ~/.config/fish/completions/netload.fish",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let name = typed.operands.first().map_or("", String::as_str);
    let shell: Shell = name.to_ascii_lowercase().parse().map_err(|_| {
        Failure::usage(format!("there is no completion for the shell `{name}`"))
            .hint("known shells: bash, zsh, fish, powershell, elvish")
    })?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::program(), "netload", &mut script);
    stdout::bytes(&script)?;
    Ok(Exit::Success)
}
