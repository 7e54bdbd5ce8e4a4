//! Sheets that lie on a side or on their heads, turned so that they are read from above.

use std::f64::consts::FRAC_PI_2;

use image::{GrayImage, imageops};

use crate::geometry::Point;
use crate::scan::Sheet;

/// By how many quarters, 0 to 3, a page is turned to the right of how its sheet is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuarterTurns(u8);

impl QuarterTurns {
    /// The turn of a sheet: the direction in which its rows run.
    pub(super) fn of_sheet(sheet: &Sheet) -> Self {
        let (mut x, mut y) = (0.0, 0.0);
        for reading in &sheet.cells {
            let [left, right, ..] = reading.quad;
            x += right.x - left.x;
            y += right.y - left.y;
        }
        let quarters = (f64::atan2(y, x) / FRAC_PI_2).round() as i8;
        Self(quarters.rem_euclid(4) as u8)
    }

    /// Width and height of the page once it is turned upright.
    pub(super) fn size(self, width: u32, height: u32) -> (u32, u32) {
        match self.0 {
            0 | 2 => (width, height),
            _ => (height, width),
        }
    }

    /// A point of the page where it lies once the page is turned upright.
    pub(super) fn point(self, point: Point, sheet: &Sheet) -> Point {
        let right = f64::from(sheet.width) - 1.0;
        let bottom = f64::from(sheet.height) - 1.0;
        match self.0 {
            0 => point,
            1 => Point::new(point.y, right - point.x),
            2 => Point::new(right - point.x, bottom - point.y),
            _ => Point::new(bottom - point.y, point.x),
        }
    }

    /// The page turned upright.
    pub(super) fn turn(self, page: GrayImage) -> GrayImage {
        match self.0 {
            0 => page,
            1 => imageops::rotate270(&page),
            2 => imageops::rotate180(&page),
            _ => imageops::rotate90(&page),
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;
    use crate::grid::{CellId, Side};
    use crate::scan::tests::{reading, scanned};

    #[test]
    fn points_and_pixels_are_turned_alike_and_rows_run_to_the_right_then() {
        for (right, down) in [
            ((1, 0), (0, 1)),
            ((0, 1), (-1, 0)),
            ((-1, 0), (0, -1)),
            ((0, -1), (1, 0)),
        ] {
            let mut sheet = scanned().sheets.remove(0);
            (sheet.width, sheet.height) = (40, 30);
            let corner = |across: i32, along: i32| {
                let x = 20 + 6 * across * right.0 + 4 * along * down.0;
                let y = 15 + 6 * across * right.1 + 4 * along * down.1;
                Point::new(f64::from(x), f64::from(y))
            };
            let id = CellId {
                number: 1,
                side: Side::White,
            };
            let mut cell = reading(id, "e4");
            cell.quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            sheet.cells = vec![cell];
            let turns = QuarterTurns::of_sheet(&sheet);
            let mut page = GrayImage::new(40, 30);
            let mark = corner(1, 1);
            page.put_pixel(mark.x as u32, mark.y as u32, Luma([255]));
            let page = turns.turn(page);
            assert_eq!(page.dimensions(), turns.size(40, 30));
            let turned = turns.point(mark, &sheet);
            assert_eq!(page.get_pixel(turned.x as u32, turned.y as u32).0, [255]);
            let start = turns.point(corner(0, 0), &sheet);
            assert_eq!((turned.x - start.x, turned.y - start.y), (6.0, 4.0));
        }
    }
}
