//! Where something stands in JSON text: 64 bytes looked at together, none of which waits for what another one was.
//!
//! Marked are brackets, commas and colons outside strings, the opening quotes of strings, and the first bytes of
//! everything else that is neither space nor in a string. Leaves the order in which they may come to
//! [`super::scan`]. Invariants: between two marks is nothing that could be wrong, except the rest of what begins at
//! the first; escapes are those JSON has, control characters in strings are refused; bytes above 0x7f are taken as
//! they are in strings. See "Parsing Gigabytes of JSON per Second" (Langdale and Lemire, 2019) for the idea.

#![allow(unsafe_code)]

use super::bits::{self, BLOCK, Bits};
use super::strings::escape_end;

/// Marks found before they are asked for; few, because most texts are short.
const MARKS: usize = 192;

/// Where marks are kept.
pub(super) type Room = [usize; MARKS + BLOCK];
/// None there yet.
pub(super) const EMPTY: Room = [0; MARKS + BLOCK];

/// The marks of a text, found some at a time.
pub(super) struct Marks<'a> {
    text: &'a [u8],
    /// How much of the text was looked at.
    at: usize,
    found: &'a mut Room,
    count: usize,
    /// All bits if the text looked at ends in a string.
    string: u64,
    /// 1 if it ends with a backslash that escapes the next byte.
    escaped: u64,
    /// 1 if it ends in something that is neither string nor bracket, comma, colon or space.
    other: u64,
    sound: bool,
}

impl<'a> Marks<'a> {
    /// Those of `text`; whoever looks for them gives the room, on its stack.
    pub(super) fn of(text: &'a [u8], found: &'a mut Room) -> Self {
        Self {
            text,
            at: 0,
            found,
            count: 0,
            string: 0,
            escaped: 0,
            other: 0,
            sound: true,
        }
    }

    /// The marks found last, in order.
    #[inline(always)]
    pub(super) fn found(&self) -> &[usize] {
        self.found.get(..self.count).unwrap_or_default()
    }

    /// Forgets what was found and looks for more; there is none at the end of the text.
    #[inline(never)]
    pub(super) fn find_more(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if bits::has_avx512() {
            // SAFETY: the processor has just been asked for all of it.
            return unsafe { self.find_more_avx512() };
        } else if bits::has_avx2() {
            // SAFETY: as above.
            return unsafe { self.find_more_avx2() };
        }
        self.find_more_by(Bits::of, bits::places)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512vbmi2,avx2,bmi1,popcnt")]
    fn find_more_avx512(&mut self) {
        self.find_more_by(
            |block| Bits::of_avx512(block),
            |marks, at, room| bits::places_avx512(marks, at, room),
        )
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn find_more_avx2(&mut self) {
        self.find_more_by(|block| Bits::of_avx2(block), bits::places)
    }

    #[inline(always)]
    fn find_more_by(
        &mut self,
        bits: impl Fn(&[u8; BLOCK]) -> Bits,
        places: impl Fn(u64, usize, &mut [usize; BLOCK]),
    ) {
        self.count = 0;
        while self.count < MARKS
            && let Some(rest) = self.text.get(self.at..)
            && !rest.is_empty()
        {
            let marks = match rest.first_chunk() {
                Some(block) => self.marks(bits(block)),
                None => {
                    let mut block = [b' '; BLOCK];
                    block[..rest.len()].copy_from_slice(rest);
                    self.marks(bits(&block))
                }
            };
            let Some(room) = self.found[self.count..].first_chunk_mut() else {
                break;
            };
            places(marks, self.at, room);
            self.count += marks.count_ones() as usize;
            self.at += BLOCK;
        }
    }

    /// Whether nothing between the marks was wrong, once there are no more.
    pub(super) fn is_sound(&self) -> bool {
        self.sound && self.string == 0
    }

    #[inline(always)]
    fn marks(&mut self, bits: Bits) -> u64 {
        let mut quotes = bits.quotes;
        if bits.backslashes | self.escaped != 0 {
            quotes &= !self.escaped_in(bits.backslashes);
        }
        // From each opening quote to before its closing one.
        let string = each_and_all_below(quotes) ^ self.string;
        self.string = ((string as i64) >> (BLOCK - 1)) as u64;
        self.sound &= bits.controls & string == 0;
        let other = !(string | quotes | bits.structure | bits.spaces);
        let starts = other & !(other << 1 | self.other);
        self.other = other >> (BLOCK - 1);
        starts | quotes & string | bits.structure & !string
    }

    /// Which bytes of the block at hand are escaped.
    #[cold]
    fn escaped_in(&mut self, backslashes: u64) -> u64 {
        let mut escaped = self.escaped;
        let mut left: u64 = backslashes & !escaped;
        self.escaped = 0;
        while left != 0 {
            let at = left.trailing_zeros();
            self.sound &= escape_end(self.text, self.at + at as usize).is_some();
            // Nothing is left of the last byte's next one but this.
            let next = 1 << at << 1;
            self.escaped = u64::from(next == 0);
            escaped |= next;
            left &= !(1 << at | next);
        }
        escaped
    }
}

/// Each bit exclusively ored with all below it.
#[inline(always)]
fn each_and_all_below(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}
