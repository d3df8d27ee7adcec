//! Steps from nodes to other nodes, as jQuery names them.

use crate::selector::Selector;
use crate::tree::{Document, NodeId};

/// Where siblings are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the end of the text.
    Forward,
    /// Towards its beginning.
    Backward,
}

/// The nodes without those that came before.
#[must_use]
pub fn unique(nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    let mut seen = std::collections::HashSet::new();
    nodes.into_iter().filter(|id| seen.insert(*id)).collect()
}

impl Document {
    /// Everything inside of the nodes that a selector matches.
    #[must_use]
    pub fn find(&self, nodes: &[NodeId], selector: &Selector) -> Vec<NodeId> {
        unique(nodes.iter().flat_map(|root| selector.find(self, *root)))
    }

    /// The elements next to a node in one direction, the nearest first.
    pub fn siblings_towards(
        &self,
        id: NodeId,
        direction: Direction,
    ) -> impl Iterator<Item = NodeId> + '_ {
        let step = move |at: NodeId| match direction {
            Direction::Forward => self.next(at),
            Direction::Backward => self.previous(at),
        };
        std::iter::successors(step(id), move |at| step(*at))
            .filter(|at| self.element(*at).is_some())
    }

    /// The elements in the same parent, without the node itself.
    pub fn siblings(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.parent(id).map(|parent| self.child_elements(parent));
        all.into_iter().flatten().filter(move |at| *at != id)
    }

    /// The elements it is in, from the inside out.
    pub fn parent_elements(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.ancestors(id).filter(|at| self.element(*at).is_some())
    }

    /// The node itself or the nearest one around it that matches.
    #[must_use]
    pub fn closest(&self, id: NodeId, selector: &Selector) -> Option<NodeId> {
        let mut all = std::iter::once(id).chain(self.ancestors(id));
        all.find(|at| selector.matches(self, *at))
    }

    /// Whether `inner` is inside of `outer`.
    #[must_use]
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        self.ancestors(inner).any(|at| at == outer)
    }
}
