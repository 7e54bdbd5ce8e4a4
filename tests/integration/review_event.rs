//! `sheetscan review --trf`: which game is whose, answered by hand and by the sheets, and the same
//! in what `scan --trf` writes. The event is that of the guide, whose round 1 is on three samples.
#![cfg(all(feature = "review", unix))]

use std::path::Path;

use serde_json::{Value, json};

use crate::common::TestDir;
use crate::review_client::{Review, round, sans};

/// The three sheets of the guide's event, and its files.
fn event_round() -> TestDir {
    let dir = round(&["02_", "06_", "07_"]);
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/event");
    for name in ["open.trf", "round1.pgn", "headers.tsv"] {
        dir.write(
            name,
            std::fs::read(guide.join(name)).expect("a file of the guide"),
        );
    }
    dir
}

const TRF: [&str; 4] = ["--trf", "open.trf", "--round", "1"];
const BOARDS: [&str; 6] = [
    "--trf",
    "open.trf",
    "--round",
    "1",
    "--pairings",
    "round1.pgn",
];

/// Exports, and compares with what a scan with the answers writes.
fn assert_export_is_scan(dir: &TestDir, review: &Review, event: &[&str]) -> String {
    let (status, exported) = review.post("/api/export", &json!({}));
    assert_eq!(status, 200, "{exported}");
    let outputs = ["-o", "again.pgn", "--json", "again.jsonl", "--quiet"];
    let fixes = ["--fixes", "round.fixes.toml"];
    dir.run(&[&["scan", "round"], event, &fixes, &outputs].concat());
    let pgn = dir.text("round.pgn");
    assert_eq!(pgn, dir.text("again.pgn"));
    assert_eq!(dir.text("round.jsonl"), dir.text("again.jsonl"));
    pgn
}

/// The board of a round.
fn board(event: &Value, round: u32, board: u32) -> Value {
    let mut boards = event["boards"].as_array().expect("boards").iter();
    let is_it = |b: &&Value| b["round"] == round && b["board"] == board;
    boards.find(is_it).expect("the board is there").clone()
}

/// The value of each field of a game.
fn values(game: &Value) -> [&str; 6] {
    ["white", "black", "round", "board", "date", "result"]
        .map(|name| game["fields"][name]["value"].as_str().expect("a text"))
}

fn assign(review: &Review, game: &Value, key: &str, place: Value) -> (u16, Value) {
    let path = format!("/api/games/{}/assign", game["id"].as_str().expect("an id"));
    let mut body = place;
    body["key"] = json!(key);
    review.post(&path, &body)
}

