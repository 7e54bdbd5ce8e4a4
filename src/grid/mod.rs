//! Finds the table of moves on a page: blocks of rows, each with a White and a Black cell.
//!
//! [`detect`] searches any page for a table; [`fit_layout`] searches for the place of a form whose
//! [`layout`] is known.
//!
//! ```no_run
//! use sheetscan::{grid, page};
//!
//! let page = page::open("samples/01_apendice_e_pt.jpg".as_ref())?.next().expect("a page")?;
//! let grid = grid::detect(&page)?;
//! let rows: usize = grid.blocks.iter().map(|block| block.rows.len()).sum();
//! println!("{} blocks, {rows} rows", grid.blocks.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bend;
mod blocks;
mod columns;
mod depth;
mod dividers;
mod equations;
mod even;
mod fit;
mod growth;
mod judged;
mod ladder;
pub mod layout;
mod likeness;
mod lines;
mod maps;
mod merged;
mod outline;
mod posts;
mod print;
mod recount;
mod repeated;
mod rows;
mod ruling;
mod settle;
mod stretches;
mod strips;
mod surface;
mod table;
mod upright;
mod view;

pub use self::fit::{fit_layout, fit_layout_upside_down};
pub(crate) use self::growth::extrapolate_row;

use std::f64::consts::{FRAC_PI_2, PI};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::judged::{LEAST, Table};
use self::maps::Maps;
use self::view::View;
use crate::geometry::{Point, Quad};
use crate::page::Page;

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

/// Smallest number of rows in a block.
const MIN_ROWS: i32 = 10;
/// Largest number of rows in a block.
pub(crate) const MAX_ROWS: i32 = 40;

/// Share of a picture that the table model takes for cells, below which the page may lie on its
/// side.
const MAX_LYING_AREA: f32 = 0.08;
/// IoU with the table model's cells (`Table::agreement`) below which the page may lie on its side
/// whatever their area.
const MIN_UPRIGHT_IOU: f32 = 0.75;
/// IoU by which the page must fit better lying on a side than upright. A second attempt may have an
/// IoU that is lower by as much.
const IOU_TOLERANCE: f32 = 0.04;
/// IoU from which a table whose row edges are sharp gets no second attempt.
const MIN_SURE_IOU: f32 = 0.9;
/// Share of a picture that the table model takes for cells, below which no table is looked for.
const MIN_TABLE_AREA: f32 = 0.004;
/// Width of the border that the second attempt shows around the cells of the first, as a share of
/// their extent.
const BORDER: f64 = 0.2;
/// Factor by which a table must become larger in the second attempt for the attempt to be made.
const MIN_ENLARGEMENT: f32 = 1.25;
/// Share of the first attempt's cell area that the second must find too.
const MIN_SHARED_AREA: f32 = 0.98;
/// Factor by which the second attempt may see a larger area of cells: a part of a lined page looks
/// like a table by itself.
const MAX_AREA_GROWTH: f32 = 2.0;
/// Skew in radians from which the page is turned straight for a second attempt.
const MIN_SKEW_RAD: f64 = 0.08;

/// Finds the move table of a page that lies in any direction. A table that stands on its head may
/// be taken for an upright one; [`detect_upside_down`] finds it the other way round.
///
/// # Errors
/// [`GridError::NoTable`] where nothing on the page is a table of blocks of 10 to 40 rows.
pub fn detect(page: &Page) -> Result<Grid, GridError> {
    Ok(detect_again_upright(page, best_attempt(page).accept()?))
}

/// Finds the move table as [`detect`] does, on the page turned upside down.
///
/// # Errors
/// As [`detect`].
pub fn detect_upside_down(page: &Page) -> Result<Grid, GridError> {
    // Of the two ways in which a page can lie on its side, the one that `detect` does not take.
    let attempt = best_turned_attempt(page, PI, |left, right| {
        right.table.agreement <= left.table.agreement
    });
    Ok(detect_again_upright(page, attempt.accept()?))
}

