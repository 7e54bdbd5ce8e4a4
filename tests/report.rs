//! `report.html`: what a person looks at, with names from files that nobody should trust.

mod common;

use std::collections::BTreeMap;

use base64::Engine;
use common::Desk;
use image::{GrayImage, Luma};
use serde_json::{Value, json};

/// A name that would run in a page that does not escape it.
const HOSTILE: &str = "<script>alert(1)</script>";

/// A round of three pairings, of which the first has hostile names.
fn desk() -> Desk {
    let desk = Desk::new();
    let line = |rank: u32, name: &str, round: &str| {
        format!(
            "001 {rank:>4}      {name:<33} 2000 ITA             1990/01/01  0.0    1  {round}\n"
        )
    };
    let trf = "012 Open of \"Nowhere\" & <b>\n".to_owned()
        + &line(1, HOSTILE, "   2 w 1")
        + &line(2, "Brandt, Bernd", "   1 b 0")
        + &line(3, "Cohen, Clara", "   4 w 0")
        + &line(4, "Dumas, Denis", "   3 b 1")
        + &line(5, "Eriksen, Eva", "   6 - +")
        + &line(6, "Fuchs, Franz", "   5 - -");
    desk.write("r.trf", trf);
    // A page that is white but for one cell, 200 to 500 across and 100 to 160 down.
    let inside = |x, y| (200..500).contains(&x) && (100..160).contains(&y);
    let page = GrayImage::from_fn(800, 600, |x, y| Luma([if inside(x, y) { 20 } else { 250 }]));
    page.save(desk.path("<i>&'\".png"))
        .expect("a saved picture");
    desk
}

