//! A path that wants NTLM (MS-NLMP, version 2 of the responses).
//!
//! The challenge and the server's time are fixed, not random: nothing is protected here. Whether both messages came over
//! one connection is not checked.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md4::Md4;
use md5::{Digest, Md5};
use serde_json::json;

use super::Call;
use crate::codec;
use crate::reply::Reply;

const SIGNATURE: &[u8; 8] = b"NTLMSSP\0";
const NONCE: [u8; 8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef];
/// Unicode, NTLM, always sign, extended security, information about the target, keys of 128 bits.
const FLAGS: u32 = 0x208a_8205;
/// The server's time, in units of 100 ns since 1601.
const TIME: u64 = 133_000_000_000_000_000;
const NAME: &str = "NETLOAD";
/// Length of the challenge before its parts.
const HEAD_BYTES: usize = 48;

pub(super) fn ntlm(call: &Call<'_>) -> Reply {
    let message = call
        .request
        .field("authorization")
        .and_then(|value| value.strip_prefix("NTLM "))
        .and_then(|text| STANDARD.decode(text).ok())
        .filter(|message| message.starts_with(SIGNATURE));
    let Some(message) = message else {
        return refused("NTLM".to_owned());
    };
    match message.get(8) {
        Some(1) => refused(format!("NTLM {}", STANDARD.encode(challenge()))),
        Some(3) => {
            let user = codec::segment(call.argument(0));
            let password = codec::segment(call.argument(1));
            match proven(&message, &user, &password) {
                Some(true) => Reply::json(&json!({ "authenticated": true, "user": user })),
                _ => refused("NTLM".to_owned()),
            }
        }
        _ => Reply::empty(400),
    }
}

fn refused(challenge: String) -> Reply {
    Reply::empty(401).with("WWW-Authenticate", challenge)
}

fn challenge() -> Vec<u8> {
    let name = utf16(NAME);
    let mut info = Vec::new();
    // The domain, the server, the time, the end.
    let time = TIME.to_le_bytes();
    for (id, value) in [(2u16, &name[..]), (1, &name), (7, &time), (0, &[])] {
        info.extend(id.to_le_bytes());
        info.extend((value.len() as u16).to_le_bytes());
        info.extend(value);
    }
    let mut message = SIGNATURE.to_vec();
    message.extend(2u32.to_le_bytes());
    message.extend(place(name.len(), HEAD_BYTES));
    message.extend(FLAGS.to_le_bytes());
    message.extend(NONCE);
    message.extend([0; 8]);
    message.extend(place(info.len(), HEAD_BYTES + name.len()));
    message.extend(name);
    message.extend(info);
    message
}

/// Where a part of the message is. All parts here are short.
fn place(length: usize, at: usize) -> Vec<u8> {
    let length = (length as u16).to_le_bytes();
    [&length[..], &length, &(at as u32).to_le_bytes()].concat()
}

/// Whether the last message proves that its sender knows the password; none when it is broken.
fn proven(message: &[u8], user: &str, password: &str) -> Option<bool> {
    let response = part(message, 20)?;
    let (domain, name) = (part(message, 28)?, part(message, 36)?);
    let (proof, covered) = response.split_at_checked(16)?;
    let upper = utf16(&user.to_uppercase());
    let key = hmac(&Md4::digest(utf16(password)), &[&upper, domain].concat());
    let expected = hmac(&key, &[&NONCE, covered].concat());
    Some(name == utf16(user) && proof == expected)
}

fn part(message: &[u8], at: usize) -> Option<&[u8]> {
    let field = message.get(at..at + 8)?;
    let length = usize::from(u16::from_le_bytes([field[0], field[1]]));
    let start = u32::from_le_bytes([field[4], field[5], field[6], field[7]]) as usize;
    message.get(start..start.checked_add(length)?)
}

/// HMAC-MD5, with keys of 16 bytes.
fn hmac(key: &[u8], text: &[u8]) -> [u8; 16] {
    let padded = |with: u8| {
        let key = key.iter().chain(std::iter::repeat(&0)).take(64);
        key.map(|byte| byte ^ with).collect::<Vec<u8>>()
    };
    let inner = Md5::digest([&padded(0x36)[..], text].concat());
    Md5::digest([&padded(0x5c)[..], &inner].concat()).into()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
