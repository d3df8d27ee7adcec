//! Folders and child processes, shared by the commands.
//!
//! Invariant: a child that fails is an error that names what was run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Failure = Box<dyn std::error::Error>;

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    // xtask lies directly in the workspace.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or_else(|| Path::new("."))
}

/// The folder for what is fetched or built once: `.cache`, ignored by git.
pub(crate) fn cache() -> PathBuf {
    root().join(".cache")
}

/// Where cargo puts what it builds.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// A program that runs in the workspace folder.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs to the end; its output goes to ours.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command
        .status()
        .map_err(|error| format!("cannot start {}: {error}", shown(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} ended with {status}", shown(command)).into())
    }
}

/// Runs to the end and gives what it printed on stdout.
pub(crate) fn read(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start {}: {error}", shown(command)))?;
    if !output.status.success() {
        return Err(format!("{} ended with {}", shown(command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether a program of that name is on the path.
pub(crate) fn has(program: &str) -> bool {
    find(program).is_some()
}

/// Where a program is on the path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// A program from crates.io, built once into `.cache/tools`; `config` is for cargo.
pub(crate) fn tool(name: &str, version: &str, config: &[&str]) -> Result<PathBuf, Failure> {
    let root = cache().join("tools");
    let path = root.join("bin").join(name);
    if path.is_file() {
        return Ok(path);
    }
    println!("building {name} {version}, once");
    let mut install = cargo();
    install.args(["install", "--quiet", "--locked", name, "--version", version]);
    install.arg("--root").arg(root);
    for setting in config {
        install.args(["--config", setting]);
    }
    run(&mut install)?;
    Ok(path)
}

/// Builds the netload that is tested and measured, and gives its path. `dist` is the one that is shipped.
pub(crate) fn netload(profile: &str) -> Result<PathBuf, Failure> {
    if profile == "dist" {
        return crate::dist::netload();
    }
    run(cargo().args([
        "build",
        "--quiet",
        "--package",
        "netload",
        "--profile",
        profile,
    ]))?;
    Ok(target_dir().join(profile).join("netload"))
}

/// Builds a netload that counts its allocations, beside the ordinary one.
pub(crate) fn counting_netload() -> Result<PathBuf, Failure> {
    let folder = target_dir().join("counting");
    let build = [
        "build",
        "--quiet",
        "--package",
        "netload",
        "--release",
        "--features",
    ];
    run(cargo().args(build).arg("count-allocations"))?;
    // The next ordinary build would overwrite it.
    std::fs::create_dir_all(&folder)?;
    let copy = folder.join("netload");
    std::fs::copy(target_dir().join("release/netload"), &copy)?;
    Ok(copy)
}

fn shown(command: &Command) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    command.get_args().fold(program, |text, argument| {
        format!("{text} {}", argument.to_string_lossy())
    })
}
