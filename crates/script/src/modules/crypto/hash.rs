//! Hashes and keyed hashes by name, and the texts they are written as.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use md4::Md4;
use md5::Md5;
use md5::digest::DynDigest;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

/// What HMAC pads the key with, inside and outside (RFC 2104).
const INNER_PAD: u8 = 0x36;
const OUTER_PAD: u8 = 0x5c;

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Md4,
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
    Sha512With224,
    Sha512With256,
    Ripemd160,
}

impl Algorithm {
    /// The function that scripts call by this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "md4" => Self::Md4,
            "md5" => Self::Md5,
            "sha1" => Self::Sha1,
            "sha256" => Self::Sha256,
            "sha384" => Self::Sha384,
            "sha512" => Self::Sha512,
            "sha512_224" => Self::Sha512With224,
            "sha512_256" => Self::Sha512With256,
            "ripemd160" => Self::Ripemd160,
            _ => return None,
        })
    }

    fn state(self) -> Box<dyn DynDigest> {
        match self {
            Self::Md4 => Box::new(Md4::default()),
            Self::Md5 => Box::new(Md5::default()),
            Self::Sha1 => Box::new(Sha1::default()),
            Self::Sha256 => Box::new(Sha256::default()),
            Self::Sha384 => Box::new(Sha384::default()),
            Self::Sha512 => Box::new(Sha512::default()),
            Self::Sha512With224 => Box::new(Sha512_224::default()),
            Self::Sha512With256 => Box::new(Sha512_256::default()),
            Self::Ripemd160 => Box::new(Ripemd160::default()),
        }
    }

    /// Bytes that the function takes in at once.
    fn block_bytes(self) -> usize {
        match self {
            Self::Sha384 | Self::Sha512 | Self::Sha512With224 | Self::Sha512With256 => 128,
            _ => 64,
        }
    }

    /// The hash of `data`.
    pub(crate) fn digest(self, data: &[u8]) -> Box<[u8]> {
        let mut state = self.state();
        state.update(data);
        state.finalize()
    }
}

/// A hash in the making, with a key or without.
pub(crate) struct Hasher {
    inner: Box<dyn DynDigest>,
    /// What hashes the inner hash, of keyed ones.
    outer: Option<Box<dyn DynDigest>>,
}

impl Hasher {
    /// A hash of nothing yet.
    pub(crate) fn plain(algorithm: Algorithm) -> Self {
        Self {
            inner: algorithm.state(),
            outer: None,
        }
    }

    /// A keyed hash (HMAC, RFC 2104) of nothing yet.
    pub(crate) fn keyed(algorithm: Algorithm, key: &[u8]) -> Self {
        let mut padded = if key.len() > algorithm.block_bytes() {
            algorithm.digest(key).into_vec()
        } else {
            key.to_vec()
        };
        padded.resize(algorithm.block_bytes(), 0);
        let started = |pad: u8| {
            let mut state = algorithm.state();
            let block: Vec<u8> = padded.iter().map(|byte| byte ^ pad).collect();
            state.update(&block);
            state
        };
        Self {
            inner: started(INNER_PAD),
            outer: Some(started(OUTER_PAD)),
        }
    }

    /// Takes more data in.
    pub(crate) fn update(&mut self, data: &[u8]) {
        self.inner.update(data);
    }

    /// The hash of everything so far; more can follow.
    pub(crate) fn digest(&self) -> Box<[u8]> {
        let inner = self.inner.box_clone().finalize();
        let Some(outer) = &self.outer else {
            return inner;
        };
        let mut outer = outer.box_clone();
        outer.update(&inner);
        outer.finalize()
    }
}

/// How the result is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Hex,
    Base64,
    Base64Url,
    Base64RawUrl,
    /// As an ArrayBuffer.
    Binary,
}

impl Encoding {
    /// The encoding of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "hex" => Self::Hex,
            "base64" => Self::Base64,
            "base64url" => Self::Base64Url,
            "base64rawurl" => Self::Base64RawUrl,
            "binary" => Self::Binary,
            _ => return None,
        })
    }

    /// The bytes as text; none when they stay bytes.
    pub(crate) fn text(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Hex => Some(hex(bytes)),
            Self::Base64 => Some(STANDARD.encode(bytes)),
            Self::Base64Url => Some(URL_SAFE.encode(bytes)),
            Self::Base64RawUrl => Some(URL_SAFE_NO_PAD.encode(bytes)),
            Self::Binary => None,
        }
    }
}

/// Two lower-case digits per byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_their_standards() {
        for (name, expected) in [
            ("md4", "a448017aaf21d8525fc10ae87aa6729d"),
            ("md5", "900150983cd24fb0d6963f7d28e17f72"),
            ("sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "sha256",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "sha512_224",
                "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa",
            ),
            ("ripemd160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        ] {
            let algorithm = Algorithm::named(name).unwrap();
            assert_eq!(hex(&algorithm.digest(b"abc")), expected, "{name}");
        }
    }

    #[test]
    fn a_keyed_hash_is_that_of_rfc_4231_however_it_is_fed() {
        let key = [0xaa; 131];
        let mut hasher = Hasher::keyed(Algorithm::Sha256, &key);
        hasher.update(b"Test Using Larger Than Block-Size Key");
        let early = hasher.digest();
        hasher.update(b" - Hash Key First");
        assert_eq!(
            hex(&hasher.digest()),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
        assert_ne!(early, hasher.digest());
    }
}
