//! The methods of selections that lead to other nodes.

use netload_html::{Direction, Document, NodeId, Selector, unique};
use rquickjs::{Coerced, Exception, Function, Result, Value};

use super::selection::{Methods, Set};
use crate::globals::bytes::type_name;
use crate::native::Call;

/// What a method got to choose nodes by.
enum Choice<'js> {
    Selector(Selector),
    Nodes(Vec<NodeId>),
    Function(Function<'js>),
}

impl<'js> Choice<'js> {
    /// The argument at `index`; throws when it can choose nothing.
    fn given(call: &Call<'_, 'js>, index: usize) -> Result<Self> {
        let value = call.arg(index);
        if let Some(text) = value.as_string() {
            return Ok(Self::Selector(Selector::parse(&text.to_string()?)));
        }
        if let Some(set) = Set::of_value(&value) {
            return Ok(Self::Nodes(set.nodes().to_vec()));
        }
        if let Some((_, id)) = super::element::of_value(&value) {
            return Ok(Self::Nodes(vec![id]));
        }
        let kind = type_name(&value);
        match value.into_function() {
            Some(function) => Ok(Self::Function(function)),
            None => {
                let text = format!(
                    "invalid argument, cannot use {kind} as a selector; \
                     give a selector, a selection or a function"
                );
                Err(Exception::throw_type(call.ctx(), &text))
            }
        }
    }

    /// [`Self::given`] where nothing may be given.
    fn optional(call: &Call<'_, 'js>, index: usize) -> Result<Option<Self>> {
        match call.arg(index) {
            none if none.is_undefined() || none.is_null() => Ok(None),
            _ => Self::given(call, index).map(Some),
        }
    }

    /// Whether it chooses the node that is at this place of the selection.
    fn chooses(&self, call: &Call<'_, 'js>, set: &Set, at: usize, id: NodeId) -> Result<bool> {
        match self {
            Self::Selector(selector) => Ok(selector.matches(&set.page().document, id)),
            Self::Nodes(nodes) => Ok(nodes.contains(&id)),
            Self::Function(function) => {
                let one = set.step(vec![id]).into_value(call.ctx())?;
                Ok(function.call::<_, Coerced<bool>>((at, one))?.0)
            }
        }
    }

    /// [`Self::chooses`] for conditions that no function can be.
    fn names(&self, document: &Document, id: NodeId) -> bool {
        match self {
            Self::Selector(selector) => selector.matches(document, id),
            Self::Nodes(nodes) => nodes.contains(&id),
            Self::Function(_) => false,
        }
    }
}

/// The place that an index means, from the end when it is negative.
pub(super) fn place(index: &Value<'_>, len: usize) -> Result<Option<usize>> {
    if index.is_undefined() {
        return Ok(Some(0));
    }
    let index = index.get::<Coerced<f64>>()?.0.trunc();
    let index = if index < 0.0 {
        index + len as f64
    } else {
        index
    };
    // What is not a number counts as nothing.
    Ok((index >= 0.0).then_some(index as usize))
}

pub(super) fn define(methods: &Methods<'_, '_>) -> Result<()> {
    methods.add("find", 1, find)?;
    methods.add("single", 1, single)?;
    methods.add("closest", 1, closest)?;
    methods.add("add", 1, add)?;
    methods.add("not", 1, |call| filtered(call, false))?;
    methods.add("filter", 1, |call| filtered(call, true))?;
    methods.add("is", 1, is)?;
    methods.add("has", 1, has)?;
    methods.add("children", 1, |call| {
        stepped(call, |document, id| document.child_elements(id).collect())
    })?;
    methods.add("contents", 0, |call| {
        let set = Set::of_this(call)?;
        let document = &set.page().document;
        let inside = set.nodes().iter().flat_map(|id| document.children(*id));
        set.step(unique(inside)).into_value(call.ctx())
    })?;
    methods.add("parent", 1, |call| {
        stepped(call, |document, id| {
            document
                .parent(id)
                .into_iter()
                .filter(|at| document.element(*at).is_some())
                .collect()
        })
    })?;
    methods.add("parents", 1, |call| {
        stepped(call, |document, id| document.parent_elements(id).collect())
    })?;
    methods.add("siblings", 1, |call| {
        stepped(call, |document, id| document.siblings(id).collect())
    })?;
    methods.add("next", 1, |call| {
        stepped(call, |document, id| {
            towards(document, id, Direction::Forward).take(1).collect()
        })
    })?;
    methods.add("nextAll", 1, |call| {
        stepped(call, |document, id| {
            towards(document, id, Direction::Forward).collect()
        })
    })?;
    methods.add("prev", 1, |call| {
        stepped(call, |document, id| {
            towards(document, id, Direction::Backward).take(1).collect()
        })
    })?;
    methods.add("prevAll", 1, |call| {
        stepped(call, |document, id| {
            towards(document, id, Direction::Backward).collect()
        })
    })?;
    methods.add("nextUntil", 2, |call| {
        until(call, |document, id| {
            towards(document, id, Direction::Forward).collect()
        })
    })?;
    methods.add("prevUntil", 2, |call| {
        until(call, |document, id| {
            towards(document, id, Direction::Backward).collect()
        })
    })?;
    methods.add("parentsUntil", 2, |call| {
        until(call, |document, id| document.parent_elements(id).collect())
    })?;
    methods.add("end", 0, |call| {
        Set::of_this(call)?.end().into_value(call.ctx())
    })?;
    methods.add("first", 0, |call| {
        let set = Set::of_this(call)?;
        let first = set.nodes().first().copied();
        set.step(first.into_iter().collect()).into_value(call.ctx())
    })?;
    methods.add("last", 0, |call| {
        let set = Set::of_this(call)?;
        let last = set.nodes().last().copied();
        set.step(last.into_iter().collect()).into_value(call.ctx())
    })?;
    methods.add("eq", 1, |call| {
        let set = Set::of_this(call)?;
        let at = place(&call.arg(0), set.nodes().len())?;
        let one = at.and_then(|at| set.nodes().get(at)).copied();
        set.step(one.into_iter().collect()).into_value(call.ctx())
    })?;
    methods.add("slice", 2, slice)
}

