//! `Element`: one node with the methods of the DOM, and those that its kind of element has besides.
//!
//! Most kinds of elements have methods of their own, nearly three hundred together; their prototypes are made when the
//! first such element is met.

use std::rc::Rc;

use netload_html::{Answer, NodeData, NodeId, Property, Selector};
use rquickjs::{Array, Class, Coerced, Ctx, Object, Persistent, Result, Value};

use super::selection::{Methods, Set};
use super::{Page, attribute, values};
use crate::class::{native_class, this};
use crate::context::VuContext;
use crate::native::{Call, detachable, numbered};

/// The namespace of HTML itself.
const HTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

/// One node of a page.
pub(super) struct Element {
    page: Rc<Page>,
    id: NodeId,
}

native_class!(Element, "Element", prototype);

/// The JavaScript object of a node.
pub(super) fn make<'js>(ctx: &Ctx<'js>, page: &Rc<Page>, id: NodeId) -> Result<Value<'js>> {
    let element = Element {
        page: page.clone(),
        id,
    };
    let object = Class::instance(ctx.clone(), element)?.into_inner();
    let kind = page.document.element(id).filter(|e| e.is_html());
    if let Some((first, properties)) = kind.and_then(|e| Property::of_tag(e.name())) {
        object.set_prototype(Some(&special(ctx, first, properties)?))?;
    }
    Ok(object.into_value())
}

/// An array of nodes.
pub(super) fn list<'js>(ctx: &Ctx<'js>, page: &Rc<Page>, ids: &[NodeId]) -> Result<Value<'js>> {
    let array = Array::new(ctx.clone())?;
    for (at, id) in ids.iter().enumerate() {
        array.set(at, make(ctx, page, *id)?)?;
    }
    Ok(array.into_value())
}

/// The node that a value is.
pub(super) fn of_value(value: &Value<'_>) -> Option<(Rc<Page>, NodeId)> {
    let element = Class::<Element>::from_object(value.as_object()?)?;
    let element = element.borrow();
    Some((element.page.clone(), element.id))
}

/// The prototype of a kind of element.
fn special<'js>(ctx: &Ctx<'js>, first: usize, properties: &[Property]) -> Result<Object<'js>> {
    let state = &VuContext::of(ctx).html_state;
    let known = {
        let prototypes = state.prototypes.borrow();
        let found = prototypes.iter().find(|(number, _)| *number == first);
        found.map(|(_, prototype)| prototype.clone())
    };
    if let Some(known) = known {
        return known.restore(ctx);
    }
    let prototype = Object::new(ctx.clone())?;
    prototype.set_prototype(Class::<Element>::prototype(ctx)?.as_ref())?;
    for (at, property) in properties.iter().enumerate() {
        // A test counts them.
        let number = i16::try_from(first + at).unwrap_or(i16::MAX);
        let method = detachable(numbered(ctx, property.name, number, ask)?);
        prototype.set(property.name, method)?;
    }
    if properties.iter().any(|property| property.name == "href") {
        Methods(&prototype).add("toString", 0, |call| {
            call.this()
                .as_object()
                .ok_or(rquickjs::Error::Unknown)?
                .get::<_, rquickjs::Function<'_>>("href")?
                .call((rquickjs::function::This(call.this()),))
        })?;
    }
    let kept = Persistent::save(ctx, prototype.clone());
    state.prototypes.borrow_mut().push((first, kept));
    Ok(prototype)
}

/// Answers for the property with this number.
fn ask<'js>(call: &Call<'_, 'js>, number: i16) -> Result<Value<'js>> {
    let (page, id) = node(call)?;
    let property = usize::try_from(number).ok().and_then(Property::numbered);
    let answer = property.map_or(Answer::Nothing, |property| {
        property.of(&page.document, id, &page.url)
    });
    let ctx = call.ctx();
    match answer {
        Answer::Nothing => call.undefined(),
        Answer::Text(text) => values::text(ctx, &text),
        Answer::Flag(flag) => Ok(Value::new_bool(ctx.clone(), flag)),
        Answer::Number(number) => Ok(Value::new_number(ctx.clone(), number)),
        Answer::Node(id) => make(ctx, &page, id),
        Answer::Nodes(ids) => list(ctx, &page, &ids),
        Answer::Texts(texts) => values::texts(ctx, &texts),
    }
}

/// The node that a method was called on.
fn node(call: &Call<'_, '_>) -> Result<(Rc<Page>, NodeId)> {
    let element = this::<Element>(call)?;
    let element = element.borrow();
    Ok((element.page.clone(), element.id))
}

/// The element that `reach` finds, or undefined.
fn reached<'js>(
    call: &Call<'_, 'js>,
    reach: impl FnOnce(&Page, NodeId) -> Option<NodeId>,
) -> Result<Value<'js>> {
    let (page, id) = node(call)?;
    match reach(&page, id) {
        Some(id) => make(call.ctx(), &page, id),
        None => call.undefined(),
    }
}

