//! HEIC and HEIF pictures, decoded by heifer.

use image::GrayImage;

use super::error::one_line;
use super::{Format, MAX_PIXELS, PageError, raster};

/// Decodes the main picture of a file. It comes upright: the file says how it is turned.
pub(super) fn decode(bytes: &[u8]) -> Result<GrayImage, PageError> {
    let options = heifer::Options {
        // Sheets are read side by side already.
        max_threads: 1,
        max_pixels: MAX_PIXELS,
    };
    let picture = heifer::decode_rgba8(bytes, &options).map_err(|error| {
        let (format, reason) = (Format::Heif, one_line(&error.to_string()));
        match error {
            heifer::Error::Unsupported(_) => PageError::Unsupported { format, reason },
            _ => PageError::Broken { format, reason },
        }
    })?;
    let pixels = picture.data.as_chunks::<4>().0;
    let luma = pixels.iter().map(|&p| raster::luma_over_white(p)).collect();
    Ok(GrayImage::from_raw(picture.width, picture.height, luma).expect("one byte a pixel"))
}
