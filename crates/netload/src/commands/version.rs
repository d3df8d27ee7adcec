//! `netload version`.

use serde_json::json;

use super::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

pub(super) const COMMAND: Command = Command {
    name: "version",
    about: "Print the version",
    details: "",
    categories: &[Category::Version],
    operand: None,
    examples: &[],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let (version, os, arch) = (
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    if typed.switch("json")? {
        stdout::line(&json!({ "version": version, "os": os, "arch": arch }).to_string())?;
    } else {
        stdout::line(&format!("netload {version} ({os}/{arch})"))?;
    }
    Ok(Exit::Success)
}
