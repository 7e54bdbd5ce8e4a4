//! A path through the lattice: a game, and what each of its steps makes of the record.

use shakmaty::Move;

/// Fit, in nats, below which a cell's writing is not explained by its move. Chosen by eye.
pub(super) const MIN_EXPLAINED_FIT_NATS: f32 = -8.0;
/// Fit, in nats, from which a cell's writing is explained in full. Chosen by eye.
const MIN_FULL_FIT_NATS: f32 = -3.0;
/// Number of unexplained slots, those explained in part counted in part, from which a path is
/// doubtful: players make a slip, but with a second one the search may have lost its way. With two
/// instead of three, and the window of retries at 26 instead of 20 nats, EPFL played went from
/// 98.96 to 99.86 % and HCS dev played from 97.72 to 97.62 %.
const MIN_DOUBTFUL_SLOTS: f32 = 2.0;

/// Index of a slot of a record, in two bytes, since a wide search keeps hundreds of thousands of
/// edges; records have far fewer slots.
pub(super) type SlotIndex = u16;

/// What an edge of the lattice makes of the record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// A move is played.
    Move {
        /// The move.
        m: Move,
        /// Index of the slot it stands in; none where the players left it out.
        slot: Option<SlotIndex>,
        /// Mean log-probability of the cells' writing under the move, in nats; minus infinity
        /// where nothing speaks for it.
        fit: f32,
    },
    /// The slot of this index is no move of the game.
    Skip(SlotIndex),
}

impl Step {
    /// The move that it plays, if it plays one.
    pub(super) fn played(self) -> Option<Move> {
        match self {
            Self::Move { m, .. } => Some(m),
            Self::Skip(_) => None,
        }
    }

    /// Whether the move of the step explains what stands in its cells, more or less.
    pub(super) fn is_explained(self) -> bool {
        matches!(self, Self::Move { fit, .. } if fit >= MIN_EXPLAINED_FIT_NATS)
    }

    /// Index of the slot that it makes something of.
    pub(super) fn slot(self) -> Option<usize> {
        match self {
            Self::Move { slot, .. } => slot.map(usize::from),
            Self::Skip(slot) => Some(usize::from(slot)),
        }
    }

    /// How far the step leaves its cells unexplained, from 0 to 1.
    pub(super) fn unexplained_share(self) -> f32 {
        match self {
            Self::Move { fit, .. } if fit >= MIN_FULL_FIT_NATS => 0.0,
            Self::Move { fit, .. } => (fit / MIN_EXPLAINED_FIT_NATS).min(1.0),
            Self::Skip(_) => 1.0,
        }
    }
}

/// An edge of the lattice, kept at the state it leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// Index of the state it comes from.
    pub from: u32,
    pub step: Step,
    /// Log-weight in nats: emission score, weighted prior and costs.
    pub weight: f32,
}

/// One path through the lattice: a game, and what it makes of every slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    /// The edges in the order of the record.
    pub edges: Vec<Edge>,
    /// The slots after the game, in the order in which they are read.
    pub rest: Vec<usize>,
    /// Whether these are accounted for.
    pub complete: bool,
}

impl Path {
    /// The moves that it plays, in order.
    pub(super) fn played_moves(&self) -> impl Iterator<Item = Move> {
        self.edges.iter().filter_map(|edge| edge.step.played())
    }

    /// The path of a record of `slots` slots none of which is a move.
    pub(super) fn without_moves(slots: usize) -> Self {
        Self {
            edges: Vec::new(),
            rest: (0..slots).collect(),
            complete: false,
        }
    }

    /// Number of moves.
    pub(super) fn moves(&self) -> usize {
        self.played_moves().count()
    }

    /// Whether the search may have lost its way early: the path gives up before the last slot, or
    /// leaves at least [`MIN_DOUBTFUL_SLOTS`] unexplained.
    pub(super) fn is_doubtful(&self) -> bool {
        let unexplained = self.edges.iter().map(|e| e.step.unexplained_share());
        !self.complete || unexplained.sum::<f32>() >= MIN_DOUBTFUL_SLOTS
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::tests::{E4, pawn};
    use super::*;

    #[test]
    fn a_path_is_doubtful_from_two_unexplained_slots_on() {
        let path = |fits: &[f32]| Path {
            edges: fits
                .iter()
                .map(|&fit| Edge {
                    from: 0,
                    step: Step::Move {
                        m: pawn(E4.0, E4.1),
                        slot: Some(0),
                        fit,
                    },
                    weight: fit,
                })
                .collect(),
            rest: Vec::new(),
            complete: true,
        };
        assert!(!path(&[-2.9, -9.0, -2.9]).is_doubtful());
        assert!(path(&[-8.0, -0.1, -20.0]).is_doubtful());
        assert!(path(&[-4.0, -4.0, -4.0, -4.0]).is_doubtful(), "four halves");
        let cut = Path {
            complete: false,
            ..path(&[-0.1])
        };
        assert!(cut.is_doubtful());
    }
}
