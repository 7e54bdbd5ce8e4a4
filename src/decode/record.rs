//! The cells of one or more copies of a game as the search sees them: slot by slot, with evidence for texts.

use crate::ink::CellState;
use crate::logprob::log_add;
use crate::notation::{END_MARKS, EndMark};
use crate::reader::Reading;

use super::SheetReadings;
use super::costs::Costs;
use super::encoder::Encoder;
use super::end::End;
use super::evidence::Evidence;
use super::lexicon::{Lexicon, Lexicons};
use super::position::Positions;
use super::smoothing::{Confusions, Smoothing};

/// What a further copy adds, by the first.
const ECHO: f32 = 0.7;

/// Nats of a word whose end the reader does not make out: it is known by its beginning.
const BEGUN: f32 = 0.5;

/// Nats of a word that the reader has read in full, whatever else it thought possible.
const READ: f32 = 1.0;

/// Whether a cell holds anything: what the reader makes no letter and no digit of is a speck, a dash or a ruling.
pub(super) fn is_writing(reading: &Reading) -> bool {
    match reading.state {
        CellState::Blank => false,
        CellState::StruckOut => true,
        CellState::Written => reading.text.contains(char::is_alphanumeric),
    }
}

/// Whether an end mark is a word of at least three letters.
fn is_word(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// One cell and what is known of it so far.
#[derive(Debug)]
pub(super) struct SheetCell {
    pub state: CellState,
    writing: bool,
    evidence: Option<Evidence>,
    end: Option<End>,
}

/// The cells of the copies that hold one ply; a copy has at most one there.
#[derive(Debug)]
pub(super) struct Slot {
    /// Copy and index of its cell.
    pub cells: Vec<(usize, usize)>,
    /// Copies that go on further down and have no cell here.
    absent: usize,
    /// What speaks for the moves asked about so far, by the number of their shape.
    heard: Vec<Option<Testimony>>,
}

/// Cells of a sheet that a result is written in, one for each player; where more say the same, it is printed there, or the paper's.
const RESULTS: usize = 2;

/// How many independent witnesses copies are worth: their players look at the same board and, now and then, at each
/// other's sheet.
fn witnesses(copies: usize) -> f32 {
    1.0 + ECHO * (copies as f32 - 1.0)
}

/// What speaks for a move in a slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Testimony {
    /// Log-probability of the writing, unexplained cells counted.
    pub evidence: f32,
    /// Mean log-probability of the cells' writing under the move; minus infinity where nothing can be read.
    pub read: f32,
}

/// The copies of a game, up to the last cell with ink.
#[derive(Debug)]
pub(super) struct Record {
    copies: Vec<Vec<SheetCell>>,
    pub slots: Vec<Slot>,
}

