//! Small pictures of cells, cut from a sheet long after it was read.

use std::path::Path;

use image::codecs::jpeg::JpegEncoder;

use crate::cell;
use crate::geometry::Quad;
use crate::guard;
use crate::page::{self, PageError};
use crate::patch;

/// Pixels of the page shown around a patch on each side, in the patch's scale.
const AROUND: u32 = 16;
/// JPEG quality, 1 to 100: handwriting stays clear, and a cell takes two kilobytes.
const QUALITY: u8 = 70;

/// Why no pictures can be cut.
#[derive(Debug, thiserror::Error)]
pub enum CropError {
    /// The file, or the page.
    #[error("its picture {0}")]
    Page(#[from] PageError),
    /// Another picture has its name.
    #[error("its picture has changed since")]
    Changed,
    /// The file has no such page.
    #[error("its picture has no such page")]
    NoPage,
    /// A fault of ours.
    #[error("its picture cannot be shown ({0})")]
    Fault(String),
}

/// A cell with some of the page around it, as JPEG.
#[derive(Debug, Clone)]
pub struct Crop {
    /// The file.
    pub jpeg: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Pictures of cells on a page of a file, of which the hash must be the one that the cells were found with.
///
/// # Errors
/// [`CropError`] where the file is gone or another one, or cannot be decoded.
pub fn cut(path: &Path, page: u32, sha256: &str, cells: &[Quad]) -> Result<Vec<Crop>, CropError> {
    let cut = || {
        let mut pages = page::open(path)?;
        if pages.sha256() != sha256 {
            return Err(CropError::Changed);
        }
        let before = page.checked_sub(1).ok_or(CropError::NoPage)?;
        let page = pages.nth(before as usize).ok_or(CropError::NoPage)??;
        let canvas = cell::CANVAS.widened(AROUND);
        let crop = |quad: &Quad| {
            let patch = patch::warp(&page.luma, quad, canvas);
            let mut jpeg = Vec::new();
            let encoder = JpegEncoder::new_with_quality(&mut jpeg, QUALITY);
            let encoded = patch.write_with_encoder(encoder);
            encoded.map_err(|why| CropError::Fault(why.to_string()))?;
            Ok(Crop {
                jpeg,
                width: canvas.width,
                height: canvas.height,
            })
        };
        cells.iter().map(crop).collect()
    };
    guard::catch(cut).unwrap_or_else(|panic| Err(CropError::Fault(panic)))
}
