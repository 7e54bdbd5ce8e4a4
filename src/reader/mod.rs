//! The reader of handwriting: log-posteriors over an alphabet for the picture of a cell, and the
//! string that the cell most likely holds.
//!
//! It knows pictures, the alphabet and what is usually written in a cell, but no board. A [`Model`]
//! turns patches into posteriors; [`Network`] is the one that ships, and tests bring their own:
//!
//! ```
//! use image::GrayImage;
//! use sheetscan::cell::{Cell, PICTURE_HEIGHT, PICTURE_WIDTH};
//! use sheetscan::geometry::Point;
//! use sheetscan::grid::{CellId, Side};
//! use sheetscan::ink::CellState;
//! use sheetscan::reader::{Model, ModelError, Posteriors, read};
//!
//! /// A model of two classes, the CTC blank and `e`, that believes to see an `e` everywhere.
//! struct AlwaysE;
//!
//! impl Model for AlwaysE {
//!     fn alphabet(&self) -> &[char] {
//!         &['e']
//!     }
//!
//!     fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
//!         let log = vec![0.1f32.ln(), 0.9f32.ln()];
//!         Ok(vec![Posteriors { frames: 1, classes: 2, log }; patches.len()])
//!     }
//! }
//!
//! let cell = Cell {
//!     id: CellId { number: 1, side: Side::White },
//!     quad: [Point::new(0.0, 0.0); 4],
//!     picture: GrayImage::new(PICTURE_WIDTH, PICTURE_HEIGHT),
//!     ink: 0.1,
//!     state: CellState::Written,
//! };
//! let readings = read(&AlwaysE, &[cell])?;
//! assert_eq!(readings[0].text, "e");
//! assert!((readings[0].confidence - 0.9).abs() < 1e-6);
//! # Ok::<(), ModelError>(())
//! ```

mod cascade;
mod ctc;
mod error;
mod network;
mod ngrams;
mod offsets;
mod onnx_session;
mod preprocess;
mod word_alphabet;
mod word_scorer;
mod words;

use std::sync::LazyLock;

use image::GrayImage;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::geometry::Quad;
use crate::grid::CellId;
use crate::ink::CellState;
use crate::logprob::log_add_f32;

pub use error::ModelError;
pub use network::Network;
pub use word_scorer::{KnownString, WordScorer};
pub use words::{WordReading, read_words};

use ctc::{ScoredString, best_strings};
use ngrams::Ngrams;

static NGRAMS: LazyLock<Ngrams> = LazyLock::new(Ngrams::embedded);

/// Log-posteriors of one patch: natural logarithms, `[T, C]`, each frame summing to one in
/// probability. Class 0 is the CTC blank, class i + 1 is character i of the alphabet (Graves et al.
/// 2006, Connectionist temporal classification).
#[derive(Debug, Clone, PartialEq)]
pub struct Posteriors {
    /// T, the number of frames, which follow the patch from left to right.
    pub frames: usize,
    /// C, the size of the alphabet plus one.
    pub classes: usize,
    /// The logarithms, frame by frame.
    pub log: Vec<f32>,
}

impl Posteriors {
    /// Log-probability of the best path: the sum over all frames of the likeliest class's.
    fn best_path_log_prob(&self) -> f32 {
        let frames = self.log.chunks_exact(self.classes.max(1));
        frames
            .map(|frame| frame.iter().copied().fold(f32::NEG_INFINITY, f32::max))
            .sum()
    }
}

/// Smallest log-probability, in nats, that [`SparsePosteriors`] store; all below count as this.
const MIN_STORED_LOG_PROB: f32 = -12.0;

/// [`Posteriors`] as they are kept: log-probabilities above -12, all others taken for -12.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SparsePosteriors {
    frames: usize,
    classes: usize,
    /// Index into [`Posteriors::log`], and the value there.
    above: Vec<(u32, f32)>,
}

impl SparsePosteriors {
    /// The size of the alphabet plus one.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }
}

impl From<&Posteriors> for SparsePosteriors {
    fn from(dense: &Posteriors) -> Self {
        let indexed = dense.log.iter().zip(0..);
        let above = indexed.filter(|&(&log_prob, _)| log_prob > MIN_STORED_LOG_PROB);
        Self {
            frames: dense.frames,
            classes: dense.classes,
            above: above.map(|(&log_prob, i)| (i, log_prob)).collect(),
        }
    }
}

impl From<&SparsePosteriors> for Posteriors {
    fn from(sparse: &SparsePosteriors) -> Self {
        let mut log = vec![MIN_STORED_LOG_PROB; sparse.frames * sparse.classes];
        for &(i, log_prob) in &sparse.above {
            if let Some(value) = log.get_mut(i as usize) {
                *value = log_prob;
            }
        }
        Self {
            frames: sparse.frames,
            classes: sparse.classes,
            log,
        }
    }
}

/// The posteriors of one network for one patch of a cell, and how much they count: the probability
/// of a text is the sum over the components k of `weight_k * p_k(text)`. The weights of a cell add
/// up to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixtureComponent {
    /// Weight, above 0 and up to 1.
    pub weight: f32,
    /// The posteriors.
    pub posteriors: SparsePosteriors,
}

