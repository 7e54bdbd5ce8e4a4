//! Layouts of forms: taken from a picture, corrected, refused, and used on pages whose table is not
//! detected.

use std::fs;
use std::path::Path;

use crate::common::{self, Run, TestDir, check_games, games, samples};
use image::{GrayImage, Luma, imageops};
use sheetscan::geometry::Point;
use sheetscan::grid::{self, layout::FormLayout};
use sheetscan::page;
use sheetscan::patch::{self, Canvas};

const PAPER_GREY: Luma<u8> = Luma([214]);

/// Scans a sheet with a layout, and returns its games.
fn scan(dir: &TestDir, sheet: &str, layout: &str) -> (Run, Vec<String>) {
    let run = dir.run(&[
        "scan",
        sheet,
        "--layout",
        layout,
        "-q",
        "--no-cache",
        "-o",
        "game.pgn",
    ]);
    let found = games(&dir.text("game.pgn"));
    (run, found)
}

fn game_of(sample: &Path) -> String {
    fs::read_to_string(sample.with_extension("pgn")).expect("its game")
}

#[test]
fn a_sheet_read_with_its_own_layout_gives_the_same_game() {
    let dir = TestDir::new();
    for sample in samples() {
        let path = sample.to_str().expect("UTF-8");
        let run = dir.run(&["layout", path, "-o", "form.toml"]);
        assert_eq!((run.status, run.stderr.len()), (0, 0), "{:#?}", run.stderr);
        let (run, found) = scan(&dir, path, "form.toml");
        assert!(matches!(run.status, 0 | 2), "{path}: {:#?}", run.stderr);
        check_games(&found, &[game_of(&sample)]);
        let text = dir.text("form.toml");
        let layout = FormLayout::parse(&text).expect("what was written is a layout");
        assert_eq!(layout.to_toml(), text, "{path}");
    }
}

