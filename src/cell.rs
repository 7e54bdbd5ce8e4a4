//! The patches of a page's move cells, as the reader wants them.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::geometry::Quad;
use crate::grid::{CellId, Grid, Side};
use crate::ink;
use crate::page::Page;
use crate::patch::{self, Canvas};

/// Width of a patch in pixels.
pub const PATCH_WIDTH: u32 = 192;
/// Height of a patch in pixels.
pub const PATCH_HEIGHT: u32 = 48;
/// Pixels of a patch left and right of the cell.
pub const MARGIN_X: u32 = 4;
/// Pixels of a patch above and below the cell: a fifth of its height, where ink crosses the ruling.
pub const MARGIN_Y: u32 = 7;

/// The canvas of [`Cell::patch`].
pub const CANVAS: Canvas = Canvas {
    width: PATCH_WIDTH,
    height: PATCH_HEIGHT,
    margin_x: MARGIN_X,
    margin_y: MARGIN_Y,
};

/// What a look at the ink alone says of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
pub fn cut(page: &Page, grid: &Grid) -> Vec<Cell> {
    let rows = grid.blocks.iter().flat_map(|b| &b.rows);
    let quads = rows.flat_map(|r| {
        [(Side::White, r.white), (Side::Black, r.black)].map(|(side, q)| {
            (
                CellId {
                    number: r.number,
                    side,
                },
                q,
            )
        })
    });
    quads
        .map(|(id, quad)| {
            let patch = patch::warp(&page.luma, &quad, CANVAS);
            let look = ink::look(&patch, CANVAS);
            Cell {
                id,
                quad,
                patch,
                ink: look.share,
                state: look.state,
            }
        })
        .collect()
}
