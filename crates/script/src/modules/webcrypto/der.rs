//! The little of DER (X.690) that keys need: writing nested values, and reading them in order.

/// Tags of the values in keys.
const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
pub(super) const OCTETS: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OID: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
/// The public key in a private one.
pub(super) const CONTEXT_1: u8 = 0xa1;

/// One value with its tag and length.
pub(super) fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut der = vec![tag];
    match content.len() {
        short @ 0..128 => der.push(short as u8),
        long => {
            let bytes = long.to_be_bytes();
            let zeros = bytes.iter().take_while(|b| **b == 0).count();
            der.push(0x80 | (bytes.len() - zeros) as u8);
            der.extend(&bytes[zeros..]);
        }
    }
    der.extend(content);
    der
}

/// Values in a sequence.
pub(super) fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    value(SEQUENCE, &parts.concat())
}

/// A number that is not negative, big-endian.
pub(super) fn integer(number: &[u8]) -> Vec<u8> {
    let zeros = number.iter().take_while(|b| **b == 0).count();
    let mut content = number[zeros..].to_vec();
    // The first bit says that a number is negative.
    if content.first().is_none_or(|first| *first >= 0x80) {
        content.insert(0, 0);
    }
    value(INTEGER, &content)
}

/// A whole number of bytes as bits.
pub(super) fn bits(content: &[u8]) -> Vec<u8> {
    value(BITS, &[&[0], content].concat())
}

/// Reads values one after the other.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// The content of the next value, which must have this tag.
    pub(super) fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        let (&found, rest) = self.0.split_first()?;
        if found != tag {
            return None;
        }
        let (&first, rest) = rest.split_first()?;
        let (len, rest) = match first {
            0..128 => (usize::from(first), rest),
            _ => {
                let count = usize::from(first & 0x7f);
                if !(1..=4).contains(&count) || rest.len() < count {
                    return None;
                }
                let (len, rest) = rest.split_at(count);
                let len = len.iter().fold(0, |len, b| len << 8 | usize::from(*b));
                (len, rest)
            }
        };
        let content = rest.get(..len)?;
        self.0 = &rest[len..];
        Some(content)
    }

    /// The next value, a number that is not negative, without leading zeros.
    pub(super) fn integer(&mut self) -> Option<&'a [u8]> {
        let content = self.take(INTEGER)?;
        let zeros = content.iter().take_while(|b| **b == 0).count();
        Some(&content[zeros..])
    }

    /// The next value, bits that are whole bytes.
    pub(super) fn bits(&mut self) -> Option<&'a [u8]> {
        match self.take(BITS)?.split_first()? {
            (0, content) => Some(content),
            _ => None,
        }
    }

    /// What is in the next value, a sequence.
    pub(super) fn sequence(&mut self) -> Option<Self> {
        self.take(SEQUENCE).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let long = vec![7; 300];
        let der = sequence(&[integer(&[0, 0x80]), value(OCTETS, &long), bits(&[1, 2])]);
        let mut outer = Reader(&der);
        let mut inner = outer.sequence().unwrap();
        assert_eq!(inner.integer(), Some(&[0x80][..]));
        assert_eq!(inner.take(OCTETS), Some(&long[..]));
        assert_eq!(inner.bits(), Some(&[1, 2][..]));
        assert!(inner.0.is_empty() && outer.0.is_empty());
    }

    #[test]
    fn what_is_cut_short_is_refused() {
        let der = sequence(&[value(OCTETS, &[7; 200])]);
        for end in 0..der.len() {
            let mut outer = Reader(&der[..end]);
            assert!(outer.sequence().is_none());
        }
    }
}
