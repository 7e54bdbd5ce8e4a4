//! The table on a page: blocks of rows with a White and a Black cell each.

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

pub use self::fit::{fit, fit_upside_down};
pub(crate) use self::growth::beyond;

use std::f64::consts::{FRAC_PI_2, PI};

use serde::{Deserialize, Serialize};

use self::judged::{LEAST, Table};
use self::maps::Maps;
use self::view::View;
use crate::geometry::{Point, Quad};
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
#[derive(Debug, Clone, Default, PartialEq)]
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
    #[error("no move table found")]
    NoTable,
}

/// Fewest rows of a block.
const FEWEST_ROWS: i32 = 10;
/// Most rows of a block.
pub(crate) const MOST_ROWS: i32 = 40;

/// Share of a picture that the model takes for cells below which it may lie on its side.
const LYING: f32 = 0.08;
/// Agreement with the table model below which the page may lie on its side all the same.
const DOUBTFUL: f32 = 0.75;
/// Agreement by which a page must be better that lies on a side; a further look may agree less by as much.
const BETTER: f32 = 0.04;
/// Agreement from which a table whose edges are told apart is not looked at from nearer by.
const SURE: f32 = 0.9;
/// Share of a picture that the model takes for cells below which nothing is looked for.
const NOTHING: f32 = 0.004;
/// Room about the cells that are seen, in shares of their extent, that is looked at again with them.
const ROOM: f64 = 0.2;
/// How much larger a table must become to be looked at again from nearer by.
const NEARER: f32 = 1.25;
/// Share of what is seen of a table that a further look must see too.
const KEPT: f32 = 0.98;
/// How much more a further look may see: a part of a lined page by itself looks like a table.
const IMAGINED: f32 = 2.0;
/// Lean in radians from which a page is turned straight before it is looked at again.
const LEANING: f64 = 0.08;

/// Finds the move table of a page that lies in any direction; one that lies on its head may be taken for an upright one
/// ([`find_upside_down`]).
///
/// # Errors
/// [`GridError::NoTable`] where nothing makes a table of blocks of 8 to 40 rows.
pub fn find(page: &Page) -> Result<Grid, GridError> {
    Ok(settled(page, clearest(page).believed()?))
}

/// Finds the move table as [`find`] does, on the page turned upside down.
///
/// # Errors
/// As [`find`].
pub fn find_upside_down(page: &Page) -> Result<Grid, GridError> {
    // Of the two ways in which a page can lie on its side, the one that `find` does not take.
    let look = facing(page, PI, |left, right| {
        right.table.agreement <= left.table.agreement
    });
    Ok(settled(page, look.believed()?))
}

/// The table as it is found on the page turned upright, if it lies on a side or on its head.
fn settled(page: &Page, grid: Grid) -> Grid {
    let quarters = upright::quarters(&grid);
    if quarters == 0 {
        return grid;
    }
    let upright = upright::turned_back(page, quarters);
    match clearest(&upright).believed() {
        Ok(again) if upright::quarters(&again) == 0 => upright::on_page(again, page, quarters),
        _ => grid,
    }
}

/// The look at a page as it is, or lying on the side on which more is seen.
fn clearest(page: &Page) -> Look {
    facing(page, 0.0, |left, right| {
        right.table.agreement > left.table.agreement
    })
}

/// The look at a page turned by an angle, or lying on its left side to that, or on its right one if that is to be taken.
fn facing(page: &Page, angle: f64, takes_right: fn(&Look, &Look) -> bool) -> Look {
    let mut best = straight(page, angle);
    if best.lying || best.table.agreement < DOUBTFUL {
        let sides = if angle.cos().abs() > 0.5 {
            [FRAC_PI_2, -FRAC_PI_2]
        } else {
            [0.0, PI]
        };
        let [left, right] = sides.map(|side| straight(page, side));
        let lying = if takes_right(&left, &right) {
            right
        } else {
            left
        };
        if lying.table.agreement > best.table.agreement + BETTER {
            best = lying;
        }
    }
    best
}

/// What was found in one view of a page.
struct Look {
    table: Table,
    /// Whether so little looks like cells that the page may lie on its side.
    lying: bool,
    /// The view and what the model sees in it, where that is anything.
    seen: Option<(View, Maps)>,
}

impl Look {
    fn believed(self) -> Result<Grid, GridError> {
        let Table {
            grid, agreement, ..
        } = self.table;
        grid.filter(|_| agreement >= LEAST)
            .ok_or(GridError::NoTable)
    }
}

/// The better of the table found at an angle and that found from nearer by and when its lean is taken out, where it leans
/// or is small.
fn straight(page: &Page, angle: f64) -> Look {
    let first = look(View::turned(page, angle));
    let leans = first.table.lean.abs() >= LEANING;
    let doubted = first.seen.as_ref();
    let doubts = first.table.agreement < SURE || first.table.is_blurred();
    let Some((view, maps)) = doubted.filter(|_| leans || doubts) else {
        return first;
    };
    let places: Vec<Point> = maps.places().map(|p| view.on_page(p)).collect();
    let Some(nearer) = View::about(page, angle + first.table.lean, &places, ROOM) else {
        return first;
    };
    let seen = |view: &View| maps::reduction(view.picture.dimensions());
    if !leans && seen(&nearer) < NEARER * seen(view) {
        return first;
    }
    let again = look(nearer);
    let as_much = again.table.shared >= KEPT * first.table.shared;
    let imagined = again
        .seen
        .as_ref()
        .is_none_or(|(_, seen)| seen.area() > IMAGINED * maps.area());
    let agrees = again.table.agreement >= first.table.agreement - BETTER;
    if as_much && !imagined && agrees && again.table.worth() >= first.table.worth() {
        again
    } else {
        first
    }
}

/// Looks at a view of a page.
fn look(view: View) -> Look {
    let picture = &view.picture;
    let pixels = (picture.width() * picture.height()) as f32;
    let maps = Maps::of(picture).filter(|maps| maps.area() >= NOTHING * pixels);
    let Some(maps) = maps else {
        return Look {
            table: Table::NONE,
            lying: true,
            seen: None,
        };
    };
    Look {
        table: judged::find(&view, &maps),
        lying: maps.area() < LYING * pixels,
        seen: Some((view, maps)),
    }
}
