//! Of the tables that the lines of a view make, the one that is most like what the table model sees.

use super::blocks::{self, Found};
use super::columns::{self, Layout};
use super::ladder::{self, Ladder};
use super::lines::Lines;
use super::maps::Maps;
use super::rows::{self, Span};
use super::ruling::{self, Ruling};
use super::view::View;
use super::{Grid, NumberColumn, even, growth, merged, recount, repeated, settle, strips, table};
use crate::geometry::area;

/// What a layout is worth whose number column holds no print, by one that is as good otherwise: it may be the strip
/// between the table and the paper's edge.
const NO_NUMBERS: f32 = 0.8;
/// Agreement below which there is no table.
pub const LEAST: f32 = 0.35;
/// Agreement from which a table shares more with the maps than there is in one of them alone: whatever its edges meet, one that
/// does not is none where another does.
const MOST: f32 = 0.5;
/// What the mean probability of its edges counts for, by a table's agreement and by the share of the edges seen that are its.
const MET: f32 = 0.75;
/// What a table laid along the model's lines must be worth more than one laid along printed ones, which are exact, and one that is
/// laid along no line more than either.
const EXACT: f32 = 0.02;
/// Agreement and mean probability of its edges from which no other table is looked for.
const ALIKE: f32 = 0.95;
/// See [`ALIKE`].
const CLEAR: f32 = 0.84;
/// Share of the edges seen that must be a table's where they are told from one another: of rows that are low in the maps, one edge
/// runs into the next, and those of other rows are met as well.
const TOLD_APART: f32 = 0.8;

/// A table that was found, and how far it is believed.
pub struct Table {
    /// The table, if there is one.
    pub grid: Option<Grid>,
    /// What the cells have in common with the model's, by all that either has; 0 to 1.
    pub agreement: f32,
    /// That area, in square pixels of the working copy.
    pub shared: f32,
    /// Mean probability that an edge of the maps lies where a row's does.
    met: f32,
    /// Share of the edges that the maps show down its columns that lie where a row's does.
    recalled: f32,
    /// Angle in radians by which the rows rise to the right and the columns lean with them.
    pub lean: f64,
}

impl Table {
    /// Where nothing is seen.
    pub const NONE: Self = Self {
        grid: None,
        agreement: 0.0,
        shared: 0.0,
        met: 0.0,
        recalled: 0.0,
        lean: 0.0,
    };

    /// The table of these cells, its rows laid on what the model sees.
    fn of(grid: Option<Grid>, view: &View, maps: &Maps) -> Self {
        let Some(grid) = grid else {
            return Self::NONE;
        };
        let counted = recount::recounted(grid, maps, view);
        let parted = merged::parted(even::evened(counted), view);
        let grid = growth::grown(parted, maps, view);
        let (agreement, shared) = agreement(&grid, maps, view);
        let edges: usize = grid.blocks.iter().map(|b| b.rows.len() + 1).sum();
        let (mut met, mut recalled) = (0.0, 0.0);
        for block in &grid.blocks {
            let of_block = settle::met(block, maps, view);
            met += of_block.edges;
            recalled += of_block.recalled * (block.rows.len() + 1) as f32;
        }
        Self {
            grid: Some(grid),
            agreement,
            shared,
            met: met / edges.max(1) as f32,
            recalled: recalled / edges.max(1) as f32,
            lean: 0.0,
        }
    }

    /// By how much one table is better than another.
    pub fn worth(&self) -> f32 {
        self.agreement + MET * self.met + self.recalled
    }

    /// Whether no other table need be looked for.
    fn is_sure(&self) -> bool {
        self.agreement >= ALIKE && self.met >= CLEAR && !self.is_blurred()
    }

    /// Whether the maps hardly tell its edges from one another.
    pub fn is_blurred(&self) -> bool {
        self.recalled < TOLD_APART
    }

    /// This table, or another one that is worth more by a margin, or has most in common with the maps where this one has not.
    fn or(self, other: Self, margin: f32) -> Self {
        let agrees = |table: &Self| table.agreement >= MOST;
        let better = match (agrees(&self), agrees(&other)) {
            (true, false) => false,
            (false, true) => true,
            _ => other.worth() > self.worth() + margin,
        };
        if better { other } else { self }
    }
}

