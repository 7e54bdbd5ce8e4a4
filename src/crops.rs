//! Cuts small pictures of cells from a page, for reports that are written long after it was read.

use std::path::Path;

use image::Luma;
use image::codecs::jpeg::JpegEncoder;
use imageproc::drawing::draw_hollow_rect_mut;
use imageproc::rect::Rect;

use crate::geometry::Quad;
use crate::guard;
use crate::page::{self, PageError};
use crate::patch::{self, Canvas};

/// The cell at twice the scale of its patch, with two thirds of the rows above and below.
const CANVAS: Canvas = Canvas {
    width: 448,
    height: 160,
    margin_x: 40,
    margin_y: 46,
};
/// Grey level of the frame around the cell.
const FRAME: Luma<u8> = Luma([96]);
/// JPEG quality, 1 to 100: handwriting stays clear, and a cell takes about five kilobytes.
const JPEG_QUALITY: u8 = 70;

/// Why the pictures of a page's cells cannot be cut.
#[derive(Debug, thiserror::Error)]
pub enum CropError {
    /// The file or its page cannot be read.
    #[error("its picture {0}")]
    Page(#[from] PageError),
    /// The file has another hash than when its cells were found.
    #[error("its picture has changed since")]
    Changed,
    /// The file has no such page.
    #[error("its picture has no such page")]
    NoPage,
    /// An encoder failed or panicked; a fault of this program.
    #[error("its picture cannot be shown ({0})")]
    Fault(String),
}

/// A cell with some of the page around it, as JPEG.
#[derive(Debug, Clone)]
pub struct Crop {
    /// The bytes of a JPEG file.
    pub jpeg: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Cuts pictures of cells, given by their corners in pixels, from page `page` (from 1) of a file.
/// `sha256` is the hash of the file in which the cells were found.
///
/// # Errors
/// [`CropError`] where the file is gone, has changed or cannot be decoded.
pub fn crop_cells(
    path: &Path,
    page: u32,
    sha256: &str,
    cells: &[Quad],
) -> Result<Vec<Crop>, CropError> {
    let cut = || {
        let mut pages = page::open(path)?;
        if pages.sha256() != sha256 {
            return Err(CropError::Changed);
        }
        let before = page.checked_sub(1).ok_or(CropError::NoPage)?;
        let page = pages.nth(before as usize).ok_or(CropError::NoPage)??;
        let crop = |quad: &Quad| {
            let mut patch = patch::warp(&page.luma, quad, CANVAS);
            draw_hollow_rect_mut(&mut patch, frame(), FRAME);
            let mut jpeg = Vec::new();
            let encoder = JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY);
            let encoded = patch.write_with_encoder(encoder);
            encoded.map_err(|why| CropError::Fault(why.to_string()))?;
            Ok(Crop {
                jpeg,
                width: CANVAS.width,
                height: CANVAS.height,
            })
        };
        cells.iter().map(crop).collect()
    };
    guard::catch(cut).unwrap_or_else(|panic| Err(CropError::Fault(panic)))
}

/// Where the cell lies on the canvas.
fn frame() -> Rect {
    let (x, y) = (CANVAS.margin_x, CANVAS.margin_y);
    Rect::at(x as i32, y as i32).of_size(CANVAS.width - 2 * x, CANVAS.height - 2 * y)
}
