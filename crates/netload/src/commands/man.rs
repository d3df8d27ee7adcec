//! `netload man FOLDER`: one man page for each command, for those who make packages.

use std::fs;
use std::path::Path;

use clap_mangen::Man;

use super::{Command, Operand};
use crate::cli;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::typed::Typed;

pub(super) const COMMAND: Command = Command {
    name: "man",
    about: "Write man pages into a folder",
    details: "",
    categories: &[],
    operand: Some(Operand {
        name: "FOLDER",
        help: "The folder; it is made if it does not exist",
        what: "a folder",
        example: "target/man",
        required: true,
        is_file: true,
    }),
    examples: &[],
    hidden: true,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let folder = Path::new(typed.operands.first().map_or(".", String::as_str));
    let failed = |e: std::io::Error| {
        Failure::usage(format!("cannot write man pages: {e}")).at(folder.display().to_string())
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let program = cli::program();
    for command in program.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = format!("netload-{}", command.get_name());
        write_page(folder, &name, command.clone().name(name.clone())).map_err(failed)?;
    }
    write_page(folder, "netload", program).map_err(failed)?;
    Ok(Exit::Success)
}

fn write_page(folder: &Path, name: &str, command: clap::Command) -> std::io::Result<()> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    fs::write(folder.join(format!("{name}.1")), page)
}
