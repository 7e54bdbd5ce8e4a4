//! What a character model makes of a cell: log-posteriors over an alphabet, and the best string.
//!
//! Knows pictures and the alphabet, nothing of chess.

mod best_string;
mod network;

use rayon::prelude::*;

use crate::cell::{Cell, CellState};
use crate::geometry::Quad;
use crate::grid::CellId;

pub use network::{ModelError, Network};

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

/// Classes less likely than this in a frame, e^-12, are kept as that.
const FAINTEST: f32 = -12.0;

/// [`Posteriors`] as kept while other sheets are read: log-probabilities above -12, all others taken as that.
#[derive(Debug, Clone, PartialEq)]
pub struct SparsePosteriors {
    frames: usize,
    classes: usize,
    above: Vec<(u32, f32)>,
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
#[derive(Debug, Clone)]
pub struct Reading {
    /// Row and column on the sheet.
    pub id: CellId,
    /// The cell's corners in pixels of the upright page.
    pub quad: Quad,
    /// Blank, written or struck out, by the ink.
    pub state: CellState,
    /// The best string; empty for a blank cell.
    pub text: String,
    /// Probability of the best string, 0 to 1.
    pub confidence: f32,
    /// The posteriors; none for a blank cell.
    pub posteriors: Option<SparsePosteriors>,
}

/// A character model: what turns a patch into posteriors. [`Network`] is the one that ships.
pub trait Model: Sync {
    /// The characters of classes 1, 2, 3...
    fn alphabet(&self) -> &[char];

    /// Log-posteriors of one patch of [`PATCH_WIDTH`](crate::cell::PATCH_WIDTH) x
    /// [`PATCH_HEIGHT`](crate::cell::PATCH_HEIGHT) luma.
    ///
    /// # Errors
    /// [`ModelError`] where the patch has another size or the network fails on it.
    fn log_posteriors(&self, patch: &image::GrayImage) -> Result<Posteriors, ModelError>;
}

/// Reads cells, in their order. A cell that is blank by its ink is not shown to the model.
///
/// # Errors
/// [`ModelError`] of the first cell on which the model fails.
pub fn read(model: &dyn Model, cells: &[Cell]) -> Result<Vec<Reading>, ModelError> {
    cells
        .par_iter()
        .map(|cell| read_cell(model, cell))
        .collect()
}

fn read_cell(model: &dyn Model, cell: &Cell) -> Result<Reading, ModelError> {
    let posteriors = match cell.state {
        CellState::Blank => None,
        CellState::Written | CellState::StruckOut => Some(model.log_posteriors(&cell.patch)?),
    };
    let (text, confidence) = posteriors.as_ref().map_or((String::new(), 1.0), |p| {
        best_string::best_string(p, model.alphabet())
    });
    Ok(Reading {
        id: cell.id,
        quad: cell.quad,
        state: cell.state,
        text,
        confidence,
        posteriors: posteriors.as_ref().map(SparsePosteriors::from),
    })
}
