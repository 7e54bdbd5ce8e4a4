//! Sheets that continue others: a game of two pages is one game, whatever the way to it.

use std::fs;
use std::path::Path;

use serde_json::Value;

mod common;
use common::{TestDir, games, samples};

/// The pages of a game of 44 moves, numbered 1 to 30 and 31 to 60.
fn page(number: u32) -> image::GrayImage {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/two_pages");
    let picture = image::open(folder.join(format!("{number}.jpg")));
    picture.expect("a picture").to_luma8()
}

fn expected() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/two_pages");
    fs::read_to_string(folder.join("game.pgn")).expect("its game")
}

/// Photographed once more, in less light and from a little further away.
fn again(picture: &image::GrayImage) -> image::GrayImage {
    let (width, height) = (picture.width() * 9 / 10, picture.height() * 9 / 10);
    let filter = image::imageops::FilterType::Triangle;
    let smaller = image::imageops::resize(picture, width, height, filter);
    image::imageops::brighten(&smaller, -20)
}

/// A folder with both pages of a game, another player's copies of them, and the sheet of another game.
fn dir() -> TestDir {
    let dir = TestDir::new();
    for number in [1, 2] {
        let picture = page(number);
        let save = |picture: &image::GrayImage, player: &str| {
            let path = dir.path(&format!("{player}{number}.png"));
            picture.save(path).expect("a saved picture");
        };
        save(&picture, "white");
        save(&again(&picture), "black");
    }
    fs::copy(&samples()[1], dir.path("other.jpg")).expect("a copy");
    dir
}

fn scan(dir: &TestDir, sheets: &[&str], more: &[&str]) -> (Vec<String>, Vec<Value>, common::Run) {
    let to = ["scan", "-o", "g.pgn", "--json", "g.jsonl"];
    let run = dir.run(&[&to[..], sheets, more].concat());
    let lines = dir.text("g.jsonl");
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (games(&dir.text("g.pgn")), lines.collect(), run)
}

/// The sheet that each ply was read from first, and the number of the row there.
fn places(game: &Value) -> Vec<(u64, u64)> {
    let plies = game["plies"].as_array().expect("a list").iter();
    let first = plies.map(|ply| &ply["cells"][0]);
    let place = first.map(|cell| (cell["sheet"].as_u64(), cell["move"].as_u64()));
    place
        .map(|(sheet, row)| (sheet.expect("a sheet"), row.expect("a row")))
        .collect()
}

#[test]
fn two_pages_are_one_game() {
    let dir = dir();
    let sheets = ["white1.png", "white2.png", "other.jpg"];
    let (pgn, lines, _) = scan(&dir, &sheets, &[]);
    assert_eq!(pgn.len(), 2, "{pgn:#?}");
    assert_eq!(pgn[0], expected());
    let sheets = lines[0]["sheets"].as_array().expect("a list");
    assert_eq!(sheets.len(), 2);
    assert!(sheets[0].get("continues").is_none());
    assert_eq!(sheets[1]["continues"], 0);
    let wanted: Vec<(u64, u64)> = (0..87).map(|ply| (ply / 60, ply / 2 + 1)).collect();
    assert_eq!(places(&lines[0]), wanted);
}

#[test]
fn the_pages_of_two_copies_are_one_game_in_any_usual_order() {
    let dir = dir();
    for sheets in [
        ["white1.png", "white2.png", "black1.png", "black2.png"],
        ["white1.png", "black1.png", "white2.png", "black2.png"],
    ] {
        let (pgn, lines, _) = scan(&dir, &sheets, &[]);
        assert_eq!(pgn, [expected()], "{sheets:?}");
        let sheets = lines[0]["sheets"].as_array().expect("a list").iter();
        let path = |sheet: &Value| sheet["path"].as_str().expect("a path").to_owned();
        let pages: Vec<(String, Value)> = sheets
            .map(|sheet| (path(sheet), sheet["continues"].clone()))
            .collect();
        let wanted = [("white1", Value::Null), ("white2", 0.into())];
        let also = [("black1", Value::Null), ("black2", 2.into())];
        let wanted = wanted.into_iter().chain(also);
        let wanted: Vec<(String, Value)> = wanted
            .map(|(name, of)| (format!("{name}.png"), of))
            .collect();
        assert_eq!(pages, wanted);
    }
}

