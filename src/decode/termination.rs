//! The end of a record: result words, what stands after them, and giving up.

use crate::ink::CellState;
use crate::notation::EndMark;

use super::costs::Costs;
use super::lattice::Termination;
use super::path::Path;
use super::record::{CellIndex, Record};

/// Largest number of written slots that words and signatures fill after the end; a longer text is
/// rather the game going on. Chosen by eye.
const MAX_WORD_SLOTS: usize = 4;

/// Number of cells behind the last move, three rows, in which a result is looked for: what stands
/// farther off is a stray spot or another matter. Chosen by eye.
const END_MARK_CELLS: usize = 6;

/// Largest number of written slots behind the last move, for each move before it, at which a path
/// that gives up is still a game. Chosen by eye.
const MAX_REST_PER_MOVE: usize = 10;

/// Log-weights, in nats, of the slots from some layer on when no move stands in them.
#[derive(Debug)]
pub(super) struct TailScores {
    /// By layer: after the end of the game.
    over: Vec<f32>,
    /// By layer: where the record is given up or ended by a word, and whether every written slot is
    /// accounted for.
    open: Vec<(f32, bool)>,
    /// Nats of giving up the record.
    cut: f32,
}

impl TailScores {
    /// The scores of a record whose slots are read in this order.
    pub(super) fn new(record: &Record, slots: &[usize], costs: &Costs) -> Self {
        let n = slots.len();
        let (mut over, mut open) = (vec![0.0; n + 1], vec![(0.0, true); n + 1]);
        for i in (0..=n).rev() {
            over[i] = slots[i..]
                .iter()
                .filter(|&&slot| !record.is_blank(slot))
                .zip(0..)
                .map(|(&slot, before)| after_the_end(record, slot, before, costs))
                .sum();
        }
        for (i, &slot) in slots.iter().enumerate().rev() {
            let mark = record
                .end_mark(slot, false, costs)
                .map_or(f32::NEG_INFINITY, |m| m.score);
            let struck = record
                .cells(slot)
                .all(|cell| cell.state == CellState::StruckOut);
            let (rest, accounted) = open[i + 1];
            let unread = record.cost(slot, |cell| match cell.state {
                CellState::StruckOut => costs.skip_struck,
                CellState::Blank | CellState::Written => costs.unread,
            });
            open[i] = if record.is_blank(slot) {
                (rest, accounted)
            } else if mark + over[i + 1] >= rest - unread {
                (mark + over[i + 1], true)
            } else {
                (rest - unread, struck && accounted)
            };
        }
        Self {
            over,
            open,
            cut: costs.cut,
        }
    }

    /// The game of a state ending before the slot of a layer; `game_over` where the board leaves no
    /// move.
    pub(super) fn termination(&self, state: u32, layer: usize, game_over: bool) -> Termination {
        let (weight, complete) = self.open[layer];
        let weight = if complete { weight } else { weight - self.cut };
        if game_over && self.over[layer] > weight {
            return Termination {
                state,
                weight: self.over[layer],
                complete: true,
            };
        }
        Termination {
            state,
            weight,
            complete,
        }
    }
}

/// Log-weight, in nats, of a written slot after the end, `before` others having gone before it.
fn after_the_end(record: &Record, slot: usize, before: usize, costs: &Costs) -> f32 {
    let word = if before < MAX_WORD_SLOTS {
        costs.after_end
    } else {
        costs.unread
    };
    let word = -record.cost(slot, |_| word);
    record
        .end_mark(slot, false, costs)
        .map_or(word, |m| m.score.max(word))
}

/// The end mark of a game, behind its last move.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameEndMark {
    pub mark: EndMark,
    /// The cell that it stands in.
    pub cell: CellIndex,
    /// Number of slots between the last move and it.
    pub slots_before: usize,
}

/// The first credible end mark in the slots behind the last move. `no_castling` where neither
/// player can castle. Where the writing goes on behind the mark, it may be a move that nobody could
/// follow, and there is none.
pub(super) fn find_end_mark(
    record: &Record,
    slots: &[usize],
    no_castling: bool,
    costs: &Costs,
) -> Option<GameEndMark> {
    let moves = slots.iter().copied().min().unwrap_or(0);
    let first = slots.iter().enumerate().find_map(|(slots_before, &slot)| {
        let found = record.end_mark(slot, no_castling, costs)?;
        // The slots of several copies leave their blank cells out: the mark must be near the last
        // move of a sheet, though the copy that stops early may have it too.
        let is_near = |cell: &CellIndex| {
            let last_move = record.last_cell(cell.copy, moves);
            cell.index < last_move.map_or(0, |last| last + 1) + END_MARK_CELLS
        };
        record
            .cell_indices(slot)
            .iter()
            .any(is_near)
            .then_some(GameEndMark {
                mark: found.mark,
                cell: found.cell,
                slots_before,
            })
    });
    first.filter(|found| {
        let behind = slots[found.slots_before + 1..].iter();
        behind.filter(|&&slot| record.is_written(slot)).count() <= MAX_WORD_SLOTS
    })
}

/// Whether a path gives up so early that its few moves may as well have been found in writing that
/// is no game, or in no writing at all.
pub(super) fn is_by_chance(path: &Path, record: &Record) -> bool {
    let rest = path.rest.iter().filter(|&&slot| !record.is_blank(slot));
    !path.complete && path.moves() * MAX_REST_PER_MOVE < rest.count()
}
