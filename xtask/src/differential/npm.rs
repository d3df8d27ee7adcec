//! Packages of npm that scripts import by URL: fetched once by npm itself, kept in the cache.
//!
//! Invariant: a package's folder is whole when it is there.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::{Failure, shell};

/// The folder that holds `NAME/` of a package `NAME@VERSION`.
pub(super) fn package(package: &str) -> Result<PathBuf, Failure> {
    // Two scripts may want the same package at the same time.
    static FETCHING: Mutex<()> = Mutex::new(());
    let _alone = FETCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let (name, _) = package
        .split_once('@')
        .ok_or("npm wants NAME@VERSION, so that tests stay what they are")?;
    let folder = shell::cache().join("npm").join(package);
    if folder.join(name).is_dir() {
        return Ok(folder);
    }
    let beside = folder.with_extension("new");
    std::fs::create_dir_all(beside.join(name))?;
    let mut fetch = shell::command("npm");
    shell::run(
        fetch
            .args(["pack", "--silent", package])
            .current_dir(&beside),
    )?;
    let packed = std::fs::read_dir(&beside)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "tgz"))
        .ok_or("npm packed nothing")?;
    let mut unpack = shell::command("tar");
    unpack
        .args(["xzf"])
        .arg(&packed)
        .args(["--strip-components=1", "-C"]);
    shell::run(unpack.arg(beside.join(name)))?;
    std::fs::rename(&beside, &folder)?;
    Ok(folder)
}
