//! A file of the kernel's that is opened once and read again and again.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Bytes read of one file at most; what is needed stands in front.
const BYTES_AT_MOST: usize = 64 << 10;
/// Bytes that one read asks for first.
const BYTES_AT_FIRST: usize = 4 << 10;

/// The open file with its last content.
pub(super) struct ProcFile {
    path: String,
    file: File,
    buffer: Vec<u8>,
    filled: usize,
}

impl ProcFile {
    /// Opens it and reads it once.
    pub(super) fn open(path: impl Into<String>) -> Result<Self, String> {
        let path = path.into();
        let file = File::open(&path).map_err(|e| format!("{path}: {e}"))?;
        let mut opened = Self {
            path,
            file,
            buffer: vec![0; BYTES_AT_FIRST],
            filled: 0,
        };
        opened.read()?;
        Ok(opened)
    }

    /// The present content.
    pub(super) fn read(&mut self) -> Result<&str, String> {
        self.filled = 0;
        loop {
            let rest = &mut self.buffer[self.filled..];
            let read = self.file.read_at(rest, self.filled as u64);
            let read = read.map_err(|e| format!("{}: {e}", self.path))?;
            self.filled += read;
            if read == 0 || self.filled == BYTES_AT_MOST {
                break;
            }
            if self.filled == self.buffer.len() {
                self.buffer.resize(self.filled * 2, 0);
            }
        }
        Ok(self.text())
    }

    /// What was read last. Kernel files are ASCII; anything else ends the text.
    pub(super) fn text(&self) -> &str {
        let bytes = &self.buffer[..self.filled];
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
        }
    }

    /// Why a content cannot be used.
    pub(super) fn strange(&self) -> String {
        format!("{} has no known layout", self.path)
    }
}

/// The number behind a name at the start of a line: `nr_throttled 17`, `MemAvailable:  5 kB`.
pub(super) fn field(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.trim_start_matches(':')
        .split_ascii_whitespace()
        .next()?
        .parse()
        .ok()
}
