//! HPACK: header blocks to fields, fields to header blocks (RFC 7541).
//!
//! Owns the reader with its dynamic table, and a writer without one: what it writes means the same on every
//! connection, so that a request is encoded once. Invariant: the table never grows beyond its limit, and a block is
//! either read in full or refused for good.

use std::collections::VecDeque;

use super::huffman;
use super::table::STATIC;

/// Largest dynamic table the peer may use, as the standard counts it. It is the default, so we need not announce it.
pub(super) const TABLE_LIMIT_BYTES: usize = 4096;

/// What an entry costs besides its bytes.
const ENTRY_COST_BYTES: usize = 32;

/// A block that cannot be read. The connection is lost with it, because the tables no longer agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadBlock;

/// An entry of the dynamic table.
#[derive(Debug)]
struct Entry {
    /// The name, and the value behind it.
    text: Box<[u8]>,
    name: usize,
}

impl Entry {
    fn cost(&self) -> usize {
        self.text.len() + ENTRY_COST_BYTES
    }
}

/// The reading side of one connection.
#[derive(Debug)]
pub(super) struct Reader {
    /// The newest first.
    entries: VecDeque<Entry>,
    used: usize,
    limit: usize,
    /// Counts what changed the table.
    changes: u64,
    name: Vec<u8>,
    value: Vec<u8>,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            entries: VecDeque::new(),
            used: 0,
            limit: TABLE_LIMIT_BYTES,
            changes: 0,
            name: Vec::new(),
            value: Vec::new(),
        }
    }
}

impl Reader {
    /// How often the table has changed: while it has not, equal blocks mean equal fields.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Reads a block and shows its fields in order.
    pub(super) fn read(
        &mut self,
        block: &[u8],
        mut field: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), BadBlock> {
        let mut rest = block;
        let mut seen_field = false;
        while let Some(&first) = rest.first() {
            match first {
                0x80.. => {
                    let index = integer(&mut rest, 7)?;
                    let (name, value) = self.entry(index)?;
                    field(name, value);
                }
                0x40.. => self.literal(&mut rest, 6, true, &mut field)?,
                // A change of the table's size comes before all fields.
                0x20.. if seen_field => return Err(BadBlock),
                0x20.. => {
                    self.resize(integer(&mut rest, 5)?)?;
                    continue;
                }
                _ => self.literal(&mut rest, 4, false, &mut field)?,
            }
            seen_field = true;
        }
        Ok(())
    }

    fn entry(&self, index: usize) -> Result<(&[u8], &[u8]), BadBlock> {
        let index = index.checked_sub(1).ok_or(BadBlock)?;
        if let Some((name, value)) = STATIC.get(index) {
            return Ok((name.as_bytes(), value.as_bytes()));
        }
        let entry = self.entries.get(index - STATIC.len()).ok_or(BadBlock)?;
        Ok(entry.text.split_at(entry.name))
    }

    fn literal(
        &mut self,
        rest: &mut &[u8],
        prefix: u32,
        keep: bool,
        field: &mut impl FnMut(&[u8], &[u8]),
    ) -> Result<(), BadBlock> {
        let (mut name, mut value) = (
            std::mem::take(&mut self.name),
            std::mem::take(&mut self.value),
        );
        name.clear();
        value.clear();
        match integer(rest, prefix)? {
            0 => string(rest, &mut name)?,
            index => name.extend_from_slice(self.entry(index)?.0),
        }
        string(rest, &mut value)?;
        field(&name, &value);
        if keep {
            self.keep(&name, &value);
        }
        (self.name, self.value) = (name, value);
        Ok(())
    }

    fn keep(&mut self, name: &[u8], value: &[u8]) {
        self.changes += 1;
        let entry = Entry {
            text: [name, value].concat().into(),
            name: name.len(),
        };
        let cost = entry.cost();
        self.shrink(self.limit.saturating_sub(cost));
        // An entry larger than the table empties it and is not in it.
        if cost <= self.limit {
            self.used += cost;
            self.entries.push_front(entry);
        }
    }

    fn resize(&mut self, limit: usize) -> Result<(), BadBlock> {
        if limit > TABLE_LIMIT_BYTES {
            return Err(BadBlock);
        }
        self.changes += 1;
        self.limit = limit;
        self.shrink(limit);
        Ok(())
    }

    fn shrink(&mut self, to: usize) {
        while self.used > to
            && let Some(oldest) = self.entries.pop_back()
        {
            self.used -= oldest.cost();
        }
    }
}

/// An integer whose first byte has `prefix` bits for it.
fn integer(rest: &mut &[u8], prefix: u32) -> Result<usize, BadBlock> {
    /// More than any length or index that can be right.
    const LIMIT: usize = 1 << 28;

    let most = (1 << prefix) - 1;
    let first = take(rest)? & most;
    let mut value = usize::from(first);
    if first < most {
        return Ok(value);
    }
    for shift in (0..28).step_by(7) {
        let byte = take(rest)?;
        value += usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value).filter(|v| *v < LIMIT).ok_or(BadBlock);
        }
    }
    Err(BadBlock)
}

fn take(rest: &mut &[u8]) -> Result<u8, BadBlock> {
    let (first, behind) = rest.split_first().ok_or(BadBlock)?;
    *rest = behind;
    Ok(*first)
}

