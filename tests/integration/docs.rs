//! Every link, path and command in the documents is tried.
//!
//! Addresses on the web are left out, so that the test needs no network.
#![cfg(unix)]

use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use sheetscan::grid::layout::FormLayout;

use crate::common::{self, TestDir, root, skip_without};
use crate::markdown::Document;

/// Paths that documents name and that need not exist, with the reason.
const MISSING_PATHS: [(&str, &str); 3] = [
    ("eval/score.py", "lies beside the shared data"),
    (
        "eval/results.tsv",
        "is written by the first `eval/record.py`",
    ),
    ("fuzz/corpus", "is written by the fuzzer"),
];

/// Commands of README.md and the guide that are not run, with the reason.
const EXEMPT_COMMANDS: [(&str, &str); 3] = [
    ("cargo test --release", "this test is a part of it"),
    (
        "sheetscan review ",
        "serves until it is stopped; tests/integration/review.rs runs it",
    ),
    ("sbatch ", "needs a Slurm cluster"),
];

/// Programs that documented commands need and that may be missing.
const TOOLS: [&str; 2] = ["jq", "parallel"];

#[test]
fn every_link_leads_to_a_file_and_every_anchor_to_a_heading() {
    let mut broken = Vec::new();
    for (path, document) in documents() {
        for link in &document.links {
            if !link.contains("://") && !leads_somewhere(&path, &document, link) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// Whether the target of a link in a document exists.
fn leads_somewhere(path: &Path, document: &Document, link: &str) -> bool {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = path.parent().expect("a file has a folder").join(file);
    if file.is_empty() {
        return document.anchors.iter().any(|known| known == anchor);
    }
    let is_exempt = MISSING_PATHS
        .iter()
        .any(|(exempt, _)| target.ends_with(exempt));
    if !target.exists() {
        return is_exempt;
    }
    anchor.is_empty() || read(&target).anchors.iter().any(|known| known == anchor)
}

/// The notes in `docs/experiments` are left out: they name what was there when they were written.
#[test]
fn every_path_and_make_target_in_a_document_exists() {
    let makefile = fs::read_to_string(root().join("Makefile")).expect("the Makefile");
    let mut broken = Vec::new();
    let documents = documents().into_iter();
    for (path, document) in documents.filter(|(path, _)| !path.starts_with(experiments())) {
        let blocks = document.blocks.iter().filter(|b| b.language == "sh");
        let lines = blocks.flat_map(|block| &block.lines);
        for code in document.code_spans.iter().chain(lines) {
            let paths = code
                .split([' ', '=', ',', ')'])
                .filter(|word| !is_known_path(word));
            broken.extend(paths.map(|word| format!("{}: {word}", path.display())));
            let target = code
                .strip_prefix("make ")
                .and_then(|rest| rest.split(' ').next());
            if target.is_some_and(|target| !makefile.contains(&format!("\n{target}:"))) {
                broken.push(format!("{}: {code}", path.display()));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "what is named is not there:\n{}",
        broken.join("\n")
    );
}

/// Whether a word is no path of the repository, or one of a file or folder that exists.
fn is_known_path(word: &str) -> bool {
    const FOLDERS: [&str; 11] = [
        ".cargo/",
        ".ci/",
        "benches/",
        "docs/",
        "eval/",
        "examples/",
        "fuzz/",
        "models/",
        "samples/",
        "src/",
        "tests/",
    ];
    let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder));
    let is_pattern = word.contains(['*', '$', '<']);
    let is_exempt = MISSING_PATHS
        .iter()
        .any(|(exempt, _)| word.starts_with(exempt));
    !is_path || is_pattern || is_exempt || root().join(word).exists()
}

#[test]
fn every_example_of_a_file_can_be_parsed() {
    for (path, document) in documents() {
        for block in &document.blocks {
            let text = block.lines.join("\n");
            if let Err(error) = parse_example(&path, &block.language, &text) {
                panic!("{}: {error}\n{text}", path.display());
            }
        }
    }
}

/// Parses a block of TOML or JSON; the one in layouts.md has to be a layout.
fn parse_example(path: &Path, language: &str, text: &str) -> Result<(), Box<dyn Error>> {
    match language {
        "toml" if path.ends_with("layouts.md") => drop(FormLayout::parse(text)?),
        "toml" => drop(toml::from_str::<toml::Table>(text)?),
        "json" => drop(serde_json::from_str::<serde_json::Value>(text)?),
        _ => {}
    }
    Ok(())
}

/// They run in one folder and in their order, so that a command finds what those before it wrote.
#[test]
fn every_command_of_the_readme_and_the_guide_runs() {
    let folder = TestDir::new();
    write_inputs(&folder);
    let mut failed = Vec::new();
    let mut is_exemption_used = [false; EXEMPT_COMMANDS.len()];
    for (path, command) in commands() {
        if let Some(i) = EXEMPT_COMMANDS
            .iter()
            .position(|(exempt, _)| command.starts_with(exempt))
        {
            is_exemption_used[i] = true;
            continue;
        }
        let missing = TOOLS
            .iter()
            .find(|tool| uses(&command, tool) && !is_installed(tool));
        if let Some(tool) = missing {
            skip_without(tool);
            continue;
        }
        let output = run(&folder, &command);
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            failed.push(format!(
                "{}: {command}\n{}\n{stderr}",
                path.display(),
                output.status
            ));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(
        is_exemption_used.iter().all(|used| *used),
        "an exempt command is in no document"
    );
}

/// The commands in the blocks of README.md and the guide, with their documents.
fn commands() -> Vec<(PathBuf, String)> {
    let mut commands = Vec::new();
    for (path, document) in documents() {
        if path != root().join("README.md") && !path.starts_with(root().join("docs/guide")) {
            continue;
        }
        for block in document.blocks.iter().filter(|b| b.language == "sh") {
            let mut command = String::new();
            for line in &block.lines {
                command += line;
                if is_whole(&command) {
                    commands.push((path.clone(), std::mem::take(&mut command)));
                } else {
                    command.push('\n');
                }
            }
            assert!(
                command.is_empty(),
                "{}: a command has no end: {command}",
                path.display()
            );
        }
    }
    commands.retain(|(_, command)| !command.trim().is_empty() && !command.starts_with('#'));
    commands
}

/// Whether the shell takes a text for a whole command, which no quote and no backslash continues.
fn is_whole(command: &str) -> bool {
    let check = Command::new("sh")
        .args(["-n", "-c", command])
        .stderr(Stdio::null())
        .status();
    !command.ends_with('\\') && check.expect("sh starts").success()
}

/// Whether a program is one of the words of a command.
fn uses(command: &str, program: &str) -> bool {
    command.split_whitespace().any(|word| word == program)
}

fn is_installed(program: &str) -> bool {
    let check = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    check.expect("sh starts").status.success()
}

/// Runs a command in a folder, with the program that was built for this test.
fn run(folder: &TestDir, command: &str) -> Output {
    let command = command.replace("cargo run --release --", "sheetscan");
    let path = std::env::var("PATH").expect("a PATH");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &command])
        .current_dir(folder.path("."))
        .env("PATH", format!("{}:{path}", folder.path("bin").display()))
        .env("XDG_CACHE_HOME", folder.path("cache"))
        .stdin(Stdio::null());
    shell.output().expect("sh starts")
}

/// Writes the files that the commands of the documents read, and `bin/sheetscan`.
fn write_inputs(folder: &TestDir) {
    // The exit statuses 2 and 3 mean that there is something to look at. They become 0 in a script
    // around the program, since GNU parallel exits with the number of its jobs that did not.
    let program = env!("CARGO_BIN_EXE_sheetscan");
    let script = format!("'{program}' \"$@\"; s=$?; case $s in 2|3) exit 0;; *) exit $s;; esac");
    write(folder, "bin/sheetscan", format!("#!/bin/sh\n{script}\n"));
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("bin/sheetscan"), executable).expect("a script");

    let pictures = common::samples();
    for picture in &pictures {
        let name = picture.file_name().expect("a name");
        copy(folder, picture, &format!("samples/{}", name.display()));
    }
    // The folders hold the two shortest games. A page is read once, whatever its names.
    let (short, long) = ([&pictures[1], &pictures[3]], &pictures[4]);
    for name in [
        "round1", "round2", "round3", "scans", "all", "part1", "part2",
    ] {
        copy(folder, short[0], &format!("{name}/a.jpg"));
        copy(folder, short[1], &format!("{name}/b.jpg"));
    }
    copy(folder, long, "a.jpg");
    copy(folder, short[0], "sheet.jpg");
    write(folder, "sheets.txt", "a.jpg\nsheet.jpg\n");
    write(folder, "fixes.toml", "[a]\n3 = \"Nf3\"\n");
    write(folder, "round1.fixes.toml", "[a]\n1w = \"e4\"\n");
    write(folder, "games.txt", "1. e4 e5 2. Cf3 Cc6 3. Bb5 a6\n");
    write(folder, "old.txt", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6\n");
    write_event(folder);

    for command in [
        "sheetscan layout sheet.jpg -o form.toml",
        "mkdir games && sheetscan scan sheet.jpg --shard --json games/part-00000",
        // Stands for what GNU parallel writes, if it is missing.
        "cp games/part-00000 all.jsonl",
    ] {
        let output = run(folder, command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {stderr}");
    }
}

/// Writes the files of the guide's tournament, and of the same with three rounds and with the FIDE
/// numbers that the guide names.
fn write_event(folder: &TestDir) {
    let guide = root().join("docs/guide/event");
    for name in ["open.trf", "round1.pgn", "headers.tsv"] {
        copy(
            folder,
            &guide.join(name),
            &format!("docs/guide/event/{name}"),
        );
    }
    let mut report_file = String::new();
    for line in folder.text("docs/guide/event/open.trf").lines() {
        report_file += line;
        if line.starts_with("001") {
            // The last ten columns are round 1.
            report_file += &line[line.len() - 10..].repeat(2);
        }
        report_file.push('\n');
    }
    let report_file = report_file
        .replace("   1001", " 735463")
        .replace("   1002", "3400042");
    write(folder, "event.trf", report_file);
    let headers = folder.text("docs/guide/event/round1.pgn");
    let headers = headers.replace("[Round \"1.", "[Round \"3.");
    write(folder, "round3-headers.pgn", headers);
    write(
        folder,
        "headers.tsv",
        "sheet\twhite\tblack\na\tEriksen\tFuchs\n",
    );
}

/// Writes a file and the folders in which it lies.
fn write(folder: &TestDir, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.path(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
    folder.write(name, bytes);
}

fn copy(folder: &TestDir, from: &Path, name: &str) {
    write(
        folder,
        name,
        fs::read(from).expect("a file of the repository"),
    );
}

/// README.md, CONTRIBUTING.md and the Markdown files below `docs` and `models`, sorted by path.
fn documents() -> Vec<(PathBuf, Document)> {
    let mut paths = ["README.md", "CONTRIBUTING.md"]
        .map(|name| root().join(name))
        .to_vec();
    for folder in ["docs", "models"] {
        add_documents(&root().join(folder), &mut paths);
    }
    paths.sort();
    let documents = paths.into_iter().map(|path| {
        let document = read(&path);
        (path, document)
    });
    documents.collect()
}

fn add_documents(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_documents(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

fn read(path: &Path) -> Document {
    Document::parse(&fs::read_to_string(path).expect("a document in UTF-8"))
}

fn experiments() -> PathBuf {
    root().join("docs/experiments")
}
