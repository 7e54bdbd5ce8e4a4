//! The move cells of a page, cut out as the patches that the reader takes.

use image::{GrayImage, imageops};

use crate::geometry::Quad;
use crate::grid::{CellId, Grid, Side};
use crate::ink::{self, CellState};
use crate::page::Page;
use crate::patch::{self, CELL_CANVAS, Canvas, MARGIN_Y, PATCH_HEIGHT, PATCH_WIDTH};

/// Largest distance in pixels by which [`Cell::patch`] moves up or down, for writing that stands
/// off its line: a quarter of the cell's height.
pub const MAX_VERTICAL_OFFSET: u32 = 8;
/// Height of [`Cell::tall`] in pixels.
pub const TALL_HEIGHT: u32 = PATCH_HEIGHT + 2 * MAX_VERTICAL_OFFSET;

/// The canvas of [`Cell::tall`].
const TALL_CANVAS: Canvas = Canvas {
    height: TALL_HEIGHT,
    margin_y: MARGIN_Y + MAX_VERTICAL_OFFSET,
    ..CELL_CANVAS
};

/// A move cell cut from a page.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Row and column on the sheet.
    pub id: CellId,
    /// The cell's corners in pixels of the upright page, without margin.
    pub quad: Quad,
    /// Luma of the cell and its margin, warped from the page at full size: [`PATCH_WIDTH`] pixels
    /// wide and [`TALL_HEIGHT`] high, which is [`MAX_VERTICAL_OFFSET`] more than a patch at the top
    /// and at the bottom.
    pub tall: GrayImage,
    /// Share of the cell's inner pixels that are ink, 0 to 1.
    pub ink: f32,
    /// Blank, written or struck out.
    pub state: CellState,
}

impl Cell {
    /// The cell and its margin, [`PATCH_WIDTH`] x [`PATCH_HEIGHT`] pixels, cut `offset` pixels
    /// lower on the page. The offset is clamped to [`MAX_VERTICAL_OFFSET`] up or down.
    pub fn patch(&self, offset: i32) -> GrayImage {
        let max = MAX_VERTICAL_OFFSET as i32;
        let top = (max + offset).clamp(0, 2 * max) as u32;
        imageops::crop_imm(&self.tall, 0, top, PATCH_WIDTH, PATCH_HEIGHT).to_image()
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
        tall: patch::warp(&page.luma, &quad, TALL_CANVAS),
        ink: 0.0,
        state: CellState::Blank,
    };
    let stats = ink::measure(&cell.patch(0), CELL_CANVAS);
    (cell.ink, cell.state) = (stats.share, stats.state);
    cell
}