fn string(rest: &mut &[u8], out: &mut Vec<u8>) -> Result<(), BadBlock> {
    let coded = rest.first().is_some_and(|byte| *byte >= 0x80);
    let length = integer(rest, 7)?;
    let (text, behind) = rest.split_at_checked(length).ok_or(BadBlock)?;
    *rest = behind;
    if coded {
        huffman::decode(text, out).ok_or(BadBlock)
    } else {
        out.extend_from_slice(text);
        Ok(())
    }
}

/// Appends a field: as an entry of the static table where there is one, otherwise in full, with the name from the
/// table where it is there.
pub(super) fn write(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    let named = |entry: &&(usize, &(&str, &str))| entry.1.0.as_bytes() == name;
    let mut entries = STATIC.iter().enumerate();
    let same_name = entries.find(|entry| named(&entry));
    let whole = STATIC
        .iter()
        .position(|entry| entry.0.as_bytes() == name && entry.1.as_bytes() == value);
    if let Some(index) = whole {
        write_integer(index + 1, 7, 0x80, out);
        return;
    }
    match same_name {
        Some((index, _)) => write_integer(index + 1, 4, 0, out),
        None => {
            out.push(0);
            write_string(name, out);
        }
    }
    write_string(value, out);
}

/// Appends the announcement that the table we do not use has no room either.
pub(super) fn write_no_table(out: &mut Vec<u8>) {
    write_integer(0, 5, 0x20, out);
}

fn write_string(text: &[u8], out: &mut Vec<u8>) {
    let coded = huffman::encoded_len(text);
    if coded < text.len() {
        write_integer(coded, 7, 0x80, out);
        huffman::encode(text, out);
    } else {
        write_integer(text.len(), 7, 0, out);
        out.extend_from_slice(text);
    }
}

fn write_integer(value: usize, prefix: u32, flags: u8, out: &mut Vec<u8>) {
    let most = (1usize << prefix) - 1;
    if value < most {
        out.push(flags | value as u8);
        return;
    }
    out.push(flags | most as u8);
    let mut rest = value - most;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The fields of a block as lines.
    fn fields(reader: &mut Reader, block: &[u8]) -> Result<String, BadBlock> {
        let mut text = String::new();
        reader.read(block, |name, value| {
            let (name, value) = (
                String::from_utf8_lossy(name),
                String::from_utf8_lossy(value),
            );
            text += &format!("{name}={value}|");
        })?;
        Ok(text)
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<_> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16);
        digits.chunks(2).map(|pair| byte(pair).unwrap()).collect()
    }

    #[test]
    fn the_requests_of_the_standard() {
        let mut reader = Reader::default();
        let mut check = |hex: &str, expected: &str| {
            assert_eq!(fields(&mut reader, &bytes(hex)).as_deref(), Ok(expected));
        };
        check(
            "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
            ":method=GET|:scheme=http|:path=/|:authority=www.example.com|",
        );
        check(
            "8286 84be 5886 a8eb 1064 9cbf",
            ":method=GET|:scheme=http|:path=/|:authority=www.example.com|cache-control=no-cache|",
        );
        check(
            "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
            ":method=GET|:scheme=https|:path=/index.html|:authority=www.example.com|custom-key=custom-value|",
        );
        assert_eq!(reader.used, 164);
    }

    #[test]
    fn old_entries_make_room() {
        let mut reader = Reader::default();
        // A table of 80 bytes holds two entries of 36 bytes.
        let mut block = bytes("3f31");
        for name in ["aa", "bb", "cc"] {
            block.push(0x40);
            write_string(name.as_bytes(), &mut block);
            write_string(b"vv", &mut block);
        }
        assert_eq!(
            fields(&mut reader, &block).as_deref(),
            Ok("aa=vv|bb=vv|cc=vv|")
        );
        assert_eq!(
            fields(&mut reader, &bytes("bebf")).as_deref(),
            Ok("cc=vv|bb=vv|")
        );
        assert_eq!(fields(&mut reader, &bytes("c0")), Err(BadBlock));
        assert_eq!(fields(&mut reader, &bytes("20")).as_deref(), Ok(""));
        assert_eq!((reader.used, reader.entries.len()), (0, 0));
    }

    #[test]
    fn broken_blocks_are_refused() {
        for hex in [
            "80",             // index 0
            "be",             // an entry that is not there
            "ff",             // an integer without its end
            "ffffffffffffff", // an integer without end
            "3fe21f",         // a table larger than we allow
            "8220",           // a new size behind a field
            "40",             // a literal without anything
            "400361",         // a string without its end
            "00816100",       // a code with wrong padding
        ] {
            let refused = fields(&mut Reader::default(), &bytes(hex));
            assert_eq!(refused, Err(BadBlock), "{hex}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            written in proptest::collection::vec(("[a-z:-]{1,20}", "[ -~]{0,200}"), 0..12),
        ) {
            let mut block = Vec::new();
            let mut expected = String::new();
            for (name, value) in &written {
                write(name.as_bytes(), value.as_bytes(), &mut block);
                expected += &format!("{name}={value}|");
            }
            prop_assert_eq!(fields(&mut Reader::default(), &block), Ok(expected));
        }

        #[test]
        fn any_bytes_are_read_or_refused_and_the_table_stays_small(blocks: Vec<Vec<u8>>) {
            let mut reader = Reader::default();
            for block in blocks {
                let _ = fields(&mut reader, &block);
                prop_assert!(reader.used <= TABLE_LIMIT_BYTES);
                let sum: usize = reader.entries.iter().map(Entry::cost).sum();
                prop_assert_eq!(reader.used, sum);
            }
        }
    }
}
