//! `cargo xtask k6`: builds the k6 that netload is compared with.
//!
//! k6 is fetched from the Go module proxy and built into `.cache`; nothing of
//! it is kept in this repository. Invariant: the version is the one below,
//! whatever else is installed.

use std::path::{Path, PathBuf};

use crate::{Outcome, shell};

/// The version that decides what is right.
pub(crate) const VERSION: &str = "v2.2.0";
const MODULE: &str = "go.k6.io/k6/v2";

pub(crate) fn run(_: &[String]) -> Outcome {
    println!("{}", path()?.display());
    Ok(())
}

/// The k6 to compare with; built if no installed one has the right version.
pub(crate) fn path() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let built = shell::cache().join(format!("k6-{VERSION}"));
    if built.is_file() {
        return Ok(built);
    }
    if let Some(installed) = shell::find("k6").filter(|path| is_right(path)) {
        return Ok(installed);
    }
    build(&built)?;
    Ok(built)
}

fn is_right(path: &Path) -> bool {
    shell::read(shell::command(path).arg("version"))
        .is_ok_and(|text| text.starts_with(&format!("k6 {VERSION} ")))
}

fn build(to: &Path) -> Outcome {
    if !shell::has("go") {
        return Err("Go is needed to build k6; see https://go.dev/dl".into());
    }
    println!("building k6 {VERSION}, once");
    let module = format!("{MODULE}@{VERSION}");
    // Asked from outside the workspace: `go` wants a folder without a go.mod of its own above it.
    let scratch = shell::cache().join("k6-source");
    std::fs::create_dir_all(shell::cache())?;
    let found = shell::read(
        shell::command("go")
            .args(["mod", "download", "-json", &module])
            .current_dir(shell::cache()),
    )?;
    let found: serde_json::Value = serde_json::from_str(&found)?;
    let folder = found["Dir"].as_str().ok_or("go did not say where k6 is")?;
    // The module cache is read-only, and `go build` wants to write beside the sources.
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch)?;
    }
    let copy = ["-r", "--no-preserve=mode", folder];
    shell::run(shell::command("cp").args(copy).arg(&scratch))?;
    shell::run(
        shell::command("go")
            .args(["build", "-trimpath", "-o"])
            .arg(to)
            .arg(".")
            .current_dir(&scratch),
    )?;
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}
