//! What scripts give to operations: algorithms by name or as objects, data, keys, usages.

use rquickjs::{Array, Class, Coerced, Object, Value};

use super::fault::{Fault, Trouble};
use super::key::{Curve, Hash};
use super::object::{Key, KeyObject, Usage};
use crate::globals::bytes;
use crate::native::Call;

/// The algorithms there are.
const ALGORITHMS: &[&str] = &[
    "AES-CBC",
    "AES-CTR",
    "AES-GCM",
    "AES-KW",
    "HMAC",
    "RSASSA-PKCS1-v1_5",
    "RSA-PSS",
    "RSA-OAEP",
    "ECDSA",
    "ECDH",
    "PBKDF2",
];

/// An algorithm with its parameters.
pub(super) struct Algorithm<'js> {
    /// The name as the standard writes it.
    pub(super) name: &'static str,
    parameters: Option<Object<'js>>,
}

/// The name in a text or in the member `name` of an object.
fn name_of(value: &Value<'_>, what: &str) -> Result<String, Trouble> {
    let name = match (value.as_string(), value.as_object()) {
        (Some(name), _) => Some(name.to_string()?),
        (_, Some(object)) => match object.get::<_, Value<'_>>("name")?.as_string() {
            Some(name) => Some(name.to_string()?),
            None => None,
        },
        _ => None,
    };
    let text = || format!("{what} must be a name or an object with a name");
    Ok(name.ok_or_else(|| Fault::syntax(text()))?)
}

impl<'js> Algorithm<'js> {
    /// The argument at `index`.
    pub(super) fn given(call: &Call<'_, 'js>, index: usize) -> Result<Self, Trouble> {
        let value = call.arg(index);
        let name = name_of(&value, "the algorithm")?;
        let known = ALGORITHMS
            .iter()
            .find(|known| known.eq_ignore_ascii_case(&name));
        let Some(known) = known else {
            let text = format!(
                "there is no algorithm {name}; there are {}",
                ALGORITHMS.join(", ")
            );
            return Err(Fault::unsupported(text).into());
        };
        Ok(Self {
            name: known,
            parameters: value.into_object(),
        })
    }

    fn value(&self, name: &str) -> Result<Option<Value<'js>>, Trouble> {
        let Some(parameters) = &self.parameters else {
            return Ok(None);
        };
        let value: Value<'js> = parameters.get(name)?;
        Ok((!value.is_undefined() && !value.is_null()).then_some(value))
    }

    fn missing(&self, name: &str, what: &str) -> Trouble {
        Fault::syntax(format!("{} needs {name}, {what}", self.name)).into()
    }

    /// Bytes that may be left out.
    pub(super) fn optional_bytes(&self, name: &str) -> Result<Vec<u8>, Trouble> {
        let Some(value) = self.value(name)? else {
            return Ok(Vec::new());
        };
        Ok(data_of(&value, name)?)
    }

    /// Bytes that must be there.
    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>, Trouble> {
        match self.value(name)? {
            Some(value) => Ok(data_of(&value, name)?),
            None => {
                let text = format!(
                    "{} needs {name}, an ArrayBuffer or a view on one",
                    self.name
                );
                Err(Fault::operation(text).into())
            }
        }
    }

    /// A number that may be left out.
    pub(super) fn optional_number(&self, name: &str) -> Result<Option<usize>, Trouble> {
        let Some(value) = self.value(name)? else {
            return Ok(None);
        };
        let number = value.get::<Coerced<f64>>()?.0;
        if !(0.0..=f64::from(u32::MAX)).contains(&number) || number.fract() != 0.0 {
            let text = format!("{name} must be a whole number from 0, not {number}");
            return Err(Fault::operation(text).into());
        }
        Ok(Some(number as usize))
    }

    /// A number that must be there.
    pub(super) fn number(&self, name: &str) -> Result<usize, Trouble> {
        match self.optional_number(name)? {
            Some(number) => Ok(number),
            None => Err(self.missing(name, "a number")),
        }
    }

    /// The hash function.
    pub(super) fn hash(&self) -> Result<Hash, Trouble> {
        match self.value("hash")? {
            Some(value) => Ok(hash_of(&value)?),
            None => Err(self.missing("hash", "the name of a hash function")),
        }
    }

    /// The curve.
    pub(super) fn curve(&self) -> Result<Curve, Trouble> {
        let Some(value) = self.value("namedCurve")? else {
            return Err(self.missing("namedCurve", "the name of a curve"));
        };
        let name = value.get::<Coerced<String>>()?.0;
        Curve::named(&name).ok_or_else(|| {
            let text = format!("there is no curve {name}; there are P-256, P-384 and P-521");
            Fault::unsupported(text).into()
        })
    }

    /// The key of the other side.
    pub(super) fn public(&self) -> Result<Key, Trouble> {
        match self.value("public")? {
            Some(value) => key_of(&value),
            None => Err(self.missing("public", "the public key of the other side")),
        }
    }
}

/// The hash function that a value names.
pub(super) fn hash_of(value: &Value<'_>) -> Result<Hash, Trouble> {
    let name = name_of(value, "the hash function")?;
    Hash::named(&name).ok_or_else(|| {
        let text = format!(
            "there is no hash function {name}; there are SHA-1, SHA-256, SHA-384 and SHA-512"
        );
        Fault::unsupported(text).into()
    })
}

/// The bytes of an ArrayBuffer or a view; texts are refused, as the standard says.
pub(super) fn data_of(value: &Value<'_>, what: &str) -> Result<Vec<u8>, Fault> {
    let found = value.is_object().then(|| bytes::of(value)).flatten();
    found.ok_or_else(|| {
        let kind = bytes::type_name(value);
        Fault::kind(format!(
            "{what} must be an ArrayBuffer or a view on one, not {kind}"
        ))
    })
}

/// The data at `index`.
pub(super) fn data(call: &Call<'_, '_>, index: usize) -> Result<Vec<u8>, Trouble> {
    Ok(data_of(&call.arg(index), "the data")?)
}

fn key_of(value: &Value<'_>) -> Result<Key, Trouble> {
    let key = value.as_object().and_then(Class::<KeyObject>::from_object);
    match key {
        Some(key) => Ok(key.borrow().0.clone()),
        None => Err(Fault::kind("a CryptoKey is expected").into()),
    }
}

/// The key at `index`.
pub(super) fn key(call: &Call<'_, '_>, index: usize) -> Result<Key, Trouble> {
    key_of(&call.arg(index))
}

/// The text at `index`.
pub(super) fn text(call: &Call<'_, '_>, index: usize) -> Result<String, Trouble> {
    Ok(call.arg(index).get::<Coerced<String>>()?.0)
}

/// The truth value at `index`.
pub(super) fn flag(call: &Call<'_, '_>, index: usize) -> Result<bool, Trouble> {
    Ok(call.arg(index).get::<Coerced<bool>>()?.0)
}

/// The usages at `index`.
pub(super) fn usages(call: &Call<'_, '_>, index: usize) -> Result<Vec<Usage>, Trouble> {
    let given = call.arg(index);
    let Some(array) = given.as_array() else {
        return Err(Fault::kind("the usages of a key must be an array").into());
    };
    let mut usages = Vec::new();
    for name in Array::iter::<Coerced<String>>(array) {
        let name = name?.0;
        let Some(usage) = Usage::named(&name) else {
            let text = format!("there is no usage {name}; there are {}", Usage::names());
            return Err(Fault::syntax(text).into());
        };
        if !usages.contains(&usage) {
            usages.push(usage);
        }
    }
    Ok(usages)
}
