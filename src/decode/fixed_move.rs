//! Moves that a person has settled: the search keeps to them.

use shakmaty::san::San;
use shakmaty::{Chess, Move};

/// A ply of the game that a person has read: only this move is played there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedMove {
    /// Ply from 1, as it counts in the game put out: White's first move is 1, Black's answer 2.
    pub ply: u16,
    /// The move.
    pub san: San,
}

/// The legal moves of a position that what is held allows: all of them where nothing is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowed {
    /// Every one.
    All,
    /// This one alone.
    Only(Move),
    /// The held move is not legal here.
    None,
}

impl Allowed {
    /// What may be played in a position before which `played` plies were.
    pub(super) fn at(held: &[FixedMove], played: u16, position: &Chess) -> Self {
        match held.iter().find(|h| h.ply == played + 1) {
            None => Self::All,
            Some(h) => h.san.to_move(position).map_or(Self::None, Self::Only),
        }
    }

    /// Whether a move may be played.
    pub(super) fn includes(self, m: Move) -> bool {
        match self {
            Self::All => true,
            Self::Only(held) => held == m,
            Self::None => false,
        }
    }
}