#[test]
fn the_table_is_searched_for_where_another_picture_of_the_form_has_it() {
    let dir = TestDir::new();
    let sample = &samples()[5];
    let path = sample.to_str().expect("UTF-8");
    let run = dir.run(&["layout", path, "-o", "form.toml"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    // The sheet lies off the middle of a larger picture, and is smaller in it.
    let sheet = image::open(sample).expect("a picture").to_luma8();
    let (width, height) = sheet.dimensions();
    let smaller = imageops::resize(
        &sheet,
        width * 5 / 6,
        height * 5 / 6,
        imageops::FilterType::Triangle,
    );
    let mut table_top = GrayImage::from_pixel(width, height, Luma([70]));
    imageops::replace(&mut table_top, &smaller, i64::from(width / 10), 5);
    table_top
        .save(dir.path("moved.png"))
        .expect("a saved picture");
    let upside_down = imageops::rotate180(&sheet);
    upside_down
        .save(dir.path("turned.png"))
        .expect("a saved picture");
    for name in ["moved.png", "turned.png"] {
        let (run, found) = scan(&dir, name, "form.toml");
        assert_eq!(found.len(), 1, "{name}: {:#?}", run.stderr);
        check_games(&found, &[game_of(sample)]);
    }
}

/// The six written cells of the second sample on plain paper, in three rows without a ruling.
fn plain_paper() -> GrayImage {
    let sheet = page::open(&samples()[1]).expect("the sample").next();
    let sheet = sheet.expect("a page").expect("a picture");
    let grid = grid::detect(&sheet, &grid::Parameters::default()).expect("its table");
    let canvas = Canvas {
        width: 260,
        height: 56,
        margin_x: 0,
        margin_y: 0,
    };
    let mut paper = GrayImage::from_pixel(900, 1200, PAPER_GREY);
    for (i, row) in grid.blocks[0].rows[..3].iter().enumerate() {
        for (cell, x) in [(&row.white, 150), (&row.black, 480)] {
            // Whole pixels, so that the picture does not depend on the last digits of the corners.
            let cell = cell.map(|corner| Point::new(corner.x.round(), corner.y.round()));
            let ink = patch::warp(&sheet.luma, &cell, canvas);
            // The printed lines around the cell are cut off.
            let inner = imageops::crop_imm(&ink, 10, 6, 240, 44).to_image();
            let bright = inner.pixels().map(|p| p.0[0]).max().expect("pixels");
            for (dx, dy, p) in inner.enumerate_pixels() {
                let v = u32::from(p.0[0]) * u32::from(PAPER_GREY.0[0]) / u32::from(bright);
                paper.put_pixel(x + 10 + dx, 400 + 60 * i as u32 + 8 + dy, Luma([v as u8]));
            }
        }
    }
    paper
}

#[test]
fn moves_on_plain_paper_are_read_where_a_layout_says_that_they_are() {
    let dir = TestDir::new();
    plain_paper()
        .save(dir.path("paper.png"))
        .expect("a saved picture");
    let alone = dir.run(&["scan", "paper.png", "-q", "--no-cache", "-o", "game.pgn"]);
    assert_eq!(alone.status, 2);
    assert!(
        alone
            .line_about("paper.png")
            .contains("no move table found"),
        "{:#?}",
        alone.stderr
    );
    let found = dir.run(&["layout", "paper.png", "-o", "form.toml"]);
    assert_eq!(found.status, 2, "{:#?}", found.stderr);
    assert!(
        found.line_about("paper.png").contains("template"),
        "{:#?}",
        found.stderr
    );
    // A person corrects the template.
    let template = dir.text("form.toml");
    assert!(template.contains("picture = [900, 1200]"), "{template}");
    let corrected: String = template
        .lines()
        .map(|line| match line.split_once(" = ") {
            Some(("corners", _)) => {
                "corners = [[150, 400], [740, 400], [740, 580], [150, 580]]\n".to_owned()
            }
            Some(("rows", _)) => "rows = 3\n".to_owned(),
            Some(("white", _)) => "white = [0, 0.44]\n".to_owned(),
            Some(("black", _)) => "black = [0.56, 1]\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect();
    dir.write("form.toml", corrected);
    let (run, found) = scan(&dir, "paper.png", "form.toml");
    assert_eq!(found.len(), 1, "{:#?}", run.stderr);
    check_games(&found, &[game_of(&samples()[1])]);
    let cells = dir.run(&[
        "cells",
        "paper.png",
        "--layout",
        "form.toml",
        "-q",
        "-o",
        "cells",
    ]);
    assert_eq!(cells.status, 0, "{:#?}", cells.stderr);
    let manifest = dir.text("cells/manifest.tsv");
    assert_eq!(
        manifest
            .lines()
            .filter(|line| line.contains("\twritten\t"))
            .count(),
        6
    );
}

#[test]
fn what_was_read_with_another_layout_is_read_anew() {
    let dir = TestDir::new();
    let sample = common::short_sample();
    let run = dir.run(&["layout", &sample, "-o", "form.toml"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    let before = |layout: &[&str]| {
        let run = dir.run(&[&["scan", &sample, "-o", "g.pgn"], layout].concat());
        run.stderr.iter().any(|line| line.contains("read before"))
    };
    let with = ["--layout", "form.toml"];
    assert_eq!(
        [before(&[]), before(&with), before(&with)],
        [false, false, true]
    );
    let corrected = dir.text("form.toml").replace("rows = 20", "rows = 19");
    dir.write("form.toml", corrected);
    assert_eq!([before(&with), before(&[])], [false, true]);
}

#[test]
fn a_layout_that_no_form_has_is_refused_with_its_line() {
    let dir = TestDir::new();
    let sample = common::short_sample();
    let whole = "picture = [100, 100]\ncorners = [[0, 0], [90, 0], [90, 90], [0, 90]]\n";
    let corners =
        |corners: &str| format!("picture = [100, 100]\ncorners = {corners}\n[[block]]\nrows = 9\n");
    let block = |entries: &str| format!("{whole}[[block]]\n{entries}\n");
    for (wrong, line, why) in [
        (whole.to_owned(), 2, "[[block]]"),
        (block("rows = 0"), 4, "1 to 100 rows"),
        (block("rows = 5000"), 4, "1 to 100 rows"),
        (block("rows = -3"), 4, "1 to 100 rows"),
        (block("rows = 20\nacros = [0, 1]"), 5, "acros"),
        (block("rows = 20\nacross = [0.5, 0.2]"), 5, "`across`"),
        (block("rows = 20\ndown = [0, 30]"), 5, "`down`"),
        (block("rows = 20\nwhite = [0, nan]"), 5, "`white`"),
        (block("rows = 20\nwhite = [0, 0.6]"), 5, "lie on each other"),
        (block("rows = 20\nblack = [0.99, 1]"), 5, "`black`"),
        (block("rows = 2\nedges = [0, 0.7, 0.6]"), 5, "`edges`"),
        (block("rows = 20\nfirst = 0"), 5, "numbers"),
        (block("rows = 20\n[[block]]\nrows = 20"), 6, "on one before"),
        (
            block(
                "rows = 20\nacross = [0, 0.5]\n[[block]]\nrows = 9\nacross = [0.5, 1]\nfirst = 20",
            ),
            9,
            "follow on",
        ),
        (corners("[[0, 0], [90, 90], [90, 0], [0, 90]]"), 2, "cross"),
        (
            corners("[[90, 0], [0, 0], [0, 90], [90, 90]]"),
            2,
            "clockwise",
        ),
        (
            corners("[[0, 0], [900, 0], [900, 90], [0, 90]]"),
            2,
            "corner 2",
        ),
        (
            corners("[[1, 1], [2, 1], [2, 2], [1, 2]]"),
            2,
            "hardly apart",
        ),
        (corners("[[0, 0], [90, 0], [90, 90]]"), 2, "layout"),
        (
            "picture = [0, 100]\ncorners = [[0, 0], [1, 0], [1, 1], [0, 1]]".to_owned(),
            1,
            "picture",
        ),
        ("rows = 20".to_owned(), 1, "rows"),
        ("sheet.jpg".to_owned(), 1, "sheetscan layout"),
    ] {
        dir.write("form.toml", &wrong);
        let run = dir.run(&["scan", &sample, "--layout", "form.toml"]);
        assert_eq!(
            (run.status, run.stderr.len()),
            (1, 1),
            "{wrong}: {:#?}",
            run.stderr
        );
        let place = format!("form.toml, line {line}: ");
        assert!(
            run.stderr[0].contains(&place) && run.stderr[0].contains(why),
            "{wrong}: {}",
            run.stderr[0]
        );
    }
    let run = dir.run(&["cells", &sample, "--layout", "nowhere.toml", "-o", "cells"]);
    assert_eq!((run.status, run.stderr.len()), (1, 1));
    assert!(run.stderr[0].contains("nowhere.toml"), "{}", run.stderr[0]);
    let run = dir.run(&["layout", "nowhere.jpg"]);
    assert_eq!((run.status, run.stderr.len()), (1, 1));
    assert!(run.stderr[0].contains("nowhere.jpg"), "{}", run.stderr[0]);
}
