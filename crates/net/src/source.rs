//! Source addresses: the `localIPs` option.
//!
//! Owns parsing and the choice per VU. Invariant: a list that parsed holds at least one address.

use std::net::IpAddr;

use crate::error::NetError;
use crate::hosts::{Range, as_bits, from_bits};

/// A list of source addresses, given as addresses, `from-to` ranges and CIDR ranges with commas between.
#[derive(Clone, Debug, Default)]
pub struct LocalIps {
    blocks: Vec<Block>,
    total: u64,
}

#[derive(Clone, Debug)]
struct Block {
    start: u128,
    count: u64,
    v4: bool,
}

impl LocalIps {
    /// Parses `10.0.0.1,10.0.1.0/24,fd00::1-fd00::9`.
    ///
    /// # Errors
    /// Names the part that is none of these.
    pub fn parse(text: &str) -> Result<Self, NetError> {
        let mut list = Self::default();
        for part in text.split(',').map(str::trim) {
            let block = parse_block(part).ok_or_else(|| NetError::Config {
                option: "localIPs",
                message: format!("\"{part}\" is not an address, a from-to range or a CIDR range."),
            })?;
            list.total = list.total.saturating_add(block.count);
            list.blocks.push(block);
        }
        Ok(list)
    }

    /// The address of VU number `vu` (from 1); VUs take turns. `None` when no list was given.
    pub fn pick(&self, vu: u64) -> Option<IpAddr> {
        let mut index = vu.saturating_sub(1).checked_rem(self.total)?;
        for block in &self.blocks {
            if index < block.count {
                return Some(from_bits(block.start + u128::from(index), block.v4));
            }
            index -= block.count;
        }
        None
    }
}

fn parse_block(text: &str) -> Option<Block> {
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (first.trim().parse().ok()?, last.trim().parse().ok()?),
        None => {
            let (first, count) = Range::parse(text)?.span();
            let (bits, v4) = as_bits(first);
            (first, from_bits(bits.saturating_add(count - 1), v4))
        }
    };
    let ((start, v4), (end, end_v4)) = (as_bits(first), as_bits(last));
    (v4 == end_v4 && end >= start).then(|| Block {
        start,
        count: u64::try_from(end - start)
            .unwrap_or(u64::MAX - 1)
            .saturating_add(1),
        v4,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(text: &str, vus: std::ops::RangeInclusive<u64>) -> String {
        let list = LocalIps::parse(text).unwrap();
        vus.filter_map(|vu| list.pick(vu))
            .map(|ip| ip.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn vus_take_turns() {
        assert_eq!(
            picks("127.0.0.5, 10.0.0.2-10.0.0.3", 1..=4),
            "127.0.0.5 10.0.0.2 10.0.0.3 127.0.0.5"
        );
        assert_eq!(picks("10.0.0.0/31", 1..=3), "10.0.0.0 10.0.0.1 10.0.0.0");
        assert_eq!(picks("::/0", 2..=2), "::1");
        assert_eq!(LocalIps::default().pick(1), None);
    }

    #[test]
    fn mistakes_are_named() {
        for text in ["", "a", "10.0.0.2-10.0.0.1", "10.0.0.1-::1", "1.1.1.1,"] {
            assert!(LocalIps::parse(text).is_err(), "{text}");
        }
    }
}
