//! A cell of a sheet's move table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::decode::UnreadReason;
use crate::grid::{CellId, Side};
use crate::ink::CellState;

/// The four corners of a cell, clockwise from top left, each `[x, y]` in pixels of the upright page
/// to a tenth of a pixel.
pub type Corners = [[f64; 2]; 4];

/// A cell that a move was read from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellRecord {
    /// Index of its sheet in `sheets`.
    pub sheet: usize,
    /// Number of its row as the sheet prints it, or as counted from 1 where nothing is printed.
    #[serde(rename = "move")]
    pub number: u32,
    /// Whose column it stands in.
    pub side: Side,
    /// The reader's likeliest string before any chess knowledge, in the letters of the sheet.
    pub read: String,
    /// Probability of that string, to four decimals.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub read_confidence: f64,
    /// The cell's four corners, clockwise from top left, each `[x, y]` in pixels of the upright
    /// page.
    #[serde(rename = "box")]
    pub corners: Corners,
}

impl CellRecord {
    /// Row and column of the cell.
    pub fn id(&self) -> CellId {
        CellId {
            number: self.number,
            side: self.side,
        }
    }
}

/// A cell of a sheet's table, with writing or without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TableCellRecord {
    /// Number of its row as the sheet prints it, or as counted from 1 where nothing is printed.
    #[serde(rename = "move")]
    pub number: u32,
    /// Whose column it stands in.
    pub side: Side,
    /// Whether anything is written in it.
    pub state: CellState,
    /// The reader's likeliest string, in the letters of the sheet.
    pub read: String,
    /// Probability of that string, to four decimals.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub read_confidence: f64,
    /// The cell's four corners, clockwise from top left, each `[x, y]` in pixels of the upright
    /// page.
    #[serde(rename = "box")]
    pub corners: Corners,
}

/// A cell with writing that no move uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnreadRecord {
    /// Index of its sheet in `sheets`.
    pub sheet: usize,
    /// Number of its row as the sheet prints it, or as counted from 1 where nothing is printed.
    #[serde(rename = "move")]
    pub number: u32,
    /// Whose column it stands in.
    pub side: Side,
    /// The reader's likeliest string, in the letters of the sheet.
    pub read: String,
    /// Why no move uses it.
    pub reason: UnreadReason,
    /// The cell's four corners, clockwise from top left, each `[x, y]` in pixels of the upright
    /// page.
    #[serde(rename = "box")]
    pub corners: Corners,
}
