//! HTML as scripts see it: a [`Document`] parsed by the rules of HTML 5, CSS [`Selector`]s, the steps of jQuery from
//! node to node, what forms send, and the properties that elements of each kind have.
//!
//! Pure data: no I/O, no JavaScript, no clock. Names and answers are those that scripts know from k6.

mod forms;
mod parts;
mod properties;
mod property_table;
mod related;
mod render;
mod selector;
mod sink;
mod steps;
mod tree;

pub use forms::{Field, FieldValue};
pub use parts::resolve;
pub use properties::{Answer, Property};
pub use selector::Selector;
pub use steps::{Direction, unique};
pub use tree::{Attribute, Document, Element, NodeData, NodeId, TooDeep};