/// The table in a view that has most in common with the maps, by the printed lines, the model's, or none.
pub fn find(view: &View, maps: &Maps) -> Table {
    let picture = &view.picture;
    let lines = Lines::printed(picture);
    let ruled = Table::of(ruled(view, maps, &lines), view, maps);
    if ruled.is_sure() {
        return ruled;
    }
    let seen = |found: &[Found]| Table::of(table::seen(found, view), view, maps);
    let mut ladders = blocks::crossed(maps, picture, &lines);
    let printed = seen(&blocks::find(maps, picture, &ladders));
    let best = ruled.or(printed, 0.0);
    if best.is_sure() {
        return best;
    }
    let lines = Lines::drawn(maps);
    let along = blocks::crossed(maps, picture, &lines);
    let drawn = seen(&blocks::find(maps, picture, &along));
    let strips = Table::of(strips::find(maps, view), view, maps);
    let mut best = best.or(drawn, EXACT);
    if best.agreement.max(strips.agreement) >= LEAST {
        // What repeats on a lined page is no table.
        ladders.extend(along);
        let mut alike = Table::NONE;
        for crossed in &ladders {
            alike = alike.or(seen(&repeated::find(maps, picture, crossed)), 0.0);
        }
        best = best.or(alike, EXACT);
    }
    let best = best.or(strips, EXACT);
    Table {
        lean: lean(&lines),
        ..best
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

/// Area that cells share with the model's by the area that either has, and the area that they share in square pixels. All White cells
/// of a block are White's as the model sees them, or all are Black's.
pub fn agreement(grid: &Grid, maps: &Maps, view: &View) -> (f32, f32) {
    const PROBES: usize = 5;
    let (mut shared, mut cells) = (0.0f64, 0.0f64);
    for block in &grid.blocks {
        let mut either = [0.0f64; 2];
        for row in &block.rows {
            for (quad, black) in [(&row.white, 0), (&row.black, 1)] {
                let quad = quad.map(|p| view.in_view(p));
                let Some(owned) = maps.owned(&quad, PROBES) else {
                    continue;
                };
                let area = area(&quad);
                cells += area;
                for (order, either) in either.iter_mut().enumerate() {
                    *either += area * f64::from(owned[black ^ order]);
                }
            }
        }
        shared += either[0].max(either[1]);
    }
    // Cells that lie over each other share no more than is there.
    let seen = f64::from(maps.area());
    let shared = shared.min(seen);
    let all = cells + seen - shared;
    let agreement = if all > 0.0 { shared / all } else { 0.0 };
    (agreement as f32, shared as f32)
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::super::maps::Plane;
    use super::*;
    use crate::page::Page;

    /// A table that agrees with the maps, meets their edges and has them all to this extent.
    fn table(agreement: f32, met: f32, recalled: f32) -> Table {
        Table {
            agreement,
            met,
            recalled,
            ..Table::NONE
        }
    }

    /// How far the table agrees that is taken where another one was found.
    fn taken(table: Table, other: Table) -> f32 {
        table.or(other, EXACT).agreement
    }

    #[test]
    fn another_table_is_taken_where_it_is_worth_more_by_a_margin() {
        let printed = || table(0.9, 0.8, 0.9);
        assert_eq!(taken(printed(), table(0.905, 0.8, 0.9)), 0.9);
        assert_eq!(taken(printed(), table(0.95, 0.8, 0.9)), 0.95);
        // Of every second row all edges are met.
        assert_eq!(taken(printed(), table(0.95, 0.9, 0.5)), 0.9);
    }

    #[test]
    fn a_table_beside_the_cells_that_are_seen_is_none_whatever_its_edges_meet() {
        let (seen, beside) = (|| table(0.95, 0.3, 0.4), || table(0.45, 0.9, 0.9));
        assert_eq!(taken(seen(), beside()), 0.95);
        assert_eq!(taken(beside(), seen()), 0.95);
        // Where nothing better is seen, it is all there is.
        assert_eq!(taken(Table::NONE, beside()), 0.45);
    }

    #[test]
    fn a_table_has_the_rows_that_are_seen_though_every_second_line_is_printed() {
        const SIZE: (u32, u32) = (900, 720);
        const HIGH: f32 = 40.0;
        let blocks = [60.0, 480.0];
        let column = |x: f32| blocks.iter().map(move |left| ((x - left) / 180.0).floor());
        let within = |x: f32, y: f32, which: f32| {
            (40.0..680.0).contains(&y) && column(x).any(|column| column == which)
        };
        let maps = Maps::made(SIZE, |plane, x, y| {
            let edge = (y / HIGH - (y / HIGH).round()).abs() * HIGH < 4.0;
            let cell = within(x, y, 0.0) || within(x, y, 1.0);
            let seen = match plane {
                Plane::White => within(x, y, 0.0),
                Plane::Black => within(x, y, 1.0),
                Plane::Row => edge && cell,
                Plane::Column => false,
            };
            if seen { 0.9 } else { 0.05 }
        });
        let picture = GrayImage::from_fn(SIZE.0, SIZE.1, |x, y| {
            let line = (40..=681).contains(&y) && y % 80 / 2 == 20 && (60..840).contains(&x);
            Luma([if line { 60 } else { 230 }])
        });
        let page = Page::new("a.png".into(), 1, String::new(), picture);
        let found = find(&View::turned(&page, 0.0), &maps);
        let rows = found.grid.iter().flat_map(|grid| &grid.blocks);
        assert!(rows.map(|block| block.rows.len()).eq([16, 16]));
        assert!(found.agreement > 0.9, "agrees by {}", found.agreement);
    }
}
