//! What html5ever tells while it parses, made into a [`Document`].

use std::borrow::Cow;
use std::cell::RefCell;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute as Parsed, LocalName, Namespace, ParseOpts, QualName, parse_document};

use crate::tree::{Attribute, Document, Element, NodeData, NodeId, TooDeep};

/// Elements inside one another at most, `html` and `body` included; the same as in k6.
const DEPTH_LIMIT: u16 = 512;
/// How much of a text is parsed before its depth is looked at.
const PIECE_BYTES: usize = 4096;

/// A document in the making.
pub(crate) struct Builder(RefCell<Making>);

/// A document with how deep its nodes are.
pub(crate) struct Making {
    document: Document,
    /// By the node's place; what is below a node that moves keeps the depth it had.
    depths: Vec<u16>,
    too_deep: bool,
}

/// The name of an element, which the parser looks at while the document changes.
#[derive(Debug)]
pub(crate) struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Builder {
    /// The document that a text is.
    pub(crate) fn parse(text: &str) -> Result<Document, TooDeep> {
        let builder = Self(RefCell::new(Making {
            document: Document::empty(),
            depths: vec![0],
            too_deep: false,
        }));
        let mut parser = parse_document(builder, ParseOpts::default());
        let mut rest = text;
        // The parser looks through all open elements again and again, so what is too deep is left at once.
        while !rest.is_empty() && !parser.tokenizer.sink.sink.is_too_deep() {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
            parser.process(piece.into());
            rest = after;
        }
        let making = parser.finish();
        match making.too_deep {
            true => Err(TooDeep),
            false => Ok(making.document),
        }
    }

    fn is_too_deep(&self) -> bool {
        self.0.borrow().too_deep
    }

    /// Puts `child` into `parent`, before `before` or at the end.
    fn insert(&self, parent: NodeId, child: NodeOrText<NodeId>, before: Option<NodeId>) {
        let mut making = self.0.borrow_mut();
        if let NodeOrText::AppendNode(child) = &child {
            making.note_depth(parent, *child);
            detach(&mut making.document, *child);
        }
        let document = &mut making.document;
        let previous = match before {
            Some(before) => document.previous(before),
            None => document.last_child(parent),
        };
        let child = match child {
            NodeOrText::AppendNode(child) => child,
            NodeOrText::AppendText(text) => {
                // Text next to text becomes one node.
                if let Some(previous) = previous
                    && let NodeData::Text(known) = &mut document.node_mut(previous).data
                {
                    known.push_str(&text);
                    return;
                }
                document.create(NodeData::Text(text.to_string()))
            }
        };
        let node = document.node_mut(child);
        (node.parent, node.previous, node.next) = (Some(parent), previous, before);
        match previous {
            Some(previous) => document.node_mut(previous).next = Some(child),
            None => document.node_mut(parent).first_child = Some(child),
        }
        match before {
            Some(before) => document.node_mut(before).previous = Some(child),
            None => document.node_mut(parent).last_child = Some(child),
        }
    }
}

impl Making {
    /// Notes that a node is going to be a child of `parent`.
    fn note_depth(&mut self, parent: NodeId, child: NodeId) {
        let depth = |id: NodeId| self.depths.get(id.index()).copied().unwrap_or(0);
        let depth = depth(parent).saturating_add(1);
        self.too_deep |= depth > DEPTH_LIMIT;
        if self.depths.len() <= child.index() {
            self.depths.resize(child.index() + 1, 0);
        }
        self.depths[child.index()] = depth;
    }
}

/// Takes a node out of its parent.
fn detach(document: &mut Document, id: NodeId) {
    let node = document.node_mut(id);
    let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
    let Some(parent) = parent else { return };
    match previous {
        Some(previous) => document.node_mut(previous).next = next,
        None => document.node_mut(parent).first_child = next,
    }
    match next {
        Some(next) => document.node_mut(next).previous = previous,
        None => document.node_mut(parent).last_child = previous,
    }
}

fn attribute(parsed: Parsed) -> Attribute {
    Attribute {
        name: parsed.name,
        value: (&*parsed.value).into(),
    }
}

impl TreeSink for Builder {
    type Handle = NodeId;
    type Output = Making;
    type ElemName<'a> = Name;

    fn finish(self) -> Making {
        self.0.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        NodeId::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Name {
        let making = self.0.borrow();
        let name = making.document.element(*target).map(|e| e.name.clone());
        Name(
            name.unwrap_or_else(|| QualName::new(None, Namespace::default(), LocalName::default())),
        )
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Parsed>,
        _flags: ElementFlags,
    ) -> NodeId {
        let attributes = attributes.into_iter().map(attribute).collect();
        let element = Element { name, attributes };
        self.0
            .borrow_mut()
            .document
            .create(NodeData::Element(element))
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        let data = NodeData::Comment((&*text).into());
        self.0.borrow_mut().document.create(data)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        let data = NodeData::Comment(format!("?{target} {data}").into());
        self.0.borrow_mut().document.create(data)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.insert(*parent, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let has_parent = self.0.borrow().document.parent(*element).is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let data = NodeData::Doctype {
            name: (&*name).into(),
            public: (&*public).into(),
            system: (&*system).into(),
        };
        let id = self.0.borrow_mut().document.create(data);
        self.insert(NodeId::DOCUMENT, NodeOrText::AppendNode(id), None);
    }

    /// The contents of a template are its children here.
    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        *target
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.0.borrow().document.parent(*sibling);
        if let Some(parent) = parent {
            self.insert(parent, child, Some(*sibling));
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Parsed>) {
        let document = &mut self.0.borrow_mut().document;
        if let NodeData::Element(element) = &mut document.node_mut(*target).data {
            for new in attributes {
                if !element.attributes.iter().any(|a| a.name == new.name) {
                    element.attributes.push(attribute(new));
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        detach(&mut self.0.borrow_mut().document, *target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        loop {
            let child = self.0.borrow().document.first_child(*node);
            let Some(child) = child else { return };
            self.insert(*new_parent, NodeOrText::AppendNode(child), None);
        }
    }
}