#[test]
fn a_page_without_the_one_before_it_is_told_and_nothing_is_invented() {
    let dir = dir();
    let (pgn, lines, run) = scan(&dir, &["other.jpg", "white2.png"], &[]);
    assert_eq!(run.status, 2);
    let told = run.stderr.iter().any(|line| {
        line.contains("white2.png")
            && line.contains("begins at move 31")
            && line.contains("missing")
    });
    assert!(told, "{:#?}", run.stderr);
    assert!(pgn[1].contains("begins at move 31"), "{}", pgn[1]);
    assert_eq!(lines[1]["plies"], Value::Array(Vec::new()));
    assert_eq!(lines[1]["complete"], false);
    let unread = lines[1]["unread"].as_array().expect("a list");
    let rows: Vec<u64> = unread
        .iter()
        .map(|cell| cell["move"].as_u64().expect("a row"))
        .collect();
    let wanted: Vec<u64> = (0..28).map(|cell| 31 + cell / 2).collect();
    assert_eq!(rows, wanted);
}

#[test]
fn several_runs_and_any_number_of_jobs_give_the_same_game() {
    let dir = dir();
    let sheets = [
        "white1.png",
        "black1.png",
        "other.jpg",
        "white2.png",
        "black2.png",
    ];
    let (pgn, _, _) = scan(&dir, &sheets, &["--jobs", "1", "--no-cache"]);
    assert_eq!(pgn[0], expected());
    let (one, json) = (dir.text("g.pgn"), dir.text("g.jsonl"));
    scan(&dir, &sheets, &["--jobs", "3"]);
    assert_eq!(
        (dir.text("g.pgn"), dir.text("g.jsonl")),
        (one.clone(), json)
    );
    for (name, part) in [("1.jsonl", &sheets[..2]), ("2.jsonl", &sheets[2..])] {
        let shard = ["scan", "--quiet", "--shard", "--json", name];
        dir.run(&[&shard[..], part].concat());
    }
    dir.run(&["merge", "--quiet", "-o", "merged.pgn", "1.jsonl", "2.jsonl"]);
    assert_eq!(dir.text("merged.pgn"), one);
}

#[test]
fn rows_have_their_printed_numbers() {
    let dir = dir();
    // One column of the second page alone, which begins at 46.
    let picture = page(2);
    let half = picture.width() / 2 - 10;
    let right =
        image::imageops::crop_imm(&picture, half, 0, picture.width() - half, picture.height());
    right
        .to_image()
        .save(dir.path("right.png"))
        .expect("a saved picture");
    let run = dir.run(&["cells", "right.png", "white1.png", "-o", "cells", "--quiet"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    let manifest = dir.text("cells/manifest.tsv");
    let rows = |sheet: &str| {
        let lines = manifest.lines().filter(|line| line.starts_with(sheet));
        let number = lines.map(|line| line.split('\t').nth(2).expect("a number"));
        let mut rows: Vec<u32> = number.map(|n| n.parse().expect("a number")).collect();
        rows.dedup();
        rows
    };
    assert_eq!(rows("right.png"), (46..=60).collect::<Vec<_>>());
    assert_eq!(rows("white1.png"), (1..=30).collect::<Vec<_>>());
}

#[test]
fn empty_rows_without_a_printed_number_behind_the_last_one_are_none() {
    let dir = dir();
    let mut picture = page(2);
    let run = dir.run(&["cells", "white2.png", "-o", "cells", "--quiet"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    // The numbers of the last two rows are painted over, with the white beside them.
    let manifest = dir.text("cells/manifest.tsv");
    for line in manifest.lines() {
        let column: Vec<&str> = line.split('\t').collect();
        if !(["59", "60"].contains(&column[2]) && column[3] == "white") {
            continue;
        }
        let corner = |at: usize| column[at].parse::<f64>().expect("a corner") as u32;
        let (left, top, bottom) = (corner(4), corner(5), corner(11));
        let paper = *picture.get_pixel(left + 12, top + 5);
        for y in top + 4..bottom - 3 {
            for x in left - (bottom - top) * 5 / 4..left - 3 {
                picture.put_pixel(x, y, paper);
            }
        }
    }
    picture.save(dir.path("bare.png")).expect("a saved picture");
    let run = dir.run(&["cells", "bare.png", "-o", "again", "--quiet"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    let manifest = dir.text("again/manifest.tsv");
    let last = manifest
        .lines()
        .last()
        .and_then(|line| line.split('\t').nth(2).map(str::to_owned));
    assert_eq!(last.as_deref(), Some("58"));
}
