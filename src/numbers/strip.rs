//! The strip of a page beside a cell in which a printed number stands.

use image::GrayImage;

use crate::geometry::{Point, Quad};
use crate::grid::{NumberColumn, Row};
use crate::page::Page;
use crate::patch::{self, Canvas};

/// Width of a strip in pixels.
pub const WIDTH: u32 = 112;
/// Height of a strip in pixels.
pub const HEIGHT: u32 = 32;
/// Pixels of it that are a row's height.
const ROW: f64 = 25.6;
/// Rows that it reaches away from the column of moves, and into it.
const REACH: (f64, f64) = (3.5, WIDTH as f64 / ROW - 3.5);

/// Cuts the strip of a row where numbers are taken to stand in this column.
pub fn cut(page: &Page, row: &Row, column: NumberColumn) -> GrayImage {
    let quad = match column {
        NumberColumn::Left | NumberColumn::Absent => beside(&row.white, false),
        NumberColumn::Between => beside(&row.black, false),
        NumberColumn::Right => beside(&row.black, true),
    };
    let canvas = Canvas {
        width: WIDTH,
        height: HEIGHT,
        margin_x: 0,
        margin_y: 0,
    };
    patch::warp(&page.luma, &quad, canvas)
}

/// The strip's corners around the left edge of a cell, or around its right one; `around` in models/train/digits.py is
/// the same.
fn beside(cell: &Quad, right: bool) -> Quad {
    let [tl, tr, br, bl] = *cell;
    let high = (tl.distance(bl) + tr.distance(br)) / 2.0;
    let along = |a: Point, b: Point| {
        let by = a.distance(b).max(1e-6);
        ((b.x - a.x) / by, (b.y - a.y) / by)
    };
    let (upper, lower, down) = (along(tl, tr), along(bl, br), along(tl, bl));
    let margin = high * (f64::from(HEIGHT) / ROW - 1.0) / 2.0;
    let (top, bottom) = if right { (tr, br) } else { (tl, bl) };
    let (before, after) = if right {
        (REACH.1 * high, REACH.0 * high)
    } else {
        (REACH.0 * high, REACH.1 * high)
    };
    let at = |p: Point, way: (f64, f64), by: f64, fall: f64| {
        Point::new(
            p.x + way.0 * by + down.0 * fall,
            p.y + way.1 * by + down.1 * fall,
        )
    };
    [
        at(top, upper, -before, -margin),
        at(top, upper, after, -margin),
        at(bottom, lower, after, margin),
        at(bottom, lower, -before, margin),
    ]
}
