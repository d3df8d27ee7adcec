//! The store stays below a size: the oldest runs go first.

use rusqlite::{Connection, params};

use crate::Store;
use crate::error::StoreError;

/// How much the runs may take together, in bytes.
pub const SIZE_LIMIT_BYTES: u64 = 512 << 20;

impl Store {
    /// Forgets the oldest runs until all take at most so many bytes; the newest always stays. Returns how many went.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn prune(&mut self, bytes: u64) -> Result<usize, StoreError> {
        prune(&mut self.connection, bytes)
    }

    /// How many runs there are and how many bytes they take.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn size(&self) -> Result<(u64, u64), StoreError> {
        let sizes = self.connection.query_row(
            "SELECT count(*), coalesce(sum(bytes), 0) FROM runs",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
        )?;
        Ok((sizes.0.unsigned_abs(), sizes.1.unsigned_abs()))
    }
}

pub(crate) fn prune(connection: &mut Connection, limit: u64) -> Result<usize, StoreError> {
    let mut read =
        connection.prepare("SELECT id, bytes FROM runs ORDER BY started_unix_ns DESC, id DESC")?;
    let rows = read.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
    })?;
    let mut sum = 0u64;
    let mut old = Vec::new();
    for (at, row) in rows.enumerate() {
        let (id, bytes) = row?;
        sum = sum.saturating_add(bytes.unsigned_abs());
        if at > 0 && sum > limit {
            old.push(id);
        }
    }
    drop(read);
    if old.is_empty() {
        return Ok(0);
    }
    let change = connection.transaction()?;
    for id in &old {
        change.execute("DELETE FROM runs WHERE id = ?1", params![id])?;
    }
    change.commit()?;
    give_back(connection)?;
    Ok(old.len())
}

/// Gives the room of what was deleted back to the disk.
pub(crate) fn give_back(connection: &Connection) -> Result<(), StoreError> {
    let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = vacuum.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}