/// The elements that `reach` finds.
fn all<'js>(
    call: &Call<'_, 'js>,
    reach: impl FnOnce(&Page, NodeId) -> Vec<NodeId>,
) -> Result<Value<'js>> {
    let (page, id) = node(call)?;
    list(call.ctx(), &page, &reach(&page, id))
}

fn flag<'js>(
    call: &Call<'_, 'js>,
    question: impl FnOnce(&Page, NodeId) -> bool,
) -> Result<Value<'js>> {
    let (page, id) = node(call)?;
    Ok(Value::new_bool(call.ctx().clone(), question(&page, id)))
}

/// The text of an attribute, or undefined.
fn own_attribute<'js>(call: &Call<'_, 'js>, name: &str) -> Result<Value<'js>> {
    let (page, id) = node(call)?;
    match page.document.attribute(id, name) {
        Some(value) => values::text(call.ctx(), value),
        None => call.undefined(),
    }
}

fn argument(call: &Call<'_, '_>) -> Result<String> {
    Ok(call.arg(0).get::<Coerced<String>>()?.0)
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    let methods = Methods(&prototype);
    define_attributes(&methods)?;
    define_neighbours(&methods)?;
    define_searches(&methods)?;
    define_facts(&methods)?;
    Ok(prototype)
}

fn define_attributes(methods: &Methods<'_, '_>) -> Result<()> {
    methods.add("getAttribute", 1, |call| {
        own_attribute(call, &argument(call)?)
    })?;
    methods.add("getAttributeNode", 1, |call| {
        let (page, id) = node(call)?;
        let name = argument(call)?;
        let element = page.document.element(id);
        let place = element.and_then(|e| e.attributes().iter().position(|a| a.name() == name));
        match place {
            Some(place) => attribute::make(call.ctx(), &page, id, place),
            None => call.undefined(),
        }
    })?;
    methods.add("hasAttribute", 1, |call| {
        let name = argument(call)?;
        flag(call, |page, id| {
            page.document.attribute(id, &name).is_some()
        })
    })?;
    methods.add("hasAttributes", 0, |call| {
        flag(call, |page, id| {
            let element = page.document.element(id);
            element.is_some_and(|e| !e.attributes().is_empty())
        })
    })?;
    methods.add("attributes", 0, |call| {
        let (page, id) = node(call)?;
        let all = Object::new(call.ctx().clone())?;
        let element = page.document.element(id);
        for (place, one) in element
            .iter()
            .flat_map(|e| e.attributes().iter().enumerate())
        {
            all.set(one.name(), attribute::make(call.ctx(), &page, id, place)?)?;
        }
        Ok(all.into_value())
    })?;
    methods.add("id", 0, |call| {
        let (page, id) = node(call)?;
        let own = page.document.attribute(id, "id");
        values::text(call.ctx(), own.unwrap_or_default())
    })?;
    methods.add("className", 0, |call| own_attribute(call, "class"))?;
    methods.add("lang", 0, |call| own_attribute(call, "lang"))?;
    methods.add("classList", 0, |call| {
        let (page, id) = node(call)?;
        let classes = page.document.attribute(id, "class").unwrap_or_default();
        let classes: Vec<String> = classes
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect();
        values::texts(call.ctx(), &classes)
    })
}

fn define_neighbours(methods: &Methods<'_, '_>) -> Result<()> {
    methods.add("firstChild", 0, |call| {
        reached(call, |page, id| page.document.first_child(id))
    })?;
    methods.add("lastChild", 0, |call| {
        reached(call, |page, id| page.document.last_child(id))
    })?;
    methods.add("firstElementChild", 0, |call| {
        reached(call, |page, id| page.document.child_elements(id).next())
    })?;
    methods.add("lastElementChild", 0, |call| {
        reached(call, |page, id| page.document.child_elements(id).last())
    })?;
    methods.add("previousSibling", 0, |call| {
        reached(call, |page, id| page.document.previous(id))
    })?;
    methods.add("nextSibling", 0, |call| {
        reached(call, |page, id| page.document.next(id))
    })?;
    methods.add("previousElementSibling", 0, |call| {
        reached(call, |page, id| {
            let mut all = page
                .document
                .siblings_towards(id, netload_html::Direction::Backward);
            all.next()
        })
    })?;
    methods.add("nextElementSibling", 0, |call| {
        reached(call, |page, id| {
            let mut all = page
                .document
                .siblings_towards(id, netload_html::Direction::Forward);
            all.next()
        })
    })?;
    methods.add("parentNode", 0, |call| {
        reached(call, |page, id| page.document.parent(id))
    })?;
    methods.add("parentElement", 0, |call| {
        reached(call, |page, id| {
            let parent = page.document.parent(id);
            parent.filter(|at| page.document.element(*at).is_some())
        })
    })?;
    methods.add("childNodes", 0, |call| {
        all(call, |page, id| page.document.children(id).collect())
    })?;
    methods.add("children", 0, |call| {
        all(call, |page, id| page.document.child_elements(id).collect())
    })?;
    methods.add("childElementCount", 0, |call| {
        let (page, id) = node(call)?;
        let count = page.document.child_elements(id).count();
        Ok(Value::new_number(call.ctx().clone(), count as f64))
    })?;
    methods.add("hasChildNodes", 0, |call| {
        flag(call, |page, id| page.document.first_child(id).is_some())
    })?;
    methods.add("ownerDocument", 0, |call| {
        reached(call, |_, id| {
            (id != NodeId::DOCUMENT).then_some(NodeId::DOCUMENT)
        })
    })
}

