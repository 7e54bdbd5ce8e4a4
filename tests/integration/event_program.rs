//! `scan --trf` and `merge --trf` through the program, on the files in `tests/data/event` and in
//! `docs/guide/event`.

use std::path::Path;

use crate::common::{self, Run, TestDir, games, samples};
use serde_json::{Value, json};

/// A folder with the files of the event.
fn event_folder() -> TestDir {
    let dir = TestDir::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/event");
    for name in ["open.trf", "latin1_cr.trf", "broken.trf", "round1.pgn"] {
        dir.write(name, std::fs::read(folder.join(name)).expect("a fixture"));
    }
    dir
}

/// A game of one sheet as a line of `scan --json`.
fn game_line(sheet: &str, sans: &str, result: &str) -> String {
    let cell = |i: usize, san: &str| {
        let side = if i.is_multiple_of(2) {
            "white"
        } else {
            "black"
        };
        json!([{"sheet": 0, "move": i / 2 + 1, "side": side, "read": san, "read_confidence": 0.99,
                "box": [[0, 0], [1, 0], [1, 1], [0, 1]]}])
    };
    let plies: Vec<Value> = sans
        .split_whitespace()
        .enumerate()
        .map(|(i, san)| {
            json!({"ply": i + 1, "san": san, "uci": "", "confidence": 0.99, "review": false,
                   "alternatives": [], "cells": cell(i, san)})
        })
        .collect();
    let sheets =
        json!([{"path": sheet, "page": 1, "sha256": "00ff", "language": "en", "copy_of": null}]);
    let tags = json!({"Result": result});
    json!({"schema": 1, "sheets": sheets, "tags": tags, "language": "en", "complete": true,
           "plies": plies, "unread": []})
    .to_string()
        + "\n"
}

/// The typed headers of four sheets.
const HEADERS: &str = "sheet\twhite\tblack\tround\n\
                       a\tJ. Müller\tDoe\t1\n\
                       b\tNadal\tMuller, Jorg\t2\n\
                       c\tMüller\tZzz\t3\n\
                       d\tDoe Jane\tR. Nadal\t3\n";

/// Runs `sheetscan merge` on some lines with the typed headers and `more` arguments.
fn merge(dir: &TestDir, lines: &[String], more: &[&str]) -> Run {
    dir.write("all.jsonl", lines.concat());
    dir.write("headers.tsv", HEADERS);
    let mut arguments = vec![
        "merge",
        "all.jsonl",
        "--quiet",
        "--headers",
        "headers.tsv",
        "--trf",
        "open.trf",
    ];
    arguments.extend(more);
    dir.run(&arguments)
}

/// Three games of the event, each of one sheet.
fn three_games() -> [String; 3] {
    [
        game_line("scans/b.jpg", "d4 d5 c4 c6", "1/2-1/2"),
        game_line("scans/a.jpg", "e4 e5 Nf3 Nc6", "1-0"),
        game_line("scans/d.jpg", "c4 e5 Nc3 Nf6", "0-1"),
    ]
}

#[test]
fn games_get_the_names_of_the_event() {
    let dir = event_folder();
    let run = merge(
        &dir,
        &three_games(),
        &[
            "--pairings",
            "round1.pgn",
            "--report",
            "report",
            "-o",
            "games.pgn",
        ],
    );
    // One pairing is without a sheet, and one typed header is of a sheet that is not there.
    assert_eq!((run.status, run.stderr.len()), (2, 2), "{:#?}", run.stderr);
    run.line_about("headers.tsv, line 4: no sheet of the run is called c");
    assert_eq!(
        run.line_about("C1"),
        "sheetscan: W C1 round 3: Müller, Jörg - Zzz, Anna: no sheet"
    );
    let written = games(&dir.text("games.pgn"));
    let first = "[Event \"Open of Nowhere\"]\n[Site \"Nowhere GER\"]\n[Date \"2024.12.01\"]\n\
                 [Round \"1\"]\n[White \"Müller, Jörg\"]\n[Black \"Doe Jane\"]\n\
                 [Result \"1-0\"]\n[BlackElo \"-\"]\n[BlackFideId \"735463\"]\n\
                 [BlackTeam \"Schachfreunde Süd\"]\n[BlackTitle \"WIM\"]\n[Board \"1\"]\n\
                 [WhiteElo \"2558\"]\n[WhiteFideId \"3400042\"]\n\
                 [WhiteTeam \"Schachfreunde Süd\"]\n[WhiteTitle \"GM\"]\n\n\
                 1. e4 e5 2. Nf3 Nc6 1-0\n\n";
    assert_eq!(written[0], first);
    assert!(written[1].contains("[Round \"2\"]") && written[1].contains("1. d4"));
    assert!(written[2].contains("[Round \"3\"]") && written[2].contains("1. c4"));
    let coverage = dir.text("report/coverage.csv");
    let status: Vec<&str> = coverage
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').nth(2).unwrap())
        .collect();
    assert_eq!(
        status,
        ["ok", "not expected", "ok", "not expected", "missing", "ok"]
    );
    let first = "1,1,2024.12.01,1,\"Müller, Jörg\",2,Doe Jane,1-0,played,ok,scans/a.jpg,";
    assert_eq!(coverage.lines().nth(1), Some(first));
    assert_eq!(dir.text("report/audit.jsonl").lines().count(), 12);
    assert_eq!(dir.text("report/checks.csv").lines().count(), 2);
}

