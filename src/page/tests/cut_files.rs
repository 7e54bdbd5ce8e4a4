//! Files that are cut short, and pages whose picture is.

use super::*;

#[test]
fn a_file_that_is_cut_short_is_never_taken_for_a_whole_page() {
    let grain = GrayImage::from_fn(96, 64, |x, y| Luma([(x * 37 + y * 91 + x * y * 13) as u8]));
    let rgb = DynamicImage::ImageLuma8(grain).into_rgb8();
    for format in PICTURE_FORMATS {
        let whole = encode(rgb.clone(), format);
        for share in [20, 50, 90] {
            match pages(&whole[..whole.len() * share / 100]).remove(0) {
                Err(error) => assert!(
                    matches!(error, PageError::Broken { .. }),
                    "{format:?} at {share} %: {error}"
                ),
                // The page says what it lost.
                Ok(page) => assert!(
                    page.missing.is_some_and(|missing| !missing.y.is_empty()),
                    "{format:?} at {share} %"
                ),
            }
        }
    }
    let whole = pdf();
    assert!(matches!(
        error(&whole[..whole.len() / 10]),
        PageError::Broken { .. } | PageError::NoPages
    ));
}

#[test]
fn a_jpeg_that_lost_only_its_end_mark_lost_nothing() {
    let sheet = image::imageops::resize(&sheet(), 240, 160, image::imageops::Nearest);
    let whole = encode(sheet, ImageFormat::Jpeg);
    let page = pages(&whole[..whole.len() - 2]).remove(0).unwrap();
    assert!(is_upright(&image::imageops::thumbnail(&page.luma, 24, 16)));
    let nothing = MissingPart {
        x: 0..240,
        y: 160..160,
    };
    assert_eq!(page.missing, Some(nothing));
}

#[test]
fn a_progressive_jpeg_without_its_end_mark_is_whole_with_all_its_scans_only() {
    let whole = include_bytes!("../../../tests/data/corner_progressive.jpg");
    let page = pages(&whole[..whole.len() - 2]).remove(0).unwrap();
    assert!(is_upright(&page.luma));
    assert!(page.missing.is_some_and(|missing| missing.y.is_empty()));
    let scans: Vec<usize> = whole
        .windows(2)
        .enumerate()
        .filter(|(_, marker)| *marker == [0xff, 0xda])
        .map(|(at, _)| at)
        .collect();
    assert!(scans.len() > 2, "each scan refines the picture");
    for cut in &scans[1..] {
        assert!(matches!(error(&whole[..*cut]), PageError::Broken { .. }));
    }
}

#[test]
fn a_jpeg_2000_file_that_is_cut_short_is_no_page() {
    let whole = include_bytes!("../../../tests/data/corner.jp2");
    for cut in [whole.len() - 3, whole.len() - 40] {
        assert!(matches!(error(&whole[..cut]), PageError::Broken { .. }));
    }
    let page = pages(&whole[..whole.len() - 2]).remove(0).unwrap();
    assert!(page.missing.is_some_and(|missing| missing.y.is_empty()));
}

/// A PDF page of one picture of this size, with these entries and bytes, and a black bar drawn
/// beside it.
fn pdf_of_picture([width, height]: [u32; 2], entries: &str, picture: &[u8]) -> Vec<u8> {
    let content = "0 0 60 10 re f q 240 0 0 160 0 0 cm /P Do Q";
    let mut file = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 240 160] /Contents 4 0 R \
         /Resources << /XObject << /P 5 0 R >> >> >>\nendobj\n\
         4 0 obj\n<< /Length {} >>\nstream\n{content}\nendstream\nendobj\n\
         5 0 obj\n<< /Type /XObject /Subtype /Image /Width {width} /Height {height} \
         /BitsPerComponent 8 {entries} /Length {} >>\nstream\n",
        content.len(),
        picture.len()
    )
    .into_bytes();
    file.extend(picture);
    file.extend(b"\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n");
    file
}

#[test]
fn a_page_of_a_pdf_whose_picture_is_cut_short_is_no_page() {
    let jpeg = encode(sheet(), ImageFormat::Jpeg);
    let progressive = include_bytes!("../../../tests/data/corner_progressive.jpg");
    let jpeg_2000 = include_bytes!("../../../tests/data/corner.jp2");
    let samples = sheet().into_raw();
    let hexadecimal: String = samples.iter().map(|byte| format!("{byte:02x}")).collect();
    for (entries, picture) in [
        ("/ColorSpace /DeviceGray /Filter /DCTDecode", &jpeg[..]),
        ("/ColorSpace /DeviceRGB /Filter /DCTDecode", progressive),
        ("/Filter /JPXDecode", jpeg_2000),
        ("/ColorSpace /DeviceGray", &samples),
        (
            "/ColorSpace /DeviceGray /Filter /ASCIIHexDecode",
            hexadecimal.as_bytes(),
        ),
    ] {
        let whole = pages(&pdf_of_picture([24, 16], entries, picture)).remove(0);
        let whole = whole.unwrap_or_else(|error| panic!("{entries}: {error}"));
        assert_eq!(whole.missing, None, "{entries}");
        for cut in [picture.len() / 2, picture.len() * 9 / 10] {
            let error = error(&pdf_of_picture([24, 16], entries, &picture[..cut]));
            assert!(
                error.to_string().contains("is not whole"),
                "{entries}: {error}"
            );
        }
    }
    // A picture of a few bytes could as well have lost some.
    let larger = image::imageops::resize(&sheet(), 240, 160, image::imageops::Nearest);
    let larger = encode(larger, ImageFormat::Jpeg);
    let entries = "/ColorSpace /DeviceGray /Filter /DCTDecode";
    let page = pages(&pdf_of_picture(
        [240, 160],
        entries,
        &larger[..larger.len() - 2],
    ))
    .remove(0);
    let page = page.unwrap();
    assert!(page.missing.is_some_and(|missing| missing.y.is_empty()));
}

#[test]
fn a_page_of_a_pdf_that_lost_its_picture_is_no_page_whatever_else_is_on_it() {
    let entries = "/ColorSpace /DeviceGray /Filter /DCTDecode";
    let undecodable = pdf_of_picture([24, 16], entries, b"\xff\xd8 and nothing else \xff\xd9");
    assert!(matches!(error(&undecodable), PageError::Broken { .. }));
    // The file ends before its picture, and its table of objects is found by a search.
    let whole = pdf_of_picture([24, 16], entries, &encode(sheet(), ImageFormat::Jpeg));
    let picture = whole.windows(7).position(|w| w == b"5 0 obj").unwrap();
    for cut in [picture, picture + 200] {
        assert!(matches!(error(&whole[..cut]), PageError::Broken { .. }));
    }
}