fn define_searches(methods: &Methods<'_, '_>) -> Result<()> {
    methods.add("getElementsByClassName", 1, |call| {
        let wanted = argument(call)?;
        let wanted: Vec<&str> = wanted.split_ascii_whitespace().collect();
        all(call, |page, id| {
            let has_all = |at: &NodeId| {
                let classes = page.document.attribute(*at, "class").unwrap_or_default();
                let mut wanted = wanted.iter();
                wanted.all(|wanted| classes.split_ascii_whitespace().any(|c| c == *wanted))
            };
            let elements = page.document.descendants(id);
            elements
                .filter(|at| !wanted.is_empty() && has_all(at))
                .collect()
        })
    })?;
    methods.add("getElementsByTagName", 1, |call| {
        let name = argument(call)?.to_ascii_lowercase();
        all(call, |page, id| {
            let document = &page.document;
            let fits = |at: &NodeId| {
                let element = document.element(*at);
                element.is_some_and(|e| name == "*" || e.name() == name)
            };
            document.descendants(id).filter(fits).collect()
        })
    })?;
    methods.add("querySelector", 1, |call| {
        let selector = Selector::parse(&argument(call)?);
        reached(call, |page, id| selector.find(&page.document, id).next())
    })?;
    methods.add("querySelectorAll", 1, |call| {
        let selector = Selector::parse(&argument(call)?);
        all(call, |page, id| selector.find(&page.document, id).collect())
    })?;
    methods.add("matches", 1, |call| {
        let selector = Selector::parse(&argument(call)?);
        flag(call, |page, id| selector.matches(&page.document, id))
    })?;
    methods.add("contains", 1, |call| {
        let other = of_value(&call.arg(0));
        flag(call, |page, id| {
            other.is_some_and(|(there, other)| {
                std::ptr::eq(&raw const *there, page) && page.document.contains(id, other)
            })
        })
    })?;
    methods.add("selection", 0, |call| {
        let (page, id) = node(call)?;
        Set::new(page, vec![id]).into_value(call.ctx())
    })
}

fn define_facts(methods: &Methods<'_, '_>) -> Result<()> {
    methods.add("nodeName", 0, |call| {
        let (page, id) = node(call)?;
        let name = match page.document.data(id) {
            NodeData::Document => "#document",
            NodeData::Text(_) => "#text",
            NodeData::Comment(_) => "#comment",
            NodeData::Doctype { name, .. } => name,
            NodeData::Element(element) => element.name(),
        };
        values::text(call.ctx(), name)
    })?;
    methods.add("nodeType", 0, |call| {
        let (page, id) = node(call)?;
        let number = match page.document.data(id) {
            NodeData::Element(_) => 1,
            NodeData::Text(_) => 3,
            NodeData::Comment(_) => 8,
            NodeData::Document => 9,
            NodeData::Doctype { .. } => 10,
        };
        Ok(Value::new_int(call.ctx().clone(), number))
    })?;
    methods.add("nodeValue", 0, |call| {
        let (page, id) = node(call)?;
        match page.document.data(id) {
            NodeData::Text(text) => values::text(call.ctx(), text),
            NodeData::Comment(text) => values::text(call.ctx(), text),
            _ => call.undefined(),
        }
    })?;
    methods.add("textContent", 0, |call| {
        let (page, id) = node(call)?;
        values::text(call.ctx(), &page.document.text(id))
    })?;
    methods.add("innerHTML", 0, |call| {
        let (page, id) = node(call)?;
        values::text(call.ctx(), &page.document.inner_html(id))
    })?;
    methods.add("toString", 0, |call| {
        values::text(call.ctx(), "[object html.Node]")
    })?;
    methods.add("namespaceURI", 0, |call| {
        let (page, id) = node(call)?;
        let element = page.document.element(id);
        values::text(call.ctx(), element.map_or("", |e| e.namespace()))
    })?;
    methods.add("isDefaultNamespace", 0, |call| {
        flag(call, |page, id| {
            let element = page.document.element(id);
            element.is_some_and(|e| e.namespace() == HTML_NAMESPACE)
        })
    })?;
    methods.add("isEqualNode", 1, |call| {
        let other = of_value(&call.arg(0));
        flag(call, |page, id| {
            other.is_some_and(|(there, other)| page.document.is_equal(id, &there.document, other))
        })
    })?;
    methods.add("isSameNode", 1, |call| {
        let other = of_value(&call.arg(0));
        flag(call, |page, id| {
            other.is_some_and(|(there, other)| std::ptr::eq(&raw const *there, page) && id == other)
        })
    })
}
