//! The coordinates of the move table, extrapolated beyond its edges.

use serde::{Deserialize, Serialize};

use crate::geometry::{Homography, Point, Quad};
use crate::grid::{Grid, NumberColumn, Row};

/// Tuned numbers of the table's frame and of the regions in which words are searched, chosen by eye
/// on the development pages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrameParameters {
    /// Rows above, below and beside the table that are searched at most. Beside a table with more
    /// rows than this, as many as it has: its rows are small, its heading is not.
    pub max_distance_rows: f64,
    /// Smallest width of a region in rows.
    pub min_region_width_rows: f64,
    /// Smallest height of a region in rows.
    pub min_region_height_rows: f64,
    /// Rows left out above and below the table.
    pub vertical_clearance_rows: f64,
    /// Rows left out beside the moves where no column of numbers stands.
    pub side_clearance_rows: f64,
    /// Rows left out beside the moves where a column of numbers stands, or one of times.
    pub number_column_rows: f64,
    /// The paper's curvature is extrapolated over this share of the table's width and height beyond
    /// its edges, and linearly from there.
    pub curvature_reach: f64,
    /// Largest distance in rows of a cell's corner from the parabola fitted to its row's edge; with
    /// a larger one the paper is taken for flat.
    pub max_parabola_residual_rows: f64,
    /// Step in rows in which the edge of the page is searched.
    pub page_edge_step_rows: f64,
}

impl Default for FrameParameters {
    fn default() -> Self {
        Self {
            max_distance_rows: 20.0,
            min_region_width_rows: 4.0,
            min_region_height_rows: 0.8,
            vertical_clearance_rows: 0.05,
            side_clearance_rows: 0.4,
            number_column_rows: 2.6,
            curvature_reach: 0.4,
            max_parabola_residual_rows: 0.15,
            page_edge_step_rows: 0.5,
        }
    }
}

/// A map from the table's coordinates to the page: x to the right and y down from the upper left
/// corner of its first row, both in rows (one unit is the height of a row).
pub struct TableFrame {
    /// From the unit square to the table's corners on the page.
    map: Homography,
    /// Width of the table in rows.
    width: f64,
    /// Height of the table in rows.
    height: f64,
    /// Rows by which the table's upper and lower edge sag below their chords in the middle.
    sag: (f64, f64),
    /// Share of the table's width and height over which the sag is extrapolated beyond its edges.
    curvature_reach: f64,
    /// Height of a row in pixels of the page.
    pub row_px: f64,
}

/// A rectangle in the coordinates of a [`TableFrame`].
#[derive(Debug, Clone, Copy)]
pub struct Region {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl TableFrame {
    /// The frame of a table; none where it has no rows or its corners make no quadrilateral.
    pub fn from_grid(grid: &Grid, parameters: &FrameParameters) -> Option<Self> {
        let (first, last) = (grid.blocks.first()?, grid.blocks.last()?);
        let rows = grid.blocks.iter().map(|block| block.rows.len()).min()?;
        let end = rows.checked_sub(1)?;
        let [left, right] = [
            left_and_right(&first.rows[0]).0,
            left_and_right(&last.rows[0]).1,
        ];
        let [lower_left, lower_right] = [
            left_and_right(&first.rows[end]).0,
            left_and_right(&last.rows[end]).1,
        ];
        let quad = [left[0], right[1], lower_right[2], lower_left[3]];
        let height = rows as f64;
        let row_px = (quad[0].distance(quad[3]) + quad[1].distance(quad[2])) / 2.0 / height;
        let width = (quad[0].distance(quad[1]) + quad[3].distance(quad[2])) / 2.0 / row_px;
        let map = Homography::onto(&quad)?;
        let max_residual = parameters.max_parabola_residual_rows;
        let sag = |from: Point, to: Point, row: usize, corners: [usize; 2]| {
            let points = edge_points(grid, row, corners);
            fit_sag(from, to, points, row_px, max_residual)
        };
        let sag = (
            sag(quad[0], quad[1], 0, [0, 1]),
            sag(quad[3], quad[2], end, [3, 2]),
        );
        (width.is_finite() && width > 0.0).then_some(Self {
            map,
            width,
            height,
            sag,
            curvature_reach: parameters.curvature_reach,
            row_px,
        })
    }

    /// Rows by which a line that is level on the paper lies lower at a point than the table's
    /// corners alone would put it. Across the page the paper is modelled as a parabola,
    /// 4 x sag x t x (1 - t) for t from 0 to 1 over the table's width; the sag is interpolated
    /// linearly between the upper and the lower edge.
    pub fn sag(&self, x: f64, y: f64) -> f64 {
        self.sag_depth(y) * self.sag_shape(x)
    }

    /// The sag in the middle of the table's width at a height; [`Self::sag`] is it times
    /// [`Self::sag_shape`].
    pub fn sag_depth(&self, y: f64) -> f64 {
        let reach = self.curvature_reach;
        let down = (y / self.height).clamp(-reach, 1.0 + reach);
        self.sag.0 + down * (self.sag.1 - self.sag.0)
    }

