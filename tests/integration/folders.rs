//! A folder as a phone and a scanner leave it gives every game, and a line says what was left out.

use std::fs;
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageEncoder};

use crate::common::{TestDir, games, samples};

/// A picture as a phone held in this way stores it: the sensor's picture and an EXIF orientation.
fn phone_picture(upright: &DynamicImage, orientation: u8) -> Vec<u8> {
    let lying = match orientation {
        3 => upright.rotate180(),
        6 => upright.rotate270(),
        8 => upright.rotate90(),
        _ => upright.clone(),
    };
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 90);
    let exif = [
        &b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..],
        &[orientation],
        &[0; 6],
    ];
    encoder
        .set_exif_metadata(exif.concat())
        .expect("it takes EXIF");
    let luma = lying.to_luma8();
    let size = luma.dimensions();
    encoder
        .write_image(&luma, size.0, size.1, image::ExtendedColorType::L8)
        .expect("encoded");
    jpeg
}

#[test]
fn every_game_of_a_mixed_folder_is_read_and_the_rest_is_named() {
    let dir = TestDir::new();
    let sample = image::open(&samples()[1]).expect("a sample");
    fs::create_dir_all(dir.path("round/scans")).expect("a folder");
    for (name, orientation) in [
        ("IMG_1.JPG", 1),
        ("IMG_2.jfif", 6),
        ("IMG_3.jpe", 3),
        ("IMG_4.mpo", 8),
    ] {
        dir.write(
            &format!("round/{name}"),
            phone_picture(&sample, orientation),
        );
    }
    sample
        .to_rgb8()
        .save(dir.path("round/scans/a.gif"))
        .expect("saved");
    sample
        .to_luma8()
        .save(dir.path("round/scans/b.tif"))
        .expect("saved");
    dir.write("round/notes.txt", "board 3 is missing");
    dir.write("round/Thumbs.db", [0xd0, 0xcf, 0x11, 0xe0]);
    dir.write("round/.DS_Store", "");
    #[cfg(unix)]
    std::os::unix::fs::symlink(dir.path("round"), dir.path("round/scans/all")).expect("a link");
    let run = dir.run(&["scan", "round", "--no-pair", "-o", "games.pgn"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    assert_eq!(games(&dir.text("games.pgn")).len(), 6);
    let mut line =
        "round: 2 files are no pictures: Thumbs.db, notes.txt; 1 is hidden: .DS_Store".to_owned();
    if cfg!(unix) {
        line += "; 1 leads to what is read already: scans/all";
    }
    assert_eq!(run.line_about("notes.txt"), line);
}

#[test]
fn a_picture_that_cannot_be_read_is_a_sheet_without_a_game() {
    let dir = TestDir::new();
    fs::create_dir(dir.path("round")).expect("a folder");
    fs::copy(&samples()[1], dir.path("round/a.jpg")).expect("a copy");
    let avif = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corner.avif");
    fs::copy(avif, dir.path("round/b.avif")).expect("a copy");
    let run = dir.run(&["scan", "round", "-o", "games.pgn", "--quiet"]);
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    assert!(run.line_about("b.avif").contains("it is AVIF"));
    assert_eq!(games(&dir.text("games.pgn")).len(), 1);
}

/// Copies a folder with all that is in it.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let copy = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            fs::copy(&path, &copy).expect("a copy");
        }
    }
}

/// The moves of a game in PGN, without tags and comments.
fn moves(game: &str) -> String {
    let lines = game.lines().filter(|line| !line.starts_with('['));
    let text = lines.collect::<Vec<_>>().join(" ");
    let outside = text
        .split('{')
        .map(|part| part.rsplit('}').next().unwrap_or(part));
    let text = outside.collect::<Vec<_>>().join(" ");
    let words = text
        .split_whitespace()
        .filter(|word| !word.starts_with('$'));
    let words = words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()));
    let words = words
        .map(|word| word.trim_start_matches('.'))
        .filter(|word| !word.is_empty());
    words
        .filter(|word| !word.starts_with(['-', '/', '*']))
        .collect::<Vec<_>>()
        .join(" ")
}

/// `tests/data/folder` was written by Pillow, pillow-heif and img2pdf (`eval/mixed_folder.py`).
#[cfg(unix)]
#[test]
fn a_folder_that_other_programs_wrote_gives_every_game_and_one_line_about_the_rest() {
    let dir = TestDir::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/folder");
    copy_folder(&folder, &dir.path("round"));
    std::os::unix::fs::symlink("../IMG_1.JPG", dir.path("round/scans/link.jpg")).expect("a link");
    let run = dir.run(&["scan", "round", "--no-pair", "-o", "games.pgn"]);
    assert_eq!(run.status, 2, "blank backs are told: {:#?}", run.stderr);
    let expected = |number: usize| {
        let path = samples()[number - 1].with_extension("pgn");
        moves(&fs::read_to_string(path).expect("the game of a sample"))
    };
    let order = [6, 7, 2, 3, 6, 7, 6, 7, 2, 3, 6, 7, 2, 3];
    let games: Vec<String> = games(&dir.text("games.pgn"))
        .iter()
        .map(|g| moves(g))
        .collect();
    assert_eq!(games, order.map(expected));
    let blank = run
        .stderr
        .iter()
        .filter(|line| line.contains("the page is blank"));
    assert_eq!(blank.count(), 6, "{:#?}", run.stderr);
    assert_eq!(
        run.line_about("round: "),
        "round: 2 files are no pictures: Thumbs.db, notes.txt; 1 is hidden: ._IMG_1.JPG; \
         1 leads to what is read already: scans/link.jpg"
    );
}
