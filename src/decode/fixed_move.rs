//! Moves that a person has fixed: the search keeps to them.

use shakmaty::san::San;
use shakmaty::{Chess, Move};

/// A ply of the game whose move a person has read: only this move is played there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedMove {
    /// Number of the ply in the game that is put out, from 1: White's first move is 1, Black's
    /// answer 2.
    pub ply: u16,
    /// The move, as it is written in the position where it is played.
    pub san: San,
}

/// Which legal moves of a position the fixed moves allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllowedMoves {
    /// Every one, since no move is fixed here.
    All,
    /// The fixed move alone.
    Only(Move),
    /// None, since the fixed move is not legal here.
    None,
}

impl AllowedMoves {
    /// The moves allowed in a position that comes after `plies` plies.
    pub(super) fn after(plies: u16, fixed: &[FixedMove], position: &Chess) -> Self {
        match fixed.iter().find(|f| f.ply == plies + 1) {
            None => Self::All,
            Some(f) => f.san.to_move(position).map_or(Self::None, Self::Only),
        }
    }

    /// Whether a move is among them.
    pub(super) fn includes(self, m: Move) -> bool {
        match self {
            Self::All => true,
            Self::Only(fixed) => fixed == m,
            Self::None => false,
        }
    }
}
