//! Pages that lie on a side or on their heads: turned by quarters, pixel by pixel, they are the pages that they were before
//! somebody turned them, and the same table is found.

use std::f64::consts::FRAC_PI_2;

use image::imageops;

use super::Grid;
use crate::geometry::{Point, Quad};
use crate::page::Page;

/// Quarters of a circle, clockwise as seen, by which a page must have been turned for its rows to run as they do.
pub fn quarters(grid: &Grid) -> usize {
    let cells = grid.blocks.iter().flat_map(|block| &block.rows);
    let along = cells.map(|row| (row.white[0], row.white[1]));
    let (x, y) = along.fold((0.0, 0.0), |(x, y), (left, right)| {
        (x + right.x - left.x, y + right.y - left.y)
    });
    (y.atan2(x) / FRAC_PI_2).round().rem_euclid(4.0) as usize
}

/// The page turned back by so many quarters.
pub fn turned_back(page: &Page, quarters: usize) -> Page {
    let luma = match quarters {
        1 => imageops::rotate270(&page.luma),
        2 => imageops::rotate180(&page.luma),
        _ => imageops::rotate90(&page.luma),
    };
    Page::new(page.path.clone(), page.number, page.sha256.clone(), luma)
}

/// What was found on the page turned back, where it lies on the page as it is.
pub fn on_page(grid: Grid, page: &Page, quarters: usize) -> Grid {
    let (right, bottom) = (
        f64::from(page.luma.width()) - 1.0,
        f64::from(page.luma.height()) - 1.0,
    );
    let quad = |quad: Quad| {
        quad.map(|p| match quarters {
            1 => Point::new(right - p.y, p.x),
            2 => Point::new(right - p.x, bottom - p.y),
            _ => Point::new(p.y, bottom - p.x),
        })
    };
    let mut grid = grid;
    for row in grid.blocks.iter_mut().flat_map(|block| &mut block.rows) {
        (row.white, row.black) = (quad(row.white), quad(row.black));
    }
    grid.header = grid.header.map(quad);
    grid.result = grid.result.map(quad);
    grid
}
