//! The record of a game as the search sees it: the cells of one or more copies, slot by slot, with
//! the probability of their writing under a move.

use crate::ink::CellState;
use crate::logprob::log_add;
use crate::notation::{END_MARKS, EndMark, reads_like_a_move};
use crate::reader::Reading;

use super::cell_scorer::CellScorer;
use super::costs::Costs;
use super::encoder::Encoder;
use super::end_mark::{CellEndMark, ScoredMark};
use super::lattice::MIN_EXPLAINED_FIT_NATS;
use super::lexicon::{Lexicon, Lexicons};
use super::positions::{PositionCache, ShapeId};
use super::readings::{SheetReadings, is_writing};
use super::repeats::find_repeated_rows;
use super::smoothing::{Confusions, Smoothing};

/// Largest number of cells of a sheet that the same result is written in, one for each player.
/// Where more hold it, it is printed there or the paper's.
const MAX_RESULT_CELLS: usize = 2;

/// Smallest number of letters of an end mark that is a word, and known by its beginning.
const MIN_WORD_LETTERS: usize = 3;

/// Misfit, in nats, of a cell that cannot be compared with another one.
const INCOMPARABLE_NATS: f32 = 11.0;

/// A cell of one of the copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellIndex {
    /// Index of the copy.
    pub copy: usize,
    /// Index among the readings of the copy.
    pub index: usize,
}

/// One cell, and what is known of it so far.
#[derive(Debug)]
pub(super) struct SheetCell {
    pub state: CellState,
    /// Nats of the cell being no move of the game.
    pub skip_nats: f32,
    /// Whether there is more than specks and rulings in it.
    is_written: bool,
    /// None where nothing can be read.
    scorer: Option<CellScorer>,
    end_mark: Option<CellEndMark>,
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
        mark_empty_rows(&mut cells, costs);
        // Ticks and strokes repeat themselves, and are no rows written twice.
        let encode = |r: &Reading| {
            encoder
                .encode(&r.text)
                .filter(|_| reads_like_a_move(&r.text))
        };
        let texts: Vec<_> = readings.readings[..inked].iter().map(encode).collect();
        let misfit = |earlier, later| repeat_misfit(&mut cells, &texts, earlier, later);
        let skips = find_repeated_rows(texts.len(), misfit, costs);
        for (cell, skip) in cells.iter_mut().zip(skips) {
            cell.skip_nats = skip.map_or(cell.skip_nats, |skip| skip.min(cell.skip_nats));
        }
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
        let copies: Vec<Vec<SheetCell>> = sheets.into_iter().flat_map(|s| s.copies).collect();
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

    /// Index of the last cell of a copy in the first `slots` slots.
    pub(super) fn last_cell(&self, copy: usize, slots: usize) -> Option<usize> {
        let mut cells = self.slots[..slots].iter().rev().flat_map(|s| &s.cells);
        cells.find(|c| c.copy == copy).map(|c| c.index)
    }

