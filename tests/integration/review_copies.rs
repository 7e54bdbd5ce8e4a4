//! Sheets joined and taken apart by hand, in `sheetscan review` and in `scan` by its answers.
#![cfg(all(feature = "review", unix))]

use serde_json::{Value, json};

use crate::common;
use crate::review_client::{Review, round};

/// The ids and the numbers of sheets of all games.
fn games(review: &Review) -> Vec<(String, usize)> {
    let rows = review.get("/api/games");
    let rows = rows["games"].as_array().expect("rows").iter();
    let game = |row: &Value| {
        let sheets = row["sheets"].as_array().expect("sheets").len();
        (row["id"].as_str().expect("an id").to_owned(), sheets)
    };
    rows.map(game).collect()
}

fn sheet_counts(review: &Review) -> Vec<usize> {
    games(review)
        .into_iter()
        .map(|(_, sheets)| sheets)
        .collect()
}

#[test]
fn two_games_are_joined_and_the_joining_taken_back() {
    let dir = round(&["02_", "03_"]);
    let review = Review::start(&dir);
    let [first, second] = ["02_", "03_"].map(|name| review.game(name)["id"].clone());
    let path = format!("/api/games/{}/join", first.as_str().expect("an id"));
    let (status, joined) = review.post(&path, &json!({ "key": "a", "other": second }));
    assert_eq!(status, 200, "{joined}");
    assert_eq!(joined["id"], first);
    assert_eq!(joined["game"]["sheets"].as_array().map(Vec::len), Some(2));
    assert_eq!(sheet_counts(&review), [2]);
    assert_eq!(dir.text("round.fixes.toml").matches("copy_of").count(), 1);
    review.assert_export_is_scan(&dir, &[]);
    let (status, undone) = review.post("/api/undo", &json!({}));
    assert_eq!((status, undone["id"].as_str()), (200, first.as_str()));
    assert_eq!(sheet_counts(&review), [1, 1]);
    assert!(!dir.text("round.fixes.toml").contains("copy_of"));
    assert_eq!(review.post("/api/redo", &json!({})).0, 200);
    review.kill();
    let review = Review::start(&dir);
    assert_eq!(sheet_counts(&review), [2], "it is so after a restart");
    let itself = json!({ "key": "b", "other": first });
    assert_eq!(review.post(&path, &itself).0, 422);
    let unknown = json!({ "key": "c", "other": "000000000000" });
    assert_eq!(review.post(&path, &unknown).0, 404);
}

#[test]
fn a_page_is_taken_out_of_its_game() {
    let dir = round(&[]);
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/two_pages");
    for entry in std::fs::read_dir(pages).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "jpg") {
            let name = path.file_name().expect("a name");
            std::fs::copy(&path, dir.path("round").join(name)).expect("it is copied");
        }
    }
    let review = Review::start(&dir);
    let (id, sheets) = games(&review).remove(0);
    assert_eq!(sheets, 2);
    let game = review.whole(&id);
    let path = format!("/api/games/{id}/part");
    let sheet = game["sheets"][1]["id"].clone();
    let (status, parted) = review.post(&path, &json!({ "key": "a", "sheet": sheet }));
    assert_eq!(status, 200, "{parted}");
    assert_eq!(parted["id"], sheet);
    assert_eq!(sheet_counts(&review), [1, 1]);
    assert!(dir.text("round.fixes.toml").contains("copy_of = \"-\""));
    review.assert_export_is_scan(&dir, &[]);
    let again = json!({ "key": "b", "sheet": game["sheets"][0]["id"] });
    assert_eq!(
        review.post(&path, &again).0,
        422,
        "nothing is left to take apart"
    );
    assert_eq!(review.post("/api/undo", &json!({})).0, 200);
    assert_eq!(sheet_counts(&review), [2]);
}

#[test]
fn where_each_sheet_is_kept_by_itself_nothing_is_joined() {
    let dir = round(&["02_", "03_"]);
    let review = Review::start_with(&dir, &["--no-pair"]);
    let [first, second] = ["02_", "03_"].map(|name| review.game(name)["id"].clone());
    let path = format!("/api/games/{}/join", first.as_str().expect("an id"));
    let (status, refused) = review.post(&path, &json!({ "key": "a", "other": second }));
    assert_eq!(status, 409, "{refused}");
    review.assert_export_is_scan(&dir, &["--no-pair"]);
    review.kill();
    dir.write(
        "copies.toml",
        "[\"03_exemplo_2_pt\"]\ncopy_of = \"02_exemplo_1_pt\"\n",
    );
    let run = dir.run(&["scan", "round", "--no-pair", "--fixes", "copies.toml"]);
    assert_eq!(run.status, 1);
    assert!(
        run.line_about("copy_of").contains("--no-pair"),
        "{:?}",
        run.stderr
    );
    let run = dir.run(&["scan", "round", "--fixes", "copies.toml"]);
    assert_eq!(common::games(&run.stdout).len(), 1, "{}", run.stdout);
}
