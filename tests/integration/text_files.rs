//! Text of other programs on its way in: encodings, line ends, tables of spreadsheets, lists, and
//! what a damaged or hostile file may not do.

use crate::common::{Run, TestDir, games};
use serde_json::json;

/// A player's line of a report file, padded to its columns by `width` of a text.
fn player(width: fn(&str) -> usize, rank: u32, title: &str, name: &str, round: &str) -> String {
    let pad = " ".repeat(33 - width(name));
    format!(
        "001 {rank:>4} m{title:>3} {name}{pad} 2000 POR {:>11} {:>10} {:>4} {rank:>4}  {round}\n",
        "", "", "0.0"
    )
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

fn bytes(text: &str) -> usize {
    text.len()
}

/// The names of the four players of the event.
const NAMES: [&str; 4] = [
    "Álvares, Águeda",
    "Brandão, Benção",
    "Côrtes, Célio",
    "Días, Ñuño",
];

/// The report file of an event of one round, in which 1 loses to 2, and 3 beats 4.
fn report_file(width: fn(&str) -> usize, titles: [&str; 4]) -> String {
    let rounds = ["   2 w 0", "   1 b 1", "   4 w 1", "   3 b 0"];
    let players = (1..).zip(NAMES).zip(titles).zip(rounds);
    let players =
        players.map(|(((rank, name), title), round)| player(width, rank, title, name, round));
    "012 Open of Nowhere\n".to_owned() + &players.collect::<String>()
}

/// A game of one sheet as a line of `scan --json`.
fn game_line(sheet: &str, sans: &str, result: &str) -> String {
    let plies = sans.split_whitespace().zip(1..).map(|(san, ply)| {
        json!({"ply": ply, "san": san, "uci": "", "confidence": 0.99, "review": false,
               "alternatives": [], "cells": []})
    });
    let sheets = json!([{"path": sheet, "page": 1, "sha256": "00ff", "language": "en"}]);
    json!({"schema": 1, "sheets": sheets, "tags": {"Result": result}, "language": "en",
           "complete": true, "plies": plies.collect::<Vec<_>>()})
    .to_string()
        + "\n"
}

/// A folder with two games and the report file of their event.
fn event_folder() -> TestDir {
    let dir = TestDir::new();
    let games = [
        game_line("scans/a.jpg", "e4 e5 Nf3 Nc6", "0-1"),
        game_line("scans/b.jpg", "d4 d5 c4 e6", "1-0"),
    ];
    dir.write("games.jsonl", games.concat());
    dir.write("event.trf", report_file(letters, [""; 4]));
    dir.write("headers.tsv", HEADERS);
    dir
}

/// The typed headers of the two sheets.
const HEADERS: &str = "sheet\twhite\tblack\tround\na\tÁlvares\tBrandão\t1\nb\tCôrtes\tDías\t1\n";

fn merge(dir: &TestDir, more: &[&str]) -> Run {
    let mut arguments = vec!["merge", "games.jsonl", "--trf", "event.trf", "--quiet"];
    arguments.extend(more);
    dir.run(&arguments)
}

/// The names of White in the games that a run wrote.
fn whites(run: &Run) -> Vec<&str> {
    let tags = run
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("[White \""));
    tags.map(|tag| tag.trim_end_matches("\"]")).collect()
}

const MATCHED: [&str; 2] = ["Álvares, Águeda", "Côrtes, Célio"];

/// The bytes of a text in UTF-16 with its mark.
fn utf16(text: &str) -> Vec<u8> {
    let units = format!("\u{feff}{text}");
    units.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The bytes of a text in Latin-1, which Windows-1252 includes.
fn latin1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).expect("a letter of Latin-1"))
        .collect()
}

#[test]
fn a_report_file_may_be_padded_by_bytes() {
    let dir = event_folder();
    dir.write("event.trf", report_file(bytes, [""; 4]));
    let run = merge(&dir, &["--headers", "headers.tsv", "--report", "report"]);
    assert_eq!((run.status, run.stderr.as_slice()), (0, &[][..]));
    assert_eq!(whites(&run), MATCHED);
    let checks = dir.text("report/checks.csv");
    assert!(
        checks.contains("I,T4,event.trf:2:1,the columns of 4 lines count bytes"),
        "{checks}"
    );
}

