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

mod child;
mod detect;
mod drawing;
mod error;
mod format;
mod heif;
mod jpeg;
mod jpeg2000;
mod limits;
mod pdf;
mod raster;
mod tiff;
mod untrusted;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::GrayImage;
use raster::Picture;
use sha2::{Digest, Sha256};

pub use child::{draw_as_child, draw_in_children};
pub use error::PageError;
pub use format::Format;
pub use jpeg::MissingPart;
pub use limits::{
    MAX_BYTES, MAX_DECODING_BYTES, MAX_DRAWING_BYTES, MAX_DRAWING_SECONDS,
    MAX_DRAWING_SECONDS_BY_CLOCK, MAX_FAILED_PAGES, MAX_FAILING_PAGES, MAX_PAGES, MAX_PIXELS,
};

/// Longer side in pixels of the working copy, on which rulings are looked for. At 1600 pixels a
/// ruling is one to three pixels wide, and an adaptive threshold takes 10 ms instead of 80 at full
/// size.
pub const WORKING_SIDE: u32 = 1600;

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
    /// What the file lost of its picture; it is grey.
    pub missing: Option<MissingPart>,
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
            missing: None,
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
    /// Number of pages so far that could not be decoded.
    failed: u32,
}

/// Decodes the pages of each family of formats.
enum Source {
    /// The bytes of a picture; None after its page was decoded.
    Picture(Option<(Vec<u8>, Format)>),
    Tiff(tiff::Directories),
    Drawing(drawing::Drawing),
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
        if self.number > MAX_PAGES || self.failed > MAX_FAILED_PAGES {
            return None;
        }
        let picture = match &mut self.source {
            Source::Picture(file) => file
                .take()
                .map(|(bytes, format)| raster::decode(bytes, format)),
            Source::Tiff(directories) => directories.next().map(|luma| luma.map(Picture::whole)),
            Source::Drawing(drawing) => drawing.draw(self.number + 1),
        }?;
        self.number += 1;
        if self.number > MAX_PAGES {
            return Some(Err(PageError::TooManyPages));
        }
        self.failed += u32::from(picture.is_err());
        if self.failed > MAX_FAILED_PAGES {
            return Some(Err(PageError::TooManyFailedPages));
        }
        Some(picture.map(|picture| Page {
            missing: picture.missing,
            ..Page::new(
                self.path.clone(),
                self.number,
                self.sha256.clone(),
                picture.luma,
            )
        }))
    }

    /// Passes over pages without decoding them.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let passed = u32::try_from(n).unwrap_or(u32::MAX);
        self.number = self.number.saturating_add(passed);
        match &mut self.source {
            Source::Picture(file) if passed > 0 => *file = None,
            Source::Tiff(directories) => directories.pass_over(n),
            _ => {}
        }
        self.next()
    }
}

/// Opens a file. Its format is known by its content, not by its name.
///
/// # Errors
/// [`PageError`] where the file cannot be read at all. A page that cannot be decoded is an error
/// among the items of the iterator.
pub fn open(path: &Path) -> Result<Pages, PageError> {
    let mut file = open_file(path)?;
    let bytes = read_bytes(&mut file)?;
    let sha256 = hex(&Sha256::digest(&bytes));
    let source = match detect::detect_format(&bytes)? {
        Format::Tiff => Source::Tiff(tiff::Directories::new(bytes)?),
        format if format.of_image_crate().is_some() => Source::Picture(Some((bytes, format))),
        format => Source::Drawing(drawing::Drawing::new(format, file)),
    };
    Ok(Pages {
        path: path.to_owned(),
        sha256,
        source,
        number: 0,
        failed: 0,
    })
}

/// Whether a file is a picture or a PDF by its first bytes, one that can be decoded or not. What
/// cannot be opened is none.
pub fn is_picture(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = open_file(path).and_then(|file| {
        let read = file.take(detect::MAX_HEAD_BYTES).read_to_end(&mut head);
        Ok(read?)
    });
    read.is_ok() && detect::is_picture(&head)
}

/// Opens a regular file. To open a pipe would wait for whoever writes into it, and to read a device
/// may change something outside.
fn open_file(path: &Path) -> Result<File, PageError> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        Err(PageError::Folder)
    } else if metadata.is_file() {
        Ok(File::open(path)?)
    } else {
        Err(PageError::NotAFile)
    }
}

/// Reads a file of at most [`MAX_BYTES`].
fn read_bytes(file: &mut File) -> Result<Vec<u8>, PageError> {
    let length = file.metadata()?.len();
    if length > MAX_BYTES {
        return Err(PageError::FileTooLarge);
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // The file may be growing. One byte more than is allowed shows that it is too long.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        0 => Err(PageError::Empty),
        n if n > MAX_BYTES => Err(PageError::FileTooLarge),
        _ => Ok(bytes),
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
