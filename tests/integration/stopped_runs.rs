//! A run that is stopped, or that cannot write, leaves nothing behind and loses nothing.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{self, TestDir, samples};

/// The names of what is in the test's folder, sorted.
fn names(dir: &TestDir) -> Vec<String> {
    let entries = fs::read_dir(dir.path("")).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_stopped_run_exits_as_shells_expect_and_leaves_only_its_cache() {
    for (signal, status) in [("INT", Some(130)), ("TERM", Some(143)), ("KILL", None)] {
        let dir = TestDir::new();
        let paths = samples();
        let sheets = paths.iter().map(|path| path.to_str().expect("UTF-8"));
        let mut arguments = vec!["scan"];
        arguments.extend(sheets);
        let options = ["-o", "games.pgn", "--json", "games.jsonl", "--jobs", "1"];
        arguments.extend(options);
        let mut run = dir.command(&arguments);
        let mut child = run
            .stderr(Stdio::piped())
            .spawn()
            .expect("sheetscan starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let first = lines.next().expect("a line").expect("UTF-8");
        assert!(first.contains("cells written"), "{first}");
        let pid = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.expect("kill starts").success());
        assert_eq!(child.wait().expect("it ends").code(), status, "{signal}");
        assert_eq!(names(&dir), ["cache"], "{signal}");
        let again = dir.run(&arguments);
        let kept = again
            .stderr
            .iter()
            .filter(|line| line.ends_with("read before"));
        assert!(
            kept.count() >= 1,
            "what was read is in the cache: {:#?}",
            again.stderr
        );
        assert_eq!(
            names(&dir),
            ["cache", "games.jsonl", "games.pgn"],
            "{signal}"
        );
    }
}

#[test]
fn two_results_in_one_place_are_refused_before_the_work() {
    let dir = TestDir::new();
    fs::create_dir(dir.path("sub")).expect("a folder");
    dir.write("a.jpg", "");
    let run = dir.run(&["scan", "a.jpg", "-o", "a.pgn", "--json", "sub/../a.pgn"]);
    assert_eq!((run.status, run.stderr.len()), (1, 1), "{:#?}", run.stderr);
    assert!(
        run.stderr[0].contains("the same place for two results"),
        "{}",
        run.stderr[0]
    );
}

#[test]
fn a_device_that_is_full_is_named_and_nothing_else_is_written() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let dir = TestDir::new();
    let sample = samples()[1].to_str().expect("UTF-8").to_owned();
    let run = dir.run(&[
        "scan",
        &sample,
        "-o",
        "games.pgn",
        "--json",
        "/dev/full",
        "--quiet",
    ]);
    assert_eq!(run.status, 1, "{:#?}", run.stderr);
    assert!(run.line_about("/dev/full").contains("cannot be written"));
    assert_eq!(names(&dir), ["cache"], "half a result is none");
}

#[test]
fn a_cache_that_takes_no_entry_is_told_once_and_the_run_goes_on() {
    let sheets: Vec<String> = samples()[1..4]
        .iter()
        .map(|path| path.to_str().expect("UTF-8").to_owned())
        .collect();
    let mut arguments = vec!["scan", "--cache", "kept", "--quiet", "-o"];
    let mut results = Vec::new();
    for (name, damage) in [("whole.pgn", false), ("damaged.pgn", true)] {
        let dir = TestDir::new();
        arguments.push(name);
        arguments.extend(sheets.iter().map(String::as_str));
        if damage {
            // The first run makes the folders; then a file stands where each group's folder was.
            dir.run(&arguments);
            replace_groups(&dir.path("kept"));
        }
        let run = dir.run(&arguments);
        let told = run
            .stderr
            .iter()
            .filter(|line| line.contains("the cache folder"));
        assert_eq!(told.count(), usize::from(damage), "{:#?}", run.stderr);
        results.push((run.status, dir.text(name)));
        arguments.truncate(5);
    }
    assert_eq!(results[0], results[1]);
}

/// Puts a file in the place of every folder of entries.
fn replace_groups(cache: &Path) {
    for version in fs::read_dir(cache).expect("a cache") {
        for group in fs::read_dir(version.expect("an entry").path()).expect("a folder") {
            let group = group.expect("an entry").path();
            fs::remove_dir_all(&group).expect("a folder of ours");
            fs::write(&group, "").expect("a file");
            fs::set_permissions(&group, fs::Permissions::from_mode(0o444)).expect("ours");
        }
    }
}

#[test]
fn standard_output_keeps_what_the_shell_has_under_all_its_names() {
    for name in ["/dev/stdout", "/dev/fd/1"] {
        let dir = TestDir::new();
        dir.write("all.pgn", "an old game\n");
        let sheet = common::short_sample();
        let all = fs::OpenOptions::new()
            .append(true)
            .open(dir.path("all.pgn"));
        let mut run = dir.command(&["scan", "-q", &sheet, "-o", name]);
        let status = run.stdout(all.expect("the file")).status();
        assert!(status.expect("sheetscan starts").success());
        let text = dir.text("all.pgn");
        assert!(text.starts_with("an old game\n[Event"), "{text}");
    }
}

#[test]
fn a_closed_standard_output_is_told() {
    let dir = TestDir::new();
    let mut shell = Command::new("sh");
    let run = shell
        .args([
            "-c",
            "exec \"$0\" schema >&-",
            env!("CARGO_BIN_EXE_sheetscan"),
        ])
        .current_dir(dir.path(""))
        .output()
        .expect("a shell starts");
    let told = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{told}");
    assert!(told.contains("standard output is closed"), "{told}");
}
