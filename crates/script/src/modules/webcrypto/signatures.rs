//! Signatures of RSA and elliptic curves, sealing with RSA, and agreeing on secrets.

use std::sync::{Mutex, PoisonError};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{
    OAEP_SHA1_MGF1SHA1, OAEP_SHA256_MGF1SHA256, OAEP_SHA384_MGF1SHA384, OAEP_SHA512_MGF1SHA512,
    OaepAlgorithm, OaepPrivateDecryptingKey, OaepPublicEncryptingKey, PrivateDecryptingKey,
    PublicEncryptingKey, RsaParameters, RsaPssSaltLength,
};
use aws_lc_rs::signature::{
    self, EcdsaKeyPair, EcdsaSigningAlgorithm, EcdsaVerificationAlgorithm, RsaKeyPair,
    RsaSignatureEncoding, UnparsedPublicKey,
};
use aws_lc_rs::{agreement, digest};

use super::fault::Fault;
use super::key::{Curve, Hash, Material};
use super::rsa;

/// Salt lengths that PSS remembers its parameters for; a script needs one or two.
const SALTS_LIMIT: usize = 64;

/// How RSA pads what it signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Padding {
    Pkcs1,
    /// With this many bytes of salt.
    Pss(usize),
}

fn no_such(what: &str, hash: Hash) -> Fault {
    Fault::unsupported(format!("{what} with {} is not supported", hash.name()))
}

/// Parameters of PSS; the library wants them to live for ever, so they are made once for each length of salt.
fn pss(
    hash: Hash,
    salt: usize,
) -> Result<(&'static RsaSignatureEncoding, &'static RsaParameters), Fault> {
    type Known = (
        Hash,
        usize,
        &'static RsaSignatureEncoding,
        &'static RsaParameters,
    );
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let (encoding, parameters) = match hash {
        Hash::Sha1 => return Err(no_such("RSA-PSS", hash)),
        Hash::Sha256 => (
            signature::RSA_PSS_SHA256,
            signature::RSA_PSS_2048_8192_SHA256,
        ),
        Hash::Sha384 => (
            signature::RSA_PSS_SHA384,
            signature::RSA_PSS_2048_8192_SHA384,
        ),
        Hash::Sha512 => (
            signature::RSA_PSS_SHA512,
            signature::RSA_PSS_2048_8192_SHA512,
        ),
    };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|k| k.0 == hash && k.1 == salt) {
        return Ok((found.2, found.3));
    }
    if known.len() >= SALTS_LIMIT {
        return Err(Fault::operation("too many different values of saltLength"));
    }
    let bytes = u16::try_from(salt).map_err(|_| Fault::operation("saltLength is too large"))?;
    let length = RsaPssSaltLength::Custom(bytes);
    let encoding = Box::leak(Box::new(encoding.with_pss_salt_length(length)));
    let parameters = Box::leak(Box::new(parameters.with_pss_salt_length(length)));
    known.push((hash, salt, encoding, parameters));
    Ok((encoding, parameters))
}

/// Whether the library refuses an RSA key for its size.
fn is_small(key: &Material) -> bool {
    matches!(key, Material::RsaPublic(_) | Material::RsaPrivate(_)) && key.modulus_bits() < 2048
}

/// Whether the library does it: SHA-1 it only verifies.
fn is_usual(key: &Material, hash: Hash) -> bool {
    hash != Hash::Sha1 && !is_small(key)
}

/// Signs with a private RSA key.
pub(super) fn sign_rsa(
    key: &Material,
    padding: Padding,
    hash: Hash,
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    if !is_usual(key, hash) {
        return rsa::sign(key, padding, hash, data);
    }
    let der = key
        .pkcs1()
        .ok_or_else(|| Fault::access("this is no RSA key"))?;
    let pair = RsaKeyPair::from_der(&der)?;
    let encoding: &'static RsaSignatureEncoding = match (padding, hash) {
        (Padding::Pss(salt), hash) => pss(hash, salt)?.0,
        (Padding::Pkcs1, Hash::Sha256) => &signature::RSA_PKCS1_SHA256,
        (Padding::Pkcs1, Hash::Sha384) => &signature::RSA_PKCS1_SHA384,
        (Padding::Pkcs1, Hash::Sha512) => &signature::RSA_PKCS1_SHA512,
        (Padding::Pkcs1, Hash::Sha1) => return rsa::sign(key, padding, hash, data),
    };
    let mut signature = vec![0; pair.public_modulus_len()];
    pair.sign(encoding, &SystemRandom::new(), data, &mut signature)?;
    Ok(signature)
}

/// Whether a signature fits a public RSA key.
pub(super) fn verify_rsa(
    key: &Material,
    padding: Padding,
    hash: Hash,
    signature: &[u8],
    data: &[u8],
) -> Result<bool, Fault> {
    if !is_usual(key, hash) {
        return rsa::verify(key, padding, hash, signature, data);
    }
    let der = key
        .pkcs1()
        .ok_or_else(|| Fault::access("this is no RSA key"))?;
    let parameters: &'static RsaParameters = match (padding, hash) {
        (Padding::Pss(salt), hash) => pss(hash, salt)?.1,
        (Padding::Pkcs1, Hash::Sha1) => return rsa::verify(key, padding, hash, signature, data),
        (Padding::Pkcs1, Hash::Sha256) => &signature::RSA_PKCS1_2048_8192_SHA256,
        (Padding::Pkcs1, Hash::Sha384) => &signature::RSA_PKCS1_2048_8192_SHA384,
        (Padding::Pkcs1, Hash::Sha512) => &signature::RSA_PKCS1_2048_8192_SHA512,
    };
    let key = UnparsedPublicKey::new(parameters, der);
    Ok(key.verify(data, signature).is_ok())
}

