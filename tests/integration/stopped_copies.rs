//! Copies of a game of which one stops earlier than the other.

use std::path::Path;

use image::{GrayImage, Luma};
use imageproc::drawing::draw_polygon_mut;
use imageproc::point::Point;
use serde_json::Value;

use crate::common::{TestDir, games, samples};

/// The sample of a game of 35 plies that White wins.
fn sample() -> std::path::PathBuf {
    let samples = samples();
    let is_it = |path: &&std::path::PathBuf| path.to_string_lossy().contains("07_partita_2");
    samples.iter().find(is_it).expect("the sample").clone()
}

/// A picture whose cells of the plies from `first` on are painted over with paper, as if its writer
/// had stopped there.
fn stop_before_ply(dir: &TestDir, picture: &Path, first: usize, name: &str) {
    let picture_path = picture.to_string_lossy();
    dir.run(&[
        "scan",
        &picture_path,
        "-o",
        "whole.pgn",
        "--json",
        "whole.jsonl",
    ]);
    let game: Value = serde_json::from_str(&dir.text("whole.jsonl")).expect("JSON");
    let mut picture: GrayImage = image::open(picture).expect("a picture").to_luma8();
    for ply in &game["plies"].as_array().expect("a list")[first - 1..] {
        let corners = ply["cells"][0]["box"].as_array().expect("a box").iter();
        let corners: Vec<[f64; 2]> = corners
            .map(|corner| [0, 1].map(|axis| corner[axis].as_f64().expect("a number")))
            .collect();
        let centre = [0, 1].map(|axis| corners.iter().map(|c| c[axis]).sum::<f64>() / 4.0);
        // The rulings stay: the corners are moved inwards by 4 pixels.
        let inside = corners.iter().map(|corner| {
            let moved =
                [0, 1].map(|axis| corner[axis] + 4.0 * (centre[axis] - corner[axis]).signum());
            Point::new(moved[0] as i32, moved[1] as i32)
        });
        let paper = picture
            .get_pixel(centre[0] as u32, corners[0][1] as u32 + 4)
            .0;
        draw_polygon_mut(
            &mut picture,
            &inside.collect::<Vec<_>>(),
            Luma([paper[0].max(200)]),
        );
    }
    picture.save(dir.path(name)).expect("a saved picture");
}

#[test]
fn a_copy_that_stops_early_is_joined_to_the_whole_one() {
    let dir = TestDir::new();
    stop_before_ply(&dir, &sample(), 29, "white.png");
    std::fs::copy(sample(), dir.path("black.jpg")).expect("a copy");
    let run = dir.run(&["scan", "white.png", "black.jpg", "-o", "both.pgn"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    dir.run(&["scan", "white.png", "-o", "white.pgn"]);
    assert!(games(&dir.text("white.pgn"))[0].contains("14."));
    assert!(!games(&dir.text("white.pgn"))[0].contains("15."));
    assert_eq!(games(&dir.text("both.pgn")), games(&dir.text("whole.pgn")));
}

#[test]
fn a_copy_of_an_opening_is_said_to_begin_alike() {
    let dir = TestDir::new();
    stop_before_ply(&dir, &sample(), 13, "white.png");
    std::fs::copy(sample(), dir.path("black.jpg")).expect("a copy");
    let run = dir.run(&["scan", "white.png", "black.jpg", "-o", "both.pgn"]);
    assert_eq!(games(&dir.text("both.pgn")).len(), 2);
    let is_said = |line: &String| line.contains("begins like") && line.contains("--pair");
    assert_eq!(
        run.stderr.iter().filter(|line| is_said(line)).count(),
        1,
        "{:#?}",
        run.stderr
    );
}
