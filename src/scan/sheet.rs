//! What was read on one page.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::form::FormCode;
use crate::notation::reads_like_a_move;
use crate::reader::{Reading, WordReading};

use super::HeaderReading;

/// A page that was read: which page it is, and what stands in its cells. The cache and shards
/// store it without path, page number and hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The file as it was given.
    #[serde(skip)]
    pub path: PathBuf,
    /// Number of the page in its file, from 1.
    #[serde(skip)]
    pub page: u32,
    /// SHA-256 of the file, in lower-case hexadecimal.
    #[serde(skip)]
    pub sha256: String,
    /// Width of the upright page in pixels.
    pub width: u32,
    /// Height of the upright page in pixels.
    pub height: u32,
    /// The readings of the cells, row by row, White before Black. Their posteriors are dropped once
    /// the game is decoded.
    pub cells: Vec<Reading>,
    /// Whether the picture's file lost its end, behind a table that is whole.
    pub cut_short: bool,
    /// The code of a sheet that sheetscan has printed.
    pub code: Option<FormCode>,
    /// The words outside the table; empty where the scanner does not keep them.
    pub words: Vec<WordReading>,
    /// What its labelled fields say, in the order of [`super::HeaderField::ALL`].
    pub header: Vec<HeaderReading>,
}

/// The largest number of a first row with which a sheet still counts as a first page whose upper
/// rows were not found. A sheet that begins with a larger number continues another sheet.
const MAX_FIRST_ROW_OF_FIRST_PAGE: u32 = 10;

/// How many cells with the same text count as moves at most: a printed pattern repeats itself, a
/// game hardly does.
const MAX_EQUAL_TEXTS: usize = 4;

impl Sheet {
    /// The number of the first row where the sheet continues another one.
    pub fn continues_from(&self) -> Option<u32> {
        let first = self.cells.first()?.id.number;
        (first > MAX_FIRST_ROW_OF_FIRST_PAGE).then_some(first)
    }

    /// Number of cells with ink.
    pub fn inked_cells(&self) -> usize {
        self.inked().count()
    }

    /// Number of cells with ink whose text reads like a move. Of cells with the same text at most
    /// four are counted.
    pub fn move_like_cells(&self) -> usize {
        let mut texts: Vec<&str> = self.inked().map(|r| r.text.as_str()).collect();
        texts.sort_unstable();
        texts
            .chunk_by(|a, b| a == b)
            .filter(|equal| reads_like_a_move(equal[0]))
            .map(|equal| equal.len().min(MAX_EQUAL_TEXTS))
            .sum()
    }

    /// Whether some cell reads like a move with at least this confidence.
    pub fn has_sure_move(&self, min_confidence: f32) -> bool {
        let is_sure = |r: &Reading| r.confidence >= min_confidence && reads_like_a_move(&r.text);
        self.inked().any(is_sure)
    }

    /// The readings of the cells with ink.
    pub(crate) fn inked(&self) -> impl Iterator<Item = &Reading> {
        self.cells.iter().filter(|r| r.state.has_ink())
    }
}
