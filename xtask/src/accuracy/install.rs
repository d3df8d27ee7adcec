//! The tools that no Debian package brings: built from the Go module proxy into `.cache/tools`.
//!
//! Invariant: a tool that cannot be had is left out of the comparison and named; it never stops it.

use std::path::PathBuf;

use crate::shell;

type Failure = Box<dyn std::error::Error>;

/// Go programs: name, module, version.
const GO: [(&str, &str, &str); 2] = [
    ("hey", "github.com/rakyll/hey", "v0.1.4"),
    ("vegeta", "github.com/tsenart/vegeta/v12", "v12.12.0"),
];

/// Where a tool is: built here, or on the path.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let built = shell::cache().join("tools").join(name);
    Some(built)
        .filter(|path| path.is_file())
        .or_else(|| shell::find(name))
}

/// Builds what is missing, once.
pub(super) fn missing() {
    for (name, module, version) in GO {
        if find(name).is_some() {
            continue;
        }
        println!("building {name} {version}, once");
        if let Err(error) = build(name, module, version) {
            println!("  {name} is left out: {error}");
        }
    }
}

fn build(name: &str, module: &str, version: &str) -> Result<(), Failure> {
    if !shell::has("go") {
        return Err("Go is needed to build it; see https://go.dev/dl".into());
    }
    let tools = shell::cache().join("tools");
    let source = tools.join(format!("{name}-source"));
    std::fs::create_dir_all(&tools)?;
    let mut download = shell::command("go");
    download.args(["mod", "download", "-json", &format!("{module}@{version}")]);
    // Asked from outside the workspace, which is not a Go module.
    let found = shell::read(download.current_dir(&tools))?;
    let found: serde_json::Value = serde_json::from_str(&found)?;
    let folder = found["Dir"].as_str().ok_or("go did not say where it is")?;
    // The module cache is read-only, and `go build` wants to write beside the sources.
    if source.exists() {
        std::fs::remove_dir_all(&source)?;
    }
    let mut copy = shell::command("cp");
    shell::run(copy.args(["-r", "--no-preserve=mode", folder]).arg(&source))?;
    let mut build = shell::command("go");
    build
        .args(["build", "-trimpath", "-mod=mod", "-o"])
        .arg(tools.join(name))
        .arg(".");
    shell::run(build.current_dir(&source))?;
    std::fs::remove_dir_all(&source)?;
    Ok(())
}
