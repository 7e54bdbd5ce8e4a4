//! `report.html`: the page for the arbiter, with text from files that cannot be trusted.

use std::collections::BTreeMap;

use crate::common::TestDir;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{GrayImage, Luma};
use serde_json::{Value, json};

/// A player's name that would run as a script in a page that does not escape it.
const HOSTILE_NAME: &str = "<script>alert(1)</script>";
/// A file name that would be markup in a page that does not escape it.
const HOSTILE_FILE: &str = "<i>&'\".png";
/// Columns and lines of the only cell on the picture, in pixels.
const CELL: ([u32; 2], [u32; 2]) = ([200, 500], [100, 160]);
/// What the page says before the JPEG of a cell in base64.
const JPEG_PREFIX: &str = "data:image/jpeg;base64,";

/// A folder with a report file of one round with three pairings, and a picture of a sheet.
fn event_folder() -> TestDir {
    let folder = TestDir::new();
    let line = |rank: u32, name: &str, round: &str| {
        format!(
            "001 {rank:>4}      {name:<33} 2000 ITA             1990/01/01  0.0    1  {round}\n"
        )
    };
    let trf = "012 Open of \"Nowhere\" & <b>\n".to_owned()
        + &line(1, HOSTILE_NAME, "   2 w 1")
        + &line(2, "Brandt, Bernd", "   1 b 0")
        + &line(3, "Cohen, Clara", "   4 w 0")
        + &line(4, "Dumas, Denis", "   3 b 1")
        + &line(5, "Eriksen, Eva", "   6 - +")
        + &line(6, "Fuchs, Franz", "   5 - -");
    folder.write("r.trf", trf);
    // The page is white, and the cell is black.
    let in_cell = |x, y| {
        let ([left, right], [top, bottom]) = CELL;
        (left..right).contains(&x) && (top..bottom).contains(&y)
    };
    let page = GrayImage::from_fn(800, 600, |x, y| {
        Luma([if in_cell(x, y) { 20 } else { 250 }])
    });
    page.save(folder.path(HOSTILE_FILE))
        .expect("a saved picture");
    folder
}

/// A game of four plies as a JSON line. Ply 3 is doubtful, and so is ply 4, which has no cell.
fn game_line(sha256: &str) -> String {
    let ([left, right], [top, bottom]) = CELL;
    let cell = |number: u32, side: &str, read: &str| {
        json!([{"sheet": 0, "move": number, "side": side, "read": read, "read_confidence": 0.41,
                "box": [[left, top], [right, top], [right, bottom], [left, bottom]]}])
    };
    let ply = |n: usize, san: &str, review: bool, cells: Value| {
        json!({"ply": n, "san": san, "uci": "", "confidence": 0.71, "review": review,
               "alternatives": [{"san": "Nc3", "confidence": 0.12}], "cells": cells})
    };
    let plies = [
        ply(1, "e4", false, cell(1, "white", "e4")),
        ply(2, "e5", false, cell(1, "black", "e5")),
        ply(3, "Nf3", true, cell(2, "white", "<u>f3")),
        ply(4, "Nc6", true, json!([])),
    ];
    let sheet = json!({"path": HOSTILE_FILE, "page": 1, "sha256": sha256, "language": "en"});
    json!({"schema": 1, "sheets": [sheet], "tags": {"Result": "1-0"}, "language": "en",
           "complete": true, "plies": plies, "unread": []})
    .to_string()
}

/// Runs `sheetscan merge --report` on the game and returns report.html.
fn write_report(folder: &TestDir, sha256: &str) -> String {
    folder.write("all.jsonl", game_line(sha256));
    folder.write(
        "headers.tsv",
        format!("sheet\twhite\tblack\tround\n{HOSTILE_FILE}\t\tBrandt\t1\n"),
    );
    let run = folder.run(&[
        "merge",
        "all.jsonl",
        "--trf",
        "r.trf",
        "--headers",
        "headers.tsv",
        "--report",
        "report",
        "-o",
        "g.pgn",
        "-q",
    ]);
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    folder.text("report/report.html")
}

/// The SHA-256 of a file as the system's own program computes it.
fn sha256(folder: &TestDir, name: &str) -> String {
    let run = std::process::Command::new("sha256sum")
        .arg(folder.path(name))
        .output();
    let output = String::from_utf8(run.expect("sha256sum").stdout).expect("UTF-8");
    // sha256sum puts a backslash before the line of a file name that it has to escape.
    output.trim_start_matches('\\')[..64].to_owned()
}

/// The elements of a page in their order, each with its attributes. Panics unless every element is
/// closed in the right order.
fn elements(html: &str) -> Vec<(String, BTreeMap<String, String>)> {
    const VOID: [&str; 6] = ["meta", "link", "img", "br", "hr", "input"];
    let (mut elements, mut open) = (Vec::new(), Vec::<String>::new());
    let mut rest = html.strip_prefix("<!doctype html>").expect("a doctype");
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->").expect("the end of a comment") + 3..];
            continue;
        }
        let end = rest.find('>').expect("the end of a tag");
        let (tag, behind) = (&rest[..end], &rest[end + 1..]);
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(name),
                "closed in the order of opening"
            );
            continue;
        }
        let name = tag.split([' ', '/']).next().expect("a name").to_owned();
        let mut attributes = BTreeMap::new();
        let mut parts = tag[name.len()..].split('"');
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            attributes.insert(
                key.trim().trim_end_matches('=').to_owned(),
                value.to_owned(),
            );
        }
        if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(name.clone());
        }
        elements.push((name, attributes));
    }
    assert!(open.is_empty(), "{open:?}");
    elements
}

