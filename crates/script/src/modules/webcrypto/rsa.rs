//! RSA as the cryptographic library does not offer it: signatures with SHA-1, and keys of other sizes than 2048, 3072
//! and 4096 bits, to sign and to seal with. Old systems under test still want them.
//!
//! Owns raw powers and the paddings of RFC 8017, and new keys. Invariant: a signature that is returned was checked with
//! the public key. The arithmetic does not hide how long it takes; whoever measures a load generator's keys owns it.

use aws_lc_rs::digest;
use num_bigint::BigUint;

use super::fault::Fault;
use super::key::{Hash, Material};
use super::signatures::{Padding, algorithm};

/// Sizes of new keys, in bits: below, nothing is signed any more; above, making one takes too long.
pub(super) const SIZES: std::ops::RangeInclusive<usize> = 1024..=8192;
/// Rounds of Miller and Rabin: enough for a chance of error below 2^-100 at these sizes.
const ROUNDS: usize = 40;
/// The public exponent of new keys.
const EXPONENT: u32 = 65_537;

/// Signs with a private key.
pub(super) fn sign(
    key: &Material,
    padding: Padding,
    hash: Hash,
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    let bits = key.modulus_bits();
    let encoded = match padding {
        Padding::Pkcs1 => pkcs1(hash, data, bits.div_ceil(8))?,
        Padding::Pss(salt) => {
            let mut bytes = vec![0; salt];
            aws_lc_rs::rand::fill(&mut bytes)?;
            pss(hash, data, &bytes, bits.saturating_sub(1))?
        }
    };
    private_power(key, &BigUint::from_bytes_be(&encoded))
}

/// A number to the private exponent, as long as the modulus (RFC 8017, 5.1.2 and 5.2.1).
fn private_power(key: &Material, number: &BigUint) -> Result<Vec<u8>, Fault> {
    let Material::RsaPrivate(parts) = key else {
        return Err(Fault::access("this is no private RSA key"));
    };
    let [n, e, _, p, q, dp, dq, qi] = parts.each_ref().map(|part| BigUint::from_bytes_be(part));
    let misfit = || Fault::operation("the parts of the key do not fit each other");
    if [&n, &p, &q].contains(&&BigUint::ZERO) {
        return Err(misfit());
    }
    // With the two halves of the key, which is quicker than the exponent.
    let (a, b) = (number.modpow(&dp, &p), number.modpow(&dq, &q));
    let difference = (&a + &p - &b % &p) % &p;
    let power = &b + &q * ((difference * qi) % &p);
    if power.modpow(&e, &n) != *number {
        return Err(misfit());
    }
    Ok(padded(&power, key.modulus_bits().div_ceil(8)))
}

/// Seals for the owner of a public key: RSAES-OAEP (RFC 8017, 7.1.1).
pub(super) fn seal(
    key: &Material,
    hash: Hash,
    label: &[u8],
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    let Material::RsaPublic(parts) = key else {
        return Err(Fault::access("this is no public RSA key"));
    };
    let [n, e] = parts.each_ref().map(|part| BigUint::from_bytes_be(part));
    let length = key.modulus_bits().div_ceil(8);
    let size = algorithm(hash).output_len();
    let room = length.checked_sub(2 * size + 2).ok_or_else(too_small)?;
    let filling = room.checked_sub(data.len()).ok_or_else(|| {
        let given = data.len();
        Fault::operation(format!(
            "this key can encrypt at most {room} bytes at once, not {given}"
        ))
    })?;
    let mut seed = vec![0; size];
    aws_lc_rs::rand::fill(&mut seed)?;
    let mut block = [&hashed(hash, &[label])[..], &vec![0; filling], &[1], data].concat();
    mask(&mut block, hash, &seed);
    mask(&mut seed, hash, &block);
    let encoded = BigUint::from_bytes_be(&[seed, block].concat());
    Ok(padded(&encoded.modpow(&e, &n), length))
}

