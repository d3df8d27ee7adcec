//! `CryptoKey`: a key with what it may be used for.

use std::rc::Rc;

use rquickjs::{
    Class, Ctx, Error, Exception, Object, Result, String as JsString, TypedArray, Value,
};

use super::fault::Fault;
use super::key::{Curve, Hash, Material};
use crate::class::{native_class, this};
use crate::native::{Call, constructor as make_constructor, getter};

/// What a key may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    Encrypt,
    Decrypt,
    Sign,
    Verify,
    DeriveKey,
    DeriveBits,
    WrapKey,
    UnwrapKey,
}

/// All usages with their names.
const USAGES: &[(Usage, &str)] = &[
    (Usage::Encrypt, "encrypt"),
    (Usage::Decrypt, "decrypt"),
    (Usage::Sign, "sign"),
    (Usage::Verify, "verify"),
    (Usage::DeriveKey, "deriveKey"),
    (Usage::DeriveBits, "deriveBits"),
    (Usage::WrapKey, "wrapKey"),
    (Usage::UnwrapKey, "unwrapKey"),
];

impl Usage {
    pub(super) fn named(name: &str) -> Option<Self> {
        USAGES
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(usage, _)| *usage)
    }

    pub(super) fn name(self) -> &'static str {
        let found = USAGES.iter().find(|(usage, _)| *usage == self);
        found.map_or("", |(_, name)| name)
    }

    pub(super) fn names() -> String {
        let names: Vec<&str> = USAGES.iter().map(|(_, name)| *name).collect();
        names.join(", ")
    }
}

/// The algorithm of a key with its parameters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spec {
    Aes(&'static str),
    /// With the bits that it says it has, when they need not be all of its bytes.
    Hmac(Hash, Option<usize>),
    Pbkdf2,
    Ec(&'static str, Curve),
    Rsa(&'static str, Hash),
}

impl Spec {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Aes(name) | Self::Ec(name, _) | Self::Rsa(name, _) => name,
            Self::Hmac(..) => "HMAC",
            Self::Pbkdf2 => "PBKDF2",
        }
    }

    /// What keys of this algorithm and kind can be used for.
    pub(super) fn usages(self, kind: &str) -> &'static [Usage] {
        use Usage::{Decrypt, DeriveBits, DeriveKey, Encrypt, Sign, UnwrapKey, Verify, WrapKey};
        match (self.name(), kind) {
            ("AES-KW", _) => &[WrapKey, UnwrapKey],
            ("AES-CBC" | "AES-CTR" | "AES-GCM", _) => &[Encrypt, Decrypt, WrapKey, UnwrapKey],
            ("HMAC", _) => &[Sign, Verify],
            ("PBKDF2", _) | ("ECDH", "private") => &[DeriveKey, DeriveBits],
            ("ECDH", _) => &[],
            ("RSA-OAEP", "private") => &[Decrypt, UnwrapKey],
            ("RSA-OAEP", _) => &[Encrypt, WrapKey],
            (_, "private") => &[Sign],
            _ => &[Verify],
        }
    }
}

/// A key.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) material: Rc<Material>,
    pub(super) spec: Spec,
    pub(super) extractable: bool,
    pub(super) usages: Vec<Usage>,
}

impl Key {
    /// A key that is used for these things.
    ///
    /// # Errors
    /// When its algorithm cannot do one of them, or when it is for nothing.
    pub(super) fn new(
        material: Material,
        spec: Spec,
        extractable: bool,
        usages: Vec<Usage>,
    ) -> std::result::Result<Self, Fault> {
        let kind = material.kind();
        let allowed = spec.usages(kind);
        if let Some(wrong) = usages.iter().find(|usage| !allowed.contains(usage)) {
            let text = format!("a {kind} key of {} cannot {}", spec.name(), wrong.name());
            return Err(Fault::syntax(text));
        }
        if usages.is_empty() && kind != "public" {
            let text = format!("a {kind} key needs at least one usage");
            return Err(Fault::syntax(text));
        }
        Ok(Self {
            material: Rc::new(material),
            spec,
            extractable,
            usages,
        })
    }

