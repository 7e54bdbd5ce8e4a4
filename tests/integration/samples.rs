//! The sample sheets, from picture to game.

use std::fs;
use std::path::Path;

use crate::common::{self, TestDir, check_games, games, manifest, samples, sans};

fn sample_paths() -> Vec<String> {
    samples()
        .iter()
        .map(|path| path.to_str().expect("UTF-8").to_owned())
        .collect()
}

fn scan(dir: &TestDir, options: &[&str]) -> common::Run {
    let paths = sample_paths();
    let mut arguments = vec!["scan"];
    arguments.extend(paths.iter().map(String::as_str));
    arguments.extend(options);
    dir.run(&arguments)
}

#[test]
fn every_sample_gives_the_game_beside_it() {
    let dir = TestDir::new();
    let run = scan(&dir, &["-o", "games.pgn", "--quiet"]);
    // The last move of the first sample has a draw offer behind it, and is asked about.
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    let expected = samples()
        .iter()
        .map(|path| fs::read_to_string(path.with_extension("pgn")).expect("its game"))
        .collect::<Vec<_>>();
    let games = games(&dir.text("games.pgn"));
    check_games(&games, &expected);
    // `14.3.2019` in the clear hand of the first sample.
    assert!(games[0].contains("[Date \"2019.03.14\"]"), "{games:#?}");
}

#[test]
fn a_sheet_on_its_side_or_upside_down_gives_the_same_game() {
    let dir = TestDir::new();
    let sample = samples()
        .into_iter()
        .find(|p| p.to_string_lossy().contains("06_"));
    let sample = sample.expect("the sixth sample");
    let upright = image::open(&sample).expect("a picture");
    for (name, turned) in [
        ("left.png", upright.rotate270()),
        ("right.png", upright.rotate90()),
        ("turned.png", upright.rotate180()),
    ] {
        turned.save(dir.path(name)).expect("a saved picture");
    }
    dir.run(&[
        "scan",
        "left.png",
        "right.png",
        "turned.png",
        "--no-pair",
        "-q",
        "-o",
        "g.pgn",
    ]);
    let expected = fs::read_to_string(sample.with_extension("pgn")).expect("its game");
    let games = games(&dir.text("g.pgn"));
    check_games(&games, &[expected.clone(), expected.clone(), expected]);
}

/// The SHA-256 of a file by the system's own program.
fn sha256(path: &str) -> String {
    let run = std::process::Command::new("sha256sum").arg(path).output();
    let output = String::from_utf8(run.expect("sha256sum").stdout).expect("UTF-8");
    output[..64].to_owned()
}

#[test]
fn a_fix_is_kept_to_and_an_impossible_one_is_reported() {
    let dir = TestDir::new();
    let paths = sample_paths();
    let sheet = paths
        .iter()
        .find(|path| path.contains("02_"))
        .expect("the second sample");
    let scan = |fixes: &[&str]| {
        let mut arguments = vec!["scan", sheet, "--quiet", "-o", "-"];
        arguments.extend(fixes);
        dir.run(&arguments)
    };
    let kept = scan(&["--fix", "02_exemplo_1_pt:6=h6"]);
    assert_eq!(
        (kept.status, kept.stderr.len()),
        (0, 0),
        "{:#?}",
        kept.stderr
    );
    assert!(kept.stdout.contains("3. Bb5 h6 *"), "{}", kept.stdout);
    for (name, messages) in [
        (sheet.as_str(), 0),
        ("02_exemplo_1_pt", 0),
        ("02_exemplo_1_pt#1", 0),
        (&sha256(sheet), 0),
        (&sha256(sheet)[..12], 0),
        // The fixes of a whole event may be given to a run over some of its sheets.
        ("02_exemplo_1_pt\"]\n6 = \"h6\"\n[\"another", 1),
    ] {
        let answers = format!("# round 1\n[\"{name}\"]\n6 = \"h6\" # looked at\n");
        dir.write("fixes.toml", answers);
        let from_file = scan(&["--fixes", "fixes.toml"]);
        assert_eq!(from_file.stdout, kept.stdout, "{name}");
        assert_eq!(
            (from_file.status, from_file.stderr.len()),
            (0, messages),
            "{name}"
        );
    }
    for (wrong, line) in [
        ("[a]\n\n6 = \"h9\"", "line 3"),
        ("[a]\n6 = h6", "line 2"),
        ("[a]\n0 = \"h6\"", "line 2"),
        ("a.jpg:6=h6", "line 1"),
    ] {
        dir.write("fixes.toml", wrong);
        let run = scan(&["--fixes", "fixes.toml"]);
        assert_eq!((run.status, run.stderr.len()), (1, 1), "{wrong}");
        let place = format!("fixes.toml, {line}: ");
        assert!(run.stderr[0].contains(&place), "{wrong}: {}", run.stderr[0]);
    }
    let impossible = scan(&["--fix", "02_exemplo_1_pt:6=Qa1"]);
    assert_eq!(impossible.status, 2);
    assert!(
        impossible.stderr[0].contains("6=Qa1"),
        "{:#?}",
        impossible.stderr
    );
    assert!(
        impossible.stdout.contains("3. Bb5 a6 *"),
        "{}",
        impossible.stdout
    );
    let unknown = scan(&["--fix", "nobody:1=e4"]);
    assert_eq!(unknown.status, 1);
    for wrong in ["02_exemplo_1_pt", "a:0=e4", "a:1=e9", "a:1"] {
        assert_eq!(scan(&["--fix", wrong]).status, 1, "{wrong}");
    }
}

