//! A node as HTML text again, in the form that k6's library writes: `<br/>`, `&#34;`.

use crate::tree::{Document, NodeData, NodeId};

/// Elements without content and end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "meta", "param",
    "source", "track", "wbr",
];

/// Elements whose text is written as it is.
const RAW: &[&str] = &[
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "style",
    "xmp",
];

/// Elements after whose start tag the parser drops one line break.
const DROPS_LINE_BREAK: &[&str] = &["pre", "listing", "textarea"];

impl Document {
    /// What is inside of a node, as HTML.
    #[must_use]
    pub fn inner_html(&self, id: NodeId) -> String {
        let mut html = String::new();
        for child in self.children(id) {
            self.render(child, &mut html);
        }
        html
    }

    /// A node with everything in it, as HTML.
    fn render(&self, root: NodeId, html: &mut String) {
        let mut at = Some(root);
        while let Some(id) = at {
            self.open(id, root, html);
            at = self.first_child(id);
            if at.is_some() {
                continue;
            }
            // Up to the first node that has another one after it.
            let mut done = id;
            loop {
                self.close(done, html);
                if done == root {
                    return;
                }
                if let Some(next) = self.next(done) {
                    at = Some(next);
                    break;
                }
                match self.parent(done) {
                    Some(parent) => done = parent,
                    None => return,
                }
            }
        }
    }

    fn open(&self, id: NodeId, root: NodeId, html: &mut String) {
        match self.data(id) {
            NodeData::Document => {}
            NodeData::Doctype {
                name,
                public,
                system,
            } => doctype([name, public, system], html),
            NodeData::Comment(text) => {
                html.push_str("<!--");
                html.push_str(text);
                html.push_str("-->");
            }
            NodeData::Text(text) => {
                // The first node does not know what it is in: k6 escapes it always.
                let parent = self.parent(id).filter(|_| id != root);
                let is_raw = parent
                    .and_then(|parent| self.element(parent))
                    .is_some_and(|e| e.is_html() && RAW.contains(&e.name()));
                if is_raw {
                    html.push_str(text);
                } else {
                    escape(text, html);
                }
            }
            NodeData::Element(element) => {
                html.push('<');
                html.push_str(element.name());
                for attribute in element.attributes() {
                    html.push(' ');
                    if !attribute.prefix().is_empty() {
                        html.push_str(attribute.prefix());
                        html.push(':');
                    }
                    html.push_str(attribute.name());
                    html.push_str("=\"");
                    escape(attribute.value(), html);
                    html.push('"');
                }
                if self.is_void(id) {
                    html.push('/');
                }
                html.push('>');
                if DROPS_LINE_BREAK.contains(&element.name())
                    && let Some(first) = self.first_child(id)
                    && let NodeData::Text(text) = self.data(first)
                    && text.starts_with('\n')
                {
                    html.push('\n');
                }
            }
        }
    }

    fn close(&self, id: NodeId, html: &mut String) {
        if let Some(element) = self.element(id)
            && !self.is_void(id)
            && element.name() != "plaintext"
        {
            html.push_str("</");
            html.push_str(element.name());
            html.push('>');
        }
    }

    fn is_void(&self, id: NodeId) -> bool {
        let element = self.element(id);
        element.is_some_and(|e| VOID.contains(&e.name())) && self.first_child(id).is_none()
    }
}

fn doctype([name, public, system]: [&str; 3], html: &mut String) {
    html.push_str("<!DOCTYPE ");
    html.push_str(name);
    if !public.is_empty() {
        html.push_str(" PUBLIC \"");
        html.push_str(public);
        html.push('"');
    } else if !system.is_empty() {
        html.push_str(" SYSTEM");
    }
    if !system.is_empty() {
        html.push_str(" \"");
        html.push_str(system);
        html.push('"');
    }
    html.push('>');
}

fn escape(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&#34;"),
            '\'' => html.push_str("&#39;"),
            '\r' => html.push_str("&#13;"),
            other => html.push(other),
        }
    }
}