#[test]
fn titles_of_the_arena_are_taken_and_others_are_no_contradiction() {
    let dir = event_folder();
    dir.write(
        "event.trf",
        report_file(letters, ["AFM", "AGM", "WH", "NM"]),
    );
    let run = merge(&dir, &["--headers", "headers.tsv"]);
    assert_eq!(run.status, 2, "{:?}", run.stderr);
    assert_eq!(whites(&run), MATCHED);
    assert!(
        run.stdout.contains("[WhiteTitle \"AFM\"]"),
        "{}",
        run.stdout
    );
    assert!(run.line_about("NM").contains("W T3"), "{:?}", run.stderr);
}

#[test]
fn a_table_of_headers_may_come_from_any_spreadsheet() {
    let dir = event_folder();
    let capitals = HEADERS.replace("sheet\twhite", "Sheet\tWHITE");
    let with_endings = HEADERS
        .replace("\na\t", "\na.jpg\t")
        .replace("\nb\t", "\nscans\\B.JPG\t");
    for (how, table) in [
        (
            "a byte order mark",
            format!("\u{feff}{HEADERS}").into_bytes(),
        ),
        ("capitals", capitals.into_bytes()),
        ("Windows-1252", latin1(HEADERS)),
        ("UTF-16", utf16(&HEADERS.replace('\n', "\r\n"))),
        ("bare CR", HEADERS.replace('\n', "\r").into_bytes()),
        ("semicolons", HEADERS.replace('\t', ";").into_bytes()),
        ("commas", HEADERS.replace('\t', ",").into_bytes()),
        ("endings and folders", with_endings.into_bytes()),
    ] {
        dir.write("headers.tsv", table);
        let run = merge(&dir, &["--headers", "headers.tsv"]);
        assert_eq!(
            (run.status, whites(&run)),
            (0, MATCHED.to_vec()),
            "{how}: {:?}",
            run.stderr
        );
        let told = run
            .stderr
            .iter()
            .any(|line| line.contains("windows-1252 was assumed"));
        assert_eq!(
            (told, run.stderr.len()),
            (how == "Windows-1252", usize::from(told)),
            "{how}"
        );
    }
}

#[test]
fn rows_that_serve_for_nothing_or_contradict_are_told() {
    let dir = event_folder();
    let more = "c\tÁlvares\tBrandão\t1\na\tDías\t\t1\nb\tCôrtes\tDías\t1\n";
    dir.write("headers.tsv", format!("{HEADERS}{more}"));
    let run = merge(&dir, &["--headers", "headers.tsv"]);
    assert_eq!(whites(&run), MATCHED);
    assert!(
        run.line_about("line 4")
            .contains("no sheet of the run is called c")
    );
    assert!(
        run.line_about("line 5")
            .contains("a has another header in line 2")
    );
    assert_eq!(run.stderr.len(), 2, "{:?}", run.stderr);
    dir.write("headers.tsv", "sheet,white,round\na,Zzyzx,9\n");
    let run = merge(&dir, &["--headers", "headers.tsv"]);
    assert!(
        run.stderr.iter().any(|line| line.contains("Zzyzx")),
        "{:?}",
        run.stderr
    );
    assert!(
        run.stderr
            .iter()
            .any(|line| line.contains("no pairing in round 9"))
    );
}

