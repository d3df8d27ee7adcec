//! `Selection`: nodes of one page in an order, and the methods that ask them something. The steps to other nodes are
//! in `steps`.

use std::rc::Rc;

use netload_html::{FieldValue, NodeId, Selector};
use rquickjs::{Array, Class, Coerced, Ctx, Object, Result, String as JsString, Value};

use super::{Page, element, steps, values};
use crate::class::{native_class, this};
use crate::native::{Call, Native, getter, method};

/// Selections that remember where they came from, one from the other, at most.
const HISTORY_LIMIT: u32 = 64;

/// Nodes of one page, and the selection they were reached from.
#[derive(Clone)]
pub(crate) struct Set {
    page: Rc<Page>,
    nodes: Rc<[NodeId]>,
    previous: Option<Rc<Self>>,
    history: u32,
}

/// A selection in JavaScript.
pub(crate) struct Selection(Set);

native_class!(Selection, "Selection", prototype);

impl Set {
    /// Nodes that were reached from nowhere.
    pub(crate) fn new(page: Rc<Page>, nodes: Vec<NodeId>) -> Self {
        Self {
            page,
            nodes: nodes.into(),
            previous: None,
            history: 0,
        }
    }

    /// Nodes that were reached from here.
    pub(super) fn step(&self, nodes: Vec<NodeId>) -> Self {
        let mut previous = self.clone();
        if previous.history >= HISTORY_LIMIT {
            previous.previous = None;
            previous.history = 0;
        }
        Self {
            page: self.page.clone(),
            nodes: nodes.into(),
            history: previous.history + 1,
            previous: Some(Rc::new(previous)),
        }
    }

    /// Where these nodes were reached from; nothing at the beginning.
    pub(super) fn end(&self) -> Self {
        match &self.previous {
            Some(previous) => (**previous).clone(),
            None => Self::new(self.page.clone(), Vec::new()),
        }
    }

    /// The page.
    pub(crate) fn page(&self) -> &Rc<Page> {
        &self.page
    }

    /// The nodes.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Everything inside that a selector matches.
    pub(crate) fn find(&self, selector: &str) -> Self {
        let selector = Selector::parse(selector);
        self.step(self.page.document.find(&self.nodes, &selector))
    }

    /// The value of an attribute of the first node.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.page.document.attribute(*self.nodes.first()?, name)
    }

    /// The JavaScript object.
    pub(crate) fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        Ok(Class::instance(ctx.clone(), Selection(self))?.into_value())
    }

    /// The selection that a value is.
    pub(super) fn of_value(value: &Value<'_>) -> Option<Self> {
        let object = value.as_object()?;
        let selection = Class::<Selection>::from_object(object)?;
        let set = selection.borrow().0.clone();
        Some(set)
    }

    /// The selection that a method was called on.
    pub(super) fn of_this(call: &Call<'_, '_>) -> Result<Self> {
        Ok(this::<Selection>(call)?.borrow().0.clone())
    }
}

/// Puts methods on a prototype under their own names.
pub(super) struct Methods<'a, 'js>(pub(super) &'a Object<'js>);

impl Methods<'_, '_> {
    pub(super) fn add<F: Native>(&self, name: &str, length: u8, native: F) -> Result<()> {
        self.0
            .set(name, method(self.0.ctx(), name, length, native)?)
    }
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    let methods = Methods(&prototype);
    steps::define(&methods)?;
    getter(&prototype, "url", |call| {
        let set = Set::of_this(call)?;
        values::text(call.ctx(), &set.page.url)
    })?;
    methods.add("size", 0, |call| {
        let count = Set::of_this(call)?.nodes.len();
        Ok(Value::new_number(call.ctx().clone(), count as f64))
    })?;
    methods.add("text", 0, |call| {
        let set = Set::of_this(call)?;
        let mut text = String::new();
        for id in &*set.nodes {
            set.page.document.append_text(*id, &mut text);
        }
        values::text(call.ctx(), &text)
    })?;
    methods.add("html", 0, |call| {
        let set = Set::of_this(call)?;
        let first = set.nodes.first();
        let html = first.map(|id| set.page.document.inner_html(*id));
        values::text(call.ctx(), &html.unwrap_or_default())
    })?;
    methods.add("attr", 2, |call| {
        let set = Set::of_this(call)?;
        let name = call.arg(0).get::<Coerced<String>>()?.0;
        match set.attribute(&name) {
            Some(value) => values::text(call.ctx(), value),
            None => Ok(call.arg(1)),
        }
    })?;
    methods.add("val", 0, val)?;
    methods.add("data", 1, data)?;
    methods.add("get", 1, get)?;
    methods.add("toArray", 0, to_array)?;
    methods.add("index", 1, index)?;
    methods.add("each", 1, each)?;
    methods.add("map", 1, map)?;
    methods.add("serialize", 0, serialize)?;
    methods.add("serializeArray", 0, serialize_array)?;
    methods.add("serializeObject", 0, serialize_object)?;
    Ok(prototype)
}