impl Record {
    /// One sheet, each cell a slot.
    pub(super) fn new(readings: &SheetReadings, encoder: &Encoder, costs: &Costs) -> Self {
        let confusions = Confusions::new(&readings.alphabet);
        let smoothing = Smoothing {
            kind: f64::from(costs.confusion),
            pair: f64::from(costs.lookalike),
            floor: f64::from(costs.floor),
        };
        let marks: Vec<(&str, Vec<u16>, EndMark, f32)> = END_MARKS
            .iter()
            .filter_map(|&(text, mark, cost)| Some((text, encoder.text(text)?, mark, cost)))
            .collect();
        let inked = readings
            .readings
            .iter()
            .rposition(|r| r.state != CellState::Blank)
            .map_or(0, |i| i + 1);
        let cells = readings.readings[..inked].iter().map(|reading| {
            let posteriors = reading
                .posteriors
                .as_ref()
                .filter(|_| reading.state != CellState::Blank);
            let columns = posteriors.and_then(|p| confusions.apply(&p.into(), smoothing));
            let mut evidence = columns.map(|c| Evidence::new(c, encoder));
            let end = evidence.as_mut().and_then(|e| {
                let scored = marks.iter().map(|(word, text, mark, cost)| {
                    let mut written = e.log_exact(text);
                    if is_word(word) {
                        written = written.max(e.log_prefix(text) - BEGUN);
                    }
                    if reading.text == *word {
                        written = written.max(-READ);
                    }
                    (*mark, written, written - cost)
                });
                let marks: Vec<(EndMark, f32, f32)> = scored.collect();
                let read = encoder.text(&reading.text).map(|text| e.log_exact(&text));
                let read = read.unwrap_or(f32::NEG_INFINITY);
                // A stroke through the rows left over is no result.
                let nothing = reading.text.is_empty() && marks.iter().all(|mark| mark.1 < read);
                (!nothing).then(|| End::new(marks, &reading.text, read))
            });
            SheetCell {
                state: reading.state,
                writing: is_writing(reading),
                evidence,
                end,
            }
        });
        let mut cells: Vec<SheetCell> = cells.collect();
        take_patterns_out(&mut cells, costs);
        let slots = (0..cells.len()).map(|i| Slot {
            cells: vec![(0, i)],
            absent: 0,
            heard: Vec::new(),
        });
        let record = Self {
            slots: slots.collect(),
            copies: vec![cells],
        };
        record.starting_where_writing_starts()
    }

    /// Several sheets laid side by side.
    pub(super) fn join(sheets: Vec<Self>, aligned: &[Vec<Option<usize>>]) -> Self {
        let copies: Vec<Vec<SheetCell>> = sheets.into_iter().flat_map(|s| s.copies).collect();
        let last: Vec<Option<usize>> = (0..copies.len())
            .map(|c| aligned.iter().rposition(|slot| slot[c].is_some()))
            .collect();
        let slot = |(at, cells): (usize, &Vec<Option<usize>>)| Slot {
            cells: cells
                .iter()
                .enumerate()
                .filter_map(|(c, i)| Some((c, (*i)?)))
                .collect(),
            absent: (0..cells.len())
                .filter(|&c| cells[c].is_none() && last[c] > Some(at))
                .count(),
            heard: Vec::new(),
        };
        let record = Self {
            slots: aligned.iter().enumerate().map(slot).collect(),
            copies,
        };
        record.starting_where_writing_starts()
    }

    /// Without the rows above the first one in which anything stands: nobody leaves out the first moves, and what is
    /// empty there is a heading.
    fn starting_where_writing_starts(mut self) -> Self {
        let first = (0..self.slots.len()).find(|&slot| self.is_written(slot));
        let first = first.unwrap_or(0);
        self.slots.drain(..first & !1);
        self
    }

