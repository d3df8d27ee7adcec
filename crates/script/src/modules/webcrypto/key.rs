//! Keys: their material, their algorithm, and the forms in which they come and go.

use aws_lc_rs::agreement;
use aws_lc_rs::encoding::{AsBigEndian, AsDer, EcPrivateKeyBin};
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};

use super::der::{self, CONTEXT_1, NULL, OCTETS, OID, Reader};
use super::fault::Fault;
use super::rsa;

/// 1.2.840.10045.2.1.
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
/// 1.2.840.113549.1.1.1.
const RSA_ENCRYPTION: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];

/// A hash function by the name that keys know it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_uppercase().as_str() {
            "SHA-1" => Self::Sha1,
            "SHA-256" => Self::Sha256,
            "SHA-384" => Self::Sha384,
            "SHA-512" => Self::Sha512,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
        }
    }

    /// The bits it takes in at once, which HMAC keys have unless they say otherwise.
    pub(super) fn block_bits(self) -> usize {
        match self {
            Self::Sha1 | Self::Sha256 => 512,
            Self::Sha384 | Self::Sha512 => 1024,
        }
    }
}

/// An elliptic curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Curve {
    P256,
    P384,
    P521,
}

impl Curve {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "P-256" => Self::P256,
            "P-384" => Self::P384,
            "P-521" => Self::P521,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::P256 => "P-256",
            Self::P384 => "P-384",
            Self::P521 => "P-521",
        }
    }

    /// Bytes of a coordinate.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::P256 => 32,
            Self::P384 => 48,
            Self::P521 => 66,
        }
    }

    pub(super) fn agreement(self) -> &'static agreement::Algorithm {
        match self {
            Self::P256 => &agreement::ECDH_P256,
            Self::P384 => &agreement::ECDH_P384,
            Self::P521 => &agreement::ECDH_P521,
        }
    }

    fn oid(self) -> &'static [u8] {
        match self {
            Self::P256 => &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07],
            Self::P384 => &[0x2b, 0x81, 0x04, 0x00, 0x22],
            Self::P521 => &[0x2b, 0x81, 0x04, 0x00, 0x23],
        }
    }

    fn algorithm(self) -> Vec<u8> {
        der::sequence(&[der::value(OID, EC_PUBLIC_KEY), der::value(OID, self.oid())])
    }
}

/// What a key consists of.
#[derive(Clone, Debug)]
pub(super) enum Material {
    /// The bytes of AES, HMAC and PBKDF2 keys.
    Secret(Vec<u8>),
    /// An uncompressed point.
    EcPublic(Curve, Vec<u8>),
    /// A number, and the point that belongs to it.
    EcPrivate(Curve, Vec<u8>, Vec<u8>),
    /// Modulus and exponent.
    RsaPublic([Vec<u8>; 2]),
    /// Modulus, both exponents, both primes, and what follows from them (RFC 8017, A.1.2).
    RsaPrivate(Box<[Vec<u8>; 8]>),
}

fn broken(what: &str) -> Fault {
    Fault::data(format!("the data is not {what}"))
}

/// Fills a number up with zeros in front.
pub(super) fn padded(number: &[u8], bytes: usize) -> Vec<u8> {
    let mut whole = vec![0; bytes.saturating_sub(number.len())];
    whole.extend(number);
    whole
}

impl Material {
    /// A new pair of keys on a curve: private, public.
    pub(super) fn generate_ec(curve: Curve) -> Result<(Self, Self), Fault> {
        let private = agreement::PrivateKey::generate(curve.agreement())?;
        let number: EcPrivateKeyBin<'_> = private.as_be_bytes()?;
        let point = private.compute_public_key()?.as_ref().to_vec();
        let number = padded(number.as_ref(), curve.bytes());
        Ok((
            Self::EcPrivate(curve, number, point.clone()),
            Self::EcPublic(curve, point),
        ))
    }

