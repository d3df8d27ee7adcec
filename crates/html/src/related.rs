//! Elements that belong together without being inside of each other: labels, forms, lists, the rows of a table.

use crate::tree::{Document, NodeId};

/// What can have a label.
const LABELABLE: &[&str] = &[
    "button", "input", "keygen", "meter", "output", "progress", "select", "textarea",
];
/// What a form or fieldset lists as its elements.
const LISTED: &[&str] = &[
    "button", "fieldset", "input", "keygen", "object", "output", "select", "textarea",
];

impl Document {
    fn inside<'a>(&'a self, id: NodeId, tags: &'a [&str]) -> impl Iterator<Item = NodeId> + 'a {
        let is_one = |at: &NodeId| self.element(*at).is_some_and(|e| tags.contains(&e.name()));
        self.descendants(id).filter(is_one)
    }

    fn around(&self, id: NodeId, tag: &str) -> Option<NodeId> {
        self.ancestors(id).find(|at| self.is(*at, tag))
    }

    /// The form that an element belongs to: named by its attribute, or around it.
    pub(crate) fn form_of(&self, id: NodeId) -> Option<NodeId> {
        match self.attribute(id, "form") {
            Some(form) => self.by_id(form).filter(|form| self.is(*form, "form")),
            None => self.around(id, "form"),
        }
    }

    /// The labels of an element: around it, or with its id.
    pub(crate) fn labels_of(&self, id: NodeId) -> Vec<NodeId> {
        let own_id = self.attribute(id, "id");
        self.inside(NodeId::DOCUMENT, &["label"])
            .filter(|label| match self.attribute(*label, "for") {
                Some(target) => own_id == Some(target),
                None => self.contains(*label, id),
            })
            .collect()
    }

    /// What a label labels.
    pub(crate) fn control_of(&self, label: NodeId) -> Option<NodeId> {
        match self.attribute(label, "for") {
            Some(target) => self.by_id(target),
            None => self.inside(label, LABELABLE).next(),
        }
    }

    /// The list of suggestions of an input.
    pub(crate) fn list_of(&self, input: NodeId) -> Option<NodeId> {
        let list = self.by_id(self.attribute(input, "list")?)?;
        self.is(list, "datalist").then_some(list)
    }

    /// What a form or fieldset consists of.
    pub(crate) fn listed_in(&self, id: NodeId) -> Vec<NodeId> {
        self.inside(id, LISTED)
            .filter(|at| !self.is(*at, "output") || !self.is(id, "form"))
            .collect()
    }

    /// The place of an option in its select.
    pub(crate) fn option_index(&self, option: NodeId) -> usize {
        let Some(select) = self
            .around(option, "select")
            .or_else(|| self.around(option, "datalist"))
        else {
            return 0;
        };
        let place = self.options(select).position(|at| at == option);
        place.unwrap_or_default()
    }

    /// The rows of a table or of one of its sections.
    pub(crate) fn rows_of(&self, id: NodeId) -> Vec<NodeId> {
        let all = self.inside(id, &["tr"]);
        // Rows of a table in a cell are its own.
        let own = |row: &NodeId| {
            let table = self.around(*row, "table");
            table == Some(id) || table == self.around(id, "table")
        };
        all.filter(own).collect()
    }

    /// The place of a row in what is around it.
    pub(crate) fn row_index(&self, row: NodeId, around: &[&str]) -> usize {
        let parent = around.iter().find_map(|tag| self.around(row, tag));
        let rows = parent.map(|parent| self.rows_of(parent));
        let place = rows.and_then(|rows| rows.iter().position(|at| *at == row));
        place.unwrap_or_default()
    }

    /// The place among the cells of the row.
    pub(crate) fn cell_index(&self, cell: NodeId) -> usize {
        let row = self.parent(cell).map(|row| self.child_elements(row));
        let place = row.and_then(|mut cells| cells.position(|at| at == cell));
        place.unwrap_or_default()
    }

    /// The images and objects that use a map.
    pub(crate) fn users_of(&self, map: NodeId) -> Vec<NodeId> {
        let Some(name) = self.attribute(map, "name") else {
            return Vec::new();
        };
        self.inside(NodeId::DOCUMENT, &["img", "object"])
            .filter(|at| {
                let used = self.attribute(*at, "usemap").unwrap_or_default();
                used.strip_prefix('#') == Some(name)
            })
            .collect()
    }

    /// The elements of a tag inside of a node.
    pub(crate) fn of_tag(&self, id: NodeId, tag: &str) -> Vec<NodeId> {
        let all = self.descendants(id);
        all.filter(|at| self.is(*at, tag)).collect()
    }
}
