//! The Huffman code of HPACK (RFC 7541, appendix B).
//!
//! Owns the code, which is canonical: the lengths say everything. Invariant: whatever `encode` wrote, `decode` reads
//! back; what is not a code in full, padded as the standard demands, is refused.

/// Symbols of the code: all bytes, and the end of string, which is never sent.
const SYMBOLS: usize = 257;

/// Length of each symbol's code in bits.
#[rustfmt::skip]
const LENGTHS: [u8; SYMBOLS] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
];

/// Longest code, in bits.
const LONGEST: usize = 30;

/// Codes up to this length are found by one look into a table.
const QUICK_BITS: usize = 10;

/// Each symbol's code, right-aligned.
const CODES: [u32; SYMBOLS] = {
    let mut codes = [0; SYMBOLS];
    let mut code = 0;
    let mut length = 1;
    while length <= LONGEST {
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if LENGTHS[symbol] as usize == length {
                codes[symbol] = code;
                code += 1;
            }
            symbol += 1;
        }
        code <<= 1;
        length += 1;
    }
    codes
};

/// By the next bits: a symbol and the length of its code; length 0 where the code is longer.
static QUICK: [(u8, u8); 1 << QUICK_BITS] = {
    let mut quick = [(0, 0); 1 << QUICK_BITS];
    let mut symbol = 0;
    while symbol < 256 {
        let length = LENGTHS[symbol] as usize;
        if length <= QUICK_BITS {
            let spare = QUICK_BITS - length;
            let first = (CODES[symbol] as usize) << spare;
            let mut at = first;
            while at < first + (1 << spare) {
                quick[at] = (symbol as u8, length as u8);
                at += 1;
            }
        }
        symbol += 1;
    }
    quick
};

/// The symbols with long codes, by length: the first code, and where they begin in [`LONG_SYMBOLS`].
const LONG_FROM: [(u32, u16); LONGEST + 2] = {
    let mut from = [(0, 0); LONGEST + 2];
    let (mut code, mut count, mut length) = (0, 0, 1);
    while length <= LONGEST {
        from[length] = (code, count);
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if LENGTHS[symbol] as usize == length {
                code += 1;
                count += 1;
            }
            symbol += 1;
        }
        code <<= 1;
        length += 1;
    }
    from[LONGEST + 1] = (code, count);
    from
};

/// All symbols in the order of their codes.
static LONG_SYMBOLS: [u16; SYMBOLS] = {
    let mut symbols = [0; SYMBOLS];
    let (mut count, mut length) = (0, 1);
    while length <= LONGEST {
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if LENGTHS[symbol] as usize == length {
                symbols[count] = symbol as u16;
                count += 1;
            }
            symbol += 1;
        }
        length += 1;
    }
    symbols
};

/// Appends the text behind `input` to `out`. `None` when it is no valid code.
pub(super) fn decode(mut input: &[u8], out: &mut Vec<u8>) -> Option<()> {
    // The bits at hand, left-aligned.
    let mut bits: u64 = 0;
    let mut count: usize = 0;
    loop {
        while count <= 56
            && let Some((byte, rest)) = input.split_first()
        {
            bits |= u64::from(*byte) << (56 - count);
            count += 8;
            input = rest;
        }
        let (symbol, length) = QUICK[(bits >> (64 - QUICK_BITS)) as usize];
        let length = usize::from(length);
        if length != 0 && length <= count {
            out.push(symbol);
            bits <<= length;
            count -= length;
            continue;
        }
        match long(bits) {
            Some((symbol, length)) if length != 0 && length <= count => {
                out.push(symbol);
                bits <<= length;
                count -= length;
            }
            // What is left is padding: the start of the end of string, less than a byte of it.
            _ => return (count < 8 && bits == !(u64::MAX >> count)).then_some(()),
        }
    }
}

/// The symbol whose code the bits begin with. `None` for the end of string.
fn long(bits: u64) -> Option<(u8, usize)> {
    for length in QUICK_BITS + 1..=LONGEST {
        let code = (bits >> (64 - length)) as u32;
        let (first, index) = LONG_FROM[length];
        let symbols = LONG_FROM[length + 1].1 - index;
        if code >= first && code - first < u32::from(symbols) {
            let symbol = LONG_SYMBOLS[usize::from(index) + (code - first) as usize];
            return u8::try_from(symbol).ok().map(|symbol| (symbol, length));
        }
    }
    None
}

/// Length of the code for `text` in bytes.
pub(super) fn encoded_len(text: &[u8]) -> usize {
    let bits = text
        .iter()
        .map(|byte| usize::from(LENGTHS[usize::from(*byte)]));
    bits.sum::<usize>().div_ceil(8)
}

/// Appends the code for `text` to `out`.
pub(super) fn encode(text: &[u8], out: &mut Vec<u8>) {
    let mut bits: u64 = 0;
    let mut count = 0;
    for byte in text {
        let symbol = usize::from(*byte);
        let length = u32::from(LENGTHS[symbol]);
        bits = (bits << length) | u64::from(CODES[symbol]);
        count += length;
        while count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    if count > 0 {
        let padding = 8 - count;
        out.push(((bits << padding) | ((1 << padding) - 1)) as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(code: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        decode(code, &mut out).map(|()| out)
    }

    #[test]
    fn the_examples_of_the_standard() {
        let check = |text: &str, code: &[u8]| {
            let mut out = Vec::new();
            encode(text.as_bytes(), &mut out);
            assert_eq!(out, code);
            assert_eq!(encoded_len(text.as_bytes()), code.len());
            assert_eq!(decoded(code), Some(text.as_bytes().to_vec()));
        };
        check("no-cache", b"\xa8\xeb\x10\x64\x9c\xbf");
        check("302", b"\x64\x02");
        check("private", b"\xae\xc3\x77\x1a\x4b");
        check(
            "Mon, 21 Oct 2013 20:13:21 GMT",
            b"\xd0\x7a\xbe\x94\x10\x54\xd4\x44\xa8\x20\x05\x95\x04\x0b\x81\x66\xe0\x82\xa6\x2d\x1b\xff",
        );
    }

    #[test]
    fn what_the_standard_forbids_is_refused() {
        assert_eq!(decoded(&[]), Some(Vec::new()));
        assert_eq!(decoded(&[0xff]), None, "a whole byte of padding");
        assert_eq!(decoded(&[0x00]), None, "padding that is not ones");
        assert_eq!(
            decoded(&[0xff, 0xff, 0xff, 0xff]),
            None,
            "the end of string"
        );
        assert_eq!(decoded(&[0x07]), Some(b"0".to_vec()));
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(text: Vec<u8>) {
            let mut code = Vec::new();
            encode(&text, &mut code);
            prop_assert_eq!(code.len(), encoded_len(&text));
            prop_assert_eq!(decoded(&code), Some(text));
        }

        #[test]
        fn anything_is_read_or_refused(code: Vec<u8>) {
            if let Some(text) = decoded(&code) {
                let mut again = Vec::new();
                encode(&text, &mut again);
                prop_assert_eq!(again, code);
            }
        }
    }
}