#[test]
fn a_picture_that_is_given_twice_is_not_a_second_sheet() {
    let dir = event_folder();
    for (same_as, expected) in [(Value::Null, 1), (json!(0), 0)] {
        let mut game: Value =
            serde_json::from_str(&game_line("a.jpg", "e4 e5 Nf3 Nc6", "1-0")).expect("JSON");
        let sheet = |name: &str, same_as: &Value| {
            json!({"path": name, "page": 1, "sha256": "00ff", "language": "en",
                   "same_as": same_as})
        };
        // The header is typed for the picture's second name alone.
        game["sheets"] = json!([
            sheet("x.jpg", &Value::Null),
            sheet("y.jpg", &Value::Null),
            sheet("a.jpg", &same_as)
        ]);
        let run = merge(&dir, &[game.to_string()], &["-o", "games.pgn"]);
        let text = dir.text("games.pgn");
        assert!(text.contains("[White \"Müller, Jörg\"]"), "{text}");
        let findings = run
            .stderr
            .iter()
            .filter(|line| line.contains("W M2"))
            .count();
        assert_eq!(findings, expected, "{:#?}", run.stderr);
    }
}

#[test]
fn rounds_are_split_on_request() {
    let dir = event_folder();
    let mut lines = three_games().to_vec();
    lines.push(game_line("nobody.jpg", "f4 d5", "1-0"));
    let run = merge(
        &dir,
        &lines,
        &["--split-rounds", "--dotted-rounds", "-o", "games.pgn"],
    );
    assert_eq!(run.status, 2);
    assert!(
        run.line_about("nobody.jpg")
            .starts_with("sheetscan: W M1 nobody.jpg: ")
    );
    for (file, moves) in [
        ("r01", "1. e4"),
        ("r02", "1. d4"),
        ("r03", "1. c4"),
        ("unmatched", "1. f4"),
    ] {
        let text = dir.text(&format!("games-{file}.pgn"));
        assert_eq!(games(&text).len(), 1);
        assert!(text.contains(moves), "{text}");
    }
    assert!(!dir.path("games.pgn").exists());
}

#[test]
fn contradictions_exit_with_status_3() {
    let dir = event_folder();
    let run = merge(
        &dir,
        &[game_line("a.jpg", "e4 e5", "0-1")],
        &["-o", "games.pgn"],
    );
    assert_eq!(run.status, 3);
    assert!(
        run.line_about("R1")
            .contains("0-1 on the sheet, 1-0 in the report file")
    );
    let text = dir.text("games.pgn");
    assert!(
        text.contains("[Result \"1-0\"]"),
        "the report file wins: {text}"
    );
    let run = merge(
        &dir,
        &three_games(),
        &["-o", "games.pgn", "--norm-players", "3400042"],
    );
    assert_eq!(run.status, 3);
    assert!(run.line_about("C2").contains("round 3"), "{:?}", run.stderr);
}

#[test]
fn a_report_file_with_faults_is_used_as_far_as_it_goes() {
    let dir = event_folder();
    dir.write("one.jsonl", game_line("x.jpg", "e4 e5", "*"));
    let run = dir.run(&["merge", "one.jsonl", "--trf", "broken.trf", "--quiet"]);
    assert_eq!(run.status, 3);
    let has_fault_at = |at: &str| {
        run.stderr
            .iter()
            .any(|line| line.contains(&format!("broken.trf:{at}: ")))
    };
    for at in ["1:1", "2:5", "3:92", "4:5", "6:5", "7:37"] {
        assert!(has_fault_at(at), "{at} in {:#?}", run.stderr);
    }
    assert!(
        run.stdout.contains("1. e4 e5 *"),
        "the game is kept: {}",
        run.stdout
    );
}