/// The JPEG files in a page, in base64.
fn jpegs(html: &str) -> Vec<&str> {
    let behind = html.split(JPEG_PREFIX).skip(1);
    behind
        .map(|text| &text[..text.find('"').expect("the end of the picture")])
        .collect()
}

#[test]
fn the_page_is_the_expected_one() {
    let folder = event_folder();
    let hash = sha256(&folder, HOSTILE_FILE);
    let html = write_report(&folder, &hash);
    // What depends on encoders of pictures, and the drawings of the pieces, stay out of the
    // snapshot.
    let mut text = html.replace(
        include_str!("../../src/event/report/pieces.svg"),
        "(pieces)\n",
    );
    for jpeg in jpegs(&html) {
        text = text.replace(jpeg, "(jpeg)");
    }
    text = text.replace(&hash[..16], "(hash)");
    insta::assert_snapshot!(text);
}

#[test]
fn a_doubtful_move_has_the_picture_of_its_cell_with_some_paper_around_it() {
    let folder = event_folder();
    let html = write_report(&folder, &sha256(&folder, HOSTILE_FILE));
    let [jpeg] = jpegs(&html)[..] else {
        panic!("one of the two doubtful moves has a cell")
    };
    let jpeg = STANDARD.decode(jpeg).expect("base64");
    let crop = image::load_from_memory(&jpeg).expect("a picture");
    let crop = crop.to_luma8();
    let (width, height) = crop.dimensions();
    let elements = elements(&html);
    let picture = elements.iter().find(|(name, _)| name == "img");
    let (_, attributes) = picture.expect("a picture");
    assert_eq!(
        (attributes["width"].as_str(), attributes["height"].as_str()),
        (width.to_string().as_str(), height.to_string().as_str())
    );
    let ink = crop.get_pixel(width / 2, height / 2).0[0];
    let paper = crop.get_pixel(2, 2).0[0];
    assert!(ink < 40 && paper > 230, "ink {ink}, paper {paper}");
}

#[test]
fn nothing_from_files_runs_and_nothing_is_fetched() {
    let folder = event_folder();
    let html = write_report(&folder, &sha256(&folder, HOSTILE_FILE));
    for raw in [
        HOSTILE_NAME,
        "<script",
        "<u>",
        "<i>",
        "<b>",
        "http:",
        "https:",
        "url(",
        "@import",
    ] {
        assert!(!html.contains(raw), "{raw}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)"), "the name is shown");
    for (name, attributes) in elements(&html) {
        assert!(
            attributes.keys().all(|key| !key.starts_with("on")),
            "{name} {attributes:?}"
        );
        for key in ["src", "href"] {
            let is_local = |value: &String| value.starts_with("data:") || value.starts_with('#');
            assert!(
                attributes.get(key).is_none_or(is_local),
                "{name} {attributes:?}"
            );
        }
    }
}

#[test]
fn another_picture_under_the_same_name_is_not_shown() {
    let folder = event_folder();
    let html = write_report(&folder, "00ff");
    assert!(
        !html.contains("<img") && html.contains("its picture has changed"),
        "{html}"
    );
    std::fs::remove_file(folder.path(HOSTILE_FILE)).expect("removed");
    assert!(write_report(&folder, "00ff").contains("its picture cannot be read"));
}

#[test]
fn a_picture_in_another_folder_is_shown_only_where_that_folder_is_named() {
    let (folder, elsewhere) = (event_folder(), TestDir::new());
    let picture = elsewhere.path("page.png");
    std::fs::copy(folder.path(HOSTILE_FILE), &picture).expect("a copy");
    let line = game_line(&sha256(&elsewhere, "page.png"));
    let mut line: Value = serde_json::from_str(&line).expect("JSON");
    line["sheets"][0]["path"] = picture.to_str().expect("UTF-8").into();
    folder.write("all.jsonl", line.to_string());
    folder.write(
        "headers.tsv",
        "sheet\twhite\tblack\tround\npage\t\tBrandt\t1\n",
    );
    let event = [
        "--trf",
        "r.trf",
        "--headers",
        "headers.tsv",
        "--report",
        "report",
    ];
    let to = ["merge", "all.jsonl", "-o", "g.pgn", "-q"];
    let folders = elsewhere.path("");
    let named = ["--pictures", folders.to_str().expect("UTF-8")];
    for (more, is_shown) in [(&[][..], false), (&named, true)] {
        let run = folder.run(&[&to[..], &event, more].concat());
        assert_eq!(run.status, 2, "{:#?}", run.stderr);
        let html = folder.text("report/report.html");
        assert_eq!(html.contains("<img"), is_shown, "{html}");
        assert_ne!(
            html.contains("name that with --pictures"),
            is_shown,
            "{html}"
        );
    }
}
