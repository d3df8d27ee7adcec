//! `Attribute`: one attribute of an element, with its name and value as properties.

use std::rc::Rc;

use netload_html::{Attribute as Parsed, NodeId};
use rquickjs::{Class, Ctx, Object, Result, Value};

use super::selection::Methods;
use super::{Page, element, values};
use crate::class::{native_class, this};
use crate::native::{Call, getter};

/// An attribute by its place in its element.
struct Attribute {
    page: Rc<Page>,
    element: NodeId,
    place: usize,
}

native_class!(Attribute, "Attribute", prototype);

/// The JavaScript object of an attribute.
pub(super) fn make<'js>(
    ctx: &Ctx<'js>,
    page: &Rc<Page>,
    element: NodeId,
    place: usize,
) -> Result<Value<'js>> {
    let attribute = Attribute {
        page: page.clone(),
        element,
        place,
    };
    Ok(Class::instance(ctx.clone(), attribute)?.into_value())
}

/// A text of the attribute that is asked.
fn text<'js>(call: &Call<'_, 'js>, of: impl Fn(&Parsed) -> &str) -> Result<Value<'js>> {
    let attribute = this::<Attribute>(call)?;
    let attribute = attribute.borrow();
    let element = attribute.page.document.element(attribute.element);
    let parsed = element.and_then(|e| e.attributes().get(attribute.place));
    values::text(call.ctx(), parsed.map_or("", of))
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    getter(&prototype, "name", |call| text(call, Parsed::name))?;
    getter(&prototype, "value", |call| text(call, Parsed::value))?;
    getter(&prototype, "owner_element", |call| {
        let attribute = this::<Attribute>(call)?;
        let attribute = attribute.borrow();
        element::make(call.ctx(), &attribute.page, attribute.element)
    })?;
    let methods = Methods(&prototype);
    methods.add("localName", 0, |call| text(call, Parsed::name))?;
    methods.add("prefix", 0, |call| text(call, Parsed::prefix))?;
    methods.add("namespaceURI", 0, |call| {
        let attribute = this::<Attribute>(call)?;
        let attribute = attribute.borrow();
        let element = attribute.page.document.element(attribute.element);
        values::text(call.ctx(), element.map_or("", |e| e.namespace()))
    })?;
    Ok(prototype)
}