impl MixtureComponent {
    /// A mixture of these posteriors alone.
    pub fn alone(posteriors: &Posteriors) -> Vec<Self> {
        vec![Self {
            weight: 1.0,
            posteriors: posteriors.into(),
        }]
    }
}

/// A cell as read, before any chess knowledge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Row and column on the sheet.
    pub id: CellId,
    /// The cell's corners in pixels of the upright page.
    pub quad: Quad,
    /// Blank, written or struck out, by the ink.
    pub state: CellState,
    /// What was read; empty for a blank cell.
    pub text: String,
    /// Probability of that string under the posteriors, 0 to 1.
    pub confidence: f32,
    /// The posteriors, a mixture of those of some networks; none for a blank cell.
    pub mixture: Vec<MixtureComponent>,
}

/// A character model: what turns a patch into posteriors. [`Network`] is the one that ships.
pub trait Model: Send + Sync {
    /// The characters of classes 1, 2, 3 and so on.
    fn alphabet(&self) -> &[char];

    /// Log-posteriors of patches, in their order. A patch is luma of
    /// [`PATCH_WIDTH`](crate::patch::PATCH_WIDTH) x [`PATCH_HEIGHT`](crate::patch::PATCH_HEIGHT)
    /// pixels.
    ///
    /// # Errors
    /// [`ModelError`] where a patch has another size or the network fails on it.
    fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError>;

    /// The same by the second stage of a cascade, a slower and better model for the patches on
    /// which the first is uncertain. A model without one reads them as before.
    ///
    /// # Errors
    /// As [`Self::log_posteriors`].
    fn second_stage_log_posteriors(
        &self,
        patches: &[GrayImage],
    ) -> Result<Vec<Posteriors>, ModelError> {
        self.log_posteriors(patches)
    }
}

/// Reads the cells of a sheet, in their order. A cell that is blank by its ink is not shown to the
/// model. Of the strings that the posteriors leave open, the one that players usually write is
/// taken, in the language that fits the whole sheet.
///
/// # Errors
/// [`ModelError`] of the first cell on which the model fails.
pub fn read(model: &dyn Model, cells: &[Cell]) -> Result<Vec<Reading>, ModelError> {
    let mixtures = cascade::posteriors(model, cells)?;
    let read = mixtures.par_iter().map(|mixture| {
        let sparse = mixture.iter().map(|(weight, posteriors)| MixtureComponent {
            weight: *weight,
            posteriors: posteriors.into(),
        });
        let candidates = candidates(mixture, model.alphabet());
        (sparse.collect::<Vec<_>>(), candidates)
    });
    let (mixtures, mut candidates): (Vec<_>, Vec<_>) = read.unzip();
    let choices = NGRAMS.choose(&candidates);
    let readings = cells.iter().zip(mixtures).enumerate();
    let readings = readings.map(|(i, (cell, mixture))| {
        let (text, log_prob) = match choices[i] {
            Some(best) => {
                let best = candidates[i].swap_remove(best);
                (best.text, best.log_prob)
            }
            None => (String::new(), 0.0),
        };
        Reading {
            id: cell.id,
            quad: cell.quad,
            state: cell.state,
            text,
            confidence: log_prob.exp(),
            mixture,
        }
    });
    Ok(readings.collect())
}

/// The strings between which the n-grams choose. Where the likeliest is the empty one, it is the
/// only candidate: the n-grams know what is usually written, not whether anything is.
fn candidates(mixture: &[(f32, Posteriors)], alphabet: &[char]) -> Vec<ScoredString> {
    let mut candidates: Vec<ScoredString> = Vec::new();
    for (weight, posteriors) in mixture {
        for mut string in best_strings(posteriors, alphabet) {
            string.log_prob += weight.ln();
            let known = candidates.iter_mut().find(|c| c.text == string.text);
            match known {
                Some(known) => known.log_prob = log_add_f32(known.log_prob, string.log_prob),
                None => candidates.push(string),
            }
        }
    }
    candidates.sort_by(|a, b| b.log_prob.total_cmp(&a.log_prob));
    if candidates.first().is_some_and(|best| best.text.is_empty()) {
        candidates.truncate(1);
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_as_likely_as_the_weighted_sum_over_the_components() {
        // One frame over the blank, `a` and `b`.
        let posteriors = |p: [f32; 3]| Posteriors {
            frames: 1,
            classes: 3,
            log: p.map(f32::ln).to_vec(),
        };
        let mixture = [
            (0.75, posteriors([0.1, 0.6, 0.3])),
            (0.25, posteriors([0.1, 0.1, 0.8])),
        ];
        let read = candidates(&mixture, &['a', 'b']);
        let read: Vec<(&str, f32)> = read
            .iter()
            .map(|c| (c.text.as_str(), (c.log_prob.exp() * 1e3).round() / 1e3))
            .collect();
        // 0.75 x 0.6 + 0.25 x 0.1, 0.75 x 0.3 + 0.25 x 0.8, and the blank's 0.1.
        assert_eq!(read, [("a", 0.475), ("b", 0.425), ("", 0.1)]);
    }
}
