//! Of the tables that the lines of a view make, the one that is most like what the table model sees.

use super::blocks::{self, Found};
use super::columns::{self, Layout};
use super::ladder::{self, Ladder};
use super::lines::Lines;
use super::maps::Maps;
use super::rows::{self, Span};
use super::ruling::{self, Ruling};
use super::view::View;
use super::{Grid, NumberColumn, repeated, table};
use crate::geometry::area;

/// What a layout is worth whose number column holds no print, by one that is as good otherwise: it may be the strip
/// between the table and the paper's edge.
const NO_NUMBERS: f32 = 0.8;
/// Agreement below which there is no table.
pub const LEAST: f32 = 0.35;
/// Agreement by which a table laid along printed lines may be behind one laid along the model's: its lines are exact.
pub const EXACT: f32 = 0.04;
/// The same for a table that was found by the printed lines alone, which know the first row and the last better too.
const RULED: f32 = 0.1;
/// Agreement from which no other table is looked for.
pub const SURE: f32 = 0.9;

/// A table that was found, and how far it is believed.
pub struct Table {
    /// The table, if there is one.
    pub grid: Option<Grid>,
    /// What the cells have in common with the model's, by all that either has; 0 to 1.
    pub agreement: f32,
    /// That area, in square pixels of the working copy.
    pub shared: f32,
    /// Angle in radians by which the rows rise to the right and the columns lean with them.
    pub lean: f64,
}

impl Table {
    /// Where nothing is seen.
    pub const NONE: Self = Self {
        grid: None,
        agreement: 0.0,
        shared: 0.0,
        lean: 0.0,
    };
}

/// The table in a view that has most in common with the maps: by its rulings where these make one, else along the model's lines.
pub fn find(view: &View, maps: &Maps) -> Table {
    let picture = &view.picture;
    let lines = Lines::printed(picture);
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
    let ruled = judged(ruled(view, maps, &lines), 0.0);
    if ruled.agreement >= SURE {
        return ruled;
    }
    let seen = |found: &[Found], lean: f64| judged(table::seen(found, view), lean);
    let mut ladders = blocks::crossed(maps, picture, &lines);
    let printed = seen(&blocks::find(maps, picture, &ladders), 0.0);
    let best = if printed.agreement > ruled.agreement + RULED {
        printed
    } else {
        ruled
    };
    if best.agreement >= SURE {
        return best;
    }
    let lines = Lines::drawn(maps);
    let lean = lean(&lines);
    let along = blocks::crossed(maps, picture, &lines);
    let drawn = seen(&blocks::find(maps, picture, &along), lean);
    let best = if drawn.agreement > best.agreement + EXACT {
        drawn
    } else {
        Table { lean, ..best }
    };
    if best.agreement < LEAST {
        // What repeats on a lined page is no table.
        return best;
    }
    ladders.extend(along);
    let alike = ladders
        .iter()
        .map(|crossed| seen(&repeated::find(maps, picture, crossed), lean))
        .max_by(|a, b| a.agreement.total_cmp(&b.agreement));
    match alike {
        Some(alike) if alike.agreement > best.agreement + EXACT => alike,
        _ => best,
    }
}

/// The table by its rulings alone.
fn ruled(view: &View, maps: &Maps, lines: &Lines) -> Option<Grid> {
    let picture = &view.picture;
    let (width, height) = picture.dimensions();
    let strips = width as usize / ruling::STRIP;
    let mut best: Option<(f32, Ladder, Layout, Span)> = None;
    for ladder in ladder::find(&lines.rows, strips, height as f32) {
        for layout in columns::find(&ladder, &lines.columns, width as f32) {
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
fn lean(lines: &Lines) -> f64 {
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
    ((usual(&lines.columns) - usual(&lines.rows)) / 2.0).atan()
}

/// Area that cells share with the model's by the area that either has, and the area that they share in square pixels.
pub fn agreement(grid: &Grid, maps: &Maps, view: &View) -> (f32, f32) {
    const PROBES: usize = 5;
    let (mut shared, mut cells) = (0.0f64, 0.0f64);
    for row in grid.blocks.iter().flat_map(|b| &b.rows) {
        for quad in [&row.white, &row.black] {
            let quad = quad.map(|p| view.in_view(p));
            // A cell is one player's: one that lies over White's column and Black's shares the larger part with it.
            let Some([white, black]) = maps.owned(&quad, PROBES) else {
                continue;
            };
            let area = area(&quad);
            shared += area * f64::from(white.max(black));
            cells += area;
        }
    }
    let all = cells + f64::from(maps.area()) - shared;
    let agreement = if all > 0.0 { shared / all } else { 0.0 };
    (agreement as f32, shared as f32)
}
