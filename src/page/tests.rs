use std::io::Cursor;
use std::path::PathBuf;

use image::{DynamicImage, GrayImage, ImageEncoder, ImageFormat, Luma, LumaA};

use super::*;

mod cut_files;

/// The formats of a single picture that the image crate writes.
const PICTURE_FORMATS: [ImageFormat; 6] = [
    ImageFormat::Jpeg,
    ImageFormat::Png,
    ImageFormat::WebP,
    ImageFormat::Bmp,
    ImageFormat::Gif,
    ImageFormat::Tiff,
];

/// White paper of 24 x 16 pixels with a black mark of 8 x 8 in its top left corner.
fn sheet() -> GrayImage {
    GrayImage::from_fn(24, 16, |x, y| Luma([if x < 8 && y < 8 { 0 } else { 255 }]))
}

/// Whether a page of 24 x 16 has its mark where it belongs; lossy formats may be off a little.
fn is_upright(page: &GrayImage) -> bool {
    let ink = |x, y| page.get_pixel(x, y).0[0] < 60;
    let paper = |x, y| page.get_pixel(x, y).0[0] > 195;
    page.dimensions() == (24, 16) && ink(3, 3) && paper(20, 3) && paper(3, 12) && paper(20, 12)
}

fn encode(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A file of a name that says nothing, deleted with the folder.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.dat");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn pages(bytes: &[u8]) -> Vec<Result<Page, PageError>> {
    let (_folder, path) = file(bytes);
    match open(&path) {
        Ok(pages) => pages.collect(),
        Err(error) => vec![Err(error)],
    }
}

fn only_page(bytes: &[u8]) -> GrayImage {
    let mut pages = pages(bytes);
    assert_eq!(pages.len(), 1);
    pages.remove(0).unwrap().luma
}

fn error(bytes: &[u8]) -> PageError {
    pages(bytes).remove(0).unwrap_err()
}

#[test]
fn every_picture_format_is_told_by_its_content() {
    for format in PICTURE_FORMATS {
        let rgb = DynamicImage::ImageLuma8(sheet()).into_rgb8();
        assert!(is_upright(&only_page(&encode(rgb, format))), "{format:?}");
    }
}

#[test]
fn sixteen_bits_and_transparency_come_out_as_ink_on_paper() {
    let deep = DynamicImage::ImageLuma8(sheet()).into_luma16();
    assert!(is_upright(&only_page(&encode(deep, ImageFormat::Png))));
    // Black ink on a transparent ground whose hidden colour is black too.
    let ink = sheet();
    let clear =
        image::ImageBuffer::from_fn(24, 16, |x, y| LumaA([0, 255 - ink.get_pixel(x, y).0[0]]));
    assert!(is_upright(&only_page(&encode(
        DynamicImage::ImageLumaA8(clear),
        ImageFormat::Png
    ))));
}

#[test]
fn exif_orientation_is_applied_to_jpeg_and_png() {
    // What a phone held upright stores: the picture of the sensor, which lies on its side, and the
    // orientation "turn by 90 degrees clockwise".
    let lying = image::imageops::rotate270(&sheet());
    let exif =
        [&b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"[..]].concat();
    let (w, h) = lying.dimensions();
    let mut jpeg = Vec::new();
    let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 95);
    encoder.set_exif_metadata(exif.clone()).unwrap();
    encoder
        .write_image(&lying, w, h, image::ExtendedColorType::L8)
        .unwrap();
    assert!(is_upright(&only_page(&jpeg)));
    let mut png = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut png);
    encoder.set_exif_metadata(exif).unwrap();
    encoder
        .write_image(&lying, w, h, image::ExtendedColorType::L8)
        .unwrap();
    assert!(is_upright(&only_page(&png)));
}

/// A TIFF file with a thumbnail before its two pages; the second lies on its side and says so.
fn multi_page_tiff() -> Vec<u8> {
    use ::tiff::encoder::{TiffEncoder, colortype::Gray8};
    use ::tiff::tags::Tag;
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut page = encoder.new_image::<Gray8>(1, 1).unwrap();
    page.encoder().write_tag(Tag::Unknown(254), 1u32).unwrap();
    page.write_data(&[0]).unwrap();
    encoder.write_image::<Gray8>(24, 16, &sheet()).unwrap();
    let lying = image::imageops::rotate270(&sheet());
    let mut page = encoder.new_image::<Gray8>(16, 24).unwrap();
    page.encoder().write_tag(Tag::Orientation, 6u16).unwrap();
    page.write_data(&lying).unwrap();
    bytes.into_inner()
}

#[test]
fn a_tiff_gives_every_page_upright_and_no_thumbnail() {
    let pages = pages(&multi_page_tiff())
        .into_iter()
        .map(Result::unwrap)
        .collect::<Vec<_>>();
    assert_eq!(
        pages.iter().map(|page| page.number).collect::<Vec<_>>(),
        [1, 2]
    );
    assert!(pages.iter().all(|page| is_upright(&page.luma)));
    assert_eq!(pages[0].sha256, pages[1].sha256);
}

