//! Coordinates of the table, carried on beyond its edges.

use crate::geometry::{Homography, Point, Quad};
use crate::grid::{Grid, NumberColumn, Row};

/// Rows that are looked at above and below the table and beside it, at most; beside a table with more rows than that, as many
/// as it has: small rows beside a heading of their own size.
const FARTHEST: f64 = 20.0;
/// Rows that a part has at least to be looked at: across and down.
const LEAST: (f64, f64) = (4.0, 0.8);
/// Rows beside the moves that a column of printed numbers or of times may take.
const NUMBERS: f64 = 2.6;
/// Rows that are left out beside the moves where no numbers stand.
const HEM: f64 = 0.4;
/// Steps in which the page's edge is looked for, in rows.
const STEP: f64 = 0.5;

/// A map from rows of the table to the page: x to the right and y down from the table's top left corner, a row's height
/// the unit of both.
pub struct Frame {
    map: Homography,
    width: f64,
    height: f64,
}

/// A part of the page in these coordinates.
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Frame {
    /// The frame of a table; none where its corners make no quadrilateral.
    pub fn of(grid: &Grid) -> Option<Self> {
        let (first, last) = (grid.blocks.first()?, grid.blocks.last()?);
        let rows = grid.blocks.iter().map(|block| block.rows.len()).min()?;
        let end = rows.checked_sub(1)?;
        let [left, right] = [sides(&first.rows[0]).0, sides(&last.rows[0]).1];
        let [lower_left, lower_right] = [sides(&first.rows[end]).0, sides(&last.rows[end]).1];
        let quad = [left[0], right[1], lower_right[2], lower_left[3]];
        let height = rows as f64;
        let row = (quad[0].distance(quad[3]) + quad[1].distance(quad[2])) / 2.0 / height;
        let width = (quad[0].distance(quad[1]) + quad[3].distance(quad[2])) / 2.0 / row;
        let map = Homography::onto(&quad)?;
        (width.is_finite() && width > 0.0).then_some(Self { map, width, height })
    }

    /// The point of the page.
    fn at(&self, x: f64, y: f64) -> Point {
        self.map.at(x / self.width, y / self.height)
    }

    /// The corners on the page of a box that falls by `slope` in one to the right, counted from its left edge.
    pub fn quad(&self, left: f64, top: f64, right: f64, bottom: f64, slope: f64) -> Quad {
        let fall = slope * (right - left);
        [
            self.at(left, top),
            self.at(right, top + fall),
            self.at(right, bottom + fall),
            self.at(left, bottom),
        ]
    }

    /// What of the page lies above, beside and below the table.
    pub fn outside(&self, page: (u32, u32), grid: &Grid) -> Vec<Area> {
        let reach = |most: f64, line: &dyn Fn(f64, f64) -> Point| {
            let steps = (1..).map(|i| f64::from(i) * STEP);
            let seen = steps.take_while(|&d| d <= most && self.meets(page, d, line));
            seen.last().unwrap_or(0.0)
        };
        let (w, h) = (self.width, self.height);
        let up = reach(FARTHEST, &|t, d| self.at(t * w, -d));
        let down = reach(FARTHEST, &|t, d| self.at(t * w, h + d));
        let left = reach(FARTHEST.max(h), &|t, d| self.at(-d, t * h));
        let right = reach(FARTHEST.max(h), &|t, d| self.at(w + d, t * h));
        let column = |at| {
            let there = grid.blocks.iter().any(|block| block.number_column == at);
            if there { NUMBERS } else { HEM }
        };
        let areas = [
            (-left, -up, w + right, -0.05),
            (-left, 0.0, -column(NumberColumn::Left), h),
            (w + column(NumberColumn::Right), 0.0, w + right, h),
            (-left, h + 0.05, w + right, h + down),
        ];
        let areas = areas.map(|(left, top, right, bottom)| Area {
            left,
            top,
            right,
            bottom,
        });
        let large = |a: &Area| a.right - a.left >= LEAST.0 && a.bottom - a.top >= LEAST.1;
        areas.into_iter().filter(large).collect()
    }

    /// Whether the line at a distance from the table still meets the page.
    fn meets(&self, page: (u32, u32), distance: f64, line: &dyn Fn(f64, f64) -> Point) -> bool {
        (0..=4).any(|i| {
            let p = line(f64::from(i) / 4.0, distance);
            (0.0..f64::from(page.0)).contains(&p.x) && (0.0..f64::from(page.1)).contains(&p.y)
        })
    }
}

/// The left cell of a row and the right one.
fn sides(row: &Row) -> (Quad, Quad) {
    let (along, between) = (
        (
            row.white[1].x - row.white[0].x,
            row.white[1].y - row.white[0].y,
        ),
        (
            row.black[0].x - row.white[0].x,
            row.black[0].y - row.white[0].y,
        ),
    );
    if along.0 * between.0 + along.1 * between.1 >= 0.0 {
        (row.white, row.black)
    } else {
        (row.black, row.white)
    }
}
