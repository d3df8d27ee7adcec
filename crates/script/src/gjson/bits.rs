//! What the bytes of JSON text are: 64 of them at once, by the instructions all processors have or by wider ones.
//!
//! Leaves what follows from it to [`super::marks`]. Invariant: all ways say the same of every block.

#![allow(unsafe_code)]

use wide::u8x16;

/// Bytes looked at together: one bit of a word each.
pub(super) const BLOCK: usize = u64::BITS as usize;
/// Bytes in a register of every processor.
const PART: usize = 16;
/// Places written at once, because a loop that ends elsewhere in each block is mispredicted in each.
const SOME: usize = 4;
/// The same for what writes as many in one step.
#[cfg(target_arch = "x86_64")]
const SOME_AVX512: usize = 8;
/// What turns `[` and `]` into `{` and `}`.
const BRACKETS: u8 = b'[' ^ b'{';
/// The last of the control characters.
const LAST_CONTROL: u8 = 0x1f;

/// One bit for each byte of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) quotes: u64,
    pub(super) backslashes: u64,
    /// Below 0x20.
    pub(super) controls: u64,
    /// What JSON takes for space.
    pub(super) spaces: u64,
    /// Brackets, commas and colons.
    pub(super) structure: u64,
}

impl Bits {
    #[inline(always)]
    pub(super) fn of(block: &[u8; BLOCK]) -> Bits {
        let all = parts(block);
        let is = |byte| bits(all, |part| part.simd_eq(u8x16::splat(byte)));
        let controls = bits(all, |part| {
            part.simd_eq(part.min(u8x16::splat(LAST_CONTROL)))
        });
        let structure = bits(all, |part| {
            let brackets = part | u8x16::splat(BRACKETS);
            brackets.simd_eq(u8x16::splat(b'{'))
                | brackets.simd_eq(u8x16::splat(b'}'))
                | part.simd_eq(u8x16::splat(b','))
                | part.simd_eq(u8x16::splat(b':'))
        });
        Self::put_together(is, controls, structure)
    }

    /// The same with half the instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn of_avx2(block: &[u8; BLOCK]) -> Bits {
        use std::arch::x86_64::{
            __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
            _mm256_or_si256, _mm256_set1_epi8,
        };

        let (low, high) = block.split_at(BLOCK / 2);
        // SAFETY: both halves have the 32 bytes that are read, and need not be aligned.
        let halves: [__m256i; 2] =
            [low, high].map(|half| unsafe { _mm256_loadu_si256(half.as_ptr().cast()) });
        let each = |byte: u8| _mm256_set1_epi8(byte as i8);
        let word = |[low, high]: [__m256i; 2]| {
            let [low, high] = [low, high].map(|half| _mm256_movemask_epi8(half) as u32);
            u64::from(low) | u64::from(high) << 32
        };
        let is = |byte| word(halves.map(|half| _mm256_cmpeq_epi8(half, each(byte))));
        let controls = word(halves.map(|half| {
            let low = _mm256_min_epu8(half, each(LAST_CONTROL));
            _mm256_cmpeq_epi8(half, low)
        }));
        let structure = word(halves.map(|half| {
            let brackets = _mm256_or_si256(half, each(BRACKETS));
            let brackets = [b'{', b'}'].map(|byte| _mm256_cmpeq_epi8(brackets, each(byte)));
            let marks = [b',', b':'].map(|byte| _mm256_cmpeq_epi8(half, each(byte)));
            let [a, b] = [brackets, marks].map(|[a, b]| _mm256_or_si256(a, b));
            _mm256_or_si256(a, b)
        }));
        Self::put_together(is, controls, structure)
    }

    /// The same in one look.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw")]
    #[inline]
    pub(super) fn of_avx512(block: &[u8; BLOCK]) -> Bits {
        use std::arch::x86_64::{
            _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask, _mm512_loadu_si512, _mm512_or_si512,
            _mm512_set1_epi8,
        };

        // SAFETY: a block has the 64 bytes that are read, and need not be aligned.
        let all = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let each = |byte: u8| _mm512_set1_epi8(byte as i8);
        let brackets = _mm512_or_si512(all, each(BRACKETS));
        let is = |byte| _mm512_cmpeq_epi8_mask(all, each(byte));
        let controls = _mm512_cmple_epu8_mask(all, each(LAST_CONTROL));
        let structure = _mm512_cmpeq_epi8_mask(brackets, each(b'{'))
            | _mm512_cmpeq_epi8_mask(brackets, each(b'}'))
            | is(b',')
            | is(b':');
        Self::put_together(is, controls, structure)
    }

    /// `is` says where a byte stands.
    #[inline(always)]
    fn put_together(is: impl Fn(u8) -> u64, controls: u64, structure: u64) -> Bits {
        // Most JSON that is sent has no others.
        let other_spaces = match controls {
            0 => 0,
            _ => is(b'\n') | is(b'\r') | is(b'\t'),
        };
        Bits {
            quotes: is(b'"'),
            backslashes: is(b'\\'),
            controls,
            spaces: is(b' ') | other_spaces,
            structure,
        }
    }
}