    /// A new pair of RSA keys: private, public.
    pub(super) fn generate_rsa(bits: usize) -> Result<(Self, Self), Fault> {
        let size = match bits {
            2048 => KeySize::Rsa2048,
            3072 => KeySize::Rsa3072,
            4096 => KeySize::Rsa4096,
            8192 => KeySize::Rsa8192,
            _ => {
                let private = rsa::generate(bits)?;
                let public = private.rsa_public()?;
                return Ok((private, public));
            }
        };
        let pair = RsaKeyPair::generate(size)?;
        let pkcs8 = AsDer::<aws_lc_rs::encoding::Pkcs8V1Der<'_>>::as_der(&pair)?;
        let private = Self::rsa_from_pkcs8(pkcs8.as_ref())?;
        let public = private.rsa_public()?;
        Ok((private, public))
    }

    /// The public half of a private RSA key.
    fn rsa_public(&self) -> Result<Self, Fault> {
        match self {
            Self::RsaPrivate(parts) => Ok(Self::RsaPublic([parts[0].clone(), parts[1].clone()])),
            _ => Err(broken("an RSA key")),
        }
    }

    /// A private key on a curve, its point computed.
    pub(super) fn ec_from_number(curve: Curve, number: &[u8]) -> Result<Self, Fault> {
        let number = padded(number, curve.bytes());
        let private = agreement::PrivateKey::from_private_key(curve.agreement(), &number)
            .map_err(|_| broken("a private key of this curve"))?;
        let point = private.compute_public_key()?.as_ref().to_vec();
        Ok(Self::EcPrivate(curve, number, point))
    }

    /// A public key on a curve.
    pub(super) fn ec_from_point(curve: Curve, point: &[u8]) -> Result<Self, Fault> {
        let error = || broken("a point of this curve");
        if point.len() != 1 + 2 * curve.bytes() || point.first() != Some(&4) {
            return Err(error());
        }
        // A point that is not on the curve is found out by using it.
        let probe = agreement::PrivateKey::generate(curve.agreement())?;
        let public = agreement::UnparsedPublicKey::new(curve.agreement(), point);
        agreement::agree(&probe, public, error(), |_| Ok(()))?;
        Ok(Self::EcPublic(curve, point.to_vec()))
    }

    /// SubjectPublicKeyInfo (RFC 5280, 4.1) of a curve.
    pub(super) fn ec_from_spki(curve: Curve, data: &[u8]) -> Result<Self, Fault> {
        let read = || {
            let mut info = Reader(data).sequence()?;
            let mut algorithm = info.sequence()?;
            let fits = algorithm.take(OID)? == EC_PUBLIC_KEY && algorithm.take(OID)? == curve.oid();
            info.bits().filter(|_| fits)
        };
        Self::ec_from_point(
            curve,
            read().ok_or_else(|| broken("a public key of this curve"))?,
        )
    }

    /// PKCS #8 (RFC 5208) of a curve.
    pub(super) fn ec_from_pkcs8(curve: Curve, data: &[u8]) -> Result<Self, Fault> {
        let read = || {
            let mut info = Reader(data).sequence()?;
            info.integer()?;
            let mut algorithm = info.sequence()?;
            let fits = algorithm.take(OID)? == EC_PUBLIC_KEY && algorithm.take(OID)? == curve.oid();
            let mut key = Reader(info.take(OCTETS)?).sequence()?;
            key.integer()?;
            key.take(OCTETS).filter(|_| fits)
        };
        let number = read().ok_or_else(|| broken("a private key of this curve"))?;
        Self::ec_from_number(curve, number)
    }

    /// SubjectPublicKeyInfo of an RSA key.
    pub(super) fn rsa_from_spki(data: &[u8]) -> Result<Self, Fault> {
        let read = || {
            let mut info = Reader(data).sequence()?;
            let fits = info.sequence()?.take(OID)? == RSA_ENCRYPTION;
            let mut key = Reader(info.bits()?).sequence()?;
            let parts = [key.integer()?.to_vec(), key.integer()?.to_vec()];
            fits.then_some(Self::RsaPublic(parts))
        };
        read().ok_or_else(|| broken("a public RSA key"))
    }

    /// PKCS #8 of an RSA key.
    pub(super) fn rsa_from_pkcs8(data: &[u8]) -> Result<Self, Fault> {
        let read = || {
            let mut info = Reader(data).sequence()?;
            info.integer()?;
            let fits = info.sequence()?.take(OID)? == RSA_ENCRYPTION;
            let mut key = Reader(info.take(OCTETS)?).sequence()?;
            key.integer()?;
            let mut parts: [Vec<u8>; 8] = Default::default();
            for part in &mut parts {
                *part = key.integer()?.to_vec();
            }
            fits.then(|| Self::RsaPrivate(Box::new(parts)))
        };
        read().ok_or_else(|| broken("a private RSA key"))
    }

