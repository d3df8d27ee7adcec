//! Where a string of JSON ends: sixteen bytes looked at together, because most of what is sent is strings.
//!
//! Leaves everything around strings to its callers. Invariants: escapes are those JSON has, control characters are
//! refused; bytes above 0x7f are taken as they are.

use wide::u8x16;

/// Bytes looked at together.
const STRIDE: usize = 16;

/// Where the string ends whose opening quote stands before `at`; none when it does not end or is not valid.
#[inline(always)]
pub(super) fn string_end(text: &[u8], mut at: usize) -> Option<usize> {
    while let Some(looked) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let plain = plain_len(looked);
        at += plain;
        if plain == STRIDE {
            continue;
        }
        match looked[plain] {
            b'"' => return Some(at + 1),
            b'\\' => at = escape_end(text, at)?,
            _ => return None,
        }
    }
    last_end(text, at)
}

/// The same where less than a stride is left of the text.
#[cold]
fn last_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at = escape_end(text, at)?,
            0..0x20 => return None,
            _ => at += 1,
        }
    }
}

/// Where the escape at `at` ends; none when JSON has none of the kind.
#[inline(always)]
pub(super) fn escape_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => {
            let digits = text.get(at + 2..at + 6)?;
            let all = digits.iter().all(u8::is_ascii_hexdigit);
            all.then_some(at + 6)
        }
        _ => None,
    }
}

/// How many bytes stand before the first quote, backslash or control character.
///
/// Without a branch, so that compilers make a few instructions on vectors of it.
#[inline(always)]
fn plain_len(bytes: &[u8; STRIDE]) -> usize {
    let all = u8x16::new(*bytes);
    let quotes = all.simd_eq(u8x16::splat(b'"'));
    let backslashes = all.simd_eq(u8x16::splat(b'\\'));
    let controls = all.simd_eq(all.min(u8x16::splat(0x1f)));
    let special = (quotes | backslashes | controls).to_bitmask();
    // The bit behind the last byte says that there is none.
    (special | 1 << STRIDE).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One byte after the other, as the grammar says it.
    fn simple_end(text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            at = match *text.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' => escape_end(text, at)?,
                0..0x20 => return None,
                _ => at + 1,
            };
        }
    }

    /// Bytes of which many mean something in a string.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let one = prop_oneof![
            8 => b'a'..=b'z',
            2 => any::<u8>(),
            1 => prop::sample::select(br#""\u0F/n"#.to_vec()),
        ];
        prop::collection::vec(one, 0..80)
    }

    proptest! {
        #[test]
        fn ends_where_the_simple_way_ends(text in bytes(), at in 0_usize..40) {
            prop_assert_eq!(string_end(&text, at), simple_end(&text, at));
        }
    }
}
