//! How much of its picture a JPEG 2000 file has, by the lengths of its parts (ITU T.800, annexes A
//! and I).

use std::collections::BTreeMap;

use super::Extent;

/// Index of the first size in a codestream: the markers SOC and SIZ, a length and the capabilities
/// stand before it.
const FIRST_SIZE: usize = 8;

/// The start of a codestream: the markers SOC and SIZ.
const START: [u8; 4] = [0xff, 0x4f, 0xff, 0x51];
const START_OF_TILE_PART: u16 = 0xff90;
const END: u16 = 0xffd9;

/// How much of its picture a file has.
pub(in crate::page) fn extent(bytes: &[u8]) -> Extent {
    find_codestream(bytes)
        .and_then(extent_of_codestream)
        .unwrap_or(Extent::Cut)
}

/// The codestream of a file, which may lie in a box; none where the file ends before it.
fn find_codestream(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    while !bytes[at..].starts_with(&START) {
        let length = u64::from(u32::from_be_bytes(field(bytes, at)?));
        let (head, length) = match length {
            1 => (16, u64::from_be_bytes(field(bytes, at + 8)?)),
            0 => (8, (bytes.len() - at) as u64),
            length => (8, length),
        };
        let end = at.checked_add(usize::try_from(length).ok()?)?;
        if field(bytes, at + 4)? == *b"jp2c" {
            return bytes.get(at + head..end.min(bytes.len()));
        }
        if length < head as u64 || end > bytes.len() {
            return None;
        }
        at = end;
    }
    Some(&bytes[at..])
}

/// The parts of a tile that a codestream has, and their number if it says so.
#[derive(Default)]
struct TileParts {
    found: u32,
    expected: u32,
}

/// How much of its picture a codestream has; none where it ends before its first tile, or its parts
/// do not follow each other.
fn extent_of_codestream(bytes: &[u8]) -> Option<Extent> {
    let tiles = count_tiles(bytes)?;
    let mut parts: BTreeMap<u16, TileParts> = BTreeMap::new();
    let mut at = 2;
    loop {
        let has_all = || {
            let mut parts = parts.values();
            parts.len() as u64 == tiles && parts.all(|tile| tile.found >= tile.expected)
        };
        if at == bytes.len() && has_all() {
            return Some(Extent::WithoutEnd);
        }
        match u16::from_be_bytes(field(bytes, at)?) {
            END => return Some(Extent::Whole),
            START_OF_TILE_PART => {
                let tile = u16::from_be_bytes(field(bytes, at + 4)?);
                let length = u32::from_be_bytes(field(bytes, at + 6)?) as usize;
                let [_, count] = field(bytes, at + 10)?;
                if length == 0 {
                    // It goes on to the end, which only the marker tells.
                    return bytes.ends_with(&END.to_be_bytes()).then_some(Extent::Whole);
                }
                let tile = parts.entry(tile).or_default();
                tile.found += 1;
                tile.expected = tile.expected.max(count.into());
                at = at.checked_add(length.max(12))?;
            }
            // A segment of the main header, with its length behind the marker.
            _ => at += 2 + usize::from(u16::from_be_bytes(field(bytes, at + 2)?)),
        }
    }
}

/// Number of tiles of a picture, by the SIZ marker segment at the start of its codestream. It has
/// the end of the picture, its start, the size of a tile and the start of the first tile: each
/// across and down, in four bytes.
fn count_tiles(bytes: &[u8]) -> Option<u64> {
    let number = |n: usize| {
        let number = field(bytes, FIRST_SIZE + 4 * n)?;
        Some(u64::from(u32::from_be_bytes(number)))
    };
    let along = |n: usize| {
        let (end, tile, first) = (number(n)?, number(4 + n)?, number(6 + n)?);
        (tile > 0).then(|| end.saturating_sub(first).div_ceil(tile))
    };
    along(0)?.checked_mul(along(1)?)
}

/// The bytes of a field; none beyond the end.
fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    let end = at.checked_add(N)?;
    bytes.get(at..end)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_whole_with_the_data_of_all_its_tiles() {
        let whole = include_bytes!("../../../tests/data/corner.jp2");
        assert_eq!(extent(whole), Extent::Whole);
        let end = whole.len();
        assert_eq!(extent(&whole[..end - 2]), Extent::WithoutEnd);
        for cut in (1..end - 2).rev().step_by(7) {
            assert_eq!(extent(&whole[..cut]), Extent::Cut, "{cut} bytes");
        }
    }
}
