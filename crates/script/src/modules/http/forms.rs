//! `res.html()`, `res.submitForm()` and `res.clickLink()`: going on from a page as a user would.

use netload_html::{FieldValue, resolve};
use netload_http::form::encode_form;
use rquickjs::{Array, Coerced, Exception, Object, Result, Value};

use super::arguments::Parts;
use super::request::blocking;
use crate::modules::html::{self, Set};
use crate::native::Call;

/// What is looked for when the script does not say.
const ANY_FORM: &str = "form";
const ANY_SUBMIT: &str = "[type=\"submit\"]";
const ANY_LINK: &str = "a[href]";

/// A page that came as a response.
pub(super) struct Received<'a> {
    /// Its text; none when the request failed or the body was dropped.
    pub(super) body: Option<&'a [u8]>,
    /// Where it came from.
    pub(super) url: &'a str,
}

impl Received<'_> {
    fn page(&self, call: &Call<'_, '_>) -> Result<Set> {
        let Some(body) = self.body else {
            let text = "the body is null so we can't transform it to HTML - \
                        this likely was because of a request error getting the response";
            return Err(Exception::throw_message(call.ctx(), text));
        };
        html::whole(call.ctx(), &String::from_utf8_lossy(body), self.url)
    }

    /// `html(selector?)`.
    pub(super) fn html<'js>(&self, call: &Call<'_, 'js>) -> Result<Value<'js>> {
        let page = self.page(call)?;
        match call.arg(0) {
            none if none.is_undefined() || none.is_null() => page.into_value(call.ctx()),
            selector => {
                let selector = selector.get::<Coerced<String>>()?.0;
                page.find(&selector).into_value(call.ctx())
            }
        }
    }

    /// `clickLink({selector, params}?)`.
    pub(super) fn click_link<'js>(&self, call: &Call<'_, 'js>) -> Result<Value<'js>> {
        let options = call.arg(0);
        let selector = text_option(&options, "selector", ANY_LINK)?;
        let link = self.page(call)?.find(&selector);
        let refuse = |what: &str| {
            let text = format!("{what} '{selector}' in response '{}'", self.url);
            Err(Exception::throw_message(call.ctx(), &text))
        };
        if link.nodes().is_empty() {
            return refuse("no element found for selector");
        }
        let Some(target) = link.attribute("href") else {
            return refuse("no valid href attribute value found on element");
        };
        let none = Value::new_undefined(call.ctx().clone());
        self.go(call, ("GET", &resolve(self.url, target)), none, &options)
    }

    /// `submitForm({formSelector, submitSelector, fields, params}?)`.
    pub(super) fn submit_form<'js>(&self, call: &Call<'_, 'js>) -> Result<Value<'js>> {
        let (ctx, options) = (call.ctx(), call.arg(0));
        let selector = text_option(&options, "formSelector", ANY_FORM)?;
        let form = self.page(call)?.find(&selector);
        if form.nodes().is_empty() {
            let text = format!(
                "no form found for selector '{selector}' in response '{}'",
                self.url
            );
            return Err(Exception::throw_message(ctx, &text));
        }
        let fields = Object::new(ctx.clone())?;
        for field in form.page().document.fields(form.nodes()) {
            set(&fields, &field.name, &field.value)?;
        }
        let button = form.find(&text_option(&options, "submitSelector", ANY_SUBMIT)?);
        if let Some(name) = button.attribute("name") {
            fields.set(name, button.attribute("value").unwrap_or_default())?;
        }
        if let Some(options) = options.as_object()
            && let Some(own) = options.get::<_, Option<Object<'js>>>("fields")?
        {
            for property in own.props::<String, Value<'js>>() {
                let (name, value) = property?;
                fields.set(name, value)?;
            }
        }
        let method = form.attribute("method").unwrap_or("GET").to_uppercase();
        let action = resolve(self.url, form.attribute("action").unwrap_or_default());
        if method != "GET" {
            return self.go(call, (&method, &action), fields.into_value(), &options);
        }
        let (before, fragment) = match action.split_once('#') {
            Some((before, fragment)) => (before, format!("#{fragment}")),
            None => (action.as_str(), String::new()),
        };
        let path = before.split('?').next().unwrap_or_default();
        let target = format!("{path}?{}{fragment}", query(&fields)?);
        let none = Value::new_undefined(ctx.clone());
        self.go(call, ("GET", &target), none, &options)
    }

    fn go<'js>(
        &self,
        call: &Call<'_, 'js>,
        (method, url): (&str, &str),
        body: Value<'js>,
        options: &Value<'js>,
    ) -> Result<Value<'js>> {
        let ctx = call.ctx();
        let params = match options.as_object() {
            Some(options) => options.get("params")?,
            None => Value::new_undefined(ctx.clone()),
        };
        let parts = Parts {
            method: method.to_owned(),
            url: rquickjs::String::from_str(ctx.clone(), url)?.into_value(),
            body,
            params,
        };
        blocking(call, &parts)
    }
}

/// A text among the options, or a default.
fn text_option(options: &Value<'_>, name: &str, default: &str) -> Result<String> {
    let given = match options.as_object() {
        Some(options) => options.get::<_, Option<Coerced<String>>>(name)?,
        None => None,
    };
    Ok(given.map_or_else(|| default.to_owned(), |text| text.0))
}

fn set(fields: &Object<'_>, name: &str, value: &FieldValue) -> Result<()> {
    match value {
        FieldValue::One(text) => fields.set(name, text.as_str()),
        FieldValue::Many(texts) => fields.set(name, texts.clone()),
    }
}

/// The fields as a query.
fn query(fields: &Object<'_>) -> Result<String> {
    let mut pairs = Vec::new();
    for property in fields.props::<String, Value<'_>>() {
        let (name, value) = property?;
        match value.as_array() {
            Some(array) => {
                for item in Array::iter::<Coerced<String>>(array) {
                    pairs.push((name.clone(), item?.0));
                }
            }
            None => pairs.push((name, value.get::<Coerced<String>>()?.0)),
        }
    }
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name, value)).collect();
    Ok(encode_form(&pairs))
}
