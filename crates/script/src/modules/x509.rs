//! The module `k6/crypto/x509`: what is written in a certificate.

use std::net::IpAddr;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rquickjs::{Coerced, Ctx, Exception, Function, Object, Result, Value};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer;
use x509_parser::public_key::PublicKey;
use x509_parser::time::ASN1Time;
use x509_parser::x509::X509Name;

use crate::native::{Call, function};

/// The parts of names that have members of their own.
const COUNTRY: &str = "2.5.4.6";
const STATE: &str = "2.5.4.8";
const LOCALITY: &str = "2.5.4.7";
const STREET: &str = "2.5.4.9";
const POSTAL_CODE: &str = "2.5.4.17";
const ORGANIZATION: &str = "2.5.4.10";
const UNIT: &str = "2.5.4.11";
const COMMON_NAME: &str = "2.5.4.3";

/// Algorithms of signatures by their numbers.
const SIGNATURES: &[(&str, &str)] = &[
    ("1.2.840.113549.1.1.4", "MD5-RSA"),
    ("1.2.840.113549.1.1.5", "SHA1-RSA"),
    ("1.2.840.113549.1.1.10", "RSA-PSS"),
    ("1.2.840.113549.1.1.11", "SHA256-RSA"),
    ("1.2.840.113549.1.1.12", "SHA384-RSA"),
    ("1.2.840.113549.1.1.13", "SHA512-RSA"),
    ("1.2.840.10045.4.1", "ECDSA-SHA1"),
    ("1.2.840.10045.4.3.2", "ECDSA-SHA256"),
    ("1.2.840.10045.4.3.3", "ECDSA-SHA384"),
    ("1.2.840.10045.4.3.4", "ECDSA-SHA512"),
    ("1.3.101.112", "Ed25519"),
];

pub(crate) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    let parse = function(ctx, "parse", 1, |call| with(call, describe))?;
    exports.set("parse", parse)?;
    let alternatives = function(ctx, "getAltNames", 1, |call| {
        with(call, |ctx, certificate| {
            rquickjs::IntoJs::into_js(alternatives(ctx, certificate)?, ctx)
        })
    })?;
    exports.set("getAltNames", alternatives)?;
    let issuer = function(ctx, "getIssuer", 1, |call| {
        with(call, |ctx, c| Ok(name(ctx, c.issuer())?.into_value()))
    })?;
    exports.set("getIssuer", issuer)?;
    let subject = function(ctx, "getSubject", 1, |call| {
        with(call, |ctx, c| Ok(subject(ctx, c.subject())?.into_value()))
    })?;
    exports.set("getSubject", subject)?;
    Ok(exports)
}

/// The bytes between the lines `BEGIN` and `END` of the first block.
fn decode(pem: &str) -> Option<Vec<u8>> {
    let (_, rest) = pem.split_once("-----BEGIN ")?;
    let (_, rest) = rest.split_once("-----")?;
    let (body, _) = rest.split_once("-----END ")?;
    let body: String = body.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(body).ok()
}

/// Reads the certificate that a function got.
fn with<'js>(
    call: &Call<'_, 'js>,
    read: impl FnOnce(&Ctx<'js>, &X509Certificate<'_>) -> Result<Value<'js>>,
) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let pem = match call.arg(0) {
        none if none.is_undefined() || none.is_null() => String::new(),
        given => given.get::<Coerced<String>>()?.0,
    };
    let refuse = |text: &str| Err(Exception::throw_message(ctx, text));
    let Some(der) = decode(&pem) else {
        return refuse(
            "failed to decode certificate PEM file: it needs the lines BEGIN CERTIFICATE and END CERTIFICATE",
        );
    };
    match X509Certificate::from_der(&der) {
        Ok((_, certificate)) => read(ctx, &certificate),
        Err(error) => refuse(&format!("failed to parse certificate: {error}")),
    }
}

fn describe<'js>(ctx: &Ctx<'js>, certificate: &X509Certificate<'_>) -> Result<Value<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("subject", subject(ctx, certificate.subject())?)?;
    object.set("issuer", name(ctx, certificate.issuer())?)?;
    let validity = certificate.validity();
    object.set("notBefore", time(validity.not_before))?;
    object.set("notAfter", time(validity.not_after))?;
    object.set("altNames", alternatives(ctx, certificate)?)?;
    let number = certificate.signature_algorithm.algorithm.to_id_string();
    let known = SIGNATURES.iter().find(|(known, _)| *known == number);
    object.set(
        "signatureAlgorithm",
        known.map_or(number.as_str(), |(_, name)| name),
    )?;
    let print = digest(&SHA1_FOR_LEGACY_USE_ONLY, certificate.as_raw());
    object.set("fingerPrint", print.as_ref().to_vec())?;
    object.set("publicKey", public_key(ctx, certificate)?)?;
    Ok(object.into_value())
}

