//! Runs the program on files in a temporary folder of the test's own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use image::{GrayImage, Luma};
use tempfile::TempDir;

/// A temporary folder to run sheetscan in; it is removed when this is dropped.
pub struct TestDir {
    folder: TempDir,
}

/// What a run of the program gave.
pub struct Run {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Lines of standard error.
    pub stderr: Vec<String>,
}

impl TestDir {
    /// An empty folder.
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("the file is written");
    }

    /// Reads a file as text.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// Runs sheetscan in it.
    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::new(self.command(arguments).output().expect("sheetscan starts"))
    }

    /// Runs sheetscan with text on its standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        use std::io::Write;
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("sheetscan starts");
        child
            .stdin
            .take()
            .expect("piped")
            .write_all(input.as_bytes())
            .expect("it listens");
        Run::new(child.wait_with_output().expect("it ends"))
    }

    /// The command, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sheetscan"));
        command
            .current_dir(self.folder.path())
            // The user's cache folder lies in the test's own folder.
            .env("XDG_CACHE_HOME", self.path("cache"))
            .args(arguments)
            .stdin(Stdio::null());
        command
    }
}

impl Run {
    fn new(output: Output) -> Self {
        Self {
            status: output.status.code().expect("no signal"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr)
                .expect("UTF-8")
                .lines()
                .map(str::to_owned)
                .collect(),
        }
    }

    /// The line on standard error that names a file; it must be the only one.
    pub fn line_about(&self, name: &str) -> &str {
        let lines = self
            .stderr
            .iter()
            .filter(|line| line.contains(name))
            .collect::<Vec<_>>();
        assert_eq!(lines.len(), 1, "about {name} in {:#?}", self.stderr);
        lines[0]
    }
}

/// Says that a test is skipped because a tool is missing.
///
/// # Panics
/// If SHEETSCAN_NEED_TOOLS is set, as continuous integration has it.
pub fn skip_without(tool: &str) {
    let needed = std::env::var_os("SHEETSCAN_NEED_TOOLS").is_some();
    assert!(
        !needed,
        "{tool} is missing, and SHEETSCAN_NEED_TOOLS is set"
    );
    println!("skipped: {tool} is missing");
}

/// The commands of which `sheetscan --help` tells.
pub fn commands() -> impl Iterator<Item = &'static str> {
    let commands = [
        "scan",
        "review",
        "cells",
        "layout",
        "forms",
        "merge",
        "transcribe",
        "schema",
        "completions",
        "man",
    ];
    let is_built = |&command: &&str| match command {
        "review" => cfg!(feature = "review"),
        "forms" => cfg!(feature = "forms"),
        _ => true,
    };
    commands.into_iter().filter(is_built)
}

/// The seven pictures in `samples/`, sorted by name.
pub fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let entries = fs::read_dir(folder).expect("samples/");
    let mut pictures = entries
        .map(|entry| entry.expect("an entry").path())
        .collect::<Vec<_>>();
    pictures.retain(|path| path.extension().is_some_and(|e| e == "jpg"));
    pictures.sort();
    assert_eq!(pictures.len(), 7);
    pictures
}

/// The shortest sample, as a path for the command line.
pub fn short_sample() -> String {
    samples()[1].to_str().expect("UTF-8").to_owned()
}

/// A photograph of nothing but the sky. The grain of the camera hides the steps of its grey levels.
pub fn sky() -> GrayImage {
    let grain = |x: u32, y: u32| (x * 73 + y * 151 + x * y % 97) % 13;
    GrayImage::from_fn(1200, 900, |x, y| {
        Luma([(120 + x / 20 + y / 30 + grain(x, y)) as u8])
    })
}

/// The lines of the manifest that `sheetscan cells` writes, each a value by its column's name.
pub fn manifest(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split('\t'));
    let columns: Vec<&str> = lines.next().expect("a head").collect();
    lines
        .map(|fields| {
            let fields: Vec<String> = fields.map(str::to_owned).collect();
            assert_eq!(fields.len(), columns.len());
            let names = columns.iter().map(|&name| name.to_owned());
            names.zip(fields).collect()
        })
        .collect()
}

/// The moves of a PGN game in SAN, without comments, annotations and move numbers.
pub fn sans(game: &str) -> Vec<String> {
    let moves = game.split_once("\n\n").expect("tags, then moves").1;
    let mut depth = 0;
    let bare: String = moves
        .chars()
        .filter(|c| {
            depth += usize::from("{(".contains(*c));
            let keep = depth == 0;
            depth -= usize::from("})".contains(*c));
            keep
        })
        .collect();
    bare.split_whitespace()
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(str::to_owned)
        .collect()
}

/// Whether a game that was read is the expected one: its moves and result are, and its tags are the
/// expected ones or unknown.
pub fn is_same_game(read: &str, expected: &str) -> bool {
    let split = |game: &str| {
        let (tags, moves) = game.split_once("\n\n").expect("tags, then moves");
        (tags.to_owned(), moves.to_owned())
    };
    let ((tags, moves), (expected_tags, expected_moves)) = (split(read), split(expected));
    let is_unknown = |tag: &str| tag.ends_with("\"?\"]") || tag.contains("\"????.??.??\"");
    let is_expected =
        |tag: &str| is_unknown(tag) || expected_tags.lines().any(|known| known == tag);
    moves == expected_moves && tags.lines().all(is_expected)
}

/// Fails where the games that were read are not the expected ones ([`is_same_game`]).
pub fn check_games(read: &[String], expected: &[String]) {
    let are_same = |(read, expected): (&String, &String)| is_same_game(read, expected);
    let is_right = read.len() == expected.len() && read.iter().zip(expected).all(are_same);
    assert!(is_right, "{read:#?} in place of {expected:#?}");
}

/// The games of a PGN file, each from its `[Event` tag to the next game.
pub fn games(pgn: &str) -> Vec<String> {
    let games = pgn.split("[Event ").skip(1);
    games.map(|game| format!("[Event {game}")).collect()
}

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, in the order of their names.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    let files = entries.into_iter().flat_map(|path| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    });
    files.collect()
}