/// How a curve signs: the library knows each only with the hash of its own size, and takes digests that were made
/// elsewhere.
struct Scheme {
    signing: &'static EcdsaSigningAlgorithm,
    verifying: &'static EcdsaVerificationAlgorithm,
    digest: &'static digest::Algorithm,
}

impl Scheme {
    fn of(curve: Curve) -> Self {
        let (signing, verifying, digest) = match curve {
            Curve::P256 => (
                &signature::ECDSA_P256_SHA256_FIXED_SIGNING,
                &signature::ECDSA_P256_SHA256_FIXED,
                &digest::SHA256,
            ),
            Curve::P384 => (
                &signature::ECDSA_P384_SHA384_FIXED_SIGNING,
                &signature::ECDSA_P384_SHA384_FIXED,
                &digest::SHA384,
            ),
            Curve::P521 => (
                &signature::ECDSA_P521_SHA512_FIXED_SIGNING,
                &signature::ECDSA_P521_SHA512_FIXED,
                &digest::SHA512,
            ),
        };
        Self {
            signing,
            verifying,
            digest,
        }
    }

    /// The digest of any hash as one of the curve's own size. What is signed is a number: of a longer digest the leading
    /// bits (FIPS 186-5, 6.4.1), and zeros before a shorter one do not change it.
    fn digest(&self, hash: Hash, data: &[u8]) -> Result<digest::Digest, Fault> {
        let made = digest::digest(algorithm(hash), data);
        let made = made.as_ref();
        let wanted = self.digest.output_len();
        let mut fitted = vec![0; wanted.saturating_sub(made.len())];
        fitted.extend(&made[..made.len().min(wanted)]);
        Ok(digest::Digest::import_less_safe(&fitted, self.digest)?)
    }
}

/// The hash in the library.
pub(super) fn algorithm(hash: Hash) -> &'static digest::Algorithm {
    match hash {
        Hash::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        Hash::Sha256 => &digest::SHA256,
        Hash::Sha384 => &digest::SHA384,
        Hash::Sha512 => &digest::SHA512,
    }
}

/// Signs with a private key of a curve: both numbers, one after the other.
pub(super) fn sign_ec(
    curve: Curve,
    pkcs8: &[u8],
    hash: Hash,
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    let scheme = Scheme::of(curve);
    let pair = EcdsaKeyPair::from_pkcs8(scheme.signing, pkcs8)?;
    let signature = pair.sign_digest(&scheme.digest(hash, data)?)?;
    Ok(signature.as_ref().to_vec())
}

/// Whether a signature fits a point of a curve.
pub(super) fn verify_ec(
    curve: Curve,
    point: &[u8],
    hash: Hash,
    signature: &[u8],
    data: &[u8],
) -> Result<bool, Fault> {
    let scheme = Scheme::of(curve);
    let digest = scheme.digest(hash, data)?;
    let key = UnparsedPublicKey::new(scheme.verifying, point);
    Ok(key.verify_digest(&digest, signature).is_ok())
}

fn oaep(hash: Hash) -> &'static OaepAlgorithm {
    match hash {
        Hash::Sha1 => &OAEP_SHA1_MGF1SHA1,
        Hash::Sha256 => &OAEP_SHA256_MGF1SHA256,
        Hash::Sha384 => &OAEP_SHA384_MGF1SHA384,
        Hash::Sha512 => &OAEP_SHA512_MGF1SHA512,
    }
}

/// Seals for the owner of an RSA key.
pub(super) fn seal(
    key: &Material,
    hash: Hash,
    label: &[u8],
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    if is_small(key) {
        return rsa::seal(key, hash, label, data);
    }
    let der = key
        .spki()
        .ok_or_else(|| Fault::access("this is no public RSA key"))?;
    let key = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&der)?)?;
    let algorithm = oaep(hash);
    let room = key.max_plaintext_size(algorithm);
    if data.len() > room {
        let text = format!(
            "this key can encrypt at most {room} bytes at once, not {}",
            data.len()
        );
        return Err(Fault::operation(text));
    }
    let mut sealed = vec![0; key.ciphertext_size()];
    let sealed = key.encrypt(algorithm, data, &mut sealed, Some(label))?;
    Ok(sealed.to_vec())
}

/// Opens what was sealed.
pub(super) fn open(
    key: &Material,
    hash: Hash,
    label: &[u8],
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    if is_small(key) {
        return rsa::open(key, hash, label, data);
    }
    let der = key
        .pkcs8()
        .ok_or_else(|| Fault::access("this is no private RSA key"))?;
    let key = OaepPrivateDecryptingKey::new(PrivateDecryptingKey::from_pkcs8(&der)?)?;
    let mut plain = vec![0; key.min_output_size()];
    let plain = key
        .decrypt(oaep(hash), data, &mut plain, Some(label))
        .map_err(|_| Fault::operation("the data cannot be decrypted with this key and label"))?;
    Ok(plain.to_vec())
}

/// The secret that two keys of a curve have in common.
pub(super) fn agree(curve: Curve, number: &[u8], point: &[u8]) -> Result<Vec<u8>, Fault> {
    let private = agreement::PrivateKey::from_private_key(curve.agreement(), number)?;
    let public = agreement::UnparsedPublicKey::new(curve.agreement(), point);
    let error = Fault::operation("the keys do not fit each other");
    agreement::agree(&private, public, error, |secret| Ok(secret.to_vec()))
}
