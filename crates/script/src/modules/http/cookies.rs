//! Cookies: the jar as scripts see it, the cookies of single requests, and how both are shown.

use std::cell::RefCell;
use std::rc::Rc;

use netload_http::{Exchange, Jar, RequestCookie, SetCookie, Url, parse_http_date};
use rquickjs::class::{JsClass, Readable, Trace, Tracer};
use rquickjs::function::Constructor;
use rquickjs::{Class, Coerced, Ctx, Exception, Object, Result, Value};

use crate::context::VuContext;
use crate::lifetime::without_js;
use crate::native::{Call, constructor, function, method};

/// What scripts see as `expires` (milliseconds since 1970) of a cookie that has none.
const NO_EXPIRY_MS: i64 = -6_795_364_578_871;

/// A jar that a VU, its requests in flight and the script share.
#[derive(Clone, Debug, Default)]
pub(super) struct JarRef(Rc<RefCell<Jar>>);

impl JarRef {
    /// Forgets all cookies; a script or request that still holds the jar keeps it as it is.
    pub(super) fn renew(&mut self) {
        if Rc::strong_count(&self.0) > 1 {
            *self = Self::default();
        } else {
            self.0.borrow_mut().clear_all();
        }
    }

    /// Whether there is no cookie in it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// The jar itself.
    pub(super) fn cell(&self) -> &RefCell<Jar> {
        &self.0
    }

    /// The jar behind a value, none when it is no jar.
    pub(super) fn from_value(value: &Value<'_>) -> Option<Self> {
        let class = Class::<CookieJar>::from_value(value).ok()?;
        let jar = class.borrow().0.clone();
        Some(jar)
    }
}

/// The class `http.CookieJar`.
struct CookieJar(JarRef);

impl<'js> Trace<'js> for CookieJar {
    fn trace<'a>(&self, _tracer: Tracer<'a, 'js>) {}
}

without_js!(CookieJar);

impl<'js> JsClass<'js> for CookieJar {
    const NAME: &'static str = "CookieJar";
    type Mutable = Readable;

    fn prototype(ctx: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        let prototype = Object::new(ctx.clone())?;
        prototype.set("clear", method(ctx, "clear", 1, clear)?)?;
        prototype.set(
            "cookiesForURL",
            method(ctx, "cookiesForURL", 1, cookies_for_url)?,
        )?;
        prototype.set("delete", method(ctx, "delete", 2, delete)?)?;
        prototype.set("set", method(ctx, "set", 4, set)?)?;
        Ok(Some(prototype))
    }

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

/// Adds `cookieJar` and `CookieJar` to the module.
pub(super) fn install<'js>(ctx: &Ctx<'js>, exports: &Object<'js>) -> Result<()> {
    exports.set("cookieJar", function(ctx, "cookieJar", 0, cookie_jar)?)?;
    if let Some(prototype) = Class::<CookieJar>::prototype(ctx)? {
        let class = constructor(ctx, "CookieJar", 0, &prototype, new_jar)?;
        exports.set("CookieJar", class)?;
    }
    Ok(())
}

fn new_jar<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let jar = Class::instance(call.ctx().clone(), CookieJar(JarRef::default()))?;
    Ok(jar.into_value())
}

/// `http.cookieJar()`: the jar of the VU's current iteration.
fn cookie_jar<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    call.vu().running(call.ctx(), "http.cookieJar()")?;
    let jar = call.vu().http_state.jar.borrow().clone();
    Ok(Class::instance(call.ctx().clone(), CookieJar(jar))?.into_value())
}

/// The jar that a method was called on, and the URL in its first argument.
fn receiver(call: &Call<'_, '_>) -> Result<(JarRef, Url, i64)> {
    let Some(jar) = JarRef::from_value(&call.this()) else {
        let text = "this is a method of cookie jars";
        return Err(Exception::throw_type(call.ctx(), text));
    };
    let url = call.arg(0).get::<Coerced<String>>()?.0;
    let url =
        Url::parse(&url).map_err(|error| Exception::throw_message(call.ctx(), &error.detail()))?;
    Ok((jar, url, unix_s(call.vu())))
}

fn unix_s(vu: &VuContext) -> i64 {
    (vu.stamp().unix_ns / 1_000_000_000) as i64
}

fn cookies_for_url<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (jar, url, now_s) = receiver(call)?;
    let found = Object::new(call.ctx().clone())?;
    for (name, value) in jar.0.borrow().cookies_for(&url, now_s) {
        let mut values: Vec<String> = found.get::<_, Option<_>>(name)?.unwrap_or_default();
        values.push(value.to_owned());
        found.set(name, values)?;
    }
    Ok(found.into_value())
}

