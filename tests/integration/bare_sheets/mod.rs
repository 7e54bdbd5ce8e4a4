//! Sheets whose printed lines are gone.

use std::path::Path;

use image::{GrayImage, Luma};
use sheetscan::cell::{self, Cell};
use sheetscan::geometry::{Homography, Quad};
use sheetscan::grid;
use sheetscan::ink::CellState;
use sheetscan::page::{self, Page};

/// Grey of the paper, from 0 to 255.
const PAPER_GREY: Luma<u8> = Luma([214]);

/// A sample without its printed lines: the inside of every written cell, in its place on plain
/// paper.
pub fn without_lines(sample: &Path) -> GrayImage {
    let (page, cells) = cut(sample);
    let mut paper = GrayImage::from_pixel(page.luma.width(), page.luma.height(), PAPER_GREY);
    for cell in cells {
        if cell.state == CellState::Written {
            copy_inside(&page.luma, &cell.quad, &cell.quad, &mut paper);
        }
    }
    paper
}

/// A sample of two blocks of `rows` rows, with plain paper in place of the lines of the first one,
/// what is written in which stands in the second one too.
pub fn without_lines_of_first_block(sample: &Path, rows: u32) -> GrayImage {
    let (page, cells) = cut(sample);
    let is_first = |cell: &&Cell| cell.id.number <= rows;
    let corners = cells.iter().filter(is_first).flat_map(|cell| cell.quad);
    let right = corners.map(|corner| corner.x).fold(0.0, f64::max) + 8.0;
    let mut paper = page.luma.clone();
    for (x, _, pixel) in paper.enumerate_pixels_mut() {
        if f64::from(x) < right {
            *pixel = PAPER_GREY;
        }
    }
    for cell in cells.iter().filter(is_first) {
        let (number, side) = (cell.id.number + rows, cell.id.side);
        let mut others = cells.iter().map(|other| (other.id, &other.quad));
        let beside = others.find(|(id, _)| (id.number, id.side) == (number, side));
        let (_, beside) = beside.expect("a row beside it");
        copy_inside(&page.luma, &cell.quad, &cell.quad, &mut paper);
        copy_inside(&page.luma, &cell.quad, beside, &mut paper);
    }
    paper
}

fn cut(sample: &Path) -> (Page, Vec<Cell>) {
    let page = page::open(sample).expect("the sample").next();
    let page = page.expect("a page").expect("a picture");
    let grid = grid::detect(&page, &grid::Parameters::default()).expect("its table");
    let cells = cell::cut_cells(&page, &grid);
    (page, cells)
}

/// Copies the inside of a cell, made as bright as the paper, to that of another one.
fn copy_inside(sheet: &GrayImage, from: &Quad, to: &Quad, paper: &mut GrayImage) {
    let from_cell = Homography::onto(from).expect("a cell");
    let to_cell = Homography::onto(to).and_then(|map| map.inverse());
    let to_cell = to_cell.expect("a cell");
    let pixels = (0..sheet.height()).flat_map(|y| (0..sheet.width()).map(move |x| (x, y)));
    let pixels = pixels.filter_map(|(x, y)| {
        let inner = to_cell.at(f64::from(x), f64::from(y));
        let is_inside = (0.06..0.94).contains(&inner.x) && (0.12..0.94).contains(&inner.y);
        let source = from_cell.at(inner.x, inner.y);
        let (from_x, from_y) = (source.x.round() as u32, source.y.round() as u32);
        is_inside.then(|| (x, y, u32::from(sheet.get_pixel(from_x, from_y)[0])))
    });
    let pixels: Vec<(u32, u32, u32)> = pixels.collect();
    let brightest = pixels.iter().map(|&(_, _, v)| v).max().expect("pixels");
    for (x, y, v) in pixels {
        let v = v * u32::from(PAPER_GREY[0]) / brightest;
        paper.put_pixel(x, y, Luma([v as u8]));
    }
}