/// A game of three plies; the last is doubtful.
fn line(sha256: &str) -> String {
    let cell = |number: u32, side: &str, read: &str| {
        json!([{"sheet": 0, "move": number, "side": side, "read": read, "read_confidence": 0.41,
                "box": [[200, 100], [500, 100], [500, 160], [200, 160]]}])
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
    json!({"schema": 1, "sheets": [{"path": "<i>&'\".png", "page": 1, "sha256": sha256, "language": "en"}],
           "tags": {"Result": "1-0"}, "language": "en", "complete": true, "plies": plies, "unread": []})
    .to_string()
}

fn report(desk: &Desk, sha256: &str) -> String {
    desk.write("all.jsonl", line(sha256));
    desk.write(
        "headers.tsv",
        "sheet\twhite\tblack\tround\n<i>&'\".png\t\tBrandt\t1\n",
    );
    let run = desk.run(&[
        "merge",
        "all.jsonl",
        "--trf",
        "r.trf",
        "--headers",
        "headers.tsv",
        "--report",
        "seen",
        "-o",
        "g.pgn",
        "-q",
    ]);
    assert_eq!(run.status, 2, "{:#?}", run.said);
    desk.text("seen/report.html")
}

/// The hash of a file as the system's own program computes it.
fn sha256(desk: &Desk, name: &str) -> String {
    let run = std::process::Command::new("sha256sum")
        .arg(desk.path(name))
        .output();
    // A name with odd characters is announced by a backslash.
    let said = String::from_utf8(run.expect("sha256sum").stdout).expect("UTF-8");
    said.trim_start_matches('\\')[..64].to_owned()
}

/// The elements of a page in their order with their attributes; every one must be closed.
fn elements(html: &str) -> Vec<(String, BTreeMap<String, String>)> {
    const VOID: [&str; 6] = ["meta", "link", "img", "br", "hr", "input"];
    let (mut found, mut open) = (Vec::new(), Vec::<String>::new());
    let mut rest = html.strip_prefix("<!doctype html>").expect("a doctype");
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->").expect("its end") + 3..];
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
        let mut pairs = tag[name.len()..].split('"').collect::<Vec<_>>().into_iter();
        while let (Some(key), Some(value)) = (pairs.next(), pairs.next()) {
            attributes.insert(
                key.trim().trim_end_matches('=').to_owned(),
                value.to_owned(),
            );
        }
        if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(name.clone());
        }
        found.push((name, attributes));
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

#[test]
fn the_doubtful_move_is_shown_with_its_cell() {
    let desk = desk();
    let hash = sha256(&desk, "<i>&'\".png");
    let html = report(&desk, &hash);
    let elements = elements(&html);
    let all = |name: &str| {
        elements
            .iter()
            .filter(|e| e.0 == name)
            .map(|e| &e.1)
            .collect::<Vec<_>>()
    };
    assert_eq!(all("html")[0]["lang"], "en");
    assert_eq!(
        (all("h1").len(), all("h3").len(), all("h4").len()),
        (1, 1, 2)
    );
    let pictures = all("img");
    assert_eq!(
        pictures.len(),
        1,
        "one of the two doubtful moves has a cell"
    );
    assert!(pictures[0]["alt"].contains("move 2 of White"));
    let (kind, data) = pictures[0]["src"].split_once(',').expect("data");
    assert_eq!(kind, "data:image/jpeg;base64");
    let jpeg = base64::engine::general_purpose::STANDARD
        .decode(data)
        .expect("base64");
    let crop = image::load_from_memory(&jpeg)
        .expect("a picture")
        .to_luma8();
    let (width, height) = crop.dimensions();
    assert_eq!(pictures[0]["width"], width.to_string());
    assert!(
        crop.get_pixel(width / 2, height / 2).0[0] < 40,
        "the cell's ink"
    );
    assert!(crop.get_pixel(2, 2).0[0] > 230, "the paper around it");
    // Before 2. Nf3 all 32 men are on the board, before 2... Nc6 too; the knight stands on f3
    // there.
    let men = all("use")
        .iter()
        .filter(|a| a["href"] != "#squares")
        .count();
    assert_eq!(men, 64);
    let boards = all("svg")
        .iter()
        .filter_map(|a| a.get("aria-label"))
        .cloned()
        .collect::<Vec<_>>();
    assert!(
        boards[0].contains("e4") && boards[0].contains("Nb1 Ng1"),
        "{boards:?}"
    );
    assert!(boards[1].contains("Nb1 Nf3"), "{boards:?}");
    assert!(html.contains("No cell holds this move"));
    assert!(
        html.contains(&format!("[\"{}\"]", &hash[..16]))
            || html.contains(&format!("[&quot;{}&quot;]", &hash[..16]))
    );
    for text in ["71 %", "Nc3", "12 %", "2. Nf3", "Dumas, Denis"] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn nothing_from_files_runs_and_nothing_is_fetched() {
    let desk = desk();
    let html = report(&desk, &sha256(&desk, "<i>&'\".png"));
    for raw in [
        HOSTILE, "<script", "<u>", "<i>", "<b>", "http:", "https:", "url(", "@import",
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
            let local = |value: &String| value.starts_with("data:") || value.starts_with('#');
            assert!(
                attributes.get(key).is_none_or(local),
                "{name} {attributes:?}"
            );
        }
    }
}

#[test]
fn another_picture_under_the_name_is_not_shown() {
    let desk = desk();
    let html = report(&desk, "00ff");
    assert!(
        !html.contains("<img") && html.contains("its picture has changed"),
        "{html}"
    );
    std::fs::remove_file(desk.path("<i>&'\".png")).expect("removed");
    assert!(report(&desk, "00ff").contains("its picture cannot be read"));
}

#[test]
fn every_round_is_counted() {
    let desk = desk();
    let html = report(&desk, "00ff");
    let table = &html[html.find("<tbody>").expect("a table")..];
    let row: String = table[..table.find("</tr>").expect("a row")]
        .split(['<', '>'])
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" ");
    // One game to look at, one missing, one forfeit.
    let figures: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(figures, ["1", "0", "1", "1", "1"]);
}
