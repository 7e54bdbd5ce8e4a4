//! The pages of a TIFF file.
//!
//! `image` decodes only the first directory of a TIFF, whose offset stands in the header. Page n is
//! decoded by writing the offset of its directory into the header of a copy. That leaves most
//! colour types and compressions (CCITT G4 among them) to `image`; palettes and older fax
//! compressions have decoders of their own here.

mod fax;
mod indexed;

use std::ops::Range;

use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};

use super::error::one_line;
use super::raster::{self, Reader};
use super::{Format, MAX_PAGES, MAX_PIXELS, PageError};
use crate::guard;

/// Tag NewSubfileType, whose lowest bit marks a reduced copy of another image (TIFF 6.0, section
/// 8).
const NEW_SUBFILE_TYPE: u64 = 254;

/// Tag PhotometricInterpretation, which says what the numbers of pixels mean.
const PHOTOMETRIC: u64 = 262;

/// Decodes the image directories of a TIFF file, one after the other.
pub(super) struct Directories {
    bytes: Vec<u8>,
    variant: Variant,
    offsets: std::vec::IntoIter<u64>,
}

impl Directories {
    /// Finds the directories of a file; thumbnails are left out.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, PageError> {
        let offsets =
            Variant::of(&bytes).and_then(|variant| Some((variant, variant.directories(&bytes)?)));
        let Some((variant, offsets)) = offsets else {
            return Err(broken("it ends before its first directory"));
        };
        Ok(Self {
            bytes,
            variant,
            offsets: offsets.into_iter(),
        })
    }

    /// Leaves out the next so many pages.
    pub(super) fn pass_over(&mut self, pages: usize) {
        if let Some(last) = pages.checked_sub(1) {
            self.offsets.nth(last);
        }
    }
}

impl Iterator for Directories {
    type Item = Result<GrayImage, PageError>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.offsets.next()?;
        self.variant
            .write(&mut self.bytes, self.variant.first, offset);
        let page = guard::catch(|| self.decode(offset));
        Some(page.unwrap_or_else(|panic| Err(PageError::decoder_failed(Format::Tiff, &panic))))
    }
}

impl Directories {
    fn reader(&self) -> Reader<'_> {
        Reader::new(self.bytes.as_slice().into())
    }

    /// Decodes the page whose directory, at this offset, the header names.
    fn decode(&mut self, offset: u64) -> Result<GrayImage, PageError> {
        let Ok(mut decoder) = Decoder::new(self.reader()) else {
            // The other decoder says what is wrong.
            return raster::decode_tiff(&self.bytes);
        };
        let tags = Tags::read(&mut decoder)?;
        let picture = if fax::is_fax(&tags) {
            fax::decode(&self.bytes, &mut decoder, &tags)?
        } else if indexed::is_indexed(&tags) {
            if tags.is_palette {
                self.variant.call_grey(&mut self.bytes, offset);
                decoder = Decoder::new(self.reader()).map_err(broken)?;
            }
            indexed::decode(&mut decoder, &tags)?
        } else {
            return raster::decode_tiff(&self.bytes);
        };
        let mut upright = DynamicImage::ImageLuma8(picture);
        upright.apply_orientation(tags.orientation);
        Ok(upright.into_luma8())
    }
}

/// What a directory says of its picture.
struct Tags {
    /// Width and height in pixels.
    size: (u32, u32),
    compression: u32,
    /// Bits of a sample; a pixel has one sample or several.
    bits: u32,
    samples: u32,
    /// Whether pixels are entries of a palette.
    is_palette: bool,
    /// Whether 0 is black; fax machines have it white.
    zero_is_black: bool,
    orientation: Orientation,
}

impl Tags {
    /// Reads the tags of the directory that a decoder is at.
    fn read(decoder: &mut Decoder<Reader<'_>>) -> Result<Self, PageError> {
        let mut number = |tag, default| {
            let number = decoder.find_tag_unsigned_vec::<u32>(tag).map_err(broken)?;
            Ok::<u32, PageError>(number.and_then(|n| n.first().copied()).unwrap_or(default))
        };
        let (width, height) = (number(Tag::ImageWidth, 0)?, number(Tag::ImageLength, 0)?);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(PageError::TooLarge { width, height });
        }
        if width == 0 || height == 0 {
            return Err(broken("a page without an area"));
        }
        let photometric = number(Tag::PhotometricInterpretation, 1)?;
        let orientation = u8::try_from(number(Tag::Orientation, 1)?).ok();
        let orientation = orientation.and_then(Orientation::from_exif);
        Ok(Self {
            size: (width, height),
            compression: number(Tag::Compression, 1)?,
            bits: number(Tag::BitsPerSample, 1)?,
            samples: number(Tag::SamplesPerPixel, 1)?,
            is_palette: photometric == 3,
            zero_is_black: photometric != 0,
            orientation: orientation.unwrap_or(Orientation::NoTransforms),
        })
    }
}