    /// Refuses a use that the key is not for, or with another algorithm than its own.
    pub(super) fn check(&self, algorithm: &str, usage: Usage) -> std::result::Result<(), Fault> {
        if self.spec.name() != algorithm {
            let text = format!("the key is one of {}, not of {algorithm}", self.spec.name());
            return Err(Fault::access(text));
        }
        if !self.usages.contains(&usage) {
            return Err(Fault::access(format!(
                "the key is not for {}",
                usage.name()
            )));
        }
        Ok(())
    }

    /// The bytes of a secret key.
    pub(super) fn secret(&self) -> std::result::Result<&[u8], Fault> {
        match &*self.material {
            Material::Secret(bytes) => Ok(bytes),
            _ => Err(Fault::access("a secret key is expected")),
        }
    }

    /// The JavaScript object.
    pub(super) fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        Ok(Class::instance(ctx.clone(), KeyObject(self))?.into_value())
    }
}

/// A key in JavaScript.
pub(super) struct KeyObject(pub(super) Key);

native_class!(KeyObject, "CryptoKey", prototype);

/// The global `CryptoKey`, which only tells what keys are.
pub(super) fn constructor<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    let prototype = Class::<KeyObject>::prototype(ctx)?.ok_or(Error::Unknown)?;
    let refuse = make_constructor(ctx, "CryptoKey", 0, &prototype, |call| {
        let text = "keys are made by generateKey(), importKey(), deriveKey() and unwrapKey()";
        Err(Exception::throw_type(call.ctx(), text))
    })?;
    Ok(refuse.into_value())
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    getter(&prototype, "type", |call| {
        let key = this::<KeyObject>(call)?;
        let kind = key.borrow().0.material.kind();
        Ok(JsString::from_str(call.ctx().clone(), kind)?.into_value())
    })?;
    getter(&prototype, "extractable", |call| {
        let extractable = this::<KeyObject>(call)?.borrow().0.extractable;
        Ok(Value::new_bool(call.ctx().clone(), extractable))
    })?;
    getter(&prototype, "algorithm", algorithm)?;
    getter(&prototype, "usages", |call| {
        let key = this::<KeyObject>(call)?;
        let names: Vec<&str> = key.borrow().0.usages.iter().map(|u| u.name()).collect();
        rquickjs::IntoJs::into_js(names, call.ctx())
    })?;
    Ok(prototype)
}

fn algorithm<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let key = this::<KeyObject>(call)?.borrow().0.clone();
    let object = Object::new(ctx.clone())?;
    object.set("name", key.spec.name())?;
    let set_hash = |hash: Hash| -> Result<()> {
        let shown = Object::new(ctx.clone())?;
        shown.set("name", hash.name())?;
        object.set("hash", shown)
    };
    match key.spec {
        Spec::Aes(_) => object.set("length", key.secret().map_or(0, |s| s.len() * 8))?,
        Spec::Hmac(hash, bits) => {
            set_hash(hash)?;
            let whole = key.secret().map_or(0, |s| s.len() * 8);
            object.set("length", bits.unwrap_or(whole))?;
        }
        Spec::Pbkdf2 => {}
        Spec::Ec(_, curve) => object.set("namedCurve", curve.name())?,
        Spec::Rsa(_, hash) => {
            object.set("modulusLength", key.material.modulus_bits())?;
            let exponent = match &*key.material {
                Material::RsaPublic(parts) => parts[1].clone(),
                Material::RsaPrivate(parts) => parts[1].clone(),
                _ => Vec::new(),
            };
            object.set(
                "publicExponent",
                TypedArray::<u8>::new(ctx.clone(), exponent)?,
            )?;
            set_hash(hash)?;
        }
    }
    Ok(object.into_value())
}
