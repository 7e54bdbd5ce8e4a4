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
    /// The full posteriors; none for a blank cell.
    pub posteriors: Option<Posteriors>,
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
        posteriors,
    })
}
