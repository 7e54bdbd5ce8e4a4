//! Decodes single pictures within limits, and makes them upright and grey.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{MAX_BYTES, MAX_PIXELS, PageError, jpeg};
use crate::guard;

/// Decodes a picture whose format is known by its content.
pub(super) fn decode(bytes: &[u8]) -> Result<GrayImage, PageError> {
    let format = image::guess_format(bytes).map_err(|e| PageError::Foreign(e.to_string()))?;
    let name = format_name(format);
    if format == ImageFormat::Jpeg && !jpeg::is_complete(bytes) {
        let reason = "its end is missing".to_owned();
        return Err(PageError::Broken {
            format: name,
            reason,
        });
    }
    guard::catch(|| decode_as(bytes, format, name)).unwrap_or_else(|reason| {
        Err(PageError::Broken {
            format: name,
            reason: super::error::one_line(&reason),
        })
    })
}

/// Decodes a picture of a known format.
fn decode_as(
    bytes: &[u8],
    format: ImageFormat,
    name: &'static str,
) -> Result<GrayImage, PageError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    // The picture and what its decoder needs beside it. The picture alone is limited to MAX_BYTES
    // below.
    limits.max_alloc = Some(2 * MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader
        .into_decoder()
        .map_err(|e| PageError::from_image(name, (0, 0), e))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_BYTES {
        return Err(PageError::TooLarge { width, height });
    }
    // Damaged metadata is no reason to refuse a good picture.
    let orientation = decoder
        .orientation()
        .unwrap_or(image::metadata::Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder)
        .map_err(|e| PageError::from_image(name, (width, height), e))?;
    // It is turned after it is made grey, which leaves a third of the bytes to move.
    let mut upright = DynamicImage::ImageLuma8(to_luma(picture));
    upright.apply_orientation(orientation);
    Ok(upright.into_luma8())
}

/// Converts a picture of any colour type to luma, on white paper where it is transparent.
fn to_luma(picture: DynamicImage) -> GrayImage {
    let (width, height) = (picture.width(), picture.height());
    let luma = match picture {
        DynamicImage::ImageLuma8(luma) => return luma,
        DynamicImage::ImageRgb8(rgb) => rgb.as_chunks::<3>().0.iter().map(|&p| luma(p)).collect(),
        other if other.color().has_alpha() => {
            let rgba = other.into_rgba8();
            let over_white = |&[r, g, b, a]: &[u8; 4]| {
                255 - (u16::from(255 - luma([r, g, b])) * u16::from(a) / 255) as u8
            };
            rgba.as_chunks::<4>().0.iter().map(over_white).collect()
        }
        other => return other.into_luma8(),
    };
    GrayImage::from_raw(width, height, luma).expect("one byte a pixel")
}

/// Luma by the weights of ITU-R BT.709 in 256ths. It is seven times as fast as the division in
/// `image`, since the compiler vectorises it.
pub(super) fn luma([r, g, b]: [u8; 3]) -> u8 {
    ((u32::from(r) * 54 + u32::from(g) * 183 + u32::from(b) * 19) >> 8) as u8
}

/// A format's name as people write it.
fn format_name(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::Png => "PNG",
        ImageFormat::WebP => "WebP",
        ImageFormat::Bmp => "BMP",
        ImageFormat::Tiff => "TIFF",
        _ => "picture",
    }
}
