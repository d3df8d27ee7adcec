//! Keys as JSON (RFC 7517, RFC 7518).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value as Json, json};

use super::fault::Fault;
use super::key::{Curve, Hash, Material, padded};
use super::object::{Key, Spec, Usage};

/// The members of an RSA key in the order of its parts.
const RSA_MEMBERS: [&str; 8] = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];

fn encoded(bytes: &[u8]) -> Json {
    Json::from(URL_SAFE_NO_PAD.encode(bytes))
}

/// The key as JSON.
pub(super) fn export(key: &Key) -> Json {
    let mut jwk = Map::new();
    match &*key.material {
        Material::Secret(secret) => {
            jwk.insert("kty".to_owned(), json!("oct"));
            jwk.insert("k".to_owned(), encoded(secret));
        }
        Material::EcPublic(curve, point) => point_members(&mut jwk, *curve, point),
        Material::EcPrivate(curve, number, point) => {
            point_members(&mut jwk, *curve, point);
            jwk.insert("d".to_owned(), encoded(number));
        }
        Material::RsaPublic(parts) => rsa_members(&mut jwk, parts),
        Material::RsaPrivate(parts) => rsa_members(&mut jwk, &parts[..]),
    }
    if let Some(algorithm) = algorithm(key) {
        jwk.insert("alg".to_owned(), Json::from(algorithm));
    }
    jwk.insert("ext".to_owned(), Json::from(key.extractable));
    let usages: Vec<&str> = key.usages.iter().map(|usage| usage.name()).collect();
    jwk.insert("key_ops".to_owned(), json!(usages));
    Json::Object(jwk)
}

fn point_members(jwk: &mut Map<String, Json>, curve: Curve, point: &[u8]) {
    let coordinates = point.get(1..).unwrap_or_default();
    let (x, y) = coordinates.split_at(coordinates.len().min(curve.bytes()));
    jwk.insert("kty".to_owned(), json!("EC"));
    jwk.insert("crv".to_owned(), json!(curve.name()));
    jwk.insert("x".to_owned(), encoded(x));
    jwk.insert("y".to_owned(), encoded(y));
}

fn rsa_members(jwk: &mut Map<String, Json>, parts: &[Vec<u8>]) {
    jwk.insert("kty".to_owned(), json!("RSA"));
    for (name, part) in RSA_MEMBERS.iter().zip(parts) {
        jwk.insert((*name).to_owned(), encoded(part));
    }
}

/// The name that RFC 7518 has for the algorithm of a key.
fn algorithm(key: &Key) -> Option<String> {
    let digits = |hash: Hash| &hash.name()[4..];
    Some(match key.spec {
        Spec::Aes(name) => {
            let bits = key.secret().map_or(0, |secret| secret.len() * 8);
            format!("A{bits}{}", &name[4..])
        }
        Spec::Hmac(hash, _) => format!("HS{}", digits(hash)),
        Spec::Rsa("RSA-PSS", hash) => format!("PS{}", digits(hash)),
        Spec::Rsa("RSA-OAEP", Hash::Sha1) => "RSA-OAEP".to_owned(),
        Spec::Rsa("RSA-OAEP", hash) => format!("RSA-OAEP-{}", digits(hash)),
        Spec::Rsa(_, hash) => format!("RS{}", digits(hash)),
        Spec::Ec(..) | Spec::Pbkdf2 => return None,
    })
}

/// The bytes in a member.
fn member(jwk: &Json, name: &str) -> Result<Vec<u8>, Fault> {
    let text = jwk.get(name).and_then(Json::as_str);
    let bytes = text.and_then(|text| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok());
    bytes.ok_or_else(|| {
        Fault::data(format!(
            "the member {name} of the JSON key is missing or no base64url"
        ))
    })
}

/// The key in JSON.
pub(super) fn import(jwk: &Json, spec: Spec) -> Result<Material, Fault> {
    let expected = match spec {
        Spec::Aes(_) | Spec::Hmac(..) => "oct",
        Spec::Ec(..) => "EC",
        Spec::Rsa(..) => "RSA",
        Spec::Pbkdf2 => return Err(Fault::unsupported("PBKDF2 keys are imported as raw only")),
    };
    let kind = jwk.get("kty").and_then(Json::as_str).unwrap_or_default();
    if kind != expected {
        let text = format!(
            "the JSON key is of the type '{kind}'; {} needs {expected}",
            spec.name()
        );
        return Err(Fault::data(text));
    }
    match spec {
        Spec::Ec(_, curve) => {
            if jwk.get("crv").and_then(Json::as_str) != Some(curve.name()) {
                let text = format!("the JSON key is not one of the curve {}", curve.name());
                return Err(Fault::data(text));
            }
            if jwk.get("d").is_some() {
                return Material::ec_from_number(curve, &member(jwk, "d")?);
            }
            let mut point = vec![4];
            for coordinate in ["x", "y"] {
                point.extend(padded(&member(jwk, coordinate)?, curve.bytes()));
            }
            Material::ec_from_point(curve, &point)
        }
        Spec::Rsa(..) if jwk.get("d").is_none() => {
            Ok(Material::RsaPublic([member(jwk, "n")?, member(jwk, "e")?]))
        }
        Spec::Rsa(..) => {
            let mut parts: [Vec<u8>; 8] = Default::default();
            for (part, name) in parts.iter_mut().zip(RSA_MEMBERS) {
                *part = member(jwk, name)?;
            }
            Ok(Material::RsaPrivate(Box::new(parts)))
        }
        _ => Ok(Material::Secret(member(jwk, "k")?)),
    }
}

/// Refuses what the JSON key itself says it must not be used for.
pub(super) fn check(jwk: &Json, extractable: bool, usages: &[Usage]) -> Result<(), Fault> {
    if extractable && jwk.get("ext").and_then(Json::as_bool) == Some(false) {
        return Err(Fault::data(
            "the JSON key says that it must not be extractable",
        ));
    }
    if let Some(allowed) = jwk.get("key_ops").and_then(Json::as_array) {
        let wrong = usages
            .iter()
            .find(|u| !allowed.iter().any(|a| a.as_str() == Some(u.name())));
        if let Some(wrong) = wrong {
            let text = format!("the JSON key says that it is not for {}", wrong.name());
            return Err(Fault::data(text));
        }
    }
    Ok(())
}
