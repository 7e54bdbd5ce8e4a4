//! The pages of a PDF file, rendered by hayro.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::GrayImage;

use super::error::one_line;
use super::{PageError, raster};
use crate::guard;

/// Resolution in pixels per inch at which a page is rendered; a scan of ordinary paper is read well
/// at it.
const RENDER_DPI: f32 = 300.0;
/// Smallest longer side of a rendered page in pixels: some programs put a photo of 12 megapixels on
/// a page of stamp size.
const MIN_SIDE_PX: f32 = 2400.0;
/// Largest longer side of a rendered page in pixels: other programs give a page one point a pixel,
/// which at 300 dpi would be 200 megapixels. A3 at 300 dpi fits, and 25 megapixels take 100 MB
/// while they are rendered.
const MAX_SIDE_PX: f32 = 5000.0;

/// Renders the pages of a PDF file, one after the other.
pub(super) struct Document {
    pdf: Pdf,
    /// Index of the next page, from 0.
    next: usize,
}

impl Document {
    /// Opens a PDF file.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, PageError> {
        let pdf = match guard::catch(|| Pdf::new(bytes)) {
            Ok(Ok(pdf)) => pdf,
            Ok(Err(LoadPdfError::Decryption(_))) => return Err(PageError::Locked),
            Ok(Err(LoadPdfError::Invalid)) => return Err(broken("no page tree")),
            Err(panic) => return Err(broken(&panic)),
        };
        if pdf.pages().is_empty() {
            return Err(PageError::NoPages);
        }
        Ok(Self { pdf, next: 0 })
    }
}

impl Iterator for Document {
    type Item = Result<GrayImage, PageError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.pdf.pages().len() {
            return None;
        }
        let page = guard::catch(|| render(&self.pdf, self.next));
        self.next += 1;
        Some(page.unwrap_or_else(|panic| Err(broken(&panic))))
    }
}

/// Renders one page, with its longer side between the two limits.
fn render(pdf: &Pdf, index: usize) -> Result<GrayImage, PageError> {
    let page = &pdf.pages()[index];
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    if !(longer.is_finite() && width.min(height) > 0.0) {
        return Err(broken("a page without an area"));
    }
    let scale = (longer * RENDER_DPI / 72.0).clamp(MIN_SIDE_PX, MAX_SIDE_PX) / longer;
    if width.min(height) * scale < 1.0 {
        return Err(broken("a page without an area"));
    }
    let settings = PixmapSettings {
        x_scale: scale,
        y_scale: scale,
        bg_color: WHITE,
    };
    // One cache a page: the pages of a scan share nothing, and a cache never shrinks.
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &settings,
    );
    // On a white ground nothing is transparent, so premultiplied colours are colours.
    let luma = pixmap
        .data()
        .iter()
        .map(|p| raster::luma([p.r, p.g, p.b]))
        .collect();
    let (width, height) = (pixmap.width().into(), pixmap.height().into());
    Ok(GrayImage::from_raw(width, height, luma).expect("one byte a pixel"))
}

/// The error of a PDF that is damaged.
fn broken(reason: &str) -> PageError {
    PageError::Broken {
        format: "PDF",
        reason: one_line(reason),
    }
}
