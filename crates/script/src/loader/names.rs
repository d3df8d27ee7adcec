//! What modules are called: `file://` and the absolute path, or the address they were fetched from.

use std::path::{Component, Path, PathBuf};

/// What every module of a file is called: this and its absolute path.
pub(crate) const FILE_SCHEME: &str = "file://";

/// What the address of every remote module begins with.
pub(crate) const REMOTE_SCHEME: &str = "https://";

/// The name of the module in a file.
pub(crate) fn of_path(path: &Path) -> String {
    format!("{FILE_SCHEME}{}", path.display())
}

/// The file behind a module's name.
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    name.strip_prefix(FILE_SCHEME).map(PathBuf::from)
}

/// What a script from standard input is called in its folder.
pub(crate) const STANDARD_INPUT: &str = "-";

/// Whether a module was handed over as a text, so that its name does not tell its language.
pub(crate) fn is_nameless(name: &str) -> bool {
    let last = name.rsplit('/').next();
    last == Some(STANDARD_INPUT)
}

/// `path` seen from the folder of the file `base`, without `.` and `..`.
pub(crate) fn absolute(base: &Path, path: &str) -> PathBuf {
    clean(&base.parent().unwrap_or(Path::new("/")).join(path))
}

/// A path without `.` and `..`.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// The ending of a module's name, without what follows a `?` or `#`.
pub(crate) fn ending(name: &str) -> &str {
    let end = if name.starts_with(FILE_SCHEME) {
        name.len()
    } else {
        name.find(['?', '#']).unwrap_or(name.len())
    };
    let last = name[..end].rsplit('/').next().unwrap_or_default();
    last.rsplit_once('.').map_or("", |(_, ending)| ending)
}