/// Opens what was sealed: RSAES-OAEP (RFC 8017, 7.1.2).
pub(super) fn open(
    key: &Material,
    hash: Hash,
    label: &[u8],
    data: &[u8],
) -> Result<Vec<u8>, Fault> {
    let misfit = || Fault::operation("the data cannot be decrypted with this key and label");
    let (length, size) = (key.modulus_bits().div_ceil(8), algorithm(hash).output_len());
    if data.len() != length || length < 2 * size + 2 {
        return Err(misfit());
    }
    let mut encoded = private_power(key, &BigUint::from_bytes_be(data)).map_err(|_| misfit())?;
    let (first, rest) = encoded.split_at_mut(1);
    let (seed, block) = rest.split_at_mut(size);
    mask(seed, hash, block);
    mask(block, hash, seed);
    let (digest, rest) = block.split_at(size);
    let end = rest.iter().position(|byte| *byte != 0);
    match end {
        Some(end) if first == [0] && digest == hashed(hash, &[label]) && rest[end] == 1 => {
            Ok(rest[end + 1..].to_vec())
        }
        _ => Err(misfit()),
    }
}

/// Whether a signature fits a public key.
pub(super) fn verify(
    key: &Material,
    padding: Padding,
    hash: Hash,
    signature: &[u8],
    data: &[u8],
) -> Result<bool, Fault> {
    let Material::RsaPublic(parts) = key else {
        return Err(Fault::access("this is no public RSA key"));
    };
    let [n, e] = parts.each_ref().map(|part| BigUint::from_bytes_be(part));
    let bits = usize::try_from(n.bits()).unwrap_or(0);
    let number = BigUint::from_bytes_be(signature);
    if signature.len() != bits.div_ceil(8) || number >= n {
        return Ok(false);
    }
    let message = number.modpow(&e, &n);
    Ok(match padding {
        Padding::Pkcs1 => padded(&message, signature.len()) == pkcs1(hash, data, signature.len())?,
        Padding::Pss(salt) => {
            let encoded = padded(&message, (bits - 1).div_ceil(8));
            pss_fits(hash, data, &encoded, salt, bits - 1)
        }
    })
}

fn padded(number: &BigUint, length: usize) -> Vec<u8> {
    let bytes = number.to_bytes_be();
    let mut padded = vec![0; length.saturating_sub(bytes.len())];
    padded.extend(bytes);
    padded
}

fn hashed(hash: Hash, pieces: &[&[u8]]) -> Vec<u8> {
    let mut context = digest::Context::new(algorithm(hash));
    pieces.iter().for_each(|piece| context.update(piece));
    context.finish().as_ref().to_vec()
}

fn too_small() -> Fault {
    Fault::operation("the key is too small for this hash and salt")
}

/// EMSA-PKCS1-v1_5 (RFC 8017, 9.2).
fn pkcs1(hash: Hash, data: &[u8], length: usize) -> Result<Vec<u8>, Fault> {
    // DigestInfo up to the digest itself.
    let prefix: &[u8] = match hash {
        Hash::Sha1 => &[0x30, 0x21, 0x30, 9, 6, 5, 0x2b, 14, 3, 2, 0x1a, 5, 0, 4, 20],
        Hash::Sha256 => &[
            0x30, 0x31, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 101, 3, 4, 2, 1, 5, 0, 4, 32,
        ],
        Hash::Sha384 => &[
            0x30, 0x41, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 101, 3, 4, 2, 2, 5, 0, 4, 48,
        ],
        Hash::Sha512 => &[
            0x30, 0x51, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 101, 3, 4, 2, 3, 5, 0, 4, 64,
        ],
    };
    let info = [prefix, &hashed(hash, &[data])].concat();
    let filling = length
        .checked_sub(info.len() + 3)
        .filter(|filling| *filling >= 8)
        .ok_or_else(too_small)?;
    Ok([&[0, 1][..], &vec![0xff; filling], &[0], &info].concat())
}

/// EMSA-PSS-ENCODE (RFC 8017, 9.1.1).
fn pss(hash: Hash, data: &[u8], salt: &[u8], bits: usize) -> Result<Vec<u8>, Fault> {
    let length = bits.div_ceil(8);
    let proof = hashed(hash, &[&[0; 8], &hashed(hash, &[data]), salt]);
    let filling = length
        .checked_sub(proof.len() + salt.len() + 2)
        .ok_or_else(too_small)?;
    let mut block = [&vec![0; filling][..], &[1], salt].concat();
    mask(&mut block, hash, &proof);
    block[0] &= 0xff >> (8 * length - bits);
    Ok([&block[..], &proof, &[0xbc]].concat())
}

