//! Several runs and `merge` write what one run writes: started by hand, by GNU parallel and by
//! Apache Spark. The latter two are skipped where they are missing, but not in continuous
//! integration.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{self, TestDir, games, samples, skip_without};
use sheetscan::schema::GameRecord;

/// The sheets in the order in which they are given. `a2` and `b2` are copies of `a` and `b`, and
/// lie in other shards than these; `same` is the picture of `b`.
const SHEETS: [&str; 6] = ["a.jpg", "b.jpg", "a2.jpg", "c.jpg", "b2.jpg", "same.jpg"];

/// A folder with these sheets, and in one.pgn and one.jsonl what one run writes of them.
fn dir() -> TestDir {
    let dir = TestDir::new();
    let samples = samples();
    for (name, i) in [("a.jpg", 5), ("b.jpg", 6), ("c.jpg", 1), ("same.jpg", 6)] {
        std::fs::copy(&samples[i], dir.path(name)).expect("a copy");
    }
    // As if photographed once more, in less light and from a little further away.
    for (name, i) in [("a2.jpg", 5), ("b2.jpg", 6)] {
        let picture = image::open(&samples[i]).expect("a picture").to_luma8();
        let (width, height) = (picture.width() * 9 / 10, picture.height() * 9 / 10);
        let filter = image::imageops::FilterType::Triangle;
        let smaller = image::imageops::resize(&picture, width, height, filter);
        let darker = image::imageops::brighten(&smaller, -20);
        darker.save(dir.path(name)).expect("a saved picture");
    }
    let mut all = vec!["scan", "--quiet", "-o", "one.pgn", "--json", "one.jsonl"];
    all.extend(SHEETS);
    dir.run(&all);
    let lines = dir.text("one.jsonl");
    let sheets = lines.lines().map(|line| {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        game["sheets"].as_array().expect("a list").len()
    });
    assert_eq!(
        sheets.collect::<Vec<_>>(),
        [2, 3, 1],
        "{:?}",
        dir.text("one.pgn")
    );
    dir
}

/// Whether a program can be run with these arguments.
fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let run = command.args(arguments).stdin(Stdio::null()).output();
    run.is_ok_and(|run| run.status.success())
}

/// Merges files and compares with what one run wrote.
fn merge(dir: &TestDir, files: &[&str]) {
    let run = dir.run(&[&["merge", "-o", "merged.pgn", "--quiet"], files].concat());
    assert_eq!((run.status, run.stderr.len()), (0, 0), "{:#?}", run.stderr);
    assert_eq!(dir.text("merged.pgn"), dir.text("one.pgn"));
}

/// Scans sheets as one shard. Its exit status has to be 2 exactly if its lines ask for a look.
fn shard(dir: &TestDir, name: &str, sheets: &[&str], more: &[&str]) {
    let run = dir.run(
        &[
            &["scan", "--quiet", "--shard", "--json", name],
            sheets,
            more,
        ]
        .concat(),
    );
    let text = dir.text(name);
    let games = text
        .lines()
        .map(|line| GameRecord::parse(line).expect("a game"));
    let games: Vec<GameRecord> = games.collect();
    assert_eq!(games.len(), sheets.len(), "a line a sheet");
    let asks = |game: &GameRecord| !game.complete || game.plies.iter().any(|ply| ply.review);
    let expected = if games.iter().any(asks) { 2 } else { 0 };
    assert_eq!(run.status, expected, "{:#?}", run.stderr);
}

#[test]
fn runs_by_hand() {
    let dir = dir();
    shard(&dir, "1.jsonl", &SHEETS[..2], &[]);
    shard(&dir, "2.jsonl", &SHEETS[2..3], &[]);
    shard(&dir, "3.jsonl", &SHEETS[3..], &[]);
    merge(&dir, &["1.jsonl", "2.jsonl", "3.jsonl"]);
    // Names of an event and the answers of a person go to the single run and to the merge.
    let player = |number: u32, name: &str, round: &str| {
        format!("001 {number:4}      {name:32}  2000 ITA             1990/01/01  {round}\n")
    };
    let round = player(1, "Adler, Anna", "0.0    1     2 w 1")
        + &player(2, "Brandt, Bernd", "0.0    1     1 b 0");
    dir.write("r.trf", round);
    dir.write(
        "headers.tsv",
        "sheet\twhite\tblack\tround\na2\tAdler\tBrandt\t1\n",
    );
    dir.write("fixes.toml", "[a2]\n36 = \"Qd8\"\n[c]\n6 = \"h6\"\n");
    let event = ["--trf", "r.trf", "--headers", "headers.tsv", "--quiet"];
    let fixes = ["--fixes", "fixes.toml"];
    let scan = [&["scan", "-o", "event.pgn"], &SHEETS[..], &event, &fixes].concat();
    let one = dir.run(&scan);
    let merge = ["merge", "1.jsonl", "2.jsonl", "3.jsonl", "-o", "late.pgn"];
    let late = dir.run(&[&merge[..], &event, &fixes].concat());
    assert_eq!((late.status, &late.stderr), (one.status, &one.stderr));
    let expected = dir.text("event.pgn");
    assert!(
        expected.contains("[White \"Adler, Anna\"]") && expected.contains("3. Bb5 h6 *"),
        "{expected}"
    );
    assert_eq!(dir.text("late.pgn"), expected);
    // The answers may go to the shards instead.
    shard(&dir, "1.jsonl", &SHEETS[..2], &fixes);
    shard(&dir, "2.jsonl", &SHEETS[2..3], &fixes);
    shard(&dir, "3.jsonl", &SHEETS[3..], &fixes);
    let merge = ["merge", "1.jsonl", "2.jsonl", "3.jsonl", "-o", "early.pgn"];
    let early = dir.run(&[&merge[..], &event].concat());
    assert_eq!((early.status, &early.stderr), (one.status, &one.stderr));
    assert_eq!(dir.text("early.pgn"), expected);
}

