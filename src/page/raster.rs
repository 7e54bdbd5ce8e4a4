//! Decodes single pictures within limits, and makes them upright and grey.

use std::borrow::Cow;
use std::io::Cursor;
use std::ops::Range;

use image::{DynamicImage, GrayImage, ImageDecoder, ImageReader, Limits};

use super::jpeg::{Extent, Markers, MissingPart};
use super::{Format, MAX_BYTES, MAX_DECODING_BYTES, MAX_PIXELS, PageError};
use crate::guard;

/// Number of pixels that are made grey at a time.
const PIECE_PIXELS: usize = 4096;
/// Number of rows of a picture with samples of 16 or 32 bits that are made grey at a time.
const BAND_ROWS: u32 = 64;

/// What decoders read from. It is one type for bytes that are borrowed and for those that are freed
/// as soon as they are decoded, so that the decoders are compiled once.
pub(super) type Reader<'a> = Cursor<Cow<'a, [u8]>>;

/// A picture, upright and grey.
#[derive(Debug)]
pub(super) struct Picture {
    pub luma: GrayImage,
    /// What its file lost of it.
    pub missing: Option<MissingPart>,
}

impl Picture {
    /// A picture of which nothing is lost.
    pub(super) fn whole(luma: GrayImage) -> Self {
        Self {
            luma,
            missing: None,
        }
    }
}

/// Decodes the page of a TIFF file whose directory its header names.
pub(super) fn decode_tiff(bytes: &[u8]) -> Result<GrayImage, PageError> {
    decode_upright(bytes.into(), Format::Tiff, 0, |_| Ok(None)).map(|picture| picture.luma)
}

/// Decodes a picture of a format that `image` knows.
pub(super) fn decode(bytes: Vec<u8>, format: Format) -> Result<Picture, PageError> {
    guard::catch(|| decode_unguarded(bytes, format))
        .unwrap_or_else(|panic| Err(PageError::decoder_failed(format, &panic)))
}

/// Decodes a picture; its decoder may panic.
fn decode_unguarded(mut bytes: Vec<u8>, format: Format) -> Result<Picture, PageError> {
    if format != Format::Jpeg {
        return decode_upright(bytes.into(), format, 0, |_| Ok(None));
    }
    let markers = Markers::read(&bytes);
    // What phones append may be longer than the picture.
    bytes.truncate(markers.end.unwrap_or(bytes.len()));
    bytes.shrink_to_fit();
    let extent = markers.extent(&bytes);
    decode_upright(
        bytes.into(),
        format,
        markers.coefficient_bytes(),
        |luma| match extent {
            Extent::Whole => Ok(None),
            Extent::WithoutEnd => Ok(Some(luma.height()..luma.height())),
            Extent::Cut => {
                let rows = markers.missing_rows(luma);
                rows.map(Some).ok_or_else(|| PageError::cut_short(format))
            }
        },
    )
}

/// Decodes a picture and turns it upright. Its decoder needs `beside` bytes besides the file and
/// the picture. `missing_rows` tells which of its rows the file lost, before it is turned.
fn decode_upright(
    bytes: Cow<'_, [u8]>,
    format: Format,
    beside: u64,
    missing_rows: impl FnOnce(&GrayImage) -> Result<Option<Range<u32>>, PageError>,
) -> Result<Picture, PageError> {
    let known = format.of_image_crate();
    let known = known.ok_or_else(|| PageError::Foreign(format!("it is {format}")))?;
    let beside = beside + bytes.len() as u64;
    let mut reader = ImageReader::with_format(Reader::new(bytes), known);
    let mut limits = Limits::no_limits();
    // The picture and what its decoder needs beside it.
    limits.max_alloc = Some(2 * MAX_BYTES);
    reader.limits(limits);
    let mut decoder = reader
        .into_decoder()
        .map_err(|e| PageError::from_image(format, (0, 0), e))?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let picture_bytes = decoder.total_bytes();
    let beside = beside + working_bytes(format, pixels, picture_bytes);
    let is_too_large = picture_bytes > MAX_BYTES || picture_bytes + beside > MAX_DECODING_BYTES;
    if pixels > MAX_PIXELS || is_too_large {
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
    let rows = missing_rows(&luma)?;
    let missing = rows.map(|rows| MissingPart::of_rows(rows, (width, height), orientation));
    let mut upright = DynamicImage::ImageLuma8(luma);
    upright.apply_orientation(orientation);
    let luma = upright.into_luma8();
    Ok(Picture { luma, missing })
}

/// Number of bytes that a decoder needs besides the file and the picture, as measured by
/// `eval/large_pictures.py`.
fn working_bytes(format: Format, pixels: u64, picture_bytes: u64) -> u64 {
    match format {
        // A lossless picture has four bytes a pixel at first.
        Format::WebP => 4 * pixels,
        // A strip is unpacked beside the picture, and there may be only one.
        Format::Tiff => picture_bytes,
        _ => 0,
    }
}

/// Converts a picture of any colour type to luma, on white paper where it is transparent.
fn to_luma(picture: DynamicImage) -> GrayImage {
    let (width, height) = (picture.width(), picture.height());
    let luma = match picture {
        DynamicImage::ImageLuma8(luma) => return luma,
        DynamicImage::ImageLumaA8(pixels) => {
            reduce(pixels.into_raw(), |[l, a]| luma_over_white([l, l, l, a]))
        }
        DynamicImage::ImageRgb8(pixels) => reduce(pixels.into_raw(), luma),
        DynamicImage::ImageRgba8(pixels) => reduce(pixels.into_raw(), luma_over_white),
        other if other.color().has_alpha() => {
            let bands = (0..height).step_by(BAND_ROWS as usize).map(|y| {
                let band = other.crop_imm(0, y, width, BAND_ROWS.min(height - y));
                reduce(band.into_rgba8().into_raw(), luma_over_white)
            });
            bands.collect::<Vec<_>>().concat()
        }
        other => return other.into_luma8(),
    };
    GrayImage::from_raw(width, height, luma).expect("one byte a pixel")
}

/// Puts a byte in the place of each pixel of `N` bytes, without a second copy of the picture.
fn reduce<const N: usize>(mut pixels: Vec<u8>, to_byte: impl Fn([u8; N]) -> u8) -> Vec<u8> {
    let count = pixels.len() / N;
    // A piece is converted beside the picture, so that the compiler vectorises it, and then copied
    // over pixels that are converted already.
    let mut piece = [0; PIECE_PIXELS];
    for start in (0..count).step_by(PIECE_PIXELS) {
        let end = count.min(start + PIECE_PIXELS);
        let piece = &mut piece[..end - start];
        let source = pixels[start * N..end * N].as_chunks::<N>().0;
        for (byte, &pixel) in piece.iter_mut().zip(source) {
            *byte = to_byte(pixel);
        }
        pixels[start..end].copy_from_slice(piece);
    }
    pixels.truncate(count);
    pixels.shrink_to_fit();
    pixels
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
