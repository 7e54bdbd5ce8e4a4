//! Decodes single pictures within limits, and makes them upright and grey.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageDecoder, ImageReader, Limits};

use super::jpeg::{Markers, MissingPart};
use super::{Format, MAX_BYTES, MAX_PIXELS, PageError};
use crate::guard;

/// A picture, upright and grey.
pub(super) struct Picture {
    pub luma: GrayImage,
    /// What its file lost of it.
    pub missing: Option<MissingPart>,
}

/// Decodes a picture of a format that `image` knows.
pub(super) fn decode(bytes: &[u8], format: Format) -> Result<Picture, PageError> {
    guard::catch(|| decode_unguarded(bytes, format))
        .unwrap_or_else(|panic| Err(PageError::decoder_failed(format, &panic)))
}

/// Decodes a picture; its decoder may panic.
fn decode_unguarded(bytes: &[u8], format: Format) -> Result<Picture, PageError> {
    let known = format.of_image_crate();
    let known = known.ok_or_else(|| PageError::Foreign(format!("it is {format}")))?;
    let endless = (format == Format::Jpeg).then(|| Markers::read(bytes));
    let endless = endless.filter(|markers| !markers.has_end);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), known);
    let mut limits = Limits::no_limits();
    // The picture and what its decoder needs beside it. The picture alone is limited to MAX_BYTES
    // below.
    limits.max_alloc = Some(2 * MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader
        .into_decoder()
        .map_err(|e| PageError::from_image(format, (0, 0), e))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_BYTES {
        return Err(PageError::TooLarge { width, height });
    }
    // Damaged metadata is no reason to refuse a good picture.
    let orientation = decoder
        .orientation()
        .unwrap_or(image::metadata::Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder)
        .map_err(|e| PageError::from_image(format, (width, height), e))?;
    // It is turned after it is made grey, which leaves a third of the bytes to move.
    let luma = to_luma(picture);
    let mut missing = None;
    if let Some(markers) = endless {
        let rows = markers.missing_rows(bytes, &luma);
        let rows = rows.ok_or_else(|| PageError::cut_short(format))?;
        missing = Some(MissingPart::of_rows(rows, (width, height), orientation));
    }
    let mut upright = DynamicImage::ImageLuma8(luma);
    upright.apply_orientation(orientation);
    let luma = upright.into_luma8();
    Ok(Picture { luma, missing })
}

/// Converts a picture of any colour type to luma, on white paper where it is transparent.
fn to_luma(picture: DynamicImage) -> GrayImage {
    let (width, height) = (picture.width(), picture.height());
    let luma = match picture {
        DynamicImage::ImageLuma8(luma) => return luma,
        DynamicImage::ImageRgb8(rgb) => rgb.as_chunks::<3>().0.iter().map(|&p| luma(p)).collect(),
        other if other.color().has_alpha() => {
            let rgba = other.into_rgba8();
            let pixels = rgba.as_chunks::<4>().0.iter();
            pixels.map(|&pixel| luma_over_white(pixel)).collect()
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

/// Luma of a pixel with an alpha channel on white paper.
pub(super) fn luma_over_white([r, g, b, a]: [u8; 4]) -> u8 {
    255 - (u16::from(255 - luma([r, g, b])) * u16::from(a) / 255) as u8
}
