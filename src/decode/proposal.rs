//! The steps that are proposed for the next layer, and in which order they are looked at.

use super::path::{Edge, Step};

/// A step that may lead into the next layer.
pub(super) struct Proposal {
    /// Index of the state it starts from.
    pub from: u32,
    pub step: Step,
    /// Log-weight of the step, in nats.
    pub weight: f32,
    /// Log-weight of the best path that ends with the step, in nats.
    pub total: f32,
}

impl Proposal {
    /// The edge that it becomes in the lattice.
    pub(super) fn edge(&self) -> Edge {
        Edge {
            from: self.from,
            step: self.step,
            weight: self.weight,
        }
    }
}

/// When a proposal is looked at, the greatest first: the larger total before others, of equal ones
/// the smaller number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Priority(u64);

impl Priority {
    /// The priority of a proposal with a total in nats and a number.
    pub(super) fn new(total: f32, number: u32) -> Self {
        /// The bit that is set in negative numbers.
        const SIGN_BIT: u32 = 1 << 31;
        let bits = total.to_bits();
        // Numbers that are ordered as `f32::total_cmp` orders the totals.
        let ordered = if bits & SIGN_BIT == 0 {
            bits | SIGN_BIT
        } else {
            !bits
        };
        Self(u64::from(ordered) << 32 | u64::from(!number))
    }

    /// The number of the proposal.
    pub(super) fn number(&self) -> usize {
        !(self.0 as u32) as usize
    }
}

/// The best of the steps that are proposed for a layer.
pub(super) struct BestProposals {
    pub proposals: Vec<Proposal>,
    /// How far a proposal may lie behind the best one, in nats.
    window: f32,
    /// How many of the best are enough; at least 1.
    enough: usize,
    /// Total of the best one, in nats.
    top: f32,
    /// A proposal whose total is less is not among the best.
    pub min_total: f32,
}

impl BestProposals {
    pub(super) fn new(window: f32, enough: usize) -> Self {
        Self {
            proposals: Vec::new(),
            window,
            enough,
            top: f32::NEG_INFINITY,
            min_total: f32::NEG_INFINITY,
        }
    }

    /// Adds a proposal if it is among the best so far; returns the total that the next one needs.
    pub(super) fn add(&mut self, proposal: Proposal) -> f32 {
        self.top = self.top.max(proposal.total);
        self.min_total = self.min_total.max(self.top - self.window);
        if proposal.total >= self.min_total {
            self.proposals.push(proposal);
            if self.proposals.len() >= 2 * self.enough {
                let worst_last = |a: &Proposal, b: &Proposal| b.total.total_cmp(&a.total);
                let (_, last, _) = self
                    .proposals
                    .select_nth_unstable_by(self.enough - 1, worst_last);
                self.min_total = self.min_total.max(last.total);
                self.proposals.truncate(self.enough);
            }
        }
        self.min_total
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BinaryHeap;

    use super::*;

    #[test]
    fn the_larger_total_is_first_and_of_equals_the_smaller_number() {
        let totals = [-3.0, 0.5, f32::NEG_INFINITY, -1e-9, 0.5, 0.0, -40.0];
        let numbered = totals.into_iter().zip(0..);
        let priorities: Vec<Priority> =
            numbered.map(|(total, n)| Priority::new(total, n)).collect();
        let mut best_first = BinaryHeap::from(priorities);
        let order: Vec<usize> =
            std::iter::from_fn(|| best_first.pop().map(|first| first.number())).collect();
        assert_eq!(order, [1, 4, 5, 3, 0, 6, 2]);
    }
}