/// Where the bytes are whose bits are set, in order, if the block begins at `at`; the other places mean nothing.
#[inline(always)]
pub(super) fn places(mut bits: u64, at: usize, room: &mut [usize; BLOCK]) {
    for some in room.as_chunks_mut::<SOME>().0 {
        for place in some {
            *place = at + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
        }
        if bits == 0 {
            break;
        }
    }
}

/// The same with the numbers of all bits found at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vbmi2")]
#[inline]
pub(super) fn places_avx512(bits: u64, at: usize, room: &mut [usize; BLOCK]) {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_storeu_si512};

    const ALL: [u8; BLOCK] = {
        let mut all = [0; BLOCK];
        let mut i = 0;
        while i < BLOCK {
            all[i] = i as u8;
            i += 1;
        }
        all
    };
    let mut numbers = [0_u8; BLOCK];
    // SAFETY: both arrays have the 64 bytes that are read and written, and need not be aligned.
    unsafe {
        let all = _mm512_loadu_si512(ALL.as_ptr().cast());
        let numbers = numbers.as_mut_ptr();
        _mm512_storeu_si512(numbers.cast(), _mm512_maskz_compress_epi8(bits, all));
    }
    let used = bits.count_ones() as usize;
    let some = room.as_chunks_mut::<SOME_AVX512>().0.iter_mut();
    let numbers = numbers.as_chunks::<SOME_AVX512>().0;
    for (some, numbers) in some.zip(numbers).take(used.div_ceil(SOME_AVX512)) {
        for (place, number) in some.iter_mut().zip(numbers) {
            *place = at + usize::from(*number);
        }
    }
}

/// Whether the processor has what the widest way needs.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vbmi2") && has_avx2()
}

/// Whether the processor has what the wider way needs.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
}

#[inline(always)]
fn parts(block: &[u8; BLOCK]) -> [u8x16; BLOCK / PART] {
    std::array::from_fn(|part| u8x16::new(std::array::from_fn(|byte| block[part * PART + byte])))
}

/// One bit for each byte that `of` says all bits for.
#[inline(always)]
fn bits(parts: [u8x16; BLOCK / PART], of: impl Fn(u8x16) -> u8x16) -> u64 {
    let [a, b, c, d] = parts.map(|part| u64::from(of(part).to_bitmask()));
    a | b << PART | c << (2 * PART) | d << (3 * PART)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn simple(block: &[u8; BLOCK]) -> Bits {
        let of = |is: fn(u8) -> bool| {
            let bits = block.iter().enumerate();
            bits.fold(0, |all, (i, byte)| all | u64::from(is(*byte)) << i)
        };
        Bits {
            quotes: of(|b| b == b'"'),
            backslashes: of(|b| b == b'\\'),
            controls: of(|b| b < 0x20),
            spaces: of(|b| b" \n\r\t".contains(&b)),
            structure: of(|b| b"{}[]:,".contains(&b)),
        }
    }

    proptest! {
        #[test]
        fn all_ways_say_what_each_byte_is(block in any::<[u8; 32]>(), text in r#"[ -~\n\t"\\{}]{32}"#) {
            let mut all = [0; BLOCK];
            all[..32].copy_from_slice(&block);
            all[32..].copy_from_slice(&text.as_bytes()[..32]);
            prop_assert_eq!(Bits::of(&all), simple(&all));
            #[cfg(target_arch = "x86_64")]
            {
                // SAFETY: the processor has just been asked for it.
                let avx2 = has_avx2().then(|| unsafe { Bits::of_avx2(&all) });
                // SAFETY: as above.
                let avx512 = has_avx512().then(|| unsafe { Bits::of_avx512(&all) });
                prop_assert!([avx2, avx512].iter().flatten().all(|bits| *bits == simple(&all)));
            }
        }

        #[test]
        fn all_ways_give_the_place_of_each_bit(bits in any::<u64>(), at in 0_usize..1000) {
            let wanted: Vec<_> = (0..BLOCK).filter(|i| bits >> i & 1 == 1).map(|i| at + i).collect();
            let mut room = [0; BLOCK];
            places(bits, at, &mut room);
            prop_assert_eq!(&room[..wanted.len()], &wanted);
            #[cfg(target_arch = "x86_64")]
            if has_avx512() {
                // SAFETY: the processor has just been asked for it.
                unsafe { places_avx512(bits, at, &mut room) };
                prop_assert_eq!(&room[..wanted.len()], &wanted);
            }
        }
    }
}