#[test]
fn a_name_in_two_folders_is_refused_with_both() {
    let dir = event_folder();
    let games = [
        game_line("r1/IMG_1.jpg", "e4 e5 Nf3 Nc6", "0-1"),
        game_line("r2/IMG_1.jpg", "d4 d5 c4 e6", "1-0"),
    ];
    dir.write("games.jsonl", games.concat());
    dir.write("headers.tsv", "sheet\twhite\tround\nIMG_1\tÁlvares\t1\n");
    dir.write("fixes.toml", "[\"IMG_1\"]\n1 = \"e4\"\n");
    let both = |run: &Run| {
        assert_eq!(
            (run.status, run.stderr.len(), run.stdout.as_str()),
            (1, 1, "")
        );
        let line = &run.stderr[0];
        assert!(
            line.contains("r1/IMG_1.jpg") && line.contains("r2/IMG_1.jpg"),
            "{line}"
        );
    };
    both(&merge(&dir, &["--headers", "headers.tsv"]));
    both(&merge(&dir, &["--fix", "IMG_1:1=e4"]));
    both(&merge(&dir, &["--fixes", "fixes.toml"]));
    for folder in ["r1", "r2"] {
        std::fs::create_dir(dir.path(folder)).expect("a folder");
        dir.write(&format!("{folder}/IMG_1.jpg"), "no picture");
    }
    both(&dir.run(&["scan", "r1", "r2", "--no-cache", "--fix", "IMG_1:1=e4"]));
    let typed = ["--trf", "event.trf", "--headers", "headers.tsv"];
    both(&dir.run(&[&["scan", "r1", "r2", "--no-cache"], &typed[..]].concat()));
    dir.write(
        "headers.tsv",
        "sheet\twhite\tround\nr1/IMG_1\tÁlvares\t1\nr2\\img_1.jpg\tCôrtes\t1\n",
    );
    assert_eq!(whites(&merge(&dir, &["--headers", "headers.tsv"])), MATCHED);
}

#[test]
fn a_header_pgn_may_be_written_as_the_standard_allows() {
    let dir = event_folder();
    for (how, pgn) in [
        (
            "tags on one line",
            "[Date \"2026.11.01\"] [Round \"1.1\"] [White \"Álvares, Águeda\"] \
             [Black \"Brandão, Benção\"] *\n[Date \"2026.11.01\"] [Round \"1.2\"] \
             [White \"Côrtes, Célio\"] [Black \"Días, Ñuño\"] *\n",
        ),
        (
            "short names and another form of dates",
            "[Date \"1.11.2026\"]\n[Round \"Round 1\"]\n[Board \"1\"]\n[White \"Álvares, Á.\"]\n\
             [Black \"Brandão\"]\n\n*\n\n[Date \"2026-11-01\"]\n[Round \"1\"]\n[Table \"2.\"]\n\
             [White \"Célio Cortes\"]\n[Black \"N. Dias\"]\n\n*\n",
        ),
    ] {
        dir.write("round1.pgn", pgn);
        let run = merge(
            &dir,
            &["--headers", "headers.tsv", "--pairings", "round1.pgn"],
        );
        assert_eq!((run.status, run.stderr.as_slice()), (0, &[][..]), "{how}");
        let written = games(&run.stdout);
        for (game, board) in written.iter().zip(["1", "2"]) {
            assert!(game.contains("[Date \"2026.11.01\"]"), "{how}: {game}");
            assert!(
                game.contains(&format!("[Board \"{board}\"]")),
                "{how}: {game}"
            );
        }
    }
}

#[test]
fn what_a_header_pgn_has_and_is_not_taken_is_told() {
    let dir = event_folder();
    dir.write(
        "round1.pgn",
        "[Round \"1\"]\n[Board \"1.1\"]\n[Date \"05/06/2026\"]\n[White \"Álvares, Águeda\"]\n\
         [Black \"Brandão, Benção\"]\n\n*\n\n[Round \"1\"]\n[White \"Días, Ñuño\"]\n[Black \"BYE\"]\n*\n",
    );
    let run = merge(
        &dir,
        &["--headers", "headers.tsv", "--pairings", "round1.pgn"],
    );
    assert_eq!((run.status, run.stderr.len()), (2, 2), "{:?}", run.stderr);
    assert!(
        run.line_about("Board")
            .contains("\"1.1\" is no number of a board")
    );
    assert!(run.line_about("05/06/2026").contains("it is left out"));
}

#[test]
fn lines_of_games_may_have_a_mark_or_be_utf16() {
    let dir = event_folder();
    let text = dir.text("games.jsonl");
    for lines in [
        format!("\u{feff}{text}").into_bytes(),
        utf16(&text.replace('\n', "\r\n")),
    ] {
        dir.write("games.jsonl", lines);
        let run = dir.run(&["merge", "games.jsonl", "--quiet"]);
        assert_eq!(
            (run.status, games(&run.stdout).len()),
            (0, 2),
            "{:?}",
            run.stderr
        );
    }
    dir.write(
        "games.jsonl",
        [text.as_bytes(), b"{\"\xe9\": 1}\n"].concat(),
    );
    let run = dir.run(&["merge", "games.jsonl", "--quiet"]);
    assert_eq!((run.status, games(&run.stdout).len()), (2, 2));
    assert!(
        run.line_about("line 3").contains("not UTF-8"),
        "{:?}",
        run.stderr
    );
}

