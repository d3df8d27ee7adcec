//! What the fields of forms hold and send.
//!
//! As in k6, check boxes, radio buttons, files and buttons are not sent, and disabled fields are.

use crate::tree::{Document, NodeId};

/// Kinds of inputs whose value is not sent.
const NOT_SENT: &[&str] = &[
    "submit", "button", "reset", "image", "file", "checkbox", "radio",
];

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// One text.
    One(String),
    /// The texts of the chosen options, any number.
    Many(Vec<String>),
}

/// A field with what it sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name.
    pub name: String,
    /// Its value.
    pub value: FieldValue,
}

impl Document {
    /// The value of a form's field; none of what is no field.
    #[must_use]
    pub fn field_value(&self, id: NodeId) -> Option<FieldValue> {
        let element = self.element(id)?;
        let value = || element.attribute("value").map(str::to_owned);
        Some(FieldValue::One(match element.name() {
            "input" => value().unwrap_or_else(|| {
                let kind = element.attribute("type").unwrap_or_default();
                match kind {
                    "checkbox" | "radio" => "on".to_owned(),
                    _ => String::new(),
                }
            }),
            "button" => value().unwrap_or_default(),
            "option" => self.option_value(id),
            "textarea" => self.text(id),
            "select" => {
                let mut chosen = self.chosen(id).map(|option| self.option_value(option));
                if element.attribute("multiple").is_some() {
                    return Some(FieldValue::Many(chosen.collect()));
                }
                chosen.next().unwrap_or_default()
            }
            _ => return None,
        }))
    }

    /// The value of an option: its attribute, or its text.
    pub(crate) fn option_value(&self, id: NodeId) -> String {
        let value = self.attribute(id, "value").map(str::to_owned);
        value.unwrap_or_else(|| self.text(id))
    }

    /// The options inside of a node.
    pub(crate) fn options(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.descendants(id).filter(|at| self.is(*at, "option"))
    }

    /// The options that are selected by their attribute.
    pub(crate) fn chosen(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.options(id)
            .filter(|at| self.attribute(*at, "selected").is_some())
    }

    /// What the fields among the nodes, and in the forms among them, send.
    #[must_use]
    pub fn fields(&self, nodes: &[NodeId]) -> Vec<Field> {
        let all = nodes.iter().flat_map(|id| {
            let inside = self.is(*id, "form").then(|| self.descendants(*id));
            let itself = (!self.is(*id, "form")).then_some(*id);
            itself.into_iter().chain(inside.into_iter().flatten())
        });
        all.filter_map(|id| self.sent(id)).collect()
    }

    fn sent(&self, id: NodeId) -> Option<Field> {
        let element = self.element(id)?;
        let is_field = match element.name() {
            "input" => {
                let kind = element.attribute("type").unwrap_or_default();
                !NOT_SENT.contains(&kind)
            }
            "select" | "textarea" => true,
            _ => false,
        };
        let name = element.attribute("name").filter(|_| is_field)?.to_owned();
        let value = self.field_value(id)?;
        Some(Field { name, value })
    }
}
