//! The end of a record: result words, what stands after them, and giving up.

use crate::ink::CellState;
use crate::notation::EndMark;

use super::costs::Costs;
use super::lattice::Ending;
use super::record::Record;

/// Cells that words and signatures fill after the end; a longer text is rather the game going on.
const WORDS: usize = 4;

/// Cells behind the last move, three rows, in which a result is looked for: what stands farther off is a stray spot or another
/// matter.
const REACH: usize = 6;

/// What the cells from some cell on cost when no move stands in them.
#[derive(Debug)]
pub(super) struct Tails {
    /// After the end of the game.
    over: Vec<f32>,
    /// With the record given up, or ended by a word; and whether every written cell is accounted for.
    open: Vec<(f32, bool)>,
    cut: f32,
}

impl Tails {
    /// Of a record whose slots come in this order.
    pub(super) fn new(record: &Record, slots: &[usize], costs: &Costs) -> Self {
        let n = slots.len();
        let (mut over, mut open) = (vec![0.0; n + 1], vec![(0.0, true); n + 1]);
        let written = |slot: &&usize| !record.is_blank(**slot);
        for i in (0..=n).rev() {
            over[i] = slots[i..]
                .iter()
                .filter(written)
                .zip(0..)
                .map(|(&slot, k)| after_the_end(record, slot, k, costs))
                .sum();
        }
        for (i, &slot) in slots.iter().enumerate().rev() {
            let mark = record
                .end_mark(slot, false, costs)
                .map_or(f32::NEG_INFINITY, |m| m.1);
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

    /// The game ending before a cell; `over` where the board leaves no move.
    pub(super) fn ending(&self, state: u32, cell: usize, over: bool) -> Ending {
        let (weight, complete) = self.open[cell];
        let weight = if complete { weight } else { weight - self.cut };
        if over && self.over[cell] > weight {
            return Ending {
                state,
                weight: self.over[cell],
                complete: true,
            };
        }
        Ending {
            state,
            weight,
            complete,
        }
    }
}

/// Log-weight of a written slot after the end, `before` others having gone before it.
fn after_the_end(record: &Record, slot: usize, before: usize, costs: &Costs) -> f32 {
    let word = if before < WORDS {
        costs.after_end
    } else {
        costs.unread
    };
    let word = -record.cost(slot, |_| word);
    record
        .end_mark(slot, false, costs)
        .map_or(word, |(_, score, _)| score.max(word))
}

/// The first credible end mark in the slots behind the last move: how many come before it, mark, and the copy and cell it
/// stands in; `castled` where nobody can castle any more. Where the writing goes on behind it, it may be a move that nobody
/// could follow, and there is none.
pub(super) fn end_mark(
    record: &Record,
    slots: &[usize],
    castled: bool,
    costs: &Costs,
) -> Option<(usize, EndMark, (usize, usize))> {
    let moves = slots.iter().copied().min().unwrap_or(0);
    let first = slots.iter().enumerate().find_map(|(before, &slot)| {
        let (mark, _, (copy, cell)) = record.end_mark(slot, castled, costs)?;
        // Slots of several copies leave their blank cells out: it is on its own sheet that the mark must be near.
        let after = record.last_cell(copy, moves).map_or(0, |last| last + 1);
        (cell < after + REACH).then_some((before, mark, (copy, cell)))
    });
    first.filter(|&(before, ..)| {
        let behind = slots[before + 1..].iter();
        behind.filter(|&&slot| record.is_written(slot)).count() <= WORDS
    })
}
