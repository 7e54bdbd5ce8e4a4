//! The record of a game as the search sees it: the cells of one or more copies, slot by slot, with
//! the probability of their writing under a move.

use crate::logprob::log_add;
use crate::notation::EndMark;

use super::costs::Costs;
use super::encoder::Encoder;
use super::lexicon::Lexicons;
use super::path::MIN_EXPLAINED_FIT_NATS;
use super::positions::{PositionCache, ShapeId};
use super::readings::SheetReadings;
use super::sheet_cell::{EncodedEndMark, SheetCell};
use super::skips::lower_skip_costs;
use super::smoothing::Confusions;

/// Largest number of cells of a sheet that the same result is written in, one for each player.
/// Where more hold it, it is printed there or the paper's.
const MAX_RESULT_CELLS: usize = 2;

/// Largest number of slots that are searched. No game is longer: by the rule of 75 moves (FIDE Laws
/// of Chess 9.6.2) it ends within 6,000 moves.
const MAX_SLOTS: usize = 12_000;

/// A cell of one of the copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellIndex {
    /// Index of the copy.
    pub copy: usize,
    /// Index among the readings of the copy.
    pub index: usize,
}

/// What speaks for a move in a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct EmissionScore {
    /// Log-weight, in nats, of the cells under the move, where a cell may also be unexplained.
    pub weight: f32,
    /// Mean log-probability, in nats, of the cells' writing under the move; minus infinity where
    /// nothing can be read.
    pub fit: f32,
}

/// The cells of the copies that hold one ply; a copy has at most one there.
#[derive(Debug)]
pub(super) struct Slot {
    pub cells: Vec<CellIndex>,
    /// Number of copies that go on further down and have no cell here.
    absent: usize,
    /// The scores of the moves asked for so far, by the number of their shape.
    scores: Vec<Option<EmissionScore>>,
}

/// An end mark in a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotEndMark {
    pub mark: EndMark,
    /// Log-probability of the cell under the mark less the cost of the mark, in nats.
    pub score: f32,
    /// The cell that it stands in.
    pub cell: CellIndex,
}

/// The copies of a game, up to the last cell with ink.
#[derive(Debug)]
pub(super) struct Record {
    copies: Vec<Vec<SheetCell>>,
    pub slots: Vec<Slot>,
    copy_weight: f32,
}

impl Record {
    /// The record of one sheet, each cell a slot.
    pub(super) fn new(readings: &SheetReadings, encoder: &Encoder, costs: &Costs) -> Self {
        let confusions = Confusions::new(&readings.alphabet);
        let end_marks = EncodedEndMark::all(encoder);
        let inked = readings
            .readings
            .iter()
            .rposition(|r| r.state.has_ink())
            .map_or(0, |i| i + 1);
        let mut cells: Vec<SheetCell> = readings.readings[..inked]
            .iter()
            .map(|reading| SheetCell::new(reading, &confusions, &end_marks, encoder, costs))
            .collect();
        drop_repeated_results(&mut cells, costs);
        lower_skip_costs(&mut cells, costs);
        let slots = (0..cells.len()).map(|index| Slot {
            cells: vec![CellIndex { copy: 0, index }],
            absent: 0,
            scores: Vec::new(),
        });
        let record = Self {
            slots: slots.collect(),
            copies: vec![cells],
            copy_weight: costs.copy_weight,
        };
        record.without_rows_above_writing()
    }

    /// The record of several sheets, whose cells are aligned: for each slot, the index of the cell
    /// of each copy.
    pub(super) fn join(sheets: Vec<Self>, aligned: &[Vec<Option<usize>>], costs: &Costs) -> Self {
        let mut copies: Vec<Vec<SheetCell>> = sheets.into_iter().flat_map(|s| s.copies).collect();
        let count = copies.len();
        for cell in copies.iter_mut().flatten() {
            cell.share_frames(count);
        }
        let last: Vec<Option<usize>> = (0..copies.len())
            .map(|c| aligned.iter().rposition(|slot| slot[c].is_some()))
            .collect();
        let slot = |(at, cells): (usize, &Vec<Option<usize>>)| Slot {
            cells: cells
                .iter()
                .enumerate()
                .filter_map(|(copy, i)| Some(CellIndex { copy, index: (*i)? }))
                .collect(),
            absent: (0..cells.len())
                .filter(|&c| cells[c].is_none() && last[c] > Some(at))
                .count(),
            scores: Vec::new(),
        };
        let record = Self {
            slots: aligned.iter().enumerate().map(slot).collect(),
            copies,
            copy_weight: costs.copy_weight,
        };
        record.without_rows_above_writing()
    }

    /// The record without the rows above the first one with writing: nobody leaves out the first
    /// moves, and what is empty there is a heading.
    fn without_rows_above_writing(mut self) -> Self {
        let first = (0..self.slots.len()).find(|&slot| self.is_written(slot));
        let first = first.unwrap_or(0);
        self.slots.drain(..first & !1);
        self.slots.truncate(MAX_SLOTS);
        self
    }

