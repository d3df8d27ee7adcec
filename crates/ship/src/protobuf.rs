//! The few rules of protocol buffers that messages of ours need, for writing only.
//!
//! Fields that have their default value are left out where the caller says `nonzero`; everything else is written as it is.

/// A message under construction.
#[derive(Debug, Default)]
pub(crate) struct Message(pub(crate) Vec<u8>);

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const LENGTH: u64 = 2;

impl Message {
    fn tag(&mut self, field: u64, kind: u64) {
        varint(field << 3 | kind, &mut self.0);
    }

    /// `uint64`, `uint32`, `enum` and `bool`.
    pub(crate) fn number(&mut self, field: u64, value: u64) {
        self.tag(field, VARINT);
        varint(value, &mut self.0);
    }

    /// `int64`; negative numbers take ten bytes.
    pub(crate) fn signed(&mut self, field: u64, value: i64) {
        self.number(field, value as u64);
    }

    /// `sint32` and `sint64`.
    pub(crate) fn zigzag(&mut self, field: u64, value: i64) {
        self.number(field, folded(value));
    }

    /// `fixed64` and `sfixed64`.
    pub(crate) fn fixed(&mut self, field: u64, value: u64) {
        self.tag(field, FIXED64);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// `double`
    pub(crate) fn double(&mut self, field: u64, value: f64) {
        self.fixed(field, value.to_bits());
    }

    /// `bytes`, and messages that are ready.
    pub(crate) fn bytes(&mut self, field: u64, value: &[u8]) {
        self.tag(field, LENGTH);
        varint(value.len() as u64, &mut self.0);
        self.0.extend_from_slice(value);
    }

    /// `string`
    pub(crate) fn text(&mut self, field: u64, value: &str) {
        self.bytes(field, value.as_bytes());
    }

    /// A message inside.
    pub(crate) fn message(&mut self, field: u64, write: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        write(&mut inner);
        self.bytes(field, &inner.0);
    }

    /// A packed list of `uint32` or `uint64`.
    pub(crate) fn numbers(&mut self, field: u64, values: impl Iterator<Item = u64>) {
        let mut inner = Vec::new();
        values.for_each(|value| varint(value, &mut inner));
        if !inner.is_empty() {
            self.bytes(field, &inner);
        }
    }

    /// A packed list of `sint64`.
    pub(crate) fn zigzags(&mut self, field: u64, values: impl Iterator<Item = i64>) {
        self.numbers(field, values.map(folded));
    }
}

/// Small numbers of either sign as small numbers.
fn folded(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_specification_are_written_as_there() {
        let mut message = Message::default();
        message.number(1, 150);
        message.text(2, "testing");
        assert_eq!(message.0, b"\x08\x96\x01\x12\x07testing");
        let mut message = Message::default();
        message.numbers(6, [3, 270, 86_942].into_iter());
        assert_eq!(message.0, b"\x32\x06\x03\x8e\x02\x9e\xa7\x05");
        assert_eq!(
            [0, -1, 1, -2, i64::MAX, i64::MIN].map(folded),
            [0, 1, 2, 3, u64::MAX - 1, u64::MAX]
        );
    }
}
