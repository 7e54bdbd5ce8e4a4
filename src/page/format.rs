//! The formats of files.

use std::fmt;

use image::ImageFormat;
use serde::{Deserialize, Serialize};

/// A format whose pages can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// JPEG, and MPO, whose first picture is a JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    WebP,
    /// Windows bitmap.
    Bmp,
    /// GIF, of which the first picture is read.
    Gif,
    /// TIFF or BigTIFF.
    Tiff,
    /// HEIC or HEIF with pictures in HEVC.
    Heif,
    /// JPEG 2000.
    Jpeg2000,
    /// PDF.
    Pdf,
}

impl Format {
    /// The format by which `image` decodes it; none where another decoder does.
    pub(super) fn of_image_crate(self) -> Option<ImageFormat> {
        match self {
            Self::Jpeg => Some(ImageFormat::Jpeg),
            Self::Png => Some(ImageFormat::Png),
            Self::WebP => Some(ImageFormat::WebP),
            Self::Bmp => Some(ImageFormat::Bmp),
            Self::Gif => Some(ImageFormat::Gif),
            Self::Tiff => Some(ImageFormat::Tiff),
            Self::Heif | Self::Jpeg2000 | Self::Pdf => None,
        }
    }
}

/// The name as people write it.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Bmp => "BMP",
            Self::Gif => "GIF",
            Self::Tiff => "TIFF",
            Self::Heif => "HEIC",
            Self::Jpeg2000 => "JPEG 2000",
            Self::Pdf => "PDF",
        })
    }
}
