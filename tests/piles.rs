//! Sheets of one form in one run: what the others show of the form serves the one on which it cannot be seen.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, TestDir, games, samples};
use image::{GrayImage, Luma, imageops};
use sheetscan::geometry::Homography;
use sheetscan::grid::{self, Side};
use sheetscan::page;

const PAPER: Luma<u8> = Luma([214]);

/// The sample without its printed lines: the inside of the cells with writing stands on plain paper where it stood.
fn without_lines(sample: &Path) -> GrayImage {
    let sheet = page::open(sample).expect("the sample").next();
    let sheet = sheet.expect("a page").expect("a picture").luma;
    let cells = TestDir::new();
    let sample = sample.to_str().expect("UTF-8");
    let run = cells.run(&["cells", sample, "-q", "-o", "cells"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    let written = cells.text("cells/manifest.tsv");
    let written: Vec<(u32, Side)> = written
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields[13] == "written")
        .map(|fields| {
            let side = if fields[3] == "white" {
                Side::White
            } else {
                Side::Black
            };
            (fields[2].parse().expect("a number"), side)
        })
        .collect();
    let grid = {
        let page = page::open(Path::new(sample)).expect("the sample").next();
        grid::detect(&page.expect("a page").expect("a picture")).expect("its table")
    };
    let mut paper = GrayImage::from_pixel(sheet.width(), sheet.height(), PAPER);
    for row in grid.blocks.iter().flat_map(|block| &block.rows) {
        for (side, quad) in [(Side::White, &row.white), (Side::Black, &row.black)] {
            if !written.contains(&(row.number, side)) {
                continue;
            }
            let within = Homography::onto(quad)
                .and_then(|map| map.inverse())
                .expect("a cell");
            let inside = |x: u32, y: u32| {
                let p = within.at(f64::from(x), f64::from(y));
                (0.06..0.94).contains(&p.x) && (0.12..0.94).contains(&p.y)
            };
            let places: Vec<(u32, u32)> = (0..sheet.height())
                .flat_map(|y| (0..sheet.width()).map(move |x| (x, y)))
                .filter(|&(x, y)| inside(x, y))
                .collect();
            let bright = places.iter().map(|&(x, y)| sheet.get_pixel(x, y)[0]).max();
            let bright = u32::from(bright.expect("pixels"));
            for (x, y) in places {
                let v = u32::from(sheet.get_pixel(x, y)[0]) * u32::from(PAPER[0]) / bright;
                paper.put_pixel(x, y, Luma([v as u8]));
            }
        }
    }
    paper
}

/// A pile: the sample in three sizes, and once without lines.
fn pile() -> (TestDir, String) {
    let dir = TestDir::new();
    let sample = &samples()[1];
    let sheet = image::open(sample).expect("a picture").to_luma8();
    for (name, size) in [("a.png", 1000), ("b.png", 950), ("c.png", 900)] {
        let (width, height) = (sheet.width() * size / 1000, sheet.height() * size / 1000);
        let smaller = imageops::resize(&sheet, width, height, imageops::FilterType::Triangle);
        smaller.save(dir.path(name)).expect("a saved picture");
    }
    without_lines(sample)
        .save(dir.path("d.png"))
        .expect("a saved picture");
    let game = fs::read_to_string(sample.with_extension("pgn")).expect("its game");
    (dir, game)
}

fn scan(dir: &TestDir, arguments: &[&str]) -> Run {
    dir.run(&[&["scan", "-o", "g.pgn"], arguments].concat())
}

#[test]
fn a_sheet_without_lines_is_read_as_the_others_of_the_pile_are() {
    let (dir, game) = pile();
    let alone = scan(&dir, &["d.png"]);
    assert!(
        alone.line_about("d.png").contains("no move table found"),
        "{:#?}",
        alone.stderr
    );
    // Two sheets are no pile: both may be wrong.
    let few = scan(&dir, &["a.png", "b.png", "d.png"]);
    assert_eq!(few.status, 2, "{:#?}", few.stderr);
    assert!(
        few.line_about("d.png").contains("no move table found"),
        "{:#?}",
        few.stderr
    );
    let pile = ["a.png", "b.png", "c.png", "d.png"];
    for before in [false, true] {
        let run = scan(&dir, &pile);
        assert_eq!(run.status, 0, "{:#?}", run.stderr);
        // All four record the same game.
        assert_eq!(games(&dir.text("g.pgn")), std::slice::from_ref(&game));
        let told = run
            .stderr
            .iter()
            .any(|line| line.contains("d.png: its table is laid as that of"));
        assert!(told, "{:#?}", run.stderr);
        let kept = run
            .stderr
            .iter()
            .any(|line| line.contains("a.png: ") && line.contains("read before"));
        assert!(kept || !before, "{:#?}", run.stderr);
    }
}

#[test]
fn a_picture_without_a_sheet_gives_no_game_in_a_pile_either() {
    let (dir, _) = pile();
    let noise = GrayImage::from_fn(900, 1200, |x, y| {
        let hash = (x / 7).wrapping_mul(2_654_435_761) ^ (y / 5).wrapping_mul(40_503);
        Luma([(hash >> 7) as u8])
    });
    noise.save(dir.path("d.png")).expect("a saved picture");
    let run = scan(&dir, &["a.png", "b.png", "c.png", "d.png"]);
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    assert_eq!(games(&dir.text("g.pgn")).len(), 1);
}
