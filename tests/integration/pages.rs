//! Sheets that continue others: the pages of a game give one game, in one run or in several.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use serde_json::Value;

use crate::common::{self, TestDir, check_games, games, is_same_game, manifest, samples};

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

/// The picture as if taken once more, in less light and from further away.
fn retake(picture: &image::GrayImage) -> image::GrayImage {
    let (width, height) = (picture.width() * 9 / 10, picture.height() * 9 / 10);
    let filter = image::imageops::FilterType::Triangle;
    let smaller = image::imageops::resize(picture, width, height, filter);
    image::imageops::brighten(&smaller, -20)
}

/// A folder with both pages of a game, another player's copies of them, and the sheet of another
/// game.
fn folder_of_pages() -> TestDir {
    let dir = TestDir::new();
    for number in [1, 2] {
        let picture = page(number);
        let save = |picture: &image::GrayImage, player: &str| {
            let path = dir.path(&format!("{player}{number}.png"));
            picture.save(path).expect("a saved picture");
        };
        save(&picture, "white");
        save(&retake(&picture), "black");
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
fn pages_are_joined_in_any_order() {
    let dir = folder_of_pages();
    let sheets = ["white2.png", "other.jpg", "white1.png"];
    let (pgn, lines, _) = scan(&dir, &sheets, &[]);
    assert_eq!(pgn.len(), 2, "{pgn:#?}");
    assert!(
        pgn.iter().any(|game| is_same_game(game, &expected())),
        "{pgn:#?}"
    );
    let game = lines
        .iter()
        .find(|line| line["sheets"].as_array().map(Vec::len) == Some(2));
    let paths = game.expect("a game of two pages")["sheets"]
        .as_array()
        .expect("a list");
    assert_eq!(
        [&paths[0]["path"], &paths[1]["path"]],
        ["white1.png", "white2.png"]
    );
}

#[test]
fn two_pages_are_one_game() {
    let dir = folder_of_pages();
    let sheets = ["white1.png", "white2.png", "other.jpg"];
    let (pgn, lines, _) = scan(&dir, &sheets, &[]);
    assert_eq!(pgn.len(), 2, "{pgn:#?}");
    check_games(&pgn[..1], &[expected()]);
    let sheets = lines[0]["sheets"].as_array().expect("a list");
    assert_eq!(sheets.len(), 2);
    assert!(sheets[0].get("continues").is_none());
    assert_eq!(sheets[1]["continues"], 0);
    let wanted: Vec<(u64, u64)> = (0..87).map(|ply| (ply / 60, ply / 2 + 1)).collect();
    assert_eq!(places(&lines[0]), wanted);
}

#[test]
fn the_pages_of_two_copies_are_one_game_in_any_usual_order() {
    let dir = folder_of_pages();
    for sheets in [
        ["white1.png", "white2.png", "black1.png", "black2.png"],
        ["white1.png", "black1.png", "white2.png", "black2.png"],
    ] {
        let (pgn, lines, _) = scan(&dir, &sheets, &[]);
        check_games(&pgn, &[expected()]);
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
fn a_page_without_the_one_before_it_is_reported_and_gives_no_moves() {
    let dir = folder_of_pages();
    let (pgn, lines, run) = scan(&dir, &["other.jpg", "white2.png"], &[]);
    assert_eq!(run.status, 2);
    let is_reported = run.stderr.iter().any(|line| {
        line.contains("white2.png")
            && line.contains("begins at move 31")
            && line.contains("missing")
    });
    assert!(is_reported, "{:#?}", run.stderr);
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
    let dir = folder_of_pages();
    let sheets = [
        "white1.png",
        "black1.png",
        "other.jpg",
        "white2.png",
        "black2.png",
    ];
    let (pgn, _, _) = scan(&dir, &sheets, &["--jobs", "1", "--no-cache"]);
    check_games(&pgn[..1], &[expected()]);
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
    let dir = folder_of_pages();
    // One column of the second page alone, which begins at 46.
    let picture = page(2);
    let (width, height) = picture.dimensions();
    let left = width / 2 - 10;
    let right = image::imageops::crop_imm(&picture, left, 0, width - left, height).to_image();
    right.save(dir.path("right.png")).expect("a saved picture");
    let cells = cells(&dir, &["right.png", "white1.png"]);
    let rows = |sheet: &str| {
        let lines = cells.iter().filter(|line| line["sheet"] == sheet);
        let mut rows: Vec<u32> = lines.map(|line| number(line, "move")).collect();
        rows.dedup();
        rows
    };
    assert_eq!(rows("right.png"), (46..=60).collect::<Vec<_>>());
    assert_eq!(rows("white1.png"), (1..=30).collect::<Vec<_>>());
}

#[test]
fn empty_rows_without_a_printed_number_behind_the_last_one_are_none() {
    let dir = folder_of_pages();
    let mut picture = page(2);
    // The numbers of the last two rows are painted over with the paper's colour beside them.
    for line in cells(&dir, &["white2.png"]) {
        if !(["59", "60"].contains(&line["move"].as_str()) && line["side"] == "white") {
            continue;
        }
        let corner = |column: &str| number::<f64>(&line, column) as u32;
        let (left, top, bottom) = (corner("x0"), corner("y0"), corner("y3"));
        let paper = *picture.get_pixel(left + 12, top + 5);
        for y in top + 4..bottom - 3 {
            for x in left - (bottom - top) * 5 / 4..left - 3 {
                picture.put_pixel(x, y, paper);
            }
        }
    }
    let path = dir.path("bare.png");
    picture.save(path).expect("a saved picture");
    let cells = cells(&dir, &["bare.png"]);
    assert_eq!(cells.last().expect("cells")["move"], "58");
}

/// The manifest of the cells of some sheets.
fn cells(dir: &TestDir, sheets: &[&str]) -> Vec<BTreeMap<String, String>> {
    let run = dir.run(&[&["cells", "-o", "cells", "--quiet"], sheets].concat());
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    manifest(&dir.text("cells/manifest.tsv"))
}

/// The number in a column of a manifest's line.
fn number<T: FromStr<Err: Debug>>(line: &BTreeMap<String, String>, column: &str) -> T {
    line[column].parse().expect("a number")
}
