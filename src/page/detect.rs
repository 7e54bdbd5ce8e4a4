//! Tells the format of a file by its content, since names may be wrong.

use image::ImageFormat;

use super::{Format, PageError};

/// Bytes from the start of a file in which a PDF header is looked for: readers accept it anywhere
/// in the first kilobyte, and some scanners need that.
const PDF_HEADER_RANGE: usize = 1024;

/// Number of bytes from the start of a file that tell its format.
pub(super) const MAX_HEAD_BYTES: u64 = PDF_HEADER_RANGE as u64;

/// Largest number of brands of an ISO base media file that are looked at.
const MAX_BRANDS: usize = 32;

// What is said of pictures that cannot be decoded.
const JPEG_XL: &str = "it is JPEG XL";
const AVIF: &str = "it is AVIF";
const RAW: &str = "it is a camera's raw picture";
const FOREIGN_PICTURES: [&str; 3] = [JPEG_XL, AVIF, RAW];

/// The format of a file with these bytes.
///
/// # Errors
/// [`PageError::Foreign`] with what the file is instead.
pub(super) fn detect_format(bytes: &[u8]) -> Result<Format, PageError> {
    let foreign = |what: String| Err(PageError::Foreign(what));
    if bytes.get(4..8) == Some(b"ftyp") {
        return detect_base_media(bytes);
    }
    if bytes.starts_with(b"\0\0\0\x0cjP  ") || bytes.starts_with(b"\xff\x4f\xff\x51") {
        return Ok(Format::Jpeg2000);
    }
    if bytes.starts_with(b"\0\0\0\x0cJXL ") || bytes.starts_with(b"\xff\x0a") {
        return foreign(JPEG_XL.to_owned());
    }
    // `guess_format` does not know BigTIFF.
    if bytes.starts_with(b"II\x2b\0") || bytes.starts_with(b"MM\0\x2b") {
        return Ok(Format::Tiff);
    }
    let head = &bytes[..bytes.len().min(PDF_HEADER_RANGE)];
    match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => Ok(Format::Jpeg),
        Ok(ImageFormat::Png) => Ok(Format::Png),
        Ok(ImageFormat::WebP) => Ok(Format::WebP),
        Ok(ImageFormat::Bmp) => Ok(Format::Bmp),
        Ok(ImageFormat::Gif) => Ok(Format::Gif),
        Ok(ImageFormat::Tiff) => Ok(Format::Tiff),
        Ok(other) => foreign(format!("it is {other:?}")),
        Err(_) if head.windows(5).any(|w| w == b"%PDF-") => Ok(Format::Pdf),
        Err(_) if head.starts_with(b"PK") => {
            foreign("it is a ZIP archive or an office document".to_owned())
        }
        Err(_) if is_text(head) => foreign("it is text".to_owned()),
        Err(_) => foreign("its content is of no known kind".to_owned()),
    }
}

/// The format of an ISO base media file (ISO/IEC 14496-12): its first box lists brands, the major
/// one first. A file of the general brand `mif1` names its codec by another one.
fn detect_base_media(bytes: &[u8]) -> Result<Format, PageError> {
    let length = u32::from_be_bytes(bytes[..4].try_into().expect("four bytes")) as usize;
    let length = length.clamp(12, 16 + 4 * MAX_BRANDS).min(bytes.len());
    let (brands, _) = bytes[8..length].as_chunks::<4>();
    let has = |wanted: &[&[u8; 4]]| brands.iter().any(|brand| wanted.contains(&brand));
    let foreign = |what: &str| Err(PageError::Foreign(what.to_owned()));
    match brands.first() {
        _ if has(&[b"avif", b"avis"]) => foreign(AVIF),
        _ if has(&[b"heic", b"heix", b"heim", b"heis", b"mif1", b"mif2"]) => Ok(Format::Heif),
        Some(b"crx ") => foreign(RAW),
        _ => foreign("it is a video"),
    }
}

/// Whether the first bytes of a file are those of a picture or a PDF, one that can be decoded or
/// not. The marks of some formats are words of two letters, and such a text is no picture.
pub(super) fn is_picture(head: &[u8]) -> bool {
    match detect_format(head) {
        Ok(Format::Pdf) => true,
        Ok(_) => !is_text(head),
        Err(PageError::Foreign(kind)) => FOREIGN_PICTURES.contains(&kind.as_str()),
        Err(_) => false,
    }
}

/// Whether the first bytes of a file are text.
fn is_text(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        // The last character may be cut.
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !head.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_media_file_is_told_by_all_its_brands() {
        let file = |brands: &[u8]| {
            let length = u32::try_from(8 + brands.len()).expect("a short box");
            [&length.to_be_bytes()[..], b"ftyp", brands].concat()
        };
        for brands in [
            &b"heic\0\0\0\0mif1heic"[..],
            b"mif1\0\0\0\0mif1heic",
            b"heix",
        ] {
            assert_eq!(detect_format(&file(brands)).ok(), Some(Format::Heif));
        }
        for (brands, kind) in [
            (&b"avif\0\0\0\0mif1"[..], "AVIF"),
            (b"mif1\0\0\0\0mif1avif", "AVIF"),
            (b"isom\0\0\x02\0isomiso2avc1mp41", "a video"),
            (b"crx \0\0\0\x01crx isom", "raw"),
            (b"", "a video"),
        ] {
            let error = detect_format(&file(brands)).expect_err("no picture");
            assert!(error.to_string().contains(kind), "{error}");
        }
    }
}
