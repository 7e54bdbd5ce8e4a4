//! `sheetscan review` while pictures are still being read: what is shown can be answered, and what
//! comes later joins it.
#![cfg(all(feature = "review", unix))]

use std::time::Duration;

use image::imageops::{self, FilterType};
use serde_json::{Value, json};

use crate::bare_sheets::without_lines_of_first_block;
use crate::common::{TestDir, samples};
use crate::review_client::{Review, round, sans};

/// A sample by the beginning of its name.
fn sample(start: &str) -> std::path::PathBuf {
    let mut all = samples().into_iter();
    let path = all.find(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.starts_with(start)
    });
    path.expect("a sample")
}

/// Puts a sample into the folder that is read, at `size` thousandths of its own one.
fn put_resized(dir: &TestDir, sample: &std::path::Path, size: u32, name: &str) {
    let sheet = image::open(sample).expect("a picture").to_luma8();
    let (width, height) = (sheet.width() * size / 1000, sheet.height() * size / 1000);
    let smaller = imageops::resize(&sheet, width, height, FilterType::Triangle);
    smaller.save(dir.path(name)).expect("a saved picture");
}

/// The rows of all games, once there is one.
fn first_rows(review: &Review) -> Vec<Value> {
    loop {
        let rows = review.get("/api/games")["games"].clone();
        let rows = rows.as_array().expect("rows").clone();
        if !rows.is_empty() {
            return rows;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send_picture(review: &Review, dir: &TestDir, name: &str) {
    let picture = std::fs::read(dir.path(name)).expect("a picture");
    let (status, reply) = review.ask("POST", &format!("/api/pictures?name={name}"), &picture);
    assert_eq!(status, 200, "{reply}");
}

/// Waits until there are so many games and all pictures are read.
fn wait_for_games(review: &Review, count: usize) {
    while review.get("/api/games")["games"].as_array().map(Vec::len) != Some(count) {
        std::thread::sleep(Duration::from_millis(20));
    }
    review.wait_until_read();
}

/// Answers a ply of a game with another legal move than the one that stands there, and gives that.
fn answer_otherwise(review: &Review, game: &Value, ply: usize) -> String {
    let place = game["plies"][ply]["place"].as_str().expect("a place");
    let id = game["id"].as_str().expect("an id");
    let candidates = review.get(&format!("/api/games/{id}/at/{place}"));
    let other = candidates["candidates"][1]["san"].as_str();
    let other = other.expect("a second legal move").to_owned();
    let answer = json!([{ "is": "move", "at": place, "san": other }]);
    let (status, reply) = review.answer(game, "a", &answer);
    assert_eq!(
        (status, &reply["game"]["plies"][ply]["san"]),
        (200, &json!(other))
    );
    other
}

#[test]
fn a_game_is_answered_and_settled_before_the_last_picture_is_read() {
    let dir = round(&["01_", "02_", "03_", "04_", "05_", "06_", "07_"]);
    let review = Review::start_reading(&dir, &[]);
    let id = first_rows(&review)[0]["id"].clone();
    let game = review.whole(id.as_str().expect("an id"));
    let other = answer_otherwise(&review, &game, 5);
    let game = review.whole(id.as_str().expect("an id"));
    let settled = json!([{ "is": "settled", "moves": sans(&game) }]);
    let (status, reply) = review.answer(&game, "b", &settled);
    assert_eq!(
        (status, reply["game"]["settled"].as_bool()),
        (200, Some(true))
    );
    let run = review.get("/api/run");
    assert_eq!(
        (run["phase"].as_str(), run["settled"].as_u64()),
        (Some("reading"), Some(1))
    );
    let files = ["total", "done"].map(|number| run["files"][number].as_u64());
    assert!(files[0] == Some(7) && files[1] < Some(7), "{run}");
    let (status, refused) = review.post("/api/export", &json!({}));
    assert_eq!(status, 409, "nothing is exported by halves");
    assert!(
        refused["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("then export again"))
    );
    review.wait_until_read();
    let game = review.whole(id.as_str().expect("an id"));
    assert_eq!(sans(&game)[5], other);
    assert!(game["settled"] == true);
    let rows = review.get("/api/games")["games"].clone();
    let names = rows.as_array().expect("rows").iter();
    let names: Vec<&str> = names.filter_map(|row| row["sheets"][0].as_str()).collect();
    assert!(
        names.len() == 7 && names.is_sorted(),
        "in the order of the input: {names:?}"
    );
    review.assert_export_is_scan(&dir, &[]);
}

#[test]
fn a_copy_that_is_read_late_joins_its_game_which_keeps_its_answer() {
    let dir = round(&["03_", "04_", "06_"]);
    put_resized(&dir, &sample("02_"), 1000, "round/00.png");
    put_resized(&dir, &sample("02_"), 930, "round/99.png");
    let review = Review::start_reading(&dir, &[]);
    let row = first_rows(&review).remove(0);
    let id = row["id"].as_str().expect("an id");
    let game = review.whole(id);
    let other = answer_otherwise(&review, &game, 5);
    assert_eq!(game["sheets"].as_array().map(Vec::len), Some(1));
    assert_eq!(review.get("/api/run")["phase"], "reading");
    review.wait_until_read();
    let joined = review.whole(id);
    let names = joined["row"]["sheets"].as_array().expect("names");
    let last = |name: &Value, end: &str| name.as_str().is_some_and(|name| name.ends_with(end));
    assert!(names.len() == 2 && last(&names[0], "00.png") && last(&names[1], "99.png"));
    assert_eq!(sans(&joined)[5], other);
    assert_eq!(joined["answers"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        review.get("/api/games")["games"].as_array().map(Vec::len),
        Some(4)
    );
    // A page that has not seen the joining may go on answering.
    let right = json!([{ "is": "move", "at": game["plies"][0]["place"], "san": sans(&game)[0] }]);
    assert_eq!(review.answer(&game, "c", &right).0, 200);
    review.assert_export_is_scan(&dir, &[]);
}

#[test]
fn a_sheet_that_is_read_anew_since_another_came_gives_another_game() {
    let dir = round(&[]);
    put_resized(&dir, &sample("07_"), 1000, "round/a.png");
    put_resized(&dir, &sample("07_"), 950, "round/b.png");
    let half = without_lines_of_first_block(&sample("07_"), 20);
    half.save(dir.path("round/d.png")).expect("a saved picture");
    let pair = ["--pair", "round/a.png,round/b.png"];
    let review = Review::start_with(&dir, &pair);
    let game = review.game("d.png");
    let first_row = |game: &Value| game["sheets"][0]["cells"][0]["move"].as_u64();
    assert_eq!(first_row(&game), Some(21), "its first block is not seen");
    // A third sheet of the form says how its table is laid.
    put_resized(&dir, &sample("07_"), 900, "c.png");
    send_picture(&review, &dir, "c.png");
    wait_for_games(&review, 3);
    let now = review.game("d.png");
    assert_eq!((&now["id"], first_row(&now)), (&game["id"], Some(1)));
    // Who saw the old cells is told so, and his answer is not taken for one of the new cells.
    let seen = json!([{ "is": "seen", "at": "0-21w" }]);
    let (status, refused) = review.answer(&game, "a", &seen);
    assert_eq!(
        (status, &refused["game"]["version"]),
        (422, &now["version"])
    );
    assert_eq!(review.answer(&now, "b", &seen).0, 200);
    review.assert_export_is_scan(&dir, &pair);
}

#[test]
fn the_same_picture_under_another_name_brings_its_answers_to_a_game_that_is_there() {
    let dir = round(&["02_"]);
    // Names without a sheet are none of this run until one comes.
    dir.write("round.fixes.toml", "[\"late\"]\nwhite = \"Ana\"\n");
    let review = Review::start(&dir);
    assert_eq!(review.game("02_")["row"]["white"], "");
    let mut picture = std::fs::read(sample("02_")).expect("a picture");
    // Behind the end of a picture anything may stand.
    picture.push(b'x');
    dir.write("late.jpg", picture);
    send_picture(&review, &dir, "late.jpg");
    while review.game("02_")["row"]["white"] != "Ana" {
        std::thread::sleep(Duration::from_millis(20));
    }
    review.wait_until_read();
    review.assert_export_is_scan(&dir, &[]);
}
