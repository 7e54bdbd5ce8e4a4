//! Checks that a JPEG file is not cut short.

/// Whether the first picture of a JPEG file runs to its end marker (ITU T.81, annex B).
///
/// `image` decodes leniently: what is missing comes out grey, without an error. On a score sheet
/// moves would be lost in silence, so the markers are walked before decoding. Thumbnails inside a
/// segment are skipped with it, and what phones append behind the end marker (depth maps, videos)
/// is ignored.
pub(super) fn is_complete(bytes: &[u8]) -> bool {
    let mut at = 2;
    loop {
        // Find the next marker. In entropy-coded data FF 00 is a stuffed byte, FF FF is fill, and
        // FF D0 to FF D7 are restart markers.
        let marker = loop {
            let Some(found) = bytes
                .get(at..)
                .and_then(|rest| rest.iter().position(|&b| b == 0xff))
            else {
                return false;
            };
            at += found + 1;
            match bytes.get(at) {
                None => return false,
                Some(0x00 | 0x01 | 0xd0..=0xd7) => at += 1,
                Some(0xff) => {}
                Some(&marker) => break marker,
            }
        };
        at += 1;
        if marker == 0xd9 {
            return true;
        }
        let Some(length) = bytes.get(at..at + 2) else {
            return false;
        };
        at += usize::from(u16::from_be_bytes([length[0], length[1]]));
    }
}