/// EMSA-PSS-VERIFY (RFC 8017, 9.1.2).
fn pss_fits(hash: Hash, data: &[u8], encoded: &[u8], salt: usize, bits: usize) -> bool {
    let digest = hashed(hash, &[data]);
    let Some(rest) = encoded.strip_suffix(&[0xbc]) else {
        return false;
    };
    let Some(at) = rest.len().checked_sub(digest.len()) else {
        return false;
    };
    let (block, proof) = rest.split_at(at);
    let Some(filling) = block.len().checked_sub(salt + 1) else {
        return false;
    };
    let mut block = block.to_vec();
    let unused = 8 * encoded.len() - bits;
    if block[0] & !(0xff >> unused) != 0 {
        return false;
    }
    mask(&mut block, hash, proof);
    block[0] &= 0xff >> unused;
    let (zeros, rest) = block.split_at(filling);
    zeros.iter().all(|byte| *byte == 0)
        && rest[0] == 1
        && hashed(hash, &[&[0; 8], &digest, &rest[1..]]) == proof
}

/// Applies the mask of MGF1 (RFC 8017, B.2.1).
fn mask(block: &mut [u8], hash: Hash, seed: &[u8]) {
    let size = algorithm(hash).output_len();
    for (number, part) in (0u32..).zip(block.chunks_mut(size)) {
        let mask = hashed(hash, &[seed, &number.to_be_bytes()]);
        part.iter_mut()
            .zip(mask)
            .for_each(|(byte, mask)| *byte ^= mask);
    }
}

/// A new private key of this many bits.
pub(super) fn generate(bits: usize) -> Result<Material, Fault> {
    let e = BigUint::from(EXPONENT);
    let one = BigUint::from(1u32);
    loop {
        let (p, q) = (prime(bits.div_ceil(2))?, prime(bits / 2)?);
        let n = &p * &q;
        if p == q || n.bits() != bits as u64 {
            continue;
        }
        let (p1, q1) = (&p - &one, &q - &one);
        // Not prime to the exponent: rare enough to start over.
        let (Some(d), Some(qi)) = (e.modinv(&(&p1 * &q1)), q.modinv(&p)) else {
            continue;
        };
        let (dp, dq) = (&d % &p1, &d % &q1);
        let parts = [n, e, d, p, q, dp, dq, qi].map(|part| part.to_bytes_be());
        return Ok(Material::RsaPrivate(Box::new(parts)));
    }
}

/// A random number of this many bits, the two highest set, that is prime.
fn prime(bits: usize) -> Result<BigUint, Fault> {
    loop {
        let mut bytes = vec![0; bits.div_ceil(8)];
        aws_lc_rs::rand::fill(&mut bytes)?;
        let mut number = BigUint::from_bytes_be(&bytes) >> (8 * bytes.len() - bits);
        for bit in [0, bits - 2, bits - 1] {
            number.set_bit(bit as u64, true);
        }
        if is_prime(&number)? {
            return Ok(number);
        }
    }
}