#[test]
fn nothing_in_a_line_of_games_breaks_out_of_its_pgn() {
    let dir = event_folder();
    let mut game: serde_json::Value =
        serde_json::from_str(&game_line("a.jpg", "e4 e5", "1-0")).expect("JSON");
    game["complete"] = json!(false);
    game["break_off"] = json!("x } 2. d4 [Event \"y\"]\n%{");
    game["plies"][1]["review"] = json!(true);
    let evil = |pointer: &str, text: &str| {
        let mut game = game.clone();
        *game.pointer_mut(pointer).expect("a field") = json!(text);
        game.to_string() + "\n"
    };
    let lines = [
        game.to_string() + "\n",
        evil("/plies/0/san", "e4 } {x"),
        evil("/plies/0/san", "e5"),
        evil("/plies/1/alternatives", ""),
    ];
    dir.write("games.jsonl", lines.concat());
    let run = dir.run(&["merge", "games.jsonl", "--quiet", "--comments"]);
    assert_eq!((run.status, run.stderr.len()), (2, 3), "{:?}", run.stderr);
    assert!(
        run.line_about("line 2").contains("no legal move"),
        "{:?}",
        run.stderr
    );
    assert!(
        run.line_about("line 3").contains("no legal move"),
        "{:?}",
        run.stderr
    );
    let movetext = run
        .stdout
        .split("\n\n")
        .nth(1)
        .expect("moves")
        .replace('\n', " ");
    assert_eq!(movetext.matches('{').count(), 2, "{movetext}");
    assert!(
        movetext.ends_with("{ x 2. d4 [Event \"y\"] } 1-0"),
        "{movetext}"
    );
}

#[test]
fn the_tables_of_a_report_hold_no_formulas() {
    let dir = event_folder();
    dir.write(
        "event.trf",
        report_file(letters, [""; 4]).replace("Álvares, Águeda", "=HYPERLINK(\"x\")"),
    );
    dir.write("games.jsonl", game_line("@evil.jpg", "e4 e5", "*"));
    merge(&dir, &["--report", "report"]);
    for table in ["coverage.csv", "checks.csv"] {
        let text = dir.text(&format!("report/{table}"));
        assert!(
            !text.contains(",=") && !text.contains(",\"=") && !text.contains(",@"),
            "{text}"
        );
    }
    assert!(
        dir.text("report/coverage.csv")
            .contains("\"'=HYPERLINK(\"\"x\"\")\"")
    );
    assert!(dir.text("report/checks.csv").contains("'@evil.jpg"));
}

#[test]
fn a_picture_in_the_place_of_a_text_is_refused_by_name() {
    let dir = event_folder();
    let noise: Vec<u8> = (0..4000u32).map(|i| (i * i * 31 % 251) as u8).collect();
    dir.write("noise.jpg", noise);
    for option in ["--headers", "--pairings", "--fixes"] {
        let run = merge(&dir, &[option, "noise.jpg"]);
        assert_eq!((run.status, run.stderr.len()), (1, 1), "{option}");
        assert!(
            run.line_about("noise.jpg").contains("not a text"),
            "{option}"
        );
    }
}

#[test]
fn a_round_that_cannot_be_read_is_no_other_round() {
    for round in ["2/1", "II", "2 (1)", "Final 2-1"] {
        let dir = event_folder();
        let tags = format!(
            "[Round \"{round}\"]\n[Board \"7\"]\n[White \"Álvares, Águeda\"]\n\
             [Black \"Brandão, Benção\"]\n\n*\n"
        );
        dir.write("round1.pgn", tags);
        let run = merge(
            &dir,
            &["--headers", "headers.tsv", "--pairings", "round1.pgn"],
        );
        assert_eq!((run.status, run.stderr.len()), (2, 1), "{:?}", run.stderr);
        assert!(run.line_about("Round").contains(round));
        assert!(!run.stdout.contains("[Board \"7\"]"), "{}", run.stdout);
    }
}