fn val<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let first = set.nodes.first();
    match first.and_then(|id| set.page.document.field_value(*id)) {
        Some(value) => values::field_value(call.ctx(), &value),
        None => call.undefined(),
    }
}

fn data<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    if call.len() > 0 {
        let key = call.arg(0).get::<Coerced<String>>()?.0;
        let name = format!("data-{}", values::with_dashes(&key));
        return match set.attribute(&name) {
            Some(text) => values::data(ctx, text),
            None => call.undefined(),
        };
    }
    let first = set.nodes.first();
    let Some(element) = first.and_then(|id| set.page.document.element(*id)) else {
        return call.undefined();
    };
    let all = Object::new(ctx.clone())?;
    for attribute in element.attributes() {
        if let Some(key) = attribute.name().strip_prefix("data-") {
            let value = values::data(ctx, attribute.value())?;
            if !value.is_undefined() {
                all.set(values::with_humps(key), value)?;
            }
        }
    }
    Ok(all.into_value())
}

fn get<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    if call.len() == 0 {
        return element::list(ctx, &set.page, &set.nodes);
    }
    let index = steps::place(&call.arg(0), set.nodes.len())?;
    match index.and_then(|index| set.nodes.get(index)) {
        Some(id) => element::make(ctx, &set.page, *id),
        None => call.undefined(),
    }
}

fn to_array<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    let all = Array::new(ctx.clone())?;
    for (at, id) in set.nodes.iter().enumerate() {
        all.set(at, set.step(vec![*id]).into_value(ctx)?)?;
    }
    Ok(all.into_value())
}

fn index<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let given = call.arg(0);
    let document = &set.page.document;
    let first = set.nodes.first().copied();
    let place = if call.len() == 0 {
        first.and_then(|first| {
            let parent = document.parent(first)?;
            document.child_elements(parent).position(|at| at == first)
        })
    } else if let Some(other) = Set::of_value(&given) {
        let wanted = other.nodes.first();
        wanted.and_then(|wanted| set.nodes.iter().position(|at| at == wanted))
    } else if let Some(selector) = given.as_string() {
        let selector = Selector::parse(&selector.to_string()?);
        let mut all = selector.find(document, NodeId::DOCUMENT);
        first.and_then(|first| all.position(|at| at == first))
    } else {
        None
    };
    let place = place.map_or(-1.0, |place| place as f64);
    Ok(Value::new_number(call.ctx().clone(), place))
}

fn each<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    let callback = values::callback(call, "each")?;
    for (at, id) in set.nodes.iter().enumerate() {
        let element = element::make(ctx, &set.page, *id)?;
        callback.call::<_, Value<'js>>((at, element))?;
    }
    Ok(call.this())
}

fn map<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    let callback = values::callback(call, "map")?;
    let all = Array::new(ctx.clone())?;
    for (at, id) in set.nodes.iter().enumerate() {
        let one = set.step(vec![*id]).into_value(ctx)?;
        all.set(at, callback.call::<_, Value<'js>>((at, one))?)?;
    }
    Ok(all.into_value())
}

fn serialize<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let fields = set.page.document.fields(&set.nodes);
    let mut pairs = Vec::new();
    for field in &fields {
        match &field.value {
            FieldValue::One(text) => pairs.push((&field.name, text)),
            FieldValue::Many(texts) => pairs.extend(texts.iter().map(|text| (&field.name, text))),
        }
    }
    values::text(call.ctx(), &netload_http::form::encode_form(&pairs))
}

fn serialize_array<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    let all = Array::new(ctx.clone())?;
    let fields = set.page.document.fields(&set.nodes);
    for (at, field) in fields.iter().enumerate() {
        let pair = Object::new(ctx.clone())?;
        pair.set("name", JsString::from_str(ctx.clone(), &field.name)?)?;
        pair.set("value", values::field_value(ctx, &field.value)?)?;
        all.set(at, pair)?;
    }
    Ok(all.into_value())
}

fn serialize_object<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, set) = (call.ctx(), Set::of_this(call)?);
    let all = Object::new(ctx.clone())?;
    for field in set.page.document.fields(&set.nodes) {
        all.set(field.name, values::field_value(ctx, &field.value)?)?;
    }
    Ok(all.into_value())
}