fn towards(
    document: &Document,
    id: NodeId,
    direction: Direction,
) -> impl Iterator<Item = NodeId> + '_ {
    document.siblings_towards(id, direction)
}

/// What `all` gives for each node, without duplicates, narrowed by the argument.
fn stepped<'js>(
    call: &Call<'_, 'js>,
    all: impl Fn(&Document, NodeId) -> Vec<NodeId>,
) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let choice = Choice::optional(call, 0)?;
    let document = &set.page().document;
    let reached = unique(set.nodes().iter().flat_map(|id| all(document, *id)));
    let chosen = reached
        .into_iter()
        .filter(|id| choice.as_ref().is_none_or(|c| c.names(document, *id)));
    set.step(chosen.collect()).into_value(call.ctx())
}

/// [`stepped`] up to the node that the first argument names, narrowed by the second.
fn until<'js>(
    call: &Call<'_, 'js>,
    all: impl Fn(&Document, NodeId) -> Vec<NodeId>,
) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let (end, choice) = (Choice::optional(call, 0)?, Choice::optional(call, 1)?);
    let document = &set.page().document;
    let reached = set.nodes().iter().flat_map(|id| {
        let is_end = |id: &NodeId| end.as_ref().is_some_and(|end| end.names(document, *id));
        all(document, *id)
            .into_iter()
            .take_while(move |id| !is_end(id))
    });
    let chosen = unique(reached)
        .into_iter()
        .filter(|id| choice.as_ref().is_none_or(|c| c.names(document, *id)));
    set.step(chosen.collect()).into_value(call.ctx())
}

fn find<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let found = found(call, &set)?;
    set.step(found).into_value(call.ctx())
}

/// What the first argument names inside of the selection.
fn found(call: &Call<'_, '_>, set: &Set) -> Result<Vec<NodeId>> {
    let document = &set.page().document;
    Ok(match Choice::given(call, 0)? {
        Choice::Selector(selector) => document.find(set.nodes(), &selector),
        Choice::Nodes(mut nodes) => {
            let is_inside = |id: NodeId| set.nodes().iter().any(|at| document.contains(*at, id));
            nodes.retain(|id| is_inside(*id));
            nodes
        }
        Choice::Function(_) => {
            let text = "invalid argument, cannot use a function as a selector; \
                        give a selector or a selection";
            return Err(Exception::throw_type(call.ctx(), text));
        }
    })
}

fn single<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let mut found = found(call, &set)?;
    found.truncate(1);
    set.step(found).into_value(call.ctx())
}

fn closest<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let choice = Choice::given(call, 0)?;
    let document = &set.page().document;
    let nearest = set.nodes().iter().filter_map(|id| {
        let mut outwards = std::iter::once(*id).chain(document.ancestors(*id));
        outwards.find(|at| choice.names(document, *at))
    });
    set.step(unique(nearest)).into_value(call.ctx())
}

fn add<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let more = match Choice::given(call, 0)? {
        Choice::Selector(selector) => set.page().document.find(&[NodeId::DOCUMENT], &selector),
        Choice::Nodes(nodes) => nodes,
        Choice::Function(_) => Vec::new(),
    };
    let all = set.nodes().iter().copied().chain(more);
    set.step(unique(all)).into_value(call.ctx())
}

/// The nodes that the argument chooses, or the others.
fn filtered<'js>(call: &Call<'_, 'js>, keep: bool) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let choice = Choice::given(call, 0)?;
    let mut kept = Vec::new();
    for (at, id) in set.nodes().iter().enumerate() {
        if choice.chooses(call, &set, at, *id)? == keep {
            kept.push(*id);
        }
    }
    set.step(kept).into_value(call.ctx())
}

fn is<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let choice = Choice::given(call, 0)?;
    for (at, id) in set.nodes().iter().enumerate() {
        if choice.chooses(call, &set, at, *id)? {
            return Ok(Value::new_bool(call.ctx().clone(), true));
        }
    }
    Ok(Value::new_bool(call.ctx().clone(), false))
}

fn has<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let choice = Choice::given(call, 0)?;
    let document = &set.page().document;
    let kept = set.nodes().iter().copied().filter(|id| {
        document
            .descendants(*id)
            .any(|inside| choice.names(document, inside))
    });
    set.step(kept.collect()).into_value(call.ctx())
}

fn slice<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let set = Set::of_this(call)?;
    let len = set.nodes().len();
    let bound = |index: usize, default: usize| -> Result<usize> {
        match call.arg(index) {
            none if none.is_undefined() => Ok(default),
            given => Ok(place(&given, len)?.unwrap_or(0).min(len)),
        }
    };
    let (start, end) = (bound(0, 0)?, bound(1, len)?);
    let kept = set.nodes().get(start..end).unwrap_or_default().to_vec();
    set.step(kept).into_value(call.ctx())
}