#[test]
fn names_with_umlauts_and_byes_of_any_program_are_known() {
    let dir = event_folder();
    let rename = |text: String| {
        let text = text.replace("Álvares, Águeda", "Mueller, Kai   ");
        text.replace("Brandão, Benção", "Schäfer, Berta ")
    };
    dir.write("event.trf", rename(report_file(letters, [""; 4])));
    dir.write(
        "headers.tsv",
        HEADERS
            .replace("Álvares", "Mueller")
            .replace("Brandão", "Schäfer"),
    );
    let mut pgn = "[Round \"1\"]\n[Board \"7\"]\n[White \"Müller, Kai\"]\n\
                   [Black \"Schaefer, B\"]\n\n*\n\n"
        .to_owned();
    for bye in [
        "Freilos",
        "Exempt",
        "descansa",
        "Libre",
        "Riposo",
        "wolny los",
        "pauza",
        "Vrij",
        "half point bye",
        "No opponent",
        "---",
    ] {
        pgn += &format!("[Round \"1\"]\n[White \"Días, Ñuño\"]\n[Black \"{bye}\"]\n\n*\n\n");
    }
    dir.write("round1.pgn", pgn);
    let run = merge(
        &dir,
        &["--headers", "headers.tsv", "--pairings", "round1.pgn"],
    );
    assert_eq!((run.status, run.stderr.as_slice()), (0, &[][..]));
    assert!(run.stdout.contains("[Board \"7\"]"), "{}", run.stdout);
}

#[test]
fn a_side_line_that_is_never_closed_in_a_header_pgn_is_told() {
    let dir = event_folder();
    dir.write(
        "round1.pgn",
        "[Round \"1\"]\n[White \"Álvares, Águeda\"]\n[Black \"Brandão, Benção\"]\n\n1. e4 (1. d4 *\n\n\
         [Round \"1\"]\n[Board \"8\"]\n[White \"Côrtes, Célio\"]\n[Black \"Días, Ñuño\"]\n\n*\n",
    );
    let run = merge(
        &dir,
        &["--headers", "headers.tsv", "--pairings", "round1.pgn"],
    );
    assert_eq!((run.status, run.stderr.len()), (3, 1), "{:?}", run.stderr);
    assert!(run.line_about("round1.pgn").contains("never closed"));
    assert!(run.stdout.contains("[Board \"8\"]"), "{}", run.stdout);
}

#[test]
fn dates_of_rounds_may_have_the_day_first_where_only_that_fits() {
    let dir = event_folder();
    let dates = |date: &str| {
        let report = report_file(letters, [""; 4]);
        format!(
            "042 2026/11/01\n052 2026/11/05\n132{:88}{date}\n{report}",
            ""
        )
    };
    for (written, date, faults) in [
        ("26/11/01", "2026.11.01", 0),
        ("01/11/26", "2026.11.01", 1),
        ("26/12/24", "2026.12.24", 1),
    ] {
        dir.write("event.trf", dates(written));
        let run = merge(&dir, &["--headers", "headers.tsv"]);
        assert_eq!(run.stderr.len(), faults, "{written}: {:?}", run.stderr);
        let tag = format!("[Date \"{date}\"]");
        assert!(run.stdout.contains(&tag), "{written}: {}", run.stdout);
    }
}

#[test]
fn files_with_nothing_in_them_are_told() {
    let dir = event_folder();
    dir.write("empty.jsonl", "");
    let run = dir.run(&["merge", "empty.jsonl", "--quiet"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.line_about("empty.jsonl").contains("no game"));
    dir.write("empty.txt", "\n");
    let run = dir.run(&["scan", "--files-from", "empty.txt", "--quiet"]);
    assert_eq!(run.status, 1);
    assert!(run.line_about("empty.txt").contains("no path"));
    let report = dir.text("event.trf");
    for pairings in ["", "<html><body>Round 1</body></html>", &report] {
        dir.write("round1.pgn", pairings);
        let run = merge(
            &dir,
            &["--headers", "headers.tsv", "--pairings", "round1.pgn"],
        );
        assert_eq!(run.status, 3, "{pairings}");
        assert!(
            run.line_about("no game with the tag")
                .contains("round1.pgn")
        );
    }
}