    /// Forgets what was computed for one language.
    pub(super) fn forget(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.heard.clear());
    }

    /// Number of copies.
    pub(super) fn copies(&self) -> usize {
        self.copies.len()
    }

    /// By how much evidence weighs more than a single sheet's, at most.
    pub(super) fn weight(&self) -> f32 {
        witnesses(self.copies.len())
    }

    /// The cells of a slot.
    pub(super) fn cells(&self, slot: usize) -> impl Iterator<Item = &SheetCell> {
        self.slots[slot]
            .cells
            .iter()
            .map(|&(copy, cell)| &self.copies[copy][cell])
    }

    /// The last cell of a copy in the first `slots` slots.
    pub(super) fn last_cell(&self, copy: usize, slots: usize) -> Option<usize> {
        let cells = self.slots[..slots].iter().rev().flat_map(|s| &s.cells);
        cells.filter(|c| c.0 == copy).map(|c| c.1).next()
    }

    /// Whether no copy has ink in a slot.
    pub(super) fn is_blank(&self, slot: usize) -> bool {
        self.cells(slot).all(|cell| cell.state == CellState::Blank)
    }

    /// Whether any copy has more than specks and rulings in a slot.
    pub(super) fn is_written(&self, slot: usize) -> bool {
        self.cells(slot).any(|cell| cell.writing)
    }

    /// A cost that every cell of a slot bears, weighed as its witnesses are.
    pub(super) fn cost(&self, slot: usize, of_cell: impl Fn(&SheetCell) -> f32) -> f32 {
        let cells = &self.slots[slot].cells;
        let sum: f32 = self.cells(slot).map(of_cell).sum();
        sum / cells.len().max(1) as f32 * witnesses(cells.len())
    }

    /// What speaks for a move in a slot; each copy is read in its writer's language.
    pub(super) fn hear(
        &mut self,
        slot: usize,
        shape: u32,
        positions: &Positions,
        lexicons: &mut Lexicons,
        costs: &Costs,
    ) -> Testimony {
        let Slot {
            cells,
            absent,
            heard,
        } = &mut self.slots[slot];
        let at = shape as usize;
        if heard.len() <= at {
            heard.resize(at + 1, None);
        }
        let copies = &mut self.copies;
        *heard[at].get_or_insert_with(|| {
            let (mut evidence, mut read) = (0.0, 0.0);
            for &(copy, cell) in cells.iter() {
                let cell = &mut copies[copy][cell];
                let unexplained = if cell.legible() {
                    costs.garbage
                } else {
                    costs.blank
                };
                let score = cell.score(shape, positions, lexicons.of(copy));
                evidence += log_add(f64::from(score), f64::from(-unexplained)) as f32;
                read += if cells.len() > 1 {
                    score.max(-costs.garbage)
                } else {
                    score
                };
            }
            let n = cells.len() as f32;
            Testimony {
                evidence: evidence / n * witnesses(cells.len()) - costs.absent * *absent as f32,
                read: read / n,
            }
        })
    }

    /// The credible end mark of a slot, one that tells who won before others, the likeliest of them, and the copy and cell it
    /// stands in; `castled` where nobody can castle any more.
    pub(super) fn end_mark(
        &self,
        slot: usize,
        castled: bool,
        costs: &Costs,
    ) -> Option<(EndMark, f32, (usize, usize))> {
        let credible = self.slots[slot].cells.iter().filter_map(|&(copy, cell)| {
            let (mark, score) = self.copies[copy][cell].end.as_ref()?.mark(castled)?;
            (score > -costs.unread).then_some((mark, score, (copy, cell)))
        });
        // One copy may tell who won where another only tells that the game is over.
        let rank = |&(mark, score, _): &(EndMark, f32, _)| (mark != EndMark::Over, score);
        credible.reduce(|a, b| if rank(&b) > rank(&a) { b } else { a })
    }
}

/// Takes the results out that are read in more cells than players write them in.
fn take_patterns_out(cells: &mut [SheetCell], costs: &Costs) {
    let told = |cell: &SheetCell| {
        let (mark, score) = cell.end.as_ref()?.mark(false)?;
        (mark != EndMark::Over && score > -costs.unread).then_some(mark)
    };
    let told: Vec<Option<EndMark>> = cells.iter().map(told).collect();
    for (cell, mark) in cells.iter_mut().zip(&told) {
        if mark.is_some() && told.iter().filter(|other| *other == mark).count() > RESULTS {
            cell.end = None;
        }
    }
}

impl SheetCell {
    /// Whether anything can be read in it.
    fn legible(&self) -> bool {
        self.evidence.is_some()
    }

    /// Log-probability of the cell's writing under a move shape; minus infinity where nothing can be read.
    fn score(&mut self, number: u32, positions: &Positions, lexicon: &mut Lexicon) -> f32 {
        let Some(evidence) = &mut self.evidence else {
            return f32::NEG_INFINITY;
        };
        let (spellings, finish) = lexicon.entry(number, positions.shape(number));
        evidence.log_any(spellings, finish)
    }

    /// Probability that the cell begins with a character of this class; zero where nothing can be read.
    pub(super) fn first_character(&self, class: u16) -> f64 {
        self.evidence
            .as_ref()
            .map_or(0.0, |e| e.first_character(class))
    }
}
