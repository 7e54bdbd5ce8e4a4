//! What a character model makes of a cell: log-posteriors over an alphabet, and the best string.
//!
//! Knows pictures and the alphabet, nothing of chess.

mod best_string;
mod dense;
mod depthwise;
mod lanes;
mod layers;
mod looks;
mod network;
mod ngrams;
mod plans;
mod pointwise;
mod recurrent;
mod sequences;
mod shown;
mod winograd;
mod words;

use std::sync::LazyLock;

use image::GrayImage;
use ngrams::{Candidate, Ngrams};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, CellState};
use crate::geometry::Quad;
use crate::grid::CellId;

pub use network::{ModelError, Network};
pub use words::{Scorer, WordReading, folded, read_words};

static NGRAMS: LazyLock<Ngrams> = LazyLock::new(Ngrams::embedded);

/// Log-posteriors of one cell: `frames` rows of `classes` natural logarithms, each row summing to one in
/// probability. Class 0 is the CTC blank, class i + 1 is character i of the alphabet
/// (Graves et al. 2006, Connectionist temporal classification).
#[derive(Debug, Clone, PartialEq)]
pub struct Posteriors {
    /// Number of frames, left to right.
    pub frames: usize,
    /// Alphabet size plus one.
    pub classes: usize,
    /// Row-major log-probabilities.
    pub log: Vec<f32>,
}

impl Posteriors {
    /// Log-probability of the likeliest class of every frame, one after another.
    fn best_path(&self) -> f32 {
        let rows = self.log.chunks_exact(self.classes.max(1));
        rows.map(|row| row.iter().copied().fold(f32::NEG_INFINITY, f32::max))
            .sum()
    }
}

/// Classes less likely than this in a frame, e^-12, are kept as that.
const FAINTEST: f32 = -12.0;

/// [`Posteriors`] as kept while other sheets are read: log-probabilities above -12, all others taken as that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SparsePosteriors {
    frames: usize,
    classes: usize,
    above: Vec<(u32, f32)>,
}

impl SparsePosteriors {
    /// Alphabet size plus one.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }
}

impl From<&Posteriors> for SparsePosteriors {
    fn from(dense: &Posteriors) -> Self {
        let above = dense.log.iter().zip(0..).filter(|&(&lp, _)| lp > FAINTEST);
        Self {
            frames: dense.frames,
            classes: dense.classes,
            above: above.map(|(&lp, i)| (i, lp)).collect(),
        }
    }
}

impl From<&SparsePosteriors> for Posteriors {
    fn from(sparse: &SparsePosteriors) -> Self {
        let mut log = vec![FAINTEST; sparse.frames * sparse.classes];
        for &(i, lp) in &sparse.above {
            if let Some(value) = log.get_mut(i as usize) {
                *value = lp;
            }
        }
        Self {
            frames: sparse.frames,
            classes: sparse.classes,
            log,
        }
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
    /// The posteriors; none for a blank cell.
    pub posteriors: Option<SparsePosteriors>,
}

/// A character model: what turns a patch into posteriors. [`Network`] is the one that ships.
pub trait Model: Sync {
    /// The characters of classes 1, 2, 3...
    fn alphabet(&self) -> &[char];

    /// Log-posteriors of patches of [`PATCH_WIDTH`](crate::cell::PATCH_WIDTH) x
    /// [`PATCH_HEIGHT`](crate::cell::PATCH_HEIGHT) luma, in their order.
    ///
    /// # Errors
    /// [`ModelError`] where a patch has another size or the network fails on it.
    fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError>;

    /// The same for patches in doubt, by more careful means where the model has them.
    ///
    /// # Errors
    /// As [`Self::log_posteriors`].
    fn careful_log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
        self.log_posteriors(patches)
    }
}

/// Reads the cells of a sheet, in their order. A cell that is blank by its ink is not shown to the model. Among the
/// strings that the posteriors leave open, the text is the one that players write, in the language of the whole sheet.
///
/// # Errors
/// [`ModelError`] of the first cell on which the model fails.
pub fn read(model: &dyn Model, cells: &[Cell]) -> Result<Vec<Reading>, ModelError> {
    let looked = looks::posteriors(model, cells)?;
    let read = looked.par_iter().map(|posteriors| {
        let read = posteriors.as_ref().map(|p| candidates(p, model.alphabet()));
        let (posteriors, candidates) = read.unzip();
        (posteriors, candidates.unwrap_or_default())
    });
    let (posteriors, mut candidates): (Vec<_>, Vec<_>) = read.unzip();
    let chosen = NGRAMS.choose(&candidates);
    let readings = cells.iter().zip(posteriors).enumerate();
    let readings = readings.map(|(i, (cell, posteriors))| {
        let (text, log) = match chosen[i] {
            Some(best) => candidates[i].swap_remove(best),
            None => (String::new(), 0.0),
        };
        Reading {
            id: cell.id,
            quad: cell.quad,
            state: cell.state,
            text,
            confidence: log.exp(),
            posteriors,
        }
    });
    Ok(readings.collect())
}

/// The posteriors of a cell as they are kept, and the strings that they leave open.
fn candidates(posteriors: &Posteriors, alphabet: &[char]) -> (SparsePosteriors, Vec<Candidate>) {
    let mut candidates = best_string::best_strings(posteriors, alphabet);
    if candidates.first().is_some_and(|(text, _)| text.is_empty()) {
        candidates.truncate(1); // Habits say what was written, not whether.
    }
    (SparsePosteriors::from(posteriors), candidates)
}
