//! `netload report RUN`: a run that was kept, as one HTML file.

use std::fs;
use std::path::PathBuf;

use netload_analysis::findings;

use super::{Command, Operand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{place, report};
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

pub(super) const COMMAND: Command = Command {
    name: "report",
    about: "Write a run that was kept as one HTML file",
    details: "A run is named by its id, the beginning of its id, last or last~1. The file needs nothing else: it can be \
              mailed, kept as an artifact of CI and opened without a network. A run that goes on or was interrupted is \
              written as far as it came.",
    categories: &[Category::Report],
    operand: Some(Operand {
        name: "RUN",
        help: "The run; the last one when it is left out",
        what: "one run",
        example: "last",
        required: false,
        is_file: false,
    }),
    examples: &[
        ("The last run", "netload report"),
        ("Another one", "netload report last~1 -o before.html"),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let store = place::open(typed)?;
    let refused = |error| place::refused(&error);
    let name = typed.operands.first().map_or("last", String::as_str);
    let ids = store.select(name).map_err(refused)?;
    let [id] = ids.as_slice() else {
        let text = format!("`{name}` means {} runs; a report is about one", ids.len());
        return Err(Failure::usage(text).hint("`netload history` lists the runs"));
    };
    let record = store.load(id).map_err(refused)?;
    let html = report::html(&record, &findings(&record));
    let path = match typed.text("output") {
        Some("-") => {
            stdout::bytes(html.as_bytes())?;
            return Ok(Exit::Success);
        }
        Some(path) => PathBuf::from(path),
        None => report::default_name(&record),
    };
    fs::write(&path, html).map_err(|e| {
        Failure::usage(format!(
            "cannot write the report to `{}`: {e}",
            path.display()
        ))
        .at("--output")
    })?;
    stdout::line(&path.display().to_string())?;
    Ok(Exit::Success)
}