    /// The sag at a place across the table as a share of that in its middle.
    pub fn sag_shape(&self, x: f64) -> f64 {
        let reach = self.curvature_reach;
        let t = x / self.width;
        let known = t.clamp(-reach, 1.0 + reach);
        // The tangent continues the parabola where t is clamped.
        4.0 * (known * (1.0 - known) + (t - known) * (1.0 - 2.0 * known))
    }

    /// The pixel of the page at a point of the frame.
    fn to_page(&self, x: f64, y: f64) -> Point {
        self.map.at(x / self.width, y / self.height)
    }

    /// The corners on the page, taken for flat, of a box that falls by `slope` (dy/dx), counted
    /// from its left edge.
    pub fn quad_on_page(&self, region: &Region, slope: f64) -> Quad {
        let fall = slope * (region.right - region.left);
        [
            self.to_page(region.left, region.top),
            self.to_page(region.right, region.top + fall),
            self.to_page(region.right, region.bottom + fall),
            self.to_page(region.left, region.bottom),
        ]
    }

    /// The region of a page of these dimensions (in pixels) above the table, and those left of it,
    /// right of it and below it, without those that are too small.
    pub fn regions_outside(
        &self,
        page: (u32, u32),
        grid: &Grid,
        parameters: &FrameParameters,
    ) -> (Option<Region>, Vec<Region>) {
        let step = parameters.page_edge_step_rows;
        let reach = |max: f64, line: &dyn Fn(f64, f64) -> Point| {
            let distances = (1..).map(|i| f64::from(i) * step);
            let on_page = distances.take_while(|&d| d <= max && meets_page(page, d, line));
            on_page.last().unwrap_or(0.0)
        };
        let (w, h) = (self.width, self.height);
        let max = parameters.max_distance_rows;
        let up = reach(max, &|t, d| self.to_page(t * w, -d));
        let down = reach(max, &|t, d| self.to_page(t * w, h + d));
        let left = reach(max.max(h), &|t, d| self.to_page(-d, t * h));
        let right = reach(max.max(h), &|t, d| self.to_page(w + d, t * h));
        let beside = |column| {
            let mut blocks = grid.blocks.iter();
            if blocks.any(|block| block.number_column == column) {
                parameters.number_column_rows
            } else {
                parameters.side_clearance_rows
            }
        };
        let clearance = parameters.vertical_clearance_rows;
        let above = (-left, -up, w + right, -clearance);
        let beside = [
            (-left, 0.0, -beside(NumberColumn::Left), h),
            (w + beside(NumberColumn::Right), 0.0, w + right, h),
            (-left, h + clearance, w + right, h + down),
        ];
        let region = |(left, top, right, bottom): (f64, f64, f64, f64)| {
            let is_large = right - left >= parameters.min_region_width_rows
                && bottom - top >= parameters.min_region_height_rows;
            is_large.then_some(Region {
                left,
                top,
                right,
                bottom,
            })
        };
        let beside = beside.into_iter().filter_map(region).collect();
        (region(above), beside)
    }
}

/// Whether a line at a distance from the table, `line(t, distance)` for t from 0 to 1, still meets
/// the page.
fn meets_page(page: (u32, u32), distance: f64, line: &dyn Fn(f64, f64) -> Point) -> bool {
    (0..=4).any(|i| {
        let p = line(f64::from(i) / 4.0, distance);
        (0.0..f64::from(page.0)).contains(&p.x) && (0.0..f64::from(page.1)).contains(&p.y)
    })
}

/// Two corners of every cell in one row of all blocks, on the page.
fn edge_points(grid: &Grid, row: usize, corners: [usize; 2]) -> impl Iterator<Item = Point> {
    let rows = grid
        .blocks
        .iter()
        .filter_map(move |block| block.rows.get(row));
    let cells = rows.flat_map(|row| [row.white, row.black]);
    cells.flat_map(move |cell| corners.map(|c| cell[c]))
}

/// Rows by which the parabola between two points that fits others best (least squares) lies below
/// their chord in the middle; 0 where a point is farther than `max_residual` rows from that
/// parabola.
fn fit_sag(
    from: Point,
    to: Point,
    points: impl Iterator<Item = Point>,
    row_px: f64,
    max_residual: f64,
) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let long = dx.hypot(dy).max(1.0);
    let below = points.map(|p| {
        let (px, py) = (p.x - from.x, p.y - from.y);
        let t = (px * dx + py * dy) / (long * long);
        (4.0 * t * (1.0 - t), (dx * py - dy * px) / long / row_px)
    });
    let below: Vec<(f64, f64)> = below.collect();
    let sum = |of: fn(&(f64, f64)) -> f64| below.iter().map(of).sum::<f64>();
    let sag = sum(|p| p.0 * p.1) / sum(|p| p.0 * p.0).max(1e-6);
    let fits = below
        .iter()
        .all(|p| (p.1 - sag * p.0).abs() <= max_residual);
    if fits { sag } else { 0.0 }
}

/// The left cell of a row and the right one: White's is the left one unless the table runs from
/// right to left.
fn left_and_right(row: &Row) -> (Quad, Quad) {
    let [white, black] = [row.white, row.black];
    let along = (white[1].x - white[0].x, white[1].y - white[0].y);
    let between = (black[0].x - white[0].x, black[0].y - white[0].y);
    if along.0 * between.0 + along.1 * between.1 >= 0.0 {
        (white, black)
    } else {
        (black, white)
    }
}
