//! The module `k6/crypto`: hashes, keyed hashes and random bytes.
//!
//! Hashing is in `hash`. The global `crypto` is another thing and lives in `globals`.

pub(crate) mod hash;

use std::cell::RefCell;

use rquickjs::{
    ArrayBuffer, Class, Coerced, Ctx, Exception, Object, Result, String as JsString, Value,
};

use crate::class::{native_class, this};
use crate::globals::bytes;
use crate::native::{Call, Native, method};
use hash::{Algorithm, Encoding, Hasher};

/// Random bytes per call at most.
const RANDOM_BYTES_LIMIT: f64 = 67_108_864.0;

/// What data and keys are called in messages.
const DATA: &str = "the data to hash";
const KEY: &str = "the key";

/// The object that createHash and createHMAC return.
struct HasherObject(RefCell<Hasher>);

native_class!(HasherObject, "Hasher", prototype);

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    let mut add = Exporter(&exports);
    add.function("createHash", 1, create_hash)?;
    add.function("createHMAC", 2, create_hmac)?;
    add.function("hmac", 4, hmac)?;
    add.function("randomBytes", 1, random_bytes)?;
    add.function("hexEncode", 1, |call| {
        let data = bytes::given(&call.arg(0), "the data to encode")?;
        text(call.ctx(), &hash::hex(&data))
    })?;
    add.function("md4", 2, |call| one_shot(call, Algorithm::Md4))?;
    add.function("md5", 2, |call| one_shot(call, Algorithm::Md5))?;
    add.function("sha1", 2, |call| one_shot(call, Algorithm::Sha1))?;
    add.function("sha256", 2, |call| one_shot(call, Algorithm::Sha256))?;
    add.function("sha384", 2, |call| one_shot(call, Algorithm::Sha384))?;
    add.function("sha512", 2, |call| one_shot(call, Algorithm::Sha512))?;
    add.function("sha512_224", 2, |call| {
        one_shot(call, Algorithm::Sha512With224)
    })?;
    add.function("sha512_256", 2, |call| {
        one_shot(call, Algorithm::Sha512With256)
    })?;
    add.function("ripemd160", 2, |call| one_shot(call, Algorithm::Ripemd160))?;
    Ok(exports)
}

/// Puts functions on an object under their own names.
struct Exporter<'a, 'js>(&'a Object<'js>);

impl Exporter<'_, '_> {
    fn function<F: Native>(&mut self, name: &str, length: u8, native: F) -> Result<()> {
        self.0
            .set(name, method(self.0.ctx(), name, length, native)?)
    }
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    let mut add = Exporter(&prototype);
    add.function("update", 1, |call| {
        let hasher = this::<HasherObject>(call)?;
        let data = bytes::given(&call.arg(0), DATA)?;
        hasher.borrow().0.borrow_mut().update(&data);
        call.undefined()
    })?;
    add.function("digest", 1, |call| {
        let hasher = this::<HasherObject>(call)?;
        let encoding = encoding(call, 0)?;
        let digest = hasher.borrow().0.borrow().digest();
        encoded(call.ctx(), &digest, encoding)
    })?;
    Ok(prototype)
}

fn algorithm(call: &Call<'_, '_>) -> Result<Algorithm> {
    let name = call.arg(0).get::<Coerced<String>>()?.0;
    Algorithm::named(&name).ok_or_else(|| {
        let text = format!(
            "invalid algorithm: {name}; there are md4, md5, sha1, sha256, sha384, sha512, sha512_224, sha512_256 \
             and ripemd160"
        );
        Exception::throw_message(call.ctx(), &text)
    })
}

fn encoding(call: &Call<'_, '_>, index: usize) -> Result<Encoding> {
    let name = match call.arg(index) {
        none if none.is_undefined() => String::new(),
        name => name.get::<Coerced<String>>()?.0,
    };
    Encoding::named(&name).ok_or_else(|| {
        let text = format!(
            "invalid output encoding: {name}; there are hex, base64, base64url, base64rawurl and binary"
        );
        Exception::throw_message(call.ctx(), &text)
    })
}

fn text<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    Ok(JsString::from_str(ctx.clone(), text)?.into_value())
}

fn encoded<'js>(ctx: &Ctx<'js>, digest: &[u8], encoding: Encoding) -> Result<Value<'js>> {
    match encoding.text(digest) {
        Some(encoded) => text(ctx, &encoded),
        None => Ok(ArrayBuffer::new_copy(ctx.clone(), digest)?.into_value()),
    }
}

fn one_shot<'js>(call: &Call<'_, 'js>, algorithm: Algorithm) -> Result<Value<'js>> {
    let data = bytes::given(&call.arg(0), DATA)?;
    let encoding = encoding(call, 1)?;
    encoded(call.ctx(), &algorithm.digest(&data), encoding)
}

fn object<'js>(call: &Call<'_, 'js>, hasher: Hasher) -> Result<Value<'js>> {
    let object = HasherObject(RefCell::new(hasher));
    Ok(Class::instance(call.ctx().clone(), object)?.into_value())
}

fn create_hash<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    object(call, Hasher::plain(algorithm(call)?))
}

fn create_hmac<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let algorithm = algorithm(call)?;
    let key = bytes::given(&call.arg(1), KEY)?;
    object(call, Hasher::keyed(algorithm, &key))
}

fn hmac<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let algorithm = algorithm(call)?;
    let key = bytes::given(&call.arg(1), KEY)?;
    let mut hasher = Hasher::keyed(algorithm, &key);
    hasher.update(&bytes::given(&call.arg(2), DATA)?);
    let encoding = encoding(call, 3)?;
    encoded(call.ctx(), &hasher.digest(), encoding)
}

fn random_bytes<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let count = call.arg(0).get::<Coerced<f64>>()?.0.trunc();
    // Also what is not a number.
    if !(1.0..=RANDOM_BYTES_LIMIT).contains(&count) {
        let text = format!("invalid size: randomBytes() gives 1 to {RANDOM_BYTES_LIMIT} bytes");
        return Err(Exception::throw_range(call.ctx(), &text));
    }
    let mut random = vec![0; count as usize];
    aws_lc_rs::rand::fill(&mut random)
        .map_err(|_| Exception::throw_message(call.ctx(), "the system gives no random bytes"))?;
    Ok(ArrayBuffer::new(call.ctx().clone(), random)?.into_value())
}
