//! The pages of a PDF file, rendered by hayro.

mod pictures;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hayro::hayro_interpret::{InterpreterSettings, InterpreterWarning};
use hayro::hayro_syntax::page::Page;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::GrayImage;

use super::error::one_line;
use super::jpeg::{Extent, MissingPart};
use super::raster::{self, Picture};
use super::{Format, PageError};

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

/// Renders one page, counted from 1; none where the file ends before it.
pub(super) fn decode(bytes: Vec<u8>, number: u32) -> Option<Result<Picture, PageError>> {
    let pdf = match Pdf::new(bytes) {
        Ok(pdf) => pdf,
        // What is wrong with the whole file is told once, in the place of its first page.
        Err(_) if number > 1 => return None,
        Err(LoadPdfError::Decryption(_)) => return Some(Err(PageError::Locked)),
        Err(LoadPdfError::Invalid) => return Some(Err(broken("no page tree"))),
    };
    let pages = pdf.pages();
    match pages.get(number as usize - 1) {
        Some(page) => Some(render(page)),
        None if pages.is_empty() && number == 1 => Some(Err(PageError::NoPages)),
        None => None,
    }
}

/// Renders a page, with its longer side between the two limits. What lacks a picture or a part of
/// one is refused, since nobody can tell what stood there.
fn render(page: &Page) -> Result<Picture, PageError> {
    let extent = pictures::extent_of_page(page);
    if extent == Extent::Cut {
        return Err(broken("a picture on its page is not whole"));
    }
    let luma = render_luma(page)?;
    let missing = (extent == Extent::WithoutEnd).then(|| MissingPart::none_of(&luma));
    Ok(Picture { luma, missing })
}

/// Renders all that can be drawn of a page.
fn render_luma(page: &Page) -> Result<GrayImage, PageError> {
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
    let has_lost_picture = Arc::new(AtomicBool::new(false));
    let lost = Arc::clone(&has_lost_picture);
    let interpreter = InterpreterSettings {
        warning_sink: Arc::new(move |warning| {
            if matches!(warning, InterpreterWarning::ImageDecodeFailure) {
                lost.store(true, Ordering::Relaxed);
            }
        }),
        ..InterpreterSettings::default()
    };
    // One cache a page: the pages of a scan share nothing, and a cache never shrinks.
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &interpreter,
        &RenderSettings::default(),
        &settings,
    );
    // On a white ground nothing is transparent, so premultiplied colours are colours.
    let luma: Vec<u8> = pixmap
        .data()
        .iter()
        .map(|p| raster::luma([p.r, p.g, p.b]))
        .collect();
    // A picture that cannot be decoded was left out. It may have been the scan, whatever else is on
    // the page: a stamp, a page number, the name of the program that made it.
    if has_lost_picture.load(Ordering::Relaxed) {
        return Err(broken("the picture on its page cannot be decoded"));
    }
    let (width, height) = (pixmap.width().into(), pixmap.height().into());
    Ok(GrayImage::from_raw(width, height, luma).expect("one byte a pixel"))
}

/// The error of a PDF that is damaged.
fn broken(reason: &str) -> PageError {
    PageError::Broken {
        format: Format::Pdf,
        reason: one_line(reason),
    }
}