#[test]
fn the_number_of_jobs_changes_no_byte() {
    let dir = TestDir::new();
    let (one, three) = (["1.pgn", "1.jsonl"], ["3.pgn", "3.jsonl"]);
    for (jobs, [pgn, json]) in [("1", one), ("3", three)] {
        scan(
            &dir,
            &[
                "--jobs",
                jobs,
                "-o",
                pgn,
                "--json",
                json,
                "--quiet",
                "--no-cache",
            ],
        );
    }
    assert_eq!(games(&dir.text(one[0])).len(), 7);
    for (one, three) in one.iter().zip(three) {
        assert_eq!(dir.text(one), dir.text(three));
    }
}

#[test]
fn the_json_lines_have_the_games_of_the_pgn() {
    let dir = TestDir::new();
    scan(&dir, &["--json", "both.jsonl", "-o", "games.pgn"]);
    let run = scan(&dir, &["--json", "games.jsonl"]);
    assert_eq!(run.stdout, "", "no PGN where only JSON is asked for");
    assert_eq!(dir.text("games.jsonl"), dir.text("both.jsonl"));
    let lines = dir.text("games.jsonl");
    let pgn = games(&dir.text("games.pgn"));
    assert_eq!(lines.lines().count(), pgn.len());
    for ((line, game), path) in lines.lines().zip(pgn).zip(sample_paths()) {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["schema"], 1);
        assert_eq!(line["sheets"][0]["path"], path);
        let result = line["tags"]["Result"].as_str().expect("a string");
        assert!(game.trim_end().ends_with(result));
        let plies = line["plies"].as_array().expect("a list");
        let played = plies
            .iter()
            .map(|ply| ply["san"].as_str().expect("a string"));
        assert_eq!(sans(&game), played.collect::<Vec<_>>(), "{path}");
        for ply in plies {
            let confidence = ply["confidence"].as_f64().expect("a number");
            assert!((0.0..=1.0).contains(&confidence));
            for cell in ply["cells"].as_array().expect("a list") {
                assert_eq!(cell["box"].as_array().map(Vec::len), Some(4));
            }
        }
    }
}

#[test]
fn cells_writes_a_patch_for_every_line_of_the_manifest() {
    let dir = TestDir::new();
    let run = dir.run(&["cells", &common::short_sample(), "-o", "cells", "--quiet"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    let cells = manifest(&dir.text("cells/manifest.tsv"));
    // The form of this sheet has three blocks of twenty rows.
    assert_eq!(cells.len(), 120);
    let written = cells.iter().filter(|cell| cell["state"] == "written");
    let written = written.map(|cell| (cell["move"].as_str(), cell["side"].as_str()));
    let moves = ["1", "2", "3"].map(|row| [(row, "white"), (row, "black")]);
    assert_eq!(written.collect::<Vec<_>>(), moves.concat());
    for cell in &cells {
        let patch = image::open(dir.path("cells").join(&cell["patch"])).expect("a picture");
        assert_eq!((patch.width(), patch.height()), (192, 48));
    }
}

#[test]
fn a_margin_shows_more_of_the_page_around_the_same_patch() {
    let dir = TestDir::new();
    let sheet = common::short_sample();
    for (folder, more) in [("near", &[][..]), ("wide", &["--margin", "24"][..])] {
        let run = dir.run(&[&["cells", &sheet, "-o", folder, "--quiet"], more].concat());
        assert_eq!(run.status, 0, "{:#?}", run.stderr);
    }
    let stem = Path::new(&sheet)
        .file_stem()
        .expect("a name")
        .to_string_lossy();
    let [near, wide] = ["near", "wide"].map(|folder| {
        let path = dir.path(folder).join(format!("{stem}-p1-01w.png"));
        image::open(path).expect("a picture").to_luma8()
    });
    assert_eq!(wide.dimensions(), (192 + 2 * 24, 48 + 2 * 24));
    let inner = image::imageops::crop_imm(&wide, 24, 24, 192, 48).to_image();
    let off = inner
        .iter()
        .zip(near.iter())
        .map(|(a, b)| a.abs_diff(*b))
        .max();
    assert!(off <= Some(1), "the patch differs by up to {off:?} levels");
}

#[test]
fn copies_of_a_game_give_one_game() {
    let dir = TestDir::new();
    let [sheet, other] = [2, 4].map(|i| sample_paths()[i].clone());
    dir.write("copy.jpg", fs::read(&sheet).expect("the sample"));
    let scan = |more: &[&str]| {
        let inputs = [sheet.as_str(), other.as_str(), "copy.jpg"];
        dir.run(
            &[
                &["scan"],
                &inputs[..],
                &["--json", "g.jsonl", "-o", "g.pgn"],
                more,
            ]
            .concat(),
        );
        let lines = dir.text("g.jsonl");
        let sheets = |line: &str| {
            let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
            game["sheets"].as_array().expect("a list").len()
        };
        lines.lines().map(sheets).collect::<Vec<_>>()
    };
    assert_eq!(scan(&[]), [2, 1]);
    assert_eq!(scan(&["--no-pair"]), [1, 1, 1]);
    let pair = format!("{other},copy.jpg");
    assert_eq!(scan(&["--pair", &pair]), [1, 2]);
}
