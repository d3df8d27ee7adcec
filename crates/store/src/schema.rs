//! The layout of the file and how older ones become the newest.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::{StoreError, words};

/// What each version adds to the one before; the file's `user_version` says how many were applied.
const VERSIONS: [&str; 1] = ["
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        started_unix_ns INTEGER NOT NULL,
        heard_unix_ns INTEGER NOT NULL,
        command TEXT NOT NULL,
        title TEXT NOT NULL,
        head BLOB NOT NULL,
        tail BLOB,
        line TEXT,
        bytes INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX runs_by_start ON runs (started_unix_ns);
    CREATE TABLE labels (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        label TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (run, label)
    ) WITHOUT ROWID;
    CREATE TABLE keys (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        key TEXT NOT NULL,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    CREATE TABLE frames (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        at_ns INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (run, kind, at_ns)
    );
"];

/// The frames of seconds, in the column `kind`.
pub(crate) const SECOND: i64 = 0;
/// The frames of longer spans.
pub(crate) const SPAN: i64 = 1;

/// Sets the connection up and applies what is missing.
pub(crate) fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let refused = |e: rusqlite::Error| StoreError::Open {
        path: path.to_owned(),
        reason: words(&e),
    };
    // Whoever is killed leaves everything that was committed; only the machine itself going down can take a second.
    let settings = "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; \
                    PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 4194304;";
    connection.execute_batch(settings).map_err(refused)?;
    if version(connection).map_err(refused)? == VERSIONS.len() {
        return Ok(());
    }
    let change = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(refused)?;
    let found = version(&change).map_err(refused)?;
    let Some(missing) = VERSIONS.get(found..) else {
        return Err(StoreError::Newer {
            path: path.to_owned(),
        });
    };
    for step in missing {
        change.execute_batch(step).map_err(refused)?;
    }
    change
        .pragma_update(None, "user_version", VERSIONS.len() as i64)
        .map_err(refused)?;
    change.commit().map_err(refused)
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}
