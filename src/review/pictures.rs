//! Pictures of sheets for the page: whole, by cells, and all cells in one.

use std::sync::{Arc, Mutex, PoisonError};

use image::codecs::jpeg::JpegEncoder;
use image::{GrayImage, imageops};

use crate::batch::SheetId;
use crate::geometry::Quad;
use crate::guard;
use crate::page::{self, PageError};
use crate::patch::{self, Canvas};
use crate::scan::Sheet;

use super::quarter_turns::QuarterTurns;

/// JPEG quality, 1 to 100, at which faint pencil stays as clear as on the page.
const JPEG_QUALITY: u8 = 80;
/// Number of pages that are kept decoded: the two copies that are compared, and the next sheet's.
const MAX_KEPT_PAGES: usize = 4;
/// A cell with half a row above and below it, and some of the columns beside it.
const CLOSE_UP: Canvas = Canvas {
    width: 640,
    height: 200,
    margin_x: 60,
    margin_y: 50,
};
/// A cell in the picture of all cells, without anything around it but a little room for letters
/// that leave their row.
const STRIP: Canvas = Canvas {
    width: 192,
    height: 48,
    margin_x: 4,
    margin_y: 6,
};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(super) enum PictureError {
    /// The file or its page cannot be read.
    #[error("its picture {0}")]
    Page(#[from] PageError),
    /// The file is another one than when it was read.
    #[error("its picture has changed since it was read")]
    Changed,
    /// The sheet has no such cell, or the page no such part.
    #[error("the page has no such part")]
    Missing,
    /// An encoder failed or panicked; a fault of this program.
    #[error("its picture cannot be shown ({0})")]
    Fault(String),
}

/// A page by its file and number.
type PageKey = (String, u32);

/// Cuts pictures from pages, of which it keeps the last ones decoded.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    pages: Mutex<Vec<(PageKey, Arc<GrayImage>)>>,
}

impl Pictures {
    /// The page of a sheet, turned so that the sheet is upright, its longer side at most so many
    /// pixels, as JPEG.
    pub(super) fn page(
        &self,
        id: &SheetId,
        sheet: &Sheet,
        longest_side: u32,
    ) -> Result<Vec<u8>, PictureError> {
        let luma = self.luma(id)?;
        let (width, height) = luma.dimensions();
        let scale = f64::from(longest_side) / f64::from(width.max(height));
        let scaled = if scale < 1.0 {
            let side = |pixels: u32| ((f64::from(pixels) * scale).round() as u32).max(1);
            imageops::thumbnail(&*luma, side(width), side(height))
        } else {
            (*luma).clone()
        };
        encode(&QuarterTurns::of_sheet(sheet).turn(scaled))
    }

    /// A cell with half a row above and below it, as JPEG.
    pub(super) fn close_up(&self, id: &SheetId, quad: &Quad) -> Result<Vec<u8>, PictureError> {
        encode(&patch::warp(&*self.luma(id)?, quad, CLOSE_UP))
    }

    /// All cells of a sheet in one picture: two columns, each cell 192 x 48 pixels, as JPEG.
    pub(super) fn strips(&self, id: &SheetId, sheet: &Sheet) -> Result<Vec<u8>, PictureError> {
        let luma = self.luma(id)?;
        let rows = sheet.cells.len().div_ceil(2) as u32;
        let mut strips = GrayImage::new(2 * STRIP.width, rows.max(1) * STRIP.height);
        for (reading, at) in sheet.cells.iter().zip(0u32..) {
            let cell = patch::warp(&luma, &reading.quad, STRIP);
            let (x, y) = (at % 2 * STRIP.width, at / 2 * STRIP.height);
            imageops::replace(&mut strips, &cell, x.into(), y.into());
        }
        encode(&strips)
    }

    /// A rectangle of the upright page, given by its left, upper, width and height, as JPEG.
    pub(super) fn region(
        &self,
        id: &SheetId,
        sheet: &Sheet,
        (x, y, width, height): (u32, u32, u32, u32),
    ) -> Result<Vec<u8>, PictureError> {
        let luma = QuarterTurns::of_sheet(sheet).turn((*self.luma(id)?).clone());
        let (right, bottom) = luma.dimensions();
        if x >= right || y >= bottom {
            return Err(PictureError::Missing);
        }
        let (width, height) = (width.min(right - x), height.min(bottom - y));
        encode(&imageops::crop_imm(&luma, x, y, width, height).to_image())
    }

    /// The page of a sheet as it was read.
    fn luma(&self, id: &SheetId) -> Result<Arc<GrayImage>, PictureError> {
        let key = (id.sha256.clone(), id.page);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = pages.iter().position(|(known, _)| *known == key) {
            let kept = pages.remove(at);
            let luma = Arc::clone(&kept.1);
            pages.push(kept);
            return Ok(luma);
        }
        drop(pages);
        let read = guard::catch(|| read_luma(id));
        let luma = Arc::new(read.unwrap_or_else(|panic| Err(PictureError::Fault(panic)))?);
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MAX_KEPT_PAGES {
            pages.remove(0);
        }
        pages.push((key, Arc::clone(&luma)));
        Ok(luma)
    }
}

fn read_luma(id: &SheetId) -> Result<GrayImage, PictureError> {
    let mut pages = page::open(&id.path)?;
    if pages.sha256() != id.sha256 {
        return Err(PictureError::Changed);
    }
    let before = id.page.checked_sub(1).ok_or(PictureError::Missing)?;
    let page = pages.nth(before as usize).ok_or(PictureError::Missing)??;
    Ok(page.luma)
}

fn encode(picture: &GrayImage) -> Result<Vec<u8>, PictureError> {
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY);
    let encoded = picture.write_with_encoder(encoder);
    encoded.map_err(|why| PictureError::Fault(why.to_string()))?;
    Ok(jpeg)
}