#[test]
fn the_boards_show_what_the_sheets_say_and_the_tray_the_rest() {
    let dir = event_round();
    let review = Review::start_with(&dir, &BOARDS);
    let run = review.get("/api/run");
    assert_eq!(run["event"]["counts"]["pairings"], 3);
    assert_eq!(run["event"]["counts"]["missing"], 1);
    assert_eq!(run["event"]["counts"]["unmatched"], 1);
    let event = review.get("/api/event");
    let conti = review.game("07_");
    let board_of = |number| board(&event, 1, number);
    let own = [1, 2, 3].map(board_of);
    let own = own
        .iter()
        .find(|b| b["white"] == "Conti, Elena")
        .expect("her board");
    assert_eq!(own["game"], conti["id"]);
    assert_eq!(own["state"], conti["row"]["state"]);
    // Nobody has answered, and yet the fields have what is written.
    assert_eq!(values(&conti)[0], "Conti, Elena");
    assert_eq!(conti["fields"]["white"]["answered"], false);
    assert_eq!(conti["row"]["white"], "Conti, Elena");
    let tray = event["tray"].as_array().expect("a tray");
    let unmatched = review.game("02_");
    assert_eq!((tray.len(), &tray[0]["id"]), (1, &unmatched["id"]));
    let codes: Vec<&str> = event["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .map(|check| check["code"].as_str().expect("a code"))
        .collect();
    assert!(codes.contains(&"C1") && codes.contains(&"M1"), "{codes:?}");
    let pgn = assert_export_is_scan(&dir, &review, &BOARDS);
    assert!(pgn.contains("[White \"Conti, Elena\"]"));
}

#[test]
fn a_game_is_assigned_by_hand_and_the_assignment_taken_back() {
    let dir = event_round();
    let review = Review::start_with(&dir, &BOARDS);
    let game = review.game("02_");
    assert_eq!(values(&game)[..4], ["", "", "", ""]);
    let event = review.get("/api/event");
    let missing = |event: &Value| {
        let mut boards = event["boards"].as_array().expect("boards").iter();
        let missing = boards.find(|b| b["game"].is_null() && b["kind"] == "game");
        missing.cloned()
    };
    let seat = missing(&event).expect("a board without a sheet");
    assert_eq!(
        (&seat["white"], &seat["checks"]),
        (&json!("Eriksen, Eva"), &json!(["C1"]))
    );
    let place = json!({ "round": 1, "board": seat["board"] });
    let (status, reply) = assign(&review, &game, "a", place);
    assert_eq!(status, 200, "{reply}");
    assert_eq!(
        values(&reply["game"])[..3],
        ["Eriksen, Eva", "Fuchs, Franz", "1"]
    );
    assert_eq!(sans(&reply["game"]), sans(&game));
    let event = review.get("/api/event");
    assert_eq!(missing(&event), None);
    assert_eq!(event["tray"], json!([]));
    let fixes = dir.text("round.fixes.toml");
    assert!(fixes.contains("white = \"Eriksen, Eva\"") && fixes.contains("round = \"1\""));
    let pgn = assert_export_is_scan(&dir, &review, &BOARDS);
    assert!(
        pgn.contains("[White \"Eriksen, Eva\"]\n[Black \"Fuchs, Franz\"]"),
        "{pgn}"
    );
    let (status, undone) = review.post("/api/undo", &json!({}));
    assert_eq!(
        (status, &undone["what"]),
        (
            200,
            &json!(format!("assigned to round 1, board {}", seat["board"]))
        )
    );
    assert_eq!(values(&undone["game"])[..2], ["", ""]);
    assert_eq!(missing(&review.get("/api/event")).as_ref(), Some(&seat));
    assert_eq!(review.post("/api/redo", &json!({})).0, 200);
    let (status, cleared) = assign(&review, &game, "b", json!({ "clear": true }));
    assert_eq!((status, values(&cleared["game"])[0]), (200, ""));
    assert!(!dir.text("round.fixes.toml").contains("white"));
}

#[test]
fn a_person_outweighs_the_sheet_and_may_exchange_the_colours() {
    let dir = event_round();
    let review = Review::start_with(&dir, &TRF);
    let conti = review.game("07_");
    let event = review.get("/api/event");
    let seats = event["boards"].as_array().expect("boards");
    let eriksen = seats
        .iter()
        .find(|b| b["white"] == "Eriksen, Eva")
        .expect("her board");
    assert_eq!(eriksen["numbered"], false, "a report file has no boards");
    let place = json!({ "round": 1, "board": eriksen["board"], "exchanged": true });
    let (status, reply) = assign(&review, &conti, "a", place);
    assert_eq!(status, 200, "{reply}");
    assert_eq!(
        values(&reply["game"])[..2],
        ["Fuchs, Franz", "Eriksen, Eva"]
    );
    assert_eq!(reply["game"]["pairing"]["exchanged"], true);
    let event = review.get("/api/event");
    let mut checks = event["checks"].as_array().expect("checks").iter();
    let exchanged = checks
        .find(|c| c["code"] == "M3")
        .expect("the colours are told");
    assert_eq!(exchanged["game"], conti["id"]);
    assert!(!dir.text("round.fixes.toml").contains("board"));
    assert_export_is_scan(&dir, &review, &TRF);
    let nowhere = json!({ "round": 1, "board": 99 });
    assert_eq!(assign(&review, &conti, "b", nowhere).0, 404);
    assert_eq!(assign(&review, &conti, "c", json!({})).0, 400);
}

#[test]
fn settling_a_game_runs_the_checks_again_and_the_report_is_exported() {
    let dir = event_round();
    let arguments = [
        &BOARDS[..],
        &["--headers", "headers.tsv", "--report", "report"],
    ]
    .concat();
    let review = Review::start_with(&dir, &arguments);
    let game = review.game("02_");
    assert_eq!(values(&game)[0], "Eriksen, Eva", "its header is typed");
    let codes_of = |game: &Value| {
        let event = review.get("/api/event");
        let checks = event["checks"].as_array().expect("checks").iter();
        let own = checks.filter(|check| check["game"] == game["id"]);
        own.map(|c| c["code"].as_str().expect("a code").to_owned())
            .collect::<Vec<_>>()
    };
    let doubtful = review.get("/api/games")["games"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["state"] == "doubtful" || row["state"] == "cut")
        .map(|row| row["id"].as_str().expect("an id").to_owned());
    let id = doubtful.unwrap_or_else(|| game["id"].as_str().expect("an id").to_owned());
    let game = review.whole(&id);
    let settle = json!([{ "is": "settled", "moves": sans(&game) }]);
    let (status, reply) = review.answer(&game, "a", &settle);
    assert_eq!(
        (status, &reply["game"]["row"]["state"]),
        (200, &json!("settled"))
    );
    // The checks follow soon, by another thread.
    while codes_of(&game).iter().any(|code| code == "G3") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let (status, exported) = review.post("/api/export", &json!({}));
    assert_eq!(status, 200);
    let files = exported["files"].to_string();
    assert!(
        files.contains("report/report.html") && files.contains("round.pgn"),
        "{files}"
    );
    let scan = [
        &[
            "scan",
            "round",
            "--fixes",
            "round.fixes.toml",
            "-o",
            "again.pgn",
            "--quiet",
        ],
        &BOARDS[..],
        &["--headers", "headers.tsv", "--report", "again"],
    ];
    dir.run(&scan.concat());
    for name in ["report.html", "coverage.csv", "checks.csv", "audit.jsonl"] {
        let [exported, again] =
            ["report", "again"].map(|folder| dir.text(&format!("{folder}/{name}")));
        assert!(exported == again, "{name} differs");
    }
    assert_eq!(dir.text("round.pgn"), dir.text("again.pgn"));
}

#[test]
fn a_run_without_an_event_has_no_boards() {
    let dir = round(&["02_"]);
    let review = Review::start(&dir);
    assert_eq!(review.get("/api/run")["event"], Value::Null);
    assert_eq!(review.ask("GET", "/api/event", b"").0, 404);
    let game = review.game("02_");
    assert_eq!(
        assign(&review, &game, "a", json!({ "round": 1, "board": 1 })).0,
        409
    );
}
