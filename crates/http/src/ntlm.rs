//! NTLM over HTTP: the three messages of MS-NLMP, with version 2 of the responses.
//!
//! Owns bytes only; who sends which when is `send`'s. Leaves out signing and sealing, which HTTP does not use, and
//! version 1. Random numbers and time are arguments. Invariant: passwords appear in no message and no error.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md4::Md4;
use md5::{Digest as _, Md5};

use crate::exchange::Exchange;
use crate::url::UserInfo;

/// What every message begins with.
const SIGNATURE: &[u8; 8] = b"NTLMSSP\0";
/// Texts are UTF-16.
const UNICODE: u32 = 0x0000_0001;
/// The server is to say who it is.
const TARGET: u32 = 0x0000_0004;
/// NTLM itself.
const NTLM: u32 = 0x0000_0200;
/// Messages could be signed; servers expect it to be offered.
const ALWAYS_SIGN: u32 = 0x0000_8000;
/// The security of version 2.
const EXTENDED_SECURITY: u32 = 0x0008_0000;
/// The server tells about itself, which version 2 needs.
const TARGET_INFO: u32 = 0x0080_0000;
/// Keys of 128 and 56 bits.
const KEYS: u32 = 0xa000_0000;
/// What is offered.
const OFFERED: u32 = UNICODE | TARGET | NTLM | ALWAYS_SIGN | EXTENDED_SECURITY | TARGET_INFO | KEYS;
/// Length of the last message's head, before its parts.
const HEAD_BYTES: usize = 64;
/// The pair of a target's information that is its time.
const AV_TIMESTAMP: u16 = 7;
/// From 1601, where Windows counts from, to 1970, in units of 100 ns.
const EPOCH_1601: u64 = 116_444_736_000_000_000;

/// The scheme that a response asks for: `NTLM`, else `Negotiate`, which some servers take NTLM under.
pub(crate) fn scheme(exchange: &Exchange) -> Option<&'static str> {
    let offers = |scheme: &str| {
        exchange.headers().any(|(name, value)| {
            let first = value.split(|byte| *byte == b' ').next().unwrap_or_default();
            name.eq_ignore_ascii_case("www-authenticate")
                && first.eq_ignore_ascii_case(scheme.as_bytes())
        })
    };
    ["NTLM", "Negotiate"].into_iter().find(|name| offers(name))
}

/// The value of `Authorization` that asks for a challenge.
pub(crate) fn question(scheme: &str) -> String {
    let mut message = SIGNATURE.to_vec();
    message.extend(1u32.to_le_bytes());
    message.extend(OFFERED.to_le_bytes());
    // No domain and no workstation.
    message.extend([0; 16]);
    format!("{scheme} {}", STANDARD.encode(message))
}

/// A server's challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Challenge {
    flags: u32,
    nonce: [u8; 8],
    /// Pairs that describe the server, sent back as they came.
    target_info: Vec<u8>,
}

