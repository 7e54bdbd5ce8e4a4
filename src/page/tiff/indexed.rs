//! TIFF pages whose pixels are entries of a palette or grey levels of two or four bits, which
//! `image` does not know.

use std::io::{Read, Seek};

use ::tiff::decoder::{Decoder, DecodingResult};
use ::tiff::tags::Tag;
use image::GrayImage;

use super::{Tags, broken};
use crate::page::{PageError, raster};

/// Bits of a pixel that are read here.
const BITS: [u32; 4] = [1, 2, 4, 8];

/// Whether a page has such pixels.
pub(super) fn is_indexed(tags: &Tags) -> bool {
    let has_few_bits = tags.samples == 1 && matches!(tags.bits, 2 | 4);
    BITS.contains(&tags.bits) && (tags.is_palette || has_few_bits)
}

/// Decodes a page. `decoder` takes its pixels for grey levels, and must be told so where they are
/// entries of a palette.
pub(super) fn decode<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    tags: &Tags,
) -> Result<GrayImage, PageError> {
    let (width, height) = tags.size;
    let levels = 1_usize << tags.bits;
    let luma: Vec<u8> = if tags.is_palette {
        let colours = decoder.get_tag_u16_vec(Tag::ColorMap).map_err(broken)?;
        if colours.len() < 3 * levels {
            return Err(broken("its palette is cut short"));
        }
        let channel = |i: usize| (colours[i] >> 8) as u8;
        let rgb = |i| [channel(i), channel(levels + i), channel(2 * levels + i)];
        (0..levels).map(|i| raster::luma(rgb(i))).collect()
    } else {
        (0..levels)
            .map(|i| (i * 255 / (levels - 1)) as u8)
            .collect()
    };
    let DecodingResult::U8(packed) = decoder.read_image().map_err(broken)? else {
        return Err(broken("its pixels are of another size than it says"));
    };
    let bits = tags.bits as usize;
    let row_bytes = (width as usize * bits).div_ceil(8);
    if packed.len() < row_bytes * height as usize {
        return Err(broken("it ends too early"));
    }
    let level = |x: u32, y: u32| {
        let bit = x as usize * bits;
        let byte = packed[y as usize * row_bytes + bit / 8];
        usize::from(byte) >> (8 - bits - bit % 8) & (levels - 1)
    };
    let picture = GrayImage::from_fn(width, height, |x, y| image::Luma([luma[level(x, y)]]));
    Ok(picture)
}
