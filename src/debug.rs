//! Draws the table that was found on a page, for a person to look at.

use image::{Rgb, RgbImage};
use imageproc::drawing::draw_line_segment_mut;

use crate::geometry::Quad;
use crate::grid::{Grid, Side};
use crate::page::Page;

/// Colour of the White cells: red.
const WHITE_CELL: Rgb<u8> = Rgb([220, 30, 30]);
/// Colour of the Black cells: blue.
const BLACK_CELL: Rgb<u8> = Rgb([30, 60, 230]);
/// Colour of the blocks: green.
const BLOCK: Rgb<u8> = Rgb([0, 160, 60]);
/// Colour of the header and result regions: orange.
const REGION: Rgb<u8> = Rgb([220, 140, 0]);

/// Draws blocks, cells and regions of a grid onto the working copy of its page.
pub fn draw_grid(page: &Page, grid: &Grid) -> RgbImage {
    let mut picture = RgbImage::from_fn(page.working.width(), page.working.height(), |x, y| {
        let v = page.working.get_pixel(x, y).0[0];
        Rgb([v, v, v])
    });
    for region in grid.header.iter().chain(&grid.result) {
        draw_quad(&mut picture, region, REGION, page.scale, 0.0);
    }
    for block in &grid.blocks {
        for row in &block.rows {
            for side in [Side::White, Side::Black] {
                let (quad, colour) = match side {
                    Side::White => (&row.white, WHITE_CELL),
                    Side::Black => (&row.black, BLACK_CELL),
                };
                draw_quad(&mut picture, quad, colour, page.scale, 1.5);
            }
        }
        if let (Some(first), Some(last)) = (block.rows.first(), block.rows.last()) {
            let whole = if first.white[0].x <= first.black[0].x {
                [first.white[0], first.black[1], last.black[2], last.white[3]]
            } else {
                [first.black[0], first.white[1], last.white[2], last.black[3]]
            };
            draw_quad(&mut picture, &whole, BLOCK, page.scale, -2.0);
        }
    }
    picture
}

/// Draws a quad given in pixels of the page, moved `inwards` by so many pixels of the picture that
/// neighbours stay apart.
fn draw_quad(picture: &mut RgbImage, quad: &Quad, colour: Rgb<u8>, scale: f64, inwards: f32) {
    const INWARDS: [(f32, f32); 4] = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let corner = |i: usize| {
        let (dx, dy) = INWARDS[i];
        let (x, y) = ((quad[i].x * scale) as f32, (quad[i].y * scale) as f32);
        (x + dx * inwards, y + dy * inwards)
    };
    for i in 0..4 {
        draw_line_segment_mut(picture, corner(i), corner((i + 1) % 4), colour);
    }
}