/// As RFC 3339 writes it.
fn time(time: ASN1Time) -> String {
    let time = jiff::Timestamp::from_second(time.timestamp());
    time.map_or_else(|_| String::new(), |time| time.to_string())
}

/// The values in a name that are of one kind.
fn values(name: &X509Name<'_>, kind: &str) -> Vec<String> {
    let all = name.iter_attributes();
    let fitting = all.filter(|a| a.attr_type().to_id_string() == kind);
    fitting
        .map(|a| a.as_str().unwrap_or_default().to_owned())
        .collect()
}

fn first(name: &X509Name<'_>, kind: &str) -> String {
    values(name, kind).into_iter().next().unwrap_or_default()
}

fn name<'js>(ctx: &Ctx<'js>, name: &X509Name<'_>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("commonName", first(name, COMMON_NAME))?;
    object.set("country", first(name, COUNTRY))?;
    object.set("localityName", first(name, LOCALITY))?;
    object.set("organizationName", first(name, ORGANIZATION))?;
    object.set("stateOrProvinceName", first(name, STATE))?;
    let names = rquickjs::Array::new(ctx.clone())?;
    for (at, attribute) in name.iter_attributes().enumerate() {
        let one = Object::new(ctx.clone())?;
        one.set("type", attribute.attr_type().to_id_string())?;
        one.set("value", attribute.as_str().unwrap_or_default())?;
        names.set(at, one)?;
    }
    object.set("names", names)?;
    Ok(object)
}

fn subject<'js>(ctx: &Ctx<'js>, subject: &X509Name<'_>) -> Result<Object<'js>> {
    let object = name(ctx, subject)?;
    object.set("organizationalUnitName", values(subject, UNIT))?;
    object.set("postalCode", first(subject, POSTAL_CODE))?;
    object.set("streetAddress", first(subject, STREET))?;
    Ok(object)
}

/// Names of hosts, mail addresses, IP addresses and URIs, in this order.
fn alternatives(ctx: &Ctx<'_>, certificate: &X509Certificate<'_>) -> Result<Vec<String>> {
    let extension = certificate.subject_alternative_name().map_err(|error| {
        let text = format!("failed to parse certificate: {error}");
        Exception::throw_message(ctx, &text)
    })?;
    let mut kinds: [Vec<String>; 4] = Default::default();
    for name in extension.iter().flat_map(|e| &e.value.general_names) {
        match name {
            GeneralName::DNSName(name) => kinds[0].push((*name).to_owned()),
            GeneralName::RFC822Name(name) => kinds[1].push((*name).to_owned()),
            GeneralName::IPAddress(bytes) => kinds[2].extend(address(bytes)),
            GeneralName::URI(name) => kinds[3].push((*name).to_owned()),
            _ => {}
        }
    }
    Ok(kinds.concat())
}

fn address(bytes: &[u8]) -> Option<String> {
    let address: IpAddr = match bytes.len() {
        4 => <[u8; 4]>::try_from(bytes).ok()?.into(),
        16 => <[u8; 16]>::try_from(bytes).ok()?.into(),
        _ => return None,
    };
    Some(address.to_string())
}

fn public_key<'js>(ctx: &Ctx<'js>, certificate: &X509Certificate<'_>) -> Result<Object<'js>> {
    let key = Object::new(ctx.clone())?;
    let algorithm = match certificate.public_key().parsed() {
        Ok(PublicKey::RSA(rsa)) => {
            let exponent = rsa
                .exponent
                .iter()
                .fold(0_u64, |e, b| e << 8 | u64::from(*b));
            key.set("e", exponent as f64)?;
            key.set("n", large(ctx, rsa.modulus)?)?;
            "RSA"
        }
        Ok(PublicKey::EC(point)) => {
            // One byte that says that nothing is compressed, then both coordinates.
            let coordinates = point.data().get(1..).unwrap_or_default();
            let (x, y) = coordinates.split_at(coordinates.len() / 2);
            key.set("x", large(ctx, x)?)?;
            key.set("y", large(ctx, y)?)?;
            "ECDSA"
        }
        _ => {
            return Err(Exception::throw_message(
                ctx,
                "unsupported public key algorithm",
            ));
        }
    };
    let object = Object::new(ctx.clone())?;
    object.set("algorithm", algorithm)?;
    object.set("key", key)?;
    Ok(object)
}

/// A big-endian number as a BigInt.
fn large<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    let make: Function<'js> = ctx.globals().get("BigInt")?;
    make.call((format!("0x{}", super::crypto::hash::hex(bytes)),))
}
