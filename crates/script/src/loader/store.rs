//! Where files come from: the disk, or an archive that holds all a test needs.
//!
//! Invariant: a test from an archive never touches the disk for its modules and files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use netload_plan::names;

/// Where files come from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Store {
    /// The disk.
    #[default]
    Disk,
    /// Files held in memory.
    Archive(Arc<Held>),
}

/// Files held in memory, with the folders they are in.
#[derive(Debug, Default)]
pub(crate) struct Held {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    folders: BTreeSet<PathBuf>,
    /// Remote modules by their addresses.
    remote: BTreeMap<String, Arc<[u8]>>,
}

impl Held {
    /// Adds a file.
    pub(crate) fn insert(&mut self, path: PathBuf, content: Arc<[u8]>) {
        let folders = path.ancestors().skip(1).map(Path::to_owned);
        self.folders.extend(folders);
        self.files.insert(path, content);
    }

    /// Adds a remote module.
    pub(crate) fn insert_remote(&mut self, address: String, content: Arc<[u8]>) {
        self.remote.insert(address, content);
    }
}

impl Store {
    /// The content of a file.
    ///
    /// # Errors
    /// One sentence why it cannot be had.
    pub(crate) fn read(&self, path: &Path) -> Result<Arc<[u8]>, String> {
        match self {
            Self::Disk => match std::fs::read(path) {
                Ok(content) => Ok(content.into()),
                Err(e) if e.kind() == ErrorKind::NotFound => Err(self.missing(path)),
                Err(_) if path.is_dir() => Err(format!("{} is a folder", path.display())),
                Err(e) => Err(format!("cannot read {}: {e}", path.display())),
            },
            Self::Archive(held) => {
                let content = held.files.get(path).cloned();
                content.ok_or_else(|| format!("{} is not in the archive", path.display()))
            }
        }
    }

    /// A remote module that is held, none on disk.
    pub(crate) fn remote(&self, address: &str) -> Option<Arc<[u8]>> {
        match self {
            Self::Disk => None,
            Self::Archive(held) => held.remote.get(address).cloned(),
        }
    }

    /// Whether there is a file of this name.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        match self {
            Self::Disk => path.is_file(),
            Self::Archive(held) => held.files.contains_key(path),
        }
    }

    /// Whether there is a folder of this name.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        match self {
            Self::Disk => path.is_dir(),
            Self::Archive(held) => held.folders.contains(path),
        }
    }

    /// That there is no such file, and which one may be meant.
    fn missing(&self, path: &Path) -> String {
        let text = format!("there is no file {}", path.display());
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return text;
        };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let known: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        match names::nearest(&name.to_string_lossy(), &known) {
            Some(nearest) => format!("{text}; did you mean {nearest}?"),
            None => text,
        }
    }
}
