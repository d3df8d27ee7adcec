//! SCRAM: showing a broker that we know a password without telling it, and that it knows us.
//!
//! RFC 5802 and 7677 without channel binding. The nonce is an argument, so that all of it can be tested. Invariant: a
//! server that does not prove that it knows the password is refused.

use std::num::NonZeroU32;

use aws_lc_rs::{constant_time, digest, hmac, pbkdf2};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// No channel binding, and no other name to act for.
const HEAD: &str = "n,,";
/// Rounds that a server may ask for: some hundred milliseconds of work.
const ROUNDS_LIMIT: u32 = 1_000_000;

/// The hash of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha256,
    Sha512,
}

impl Hash {
    fn stretching(self) -> pbkdf2::Algorithm {
        match self {
            Self::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
            Self::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
        }
    }

    fn keyed(self) -> hmac::Algorithm {
        match self {
            Self::Sha256 => hmac::HMAC_SHA256,
            Self::Sha512 => hmac::HMAC_SHA512,
        }
    }

    fn plain(self) -> &'static digest::Algorithm {
        match self {
            Self::Sha256 => &digest::SHA256,
            Self::Sha512 => &digest::SHA512,
        }
    }

    fn sign(self, key: &[u8], text: &str) -> hmac::Tag {
        hmac::sign(&hmac::Key::new(self.keyed(), key), text.as_bytes())
    }
}

/// A conversation after its first message.
pub(super) struct Scram {
    hash: Hash,
    nonce: String,
    first: String,
}

impl Scram {
    /// Begins as a user, with a nonce of printable characters without a comma.
    pub(super) fn new(hash: Hash, user: &str, nonce: &str) -> Self {
        let user = user.replace('=', "=3D").replace(',', "=2C");
        Self {
            hash,
            nonce: nonce.to_owned(),
            first: format!("n={user},r={nonce}"),
        }
    }

    /// The first message.
    pub(super) fn first(&self) -> String {
        format!("{HEAD}{}", self.first)
    }

    /// The last message, and what the server must answer to it.
    pub(super) fn last(&self, challenge: &str, password: &str) -> Result<(String, String), String> {
        let part = |name: &str| {
            challenge
                .split(',')
                .find_map(|part| part.strip_prefix(name))
        };
        let wrong = || "its challenge is not one of SCRAM".to_owned();
        let nonce = part("r=")
            .filter(|r| r.starts_with(&self.nonce))
            .ok_or_else(wrong)?;
        let salt = part("s=")
            .and_then(|s| STANDARD.decode(s).ok())
            .ok_or_else(wrong)?;
        let rounds: u32 = part("i=").and_then(|i| i.parse().ok()).ok_or_else(wrong)?;
        let rounds = NonZeroU32::new(rounds).filter(|r| r.get() <= ROUNDS_LIMIT);
        let rounds = rounds.ok_or_else(wrong)?;
        let mut salted = vec![0; self.hash.plain().output_len];
        let secret = password.as_bytes();
        pbkdf2::derive(self.hash.stretching(), rounds, &salt, secret, &mut salted);
        let bare = format!("c={},r={nonce}", STANDARD.encode(HEAD));
        let signed = format!("{},{challenge},{bare}", self.first);
        let client_key = self.hash.sign(&salted, "Client Key");
        let stored = digest::digest(self.hash.plain(), client_key.as_ref());
        let signature = self.hash.sign(stored.as_ref(), &signed);
        let pairs = client_key.as_ref().iter().zip(signature.as_ref());
        let proof: Vec<u8> = pairs.map(|(key, signature)| key ^ signature).collect();
        let server_key = self.hash.sign(&salted, "Server Key");
        let expected = self.hash.sign(server_key.as_ref(), &signed);
        Ok((
            format!("{bare},p={}", STANDARD.encode(proof)),
            format!("v={}", STANDARD.encode(expected)),
        ))
    }
}

/// Whether a server has said what only one that knows the password can say.
pub(super) fn is_proof(answer: &[u8], expected: &str) -> bool {
    constant_time::verify_slices_are_equal(answer, expected.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677.
    #[test]
    fn a_conversation_goes_as_the_standard_says() {
        let scram = Scram::new(Hash::Sha256, "user", "rOprNGfwEbeRWgbNEkqO");
        assert_eq!(scram.first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let challenge = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        let (last, expected) = scram.last(challenge, "pencil").unwrap();
        assert_eq!(
            last,
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
             p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        assert!(is_proof(
            b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
            &expected
        ));
        assert!(!is_proof(
            b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G5=",
            &expected
        ));
    }

    #[test]
    fn challenges_that_are_none_are_refused() {
        let scram = Scram::new(Hash::Sha512, "a,b=c", "abc");
        assert_eq!(scram.first(), "n,,n=a=2Cb=3Dc,r=abc");
        for challenge in [
            "",
            "r=other,s=W22Z,i=1",
            "r=abcd,s=W22Z",
            "r=abcd,s=W22Z,i=0",
            "r=abcd,s=W22Z,i=99999999",
            "r=abcd,s=?,i=1",
        ] {
            assert!(scram.last(challenge, "x").is_err(), "{challenge}");
        }
    }
}