    /// The least fit of a move in a slot that one of its cells reads like, where any cell that does
    /// not counts as unexplained.
    pub(super) fn min_explained_fit(&self, slot: usize, costs: &Costs) -> f32 {
        let n = self.slots[slot].cells.len().max(1) as f32;
        (MIN_EXPLAINED_FIT_NATS - (n - 1.0) * costs.garbage) / n
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

/// How badly, in nats, two cells hold the same text: the likelier of the text of either in the
/// other. None where both are blank. `texts` are those of the cells as classes of the alphabet,
/// where they are those of moves.
fn repeat_misfit(
    cells: &mut [SheetCell],
    texts: &[Option<Vec<u16>>],
    earlier: usize,
    later: usize,
) -> Option<f32> {
    let is_blank = |at: usize| cells[at].state == CellState::Blank;
    if is_blank(earlier) && is_blank(later) {
        return None;
    }
    let (Some(a), Some(b)) = (&texts[earlier], &texts[later]) else {
        return Some(INCOMPARABLE_NATS);
    };
    let log_prob = cells[later].log_text(a).max(cells[earlier].log_text(b));
    Some((-log_prob).min(INCOMPARABLE_NATS))
}

/// Lowers the cost of skipping whole rows that are empty.
fn mark_empty_rows(cells: &mut [SheetCell], costs: &Costs) {
    let mut is_above_empty = false;
    for row in cells.chunks_mut(2) {
        let is_empty = row.iter().all(|cell| cell.state == CellState::Blank);
        if is_empty {
            let nats = if is_above_empty {
                costs.skip_blank_next
            } else {
                costs.skip_blank_row
            };
            row.iter_mut().for_each(|cell| cell.skip_nats = nats);
        }
        is_above_empty = is_empty;
    }
}

/// A text that ends a record, as the classes of an alphabet.
struct EncodedEndMark {
    text: &'static str,
    classes: Vec<u16>,
    mark: EndMark,
    /// Nats.
    cost: f32,
}

impl EncodedEndMark {
    /// The end marks that the alphabet can write.
    fn all(encoder: &Encoder) -> Vec<Self> {
        let encode = |&(text, mark, cost): &(&'static str, EndMark, f32)| {
            let classes = encoder.encode(text)?;
            Some(Self {
                text,
                classes,
                mark,
                cost,
            })
        };
        END_MARKS.iter().filter_map(encode).collect()
    }

    fn is_word(&self) -> bool {
        let letters = self.text.chars().filter(|c| c.is_alphabetic());
        letters.count() >= MIN_WORD_LETTERS
    }

    /// How well a cell fits the mark.
    fn score(&self, scorer: &mut CellScorer, reading: &Reading, costs: &Costs) -> ScoredMark {
        let mut log_prob = scorer.log_text(&self.classes);
        if self.is_word() {
            log_prob = log_prob.max(scorer.log_prefix(&self.classes) - costs.word_prefix);
        }
        if reading.text == self.text {
            log_prob = log_prob.max(-costs.end_mark_read);
        }
        ScoredMark {
            mark: self.mark,
            log_prob,
            score: log_prob - self.cost,
        }
    }
}

impl SheetCell {
    fn new(
        reading: &Reading,
        confusions: &Confusions,
        end_marks: &[EncodedEndMark],
        encoder: &Encoder,
        costs: &Costs,
    ) -> Self {
        let smoothing = Smoothing {
            kind: f64::from(costs.confusion),
            pair: f64::from(costs.lookalike),
            floor: f64::from(costs.floor),
        };
        let posteriors = reading
            .posteriors
            .as_ref()
            .filter(|_| reading.state.has_ink());
        let probs = posteriors.and_then(|p| confusions.smooth(&p.into(), smoothing));
        let mut scorer = probs.map(|probs| CellScorer::new(probs, encoder));
        let end_mark = scorer.as_mut().and_then(|scorer| {
            let marks: Vec<ScoredMark> = end_marks
                .iter()
                .map(|mark| mark.score(scorer, reading, costs))
                .collect();
            let read = encoder.encode(&reading.text);
            let read = read.map_or(f32::NEG_INFINITY, |text| scorer.log_text(&text));
            // A stroke through the rows left over is no result.
            let is_empty = reading.text.is_empty() && marks.iter().all(|m| m.log_prob < read);
            (!is_empty).then(|| CellEndMark::new(marks, &reading.text, read))
        });
        let skip_nats = match reading.state {
            CellState::Blank => costs.skip_blank,
            CellState::Written => costs.skip,
            CellState::StruckOut => costs.skip_struck,
        };
        Self {
            state: reading.state,
            skip_nats,
            is_written: is_writing(reading),
            scorer,
            end_mark,
        }
    }

    /// Whether anything can be read in it.
    fn is_legible(&self) -> bool {
        self.scorer.is_some()
    }

    /// Log-probability, in nats, that the cell holds exactly this text; minus infinity where
    /// nothing can be read.
    pub(super) fn log_text(&mut self, text: &[u16]) -> f32 {
        let scorer = self.scorer.as_mut();
        scorer.map_or(f32::NEG_INFINITY, |scorer| scorer.log_text(text))
    }

    /// Log-probability, in nats, of the cell's writing under moves of a shape; minus infinity where
    /// nothing can be read.
    fn log_move(&mut self, id: ShapeId, positions: &PositionCache, lexicon: &mut Lexicon) -> f32 {
        let Some(scorer) = &mut self.scorer else {
            return f32::NEG_INFINITY;
        };
        let (spellings, context) = lexicon.entry(id, positions.shape(id));
        scorer.log_move(spellings, context)
    }

    /// Probability that the cell begins with a character of this class; zero where nothing can be
    /// read.
    pub(super) fn first_class_prob(&self, class: u16) -> f64 {
        let scorer = self.scorer.as_ref();
        scorer.map_or(0.0, |scorer| scorer.first_class_prob(class))
    }
}
