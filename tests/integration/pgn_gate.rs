//! An independent program, pgn-extract, reads every PGN that we write without a complaint, and
//! writes the same tokens.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{self, TestDir, samples, skip_without};

/// Names of the program; Debian's folder of games is not on everybody's path.
const PROGRAMS: [&str; 2] = ["pgn-extract", "/usr/games/pgn-extract"];

/// Tags of a game of which nothing is known, without the result.
const TAGS: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                    [White \"?\"]\n[Black \"?\"]\n";

/// The name that pgn-extract runs by, or `None` where it is missing and the test may be skipped.
fn pgn_extract() -> Option<&'static str> {
    let starts = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    let program = PROGRAMS.into_iter().find(|program| starts(program));
    if program.is_none() {
        skip_without("pgn-extract (Debian: apt-get install pgn-extract)");
    }
    program
}

/// Reads a file with pgn-extract, and compares the tags and tokens that it writes with those of the
/// file. The program always exits with status 0, so that any message counts as an error.
///
/// # Errors
/// The messages, or the tags and tokens of both.
fn check_with_pgn_extract(program: &str, pgn: &Path) -> Result<(), String> {
    let canon = pgn.with_extension("canon");
    let output = Command::new(program)
        .args(["-s", "-w1000", "-o"])
        .args([&canon, &PathBuf::from(pgn)])
        .output();
    let messages = String::from_utf8_lossy(&output.expect("it starts").stderr).into_owned();
    if !messages.is_empty() {
        return Err(messages);
    }
    let tokens = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a PGN");
        let (mut tags, movetext): (Vec<_>, Vec<_>) = text
            .lines()
            .map(str::to_owned)
            .partition(|line| line.starts_with('['));
        tags.sort();
        let moves = movetext
            .join(" ")
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>();
        (tags, moves)
    };
    let (ours, theirs) = (tokens(pgn), tokens(&canon));
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("{ours:?}\n{theirs:?}"))
    }
}

#[test]
fn games_of_scanned_sheets_pass() {
    let Some(program) = pgn_extract() else { return };
    let dir = TestDir::new();
    let samples = samples()
        .iter()
        .map(|path| path.to_str().expect("UTF-8").to_owned())
        .collect::<Vec<_>>();
    let mut arguments = vec!["scan", "-o", "games.pgn", "--quiet"];
    arguments.extend(samples.iter().map(String::as_str));
    dir.run(&arguments);
    assert!(
        dir.text("games.pgn").contains("1. e4"),
        "there are games to judge"
    );
    check_with_pgn_extract(program, &dir.path("games.pgn")).unwrap();
}

#[test]
fn the_expected_games_of_the_samples_pass() {
    let Some(program) = pgn_extract() else { return };
    let dir = TestDir::new();
    for sample in samples() {
        let game = std::fs::read_to_string(sample.with_extension("pgn")).expect("its game");
        dir.write("one.pgn", game);
        check_with_pgn_extract(program, &dir.path("one.pgn"))
            .unwrap_or_else(|why| panic!("{}: {why}", sample.display()));
    }
}

#[test]
fn a_game_with_a_comment_where_it_breaks_off_passes() {
    let Some(program) = pgn_extract() else { return };
    let dir = TestDir::new();
    let comment = "{ sheetscan: not readable from move 2 White on; the sheet goes on: 2. Bd7 }";
    dir.write(
        "cut.pgn",
        format!("{TAGS}[Result \"*\"]\n\n1. e4 e5 {comment} *\n\n"),
    );
    check_with_pgn_extract(program, &dir.path("cut.pgn")).unwrap();
}

#[test]
fn games_of_an_event_pass() {
    let Some(program) = pgn_extract() else { return };
    let dir = TestDir::new();
    let trf = include_bytes!("../data/event/latin1_cr.trf");
    dir.write("event.trf", trf);
    let sample = common::short_sample();
    let header = format!("sheet\twhite\tblack\tround\n{sample}\tMüller\tDoe\t1\n");
    dir.write("headers.tsv", header);
    let event = [
        "--trf",
        "event.trf",
        "--headers",
        "headers.tsv",
        "-o",
        "games.pgn",
        "--quiet",
    ];
    dir.run(&[&["scan", &sample], &event[..]].concat());
    assert!(dir.text("games.pgn").contains("[White \"Müller, Jörg\"]"));
    check_with_pgn_extract(program, &dir.path("games.pgn")).unwrap();
}

#[test]
fn files_with_a_fault_do_not_pass() {
    let Some(program) = pgn_extract() else { return };
    let dir = TestDir::new();
    let faults = [
        ("illegal", "1. e4 e5 2. Ke3 *", "*"),
        ("ambiguous", "1. Nf3 Nf6 2. d3 d6 3. Nd2 *", "*"),
        ("foreign letters", "1. e4 e5 2. Cf3 *", "*"),
        ("result clash", "1. e4 e5 1-0", "0-1"),
        ("missing check", "1. e4 f5 2. Qh5 *", "*"),
    ];
    for (fault, moves, result) in faults {
        dir.write(
            "bad.pgn",
            format!("{TAGS}[Result \"{result}\"]\n\n{moves}\n\n"),
        );
        assert!(
            check_with_pgn_extract(program, &dir.path("bad.pgn")).is_err(),
            "{fault}"
        );
    }
}
