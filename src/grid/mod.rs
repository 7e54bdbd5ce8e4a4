//! The table on a page: blocks of rows with a White and a Black cell each.

mod bend;
mod blocks;
mod columns;
mod depth;
mod dividers;
mod fit;
mod ladder;
pub mod layout;
mod likeness;
mod maps;
mod outline;
mod print;
mod repeated;
mod rows;
mod ruling;
mod stretches;
mod surface;
mod table;
mod upright;
mod view;

pub use self::fit::{fit, fit_upside_down};

use std::f64::consts::{FRAC_PI_2, PI};

use image::GrayImage;
use serde::{Deserialize, Serialize};

use self::columns::Layout;
use self::ladder::Ladder;
use self::maps::{Maps, Plane};
use self::rows::Span;
use self::ruling::Ruling;
use self::view::View;
use crate::geometry::{Homography, Point, Quad, area};
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

/// What a layout is worth whose number column holds no print, by one that is as good otherwise: it may be the strip
/// between the table and the paper's edge.
const NO_NUMBERS: f32 = 0.8;

/// Share of a picture that the model takes for cells below which it may lie on its side.
const LYING: f32 = 0.08;
/// Agreement with the table model below which the page may lie on its side all the same.
const DOUBTFUL: f32 = 0.75;
/// Share of a picture that the model takes for cells below which nothing is looked for.
const NOTHING: f32 = 0.004;
/// Agreement below which there is no table.
const LEAST: f32 = 0.35;
/// Agreement by which a table laid along printed lines may be behind one laid along the model's: its lines are exact.
const EXACT: f32 = 0.04;
/// The same for a table that was found by the printed lines alone, which know the first row and the last better too.
const RULED: f32 = 0.1;
/// Agreement from which no other table is looked for.
const SURE: f32 = 0.9;
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
        if lying.table.agreement > best.table.agreement + EXACT {
            best = lying;
        }
    }
    best
}

/// A table that was found, and how far it is believed.
struct Table {
    grid: Option<Grid>,
    /// What the cells have in common with the model's, by all that either has; 0 to 1.
    agreement: f32,
    /// That area, in square pixels of the working copy.
    shared: f32,
    /// Angle in radians by which the rows rise to the right and the columns lean with them.
    lean: f64,
}

