//! The crop of a page beside a cell in which a printed number stands.

use image::GrayImage;

use crate::geometry::{Point, Quad};
use crate::grid::{NumberColumn, Row};
use crate::page::Page;
use crate::patch::{self, Canvas};

/// Width of a number crop in pixels, as the network takes it.
pub const CROP_WIDTH: u32 = 112;
/// Height of a number crop in pixels, as the network takes it.
pub const CROP_HEIGHT: u32 = 32;
/// Height of a row in pixels of the crop, which shows a little of the rows above and below too.
const ROW_HEIGHT: f64 = 25.6;
/// How far the crop reaches away from the column of moves, in row heights.
const REACH_OUTWARDS: f64 = 3.5;
/// How far the crop reaches into the column of moves, in row heights.
const REACH_INWARDS: f64 = CROP_WIDTH as f64 / ROW_HEIGHT - REACH_OUTWARDS;

/// Cuts the crop of a row for numbers that stand in this column.
pub fn cut_number(page: &Page, row: &Row, column: NumberColumn) -> GrayImage {
    let quad = match column {
        NumberColumn::Left | NumberColumn::Absent => quad_at_side(&row.white, false),
        NumberColumn::Between => quad_at_side(&row.black, false),
        NumberColumn::Right => quad_at_side(&row.black, true),
    };
    let canvas = Canvas {
        width: CROP_WIDTH,
        height: CROP_HEIGHT,
        margin_x: 0,
        margin_y: 0,
    };
    patch::warp(&page.luma, &quad, canvas)
}

/// The crop's corners around the right edge of a cell, or around its left one. `strip_corners`
/// in models/train/digits.py does the same.
fn quad_at_side(cell: &Quad, right: bool) -> Quad {
    let [tl, tr, br, bl] = *cell;
    let high = (tl.distance(bl) + tr.distance(br)) / 2.0;
    let direction = |a: Point, b: Point| {
        let length = a.distance(b).max(1e-6);
        ((b.x - a.x) / length, (b.y - a.y) / length)
    };
    let (upper, lower, down) = (direction(tl, tr), direction(bl, br), direction(tl, bl));
    let margin = high * (f64::from(CROP_HEIGHT) / ROW_HEIGHT - 1.0) / 2.0;
    let (top, bottom) = if right { (tr, br) } else { (tl, bl) };
    let (left, right) = if right {
        (REACH_INWARDS * high, REACH_OUTWARDS * high)
    } else {
        (REACH_OUTWARDS * high, REACH_INWARDS * high)
    };
    let shift = |p: Point, along: (f64, f64), by: f64, fall: f64| {
        Point::new(
            p.x + along.0 * by + down.0 * fall,
            p.y + along.1 * by + down.1 * fall,
        )
    };
    [
        shift(top, upper, -left, -margin),
        shift(top, upper, right, -margin),
        shift(bottom, lower, right, margin),
        shift(bottom, lower, -left, margin),
    ]
}
