//! The edges that lead into the states of a lattice. Most states have one edge only, so that a
//! vector for each state would take more memory than its edges: all edges lie in one vector, as
//! linked lists.

use std::num::NonZeroU32;

use super::path::Edge;

/// Names an edge of [`EdgeLists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EdgeId(NonZeroU32);

impl EdgeId {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The edges that lead into one state, in the order in which they were added.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EdgeList {
    first: Option<EdgeId>,
    last: Option<EdgeId>,
    len: u16,
}

impl EdgeList {
    /// Number of edges.
    pub(super) fn len(self) -> usize {
        usize::from(self.len)
    }

    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// The edges of all lists.
#[derive(Debug, Default)]
pub(super) struct EdgeLists {
    /// Each edge, and the next one of its list.
    edges: Vec<(Edge, Option<EdgeId>)>,
}

impl EdgeLists {
    /// Adds an edge to the end of a list.
    pub(super) fn push(&mut self, list: &mut EdgeList, edge: Edge) {
        self.edges.push((edge, None));
        let number = NonZeroU32::new(self.edges.len() as u32);
        let id = EdgeId(number.expect("fewer than 2^32 edges, and one at least"));
        match list.last {
            Some(last) => self.edges[last.index()].1 = Some(id),
            None => list.first = Some(id),
        }
        list.last = Some(id);
        list.len += 1;
    }

    /// The edges of a list.
    pub(super) fn iter(&self, list: EdgeList) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let next = |id: &EdgeId| self.edges[id.index()].1;
        let ids = std::iter::successors(list.first, next);
        ids.map(|id| (id, &self.edges[id.index()].0))
    }

    /// The edge of this name.
    pub(super) fn get(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()].0
    }
}

#[cfg(test)]
mod tests {
    use super::super::path::Step;
    use super::*;

    fn edge(from: u32) -> Edge {
        Edge {
            from,
            step: Step::Skip(0),
            weight: 0.0,
        }
    }

    #[test]
    fn lists_that_grow_by_turns_keep_their_own_edges_in_order() {
        let mut lists = EdgeLists::default();
        let (mut odd, mut even) = (EdgeList::default(), EdgeList::default());
        for from in 1..=6 {
            let list = if from % 2 == 1 { &mut odd } else { &mut even };
            lists.push(list, edge(from));
        }
        let origins = |list| -> Vec<u32> { lists.iter(list).map(|(_, e)| e.from).collect() };
        assert_eq!((origins(odd), odd.len()), (vec![1, 3, 5], 3));
        assert_eq!(origins(even), [2, 4, 6]);
        assert!(origins(EdgeList::default()).is_empty());
        assert!(lists.iter(even).all(|(id, e)| lists.get(id).from == e.from));
    }
}
