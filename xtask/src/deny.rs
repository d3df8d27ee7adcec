//! `cargo xtask deny`: licences, unwanted and doubled crates, and sources, by cargo-deny and `deny.toml`.
//!
//! Known vulnerabilities are left out: that list changes by the day
//! (`docs/decisions/0004`). Invariant: the answer depends on the lock file only.

use std::path::PathBuf;

use crate::{Outcome, shell};

/// The version that is installed when there is none.
const VERSION: &str = "0.20.2";

/// It reads a few files; built without optimisation it is there in a third of the time.
const BUILD_FAST: [&str; 4] = [
    "profile.release.opt-level=0",
    "profile.release.lto=false",
    "profile.release.codegen-units=16",
    "profile.release.debug=false",
];

pub(crate) fn run(_: &[String]) -> Outcome {
    let checks = ["--locked", "check", "licenses", "bans", "sources"];
    shell::run(shell::command(path()?).args(checks))
}

/// An installed cargo-deny, else one of our own in `.cache/tools`.
fn path() -> Result<PathBuf, Box<dyn std::error::Error>> {
    if let Some(installed) = shell::find("cargo-deny") {
        return Ok(installed);
    }
    shell::tool("cargo-deny", VERSION, &BUILD_FAST)
}
