//! Opens a file and decodes its pages: upright, in grey, one at a time.
//!
//! ```
//! use sheetscan::page;
//!
//! let mut pages = page::open("samples/01_apendice_e_pt.jpg".as_ref())?;
//! let page = pages.next().expect("a picture has one page")?;
//! assert!(page.working.width().max(page.working.height()) <= page::WORKING_SIDE);
//! # Ok::<(), page::PageError>(())
//! ```

mod error;
mod jpeg;
mod pdf;
mod raster;
mod tiff;

use std::io::Read;
use std::path::{Path, PathBuf};

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::GrayImage;
use sha2::{Digest, Sha256};

pub use error::PageError;

/// Longer side in pixels of the working copy, on which rulings are looked for. At 1600 pixels a
/// ruling is one to three pixels wide, and an adaptive threshold takes 10 ms instead of 80 at full
/// size.
pub const WORKING_SIDE: u32 = 1600;

/// Largest number of pixels of a page. The largest sensors of phones have half of it; a
/// decompression bomb has far more.
pub const MAX_PIXELS: u64 = 100_000_000;

/// Largest number of bytes of a file, and of a page as its decoder returns it.
pub const MAX_BYTES: u64 = 256 << 20;

/// An upright page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The path of the file.
    pub path: PathBuf,
    /// Number of the page in its file, from 1.
    pub number: u32,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: String,
    /// Luma at full size, with the EXIF orientation applied.
    pub luma: GrayImage,
    /// Luma with a longer side of at most [`WORKING_SIDE`] pixels.
    pub working: GrayImage,
    /// Pixels of the working copy per pixel at full size, at most 1.
    pub scale: f64,
}

impl Page {
    /// Makes a page from its upright luma.
    pub fn new(path: PathBuf, number: u32, sha256: String, luma: GrayImage) -> Self {
        let (working, scale) = working_copy(&luma);
        Self {
            path,
            number,
            sha256,
            luma,
            working,
            scale,
        }
    }
}

/// The pages of one file. They are decoded one at a time, so that a long PDF needs the memory of
/// one page.
pub struct Pages {
    path: PathBuf,
    sha256: String,
    source: Source,
    number: u32,
}

/// Decodes the pages of each family of formats.
enum Source {
    /// The bytes of a picture; None after its page was decoded.
    Picture(Option<Vec<u8>>),
    Tiff(tiff::Directories),
    Pdf(pdf::Document),
}

impl Pages {
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

impl Iterator for Pages {
    type Item = Result<Page, PageError>;

    fn next(&mut self) -> Option<Self::Item> {
        let luma = match &mut self.source {
            Source::Picture(bytes) => bytes.take().map(|bytes| raster::decode(&bytes)),
            Source::Tiff(directories) => directories.next(),
            Source::Pdf(document) => document.next(),
        }?;
        self.number += 1;
        let page = |luma| Page::new(self.path.clone(), self.number, self.sha256.clone(), luma);
        Some(luma.map(page))
    }
}

/// Opens a file. Its format is known by its content, not by its name.
///
/// # Errors
/// [`PageError`] where the file cannot be read at all. A page that cannot be decoded is an error
/// among the items of the iterator.
pub fn open(path: &Path) -> Result<Pages, PageError> {
    let bytes = read_file(path)?;
    let sha256 = hex(&Sha256::digest(&bytes));
    let source = match detect_kind(&bytes)? {
        FileKind::Picture => Source::Picture(Some(bytes)),
        FileKind::Tiff => Source::Tiff(tiff::Directories::new(bytes)?),
        FileKind::Pdf => Source::Pdf(pdf::Document::new(bytes)?),
    };
    Ok(Pages {
        path: path.to_owned(),
        sha256,
        source,
        number: 0,
    })
}

/// Reads a file of at most [`MAX_BYTES`].
fn read_file(path: &Path) -> Result<Vec<u8>, PageError> {
    if path.is_dir() {
        return Err(PageError::Folder);
    }
    let mut bytes = Vec::new();
    // One byte more than is allowed shows that a file is too long, even a device without an end.
    std::fs::File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Err(PageError::Empty),
        n if n > MAX_BYTES => Err(PageError::FileTooLarge),
        _ => Ok(bytes),
    }
}

/// A family of formats whose pages are decoded in the same way.
enum FileKind {
    Picture,
    Tiff,
    Pdf,
}

/// Finds the kind of a file by its content, since names may be wrong.
fn detect_kind(bytes: &[u8]) -> Result<FileKind, PageError> {
    use image::ImageFormat::{Bmp, Jpeg, Png, Tiff, WebP};
    // Readers accept a PDF header anywhere in the first kilobyte, and some scanners need that.
    let head = &bytes[..bytes.len().min(1024)];
    let foreign = |what: &str| Err(PageError::Foreign(what.to_owned()));
    match image::guess_format(bytes) {
        Ok(Jpeg | Png | WebP | Bmp) => Ok(FileKind::Picture),
        Ok(Tiff) => Ok(FileKind::Tiff),
        Ok(other) => foreign(&format!("it is {other:?}")),
        // BigTIFF, which `guess_format` does not know.
        Err(_) if bytes.starts_with(b"II\x2b\0") || bytes.starts_with(b"MM\0\x2b") => {
            Ok(FileKind::Tiff)
        }
        Err(_) if head.windows(5).any(|w| w == b"%PDF-") => Ok(FileKind::Pdf),
        Err(_) if head.get(4..8) == Some(b"ftyp") => foreign(
            "it is HEIC or a video; iPhones write JPEG with Settings, Camera, Formats, \
             Most Compatible",
        ),
        Err(_) if head.starts_with(b"PK") => foreign("it is a ZIP archive or an office document"),
        Err(_) if std::str::from_utf8(head).is_ok() && !head.contains(&0) => foreign("it is text"),
        Err(_) => foreign("its content is of no known kind"),
    }
}

/// The copy on which rulings are looked for, and its scale.
fn working_copy(luma: &GrayImage) -> (GrayImage, f64) {
    let (width, height) = luma.dimensions();
    let longer = width.max(height);
    if longer <= WORKING_SIDE {
        return (luma.clone(), 1.0);
    }
    let scale = f64::from(WORKING_SIDE) / f64::from(longer);
    (downscale(luma, scale), scale)
}

/// Scales a picture down by a bilinear filter that averages the pixels each new one covers. The new
/// sides are rounded to whole pixels.
pub(crate) fn downscale(luma: &GrayImage, scale: f64) -> GrayImage {
    let (width, height) = luma.dimensions();
    let side = |full: u32| ((f64::from(full) * scale).round() as u32).max(1);
    let (small_width, small_height) = (side(width), side(height));
    let mut pixels = vec![0; small_width as usize * small_height as usize];
    // `Resizer::resize` would compile a resizer for every pixel type into this crate.
    let source =
        TypedImageRef::<U8>::from_buffer(width, height, luma.as_raw()).expect("one byte a pixel");
    let mut small = TypedImage::<U8>::from_buffer(small_width, small_height, &mut pixels)
        .expect("one byte a pixel");
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Bilinear));
    Resizer::new()
        .resize_typed(&source, &mut small, &options)
        .expect("neither has a side of zero pixels");
    GrayImage::from_raw(small_width, small_height, pixels).expect("one byte a pixel")
}

/// Bytes in lower-case hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests;