/// A table that lies on its side or stands on its head, detected again on the page turned upright;
/// any other table as it is.
fn detect_again_upright(page: &Page, grid: Grid) -> Grid {
    let quarters = upright::quarters(&grid);
    if quarters == 0 {
        return grid;
    }
    let upright = upright::turned_back(page, quarters);
    match best_attempt(&upright).accept() {
        Ok(again) if upright::quarters(&again) == 0 => upright::on_page(again, page, quarters),
        _ => grid,
    }
}

/// The best attempt on a page as it lies, or turned to the side that fits better.
fn best_attempt(page: &Page) -> DetectionAttempt {
    best_turned_attempt(page, 0.0, |left, right| {
        right.table.agreement > left.table.agreement
    })
}

/// The best attempt on a page turned by an angle in radians, or by a right angle to the left or
/// right of that. `takes_right` chooses between the left and the right one.
fn best_turned_attempt(
    page: &Page,
    angle: f64,
    takes_right: fn(&DetectionAttempt, &DetectionAttempt) -> bool,
) -> DetectionAttempt {
    let mut best = attempt_twice(page, angle);
    if best.lying || best.table.agreement < MIN_UPRIGHT_IOU {
        let sides = if angle.cos().abs() > 0.5 {
            [FRAC_PI_2, -FRAC_PI_2]
        } else {
            [0.0, PI]
        };
        let [left, right] = sides.map(|side| attempt_twice(page, side));
        let lying = if takes_right(&left, &right) {
            right
        } else {
            left
        };
        if lying.table.agreement > best.table.agreement + IOU_TOLERANCE {
            best = lying;
        }
    }
    best
}

/// What was found in one view of a page.
struct DetectionAttempt {
    table: Table,
    /// Whether the table model sees so little of cells that the page may lie on its side.
    lying: bool,
    /// The view and the table model's maps of it; None where the model sees no cells.
    seen: Option<(View, Maps)>,
}

impl DetectionAttempt {
    /// The table, if its IoU with the model's cells is high enough.
    fn accept(self) -> Result<Grid, GridError> {
        let Table {
            grid, agreement, ..
        } = self.table;
        grid.filter(|_| agreement >= LEAST)
            .ok_or(GridError::NoTable)
    }
}

/// The attempt on a page turned by an angle in radians. Where the table is skewed, or is small and
/// not sure, a second attempt shows it larger and without the skew, and the better one is taken.
fn attempt_twice(page: &Page, angle: f64) -> DetectionAttempt {
    let first = attempt(View::turned(page, angle));
    let leans = first.table.lean.abs() >= MIN_SKEW_RAD;
    let doubted = first.seen.as_ref();
    let doubts = first.table.agreement < MIN_SURE_IOU || first.table.is_blurred();
    let Some((view, maps)) = doubted.filter(|_| leans || doubts) else {
        return first;
    };
    let places: Vec<Point> = maps.places().map(|p| view.on_page(p)).collect();
    let Some(nearer) = View::about(page, angle + first.table.lean, &places, BORDER) else {
        return first;
    };
    let seen = |view: &View| maps::reduction(view.picture.dimensions());
    if !leans && seen(&nearer) < MIN_ENLARGEMENT * seen(view) {
        return first;
    }
    let again = attempt(nearer);
    let as_much = again.table.shared >= MIN_SHARED_AREA * first.table.shared;
    let imagined = again
        .seen
        .as_ref()
        .is_none_or(|(_, seen)| seen.area() > MAX_AREA_GROWTH * maps.area());
    let agrees = again.table.agreement >= first.table.agreement - IOU_TOLERANCE;
    if as_much && !imagined && agrees && again.table.worth() >= first.table.worth() {
        again
    } else {
        first
    }
}

/// Looks for the table in one view of a page.
fn attempt(view: View) -> DetectionAttempt {
    let picture = &view.picture;
    let pixels = (picture.width() * picture.height()) as f32;
    let maps = Maps::of(picture).filter(|maps| maps.area() >= MIN_TABLE_AREA * pixels);
    let Some(maps) = maps else {
        return DetectionAttempt {
            table: Table::NONE,
            lying: true,
            seen: None,
        };
    };
    DetectionAttempt {
        table: judged::find(&view, &maps),
        lying: maps.area() < MAX_LYING_AREA * pixels,
        seen: Some((view, maps)),
    }
}
