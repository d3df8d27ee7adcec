//! The global `crypto`: random values, and `crypto.subtle` with AES, HMAC, RSA, ECDSA, ECDH and PBKDF2.
//!
//! Here the operations meet JavaScript: `arguments` reads what they are given, `object` has keys as scripts see them,
//! `jwk` their JSON. The work itself is in `ciphers`, `signatures` and `key`, which know no JavaScript. Made when a
//! script first looks at `crypto`.

mod arguments;
mod ciphers;
mod der;
mod fault;
mod jwk;
mod key;
mod object;
mod operations;
mod rsa;
mod signatures;

use rquickjs::object::Property;
use rquickjs::{ArrayBuffer, Coerced, Ctx, Object, Result, String as JsString, Value};

use super::crypto::hash;
use crate::globals::bytes;
use crate::native::{Call, accessor, function};
use crate::promises::settled;
use fault::{Fault, Trouble};

/// Bytes that getRandomValues fills at most, as the standard says.
const RANDOM_BYTES_LIMIT: usize = 65_536;

/// What an operation gives.
enum Outcome {
    Bytes(Vec<u8>),
    Flag(bool),
    Key(object::Key),
    /// A private and a public one.
    Pair(object::Key, object::Key),
    Json(serde_json::Value),
}

impl Outcome {
    fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        match self {
            Self::Bytes(bytes) => Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value()),
            Self::Flag(flag) => Ok(Value::new_bool(ctx.clone(), flag)),
            Self::Key(key) => key.into_value(ctx),
            Self::Pair(private, public) => {
                let pair = Object::new(ctx.clone())?;
                pair.set("privateKey", private.into_value(ctx)?)?;
                pair.set("publicKey", public.into_value(ctx)?)?;
                Ok(pair.into_value())
            }
            Self::Json(json) => ctx.json_parse(json.to_string()),
        }
    }
}

/// Defines the globals `crypto` and `CryptoKey`, which are made when they are first looked at.
pub(crate) fn define(globals: &Object<'_>) -> Result<()> {
    accessor(
        globals,
        "crypto",
        |call| keep(call, "crypto", make(call.ctx())?),
        Some(set_crypto),
    )?;
    accessor(
        globals,
        "CryptoKey",
        |call| keep(call, "CryptoKey", object::constructor(call.ctx())?),
        Some(set_crypto_key),
    )
}

fn set_crypto<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    keep(call, "crypto", call.arg(0))?;
    call.undefined()
}

fn set_crypto_key<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    keep(call, "CryptoKey", call.arg(0))?;
    call.undefined()
}

/// Puts a value in the place of the accessor.
fn keep<'js>(call: &Call<'_, 'js>, name: &str, value: Value<'js>) -> Result<Value<'js>> {
    let property = Property::from(value.clone()).writable().configurable();
    call.ctx().globals().prop(name, property)?;
    Ok(value)
}

fn make<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    let crypto = Object::new(ctx.clone())?;
    let values = function(ctx, "getRandomValues", 1, get_random_values)?;
    crypto.set("getRandomValues", values)?;
    crypto.set("randomUUID", function(ctx, "randomUUID", 0, random_uuid)?)?;
    let subtle = Object::new(ctx.clone())?;
    /// An operation as a function that returns a promise.
    macro_rules! operation {
        ($name:literal, $length:literal, $run:path) => {
            subtle.set(
                $name,
                function(ctx, $name, $length, |call| settle(call, $run))?,
            )?
        };
    }
    operation!("encrypt", 3, operations::encrypt);
    operation!("decrypt", 3, operations::decrypt);
    operation!("sign", 3, operations::sign);
    operation!("verify", 4, operations::verify);
    operation!("digest", 2, operations::digest);
    operation!("generateKey", 3, operations::generate_key);
    operation!("deriveKey", 5, operations::derive_key);
    operation!("deriveBits", 3, operations::derive_bits);
    operation!("importKey", 5, operations::import_key);
    operation!("exportKey", 2, operations::export_key);
    operation!("wrapKey", 4, operations::wrap_key);
    operation!("unwrapKey", 7, operations::unwrap_key);
    crypto.set("subtle", subtle)?;
    Ok(crypto.into_value())
}

/// A promise that is settled already: no operation takes long enough to let the VU do something else meanwhile.
fn settle<'js>(
    call: &Call<'_, 'js>,
    run: impl FnOnce(&Call<'_, 'js>) -> std::result::Result<Outcome, Trouble>,
) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let done = run(call).and_then(|outcome| Ok(outcome.into_value(ctx)?));
    let done = done.map_err(|trouble| match trouble {
        Trouble::Fault(fault) => fault.throw(ctx),
        Trouble::Thrown(error) => error,
    });
    settled(ctx, done)
}

fn get_random_values<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, given) = (call.ctx(), call.arg(0));
    let refuse = |fault: Fault| Err(fault.throw(ctx));
    let name = match given.as_object() {
        Some(object) => object
            .get::<_, Option<Object<'js>>>("constructor")?
            .map(|class| class.get::<_, Coerced<String>>("name"))
            .transpose()?,
        None => None,
    };
    let is_integers = name.is_some_and(|name| {
        let name = name.0;
        name.ends_with("Array") && !name.starts_with("Float") && name != "Array"
    });
    let (Some(array), true) = (given.as_object(), is_integers) else {
        return refuse(Fault::kind(
            "getRandomValues() fills typed arrays of integers only",
        ));
    };
    let (buffer, start, length): (ArrayBuffer<'js>, usize, usize) = (
        array.get("buffer")?,
        array.get("byteOffset")?,
        array.get("byteLength")?,
    );
    if length > RANDOM_BYTES_LIMIT {
        let text =
            format!("getRandomValues() fills at most {RANDOM_BYTES_LIMIT} bytes, not {length}");
        return refuse(Fault::quota(text));
    }
    let mut random = vec![0; length];
    if let Err(error) = aws_lc_rs::rand::fill(&mut random) {
        return refuse(error.into());
    }
    bytes::write(&buffer, start, &random);
    Ok(given)
}

fn random_uuid<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let mut random = [0; 16];
    if let Err(error) = aws_lc_rs::rand::fill(&mut random) {
        return Err(Fault::from(error).throw(call.ctx()));
    }
    // Version 4, variant 1 (RFC 9562, 5.4).
    random[6] = random[6] & 0x0f | 0x40;
    random[8] = random[8] & 0x3f | 0x80;
    let hex = hash::hex(&random);
    let uuid = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-");
    Ok(JsString::from_str(call.ctx().clone(), &uuid)?.into_value())
}