/// The test of Miller and Rabin with random witnesses.
fn is_prime(number: &BigUint) -> Result<bool, Fault> {
    const SMALL: [u32; 15] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];
    let (zero, one) = (BigUint::ZERO, BigUint::from(1u32));
    if SMALL.iter().any(|small| number % small == zero) {
        return Ok(false);
    }
    let last = number - &one;
    let twos = last.trailing_zeros().unwrap_or(0);
    let odd = &last >> twos;
    for _ in 0..ROUNDS {
        let mut bytes = vec![0; last.to_bytes_be().len()];
        aws_lc_rs::rand::fill(&mut bytes)?;
        let witness = BigUint::from_bytes_be(&bytes) % &last + &one;
        let mut power = witness.modpow(&odd, number);
        if power == one || power == last {
            continue;
        }
        let composite = !(1..twos).any(|_| {
            power = power.modpow(&BigUint::from(2u32), number);
            power == last
        });
        if composite {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::webcrypto::signatures;

    const PADDINGS: [Padding; 3] = [Padding::Pkcs1, Padding::Pss(0), Padding::Pss(20)];

    #[test]
    fn signatures_fit_their_text_and_nothing_else() {
        let (private, public) = Material::generate_rsa(1026).unwrap();
        assert_eq!(public.modulus_bits(), 1026);
        for padding in PADDINGS {
            for hash in [Hash::Sha1, Hash::Sha256, Hash::Sha512] {
                let signature = sign(&private, padding, hash, b"text").unwrap();
                let fits = |data: &[u8], signature: &[u8], padding| {
                    verify(&public, padding, hash, signature, data).unwrap()
                };
                assert!(fits(b"text", &signature, padding), "{padding:?} {hash:?}");
                assert!(!fits(b"texts", &signature, padding));
                assert!(!fits(b"text", &signature[1..], padding));
                assert!(!fits(b"text", &signature, Padding::Pss(7)));
            }
        }
    }

    #[test]
    fn what_is_sealed_is_opened_by_the_same_key_and_label() {
        let (private, public) = Material::generate_rsa(1030).unwrap();
        let (other, _) = Material::generate_rsa(1030).unwrap();
        for hash in [Hash::Sha1, Hash::Sha256] {
            let room = 129 - 2 * algorithm(hash).output_len() - 2;
            for length in [0, 1, room] {
                let text = vec![7; length];
                let sealed = seal(&public, hash, b"label", &text).unwrap();
                assert_eq!(open(&private, hash, b"label", &sealed).unwrap(), text);
                assert!(open(&private, hash, b"", &sealed).is_err());
                assert!(open(&other, hash, b"label", &sealed).is_err());
                assert!(open(&private, hash, b"label", &sealed[1..]).is_err());
            }
            assert!(seal(&public, hash, b"", &vec![7; room + 1]).is_err());
        }
        // Two digests of 64 bytes and their marks do not fit into 129.
        assert!(seal(&public, Hash::Sha512, b"", b"").is_err());
    }

    #[test]
    fn the_library_opens_what_is_sealed_here_and_the_other_way_round() {
        let (private, public) = Material::generate_rsa(2048).unwrap();
        let ours = seal(&public, Hash::Sha256, b"label", b"text").unwrap();
        let opened = signatures::open(&private, Hash::Sha256, b"label", &ours).unwrap();
        assert_eq!(opened, b"text");
        let theirs = signatures::seal(&public, Hash::Sha256, b"label", b"text").unwrap();
        assert_eq!(
            open(&private, Hash::Sha256, b"label", &theirs).unwrap(),
            b"text"
        );
    }

    #[test]
    fn a_key_of_nothing_is_refused() {
        let nothing = Material::RsaPrivate(Box::default());
        assert!(sign(&nothing, Padding::Pss(0), Hash::Sha1, b"text").is_err());
        assert!(sign(&nothing, Padding::Pkcs1, Hash::Sha1, b"text").is_err());
        assert!(open(&nothing, Hash::Sha1, b"", b"").is_err());
        let nothing = Material::RsaPublic([vec![], vec![]]);
        assert!(seal(&nothing, Hash::Sha1, b"", b"").is_err());
        assert!(!verify(&nothing, Padding::Pss(0), Hash::Sha1, b"", b"text").unwrap());
    }

    /// The library verifies what is signed here, and the other way round.
    #[test]
    fn the_library_agrees() {
        let (key, public) = Material::generate_rsa(2048).unwrap();
        for padding in PADDINGS {
            let ours = sign(&key, padding, Hash::Sha384, b"text").unwrap();
            let fits = signatures::verify_rsa(&public, padding, Hash::Sha384, &ours, b"text");
            assert!(fits.unwrap(), "{padding:?}");
            let theirs = signatures::sign_rsa(&key, padding, Hash::Sha384, b"text").unwrap();
            assert!(verify(&public, padding, Hash::Sha384, &theirs, b"text").unwrap());
        }
    }
}
