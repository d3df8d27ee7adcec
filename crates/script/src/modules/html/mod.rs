//! The module `k6/html`: pages as jQuery-like selections and as elements.
//!
//! The page itself, selectors and the properties of elements are in `netload-html`; here they meet JavaScript:
//! `selection` has what `find` returns, `element` what `get` returns, `values` what goes between the two worlds.

mod attribute;
mod element;
mod selection;
mod steps;
mod values;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use netload_html::{Document, NodeId};
use rquickjs::{Coerced, Ctx, Exception, Object, Persistent, Result, Value};

use crate::context::VuContext;
use crate::native::{Call, function};
pub(crate) use selection::Set;

/// Prototypes by the number of their first property.
type Prototypes = Vec<(usize, Persistent<Object<'static>>)>;

/// What the module keeps per VU.
#[derive(Default)]
pub(crate) struct HtmlState {
    /// The prototypes of kinds of elements that were met.
    prototypes: RefCell<Prototypes>,
    /// Bytes that living pages hold outside of JavaScript's heap.
    held: Rc<Cell<u64>>,
}

impl HtmlState {
    /// Drops every JavaScript value that is kept.
    pub(crate) fn clear(&self) {
        let prototypes = std::mem::take(&mut *self.prototypes.borrow_mut());
        drop(prototypes);
    }
}

/// A parsed page.
pub(crate) struct Page {
    /// Its nodes.
    pub(crate) document: Document,
    /// Where it came from; empty for pages parsed from a text.
    pub(crate) url: Box<str>,
    bytes: u64,
    held: Rc<Cell<u64>>,
}

impl Page {
    /// Parses a page.
    ///
    /// # Errors
    /// When the page is nested too deep, or the script holds more than the memory of a VU allows.
    pub(crate) fn parse(ctx: &Ctx<'_>, text: &str, url: &str) -> Result<Rc<Self>> {
        let vu = VuContext::of(ctx);
        // Waiting for it lets it run on the worker's stack, which is larger than that of a VU.
        let document = vu
            .wait_in(ctx, async { Document::parse(text) })?
            .map_err(|error| Exception::throw_message(ctx, &error.to_string()))?;
        let bytes = document.bytes() as u64;
        let held = vu.html_state.held.clone();
        held.set(held.get() + bytes);
        let page = Rc::new(Self {
            document,
            url: url.into(),
            bytes,
            held,
        });
        if page.held.get() > vu.shared.memory_limit_bytes {
            return Err(Exception::throw_internal(ctx, "out of memory"));
        }
        Ok(page)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.held.set(self.held.get() - self.bytes);
    }
}

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    exports.set("parseHTML", function(ctx, "parseHTML", 1, parse_html)?)?;
    Ok(exports)
}

fn parse_html<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let text = match call.arg(0) {
        none if none.is_undefined() || none.is_null() => String::new(),
        given => given.get::<Coerced<String>>()?.0,
    };
    whole(call.ctx(), &text, "").and_then(|set| set.into_value(call.ctx()))
}

/// A whole page as a selection of its document.
pub(crate) fn whole(ctx: &Ctx<'_>, text: &str, url: &str) -> Result<Set> {
    let page = Page::parse(ctx, text, url)?;
    Ok(Set::new(page, vec![NodeId::DOCUMENT]))
}
