//! Runs the built binary in a clean environment and compares what it says with golden files.
//!
//! `UPDATE_GOLDEN=1 cargo test -p netload` writes the golden files anew.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod receiver;
pub(crate) mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a finished process left.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A folder that is removed at the end, in which the binary runs.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!(
            "netload-{}-{}",
            std::process::id(),
            NUMBER.fetch_add(1, Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// One that holds a script `script.js`.
    pub(crate) fn with_script(text: &str) -> Self {
        let folder = Self::new();
        folder.write("script.js", text);
        folder
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The binary, to be run here without any of the tester's environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netload"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env_clear()
            .env("HOME", &self.0)
            .env("TZ", "UTC")
            .env("NETLOAD_NO_STORE", "true")
            .stdin(Stdio::null());
        command
    }

    /// Runs the binary here.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A text with its sentences in one piece: what is printed breaks them into lines.
pub(crate) fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compares a text with `tests/golden/NAME`.
pub(crate) fn check_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    check_file(&path, actual);
}

/// Compares a text with a file.
pub(crate) fn check_file(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} differs; UPDATE_GOLDEN=1 writes it anew. Now it is:\n{actual}",
        path.display()
    );
}
