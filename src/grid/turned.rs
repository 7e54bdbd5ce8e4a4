//! Pages that lie on a side or on their heads: turned by quarters, pixel by pixel, they are the
//! pages that they were before somebody turned them, and the same table is found.

use image::imageops;

use super::Grid;
use crate::geometry::{Point, Quad};
use crate::page::Page;

/// The page turned to the left by so many quarters, 1 to 3.
pub fn turn_back(page: &Page, quarters: usize) -> Page {
    let luma = match quarters {
        1 => imageops::rotate270(&page.luma),
        2 => imageops::rotate180(&page.luma),
        _ => imageops::rotate90(&page.luma),
    };
    Page::new(page.path.clone(), page.number, page.sha256.clone(), luma)
}

/// What was found on the page turned back, where it lies on the page as it is.
pub fn map_back(mut grid: Grid, page: &Page, quarters: usize) -> Grid {
    let (width, height) = page.luma.dimensions();
    let (right, bottom) = (f64::from(width) - 1.0, f64::from(height) - 1.0);
    let quad = |quad: Quad| {
        quad.map(|p| match quarters {
            1 => Point::new(right - p.y, p.x),
            2 => Point::new(right - p.x, bottom - p.y),
            _ => Point::new(p.y, bottom - p.x),
        })
    };
    for row in grid.blocks.iter_mut().flat_map(|block| &mut block.rows) {
        (row.white, row.black) = (quad(row.white), quad(row.black));
    }
    grid.header = grid.header.map(quad);
    grid.result = grid.result.map(quad);
    grid
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::super::{Block, NumberColumn, Row};
    use super::*;

    #[test]
    fn a_place_on_the_page_turned_back_is_the_same_place_on_the_page() {
        let luma = GrayImage::from_fn(40, 30, |x, y| Luma([(5 * x + 7 * y) as u8]));
        let page = Page::new("a.png".into(), 1, String::new(), luma);
        for quarters in 1..4 {
            let upright = turn_back(&page, quarters);
            let quad =
                [(3.0, 4.0), (9.0, 4.0), (9.0, 8.0), (3.0, 8.0)].map(|(x, y)| Point::new(x, y));
            let row = Row {
                number: 1,
                white: quad,
                black: quad,
            };
            let block = Block {
                rows: vec![row],
                number_column: NumberColumn::Absent,
            };
            let grid = Grid {
                blocks: vec![block],
                header: Some(quad),
                result: None,
            };
            let mapped = map_back(grid, &page, quarters);
            let luma = |page: &Page, p: Point| page.luma.get_pixel(p.x as u32, p.y as u32).0[0];
            for (before, after) in quad.iter().zip(&mapped.blocks[0].rows[0].white) {
                assert_eq!(luma(&upright, *before), luma(&page, *after), "{quarters}");
            }
            assert_eq!(mapped.header, Some(mapped.blocks[0].rows[0].white));
        }
    }
}
