//! What the program prints for people: `--help` of every command, and standard error of a batch
//! with every kind of trouble. `INSTA_UPDATE=always cargo test --test integration messages` writes
//! the snapshots anew.

use std::fs;
use std::iter;
use std::path::Path;

use crate::common::{TestDir, commands, short_sample, sky};
use image::{GrayImage, Luma};
use imageproc::drawing::draw_line_segment_mut;

#[test]
fn help_is_as_it_was_reviewed() {
    let dir = TestDir::new();
    for command in iter::once("").chain(commands()) {
        let arguments: Vec<&str> = [command, "--help"]
            .into_iter()
            .filter(|argument| !argument.is_empty())
            .collect();
        let run = dir.run(&arguments);
        assert_eq!((run.status, run.stderr.len()), (0, 0), "{command}");
        let name = if command.is_empty() { "help" } else { command };
        insta::assert_snapshot!(format!("help_{name}"), run.stdout);
    }
}

#[test]
fn a_level_of_instructions_that_does_not_exist_is_told() {
    let dir = TestDir::new();
    let mut command = dir.command(&["schema"]);
    let output = command.env("SHEETSCAN_SIMD", "avx3").output();
    let output = output.expect("sheetscan starts");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("SHEETSCAN_SIMD is \"avx3\""), "{message}");
    assert!(message.contains("baseline, avx2, avx512"), "{message}");
}

#[test]
fn every_kind_of_trouble_is_reported_with_a_remedy() {
    let dir = TestDir::new();
    let sample = fs::read(short_sample()).expect("the sample");
    dir.write("empty.jpg", "");
    dir.write("half.jpg", &sample[..sample.len() / 2]);
    dir.write("notes.jpg", "1. e4 e5 2. Nf3 Nc6\n");
    dir.write("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0heicmif1");
    dir.write("scans.zip", b"PK\x03\x04\0\0\0\0");
    dir.write("page.pdf", "%PDF-1.7\nand nothing else");
    fs::create_dir(dir.path("folder")).expect("a folder");
    dir.write("folder/notes.txt", "not a picture");
    save(&dir, "no_table.png", &sky());
    save(&dir, "blank.png", &blank_form());
    save(&dir, "second_page.jpg", &second_page());
    dir.write("good.jpg", &sample);
    dir.write(
        "fixes.toml",
        "[good]\n6 = \"Qa1\"\n[elsewhere]\n1 = \"e4\"\n",
    );
    let sheets = [
        "good.jpg",
        "empty.jpg",
        "half.jpg",
        "notes.jpg",
        "photo.heic",
        "scans.zip",
        "page.pdf",
        "folder",
        "gone.jpg",
        "no_table.png",
        "blank.png",
        "second_page.jpg",
    ];
    let options = ["--fixes", "fixes.toml", "--no-cache", "-o", "games.pgn"];
    let run = dir.run(&[&["scan"], &sheets[..], &options].concat());
    assert_eq!(run.status, 2);
    insta::assert_snapshot!("trouble_in_a_batch", without_seconds(&run.stderr));
}

#[test]
fn what_stops_a_run_is_reported_in_one_line() {
    let dir = TestDir::new();
    dir.write("good.jpg", fs::read(short_sample()).expect("the sample"));
    dir.write("fixes.toml", "[good]\n6 = \"h9\"\n");
    dir.write("form.toml", "picture = [0, 100]\n");
    dir.write("model.onnx", "not a model");
    let mut lines = Vec::new();
    for options in [
        &["-o", "missing/games.pgn"][..],
        &["-o", "good.jpg"],
        &["-o", "games", "--json", "games"],
        &["--cache", "good.jpg"],
        &["--debug-dir", "good.jpg"],
        &["--files-from", "list.txt"],
        &["--fix", "elsewhere:1=e4"],
        &["--fixes", "fixes.toml"],
        &["--layout", "form.toml"],
        &["--model", "model.onnx"],
        &["--pair", "good.jpg,other.jpg"],
        &["--trf", "event.trf"],
    ] {
        let run = dir.run(&[&["scan", "good.jpg", "--quiet"], options].concat());
        assert_eq!((run.status, run.stderr.len()), (1, 1), "{:#?}", run.stderr);
        lines.push(format!("{}\n    {}", options.join(" "), run.stderr[0]));
    }
    insta::assert_snapshot!("what_stops_a_run", lines.join("\n"));
}

/// The lines with the figure of the last column, which is the seconds, replaced.
fn without_seconds(stderr: &[String]) -> String {
    let mut lines = stderr.to_vec();
    let figures = lines.last_mut().expect("a closing table");
    let (others, _) = figures.rsplit_once(' ').expect("several columns");
    *figures = format!("{} [seconds]", others.trim_end());
    lines.join("\n")
}

fn save(dir: &TestDir, name: &str, picture: &GrayImage) {
    picture.save(dir.path(name)).expect("a saved picture");
}

/// A form of two blocks of 20 rows, with nothing written in them.
fn blank_form() -> GrayImage {
    let mut form = GrayImage::from_pixel(1240, 1000, Luma([225]));
    for left in [100.0, 640.0] {
        for row in 0..=20 {
            let y = (140 + 36 * row) as f32;
            draw_line_segment_mut(&mut form, (left, y), (left + 500.0, y), Luma([60]));
        }
        for x in [0.0, 50.0, 275.0, 500.0].map(|x| left + x) {
            draw_line_segment_mut(&mut form, (x, 140.0), (x, 860.0), Luma([60]));
        }
    }
    form
}

/// The second page of a game of 44 moves; its rows are numbered from 31.
fn second_page() -> GrayImage {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/two_pages/2.jpg");
    image::open(path).expect("a picture").to_luma8()
}