#[test]
#[cfg(unix)]
fn a_game_is_written_as_soon_as_it_is_known() {
    let dir = TestDir::new();
    let sheet = common::short_sample();
    let names: Vec<String> = (0..6).map(|i| format!("{i}.jpg")).collect();
    for name in &names {
        std::fs::copy(&sheet, dir.path(name)).expect("a copy");
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for more in ["--shard", "--no-pair"] {
        let options = ["--jobs", "1", "--jsonl", "-", "--quiet", "--no-cache", more];
        let mut child = dir
            .command(&[&["scan"], &names[..], &options[..]].concat())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sheetscan starts");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut first = String::new();
        out.read_line(&mut first).expect("a line");
        // Five sheets are still to be read.
        assert!(child.try_wait().expect("its state").is_none());
        assert!(first.contains("0.jpg"), "{first}");
        assert_eq!(out.lines().count(), 5);
        child.wait().expect("it ends");
    }
}

#[test]
fn a_line_with_a_damaged_payload_is_left_out() {
    let dir = TestDir::new();
    let sheet = common::short_sample();
    dir.run(&["scan", "--quiet", "--shard", "--json", "a.jsonl", &sheet]);
    let line = dir.text("a.jsonl");
    let at = line.find("\"evidence\":\"").expect("evidence") + 12;
    dir.write("b.jsonl", format!("{}%{}", &line[..at], &line[at + 1..]));
    let run = dir.run(&["merge", "b.jsonl", "a.jsonl", "--quiet"]);
    assert_eq!(run.status, 2);
    assert!(
        run.line_about("b.jsonl, line 1").contains("damaged"),
        "{:?}",
        run.stderr
    );
    assert_eq!(games(&run.stdout).len(), 1);
}

#[test]
fn gnu_parallel() {
    if !runs("parallel", &["--version"]) {
        return skip_without("GNU parallel (Debian: apt-get install parallel)");
    }
    let dir = dir();
    let program = env!("CARGO_BIN_EXE_sheetscan");
    let scan = format!("{program} scan --shard --files-from - --json - --jobs 1 --quiet");
    let mut parallel = Command::new("parallel")
        .current_dir(dir.path(""))
        .env("XDG_CACHE_HOME", dir.path("cache"))
        .args(["--will-cite", "-k", "-j2", "--pipe", "-N2", &scan])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("parallel starts");
    let mut list = parallel.stdin.take().expect("piped");
    list.write_all((SHEETS.join("\n") + "\n").as_bytes())
        .expect("it listens");
    drop(list);
    let output = parallel.wait_with_output().expect("it ends");
    dir.write("parallel.jsonl", &output.stdout);
    assert_eq!(dir.text("parallel.jsonl").lines().count(), SHEETS.len());
    merge(&dir, &["parallel.jsonl"]);
}

/// A Spark job in Python that sends the sheets through the program's pipe, in three partitions.
const JOB: &str = "\
import sys
from pyspark import SparkContext
program, *sheets = sys.argv[1:]
context = SparkContext('local[2]', 'sheetscan')
context.setLogLevel('ERROR')
command = program + ' scan --shard --files-from - --json - --jobs 1 --quiet'
context.parallelize(sheets, 3).pipe(command).saveAsTextFile('spark')
context.stop()
";

#[test]
fn apache_spark() {
    if !runs("java", &["-version"]) {
        return skip_without("Java (Debian: apt-get install default-jre-headless)");
    }
    if !runs("python3", &["-c", "import pyspark"]) {
        return skip_without("Spark (pip install pyspark)");
    }
    let dir = dir();
    dir.write("job.py", JOB);
    let run = Command::new("python3")
        .current_dir(dir.path(""))
        .env("XDG_CACHE_HOME", dir.path("cache"))
        .args(["job.py", env!("CARGO_BIN_EXE_sheetscan")])
        .args(SHEETS.map(|sheet| dir.path(sheet)))
        .output()
        .expect("python3 starts");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    merge(
        &dir,
        &["spark/part-00000", "spark/part-00001", "spark/part-00002"],
    );
}