    /// The key as SubjectPublicKeyInfo; none of private and secret ones.
    pub(super) fn spki(&self) -> Option<Vec<u8>> {
        Some(match self {
            Self::EcPublic(curve, point) => der::sequence(&[curve.algorithm(), der::bits(point)]),
            Self::RsaPublic(_) => {
                let algorithm =
                    der::sequence(&[der::value(OID, RSA_ENCRYPTION), der::value(NULL, &[])]);
                der::sequence(&[algorithm, der::bits(&self.pkcs1()?)])
            }
            _ => return None,
        })
    }

    /// The key as PKCS #8; none of public and secret ones.
    pub(super) fn pkcs8(&self) -> Option<Vec<u8>> {
        Some(match self {
            Self::EcPrivate(curve, number, point) => {
                let key = der::sequence(&[
                    der::integer(&[1]),
                    der::value(OCTETS, number),
                    der::value(CONTEXT_1, &der::bits(point)),
                ]);
                der::sequence(&[
                    der::integer(&[0]),
                    curve.algorithm(),
                    der::value(OCTETS, &key),
                ])
            }
            Self::RsaPrivate(_) => {
                let algorithm =
                    der::sequence(&[der::value(OID, RSA_ENCRYPTION), der::value(NULL, &[])]);
                let key = der::value(OCTETS, &self.pkcs1()?);
                der::sequence(&[der::integer(&[0]), algorithm, key])
            }
            _ => return None,
        })
    }

    /// An RSA key as PKCS #1 (RFC 8017, A.1).
    pub(super) fn pkcs1(&self) -> Option<Vec<u8>> {
        let numbers: Vec<Vec<u8>> = match self {
            Self::RsaPublic(parts) => parts.iter().map(|n| der::integer(n)).collect(),
            Self::RsaPrivate(parts) => std::iter::once(der::integer(&[0]))
                .chain(parts.iter().map(|n| der::integer(n)))
                .collect(),
            _ => return None,
        };
        Some(der::sequence(&numbers))
    }

    /// The bits of an RSA modulus.
    pub(super) fn modulus_bits(&self) -> usize {
        let modulus = match self {
            Self::RsaPublic(parts) => &parts[0],
            Self::RsaPrivate(parts) => &parts[0],
            _ => return 0,
        };
        let first = modulus.first().map_or(0, |b| b.leading_zeros() as usize);
        modulus.len() * 8 - first.min(modulus.len() * 8)
    }

    /// `private`, `public` or `secret`.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Secret(_) => "secret",
            Self::EcPublic(..) | Self::RsaPublic(_) => "public",
            Self::EcPrivate(..) | Self::RsaPrivate(_) => "private",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_curves_survive_their_forms() {
        for (curve, spki, pkcs8) in [
            (Curve::P256, 91, 138),
            (Curve::P384, 120, 185),
            (Curve::P521, 158, 241),
        ] {
            let (private, public) = Material::generate_ec(curve).unwrap();
            let (spki_der, pkcs8_der) = (public.spki().unwrap(), private.pkcs8().unwrap());
            assert_eq!((spki_der.len(), pkcs8_der.len()), (spki, pkcs8));
            let again = Material::ec_from_spki(curve, &spki_der).unwrap();
            assert_eq!(again.spki(), Some(spki_der.clone()));
            let again = Material::ec_from_pkcs8(curve, &pkcs8_der).unwrap();
            assert_eq!(again.pkcs8(), Some(pkcs8_der));
            let other = if curve == Curve::P256 {
                Curve::P384
            } else {
                Curve::P256
            };
            assert!(Material::ec_from_spki(other, &spki_der).is_err());
        }
    }

    #[test]
    fn a_point_beside_the_curve_is_no_key() {
        let mut point = vec![4];
        point.extend([1; 64]);
        assert!(Material::ec_from_point(Curve::P256, &point).is_err());
    }
}
