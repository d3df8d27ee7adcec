//! The operations of `crypto.subtle`.

use std::num::NonZeroU32;

use aws_lc_rs::key_wrap::{self, AesKek, KeyWrap};
use aws_lc_rs::pbkdf2;
use serde_json::Value as Json;

use super::Outcome;
use super::arguments::{self, Algorithm};
use super::ciphers::{Direction, Gcm, Mode};
use super::fault::{Fault, Trouble};
use super::jwk;
use super::key::{Hash, Material};
use super::object::{Key, Spec, Usage};
use super::rsa;
use super::signatures::{self, Padding};
use crate::modules::crypto::hash::{Algorithm as Digest, Hasher};
use crate::native::Call;

type Done = Result<Outcome, Trouble>;

/// Bits of AES keys.
const AES_BITS: &[usize] = &[128, 192, 256];
/// Bytes that deriveBits and HMAC keys have at most.
const SECRET_BYTES_LIMIT: usize = 1 << 20;
/// The exponent of new RSA keys, 65537.
const EXPONENT: &[u8] = &[1, 0, 1];

/// Runs what takes long or needs a deep stack on the worker's own.
fn heavy<T>(call: &Call<'_, '_>, work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Trouble> {
    Ok(call.vu().wait_in(call.ctx(), async { work() })??)
}

fn digest_of(hash: Hash) -> Digest {
    match hash {
        Hash::Sha1 => Digest::Sha1,
        Hash::Sha256 => Digest::Sha256,
        Hash::Sha384 => Digest::Sha384,
        Hash::Sha512 => Digest::Sha512,
    }
}

pub(super) fn digest(call: &Call<'_, '_>) -> Done {
    let hash = arguments::hash_of(&call.arg(0))?;
    let data = arguments::data(call, 1)?;
    Ok(Outcome::Bytes(digest_of(hash).digest(&data).into_vec()))
}

pub(super) fn encrypt(call: &Call<'_, '_>) -> Done {
    let (algorithm, key) = (Algorithm::given(call, 0)?, arguments::key(call, 1)?);
    key.check(algorithm.name, Usage::Encrypt)?;
    let data = arguments::data(call, 2)?;
    Ok(Outcome::Bytes(cipher(
        call,
        &algorithm,
        &key,
        &data,
        Direction::Encrypt,
    )?))
}

pub(super) fn decrypt(call: &Call<'_, '_>) -> Done {
    let (algorithm, key) = (Algorithm::given(call, 0)?, arguments::key(call, 1)?);
    key.check(algorithm.name, Usage::Decrypt)?;
    let data = arguments::data(call, 2)?;
    Ok(Outcome::Bytes(cipher(
        call,
        &algorithm,
        &key,
        &data,
        Direction::Decrypt,
    )?))
}

fn cipher(
    call: &Call<'_, '_>,
    algorithm: &Algorithm<'_>,
    key: &Key,
    data: &[u8],
    way: Direction,
) -> Result<Vec<u8>, Trouble> {
    let mode = match algorithm.name {
        "AES-CBC" => Mode::Cbc {
            iv: algorithm.bytes("iv")?,
        },
        "AES-CTR" => {
            let bits = algorithm.number("length")?;
            if !(1..=128).contains(&bits) {
                let text = format!("length must be 1 to 128 bits, not {bits}");
                return Err(Fault::operation(text).into());
            }
            Mode::Ctr {
                counter: algorithm.bytes("counter")?,
            }
        }
        "AES-GCM" => Mode::Gcm(Gcm {
            iv: algorithm.bytes("iv")?,
            additional: algorithm.optional_bytes("additionalData")?,
            tag_bits: algorithm.optional_number("tagLength")?.unwrap_or(128),
        }),
        "RSA-OAEP" => {
            let label = algorithm.optional_bytes("label")?;
            let Spec::Rsa(_, hash) = key.spec else {
                return Err(Fault::access("this is no RSA key").into());
            };
            return heavy(call, || match way {
                Direction::Encrypt => signatures::seal(&key.material, hash, &label, data),
                Direction::Decrypt => signatures::open(&key.material, hash, &label, data),
            });
        }
        name => {
            let text = format!("{name} neither encrypts nor decrypts");
            return Err(Fault::unsupported(text).into());
        }
    };
    let secret = key.secret()?;
    heavy(call, || mode.run(secret, data, way))
}

/// How an algorithm signs with a key.
enum Signing {
    Mac(Hash),
    Rsa(Padding, Hash),
    Ec(Hash),
}

impl Signing {
    fn of(algorithm: &Algorithm<'_>, key: &Key) -> Result<Self, Trouble> {
        Ok(match (algorithm.name, key.spec) {
            ("HMAC", Spec::Hmac(hash, _)) => Self::Mac(hash),
            ("RSA-PSS", Spec::Rsa(_, hash)) => {
                Self::Rsa(Padding::Pss(algorithm.number("saltLength")?), hash)
            }
            ("RSASSA-PKCS1-v1_5", Spec::Rsa(_, hash)) => Self::Rsa(Padding::Pkcs1, hash),
            ("ECDSA", Spec::Ec(..)) => Self::Ec(algorithm.hash()?),
            (name, _) => {
                let text = format!("{name} neither signs nor verifies");
                return Err(Fault::unsupported(text).into());
            }
        })
    }
}

fn mac(hash: Hash, key: &Key, data: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut hasher = Hasher::keyed(digest_of(hash), key.secret()?);
    hasher.update(data);
    Ok(hasher.digest().into_vec())
}

pub(super) fn sign(call: &Call<'_, '_>) -> Done {
    let (algorithm, key) = (Algorithm::given(call, 0)?, arguments::key(call, 1)?);
    key.check(algorithm.name, Usage::Sign)?;
    let data = arguments::data(call, 2)?;
    let signing = Signing::of(&algorithm, &key)?;
    let signature = heavy(call, || match (signing, &*key.material) {
        (Signing::Mac(hash), _) => mac(hash, &key, &data),
        (Signing::Rsa(padding, hash), material) => {
            signatures::sign_rsa(material, padding, hash, &data)
        }
        (Signing::Ec(hash), Material::EcPrivate(curve, ..)) => {
            let pkcs8 = key.material.pkcs8().unwrap_or_default();
            signatures::sign_ec(*curve, &pkcs8, hash, &data)
        }
        (Signing::Ec(_), _) => Err(Fault::access("a private key is needed to sign")),
    })?;
    Ok(Outcome::Bytes(signature))
}

pub(super) fn verify(call: &Call<'_, '_>) -> Done {
    let (algorithm, key) = (Algorithm::given(call, 0)?, arguments::key(call, 1)?);
    key.check(algorithm.name, Usage::Verify)?;
    let (signature, data) = (arguments::data(call, 2)?, arguments::data(call, 3)?);
    let signing = Signing::of(&algorithm, &key)?;
    let fits = heavy(call, || match (signing, &*key.material) {
        (Signing::Mac(hash), _) => {
            let own = mac(hash, &key, &data)?;
            Ok(aws_lc_rs::constant_time::verify_slices_are_equal(&own, &signature).is_ok())
        }
        (Signing::Rsa(padding, hash), material) => {
            signatures::verify_rsa(material, padding, hash, &signature, &data)
        }
        (Signing::Ec(hash), Material::EcPublic(curve, point)) => {
            signatures::verify_ec(*curve, point, hash, &signature, &data)
        }
        (Signing::Ec(_), _) => Err(Fault::access("a public key is needed to verify")),
    })?;
    Ok(Outcome::Flag(fits))
}

fn random(bytes: usize) -> Result<Vec<u8>, Fault> {
    let mut secret = vec![0; bytes];
    aws_lc_rs::rand::fill(&mut secret)?;
    Ok(secret)
}

/// How many bytes a new key of an algorithm without public half has.
fn secret_bytes(algorithm: &Algorithm<'_>) -> Result<(Spec, usize), Trouble> {
    if algorithm.name == "HMAC" {
        let hash = algorithm.hash()?;
        let bits = algorithm
            .optional_number("length")?
            .unwrap_or(hash.block_bits());
        if bits == 0 || bits / 8 > SECRET_BYTES_LIMIT {
            let text = format!("a HMAC key cannot have {bits} bits");
            return Err(Fault::operation(text).into());
        }
        return Ok((Spec::Hmac(hash, Some(bits)), bits.div_ceil(8)));
    }
    let bits = algorithm.number("length")?;
    if !AES_BITS.contains(&bits) {
        let text = format!("an AES key has 128, 192 or 256 bits, not {bits}");
        return Err(Fault::operation(text).into());
    }
    Ok((Spec::Aes(algorithm.name), bits / 8))
}

pub(super) fn generate_key(call: &Call<'_, '_>) -> Done {
    let algorithm = Algorithm::given(call, 0)?;
    let (extractable, usages) = (arguments::flag(call, 1)?, arguments::usages(call, 2)?);
    let (spec, pair) = match algorithm.name {
        "ECDSA" | "ECDH" => {
            let curve = algorithm.curve()?;
            let spec = Spec::Ec(algorithm.name, curve);
            check_usages(spec, &usages)?;
            (spec, heavy(call, || Material::generate_ec(curve))?)
        }
        "RSASSA-PKCS1-v1_5" | "RSA-PSS" | "RSA-OAEP" => {
            let spec = Spec::Rsa(algorithm.name, algorithm.hash()?);
            let size = rsa_size(algorithm.number("modulusLength")?)?;
            let exponent = algorithm.optional_bytes("publicExponent")?;
            if exponent != EXPONENT {
                let text = "publicExponent must be 65537, which is new Uint8Array([1, 0, 1])";
                return Err(match exponent.is_empty() {
                    true => Fault::syntax(text).into(),
                    false => Fault::operation(text).into(),
                });
            }
            check_usages(spec, &usages)?;
            (spec, heavy(call, || Material::generate_rsa(size))?)
        }
        "PBKDF2" => {
            let text = "there are no new keys for PBKDF2; import a password as raw";
            return Err(Fault::unsupported(text).into());
        }
        _ => {
            let (spec, bytes) = secret_bytes(&algorithm)?;
            let material = fitted(Material::Secret(random(bytes)?), spec)?;
            return Ok(Outcome::Key(Key::new(material, spec, extractable, usages)?));
        }
    };
    let half = |material: Material, extractable: bool| {
        let allowed = spec.usages(material.kind());
        Key {
            usages: usages
                .iter()
                .copied()
                .filter(|u| allowed.contains(u))
                .collect(),
            material: material.into(),
            spec,
            extractable,
        }
    };
    Ok(Outcome::Pair(half(pair.0, extractable), half(pair.1, true)))
}

/// Refuses usages that neither half of a pair can have, and pairs whose private half is for nothing.
fn check_usages(spec: Spec, usages: &[Usage]) -> Result<(), Fault> {
    let (private, public) = (spec.usages("private"), spec.usages("public"));
    let wrong = usages
        .iter()
        .find(|u| !private.contains(u) && !public.contains(u));
    if let Some(wrong) = wrong {
        let text = format!("keys of {} cannot {}", spec.name(), wrong.name());
        return Err(Fault::syntax(text));
    }
    if !usages.iter().any(|usage| private.contains(usage)) {
        return Err(Fault::syntax("a private key needs at least one usage"));
    }
    Ok(())
}

fn rsa_size(bits: usize) -> Result<usize, Fault> {
    match rsa::SIZES.contains(&bits) {
        true => Ok(bits),
        false => {
            let (least, most) = (rsa::SIZES.start(), rsa::SIZES.end());
            let text = format!("new RSA keys have {least} to {most} bits, not {bits}");
            Err(Fault::operation(text))
        }
    }
}

fn derived(
    call: &Call<'_, '_>,
    algorithm: &Algorithm<'_>,
    key: &Key,
    bytes: usize,
) -> Result<Vec<u8>, Trouble> {
    match (algorithm.name, &*key.material) {
        ("PBKDF2", Material::Secret(password)) => {
            let function = match algorithm.hash()? {
                Hash::Sha1 => pbkdf2::PBKDF2_HMAC_SHA1,
                Hash::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
                Hash::Sha384 => pbkdf2::PBKDF2_HMAC_SHA384,
                Hash::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
            };
            let salt = algorithm.bytes("salt")?;
            let rounds = u32::try_from(algorithm.number("iterations")?).ok();
            let Some(rounds) = rounds.and_then(NonZeroU32::new) else {
                return Err(Fault::operation("iterations must be at least 1").into());
            };
            heavy(call, || {
                let mut out = vec![0; bytes];
                pbkdf2::derive(function, rounds, &salt, password, &mut out);
                Ok(out)
            })
        }
        ("ECDH", Material::EcPrivate(curve, number, _)) => {
            let other = algorithm.public()?;
            let Material::EcPublic(other_curve, point) = &*other.material else {
                return Err(Fault::access("public must be a public key of ECDH").into());
            };
            if other_curve != curve {
                return Err(Fault::access("both keys must be of the same curve").into());
            }
            let mut secret = heavy(call, || signatures::agree(*curve, number, point))?;
            if bytes > secret.len() {
                let text = format!("{} gives at most {} bits", curve.name(), secret.len() * 8);
                return Err(Fault::operation(text).into());
            }
            secret.truncate(bytes);
            Ok(secret)
        }
        (name, _) => Err(Fault::unsupported(format!("nothing can be derived by {name}")).into()),
    }
}

pub(super) fn derive_bits(call: &Call<'_, '_>) -> Done {
    let (algorithm, key) = (Algorithm::given(call, 0)?, arguments::key(call, 1)?);
    key.check(algorithm.name, Usage::DeriveBits)?;
    let length = call.arg(2);
    let bits = match (&*key.material, length.as_number()) {
        // The whole secret.
        (Material::EcPrivate(curve, ..), None) => curve.bytes() * 8,
        (_, Some(bits)) if bits > 0.0 && bits % 8.0 == 0.0 => bits as usize,
        _ => {
            let text = "the length must be a number of bits that is a multiple of 8";
            return Err(Fault::operation(text).into());
        }
    };
    if bits / 8 > SECRET_BYTES_LIMIT {
        let text = format!("at most {SECRET_BYTES_LIMIT} bytes can be derived at once");
        return Err(Fault::operation(text).into());
    }
    Ok(Outcome::Bytes(derived(call, &algorithm, &key, bits / 8)?))
}

pub(super) fn derive_key(call: &Call<'_, '_>) -> Done {
    let (algorithm, key) = (Algorithm::given(call, 0)?, arguments::key(call, 1)?);
    key.check(algorithm.name, Usage::DeriveKey)?;
    let (spec, bytes) = secret_bytes(&Algorithm::given(call, 2)?)?;
    let (extractable, usages) = (arguments::flag(call, 3)?, arguments::usages(call, 4)?);
    let secret = derived(call, &algorithm, &key, bytes)?;
    Ok(Outcome::Key(Key::new(
        fitted(Material::Secret(secret), spec)?,
        spec,
        extractable,
        usages,
    )?))
}

/// What an imported key will be.
fn spec_of(algorithm: &Algorithm<'_>) -> Result<Spec, Trouble> {
    Ok(match algorithm.name {
        "HMAC" => Spec::Hmac(algorithm.hash()?, algorithm.optional_number("length")?),
        "PBKDF2" => Spec::Pbkdf2,
        "ECDSA" | "ECDH" => Spec::Ec(algorithm.name, algorithm.curve()?),
        "RSASSA-PKCS1-v1_5" | "RSA-PSS" | "RSA-OAEP" => {
            Spec::Rsa(algorithm.name, algorithm.hash()?)
        }
        name => Spec::Aes(name),
    })
}

fn imported(format: &str, data: &[u8], spec: Spec) -> Result<Material, Fault> {
    let material = match (format, spec) {
        ("raw", Spec::Aes(_) | Spec::Hmac(..) | Spec::Pbkdf2) => Material::Secret(data.to_vec()),
        ("raw", Spec::Ec(_, curve)) => Material::ec_from_point(curve, data)?,
        ("spki", Spec::Ec(_, curve)) => Material::ec_from_spki(curve, data)?,
        ("pkcs8", Spec::Ec(_, curve)) => Material::ec_from_pkcs8(curve, data)?,
        ("spki", Spec::Rsa(..)) => Material::rsa_from_spki(data)?,
        ("pkcs8", Spec::Rsa(..)) => Material::rsa_from_pkcs8(data)?,
        ("raw" | "spki" | "pkcs8", spec) => {
            let text = format!("keys of {} cannot be imported as {format}", spec.name());
            return Err(Fault::unsupported(text));
        }
        _ => return Err(no_format(format)),
    };
    Ok(material)
}

fn no_format(format: &str) -> Fault {
    Fault::unsupported(format!(
        "there is no format {format}; there are raw, spki, pkcs8 and jwk"
    ))
}

/// The material when the algorithm has keys of its size; bits beyond the length of a HMAC key are taken away.
fn fitted(material: Material, spec: Spec) -> Result<Material, Fault> {
    let Material::Secret(mut secret) = material else {
        return Ok(material);
    };
    let bits = secret.len() * 8;
    match spec {
        Spec::Aes(_) if !AES_BITS.contains(&bits) => {
            let text = format!("an AES key has 16, 24 or 32 bytes, not {}", secret.len());
            return Err(Fault::data(text));
        }
        Spec::Hmac(..) if secret.is_empty() => {
            return Err(Fault::data("a HMAC key cannot be empty"));
        }
        Spec::Hmac(_, Some(wanted)) => {
            if wanted.div_ceil(8) != secret.len() {
                let text =
                    format!("the data has {bits} bits, which does not fit a length of {wanted}");
                return Err(Fault::data(text));
            }
            if let Some(last) = secret.last_mut() {
                *last &= 0xff << (bits - wanted);
            }
        }
        _ => {}
    }
    Ok(Material::Secret(secret))
}

pub(super) fn import_key(call: &Call<'_, '_>) -> Done {
    let (format, given) = (arguments::text(call, 0)?, call.arg(1));
    let spec = spec_of(&Algorithm::given(call, 2)?)?;
    let (extractable, usages) = (arguments::flag(call, 3)?, arguments::usages(call, 4)?);
    let material = if format == "jwk" {
        let text = call.ctx().json_stringify(given)?;
        let text = text
            .map(|text| text.to_string())
            .transpose()?
            .unwrap_or_default();
        import_json(text.as_bytes(), spec, extractable, &usages)?
    } else {
        if !["raw", "spki", "pkcs8"].contains(&format.as_str()) {
            return Err(no_format(&format).into());
        }
        let data = arguments::data_of(&given, "the key's data")?;
        heavy(call, || imported(&format, &data, spec))?
    };
    let material = fitted(material, spec)?;
    Ok(Outcome::Key(Key::new(material, spec, extractable, usages)?))
}

fn import_json(
    text: &[u8],
    spec: Spec,
    extractable: bool,
    usages: &[Usage],
) -> Result<Material, Fault> {
    let json: Json = serde_json::from_slice(text)
        .map_err(|error| Fault::data(format!("this is no JSON key: {error}")))?;
    jwk::check(&json, extractable, usages)?;
    jwk::import(&json, spec)
}

fn exported(format: &str, key: &Key) -> Result<Vec<u8>, Fault> {
    let found = match (format, &*key.material) {
        ("raw", Material::Secret(secret)) => Some(secret.clone()),
        ("raw", Material::EcPublic(_, point)) => Some(point.clone()),
        ("spki", material) => material.spki(),
        ("pkcs8", material) => material.pkcs8(),
        ("raw", _) => None,
        _ => return Err(no_format(format)),
    };
    found.ok_or_else(|| {
        let kind = key.material.kind();
        let text = format!(
            "a {kind} key of {} cannot be exported as {format}",
            key.spec.name()
        );
        Fault::access(text)
    })
}

fn check_extractable(key: &Key) -> Result<(), Fault> {
    match key.extractable {
        true => Ok(()),
        false => Err(Fault::access("the key is not extractable")),
    }
}

pub(super) fn export_key(call: &Call<'_, '_>) -> Done {
    let (format, key) = (arguments::text(call, 0)?, arguments::key(call, 1)?);
    check_extractable(&key)?;
    if format == "jwk" {
        return Ok(Outcome::Json(jwk::export(&key)));
    }
    Ok(Outcome::Bytes(exported(&format, &key)?))
}

/// The block cipher behind AES-KW (RFC 3394).
fn kek(key: &Key) -> Result<AesKek, Fault> {
    let secret = key.secret()?;
    let cipher = match secret.len() {
        16 => &key_wrap::AES_128,
        32 => &key_wrap::AES_256,
        _ => return Err(Fault::unsupported("AES-KW has keys of 128 or 256 bits")),
    };
    Ok(AesKek::new(cipher, secret)?)
}

pub(super) fn wrap_key(call: &Call<'_, '_>) -> Done {
    let (format, key, outer) = (
        arguments::text(call, 0)?,
        arguments::key(call, 1)?,
        arguments::key(call, 2)?,
    );
    let algorithm = Algorithm::given(call, 3)?;
    outer.check(algorithm.name, Usage::WrapKey)?;
    check_extractable(&key)?;
    let data = match format.as_str() {
        "jwk" => jwk::export(&key).to_string().into_bytes(),
        format => exported(format, &key)?,
    };
    if algorithm.name != "AES-KW" {
        let wrapped = cipher(call, &algorithm, &outer, &data, Direction::Encrypt)?;
        return Ok(Outcome::Bytes(wrapped));
    }
    let mut room = vec![0; data.len() + 8];
    let wrapped = kek(&outer)?
        .wrap(&data, &mut room)
        .map_err(|_| Fault::operation("AES-KW wraps 16 bytes or more, a multiple of 8"))?;
    Ok(Outcome::Bytes(wrapped.to_vec()))
}

pub(super) fn unwrap_key(call: &Call<'_, '_>) -> Done {
    let (format, wrapped, outer) = (
        arguments::text(call, 0)?,
        arguments::data(call, 1)?,
        arguments::key(call, 2)?,
    );
    let algorithm = Algorithm::given(call, 3)?;
    let spec = spec_of(&Algorithm::given(call, 4)?)?;
    let (extractable, usages) = (arguments::flag(call, 5)?, arguments::usages(call, 6)?);
    outer.check(algorithm.name, Usage::UnwrapKey)?;
    let data = if algorithm.name == "AES-KW" {
        let mut room = vec![0; wrapped.len()];
        let plain = kek(&outer)?.unwrap(&wrapped, &mut room);
        plain
            .map_err(|_| Fault::operation("the key was not wrapped in this one"))?
            .to_vec()
    } else {
        cipher(call, &algorithm, &outer, &wrapped, Direction::Decrypt)?
    };
    let material = match format.as_str() {
        "jwk" => import_json(&data, spec, extractable, &usages)?,
        format => imported(format, &data, spec)?,
    };
    let material = fitted(material, spec)?;
    Ok(Outcome::Key(Key::new(material, spec, extractable, usages)?))
}
