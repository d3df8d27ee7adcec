//! `cargo xtask dist`: the netload that is shipped and measured.
//!
//! It is what the cargo profile `dist` builds, with the debug information in a file beside it: debuggers and the
//! backtraces of panics find it when it is there. Leaves out packages and archives. Invariant: without a tool to split it
//! the binary keeps what it has, and still works.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, shell};

type Failure = Box<dyn std::error::Error>;

/// Below the target folder: where the result goes.
const FOLDER: &str = "ship";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    match arguments {
        [] => {}
        [help] if help == "--help" || help == "-h" => {
            println!(
                "cargo xtask dist\n\nBuilds the netload that is shipped: target/{FOLDER}/netload."
            );
            return Ok(());
        }
        [unknown, ..] => return Err(format!("unknown option {unknown}; see --help").into()),
    }
    let netload = netload()?;
    let megabytes = std::fs::metadata(&netload)?.len() as f64 / 1e6;
    println!("{} ({megabytes:.1} MB)", netload.display());
    Ok(())
}

/// Builds the netload that is shipped and gives its path.
pub(crate) fn netload() -> Result<PathBuf, Failure> {
    let mut build = shell::cargo();
    build.args(["build", "--quiet", "--package", "netload"]);
    shell::run(build.args(["--profile", "dist"]))?;
    let target = shell::target_dir();
    let built = target.join("dist/netload");
    let shipped = target.join(FOLDER).join("netload");
    if !is_newer(&shipped, &built) {
        std::fs::create_dir_all(target.join(FOLDER))?;
        split(&built, &shipped)?;
    }
    Ok(shipped)
}

fn is_newer(file: &Path, than: &Path) -> bool {
    let changed = |path: &Path| std::fs::metadata(path)?.modified();
    matches!((changed(file), changed(than)), (Ok(file), Ok(than)) if file > than)
}

/// Writes `built` without debug information to `shipped`, and that to a file of the same name with `.debug` at its end.
fn split(built: &Path, shipped: &Path) -> Result<(), Failure> {
    let Some(objcopy) = objcopy()? else {
        println!("objcopy is not installed: the debug information stays in the binary");
        std::fs::copy(built, shipped)?;
        return Ok(());
    };
    let beside = shipped.with_extension("debug");
    shell::run(
        Command::new(&objcopy)
            .arg("--only-keep-debug")
            .arg(built)
            .arg(&beside),
    )?;
    // Written elsewhere first: `shipped` is complete or not there.
    let stripped = shipped.with_extension("stripped");
    shell::run(
        Command::new(&objcopy)
            .arg("--strip-debug")
            .arg(format!("--add-gnu-debuglink={}", beside.display()))
            .arg(built)
            .arg(&stripped),
    )?;
    std::fs::rename(&stripped, shipped)?;
    Ok(())
}

/// The one that comes with Rust, else the system's; none where binaries are of another kind.
fn objcopy() -> Result<Option<PathBuf>, Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let print = |what: &str| shell::read(shell::command("rustc").args(["--print", what]));
    let (sysroot, host) = (print("sysroot")?, print("host-tuple")?);
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
    let own = libraries.join(host.trim()).join("bin/rust-objcopy");
    Ok(Some(own)
        .filter(|path| path.is_file())
        .or_else(|| shell::find("objcopy")))
}
