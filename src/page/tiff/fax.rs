//! TIFF pages with the compressions of older fax machines, which `image` does not know: Modified
//! Huffman and group 3 (ITU-T T.4). Group 4 it does.

use std::io::{Read, Seek};

use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;
use hayro_ccitt::{DecodeSettings, DecoderContext, EncodingMode, decode as decode_rows};
use image::GrayImage;

use super::{Tags, broken};
use crate::page::PageError;

/// The value of tag Compression for Modified Huffman without line ends.
const MODIFIED_HUFFMAN: u32 = 2;
/// The value of tag Compression for group 3.
const GROUP_3: u32 = 3;
/// The bit of tag T4Options for two-dimensional coding.
const TWO_DIMENSIONAL: u32 = 1;
/// The value of tag FillOrder for bytes whose lowest bit comes first.
const LOWEST_BIT_FIRST: u32 = 2;

/// Whether a page has one of these compressions.
pub(super) fn is_fax(tags: &Tags) -> bool {
    matches!(tags.compression, MODIFIED_HUFFMAN | GROUP_3)
}

/// Decodes a page.
pub(super) fn decode<R: Read + Seek>(
    bytes: &[u8],
    decoder: &mut Decoder<R>,
    tags: &Tags,
) -> Result<GrayImage, PageError> {
    let mut number = |tag| decoder.find_tag_unsigned::<u32>(tag).map_err(broken);
    let options = number(Tag::Unknown(292))?.unwrap_or(0);
    let rows_per_strip = number(Tag::RowsPerStrip)?.unwrap_or(u32::MAX);
    let is_reversed = number(Tag::FillOrder)? == Some(LOWEST_BIT_FIRST);
    let mut numbers = |tag| {
        let numbers = decoder.find_tag_unsigned_vec::<u64>(tag);
        numbers.map_err(broken).map(Option::unwrap_or_default)
    };
    let offsets = numbers(Tag::StripOffsets)?;
    let lengths = numbers(Tag::StripByteCounts)?;
    let (width, height) = tags.size;
    let mut page = Rows::new(tags);
    for (offset, length) in offsets.into_iter().zip(lengths) {
        let end = offset.saturating_add(length);
        let strip = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
        let strip = strip.and_then(|(start, end)| bytes.get(start..end));
        let strip = strip.ok_or_else(|| broken("it ends too early"))?;
        let reversed: Vec<u8>;
        let strip = if is_reversed {
            reversed = strip.iter().map(|byte| byte.reverse_bits()).collect();
            &reversed
        } else {
            strip
        };
        let rows = rows_per_strip.min(height - page.rows());
        let settings = DecodeSettings {
            columns: width,
            rows,
            end_of_block: true,
            end_of_line: tags.compression == GROUP_3,
            rows_are_byte_aligned: tags.compression == MODIFIED_HUFFMAN,
            encoding: if tags.compression == GROUP_3 && options & TWO_DIMENSIONAL != 0 {
                EncodingMode::Group3_2D
            } else {
                EncodingMode::Group3_1D
            },
            strict: false,
        };
        let mut context = DecoderContext::new(settings);
        decode_rows(strip, &mut page, &mut context).map_err(|why| broken(format!("{why:?}")))?;
        if page.rows() >= height {
            break;
        }
    }
    page.finish()
}

/// The rows of a page that are decoded so far, a byte a pixel.
struct Rows {
    luma: Vec<u8>,
    size: (u32, u32),
    /// The luma of the colour that a row begins with, and of the other one.
    colours: [u8; 2],
}

impl Rows {
    fn new(tags: &Tags) -> Self {
        Self {
            luma: Vec::new(),
            size: tags.size,
            colours: if tags.zero_is_black {
                [0, 255]
            } else {
                [255, 0]
            },
        }
    }

    /// Number of rows.
    fn rows(&self) -> u32 {
        self.luma.len() as u32 / self.size.0
    }

    /// The page, if all its rows are there.
    fn finish(self) -> Result<GrayImage, PageError> {
        let (width, height) = self.size;
        GrayImage::from_raw(width, height, self.luma).ok_or_else(|| broken("it ends too early"))
    }
}

impl hayro_ccitt::Decoder for Rows {
    fn push_row(&mut self, changes: &[u32]) {
        let (width, height) = self.size;
        if self.rows() == height {
            return;
        }
        let start = self.luma.len();
        let mut colours = self.colours.into_iter().cycle();
        for &change in changes.iter().chain([&width]) {
            let end = start + change.min(width) as usize;
            self.luma.resize(end, colours.next().unwrap_or(255));
        }
    }
}
