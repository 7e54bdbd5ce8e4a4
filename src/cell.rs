//! The patches of a page's move cells, as the reader wants them.

use image::{GrayImage, imageops};
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

/// Rows that a patch can be taken higher up or lower down, for writing off its line: a quarter of the cell's height.
pub const REACH: u32 = 8;
/// Height of [`Cell::tall`] in pixels.
pub const TALL_HEIGHT: u32 = PATCH_HEIGHT + 2 * REACH;

/// The canvas of [`Cell::patch()`].
pub const CANVAS: Canvas = Canvas {
    width: PATCH_WIDTH,
    height: PATCH_HEIGHT,
    margin_x: MARGIN_X,
    margin_y: MARGIN_Y,
};

/// The canvas of [`Cell::tall`].
const TALL: Canvas = Canvas {
    height: TALL_HEIGHT,
    margin_y: MARGIN_Y + REACH,
    ..CANVAS
};

/// Share of rows that are blank where they are taken for a blank block's.
const MOSTLY: f64 = 0.9;

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
    /// Luma, [`PATCH_WIDTH`] x [`TALL_HEIGHT`] pixels: the cell and its margin, warped from the full-size page, and
    /// [`REACH`] rows above and below.
    pub tall: GrayImage,
    /// Share of the cell's inner pixels that are ink, 0 to 1.
    pub ink: f32,
    /// Blank, written or struck out.
    pub state: CellState,
}

impl Cell {
    /// The cell and its margin, [`PATCH_WIDTH`] x [`PATCH_HEIGHT`] pixels, `rows` of them lower down on the page;
    /// at most [`REACH`] up or down.
    pub fn patch(&self, rows: i32) -> GrayImage {
        let top = (REACH as i32 + rows).clamp(0, 2 * REACH as i32) as u32;
        imageops::crop_imm(&self.tall, 0, top, PATCH_WIDTH, PATCH_HEIGHT).to_image()
    }
}

/// Whether single cells, given by their corners in pixels of a picture, hold no ink.
pub fn are_blank(picture: &GrayImage, quads: [Quad; 2]) -> bool {
    let state = |quad| ink::look(&patch::warp(picture, quad, CANVAS), CANVAS).state;
    quads.iter().all(|quad| state(quad) == CellState::Blank)
}

/// Whether hardly any of some rows, each given by the corners of its two cells, is written in.
pub fn are_mostly_blank(
    picture: &GrayImage,
    rows: impl ExactSizeIterator<Item = [Quad; 2]>,
) -> bool {
    let all = rows.len() as f64;
    let blank = rows.filter(|row| are_blank(picture, *row)).count() as f64;
    blank >= MOSTLY * all
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
            let mut cell = Cell {
                id,
                quad,
                tall: patch::warp(&page.luma, &quad, TALL),
                ink: 0.0,
                state: CellState::Blank,
            };
            let look = ink::look(&cell.patch(0), CANVAS);
            (cell.ink, cell.state) = (look.share, look.state);
            cell
        })
        .collect()
}