#[test]
fn a_line_that_is_not_a_game_is_left_out() {
    let dir = event_folder();
    let mut lines = three_games().to_vec();
    lines.insert(1, "{\"schema\": 1, \"sheets\": []}\n".to_owned());
    lines.insert(
        2,
        game_line("z.jpg", "e4", "*").replace("\"schema\":1", "\"schema\":2"),
    );
    let run = merge(&dir, &lines, &["-o", "games.pgn"]);
    assert_eq!(run.status, 2);
    assert!(
        run.line_about("all.jsonl, line 2").contains("complete"),
        "{:?}",
        run.stderr
    );
    assert!(run.line_about("all.jsonl, line 3").contains("schema 2"));
    assert_eq!(games(&dir.text("games.pgn")).len(), 3);
}

#[test]
fn wrong_usage_is_refused_before_any_work() {
    let dir = event_folder();
    dir.write("all.jsonl", three_games().concat());
    dir.write("bad.tsv", "sheet\tcolour\na\tred\n");
    dir.write("odd.tsv", "sheet\tround\na\tthree\n");
    let refused = |arguments: &[&str], why: &str| {
        let mut all = vec!["merge", "all.jsonl"];
        all.extend(arguments);
        let run = dir.run(&all);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(
            run.stderr.concat().contains(why),
            "{arguments:?}: {:?}",
            run.stderr
        );
    };
    refused(&["--round", "3"], "--trf");
    refused(&["--trf", "none.trf"], "none.trf: cannot be read");
    refused(&["--trf", "round1.pgn"], "there is no player in it");
    refused(
        &["--trf", "open.trf", "--round", "8"],
        "no pairing in that round",
    );
    refused(
        &["--trf", "open.trf", "--norm-players", "7"],
        "FIDE number 7",
    );
    refused(&["--trf", "open.trf", "--split-rounds"], "-o games.pgn");
    refused(&["--trf", "open.trf", "--headers", "bad.tsv"], "colour");
    refused(
        &["--trf", "open.trf", "--headers", "odd.tsv"],
        "odd.tsv, line 2: the round is no number",
    );
    let scan = dir.run(&["scan", "x.jpg", "--round", "3"]);
    assert_eq!(scan.status, 1, "--round wants --trf");
}

/// The first command of `docs/guide/events.md`, without its report.
#[test]
fn the_example_of_the_guide_matches_two_sheets_by_their_names_and_one_by_its_typed_header() {
    let dir = event_folder();
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/event");
    let guide = |name: &str| guide.join(name).to_str().expect("UTF-8").to_owned();
    let samples = samples();
    let sample = |i: usize| samples[i].to_str().expect("UTF-8");
    let scan = |more: &[&str]| {
        let trf = guide("open.trf");
        let mut arguments = vec!["scan", sample(1), sample(5), sample(6), "--trf", &trf];
        arguments.extend(["--round", "1", "-o", "games.pgn", "--quiet"]);
        arguments.extend(more);
        let run = dir.run(&arguments);
        (run, games(&dir.text("games.pgn")))
    };
    let (run, written) = scan(&[]);
    assert_eq!(run.status, 2, "{:?}", run.stderr);
    assert!(written[0].contains("[White \"Conti, Elena\"]") && written[0].contains("18. Nxf5 1-0"));
    assert!(
        written[1].contains("[White \"Valle, Paola\"]") && written[1].contains("24. Rf2 Qxf2# 0-1")
    );
    assert!(
        written[2].contains("[White \"?\"]") && written[2].contains("3. Bb5 a6 *"),
        "a game without a pairing keeps its moves"
    );
    assert!(run.line_about("M1").contains("02_exemplo_1_pt.jpg"));
    assert!(run.line_about("C1").contains("Eriksen, Eva - Fuchs, Franz"));
    let (run, written) = scan(&[
        "--headers",
        &guide("headers.tsv"),
        "--pairings",
        &guide("round1.pgn"),
    ]);
    assert!(!run.stderr.concat().contains(" C1 "), "{:?}", run.stderr);
    let boards = ["1", "2", "3"].map(|board| format!("[Board \"{board}\"]"));
    assert_eq!(written.len(), boards.len());
    for (game, board) in written.iter().zip(&boards) {
        assert!(game.contains(board), "{game}");
    }
    assert!(written[2].contains("[White \"Eriksen, Eva\"]"));
}

#[test]
fn what_scan_writes_can_be_merged() {
    let dir = event_folder();
    let sample = common::short_sample();
    let run = dir.run(&["scan", &sample, "--json", "one.jsonl", "--quiet"]);
    assert!(run.status == 0 || run.status == 2);
    dir.write(
        "headers.tsv",
        format!("sheet\twhite\tblack\tround\tresult\n{sample}\tMuller\tDoe\t1\t1-0\n"),
    );
    let run = dir.run(&[
        "merge",
        "one.jsonl",
        "--trf",
        "open.trf",
        "--headers",
        "headers.tsv",
        "--quiet",
    ]);
    assert!(
        run.stdout.contains("[White \"Müller, Jörg\"]"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("3. Bb5 a6 1-0"), "{}", run.stdout);
}