/// Files that libtiff, libheif, OpenJPEG and Pillow wrote: white paper of 24 x 16 pixels with a
/// black mark in its top left corner.
#[test]
fn what_other_programs_write_is_read() {
    for (name, bytes) in [
        ("G4", &include_bytes!("../../tests/data/corner_g4.tif")[..]),
        ("G3", include_bytes!("../../tests/data/corner_g3.tif")),
        (
            "G3 in two dimensions",
            include_bytes!("../../tests/data/corner_g3_2d.tif"),
        ),
        (
            "G3 with fill bits",
            include_bytes!("../../tests/data/corner_g3_fill.tif"),
        ),
        (
            "lowest bit first",
            include_bytes!("../../tests/data/corner_reversed.tif"),
        ),
        (
            "Modified Huffman",
            include_bytes!("../../tests/data/corner_mh.tif"),
        ),
        (
            "palette",
            include_bytes!("../../tests/data/corner_palette.tif"),
        ),
        ("BigTIFF", include_bytes!("../../tests/data/corner_big.tif")),
        ("GIF", include_bytes!("../../tests/data/corner.gif")),
        ("JPEG 2000", include_bytes!("../../tests/data/corner.jp2")),
        ("HEIC", include_bytes!("../../tests/data/corner.heic")),
        (
            "HEIC on its side",
            include_bytes!("../../tests/data/corner_turned.heic"),
        ),
    ] {
        assert!(is_upright(&only_page(bytes)), "{name}");
    }
}

/// A PDF of two pages of 72 x 48 points, each filled by the same JPEG picture, the second page
/// turned by 180 degrees.
fn pdf() -> Vec<u8> {
    let scan = image::imageops::resize(&sheet(), 240, 160, image::imageops::Nearest);
    let jpeg = encode(scan, ImageFormat::Jpeg);
    let stream = |facts: &str, data: &[u8]| {
        let head = format!("<< {facts} /Length {} >>\nstream\n", data.len());
        [head.as_bytes(), data, b"\nendstream"].concat()
    };
    let page = |rotate: u32| {
        let facts = "/Type /Page /Parent 2 0 R /MediaBox [0 0 72 48] /Contents 5 0 R";
        let resources = "/Resources << /XObject << /Im 6 0 R >> >>";
        format!("<< {facts} /Rotate {rotate} {resources} >>").into_bytes()
    };
    let picture = "/Type /XObject /Subtype /Image /Width 240 /Height 160 /ColorSpace /DeviceGray \
                   /BitsPerComponent 8 /Filter /DCTDecode";
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>".to_vec(),
        page(0),
        page(180),
        stream("", b"q 72 0 0 48 0 0 cm /Im Do Q"),
        stream(picture, &jpeg),
    ];
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (i, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", bytes.len());
        bytes.extend(
            [
                format!("{} 0 obj\n", i + 1).as_bytes(),
                object,
                b"\nendobj\n",
            ]
            .concat(),
        );
    }
    let start = bytes.len();
    bytes.extend(
        format!("{table}trailer << /Size 7 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes(),
    );
    bytes
}

#[test]
fn a_pdf_gives_every_page_at_a_size_that_can_be_read() {
    let pages = pages(&pdf())
        .into_iter()
        .map(Result::unwrap)
        .collect::<Vec<_>>();
    assert_eq!(pages.len(), 2);
    for (page, turned) in pages.iter().zip([false, true]) {
        assert!(
            page.luma.width().max(page.luma.height()) >= 2000,
            "{:?}",
            page.luma.dimensions()
        );
        let mut small = image::imageops::thumbnail(&page.luma, 24, 16);
        if turned {
            image::imageops::rotate180_in_place(&mut small);
        }
        assert!(is_upright(&small));
    }
}

