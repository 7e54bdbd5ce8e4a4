//! The pages of a TIFF file.
//!
//! `image` decodes only the first directory of a TIFF, whose offset stands in the header. Page n is
//! decoded by writing the offset of its directory into the header of a copy. That leaves all colour
//! types and compressions (CCITT G4 among them) to `image`, and needs no other crate.

use std::ops::Range;

use image::GrayImage;

use super::{PageError, raster};

/// Largest number of directories: more than any bound scan has. A damaged chain may be endless.
const MAX_PAGES: usize = 10_000;
/// Tag NewSubfileType, whose lowest bit marks a reduced copy of another image (TIFF 6.0, section
/// 8).
const NEW_SUBFILE_TYPE: u64 = 254;

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
            let reason = "it ends before its first directory".to_owned();
            return Err(PageError::Broken {
                format: "TIFF",
                reason,
            });
        };
        Ok(Self {
            bytes,
            variant,
            offsets: offsets.into_iter(),
        })
    }
}

impl Iterator for Directories {
    type Item = Result<GrayImage, PageError>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.offsets.next()?;
        self.variant
            .write(&mut self.bytes, self.variant.first, offset);
        Some(raster::decode(&self.bytes))
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
        while next != 0 && !seen.contains(&next) && seen.len() < MAX_PAGES {
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
