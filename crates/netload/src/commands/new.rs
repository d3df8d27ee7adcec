//! `netload new`: a script to start from.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};

use super::{Command, Operand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

/// The script's name when none is given.
const FILE: &str = "script.js";

/// The built-in templates by name.
const TEMPLATES: [(&str, &str); 2] = [
    ("minimal", include_str!("../templates/minimal.js")),
    ("protocol", include_str!("../templates/protocol.js")),
];

pub(super) const COMMAND: Command = Command {
    name: "new",
    about: "Write a script to start from",
    details: "The file is script.js unless another name is given, and is never overwritten without --force.",
    categories: &[Category::New, Category::Terminal],
    operand: Some(Operand {
        name: "FILE",
        help: "The file to write",
        what: "one file name",
        example: "script.js",
        required: false,
        is_file: true,
    }),
    examples: &[
        ("A few lines", "netload new script.js"),
        (
            "With setup, scenarios, thresholds and custom metrics",
            "netload new --template protocol api.js",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let file = typed.operands.first().map_or(FILE, String::as_str);
    let text = template(typed.text("template").unwrap_or("minimal"))?;
    let force = typed.switch("force")?;
    let mut how = OpenOptions::new();
    how.write(true)
        .truncate(true)
        .create(true)
        .create_new(!force);
    let written = how
        .open(file)
        .and_then(|mut f| f.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Failure::usage(format!("the file `{file}` exists already"))
            .hint("--force overwrites it; another name leaves it alone"),
        _ => Failure::usage(format!("cannot write `{file}`: {e}")),
    })?;
    stdout::line(&format!("New script: {file}. Run it: netload run {file}"))?;
    Ok(Exit::Success)
}

fn template(name: &str) -> Result<String, Failure> {
    if let Some((_, text)) = TEMPLATES.iter().find(|(known, _)| *known == name) {
        return Ok((*text).to_owned());
    }
    fs::read_to_string(name).map_err(|e| {
        Failure::usage(format!("cannot read the template `{name}`: {e}"))
            .hint("a template is minimal, protocol, or the path of a file")
    })
}
