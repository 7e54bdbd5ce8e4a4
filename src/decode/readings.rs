//! What comes in: the readings of one sheet.

use crate::ink::CellState;
use crate::reader::Reading;

/// Readings of one sheet, in the order of its cells, and the alphabet they are over.
#[derive(Debug, Clone)]
pub struct SheetReadings {
    /// The characters of the reader's classes from 1 on; class 0 is the CTC blank.
    pub alphabet: Vec<char>,
    /// Row by row, White before Black.
    pub readings: Vec<Reading>,
}

impl SheetReadings {
    /// A sheet of the same alphabet with these readings alone.
    pub(super) fn with(&self, readings: &[Reading]) -> Self {
        Self {
            alphabet: self.alphabet.clone(),
            readings: readings.to_vec(),
        }
    }
}

/// Whether a cell holds writing. Ink in which the reader finds no letter and no digit is a speck, a
/// dash or a ruling.
pub(super) fn is_writing(reading: &Reading) -> bool {
    match reading.state {
        CellState::Blank => false,
        CellState::StruckOut => true,
        CellState::Written => reading.text.contains(char::is_alphanumeric),
    }
}
