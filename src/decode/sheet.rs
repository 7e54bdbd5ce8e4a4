//! The cells of a sheet as the search sees them: blank, struck out or written, with evidence for texts.

use crate::cell::CellState;
use crate::notation::{END_MARKS, EndMark};

use super::SheetReadings;
use super::costs::Costs;
use super::evidence::{Encoder, Evidence};
use super::position::{Lexicon, Positions};
use super::smoothing::{Confusions, Smoothing};

/// Nats of a word whose end the reader does not make out: it is known by its beginning.
const BEGUN: f32 = 0.5;

/// Whether an end mark is a word of at least three letters.
fn is_word(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// One cell and what is known of it so far.
#[derive(Debug)]
pub(super) struct SheetCell {
    pub state: CellState,
    evidence: Option<Evidence>,
    /// The likeliest end mark and the log-probability of the cell under it, cost included.
    pub end_mark: Option<(EndMark, f32)>,
    scores: Vec<f32>,
}

/// The cells up to the last with ink.
#[derive(Debug)]
pub(super) struct Sheet {
    pub cells: Vec<SheetCell>,
}

impl Sheet {
    pub(super) fn new(readings: &SheetReadings, encoder: &Encoder, costs: &Costs) -> Self {
        let confusions = Confusions::new(&readings.alphabet);
        let smoothing = Smoothing {
            kind: f64::from(costs.confusion),
            pair: f64::from(costs.lookalike),
            floor: f64::from(costs.floor),
        };
        let marks: Vec<(Vec<u16>, EndMark, f32, bool)> = END_MARKS
            .iter()
            .filter_map(|&(text, mark, cost)| {
                Some((encoder.text(text)?, mark, cost, is_word(text)))
            })
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
            let columns = posteriors.and_then(|p| confusions.apply(p, smoothing));
            let mut evidence = columns.map(|c| Evidence::new(c, encoder));
            let end_mark = evidence.as_mut().and_then(|e| {
                let scored = marks.iter().map(|(text, mark, cost, word)| {
                    let begun = if *word {
                        e.log_prefix(text) - BEGUN
                    } else {
                        f32::NEG_INFINITY
                    };
                    (*mark, e.log_exact(text).max(begun) - cost)
                });
                scored.fold(None, |best: Option<(EndMark, f32)>, x| {
                    if best.is_none_or(|b| x.1 > b.1) {
                        Some(x)
                    } else {
                        best
                    }
                })
            });
            SheetCell {
                state: reading.state,
                evidence,
                end_mark,
                scores: Vec::new(),
            }
        });
        Self {
            cells: cells.collect(),
        }
    }

    /// Forgets what was computed for one language.
    pub(super) fn forget_scores(&mut self) {
        for cell in &mut self.cells {
            cell.scores.clear();
        }
    }
}

impl SheetCell {
    /// Whether anything can be read in it.
    pub(super) fn legible(&self) -> bool {
        self.evidence.is_some()
    }

    /// Log-probability of the cell's writing under a move shape; minus infinity where nothing can be read.
    pub(super) fn score(
        &mut self,
        number: u32,
        positions: &Positions,
        lexicon: &mut Lexicon,
    ) -> f32 {
        let Some(evidence) = &mut self.evidence else {
            return f32::NEG_INFINITY;
        };
        let at = number as usize;
        if self.scores.len() <= at {
            self.scores.resize(at + 1, f32::NAN);
        }
        if self.scores[at].is_nan() {
            let shape = positions.shape(number);
            let (spellings, finish) = lexicon.entry(number, shape);
            self.scores[at] = evidence.log_any(spellings, finish);
        }
        self.scores[at]
    }

    /// Probability that the cell begins with a character of this class; zero where nothing can be read.
    pub(super) fn first_character(&self, class: u16) -> f64 {
        self.evidence
            .as_ref()
            .map_or(0.0, |e| e.first_character(class))
    }
}
