//! The patches of a page's move cells, as the reader wants them.

use image::GrayImage;

use crate::geometry::Quad;
use crate::grid::{CellId, Grid};
use crate::page::Page;

/// Width of a patch in pixels.
pub const PATCH_WIDTH: u32 = 192;
/// Height of a patch in pixels.
pub const PATCH_HEIGHT: u32 = 48;
/// Pixels of a patch left and right of the cell.
pub const MARGIN_X: u32 = 4;
/// Pixels of a patch above and below the cell: a fifth of its height, where ink crosses the ruling.
pub const MARGIN_Y: u32 = 7;

/// What a look at the ink alone says of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellState {
    /// No ink.
    Blank,
    /// Ink that may be a move.
    Written,
    /// Ink struck out, nothing beside it.
    StruckOut,
}

/// A move cell cut from a page.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Row and column on the sheet.
    pub id: CellId,
    /// The cell's corners in pixels of the upright page, without margin.
    pub quad: Quad,
    /// Luma, [`PATCH_WIDTH`] x [`PATCH_HEIGHT`] pixels: the cell and its margin, warped from the full-size page.
    pub patch: GrayImage,
    /// Share of the cell's inner pixels that are ink, 0 to 1.
    pub ink: f32,
    /// Blank, written or struck out.
    pub state: CellState,
}

/// Cuts every cell of a grid, block by block, row by row, White before Black.
pub fn cut(_page: &Page, _grid: &Grid) -> Vec<Cell> {
    Vec::new()
}
