//! The decoders that may recurse, loop or take memory without end, of PDF, HEIC and JPEG 2000.

use super::raster::Picture;
use super::{Format, PageError, heif, jpeg2000, pdf};
use crate::guard;

/// Decodes a page in this process; none where the file ends before it.
pub(super) fn decode(
    bytes: Vec<u8>,
    format: Format,
    number: u32,
) -> Option<Result<Picture, PageError>> {
    let page = guard::catch(|| match format {
        Format::Pdf => pdf::decode(bytes, number),
        _ if number > 1 => None,
        Format::Heif => Some(heif::decode(&bytes).map(Picture::whole)),
        Format::Jpeg2000 => Some(jpeg2000::decode(&bytes)),
        other => Some(Err(PageError::Foreign(format!("it is {other}")))),
    });
    page.unwrap_or_else(|panic| Some(Err(PageError::decoder_failed(format, &panic))))
}
