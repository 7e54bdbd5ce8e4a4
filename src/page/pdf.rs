//! The pages of a PDF file, rendered by hayro.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::GrayImage;

use super::error::one_line;
use super::{PageError, raster};
use crate::guard;

/// Pixels per inch at which a scan on ordinary paper is read well.
const DPI: f32 = 300.0;
/// Longer side of a rendered page at least: some programs put a photo of 12 megapixels on a page of stamp size.
const MIN_SIDE: f32 = 2400.0;
/// Longer side of a rendered page at most: others give a page one point a pixel, which at 300 dpi would be
/// 200 megapixels. A3 at 300 dpi fits, and 25 megapixels take 100 MB while they are rendered.
const MAX_SIDE: f32 = 5000.0;

/// Steps through the pages of a PDF file.
pub(super) struct Document {
    pdf: Pdf,
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

fn render(pdf: &Pdf, index: usize) -> Result<GrayImage, PageError> {
    let page = &pdf.pages()[index];
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    if !(longer.is_finite() && width.min(height) > 0.0) {
        return Err(broken("a page without an area"));
    }
    let scale = (longer * DPI / 72.0).clamp(MIN_SIDE, MAX_SIDE) / longer;
    if width.min(height) * scale < 1.0 {
        return Err(broken("a page without an area"));
    }
    let settings = PixmapSettings {
        x_scale: scale,
        y_scale: scale,
        bg_color: WHITE,
    };
    // A cache a page: pages of a scan share nothing, and it never shrinks.
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

fn broken(reason: &str) -> PageError {
    PageError::Broken {
        format: "PDF",
        reason: one_line(reason),
    }
}
