//! The move cells of a page, cut out as the patches that the reader takes.

use image::{GrayImage, imageops};

use crate::geometry::Quad;
use crate::grid::{CellId, Grid, Side};
use crate::ink::{self, CellState};
use crate::page::Page;
use crate::patch::{self, CELL_CANVAS, Canvas, MARGIN_X, MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};

/// Largest distance in pixels by which [`Cell::patch`] moves up or down, for writing that stands
/// off its line: a quarter of the cell's height.
pub const MAX_VERTICAL_OFFSET: u32 = 8;
/// Largest distance in pixels by which [`Cell::patch`] moves left or right, for writing that
/// crosses the border of its column: a twelfth of the cell's width.
pub const MAX_HORIZONTAL_OFFSET: u32 = 16;
/// Height of [`Cell::picture`] in pixels.
pub const PICTURE_HEIGHT: u32 = PATCH_HEIGHT + 2 * MAX_VERTICAL_OFFSET;
/// Width of [`Cell::picture`] in pixels.
pub const PICTURE_WIDTH: u32 = PATCH_WIDTH + 2 * MAX_HORIZONTAL_OFFSET;

/// The canvas of [`Cell::picture`].
const PICTURE_CANVAS: Canvas = Canvas {
    width: PICTURE_WIDTH,
    height: PICTURE_HEIGHT,
    margin_x: MARGIN_X + MAX_HORIZONTAL_OFFSET,
    margin_y: MARGIN_Y + MAX_VERTICAL_OFFSET,
};

/// A move cell cut from a page.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Row and column on the sheet.
    pub id: CellId,
    /// The cell's corners in pixels of the upright page, without margin.
    pub quad: Quad,
    /// Luma of the cell and what lies around it, warped from the page at full size:
    /// [`PICTURE_WIDTH`] x [`PICTURE_HEIGHT`] pixels, in which a patch can be moved by
    /// [`MAX_HORIZONTAL_OFFSET`] and [`MAX_VERTICAL_OFFSET`] either way.
    pub picture: GrayImage,
    /// Share of the cell's inner pixels that are ink, 0 to 1.
    pub ink: f32,
    /// Blank, written or struck out.
    pub state: CellState,
}

impl Cell {
    /// The cell and its margin, [`PATCH_WIDTH`] x [`PATCH_HEIGHT`] pixels, cut so many pixels
    /// further right and lower on the page. The offsets are clamped to [`MAX_HORIZONTAL_OFFSET`]
    /// and [`MAX_VERTICAL_OFFSET`] either way.
    pub fn patch(&self, right: i32, down: i32) -> GrayImage {
        let at = |offset: i32, max: u32| (max as i32 + offset).clamp(0, 2 * max as i32) as u32;
        let left = at(right, MAX_HORIZONTAL_OFFSET);
        let top = at(down, MAX_VERTICAL_OFFSET);
        imageops::crop_imm(&self.picture, left, top, PATCH_WIDTH, PATCH_HEIGHT).to_image()
    }
}

/// Cuts every cell of a grid: block by block, row by row, White before Black.
pub fn cut_cells(page: &Page, grid: &Grid) -> Vec<Cell> {
    let rows = grid.blocks.iter().flat_map(|block| &block.rows);
    let cells = rows.flat_map(|row| {
        [(Side::White, row.white), (Side::Black, row.black)].map(|(side, quad)| {
            let number = row.number;
            (CellId { number, side }, quad)
        })
    });
    cells.map(|(id, quad)| cut_cell(page, id, quad)).collect()
}

/// Cuts one cell and measures its ink.
fn cut_cell(page: &Page, id: CellId, quad: Quad) -> Cell {
    let mut cell = Cell {
        id,
        quad,
        picture: patch::warp(&page.luma, &quad, PICTURE_CANVAS),
        ink: 0.0,
        state: CellState::Blank,
    };
    let stats = ink::measure(&cell.patch(0, 0), CELL_CANVAS);
    (cell.ink, cell.state) = (stats.share, stats.state);
    cell
}
