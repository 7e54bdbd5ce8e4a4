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
/// Widths and heights of the table beyond its edges over which it is taken to bend on.
const ONWARD: f64 = 0.4;
/// Rows by which the cells of a row may lie off the parabola that it is on.
const OFF: f64 = 0.15;
/// Steps in which the page's edge is looked for, in rows.
const STEP: f64 = 0.5;

/// A map from rows of the table to the page: x to the right and y down from the table's top left corner, a row's height
/// the unit of both.
pub struct Frame {
    map: Homography,
    width: f64,
    height: f64,
    /// Rows by which the table's upper edge and its lower one hang through in their middles.
    sag: (f64, f64),
    /// Pixels of the page in a row's height.
    pub row: f64,
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
        let edge = |row: usize, corners: [usize; 2]| {
            let rows = grid
                .blocks
                .iter()
                .filter_map(move |block| block.rows.get(row));
            let cells = rows.flat_map(|row| [row.white, row.black]);
            cells.flat_map(move |cell| corners.map(|c| cell[c]))
        };
        let sag = (
            sag(quad[0], quad[1], edge(0, [0, 1]), row),
            sag(quad[3], quad[2], edge(end, [3, 2]), row),
        );
        (width.is_finite() && width > 0.0).then_some(Self {
            map,
            width,
            height,
            sag,
            row,
        })
    }

    /// Rows by which a line that is level on the paper lies lower at a place than the table's corners tell: the paper is
    /// taken for a parabola across.
    pub fn sag(&self, x: f64, y: f64) -> f64 {
        let down = (y / self.height).clamp(-ONWARD, 1.0 + ONWARD);
        let depth = self.sag.0 + down * (self.sag.1 - self.sag.0);
        let t = x / self.width;
        let known = t.clamp(-ONWARD, 1.0 + ONWARD);
        // Straight on from where little is known of it.
        4.0 * depth * (known * (1.0 - known) + (t - known) * (1.0 - 2.0 * known))
    }

    /// The point of the page.
    fn at(&self, x: f64, y: f64) -> Point {
        self.map.at(x / self.width, y / self.height)
    }

    /// The corners on the page, if it were flat, of a box that falls by `slope` in one to the right, counted from its left edge.
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

/// Rows by which points on a parabola from one end to another lie below the chord in the middle (least squares); 0 if they lie
/// on none.
fn sag(from: Point, to: Point, points: impl Iterator<Item = Point>, row: f64) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let long = dx.hypot(dy).max(1.0);
    let below = points.map(|p| {
        let (px, py) = (p.x - from.x, p.y - from.y);
        let t = (px * dx + py * dy) / (long * long);
        (4.0 * t * (1.0 - t), (dx * py - dy * px) / long / row)
    });
    let below: Vec<(f64, f64)> = below.collect();
    let sum = |of: fn(&(f64, f64)) -> f64| below.iter().map(of).sum::<f64>();
    let sag = sum(|p| p.0 * p.1) / sum(|p| p.0 * p.0).max(1e-6);
    let fits = below.iter().all(|p| (p.1 - sag * p.0).abs() <= OFF);
    if fits { sag } else { 0.0 }
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
