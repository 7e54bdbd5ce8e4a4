//! The pages of a TIFF file.
//!
//! `image` decodes the first directory of a TIFF only. A directory is reached from the file's header by its
//! offset, so page n is decoded by writing its offset into the header of our copy. That keeps all colour types and
//! compressions (CCITT G4 among them) in one place, `image`, and needs no other crate.

use std::ops::Range;

use image::GrayImage;

use super::{PageError, raster};

/// More directories than any bound scan has; a damaged chain may be endless.
const MAX_PAGES: usize = 10_000;
/// Tag 254, NewSubfileType; its lowest bit says "a reduced copy of another image" (TIFF 6.0, section 8).
const NEW_SUBFILE_TYPE: u64 = 254;

/// Steps through the image directories of a TIFF file.
pub(super) struct Directories {
    bytes: Vec<u8>,
    layout: Layout,
    offsets: std::vec::IntoIter<u64>,
}

impl Directories {
    /// Finds the directories of a file; thumbnails are left out.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, PageError> {
        let offsets =
            Layout::of(&bytes).and_then(|layout| Some((layout, layout.directories(&bytes)?)));
        let Some((layout, offsets)) = offsets else {
            let reason = "it ends before its first directory".to_owned();
            return Err(PageError::Broken {
                format: "TIFF",
                reason,
            });
        };
        Ok(Self {
            bytes,
            layout,
            offsets: offsets.into_iter(),
        })
    }
}

impl Iterator for Directories {
    type Item = Result<GrayImage, PageError>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.offsets.next()?;
        self.layout
            .write(&mut self.bytes, self.layout.first, offset);
        Some(raster::decode(&self.bytes))
    }
}

/// Byte order and field widths: classic TIFF or BigTIFF.
#[derive(Clone, Copy)]
struct Layout {
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

impl Layout {
    fn of(bytes: &[u8]) -> Option<Self> {
        let little = bytes.starts_with(b"II");
        let mut layout = Self {
            little,
            first: 4,
            offset: 4,
            count: 2,
            entry: 12,
        };
        match layout.number(bytes, 2..4)? {
            42 => {}
            43 => {
                layout = Self {
                    little,
                    first: 8,
                    offset: 8,
                    count: 8,
                    entry: 20,
                }
            }
            _ => return None,
        }
        Some(layout)
    }

    /// Offsets of the full-size images; `None` where not even the first directory is there.
    fn directories(&self, bytes: &[u8]) -> Option<Vec<u64>> {
        let mut seen = Vec::new();
        let mut offsets = Vec::new();
        let mut next = self.field(bytes, self.first, self.offset)?;
        while next != 0 && !seen.contains(&next) && seen.len() < MAX_PAGES {
            seen.push(next);
            let Some((reduced, following)) = self.directory(bytes, next) else {
                // The chain breaks off: the decoder will say so when it comes to this page.
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
                // The value stands in the entry's last bytes, where an offset would.
                && self.field(bytes, at + self.entry - self.offset, 4).is_some_and(|v| v & 1 == 1)
        });
        Some((reduced, following))
    }

    fn field(&self, bytes: &[u8], at: usize, width: usize) -> Option<u64> {
        self.number(bytes, at..at.checked_add(width)?)
    }

    fn number(&self, bytes: &[u8], range: Range<usize>) -> Option<u64> {
        let field = bytes.get(range)?;
        let append = |n: u64, b: &u8| n << 8 | u64::from(*b);
        Some(if self.little {
            field.iter().rev().fold(0, append)
        } else {
            field.iter().fold(0, append)
        })
    }

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
