//! Finds the table of moves on a page: blocks of rows, each with a White and a Black cell.
//!
//! [`detect`] searches any page for a table; [`fit_layout`] searches for the place of a form whose
//! [`layout`] is known. Both go one way:
//!
//! 1. `segmentation`: a network shows where cells, edges between rows, columns and printed numbers
//!    are, at first coarsely, to find the part of the page and the direction in which it lies
//!    (`view`, `orientation`, `turned`), then closely.
//! 2. `cell_regions`: where cells are, whosever they are.
//! 3. `first_frame`, `slope`: the area that they fill is a first frame of the table, turned, fanned
//!    and bent along the edges of the rows, wherever these are.
//! 4. `sampling`, `rows`: the edges between the rows of all regions, by one dynamic programme.
//! 5. `surface`, `fit`: where the form lies in the picture, flat or bent, nearest to these edges.
//! 6. `columns`, `column_pattern`, `block_placement`: the columns of White and Black on that
//!    surface, with the same widths in all blocks.
//! 7. `blocks`: in which rows each block has cells.
//! 8. `refine`, `detect`: the cells on the edges and the printed rulings nearby, in pixels of the
//!    page.
//!
//! Only the printed numbers ([`numbers`](crate::numbers)) add or drop rows after that.
//!
//! ```no_run
//! use sheetscan::{grid, page};
//!
//! let page = page::open("samples/01_apendice_e_pt.jpg".as_ref())?.next().expect("a page")?;
//! let grid = grid::detect(&page, &grid::Parameters::default())?;
//! let rows: usize = grid.blocks.iter().map(|block| block.rows.len()).sum();
//! println!("{} blocks, {rows} rows", grid.blocks.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block_placement;
mod blocks;
mod cell_probability;
mod cell_regions;
mod column_pattern;
mod columns;
mod detect;
#[cfg(test)]
mod drawn_table;
mod equations;
mod first_frame;
mod fit;
pub mod layout;
mod layout_fit;
mod layout_likeness;
mod orientation;
mod parabola;
mod parameters;
mod printed_form;
mod refine;
mod rows;
mod sampling;
mod segmentation;
mod slope;
mod surface;
mod turned;
mod view;

#[doc(hidden)]
pub use self::detect::detect_in_maps;
pub use self::detect::{detect, detect_upside_down};
pub use self::layout_fit::{fit_layout, fit_layout_upside_down};
pub use self::parameters::{
    ColumnParameters, Parameters, RegionParameters, RowParameters, SurfaceParameters,
    ViewParameters,
};
pub use self::printed_form::fit_printed_form;
#[cfg(feature = "forms")]
pub(crate) use self::surface::{SurfacePoint, fit_homography};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::form::SheetSide;
use crate::geometry::{Quad, is_convex};

/// Largest number of rows in a block.
pub(crate) const MAX_ROWS: usize = 40;

/// Which player's column a cell stands in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The White column.
    White,
    /// The Black column.
    Black,
}

impl From<SheetSide> for Side {
    fn from(side: SheetSide) -> Self {
        match side {
            SheetSide::White => Self::White,
            SheetSide::Black => Self::Black,
        }
    }
}

/// A move cell, identified as on the sheet by the number of its row and by its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CellId {
    /// Number of the row as it is printed, or counted through the blocks where none is printed;
    /// from 1.
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

impl Row {
    /// Whether neither of its cells is folded.
    fn is_flat(&self) -> bool {
        is_convex(&self.white) && is_convex(&self.black)
    }
}

/// A block: rows that stand below each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
    /// Where the printed numbers stand.
    pub number_column: NumberColumn,
}

/// The move table of a page, in pixels of the upright page at full size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// Blocks in playing order (left to right).
    pub blocks: Vec<Block>,
    /// The region above the table, where event and players stand; None where there is no room for
    /// it.
    pub header: Option<Quad>,
    /// The region below the table, where result and signatures stand; None where there is no room
    /// for it.
    pub result: Option<Quad>,
}

/// Why no table was found on a page.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GridError {
    /// Nothing on the page looks like a table of moves.
    #[error("no move table found")]
    NoTable,
}
