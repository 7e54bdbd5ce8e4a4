//! How whole a JPEG file is.
//!
//! `image` decodes leniently: what is missing comes out grey, without an error. On a score sheet
//! moves would be lost in silence, so the end of the file is looked for before it is decoded.

mod scans;

use std::ops::Range;

use image::GrayImage;
use image::metadata::Orientation;
use serde::{Deserialize, Serialize};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::options::DecoderOptions;

use scans::Coefficients;

/// The luma of pixels that were never decoded: all their coefficients are zero.
const UNDECODED: u8 = 128;
/// Rows of pixels before the first undecoded one that may be damaged: the row of blocks in which
/// the data end, of 16 pixels at most, and the one before it.
const MAX_DAMAGED_ROWS: u32 = 32;

/// The marker behind a picture.
const END_MARKER: [u8; 2] = [0xff, 0xd9];

/// The part of a picture that its file lost, in pixels of the upright page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingPart {
    /// Columns.
    pub x: Range<u32>,
    /// Rows.
    pub y: Range<u32>,
}

/// How much of a picture its file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// All of it, but not the mark behind it, so that the file was cut.
    WithoutEnd,
    /// Not all of it.
    Cut,
}

/// What is known of a file from its markers (ITU T.81, annex B).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Markers {
    /// Index behind the end marker of the first picture, if it has one.
    pub end: Option<usize>,
    /// Whether its data begin, behind the headers.
    has_data: bool,
    /// Whether each part of the file refines the whole picture, so that no row is ever whole before
    /// the last part.
    is_progressive: bool,
    /// The coefficients that have data; none before the header of the frame.
    coefficients: Option<Coefficients>,
}

impl Markers {
    /// Walks through the markers of the first picture. Thumbnails inside a segment are skipped with
    /// it, and what phones append behind the end marker (depth maps, videos) is ignored.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut markers = Self {
            end: None,
            has_data: false,
            is_progressive: false,
            coefficients: None,
        };
        let mut at = 2;
        loop {
            // Find the next marker. In entropy-coded data FF 00 is a stuffed byte, FF FF is fill,
            // and FF D0 to FF D7 are restart markers.
            let marker = loop {
                let Some(found) = bytes
                    .get(at..)
                    .and_then(|rest| rest.iter().position(|&b| b == 0xff))
                else {
                    return markers;
                };
                at += found + 1;
                match bytes.get(at) {
                    None => return markers,
                    Some(0x00 | 0x01 | 0xd0..=0xd7) => at += 1,
                    Some(0xff) => {}
                    Some(&marker) => break marker,
                }
            };
            at += 1;
            if marker == 0xd9 {
                markers.end = Some(at);
                return markers;
            }
            let Some(length) = bytes.get(at..at + 2) else {
                return markers;
            };
            let end = at + usize::from(u16::from_be_bytes([length[0], length[1]]));
            let segment = bytes.get(at + 2..end).unwrap_or_default();
            match marker {
                // All frames but tables and extensions: C4, C8 and CC.
                0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                    markers.is_progressive = matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce);
                    markers.coefficients = Some(Coefficients::of_frame(segment));
                }
                0xda => {
                    markers.has_data = true;
                    if let Some(coefficients) = &mut markers.coefficients {
                        coefficients.add_scan(segment);
                    }
                }
                _ => {}
            }
            at = end;
        }
    }

    /// Number of bytes that the decoder needs for the coefficients of a picture, which it keeps
    /// while scans refine them.
    pub(super) fn coefficient_bytes(&self) -> u64 {
        let coefficients = self.coefficients.as_ref().filter(|_| self.is_progressive);
        coefficients.map_or(0, |coefficients| 2 * coefficients.count())
    }

    /// How much of the picture the file has.
    pub(super) fn extent(&self, bytes: &[u8]) -> Extent {
        let has_all = || {
            if self.is_progressive {
                // The decoder asks for a marker behind the last scan.
                has_all_data(&[bytes, &END_MARKER].concat())
            } else {
                has_all_data(bytes)
            }
        };
        if self.end.is_some() {
            Extent::Whole
        } else if self.has_all_scans() && has_all() {
            Extent::WithoutEnd
        } else {
            Extent::Cut
        }
    }

    /// Whether the data of all coefficients begin in the file.
    fn has_all_scans(&self) -> bool {
        let coefficients = self.coefficients.as_ref();
        self.has_data && coefficients.is_some_and(Coefficients::are_complete)
    }

    /// The part that is missing of a picture that was cut, as it lies in the file before it is
    /// turned upright: rows from there on. None where it cannot be known.
    pub(super) fn missing_rows(&self, picture: &GrayImage) -> Option<Range<u32>> {
        if !self.has_all_scans() || self.is_progressive {
            return None;
        }
        let height = picture.height();
        let rows = picture.rows().rev();
        let undecoded = rows.take_while(|row| row.clone().all(|pixel| pixel.0[0] == UNDECODED));
        let first = height - undecoded.count() as u32;
        Some(first.saturating_sub(MAX_DAMAGED_ROWS)..height)
    }
}

/// How much a file has of its first picture.
pub(super) fn extent(bytes: &[u8]) -> Extent {
    Markers::read(bytes).extent(bytes)
}

impl MissingPart {
    /// No part of a picture.
    pub(super) fn none_of(picture: &GrayImage) -> Self {
        let (width, height) = picture.dimensions();
        Self {
            x: 0..width,
            y: height..height,
        }
    }

    /// The last rows of a picture of this size, once it is turned upright.
    pub(super) fn of_rows(
        rows: Range<u32>,
        (width, height): (u32, u32),
        orientation: Orientation,
    ) -> Self {
        use Orientation::{
            FlipHorizontal, FlipVertical, NoTransforms, Rotate90, Rotate90FlipH, Rotate180,
            Rotate270, Rotate270FlipH,
        };
        let turned = height - rows.end..height - rows.start;
        let (x, y) = match orientation {
            NoTransforms | FlipHorizontal => (0..width, rows),
            Rotate180 | FlipVertical => (0..width, turned),
            Rotate90 | Rotate270FlipH => (turned, 0..width),
            Rotate270 | Rotate90FlipH => (rows, 0..width),
        };
        Self { x, y }
    }
}

/// Whether nothing but the end marker is missing.
fn has_all_data(bytes: &[u8]) -> bool {
    let options = DecoderOptions::default().set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode().is_ok()
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, Luma};

    use super::*;

    #[test]
    fn the_missing_part_is_turned_as_the_picture_is() {
        let (size, rows) = ((7, 5), 3..5);
        let lying = GrayImage::from_fn(7, 5, |_, y| Luma([u8::from(rows.contains(&y))]));
        for code in 1..=8 {
            let orientation = Orientation::from_exif(code).unwrap();
            let mut upright = DynamicImage::ImageLuma8(lying.clone());
            upright.apply_orientation(orientation);
            let part = MissingPart::of_rows(rows.clone(), size, orientation);
            for (x, y, pixel) in upright.into_luma8().enumerate_pixels() {
                let is_missing = part.x.contains(&x) && part.y.contains(&y);
                assert_eq!(is_missing, pixel.0[0] == 1, "{orientation:?} at {x}, {y}");
            }
        }
    }
}
