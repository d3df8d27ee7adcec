//! The document: nodes in one vector, linked by their places in it.
//!
//! A document does not change once it is parsed. Nothing here recurses, because documents can be nested deep and
//! the stacks that this runs on are small.

use html5ever::QualName;
use html5ever::ns;

use crate::sink::Builder;

/// The place of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The document node itself.
    pub const DOCUMENT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An attribute of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub(crate) name: QualName,
    pub(crate) value: Box<str>,
}

impl Attribute {
    /// The name without its prefix.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name.local
    }

    /// The prefix of foreign attributes such as `xlink:href`; empty otherwise.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.name.prefix.as_deref().unwrap_or_default()
    }

    /// The value, character references resolved.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// A tag with its attributes.
#[derive(Clone, Debug)]
pub struct Element {
    pub(crate) name: QualName,
    pub(crate) attributes: Vec<Attribute>,
}

impl Element {
    /// The tag's name, in lower case for HTML.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name.local
    }

    /// The URI of HTML, SVG or MathML.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.name.ns
    }

    /// Whether it belongs to HTML rather than to SVG or MathML.
    #[must_use]
    pub fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// All attributes, in the order they were written.
    #[must_use]
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|a| a.name() == name);
        found.map(Attribute::value)
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum NodeData {
    /// The root of everything.
    Document,
    /// `<!DOCTYPE ...>`.
    Doctype {
        /// The name, `html`.
        name: Box<str>,
        /// The public identifier, mostly empty.
        public: Box<str>,
        /// The system identifier, mostly empty.
        system: Box<str>,
    },
    /// Text, character references resolved.
    Text(String),
    /// The text of a comment.
    Comment(Box<str>),
    /// An element.
    Element(Element),
}

/// A node with its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<NodeId>,
    pub(crate) first_child: Option<NodeId>,
    pub(crate) last_child: Option<NodeId>,
    pub(crate) previous: Option<NodeId>,
    pub(crate) next: Option<NodeId>,
    pub(crate) data: NodeData,
}

/// More than 512 elements are inside one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

impl std::fmt::Display for TooDeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the page has more than 512 elements inside one another")
    }
}

impl std::error::Error for TooDeep {}

/// A parsed document.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) nodes: Vec<Node>,
    text_bytes: usize,
}

impl Document {
    /// Parses a whole document by the rules of HTML 5, which make a document of any text.
    ///
    /// # Errors
    /// When too many elements are inside one another.
    pub fn parse(text: &str) -> Result<Self, TooDeep> {
        let mut document = Builder::parse(text)?;
        document.text_bytes = text.len();
        Ok(document)
    }

    /// A document with nothing in it.
    pub(crate) fn empty() -> Self {
        let mut document = Self {
            nodes: Vec::new(),
            text_bytes: 0,
        };
        document.create(NodeData::Document);
        document
    }

    /// What it holds in memory, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.text_bytes
    }

    pub(crate) fn create(&mut self, data: NodeData) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            parent: None,
            first_child: None,
            last_child: None,
            previous: None,
            next: None,
            data,
        });
        id
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// What a node is.
    #[must_use]
    pub fn data(&self, id: NodeId) -> &NodeData {
        &self.node(id).data
    }

    /// The element that a node is.
    #[must_use]
    pub fn element(&self, id: NodeId) -> Option<&Element> {
        match self.data(id) {
            NodeData::Element(element) => Some(element),
            _ => None,
        }
    }

    /// Whether a node is an HTML element of this name.
    #[must_use]
    pub fn is(&self, id: NodeId, tag: &str) -> bool {
        self.element(id).is_some_and(|e| e.name() == tag)
    }

    /// The value of an element's attribute.
    #[must_use]
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        self.element(id)?.attribute(name)
    }

    /// The node that this one is in.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// The first node inside.
    #[must_use]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child
    }

    /// The last node inside.
    #[must_use]
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).last_child
    }

    /// The node before, in the same parent.
    #[must_use]
    pub fn previous(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).previous
    }

    /// The node after, in the same parent.
    #[must_use]
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next
    }

    /// The nodes inside, not those inside of them.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |at| self.next(*at))
    }

    /// The elements among the children.
    pub fn child_elements(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id)
            .filter(|child| self.element(*child).is_some())
    }

    /// The nodes it is in, from the inside out; the document node is the last.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |at| self.parent(*at))
    }

    /// Everything inside, in the order of the text.
    pub fn descendants(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = root;
        std::iter::from_fn(move || {
            at = self.following(at, root)?;
            Some(at)
        })
    }

    /// The node after `at` in the order of the text, inside of `root`.
    fn following(&self, at: NodeId, root: NodeId) -> Option<NodeId> {
        if let Some(child) = self.first_child(at) {
            return Some(child);
        }
        let mut at = at;
        while at != root {
            if let Some(next) = self.next(at) {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// All text inside of a node, one piece after the other; of a text node the text.
    #[must_use]
    pub fn text(&self, id: NodeId) -> String {
        let mut all = String::new();
        self.append_text(id, &mut all);
        all
    }

    /// [`Self::text`] at the end of `all`.
    pub fn append_text(&self, id: NodeId, all: &mut String) {
        for node in std::iter::once(id).chain(self.descendants(id)) {
            if let NodeData::Text(text) = self.data(node) {
                all.push_str(text);
            }
        }
    }

    /// The element with this `id`.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<NodeId> {
        self.descendants(NodeId::DOCUMENT)
            .find(|node| self.attribute(*node, "id") == Some(id))
    }

    /// Whether two nodes and everything in them are of one kind and content.
    #[must_use]
    pub fn is_equal(&self, a: NodeId, other: &Self, b: NodeId) -> bool {
        let mut left = std::iter::once(a).chain(self.descendants(a));
        let mut right = std::iter::once(b).chain(other.descendants(b));
        loop {
            match (left.next(), right.next()) {
                (None, None) => return true,
                (Some(l), Some(r)) if self.is_alike(l, a, other, r, b) => {}
                _ => return false,
            }
        }
    }

    /// Whether two nodes are alike, and as deep below their roots.
    fn is_alike(&self, l: NodeId, a: NodeId, other: &Self, r: NodeId, b: NodeId) -> bool {
        let last = |document: &Self, node: NodeId, root: NodeId| {
            node == root || document.next(node).is_none()
        };
        let same = match (self.data(l), other.data(r)) {
            (NodeData::Document, NodeData::Document) => true,
            (NodeData::Text(l), NodeData::Text(r)) => l == r,
            (NodeData::Comment(l), NodeData::Comment(r)) => l == r,
            (NodeData::Doctype { name: l, .. }, NodeData::Doctype { name: r, .. }) => l == r,
            (NodeData::Element(l), NodeData::Element(r)) => {
                let both = l.attributes.len() == r.attributes.len();
                l.name == r.name && both && l.attributes.iter().all(|a| r.attributes.contains(a))
            }
            _ => false,
        };
        let childless = self.first_child(l).is_none() == other.first_child(r).is_none();
        same && childless && last(self, l, a) == last(other, r, b)
    }
}
