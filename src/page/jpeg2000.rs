//! JPEG 2000 pictures, decoded by hayro-jpeg2000, which PDF files need too.

mod codestream;

use hayro_jpeg2000::{DecodeSettings, DecoderContext, Image};
use image::GrayImage;

use super::error::one_line;
use super::jpeg::{Extent, MissingPart};
use super::raster::{self, Picture};
use super::{Format, MAX_PIXELS, PageError};

pub(super) use codestream::extent;

/// Number of pixels above which a picture is decoded at half its size or less, which its wavelets
/// allow: at full size the decoder needs 25 bytes a pixel.
const MAX_FULL_SIZE_PIXELS: u64 = 16_000_000;

/// Decodes a file. Its decoder makes a picture of the first half of a file too, of which nobody can
/// tell what is missing, so that only the mark at its end may be missing.
pub(super) fn decode(bytes: &[u8]) -> Result<Picture, PageError> {
    let extent = extent(bytes);
    if extent == Extent::Cut {
        return Err(PageError::cut_short(Format::Jpeg2000));
    }
    let luma = decode_luma(bytes)?;
    let missing = (extent == Extent::WithoutEnd).then(|| MissingPart::none_of(&luma));
    Ok(Picture { luma, missing })
}

/// Decodes all that a file has of a picture.
fn decode_luma(bytes: &[u8]) -> Result<GrayImage, PageError> {
    let open = |settings| Image::new(bytes, &settings).map_err(|error| broken(&error.to_string()));
    let full = open(DecodeSettings::default())?;
    let (width, height) = (full.width(), full.height());
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(PageError::TooLarge { width, height });
    }
    let halvings = (0..).find(|n| pixels >> (2 * n) <= MAX_FULL_SIZE_PIXELS);
    let halvings: u32 = halvings.expect("no picture has pixels without end");
    let picture = open(DecodeSettings {
        target_resolution: (halvings > 0).then_some((width >> halvings, height >> halvings)),
        ..DecodeSettings::default()
    })?;
    let has_alpha = picture.has_alpha();
    let colours = usize::from(picture.color_space().num_channels());
    let channels = colours + usize::from(has_alpha);
    let to_rgba: fn(&[u8]) -> [u8; 4] = match (colours, has_alpha) {
        (1, false) => |p| [p[0], p[0], p[0], 255],
        (1, true) => |p| [p[0], p[0], p[0], p[1]],
        (3, false) => |p| [p[0], p[1], p[2], 255],
        (3, true) => |p| [p[0], p[1], p[2], p[3]],
        _ => {
            return Err(PageError::Unsupported {
                format: Format::Jpeg2000,
                reason: format!("it has {colours} colours"),
            });
        }
    };
    let (width, height) = (picture.width(), picture.height());
    let mut context = DecoderContext::default();
    let decoded = picture.decode(&mut context);
    let samples = decoded
        .map_err(|error| broken(&error.to_string()))?
        .data_u8();
    let pixels = samples.chunks_exact(channels);
    let luma = pixels
        .map(|pixel| raster::luma_over_white(to_rgba(pixel)))
        .collect();
    GrayImage::from_raw(width, height, luma).ok_or_else(|| broken("its channels differ in size"))
}

/// The error of a file that cannot be decoded.
fn broken(reason: &str) -> PageError {
    PageError::Broken {
        format: Format::Jpeg2000,
        reason: one_line(reason),
    }
}