fn set<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (jar, url, now_s) = receiver(call)?;
    let mut cookie = SetCookie {
        name: call.arg(1).get::<Coerced<String>>()?.0,
        value: call.arg(2).get::<Coerced<String>>()?.0,
        ..SetCookie::default()
    };
    if let Some(options) = call.arg(3).as_object() {
        read_options(call.ctx(), options, &mut cookie)?;
    }
    jar.0.borrow_mut().set(&url, &cookie, now_s);
    Ok(Value::new_bool(call.ctx().clone(), true))
}

fn read_options<'js>(ctx: &Ctx<'js>, options: &Object<'js>, cookie: &mut SetCookie) -> Result<()> {
    for property in options.props::<String, Value<'js>>() {
        let (key, value) = property?;
        let text = || value.get::<Coerced<String>>().map(|text| text.0);
        let truth = || value.get::<Coerced<bool>>().map(|truth| truth.0);
        match key.as_str() {
            "domain" => cookie.domain = text()?,
            "path" => cookie.path = text()?,
            "secure" => cookie.secure = truth()?,
            "http_only" => cookie.http_only = truth()?,
            "max_age" => {
                let age_s = value.get::<Coerced<f64>>()?.0 as i64;
                // 0 means that none is given.
                cookie.max_age_s = Some(age_s).filter(|age_s| *age_s != 0);
            }
            "expires" => {
                let text = text()?;
                cookie.expires_s = Some(parse_http_date(&text).ok_or_else(|| {
                    let text = format!(
                        "unable to parse \"expires\" date string {text:?}, \
                         write it like \"Mon, 02 Jan 2006 15:04:05 GMT\""
                    );
                    Exception::throw_message(ctx, &text)
                })?);
            }
            _ => {}
        }
    }
    Ok(())
}

fn delete<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (jar, url, now_s) = receiver(call)?;
    let name = call.arg(1).get::<Coerced<String>>()?.0;
    jar.0.borrow_mut().delete(&url, &name, now_s);
    call.undefined()
}

fn clear<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (jar, url, now_s) = receiver(call)?;
    jar.0.borrow_mut().clear(&url, now_s);
    call.undefined()
}

/// The parameter `cookies`: `{name: value or {value, replace}}`.
pub(super) fn parameters(value: &Value<'_>) -> Result<Vec<RequestCookie>> {
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
            Some(detailed) => {
                let value: Option<Coerced<String>> = detailed.get("value")?;
                let replace = detailed.get::<_, Coerced<bool>>("replace")?.0;
                (value.map_or_else(String::new, |text| text.0), replace)
            }
            None => (value.get::<Coerced<String>>()?.0, false),
        };
        cookies.push(RequestCookie {
            name,
            value,
            replace,
        });
    }
    Ok(cookies)
}

/// Names and values of the cookies that go out with a request: its own, then those of the jar.
pub(super) fn outgoing(
    jar: &JarRef,
    url: &Url,
    own: &[RequestCookie],
    now_s: i64,
) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = own
        .iter()
        .map(|cookie| (cookie.name.clone(), cookie.value.clone()))
        .collect();
    let replaced = |name: &str| own.iter().any(|c| c.replace && c.name == name);
    let jar = jar.0.borrow();
    if !jar.is_empty() {
        let kept = jar.cookies_for(url, now_s).into_iter();
        let kept = kept.filter(|(name, _)| !replaced(name));
        all.extend(kept.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    all
}

/// Fills `res.cookies`: the cookies that a response set, by name.
pub(super) fn describe_received<'js>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    exchange: &Exchange,
) -> Result<()> {
    for cookie in exchange.cookies() {
        let shown = Object::new(ctx.clone())?;
        shown.set("name", cookie.name.as_str())?;
        shown.set("value", cookie.value)?;
        shown.set("domain", cookie.domain)?;
        shown.set("path", cookie.path)?;
        shown.set("http_only", cookie.http_only)?;
        shown.set("secure", cookie.secure)?;
        shown.set("max_age", cookie.max_age_s.unwrap_or(0) as f64)?;
        let expires_ms = cookie.expires_s.map_or(NO_EXPIRY_MS, |s| s * 1_000);
        shown.set("expires", expires_ms as f64)?;
        append(object, &cookie.name, shown)?;
    }
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
        append(object, name, cookie)?;
    }
    Ok(())
}

/// Adds an item to the list under a name.
fn append<'js>(object: &Object<'js>, name: &str, item: Object<'js>) -> Result<()> {
    let mut same: Vec<Object<'js>> = object.get::<_, Option<_>>(name)?.unwrap_or_default();
    same.push(item);
    object.set(name, same)
}
