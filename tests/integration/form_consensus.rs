//! Sheets of one form in one run: the layout of the others serves a sheet whose own table cannot be
//! found.

use std::fs;

use crate::bare_sheets::without_lines;
use crate::common::{Run, TestDir, check_games, games, samples};
use image::{GrayImage, Luma, imageops};

/// A folder with the second sample in three sizes, `a.png` to `c.png`, and its game.
fn three_sheets_of_a_form() -> (TestDir, String) {
    let dir = TestDir::new();
    let sample = &samples()[1];
    let sheet = image::open(sample).expect("a picture").to_luma8();
    for (name, size) in [("a.png", 1000), ("b.png", 950), ("c.png", 900)] {
        let (width, height) = (sheet.width() * size / 1000, sheet.height() * size / 1000);
        let smaller = imageops::resize(&sheet, width, height, imageops::FilterType::Triangle);
        smaller.save(dir.path(name)).expect("a saved picture");
    }
    let game = fs::read_to_string(sample.with_extension("pgn")).expect("its game");
    (dir, game)
}

fn scan(dir: &TestDir, sheets: &[&str]) -> Run {
    dir.run(&[&["scan", "-o", "g.pgn"], sheets].concat())
}

#[test]
fn a_sheet_without_lines_is_read_with_the_layout_of_the_others() {
    let (dir, game) = three_sheets_of_a_form();
    let bare = without_lines(&samples()[1]);
    bare.save(dir.path("d.png")).expect("a saved picture");
    // Alone it cannot be read, nor beside two sheets, which may both be wrong.
    for sheets in [&["d.png"][..], &["a.png", "b.png", "d.png"]] {
        let run = scan(&dir, sheets);
        assert_eq!(run.status, 2, "{:#?}", run.stderr);
        let line = run.line_about("d.png");
        assert!(line.contains("no move table found"), "{line}");
    }
    for read_before in [false, true] {
        let run = scan(&dir, &["a.png", "b.png", "c.png", "d.png"]);
        assert_eq!(run.status, 0, "{:#?}", run.stderr);
        // All four record the same game.
        check_games(&games(&dir.text("g.pgn")), std::slice::from_ref(&game));
        let has_line = |start: &str, end: &str| {
            let mut lines = run.stderr.iter();
            lines.any(|line| line.contains(start) && line.contains(end))
        };
        let reread = has_line("d.png: its table is laid as that of ", "");
        assert!(reread, "{:#?}", run.stderr);
        let cached = has_line("c.png: ", "read before");
        assert_eq!(cached, read_before, "{:#?}", run.stderr);
    }
}

#[test]
fn a_picture_without_a_sheet_gives_no_game_beside_others_either() {
    let (dir, _) = three_sheets_of_a_form();
    let noise = GrayImage::from_fn(900, 1200, |x, y| {
        let hash = (x / 7).wrapping_mul(2_654_435_761) ^ (y / 5).wrapping_mul(40_503);
        Luma([(hash >> 7) as u8])
    });
    noise.save(dir.path("d.png")).expect("a saved picture");
    let run = scan(&dir, &["a.png", "b.png", "c.png", "d.png"]);
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    assert!(run.line_about("d.png").contains("no move table found"));
    assert_eq!(games(&dir.text("g.pgn")).len(), 1);
}
