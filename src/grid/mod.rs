//! The table on a page: blocks of rows with a White and a Black cell each.

mod columns;
mod depth;
mod ladder;
mod print;
mod rows;
mod ruling;
mod surface;
mod table;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use self::columns::Layout;
use self::ladder::Ladder;
use self::rows::Span;
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

/// Fewest rows of a block.
const FEWEST_ROWS: i32 = 10;
/// Most rows of a block.
const MOST_ROWS: i32 = 40;

/// What a layout is worth whose number column holds no print, by one that is as good otherwise: it may be the strip
/// between the table and the paper's edge.
const NO_NUMBERS: f32 = 0.8;

/// Finds the move table of a page.
///
/// # Errors
/// [`GridError::NoTable`] where the rulings do not make a table of 1 to 4 blocks of 10 to 40 rows.
pub fn find(page: &Page) -> Result<Grid, GridError> {
    let picture = &page.working;
    let (width, height) = picture.dimensions();
    let verticals = ruling::trace(picture);
    let horizontals = ruling::trace(&transposed(picture));
    let strips = width as usize / ruling::STRIP;
    let mut best: Option<(f32, Ladder, Layout, Span)> = None;
    for ladder in ladder::find(&horizontals, strips, height as f32) {
        for layout in columns::find(&ladder, &verticals, width as f32) {
            let Some(span) = rows::select(picture, &ladder, &layout, FEWEST_ROWS, MOST_ROWS) else {
                continue;
            };
            let empty = layout.number_column != NumberColumn::Absent && !span.numbered;
            let cells = (span.last - span.first) as usize * layout.blocks.len();
            let score = layout.score * cells as f32 * if empty { NO_NUMBERS } else { 1.0 };
            if best.as_ref().is_none_or(|b| score > b.0) {
                best = Some((score, ladder.clone(), layout, span));
            }
        }
    }
    let (_, ladder, layout, span) = best.ok_or(GridError::NoTable)?;
    Ok(table::build(&ladder, &layout, span, page))
}

fn transposed(picture: &GrayImage) -> GrayImage {
    GrayImage::from_fn(picture.height(), picture.width(), |x, y| {
        *picture.get_pixel(y, x)
    })
}