    /// Forgets the scores of moves, which depend on the writers.
    pub(super) fn clear_scores(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.scores.clear());
    }

    /// Number of copies.
    pub(super) fn copies(&self) -> usize {
        self.copies.len()
    }

    /// How many independent copies `copies` are worth: 1 for the first, and
    /// [`Costs::copy_weight`] for each further one.
    fn effective_copies(&self, copies: usize) -> f32 {
        1.0 + self.copy_weight * (copies as f32 - 1.0)
    }

    /// How many times as much the evidence of the record weighs as that of a single sheet, at most.
    pub(super) fn weight(&self) -> f32 {
        self.effective_copies(self.copies.len())
    }

    /// The cells of a slot.
    pub(super) fn cells(&self, slot: usize) -> impl Iterator<Item = &SheetCell> {
        let cells = self.slots[slot].cells.iter();
        cells.map(|cell| &self.copies[cell.copy][cell.index])
    }

    /// Where the cells of a slot stand.
    pub(super) fn cell_indices(&self, slot: usize) -> &[CellIndex] {
        &self.slots[slot].cells
    }

    /// Index of the last cell of a copy in the first `slots` slots.
    pub(super) fn last_cell(&self, copy: usize, slots: usize) -> Option<usize> {
        let mut cells = self.slots[..slots].iter().rev().flat_map(|s| &s.cells);
        cells.find(|c| c.copy == copy).map(|c| c.index)
    }

    /// The least fit of a move in a slot that one of its cells reads like, where any cell that does
    /// not counts as unexplained.
    pub(super) fn min_explained_fit(&self, slot: usize, costs: &Costs) -> f32 {
        let n = self.slots[slot].cells.len().max(1) as f32;
        let aside = if costs.asides { costs.aside } else { 0.0 };
        (MIN_EXPLAINED_FIT_NATS - (n - 1.0) * costs.garbage) / n - aside
    }

    /// Whether no copy has ink in a slot.
    pub(super) fn is_blank(&self, slot: usize) -> bool {
        !self.cells(slot).any(|cell| cell.state.has_ink())
    }

    /// Whether any copy has more than specks and rulings in a slot.
    pub(super) fn is_written(&self, slot: usize) -> bool {
        self.cells(slot).any(|cell| cell.is_written)
    }

    /// The mean cost of the cells of a slot in nats, times the number of effective copies.
    pub(super) fn cost(&self, slot: usize, of_cell: impl Fn(&SheetCell) -> f32) -> f32 {
        let cells = &self.slots[slot].cells;
        let sum: f32 = self.cells(slot).map(of_cell).sum();
        sum / cells.len().max(1) as f32 * self.effective_copies(cells.len())
    }

    /// What speaks for a move in a slot, each copy read with the lexicon of its writer:
    /// `weight = effective_copies * mean(ln(p(cell | move) + e^-unexplained)) - absent`.
    pub(super) fn score_move(
        &mut self,
        slot: usize,
        shape: ShapeId,
        positions: &PositionCache,
        lexicons: &mut Lexicons,
        costs: &Costs,
    ) -> EmissionScore {
        let effective_copies = self.effective_copies(self.slots[slot].cells.len());
        let slot = &mut self.slots[slot];
        let at = shape.index();
        if slot.scores.len() <= at {
            slot.scores.resize(at + 1, None);
        }
        let copies = &mut self.copies;
        *slot.scores[at].get_or_insert_with(|| {
            let (mut weight, mut fit) = (0.0, 0.0);
            for &CellIndex { copy, index } in &slot.cells {
                let cell = &mut copies[copy][index];
                let unexplained = if cell.is_legible() {
                    costs.garbage
                } else {
                    costs.blank
                };
                let log_prob = cell.log_move(shape, positions, lexicons.of_copy(copy));
                weight += log_add(f64::from(log_prob), f64::from(-unexplained)) as f32;
                fit += if slot.cells.len() > 1 {
                    log_prob.max(-costs.garbage)
                } else {
                    log_prob
                };
            }
            let n = slot.cells.len() as f32;
            EmissionScore {
                weight: weight / n * effective_copies - costs.absent * slot.absent as f32,
                fit: fit / n,
            }
        })
    }

    /// The end mark of a slot whose score is above `-costs.unread`; of several, one that tells who
    /// won, then the likeliest. `no_castling` where neither player can castle.
    pub(super) fn end_mark(
        &self,
        slot: usize,
        no_castling: bool,
        costs: &Costs,
    ) -> Option<SlotEndMark> {
        let credible = self.slots[slot].cells.iter().filter_map(|&cell| {
            let end_mark = self.copies[cell.copy][cell.index].end_mark.as_ref()?;
            let (mark, score) = end_mark.mark(no_castling)?;
            (score > -costs.unread).then_some(SlotEndMark { mark, score, cell })
        });
        let rank = |at: &SlotEndMark| (at.mark != EndMark::Over, at.score);
        credible.reduce(|a, b| if rank(&b) > rank(&a) { b } else { a })
    }
}

/// Removes the results that are read in more cells than players write them in.
fn drop_repeated_results(cells: &mut [SheetCell], costs: &Costs) {
    let result = |cell: &SheetCell| {
        let (mark, score) = cell.end_mark.as_ref()?.mark(false)?;
        (mark != EndMark::Over && score > -costs.unread).then_some(mark)
    };
    let results: Vec<Option<EndMark>> = cells.iter().map(result).collect();
    for (cell, result) in cells.iter_mut().zip(&results) {
        let alike = results.iter().filter(|other| *other == result);
        if result.is_some() && alike.count() > MAX_RESULT_CELLS {
            cell.end_mark = None;
        }
    }
}
