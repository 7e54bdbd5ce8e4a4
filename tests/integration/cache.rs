//! The cache: a sheet is read once, a run that was killed goes on, and the output is the same.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{Run, TestDir, games, samples};

/// A folder with four sheets, of which d.jpg is the same picture as a.jpg, and a text that claims
/// to be a fifth.
fn dir() -> TestDir {
    let dir = TestDir::new();
    let samples = samples();
    for (name, i) in [("a.jpg", 1), ("b.jpg", 6), ("c.jpg", 5), ("d.jpg", 1)] {
        fs::copy(&samples[i], dir.path(name)).expect("a copy");
    }
    dir.write("e.jpg", "no picture");
    dir
}

const SHEETS: [&str; 5] = ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"];
const FILES: [&str; 2] = ["games.pgn", "games.jsonl"];

fn arguments(more: &[&'static str]) -> Vec<&'static str> {
    let outputs = ["-o", FILES[0], "--json", FILES[1], "--jobs", "1"];
    [&["scan"], &SHEETS[..], &outputs[..], more].concat()
}

/// Scans the sheets, and returns the text of both outputs, which are then removed.
fn scan(dir: &TestDir, more: &[&'static str]) -> (Run, [String; 2]) {
    let run = dir.run(&arguments(more));
    assert_eq!(run.status, 2, "the text is reported: {:#?}", run.stderr);
    let outputs = FILES.map(|name| dir.text(name));
    for name in FILES {
        fs::remove_file(dir.path(name)).expect("it is there");
    }
    (run, outputs)
}

/// How many pages a run took from the cache, and how many it read itself.
fn counts(run: &Run) -> (usize, usize) {
    let pages: Vec<&String> = run
        .stderr
        .iter()
        .filter(|line| line.contains("cells written"))
        .collect();
    let before = pages
        .iter()
        .filter(|line| line.ends_with("read before"))
        .count();
    (before, pages.len() - before)
}

/// Every file below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> = paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_sheet_is_read_once_and_gives_the_same_bytes() {
    let dir = dir();
    let (plain, expected) = scan(&dir, &["--no-cache"]);
    assert_eq!(counts(&plain), (1, 3), "the same picture is read once");
    assert!(files(&dir.path("cache")).is_empty(), "nothing is kept");
    let (first, outputs) = scan(&dir, &[]);
    assert_eq!((counts(&first), &outputs), ((1, 3), &expected));
    let (second, outputs) = scan(&dir, &[]);
    assert_eq!((counts(&second), &outputs), ((4, 0), &expected));
    let (elsewhere, outputs) = scan(&dir, &["--cache", "own"]);
    assert_eq!((counts(&elsewhere), &outputs), ((1, 3), &expected));
    assert!(!files(&dir.path("own")).is_empty());
    let (drawn, outputs) = scan(&dir, &["--debug-dir", "seen"]);
    assert_eq!((counts(&drawn), &outputs), ((0, 4), &expected));
    assert_eq!(files(&dir.path("seen")).len(), 4, "every table is drawn");
}

#[test]
fn the_same_picture_twice_is_no_second_copy() {
    let dir = dir();
    let (_, [pgn, json]) = scan(&dir, &[]);
    assert_eq!(games(&pgn).len(), 3);
    let first: serde_json::Value =
        serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    let of = |i: usize| {
        (
            first["sheets"][i]["path"].clone(),
            first["sheets"][i]["same_as"].clone(),
        )
    };
    assert_eq!(of(0), ("a.jpg".into(), serde_json::Value::Null));
    assert_eq!(of(1), ("d.jpg".into(), 0.into()));
    let plies = first["plies"].as_array().expect("a list");
    assert!(
        plies
            .iter()
            .all(|ply| ply["cells"].as_array().map(Vec::len) == Some(1))
    );
    dir.run(&["scan", "a.jpg", "--json", "alone.jsonl"]);
    let alone: serde_json::Value = serde_json::from_str(&dir.text("alone.jsonl")).expect("JSON");
    assert_eq!(alone["plies"], first["plies"], "confidence does not grow");
}

#[test]
fn a_damaged_entry_is_read_anew() {
    let dir = dir();
    let (_, expected) = scan(&dir, &[]);
    let entries = files(&dir.path("cache"));
    // Three pictures have each an entry for their page, and one for the end of the file.
    assert_eq!(entries.len(), 6, "{entries:?}");
    for entry in &entries {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(entry)
            .expect("an entry");
        let middle = file.metadata().expect("its size").len() / 2;
        file.seek(SeekFrom::Start(middle)).expect("the middle");
        let mut byte = [0];
        file.read_exact(&mut byte).expect("a byte");
        file.seek(SeekFrom::Start(middle)).expect("the middle");
        file.write_all(&[byte[0] ^ 0x10]).expect("written");
    }
    let (again, outputs) = scan(&dir, &[]);
    assert_eq!((counts(&again), &outputs), ((1, 3), &expected));
    for entry in &entries {
        fs::write(entry, "").expect("written");
    }
    let (again, outputs) = scan(&dir, &[]);
    assert_eq!((counts(&again), &outputs), ((1, 3), &expected));
}

#[test]
fn a_run_that_was_killed_goes_on() {
    for (lines, more) in [(1, &[][..]), (2, &[][..]), (2, &["--no-pair"][..])] {
        let dir = dir();
        let (_, expected) = scan(&dir, &[&["--no-cache"], more].concat());
        let mut child = dir
            .command(&arguments(more))
            .stderr(Stdio::piped())
            .spawn()
            .expect("sheetscan starts");
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        let pages = stderr.lines().map(|line| line.expect("UTF-8"));
        let mut pages = pages.filter(|line| line.contains("cells written"));
        for _ in 0..lines {
            pages.next().expect("a page is reported");
        }
        child.kill().expect("killed");
        child.wait().expect("it is gone");
        for name in FILES {
            assert!(!dir.path(name).exists(), "{name} is whole or not there");
        }
        let (resumed, outputs) = scan(&dir, more);
        assert!(counts(&resumed).0 > lines, "{:#?}", resumed.stderr);
        assert_eq!(outputs, expected);
    }
}

#[test]
fn a_cache_folder_that_cannot_be_written_is_reported() {
    let dir = dir();
    dir.write("file", "");
    let run = dir.run(&arguments(&["--cache", "file"]));
    assert_eq!((run.status, run.stderr.len()), (1, 1), "{:#?}", run.stderr);
    assert!(run.stderr[0].contains("the cache folder file cannot be written"));
    // If the user's own folder cannot be written, the run does without.
    dir.write("cache", "");
    let (run, _) = scan(&dir, &[]);
    assert!(
        run.stderr
            .iter()
            .any(|line| line.contains("nothing is kept")),
        "{:#?}",
        run.stderr
    );
}
