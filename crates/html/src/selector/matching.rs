//! Whether a selector matches a node.

use super::{Case, Chain, Combinator, Nth, Selector, Simple, State, Test};
use crate::tree::{Document, Element, NodeData, NodeId};

impl Selector {
    /// Whether a node is an element that the selector describes.
    #[must_use]
    pub fn matches(&self, document: &Document, id: NodeId) -> bool {
        let Some(element) = document.element(id) else {
            return false;
        };
        self.alternatives
            .iter()
            .any(|chain| all(&chain.last, document, id, element) && chain.reaches(document, id, 0))
    }
}

impl Chain {
    /// Whether the compounds from `index` on are where they must be, seen from `id`.
    fn reaches(&self, document: &Document, id: NodeId, index: usize) -> bool {
        let Some((combinator, compound)) = self.before.get(index) else {
            return true;
        };
        let fits = |id: NodeId| {
            let element = document.element(id);
            element.is_some_and(|e| all(compound, document, id, e))
                && self.reaches(document, id, index + 1)
        };
        match combinator {
            Combinator::Child => document.parent(id).is_some_and(fits),
            Combinator::Descendant => document.ancestors(id).any(fits),
            Combinator::NextSibling => elements_before(document, id).next().is_some_and(fits),
            Combinator::LaterSibling => elements_before(document, id).any(fits),
        }
    }
}

fn all(compound: &[Simple], document: &Document, id: NodeId, element: &Element) -> bool {
    compound
        .iter()
        .all(|simple| simple.matches(document, id, element))
}

fn elements_before(document: &Document, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let before = std::iter::successors(document.previous(id), |at| document.previous(*at));
    before.filter(|at| document.element(*at).is_some())
}

fn elements_after(document: &Document, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let after = std::iter::successors(document.next(id), |at| document.next(*at));
    after.filter(|at| document.element(*at).is_some())
}

impl Simple {
    fn matches(&self, document: &Document, id: NodeId, element: &Element) -> bool {
        match self {
            Self::Any => true,
            Self::Tag(tag) => element.name() == &**tag,
            Self::Id(wanted) => element.attribute("id") == Some(&**wanted),
            Self::Class(class) => element
                .attribute("class")
                .is_some_and(|classes| classes.split_ascii_whitespace().any(|c| c == &**class)),
            Self::Attribute(name, test) => test.holds(element.attribute(name)),
            Self::Not(selector) => !selector.matches(document, id),
            Self::Is(selector) => selector.matches(document, id),
            Self::Has(selector) => document
                .descendants(id)
                .any(|inside| selector.matches(document, inside)),
            Self::HasChild(selector) => document
                .children(id)
                .any(|child| selector.matches(document, child)),
            Self::Contains { text, own } => {
                content(document, id, *own).to_lowercase().contains(&**text)
            }
            Self::Matches { regex, own } => regex.is_match(&content(document, id, *own)),
            Self::Nth(nth) => nth.holds(document, id, element),
            Self::OnlyChild { of_type } => {
                let rival = |other: &NodeId| !of_type || is_of_type(document, *other, element);
                !elements_before(document, id).any(|o| rival(&o))
                    && !elements_after(document, id).any(|o| rival(&o))
            }
            Self::Lang(lang) => speaks(document, id, lang),
            Self::State(state) => state.holds(document, id, element),
        }
    }
}

/// The text of an element, with that of the elements in it or without.
fn content(document: &Document, id: NodeId, own: bool) -> String {
    if !own {
        return document.text(id);
    }
    let mut text = String::new();
    for child in document.children(id) {
        if let NodeData::Text(piece) = document.data(child) {
            text.push_str(piece);
        }
    }
    text
}

fn is_of_type(document: &Document, other: NodeId, element: &Element) -> bool {
    let other = document.element(other);
    other.is_some_and(|other| other.name() == element.name())
}

/// Whether the nearest `lang` says this language.
fn speaks(document: &Document, id: NodeId, lang: &str) -> bool {
    let mut nearest = std::iter::once(id).chain(document.ancestors(id));
    let own = nearest.find_map(|at| document.attribute(at, "lang"));
    own.is_some_and(|own| {
        let own = own.to_ascii_lowercase();
        let rest = own.strip_prefix(lang);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

impl Test {
    fn holds(&self, value: Option<&str>) -> bool {
        let Some(value) = value else {
            return matches!(self, Self::Differs(_));
        };
        match self {
            Self::Exists => true,
            Self::Equals(wanted, case) => case.of(value) == case.of(wanted),
            Self::Differs(unwanted) => value != &**unwanted,
            Self::Word(wanted, case) => {
                let wanted = case.of(wanted);
                value
                    .split_ascii_whitespace()
                    .any(|word| case.of(word) == wanted)
            }
            Self::Dash(wanted, case) => {
                let (value, wanted) = (case.of(value), case.of(wanted));
                let rest = value.strip_prefix(&*wanted);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            }
            // What begins, ends or goes on with nothing matches nothing.
            Self::Prefix(wanted, _) | Self::Suffix(wanted, _) | Self::Substring(wanted, _)
                if wanted.is_empty() =>
            {
                false
            }
            Self::Prefix(wanted, case) => case.of(value).starts_with(&*case.of(wanted)),
            Self::Suffix(wanted, case) => case.of(value).ends_with(&*case.of(wanted)),
            Self::Substring(wanted, case) => case.of(value).contains(&*case.of(wanted)),
            Self::Regex(regex) => regex.is_match(value),
        }
    }
}

impl Case {
    /// The text as it is compared.
    fn of(self, text: &str) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Differs => text.into(),
            Self::Same => text.to_ascii_lowercase().into(),
        }
    }
}

impl Nth {
    fn holds(self, document: &Document, id: NodeId, element: &Element) -> bool {
        if document.parent(id).is_none() {
            return false;
        }
        let counts = |other: &NodeId| !self.of_type || is_of_type(document, *other, element);
        let before = match self.from_end {
            false => elements_before(document, id).filter(counts).count(),
            true => elements_after(document, id).filter(counts).count(),
        };
        let place = i64::try_from(before).unwrap_or(i64::MAX).saturating_add(1);
        let distance = place.saturating_sub(self.offset);
        match self.step {
            0 => distance == 0,
            step => distance % step == 0 && distance / step >= 0,
        }
    }
}

impl State {
    fn holds(self, document: &Document, id: NodeId, element: &Element) -> bool {
        let name = element.name();
        let has = |attribute: &str| element.attribute(attribute).is_some();
        let is_link = matches!(name, "a" | "area" | "link") && has("href");
        match self {
            Self::Root => document.parent(id) == Some(NodeId::DOCUMENT),
            Self::Empty => !document.children(id).any(|child| {
                matches!(
                    document.data(child),
                    NodeData::Text(_) | NodeData::Element(_)
                )
            }),
            Self::Link => is_link,
            Self::Input => matches!(name, "input" | "select" | "textarea" | "button"),
            Self::Checked => match name {
                "input" => {
                    let kind = element.attribute("type").unwrap_or_default();
                    has("checked") && matches!(kind, "checkbox" | "radio")
                }
                "option" => has("selected"),
                _ => false,
            },
            Self::Disabled => can_be_disabled(name) && has("disabled"),
            Self::Enabled => is_link || (can_be_disabled(name) && !has("disabled")),
        }
    }
}

fn can_be_disabled(name: &str) -> bool {
    matches!(
        name,
        "button"
            | "input"
            | "select"
            | "textarea"
            | "optgroup"
            | "option"
            | "fieldset"
            | "menuitem"
    )
}
