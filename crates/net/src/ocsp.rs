//! The status of a certificate that a server sends along in the handshake (RFC 6960, RFC 6066 section 8).
//!
//! Owns reading what the responder says. Leaves out whether it is signed by whom it should be: it is reported, as k6
//! does, and decides nothing. Invariant: bytes that are no such statement give none.

use std::cell::RefCell;

/// Largest statement that is looked at, in bytes; TLS allows 16 MiB, real ones have about 2 KiB.
const STATEMENT_AT_MOST: usize = 64 * 1024;

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const OBJECT: u8 = 0x06;
const ENUMERATED: u8 = 0x0a;
const TIME: u8 = 0x18;
/// Content-specific tags: bare, and around something else.
const BARE: u8 = 0x80;
const AROUND: u8 = 0xa0;
/// `id-pkix-ocsp-basic`.
const BASIC: [u8; 9] = [0x2b, 6, 1, 5, 5, 7, 0x30, 1, 1];

thread_local! {
    /// The statement that the verifier of certificates was handed during the handshake step that runs, if any.
    static STAPLED: RefCell<Option<Ocsp>> = const { RefCell::new(None) };
}

/// What a responder says about a certificate. Times in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ocsp {
    /// Whether the certificate holds.
    pub status: OcspStatus,
    /// When the response was made.
    pub produced_at_s: i64,
    /// Since when the status is known to be right.
    pub this_update_s: i64,
    /// When there will be news, where that is said.
    pub next_update_s: Option<i64>,
}

/// Whether a certificate holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OcspStatus {
    /// It holds.
    Good,
    /// It does not.
    Revoked {
        /// Since when.
        at_s: i64,
        /// Why: the number of `CRLReason` (RFC 5280, 5.3.1).
        reason: u8,
    },
    /// The responder does not know it.
    Unknown,
}

impl Ocsp {
    /// Reads an `OCSPResponse`. None when it is none, is about several certificates, or says that there is no answer.
    pub fn parse(der: &[u8]) -> Option<Self> {
        if der.len() > STATEMENT_AT_MOST {
            return None;
        }
        let mut response = Der(der).take(SEQUENCE)?;
        if response.take(ENUMERATED)?.0 != [0] {
            return None;
        }
        let mut typed = response.take(AROUND)?.take(SEQUENCE)?;
        if typed.take(OBJECT)?.0 != BASIC {
            return None;
        }
        let mut data = typed.take(OCTETS)?.take(SEQUENCE)?.take(SEQUENCE)?;
        if data.next_is(AROUND) {
            data.take(AROUND)?.take(INTEGER)?;
        }
        let responder = if data.next_is(AROUND | 1) { 1 } else { 2 };
        data.take(AROUND | responder)?;
        let produced_at_s = data.time()?;
        let mut all = data.take(SEQUENCE)?;
        let single = all.take(SEQUENCE)?;
        all.0.is_empty().then(|| Self::of(single, produced_at_s))?
    }

    fn of(mut single: Der<'_>, produced_at_s: i64) -> Option<Self> {
        // Which certificate it is about: the server says so by sending it.
        single.take(SEQUENCE)?;
        let status = if single.next_is(BARE) {
            single.take(BARE)?;
            OcspStatus::Good
        } else if single.next_is(AROUND | 1) {
            let mut revoked = single.take(AROUND | 1)?;
            let at_s = revoked.time()?;
            let reason = match revoked.next_is(AROUND) {
                true => *revoked.take(AROUND)?.take(ENUMERATED)?.0.first()?,
                false => 0,
            };
            OcspStatus::Revoked { at_s, reason }
        } else {
            single.take(BARE | 2)?;
            OcspStatus::Unknown
        };
        let this_update_s = single.time()?;
        let next_update_s = match single.next_is(AROUND) {
            true => Some(single.take(AROUND)?.time()?),
            false => None,
        };
        Some(Self {
            status,
            produced_at_s,
            this_update_s,
            next_update_s,
        })
    }
}

