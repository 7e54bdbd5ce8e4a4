//! The end of a record: result words, what stands after them, and giving up.

use crate::cell::CellState;
use crate::notation::EndMark;

use super::costs::Costs;
use super::lattice::Ending;
use super::sheet::SheetCell;

/// Cells that words and signatures fill after the end; a longer text is rather the game going on.
const WORDS: usize = 4;

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
    pub(super) fn new(cells: &[SheetCell], costs: &Costs) -> Self {
        let n = cells.len();
        let (mut over, mut open) = (vec![0.0; n + 1], vec![(0.0, true); n + 1]);
        for i in (0..=n).rev() {
            let written = cells[i..].iter().filter(|c| c.state != CellState::Blank);
            over[i] = written
                .zip(0..)
                .map(|(cell, k)| after_the_end(cell, k, costs))
                .sum();
        }
        for i in (0..n).rev() {
            let mark =
                credible_mark(&cells[i], costs).map_or(f32::NEG_INFINITY, |(_, score)| score);
            let blank = cells[i].state == CellState::Blank;
            let struck = cells[i].state == CellState::StruckOut;
            let (rest, accounted) = open[i + 1];
            let unread = if struck {
                costs.skip_struck
            } else {
                costs.unread
            };
            open[i] = if blank {
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

/// Log-weight of a written cell after the end, `before` others having gone before it.
fn after_the_end(cell: &SheetCell, before: usize, costs: &Costs) -> f32 {
    let word = if before < WORDS {
        -costs.after_end
    } else {
        -costs.unread
    };
    credible_mark(cell, costs).map_or(word, |(_, score)| score.max(word))
}

/// The end mark of a cell, if it is a better account of the writing than an unread cell.
fn credible_mark(cell: &SheetCell, costs: &Costs) -> Option<(EndMark, f32)> {
    cell.end_mark.filter(|&(_, score)| score > -costs.unread)
}

/// The first credible end mark from a cell on.
pub(super) fn end_mark(
    cells: &[SheetCell],
    from: usize,
    costs: &Costs,
) -> Option<(usize, EndMark)> {
    cells
        .iter()
        .enumerate()
        .skip(from)
        .find_map(|(i, cell)| credible_mark(cell, costs).map(|(mark, _)| (i, mark)))
}
