//! From the readings of a sheet to the game that was played.

use crate::grid::CellId;
use crate::reader::Reading;

/// Readings of one sheet, in the order of its cells, and the alphabet they are over.
#[derive(Debug, Clone)]
pub struct SheetReadings {
    /// Row by row, White before Black.
    pub readings: Vec<Reading>,
}

/// One move of a decoded game.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// SAN with `+` and `#`.
    pub san: String,
    /// UCI, castling as the king's two-square step.
    pub uci: String,
    /// Probability that this move was played.
    pub confidence: f32,
    /// Whether a person should look.
    pub review: bool,
    /// Other moves for this ply (SAN, confidence), best first.
    pub alternatives: Vec<(String, f32)>,
    /// The cells taken as evidence: index of the sheet and its cell; empty for a supplied move.
    pub cells: Vec<(usize, CellId)>,
}

/// Why a cell's writing is not in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadReason {
    /// No legal move explains it.
    Illegal,
    /// The reader makes nothing of it.
    Illegible,
    /// Struck out.
    CrossedOut,
    /// Stands after the end of the game.
    AfterTheEnd,
}

/// A cell with ink that no ply uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// Index of the sheet.
    pub sheet: usize,
    /// The cell.
    pub cell: CellId,
    /// Why it was not used.
    pub reason: UnreadReason,
}

/// How a game ended, as far as the sheet says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// 1-0
    WhiteWins,
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// *
    Unknown,
}

/// A decoded game.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The moves, from the first.
    pub plies: Vec<Ply>,
    /// Whether the record could be followed to its end.
    pub complete: bool,
    /// ISO 639-1 code of the notation language of each sheet.
    pub languages: Vec<String>,
    /// Result as the sheet or the board says.
    pub outcome: Outcome,
    /// Cells with ink that are in no ply.
    pub unread: Vec<Unread>,
}

/// Finds the game of a sheet.
pub fn decode(sheet: &SheetReadings, _alphabet: &[char], _language: Option<&str>) -> Game {
    let written = sheet
        .readings
        .iter()
        .filter(|reading| !reading.text.is_empty());
    let unread = written.map(|reading| Unread {
        sheet: 0,
        cell: reading.id,
        reason: UnreadReason::Illegible,
    });
    Game {
        plies: Vec::new(),
        complete: false,
        languages: Vec::new(),
        outcome: Outcome::Unknown,
        unread: unread.collect(),
    }
}