#[test]
fn what_is_no_picture_is_refused_by_its_kind() {
    assert!(matches!(error(b""), PageError::Empty));
    for (bytes, kind) in [
        (&b"1. e4 e5 2. Nf3"[..], "text"),
        (include_bytes!("../../tests/data/corner.avif"), "AVIF"),
        (b"\0\0\0\x0cJXL \x0d\x0a\x87\x0a", "JPEG XL"),
        (b"\0\0\0\x18ftypisom\0\0\0\0", "video"),
        (b"PK\x03\x04\x14\0\0\0", "ZIP"),
        (b"\x7fELF\x02\x01\x01\0", "no known kind"),
    ] {
        let error = error(bytes);
        assert!(matches!(error, PageError::Foreign(_)));
        assert!(error.to_string().contains(kind), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_not_opened() {
    assert!(matches!(
        open("/dev/zero".as_ref()),
        Err(PageError::NotAFile)
    ));
}

#[test]
fn pages_that_are_passed_over_are_not_counted_wrongly() {
    for (bytes, pages) in [(multi_page_tiff(), 2), (pdf(), 2)] {
        let (_folder, path) = file(&bytes);
        let mut last = open(&path).unwrap();
        assert_eq!(last.nth(pages - 1).unwrap().unwrap().number, pages as u32);
        assert!(last.next().is_none());
        assert!(open(&path).unwrap().nth(pages).is_none());
    }
}

#[test]
fn a_folder_and_a_missing_file_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(open(folder.path()), Err(PageError::Folder)));
    assert!(matches!(
        open(&folder.path().join("none.jpg")),
        Err(PageError::Unreadable(_))
    ));
}

#[test]
fn the_rest_of_a_file_is_left_out_after_many_pages_that_cannot_be_read() {
    // Directories without a picture, one after the other.
    let mut tiff = b"II\x2a\0\x08\0\0\0".to_vec();
    for _ in 0..200 {
        let next = u32::try_from(tiff.len() + 6).unwrap();
        tiff.extend([0, 0]);
        tiff.extend(next.to_le_bytes());
    }
    let pages = pages(&tiff);
    assert_eq!(pages.len() as u32, MAX_FAILED_PAGES + 1);
    let told = pages.into_iter().next_back().unwrap().unwrap_err();
    assert!(told.to_string().contains("rest of the file is left out"));
}

#[test]
fn a_file_that_asks_for_too_much_memory_beside_its_picture_is_refused() {
    // The header of a progressive JPEG of 9000 x 9000 pixels with colours at full resolution.
    let whole = include_bytes!("../../tests/data/corner_progressive.jpg");
    let mut large = whole.to_vec();
    let frame = large.windows(2).position(|w| w == [0xff, 0xc2]).unwrap();
    let [high, low] = 9000u16.to_be_bytes();
    large[frame + 5..frame + 9].copy_from_slice(&[high, low, high, low]);
    large[frame + 11] = 0x11;
    assert!(matches!(error(&large), PageError::TooLarge { .. }));
}

#[test]
fn a_bomb_is_refused_by_its_header() {
    // The header of a PNG of 40000 x 40000 pixels at one bit; its data would unpack to 200 MB.
    let mut png = encode(sheet(), ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
    let crc = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    assert!(matches!(
        error(&png),
        PageError::TooLarge {
            width: 40_000,
            height: 40_000
        }
    ));
}

/// The checksum of a PNG chunk (ISO 3309), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| {
        if crc & 1 == 1 {
            crc >> 1 ^ 0xedb8_8320
        } else {
            crc >> 1
        }
    };
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), step)
    })
}

#[test]
fn errors_fit_a_line_and_end_without_a_full_stop() {
    for bytes in [
        &b""[..],
        b"text",
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"%PDF-1.4",
        b"II\x2a\0\xff\xff\xff\xff",
    ] {
        let text = error(bytes).to_string();
        assert!(
            !text.contains('\n') && !text.ends_with('.') && text.contains("; "),
            "{text}"
        );
    }
}

#[test]
fn the_working_copy_keeps_the_proportions() {
    let page = Page::new(PathBuf::new(), 1, String::new(), GrayImage::new(3000, 4000));
    assert_eq!(page.working.dimensions(), (1200, 1600));
    assert!((page.scale - 0.4).abs() < 1e-9);
    let small = Page::new(PathBuf::new(), 1, String::new(), GrayImage::new(30, 40));
    assert_eq!((small.working.dimensions(), small.scale), ((30, 40), 1.0));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(4),
        ..Default::default()
    })]

    /// Whatever bytes follow a known beginning, there is a page or an error, and no panic.
    #[test]
    fn no_bytes_make_it_panic(
        kind in 0usize..12,
        at in 0usize..400,
        patch in proptest::collection::vec(0u8.., 1..40),
    ) {
        let mut bytes = match kind {
            0 => encode(sheet(), ImageFormat::Jpeg),
            1 => encode(sheet(), ImageFormat::Png),
            2 => encode(DynamicImage::ImageLuma8(sheet()).into_rgb8(), ImageFormat::WebP),
            3 => encode(sheet(), ImageFormat::Bmp),
            4 => multi_page_tiff(),
            5 => include_bytes!("../../tests/data/corner_g4.tif").to_vec(),
            6 => include_bytes!("../../tests/data/corner_g3.tif").to_vec(),
            7 => include_bytes!("../../tests/data/corner_palette.tif").to_vec(),
            8 => include_bytes!("../../tests/data/corner.heic").to_vec(),
            9 => include_bytes!("../../tests/data/corner.jp2").to_vec(),
            10 => include_bytes!("../../tests/data/corner.gif").to_vec(),
            _ => pdf(),
        };
        let at = at.min(bytes.len());
        let end = (at + patch.len()).min(bytes.len());
        bytes.splice(at..end, patch);
        for page in pages(&bytes) {
            if let Err(error) = page {
                proptest::prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
