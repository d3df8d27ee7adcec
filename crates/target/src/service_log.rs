//! What really happened: when each request arrived and when its answer left, by the kernel's stamps.
//!
//! Owns the record, its file and the check of the server's own precision. Leaves out where stamps come from.
//! Invariant: every answered request is either in the log or counted as left out.
//!
//! The file: a head of 32 bytes, then 32 bytes for each request; all numbers are little-endian.
//!
//! | offset | bytes | head |
//! |---|---|---|
//! | 0 | 8 | `nl-srv-1` |
//! | 8 | 8 | records that follow |
//! | 16 | 8 | requests left out because the log was full |
//! | 24 | 8 | zero |
//!
//! | offset | bytes | record |
//! |---|---|---|
//! | 0 | 4 | the connection, numbered from 1 in the order of acceptance |
//! | 4 | 4 | the request on it, numbered from 1 |
//! | 8 | 8 | when the last byte of the request arrived: nanoseconds since 1970; 0 if unknown |
//! | 16 | 8 | when the last byte of the answer left; 0 if unknown |
//! | 24 | 8 | the time between them that the path asked for, in nanoseconds |

use std::io::{self, Read, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"nl-srv-1";
const RECORD_BYTES: usize = 32;

/// One answered request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// The connection; numbered from 1 in the order of acceptance.
    pub connection: u32,
    /// The request on that connection, numbered from 1.
    pub number: u32,
    /// The kernel's stamp of the last byte of the request, in nanoseconds since 1970; 0 if there was none.
    pub received_unix_ns: u64,
    /// The kernel's stamp of the last byte of the answer; 0 if there was none.
    pub sent_unix_ns: u64,
    /// What the path asked for, in nanoseconds.
    pub script_ns: u64,
}

impl Served {
    /// From the last byte in to the last byte out; `None` where a stamp is missing.
    pub fn service_ns(&self) -> Option<u64> {
        (self.received_unix_ns != 0 && self.sent_unix_ns != 0)
            .then(|| self.sent_unix_ns.saturating_sub(self.received_unix_ns))
    }

    fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&self.connection.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.received_unix_ns.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.sent_unix_ns.to_le_bytes());
        bytes[24..].copy_from_slice(&self.script_ns.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Served {
        Served {
            connection: word(bytes, 0) as u32,
            number: (word(bytes, 0) >> 32) as u32,
            received_unix_ns: word(bytes, 8),
            sent_unix_ns: word(bytes, 16),
            script_ns: word(bytes, 24),
        }
    }
}

/// Eight bytes as a number; zero where there are none.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

/// All requests that a server answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceLog {
    /// The requests, grouped by the thread that answered them.
    pub served: Vec<Served>,
    /// Requests that did not fit.
    pub left_out: u64,
}

/// How far real service times are from what the paths asked for, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Requests that could be judged.
    pub judged: usize,
    /// The median.
    pub p50_ns: u64,
    /// 99 of 100 are at most this far away.
    pub p99_ns: u64,
    /// The worst.
    pub max_ns: u64,
}

impl ServiceLog {
    /// Compares every service time with its script; `None` when nothing carries both stamps.
    pub fn precision(&self) -> Option<Precision> {
        let mut off: Vec<u64> = self
            .served
            .iter()
            .filter_map(|served| Some(served.service_ns()?.abs_diff(served.script_ns)))
            .collect();
        off.sort_unstable();
        let rank = |share: f64| (share * off.len() as f64).ceil() as usize;
        Some(Precision {
            judged: off.len(),
            p50_ns: *off.get(rank(0.5).checked_sub(1)?)?,
            p99_ns: *off.get(rank(0.99).checked_sub(1)?)?,
            max_ns: *off.last()?,
        })
    }

    /// Writes the file described above.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = io::BufWriter::new(std::fs::File::create(path)?);
        file.write_all(MAGIC)?;
        file.write_all(&(self.served.len() as u64).to_le_bytes())?;
        file.write_all(&self.left_out.to_le_bytes())?;
        file.write_all(&[0; 8])?;
        for served in &self.served {
            file.write_all(&served.to_bytes())?;
        }
        file.flush()
    }

    /// Reads such a file.
    ///
    /// # Errors
    /// What the system says, or `InvalidData` for a file of another kind and one that breaks off.
    pub fn read(path: &Path) -> io::Result<ServiceLog> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.read_to_end(&mut bytes)?;
        let invalid = |what| io::Error::new(io::ErrorKind::InvalidData, what);
        if !bytes.starts_with(MAGIC) {
            return Err(invalid("this is not a log of `netload target --log`"));
        }
        let records = bytes.get(RECORD_BYTES..).unwrap_or_default();
        if records.len() as u64 != word(&bytes, 8).saturating_mul(RECORD_BYTES as u64) {
            return Err(invalid("the log breaks off"));
        }
        Ok(ServiceLog {
            served: records
                .chunks_exact(RECORD_BYTES)
                .map(Served::from_bytes)
                .collect(),
            left_out: word(&bytes, 16),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(number: u32, took_ns: u64, script_ns: u64) -> Served {
        Served {
            connection: 7,
            number,
            received_unix_ns: 1_000,
            sent_unix_ns: 1_000 + took_ns,
            script_ns,
        }
    }

    #[test]
    fn a_log_survives_its_file_and_a_broken_file_is_refused() {
        let log = ServiceLog {
            served: vec![served(1, 10, 9), served(u32::MAX, u64::MAX / 2, 0)],
            left_out: 3,
        };
        let folder = std::env::temp_dir().join(format!("netload-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("log");
        log.write(&path).unwrap();
        assert_eq!(ServiceLog::read(&path).unwrap(), log);
        let whole = std::fs::read(&path).unwrap();
        for wrong in [&whole[..whole.len() - 1], b"something else", b""] {
            std::fs::write(&path, wrong).unwrap();
            let error = ServiceLog::read(&path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn precision_is_the_distance_to_the_script_in_both_directions() {
        let mut log = ServiceLog::default();
        assert_eq!(log.precision(), None);
        log.served = (1..=99).map(|n| served(n, 95, 100)).collect();
        log.served.push(served(100, 140, 100));
        // A request whose answer never left says nothing about precision.
        log.served.push(Served {
            sent_unix_ns: 0,
            ..served(101, 0, 100)
        });
        let precision = log.precision().unwrap();
        assert_eq!(
            (
                precision.judged,
                precision.p50_ns,
                precision.p99_ns,
                precision.max_ns
            ),
            (100, 5, 5, 40)
        );
    }
}