/// Notes what came with the certificate that is being verified.
pub(crate) fn note(stapled: &[u8]) {
    if !stapled.is_empty() {
        STAPLED.set(Ocsp::parse(stapled));
    }
}

/// What was noted on this thread since the last call. A verifier knows no connection, but it runs inside the step of
/// the handshake that digests the certificate, and nothing else of this thread runs meanwhile.
pub(crate) fn take_noted() -> Option<Ocsp> {
    STAPLED.take()
}

/// What is left of DER.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    fn next_is(&self, tag: u8) -> bool {
        self.0.first() == Some(&tag)
    }

    /// The content of the next element, which must have this tag.
    fn take(&mut self, tag: u8) -> Option<Der<'a>> {
        let (&found, rest) = self.0.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        let mut length = usize::from(first);
        if first & 0x80 != 0 {
            let digits = usize::from(first & 0x7f);
            let (number, after) = rest.split_at_checked(digits).filter(|_| digits <= 4)?;
            length = number
                .iter()
                .fold(0, |sum, digit| sum << 8 | usize::from(*digit));
            rest = after;
        }
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        (found == tag).then_some(Der(content))
    }

    /// A `GeneralizedTime` in the only form that DER allows: `YYYYMMDDHHMMSSZ`.
    fn time(&mut self) -> Option<i64> {
        let text = self.take(TIME)?.0;
        let digits = text.strip_suffix(b"Z").filter(|text| text.len() == 14)?;
        let number = |from: usize, to: usize| -> Option<i64> {
            std::str::from_utf8(&digits[from..to])
                .ok()
                .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?
                .parse()
                .ok()
        };
        let (year, month, day) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
        let (hour, minute, second) = (number(8, 10)?, number(10, 12)?, number(12, 14)?);
        let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
        if !valid || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        Some(days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, whose year begins with March here, so that the leap day is
/// its last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    // 153 days are five months from March on; 719,468 days are from year 0 to 1970.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Made with `openssl ocsp` for a certificate revoked on 2025-01-02 03:04:05 for `keyCompromise`.
    const REVOKED: &[u8] = include_bytes!("../tests/data/ocsp-revoked.der");
    const GOOD: &[u8] = include_bytes!("../tests/data/ocsp-good.der");
    const UNKNOWN: &[u8] = include_bytes!("../tests/data/ocsp-unknown.der");

    #[test]
    fn statements_of_openssl() {
        let good = Ocsp {
            status: OcspStatus::Good,
            produced_at_s: 1_795_323_458,
            this_update_s: 1_795_323_458,
            next_update_s: Some(2_110_683_458),
        };
        assert_eq!(Ocsp::parse(GOOD), Some(good));
        let status = |der| Ocsp::parse(der).map(|ocsp| ocsp.status);
        let revoked = OcspStatus::Revoked {
            at_s: 1_735_787_045,
            reason: 1,
        };
        assert_eq!(status(REVOKED), Some(revoked));
        assert_eq!(status(UNKNOWN), Some(OcspStatus::Unknown));
    }

    #[test]
    fn what_is_no_statement() {
        // A responder that refuses to answer.
        assert_eq!(Ocsp::parse(&[0x30, 3, 0x0a, 1, 6]), None);
        assert_eq!(Ocsp::parse(b""), None);
        for end in 0..120 {
            assert_eq!(Ocsp::parse(&GOOD[..end]), None, "{end}");
        }
    }

    #[test]
    fn dates() {
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(days(2000, 2, 29), 11_016);
        assert_eq!(days(2000, 3, 1), 11_017);
        assert_eq!(days(1969, 12, 31), -1);
    }

    proptest! {
        #[test]
        fn no_bytes_break_anything(at in 0..REVOKED.len(), byte in any::<u8>(), rest in prop::collection::vec(any::<u8>(), 0..50)) {
            let mut der = REVOKED.to_vec();
            der[at] = byte;
            Ocsp::parse(&der);
            Ocsp::parse(&rest);
        }
    }
}
