//! What the answers of a person ask of a search, by ply and by slot.

use std::collections::BTreeMap;

use shakmaty::san::San;
use shakmaty::{Chess, Move};

use crate::grid::CellId;
use crate::reader::Reading;

use super::answer::{Answer, CellContent};
use super::record::{CellIndex, Record};

/// Which legal moves of a position the answers allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllowedMoves {
    /// Every one, since nothing is known here.
    All,
    /// One move alone.
    Only(Move),
    /// None, since the move that a person has read is not legal here, or there is no move.
    None,
}

impl AllowedMoves {
    /// One move, if it is legal in a position.
    fn only(san: &San, position: &Chess) -> Self {
        san.to_move(position).map_or(Self::None, Self::Only)
    }

    /// Whether a move is among them.
    pub(super) fn includes(self, m: Move) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => only == m,
            Self::None => false,
        }
    }
}

/// The answers of a person as the search needs them.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// The moves of plies, counted from 0.
    plies: BTreeMap<u16, San>,
    /// Number of plies of the game, where it is known.
    max_plies: Option<u16>,
    /// The moves of slots; none where a slot holds no move of the game.
    slots: BTreeMap<usize, Option<San>>,
    /// The moves that were left out before the move of a slot, in the order of play.
    left_out: BTreeMap<usize, Vec<San>>,
}

impl Constraints {
    /// The constraints of some answers for a record of these readings, one list a copy.
    pub(super) fn new(answers: &[Answer], record: &Record, copies: &[&[Reading]]) -> Self {
        let mut constraints = Self::default();
        for answer in answers {
            match answer {
                Answer::Ply(fixed) => {
                    let ply = fixed.ply.saturating_sub(1);
                    constraints.plies.insert(ply, fixed.san);
                }
                Answer::Game(moves) => {
                    constraints.plies.extend((0..).zip(moves.iter().cloned()));
                    constraints.max_plies = Some(moves.len() as u16);
                }
                Answer::Cell {
                    sheet,
                    cell,
                    content,
                } => {
                    if let Some(slot) = find_slot(record, copies, *sheet, *cell) {
                        constraints.add_content(slot, content);
                    }
                }
            }
        }
        constraints
    }

    fn add_content(&mut self, slot: usize, content: &CellContent) {
        match content {
            CellContent::Move(san) => {
                self.slots.insert(slot, Some(*san));
            }
            // Another copy may have the move in the same slot.
            CellContent::NoMove => {
                self.slots.entry(slot).or_insert(None);
            }
            CellContent::LeftOut(sans) => {
                self.left_out.insert(slot, sans.clone());
            }
            // The readings end there already (`blank_answered_cells`).
            CellContent::Illegible | CellContent::End => {}
        }
    }

    /// The moves allowed in a slot, in a position that comes after `plies` plies.
    pub(super) fn in_slot(&self, slot: usize, plies: u16, position: &Chess) -> AllowedMoves {
        match (self.slots.get(&slot), self.outside_slots(plies, position)) {
            (None, by_ply) => by_ply,
            (Some(None), _) => AllowedMoves::None,
            (Some(Some(san)), by_ply) => match AllowedMoves::only(san, position) {
                AllowedMoves::Only(m) if by_ply.includes(m) => AllowedMoves::Only(m),
                _ => AllowedMoves::None,
            },
        }
    }

    /// The moves allowed outside the slots, in a position that comes after `plies` plies.
    pub(super) fn outside_slots(&self, plies: u16, position: &Chess) -> AllowedMoves {
        if self.max_plies.is_some_and(|max| plies >= max) {
            return AllowedMoves::None;
        }
        let san = self.plies.get(&plies);
        san.map_or(AllowedMoves::All, |san| AllowedMoves::only(san, position))
    }

    /// The moves that were left out before the move of a slot, in the order of play.
    pub(super) fn left_out_before(&self, slot: usize) -> &[San] {
        self.left_out.get(&slot).map_or(&[], Vec::as_slice)
    }

    /// Whether any move was left out.
    pub(super) fn has_left_out_moves(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Number of moves that a game misses if it skips a slot: 1 where a person has read a move in
    /// it.
    pub(super) fn missed_by_skip(&self, slot: usize) -> usize {
        usize::from(matches!(self.slots.get(&slot), Some(Some(_))))
    }

    /// Number of moves that a game misses if it ends after `plies` plies before a slot.
    pub(super) fn missed_by_end(&self, plies: u16, slot: usize) -> usize {
        let slots = self.slots.range(slot..).filter(|held| held.1.is_some());
        let left_out = self.left_out.range(slot..).map(|moves| moves.1.len());
        self.plies.range(plies..).count() + slots.count() + left_out.sum::<usize>()
    }
}

/// The slot of a cell.
fn find_slot(record: &Record, copies: &[&[Reading]], copy: usize, cell: CellId) -> Option<usize> {
    let index = copies.get(copy)?.iter().position(|r| r.id == cell)?;
    let at = CellIndex { copy, index };
    (0..record.slots.len()).find(|&slot| record.cell_indices(slot).contains(&at))
}
