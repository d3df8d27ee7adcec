//! Runs on disk: written as they go, found again, pruned. One SQLite file, several processes at once.
//!
//! Leaves out what a run means. Invariants: a run loses at most its last second when its process is killed; writing never
//! holds up the load; a file of a newer version is left alone; what is damaged is told and not guessed.

mod error;
mod id;
mod list;
mod load;
mod place;
mod prune;
mod schema;
mod select;
mod writer;

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

pub use error::StoreError;
pub use id::run_id;
pub use list::{Filter, RUNNING_WITHIN_NS, RunLine, State};
pub use place::default_path;
pub use prune::SIZE_LIMIT_BYTES;
pub use select::{MATCHES_LIMIT, is_selector};
pub use writer::{Outcome, Writer};

/// How long one process waits for another that is writing.
const BUSY: Duration = Duration::from_secs(3);

/// The runs in one file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

impl Store {
    /// Opens the file and brings its layout up to date; makes it, with its folders, when there is none.
    ///
    /// # Errors
    /// When it cannot be read or written, is no store, or was written by a newer version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| StoreError::Folder {
                path: folder.to_owned(),
                reason: e.to_string(),
            })?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        Self::with(path, flags)
    }

    /// Opens a file that must be there.
    ///
    /// # Errors
    /// As [`Self::open`], and when there is none.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        Self::with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    fn with(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let refused = |e: rusqlite::Error| StoreError::Open {
            path: path.to_owned(),
            reason: error::words(&e),
        };
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(refused)?;
        connection.busy_timeout(BUSY).map_err(refused)?;
        schema::prepare(&mut connection, path)?;
        Ok(Self { connection })
    }
}
