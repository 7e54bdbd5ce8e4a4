//! One cell of a sheet as the search sees it: what its writing is worth as a move, a text or an end
//! mark.

use crate::ink::CellState;
use crate::notation::{END_MARKS, EndMark, reads_like_a_move};
use crate::reader::{MixtureComponent, Reading};

use super::cell_scorer::CellScorer;
use super::costs::Costs;
use super::encoder::Encoder;
use super::end_mark::{CellEndMark, ScoredMark};
use super::lexicon::Lexicon;
use super::positions::{PositionCache, ShapeId};
use super::readings::is_writing;
use super::smoothing::{Confusions, Smoothing};

/// Smallest number of letters of an end mark that is a word, and known by its beginning.
const MIN_WORD_LETTERS: usize = 3;

/// One cell, and what is known of it so far.
#[derive(Debug)]
pub(super) struct SheetCell {
    pub state: CellState,
    /// Nats of the cell being no move of the game.
    pub skip_nats: f32,
    /// Whether there is more than specks and rulings in it.
    pub is_written: bool,
    /// The text that was read as classes of the alphabet, if it reads like a move.
    pub move_text: Option<Vec<u16>>,
    /// None where nothing can be read.
    scorer: Option<CellScorer>,
    pub end_mark: Option<CellEndMark>,
}

/// A text that ends a record, as the classes of an alphabet.
pub(super) struct EncodedEndMark {
    text: &'static str,
    classes: Vec<u16>,
    mark: EndMark,
    /// Nats.
    cost: f32,
}

impl EncodedEndMark {
    /// The end marks that the alphabet can write.
    pub(super) fn all(encoder: &Encoder) -> Vec<Self> {
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
    /// The cell of a reading, not scored yet.
    pub(super) fn new(
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
        let mixture = reading.mixture.iter().filter(|_| reading.state.has_ink());
        let mixture = mixture.filter_map(|MixtureComponent { weight, posteriors }| {
            let probs = confusions.smooth(&posteriors.into(), smoothing)?;
            Some((f64::from(*weight), probs))
        });
        let mut scorer = CellScorer::new(mixture.collect(), costs.aside_prob(), encoder);
        let text = encoder.encode(&reading.text);
        let end_mark = scorer.as_mut().and_then(|scorer| {
            let marks: Vec<ScoredMark> = end_marks
                .iter()
                .map(|mark| mark.score(scorer, reading, costs))
                .collect();
            let read = text.as_ref();
            let read = read.map_or(f32::NEG_INFINITY, |text| scorer.log_text(text));
            // A stroke through the rows left over is no result.
            let is_empty = reading.text.is_empty() && marks.iter().all(|m| m.log_prob < read);
            (!is_empty).then(|| CellEndMark::new(marks, &reading.text, read))
        });
        Self {
            state: reading.state,
            skip_nats: match reading.state {
                CellState::Blank => costs.skip_blank,
                CellState::Written => costs.skip,
                CellState::StruckOut => costs.skip_struck,
            },
            is_written: is_writing(reading),
            move_text: text.filter(|_| reads_like_a_move(&reading.text)),
            scorer,
            end_mark,
        }
    }

    /// Keeps no more frames than an equal share of a ply's, whose writing stands in so many cells.
    pub(super) fn share_frames(&mut self, cells: usize) {
        if let Some(scorer) = &mut self.scorer {
            scorer.share_frames(cells);
        }
    }

    /// Whether anything can be read in it.
    pub(super) fn is_legible(&self) -> bool {
        self.scorer.is_some()
    }

    /// Log-probability, in nats, that the cell holds the move that was read in another one; minus
    /// infinity where either does not read like a move.
    pub(super) fn log_move_text_of(&mut self, other: &Self) -> f32 {
        match (&mut self.scorer, &self.move_text, &other.move_text) {
            (Some(scorer), Some(_), Some(text)) => scorer.log_text(text),
            _ => f32::NEG_INFINITY,
        }
    }

    /// Log-probability, in nats, of the cell's writing under moves of a shape; minus infinity where
    /// nothing can be read.
    pub(super) fn log_move(
        &mut self,
        id: ShapeId,
        positions: &PositionCache,
        lexicon: &mut Lexicon,
    ) -> f32 {
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