impl Table {
    const NONE: Self = Self {
        grid: None,
        agreement: 0.0,
        shared: 0.0,
        lean: 0.0,
    };
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
    let Some((view, maps)) = doubted.filter(|_| leans || first.table.agreement < SURE) else {
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
    if as_much && !imagined && again.table.agreement >= first.table.agreement {
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
        table: table_in(&view, &maps),
        lying: maps.area() < LYING * pixels,
        seen: Some((view, maps)),
    }
}

/// The table in a view.
fn table_in(view: &View, maps: &Maps) -> Table {
    let picture = &view.picture;
    let horizontals = ruling::trace(&transposed(picture));
    let verticals = ruling::trace(picture);
    let judged = |grid: Option<Grid>, lean: f64| {
        let (agreement, shared) = grid
            .as_ref()
            .map_or((0.0, 0.0), |g| agreement(g, maps, view));
        Table {
            grid,
            agreement,
            shared,
            lean,
        }
    };
    let ruled = judged(ruled(view, maps, &horizontals, &verticals), 0.0);
    if ruled.agreement >= SURE {
        return ruled;
    }
    let laid = |rows: &[Ruling], columns: &[Ruling], lean: f64| {
        let found = blocks::find(maps, picture, rows, columns);
        judged(table::seen(&found, view), lean)
    };
    let printed = laid(&horizontals, &verticals, 0.0);
    let best = if printed.agreement > ruled.agreement + RULED {
        printed
    } else {
        ruled
    };
    if best.agreement >= SURE {
        return best;
    }
    let rows = ruling::trace(&transposed(&maps.drawn(Plane::Row)));
    let columns = ruling::trace(&maps.drawn(Plane::Column));
    let lean = lean(&rows, &columns);
    let drawn = laid(&rows, &columns, lean);
    let best = if drawn.agreement > best.agreement + EXACT {
        drawn
    } else {
        Table { lean, ..best }
    };
    if best.agreement < LEAST {
        // What repeats on a lined page is no table.
        return best;
    }
    let alike = [(&horizontals, &verticals), (&rows, &columns)];
    let alike = alike
        .into_iter()
        .flat_map(|(rows, columns)| blocks::repeated(maps, picture, rows, columns));
    let alike = alike.map(|found| judged(table::seen(&found, view), lean));
    let alike = alike.max_by(|a, b| a.agreement.total_cmp(&b.agreement));
    match alike {
        Some(alike) if alike.agreement > best.agreement + EXACT => alike,
        _ => best,
    }
}

/// The table by its rulings alone.
fn ruled(view: &View, maps: &Maps, horizontals: &[Ruling], verticals: &[Ruling]) -> Option<Grid> {
    let picture = &view.picture;
    let (width, height) = picture.dimensions();
    let strips = width as usize / ruling::STRIP;
    let mut best: Option<(f32, Ladder, Layout, Span)> = None;
    for ladder in ladder::find(horizontals, strips, height as f32) {
        for layout in columns::find(&ladder, verticals, width as f32) {
            let Some(span) = rows::select(picture, maps, &ladder, &layout) else {
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
    best.map(|(_, ladder, layout, span)| table::ruled(&ladder, &layout, &span, view))
}

/// The angle in radians that rows and columns share: rows that fall to the right and columns that lean to the left.
fn lean(rows: &[Ruling], columns: &[Ruling]) -> f64 {
    let usual = |lines: &[Ruling]| {
        let mut slopes: Vec<(f64, usize)> =
            lines.iter().map(|l| (l.slope(), l.points.len())).collect();
        slopes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = slopes.iter().map(|s| s.1).sum::<usize>() / 2;
        let mut passed = 0;
        slopes
            .iter()
            .find(|s| {
                passed += s.1;
                passed > half
            })
            .map_or(0.0, |s| s.0)
    };
    ((usual(columns) - usual(rows)) / 2.0).atan()
}

/// Area that cells share with the model's by the area that either has, and the area that they share in square pixels.
fn agreement(grid: &Grid, maps: &Maps, view: &View) -> (f32, f32) {
    const PROBES: usize = 5;
    let (mut shared, mut cells) = (0.0f64, 0.0f64);
    for row in grid.blocks.iter().flat_map(|b| &b.rows) {
        for quad in [&row.white, &row.black] {
            let quad = quad.map(|p| view.in_view(p));
            let Some(map) = Homography::onto(&quad) else {
                continue;
            };
            let area = area(&quad);
            let place = |i: usize| (i as f64 + 0.5) / PROBES as f64;
            // A cell is one player's: one that lies over White's column and Black's shares the larger part with it.
            let (mut white, mut black) = (0, 0);
            for i in 0..PROBES * PROBES {
                let p = map.at(place(i % PROBES), place(i / PROBES));
                let seen = |plane: Plane| maps.at(plane, p.x as f32, p.y as f32);
                let (w, b) = (seen(Plane::White), seen(Plane::Black));
                white += usize::from(w > 0.5 && w >= b);
                black += usize::from(b > 0.5 && b > w);
            }
            let inside = white.max(black);
            shared += area * inside as f64 / (PROBES * PROBES) as f64;
            cells += area;
        }
    }
    let all = cells + f64::from(maps.area()) - shared;
    let agreement = if all > 0.0 { shared / all } else { 0.0 };
    (agreement as f32, shared as f32)
}

fn transposed(picture: &GrayImage) -> GrayImage {
    GrayImage::from_fn(picture.height(), picture.width(), |x, y| {
        *picture.get_pixel(y, x)
    })
}