impl Challenge {
    /// The challenge in a response.
    pub(crate) fn of(exchange: &Exchange, scheme: &str) -> Option<Self> {
        exchange
            .headers()
            .filter(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"))
            .find_map(|(_, value)| {
                let (first, rest) = std::str::from_utf8(&value).ok()?.split_once(' ')?;
                let ours = first.eq_ignore_ascii_case(scheme);
                let message = STANDARD.decode(rest.trim()).ok().filter(|_| ours)?;
                Self::parse(&message)
            })
    }

    /// Reads a challenge; none when it is none or asks for what is not spoken here.
    fn parse(message: &[u8]) -> Option<Self> {
        if message.get(..8)? != SIGNATURE || number(message, 8)? != 2 {
            return None;
        }
        let flags = number(message, 20)?;
        let nonce = message.get(24..32)?.try_into().ok()?;
        let target_info = match flags & TARGET_INFO {
            0 => Vec::new(),
            _ => {
                let length = usize::from(short(message, 40)?);
                let start = usize::try_from(number(message, 44)?).ok()?;
                message.get(start..start.checked_add(length)?)?.to_vec()
            }
        };
        (flags & UNICODE != 0).then_some(Self {
            flags,
            nonce,
            target_info,
        })
    }

    /// The value of `Authorization` that answers it.
    pub(crate) fn answer(
        &self,
        scheme: &str,
        user: &UserInfo,
        own_nonce: [u8; 8],
        unix_ns: u64,
    ) -> String {
        let message = self.authenticate(user, own_nonce, unix_ns);
        format!("{scheme} {}", STANDARD.encode(message))
    }

    fn authenticate(&self, user: &UserInfo, own_nonce: [u8; 8], unix_ns: u64) -> Vec<u8> {
        let (domain, name) = user
            .name
            .split_once('\\')
            .unwrap_or(("", user.name.as_str()));
        let key = key(domain, name, user.password.as_deref().unwrap_or_default());
        let stated = self.timestamp();
        let time = stated.unwrap_or(unix_ns / 100 + EPOCH_1601);
        // A server that tells its time wants no answer of the older kind.
        let lan_manager = match stated {
            Some(_) => Vec::new(),
            None => {
                let proof = hmac(&key, &[&self.nonce, &own_nonce]);
                [&proof[..], &own_nonce].concat()
            }
        };
        let response = self.response(&key, own_nonce, time);
        let mut message = SIGNATURE.to_vec();
        message.extend(3u32.to_le_bytes());
        let parts = [lan_manager, response, utf16(domain), utf16(name)];
        let mut at = HEAD_BYTES;
        for part in &parts {
            message.extend(place(part.len(), at));
            at += part.len();
        }
        // No workstation and no session key.
        message.extend(place(0, at));
        message.extend(place(0, at));
        message.extend((self.flags & OFFERED).to_le_bytes());
        message.extend(parts.concat());
        message
    }

    /// The proof that the password is known, and what it covers.
    fn response(&self, key: &[u8; 16], own_nonce: [u8; 8], time: u64) -> Vec<u8> {
        let mut covered = vec![1, 1, 0, 0, 0, 0, 0, 0];
        covered.extend(time.to_le_bytes());
        covered.extend(own_nonce);
        covered.extend([0; 4]);
        covered.extend(&self.target_info);
        covered.extend([0; 4]);
        let proof = hmac(key, &[&self.nonce, &covered]);
        [&proof[..], &covered].concat()
    }

    /// The server's time, when it tells it.
    fn timestamp(&self) -> Option<u64> {
        let mut rest = self.target_info.as_slice();
        loop {
            let (id, length) = (short(rest, 0)?, usize::from(short(rest, 2)?));
            let value = rest.get(4..4 + length)?;
            match id {
                0 => return None,
                AV_TIMESTAMP => return Some(u64::from_le_bytes(value.try_into().ok()?)),
                _ => rest = &rest[4 + length..],
            }
        }
    }
}

/// Where a part of the last message is: its length twice, and where it begins.
fn place(length: usize, at: usize) -> [u8; 8] {
    // Names and challenges come from heads of at most some kilobytes; longer ones would be refused anyway.
    let short = u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let at = u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes();
    [
        short[0], short[1], short[0], short[1], at[0], at[1], at[2], at[3],
    ]
}

/// NTOWFv2 of MS-NLMP, 3.3.2.
fn key(domain: &str, name: &str, password: &str) -> [u8; 16] {
    let secret = Md4::digest(utf16(password));
    hmac(&secret, &[&utf16(&name.to_uppercase()), &utf16(domain)])
}

/// HMAC-MD5 (RFC 2104) of pieces that follow each other. Keys here are never longer than a block.
fn hmac(key: &[u8], pieces: &[&[u8]]) -> [u8; 16] {
    let padded = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(b, k)| *b ^= k);
        block
    };
    let mut inner = Md5::new_with_prefix(padded(0x36));
    pieces.iter().for_each(|piece| inner.update(piece));
    let mut outer = Md5::new_with_prefix(padded(0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u8> = text
            .bytes()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        digits
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    /// The challenge of MS-NLMP, 4.2.4.3, without its version.
    fn challenge() -> Vec<u8> {
        hex("4e544c4d53535000 02000000 0c000c00 38000000 33828ae2 0123456789abcdef 0000000000000000 24002400
             44000000 0600701700 00000f 530065007200760065007200 02000c0044006f006d00610069006e00
             01000c00530065007200760065007200 00000000")
    }

    fn user() -> UserInfo {
        UserInfo {
            name: "Domain\\User".into(),
            password: Some("Password".into()),
        }
    }

    /// The vectors of MS-NLMP, 4.2.4.1 and 4.2.4.2: user `User`, domain `Domain`, password `Password`, time 0.
    #[test]
    fn responses_of_the_specification() {
        let key = key("Domain", "User", "Password");
        assert_eq!(key.to_vec(), hex("0c868a403bfd7a93a3001ef22ef02e3f"));
        let own_nonce = [0xaa; 8];
        let challenge = Challenge::parse(&challenge()).unwrap();
        let proof = hmac(&key, &[&challenge.nonce, &own_nonce]);
        assert_eq!(proof.to_vec(), hex("86c35097ac9cec102554764a57cccc19"));
        let response = challenge.response(&key, own_nonce, 0);
        assert_eq!(response[..16], hex("68cd0ab851e51c96aabc927bebef6a1c"));
        let covered = "0101000000000000 0000000000000000 aaaaaaaaaaaaaaaa 00000000
             02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000 00000000";
        assert_eq!(response[16..], hex(covered));
    }

    #[test]
    fn the_last_message_names_its_parts() {
        let message = Challenge::parse(&challenge())
            .unwrap()
            .authenticate(&user(), [0xaa; 8], 0);
        let part = |at: usize| {
            let length = usize::from(short(&message, at).unwrap());
            let start = number(&message, at + 4).unwrap() as usize;
            message[start..start + length].to_vec()
        };
        assert_eq!(message[..12], hex("4e544c4d53535000 03000000"));
        let lan_manager = hex("86c35097ac9cec102554764a57cccc19 aaaaaaaaaaaaaaaa");
        assert_eq!(part(12), lan_manager);
        assert_eq!(part(28), utf16("Domain"));
        assert_eq!(part(36), utf16("User"));
        assert_eq!((part(44), part(52)), (Vec::new(), Vec::new()));
        // No exchange of keys is answered.
        assert_eq!(number(&message, 60).unwrap() & 0x4000_0000, 0);
    }

    #[test]
    fn the_servers_time_is_taken() {
        let mut challenge = Challenge::parse(&challenge()).unwrap();
        assert_eq!(challenge.timestamp(), None);
        challenge.target_info = hex("02000200 4100 07000800 0102030405060708 00000000");
        assert_eq!(challenge.timestamp(), Some(0x0807_0605_0403_0201));
        let message = challenge.authenticate(&user(), [1; 8], 0);
        assert_eq!(short(&message, 12), Some(0));
    }

    #[test]
    fn the_question_is_the_one_servers_know() {
        let text = question("NTLM");
        let message = STANDARD
            .decode(text.strip_prefix("NTLM ").unwrap())
            .unwrap();
        assert_eq!(message[..16], hex("4e544c4d53535000 01000000 058288a0"));
        assert_eq!(message.len(), 32);
    }

    proptest! {
        #[test]
        fn no_challenge_breaks_anything(mut message in prop::collection::vec(any::<u8>(), 0..120), patch in any::<bool>()) {
            if patch && message.len() > 32 {
                message[..8].copy_from_slice(SIGNATURE);
                message[8..12].copy_from_slice(&2u32.to_le_bytes());
            }
            if let Some(challenge) = Challenge::parse(&message) {
                challenge.authenticate(&user(), [0; 8], 0);
            }
        }
    }
}
