//! AES in its modes, with and without authentication.

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::cipher::{
    self, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext,
    PaddedBlockDecryptingKey, PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;

use super::fault::Fault;

/// Bytes of a whole GCM tag.
const TAG_BYTES: usize = 16;
/// Bits of the tags that can be cut to.
const TAG_BITS: &[usize] = &[96, 104, 112, 120, 128];
/// Those that the standard has besides, too short to be safe.
const SHORT_TAG_BITS: &[usize] = &[32, 64];

/// Encrypting or decrypting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Encrypt,
    Decrypt,
}

/// A mode with what it needs besides the key.
pub(super) enum Mode {
    Cbc { iv: Vec<u8> },
    Ctr { counter: Vec<u8> },
    Gcm(Gcm),
}

/// What GCM needs besides the key.
pub(super) struct Gcm {
    pub(super) iv: Vec<u8>,
    pub(super) additional: Vec<u8>,
    pub(super) tag_bits: usize,
}

fn key(bytes: &[u8]) -> Result<UnboundCipherKey, Fault> {
    let algorithm = match bytes.len() {
        16 => &cipher::AES_128,
        24 => &cipher::AES_192,
        _ => &cipher::AES_256,
    };
    Ok(UnboundCipherKey::new(algorithm, bytes)?)
}

fn block(bytes: &[u8], what: &str) -> Result<FixedLength<16>, Fault> {
    FixedLength::try_from(bytes)
        .map_err(|_| Fault::operation(format!("{what} must have 16 bytes, not {}", bytes.len())))
}

impl Mode {
    /// Encrypts or decrypts.
    pub(super) fn run(&self, secret: &[u8], data: &[u8], way: Direction) -> Result<Vec<u8>, Fault> {
        let mut data = data.to_vec();
        match self {
            Self::Cbc { iv } => {
                let iv = block(iv, "iv")?;
                if way == Direction::Encrypt {
                    let key = PaddedBlockEncryptingKey::cbc_pkcs7(key(secret)?)?;
                    key.less_safe_encrypt(&mut data, EncryptionContext::Iv128(iv))?;
                    return Ok(data);
                }
                let key = PaddedBlockDecryptingKey::cbc_pkcs7(key(secret)?)?;
                let plain = key
                    .decrypt(&mut data, DecryptionContext::Iv128(iv))
                    .map_err(|_| Fault::operation("the data cannot be decrypted with this key"))?;
                Ok(plain.to_vec())
            }
            Self::Ctr { counter } => {
                count(secret, block(counter, "counter")?, &mut data, way)?;
                Ok(data)
            }
            Self::Gcm(gcm) => gcm.run(secret, data, way),
        }
    }
}

fn count(
    secret: &[u8],
    counter: FixedLength<16>,
    data: &mut [u8],
    way: Direction,
) -> Result<(), Fault> {
    if way == Direction::Encrypt {
        let key = EncryptingKey::ctr(key(secret)?)?;
        key.less_safe_encrypt(data, EncryptionContext::Iv128(counter))?;
    } else {
        let key = DecryptingKey::ctr(key(secret)?)?;
        key.decrypt(data, DecryptionContext::Iv128(counter))?;
    }
    Ok(())
}

impl Gcm {
    fn run(&self, secret: &[u8], mut data: Vec<u8>, way: Direction) -> Result<Vec<u8>, Fault> {
        if SHORT_TAG_BITS.contains(&self.tag_bits) {
            return Err(Fault::unsupported("tagLength must be at least 96 bits"));
        }
        if !TAG_BITS.contains(&self.tag_bits) {
            return Err(Fault::operation(format!(
                "tagLength must be one of {TAG_BITS:?}, not {}",
                self.tag_bits
            )));
        }
        let nonce: [u8; 12] = self.iv.as_slice().try_into().map_err(|_| {
            let text = format!("iv must have 12 bytes, not {}", self.iv.len());
            Fault::unsupported(text)
        })?;
        let tag_bytes = self.tag_bits / 8;
        if way == Direction::Encrypt {
            self.seal(secret, nonce, &mut data)?;
            data.truncate(data.len() - TAG_BYTES + tag_bytes);
            return Ok(data);
        }
        let error = || Fault::operation("the data was changed or sealed with another key");
        let plain_bytes = data.len().checked_sub(tag_bytes).ok_or_else(error)?;
        let tag = data.split_off(plain_bytes);
        // GCM is CTR that begins with the nonce and the number 2; sealing again tells whether the tag is right, whatever
        // its length.
        let mut counter = [0; 16];
        counter[..12].copy_from_slice(&nonce);
        counter[15] = 2;
        count(secret, FixedLength::from(counter), &mut data, way)?;
        let mut again = data.clone();
        self.seal(secret, nonce, &mut again)?;
        aws_lc_rs::constant_time::verify_slices_are_equal(
            &again[plain_bytes..plain_bytes + tag_bytes],
            &tag,
        )
        .map_err(|_| error())?;
        Ok(data)
    }

    fn seal(&self, secret: &[u8], nonce: [u8; 12], data: &mut Vec<u8>) -> Result<(), Fault> {
        let algorithm = match secret.len() {
            16 => &aead::AES_128_GCM,
            24 => &aead::AES_192_GCM,
            _ => &aead::AES_256_GCM,
        };
        let key = LessSafeKey::new(UnboundKey::new(algorithm, secret)?);
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, Aad::from(self.additional.as_slice()), data)?;
        Ok(())
    }
}
