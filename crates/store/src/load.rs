//! From the disk back to a [`Record`].

use netload_record::{Frame, Record};
use rusqlite::{OptionalExtension, params};
use serde::de::DeserializeOwned;

use crate::Store;
use crate::error::StoreError;
use crate::schema::{SECOND, SPAN};

/// A text or frame that unpacks to more is damaged, in bytes.
const UNPACKED_LIMIT_BYTES: usize = 64 << 20;
/// More frames of a kind are merged while they are read, so that a run of a day fits into memory.
const FRAMES_LIMIT: usize = 7_200;

impl Store {
    /// The run with exactly this id.
    ///
    /// # Errors
    /// When there is none, or what was stored cannot be read.
    pub fn load(&self, id: &str) -> Result<Record, StoreError> {
        let damaged = |reason: String| StoreError::Damaged {
            run: id.to_owned(),
            reason,
        };
        let found =
            self.connection
                .query_row("SELECT head, tail FROM runs WHERE id = ?1", [id], |row| {
                    Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Option<Vec<u8>>>(1)?))
                });
        let Some((head, tail)) = found.optional()? else {
            return Err(StoreError::NoRun(id.to_owned()));
        };
        let mut record = Record {
            head: parsed(&head).map_err(damaged)?,
            tail: tail
                .map(|tail| parsed(&tail))
                .transpose()
                .map_err(damaged)?,
            ..Record::default()
        };
        let mut keys = self
            .connection
            .prepare("SELECT key FROM keys WHERE run = ?1 ORDER BY number")?;
        for text in keys.query_map([id], |row| row.get::<_, String>(0))? {
            let key = serde_json::from_str(&text?).map_err(|e| damaged(e.to_string()))?;
            record.keys.push(key);
        }
        record.seconds = self.frames(id, SECOND)?;
        record.spans = self.frames(id, SPAN)?;
        Ok(record)
    }

    fn frames(&self, id: &str, kind: i64) -> Result<Vec<Frame>, StoreError> {
        let damaged = |reason: String| StoreError::Damaged {
            run: id.to_owned(),
            reason,
        };
        let count: i64 = self.connection.query_row(
            "SELECT count(*) FROM frames WHERE run = ?1 AND kind = ?2",
            params![id, kind],
            |row| row.get(0),
        )?;
        let together = usize::try_from(count)
            .unwrap_or(0)
            .div_ceil(FRAMES_LIMIT)
            .max(1);
        let mut frames: Vec<Frame> = Vec::new();
        let mut unpacker = zstd::bulk::Decompressor::new().map_err(|e| damaged(e.to_string()))?;
        let mut read = self
            .connection
            .prepare("SELECT data FROM frames WHERE run = ?1 AND kind = ?2 ORDER BY at_ns")?;
        let rows = read.query_map(params![id, kind], |row| row.get::<_, Vec<u8>>(0))?;
        for (at, data) in rows.enumerate() {
            let bytes = unpack(&mut unpacker, &data?).map_err(damaged)?;
            let frame = Frame::decode(&bytes).map_err(|e| damaged(e.to_string()))?;
            match frames.last_mut() {
                Some(last) if at % together != 0 => last.merge(&frame),
                _ => frames.push(frame),
            }
        }
        Ok(frames)
    }
}

pub(crate) fn unpacked(data: &[u8]) -> Result<Vec<u8>, String> {
    let mut unpacker = zstd::bulk::Decompressor::new().map_err(|e| e.to_string())?;
    unpack(&mut unpacker, data)
}

fn unpack(unpacker: &mut zstd::bulk::Decompressor<'_>, data: &[u8]) -> Result<Vec<u8>, String> {
    // The room is asked for beforehand: as much as the data says, not thousands of times as much as it might be.
    let said = zstd::zstd_safe::get_frame_content_size(data).ok().flatten();
    let room = said.and_then(|bytes| usize::try_from(bytes).ok());
    let room = room
        .unwrap_or(UNPACKED_LIMIT_BYTES)
        .min(UNPACKED_LIMIT_BYTES);
    unpacker.decompress(data, room).map_err(|e| e.to_string())
}

pub(crate) fn parsed<T: DeserializeOwned>(data: &[u8]) -> Result<T, String> {
    serde_json::from_slice(&unpacked(data)?).map_err(|e| e.to_string())
}