/// The error of a file that is damaged.
fn broken(reason: impl ToString) -> PageError {
    PageError::Broken {
        format: Format::Tiff,
        reason: one_line(&reason.to_string()),
    }
}

/// Byte order and field widths of a file, which is a classic TIFF or a BigTIFF.
#[derive(Clone, Copy)]
struct Variant {
    /// Whether numbers are stored with their least significant byte first.
    little: bool,
    /// Where the header holds the offset of the first directory.
    first: usize,
    /// Bytes of an offset.
    offset: usize,
    /// Bytes of a directory's number of entries.
    count: usize,
    /// Bytes of an entry.
    entry: usize,
}

impl Variant {
    /// The variant that the first bytes of a file name; None where it is no TIFF.
    fn of(bytes: &[u8]) -> Option<Self> {
        let little = bytes.starts_with(b"II");
        let mut variant = Self {
            little,
            first: 4,
            offset: 4,
            count: 2,
            entry: 12,
        };
        match variant.number(bytes, 2..4)? {
            42 => {}
            43 => {
                variant = Self {
                    little,
                    first: 8,
                    offset: 8,
                    count: 8,
                    entry: 20,
                }
            }
            _ => return None,
        }
        Some(variant)
    }

    /// Offsets of the full-size images; None where not even the first directory is there.
    fn directories(&self, bytes: &[u8]) -> Option<Vec<u64>> {
        let mut seen = Vec::new();
        let mut offsets = Vec::new();
        let mut next = self.field(bytes, self.first, self.offset)?;
        while next != 0 && !seen.contains(&next) && seen.len() <= MAX_PAGES as usize {
            seen.push(next);
            let Some((reduced, following)) = self.directory(bytes, next) else {
                // The chain breaks off. The decoder reports it when it comes to this page.
                offsets.push(next);
                break;
            };
            if !reduced {
                offsets.push(next);
            }
            next = following;
        }
        (!offsets.is_empty()).then_some(offsets)
    }

    /// Whether a directory is a thumbnail, and the offset of the next one.
    fn directory(&self, bytes: &[u8], offset: u64) -> Option<(bool, u64)> {
        let start = usize::try_from(offset).ok()?;
        let entries = usize::try_from(self.field(bytes, start, self.count)?).ok()?;
        let first = start.checked_add(self.count)?;
        let end = first.checked_add(entries.checked_mul(self.entry)?)?;
        let following = self.field(bytes, end, self.offset)?;
        let reduced = (first..end).step_by(self.entry).any(|at| {
            self.field(bytes, at, 2) == Some(NEW_SUBFILE_TYPE)
                // A short value stands in the entry's last bytes, in place of an offset.
                && self.field(bytes, at + self.entry - self.offset, 4).is_some_and(|v| v & 1 == 1)
        });
        Some((reduced, following))
    }

    /// Has a directory call the entries of its palette grey levels.
    fn call_grey(&self, bytes: &mut [u8], offset: u64) {
        let entry = usize::try_from(offset).ok().and_then(|start| {
            let entries = usize::try_from(self.field(bytes, start, self.count)?).ok()?;
            let mut entries = (0..entries).map(|i| start + self.count + i * self.entry);
            entries.find(|&at| self.field(bytes, at, 2) == Some(PHOTOMETRIC))
        });
        if let Some(at) = entry {
            let value = at + self.entry - self.offset;
            bytes[value] = u8::from(self.little);
            bytes[value + 1] = u8::from(!self.little);
        }
    }

    /// The number of this width in bytes at a place; None beyond the end of the file.
    fn field(&self, bytes: &[u8], at: usize, width: usize) -> Option<u64> {
        self.number(bytes, at..at.checked_add(width)?)
    }

    /// The number in a range of bytes.
    fn number(&self, bytes: &[u8], range: Range<usize>) -> Option<u64> {
        let field = bytes.get(range)?;
        let append = |n: u64, b: &u8| n << 8 | u64::from(*b);
        Some(if self.little {
            field.iter().rev().fold(0, append)
        } else {
            field.iter().fold(0, append)
        })
    }

    /// Writes an offset at a place.
    fn write(&self, bytes: &mut [u8], at: usize, offset: u64) {
        let width = self.offset;
        let field = &mut bytes[at..at + width];
        if self.little {
            field.copy_from_slice(&offset.to_le_bytes()[..width]);
        } else {
            field.copy_from_slice(&offset.to_be_bytes()[8 - width..]);
        }
    }
}
