//! `sheetscan review` as a person uses it: answers are on the disk before they are told to be, and
//! what is exported is what `scan --fixes` writes.
#![cfg(all(feature = "review", unix))]

use serde_json::json;

use crate::common::samples;
use crate::review_client::{Review, round, sans};

#[test]
fn answers_survive_a_kill_and_what_is_exported_is_what_scan_writes_with_them() {
    let dir = round(&["01_", "02_", "03_"]);
    let review = Review::start(&dir);
    let game = review.game("02_");
    let place = game["plies"][5]["place"].clone();
    // Another legal move than the one that stands there.
    let path = format!(
        "/api/games/{}/at/{}",
        game["id"].as_str().expect("an id"),
        place.as_str().expect("a place")
    );
    let candidates = review.get(&path);
    let other = candidates["candidates"][1]["san"]
        .as_str()
        .expect("a second legal move");
    let answer = json!([{ "is": "move", "at": place, "san": other }]);
    let (status, reply) = review.answer(&game, "a", &answer);
    assert_eq!(
        (status, &reply["game"]["plies"][5]["san"]),
        (200, &json!(other))
    );
    let own = json!([{ "at": place, "is": "move", "san": other }]);
    assert_eq!(reply["game"]["answers"], own, "as it was sent");
    let field = json!([{ "is": "field", "name": "white", "text": "<img src=x onerror=alert(1)>" }]);
    let (status, _) = review.answer(&reply["game"], "b", &field);
    assert_eq!(status, 200);
    review.kill();
    let review = Review::start(&dir);
    let game = review.game("02_");
    assert_eq!(sans(&game)[5], other);
    assert!(game["plies"][5]["settled"] == true);
    let (status, exported) = review.post("/api/export", &json!({}));
    assert_eq!((status, exported["games"].as_u64()), (200, Some(3)));
    assert_eq!(review.interrupt(), 2, "some games are not settled");
    let pgn = dir.text("round.pgn");
    assert!(
        pgn.contains("[White \"<img src=x onerror=alert(1)>\"]"),
        "{pgn}"
    );
    let fixes = ["--fixes", "round.fixes.toml"];
    let outputs = ["-o", "again.pgn", "--json", "again.jsonl"];
    dir.run(&[&["scan", "round"], &fixes[..], &outputs[..]].concat());
    assert_eq!(pgn, dir.text("again.pgn"));
    assert_eq!(dir.text("round.jsonl"), dir.text("again.jsonl"));
}

#[test]
fn every_answer_that_was_acknowledged_before_a_kill_is_there_after_it() {
    let dir = round(&["03_"]);
    let mut answered = 0;
    for start in 0..5 {
        let review = Review::start(&dir);
        let game = review.game("03_");
        let plies = game["plies"].as_array().expect("plies");
        let settled = plies.iter().filter(|ply| ply["settled"] == true).count();
        assert_eq!(settled, answered, "start {start}");
        for ply in &plies[answered..answered + 2] {
            let right = json!([{ "is": "move", "at": ply["place"], "san": ply["san"] }]);
            let key = format!("{start}-{}", ply["ply"]);
            assert_eq!(review.answer(&game, &key, &right).0, 200);
            answered += 1;
        }
        review.kill();
    }
}

#[test]
fn a_person_may_take_every_step_back_and_do_it_again() {
    let dir = round(&["02_"]);
    let review = Review::start(&dir);
    let first = review.game("02_");
    let steps = [
        json!([{ "is": "end", "at": first["plies"][4]["place"] }]),
        json!([{ "is": "none", "at": first["plies"][3]["place"] }]),
        json!([{ "is": "seen", "at": first["plies"][0]["place"] }]),
    ];
    let mut games = vec![sans(&first)];
    let mut seen = first.clone();
    for (i, step) in steps.iter().enumerate() {
        let (status, reply) = review.answer(&seen, &format!("s{i}"), step);
        assert_eq!(status, 200, "{reply}");
        seen = review.whole(first["id"].as_str().expect("an id"));
        games.push(sans(&seen));
    }
    assert_eq!(games[1], games[0][..4]);
    let id = first["id"].as_str().expect("an id");
    for before in games[..3].iter().rev() {
        assert_eq!(review.post("/api/undo", &json!({})).0, 200);
        assert_eq!(sans(&review.whole(id)), *before);
    }
    assert_eq!(review.post("/api/undo", &json!({})).0, 409);
    assert!(
        !dir.text("round.fixes.toml").contains('='),
        "no answer is left"
    );
    for after in &games[1..] {
        assert_eq!(review.post("/api/redo", &json!({})).0, 200);
        assert_eq!(sans(&review.whole(id)), *after);
    }
}

#[test]
fn two_pages_that_answer_the_same_cell_are_told_and_other_cells_go_through() {
    let dir = round(&["02_"]);
    let review = Review::start(&dir);
    let game = review.game("02_");
    let right = |at: usize| {
        let ply = &game["plies"][at];
        json!([{ "is": "move", "at": ply["place"], "san": ply["san"] }])
    };
    assert_eq!(review.answer(&game, "a", &right(0)).0, 200);
    let other = json!([{ "is": "seen", "at": game["plies"][0]["place"] }]);
    let (status, reply) = review.answer(&game, "b", &other);
    assert_eq!(status, 409, "{reply}");
    assert_eq!(reply["game"]["id"], game["id"]);
    assert_eq!(review.answer(&game, "c", &right(1)).0, 200);
    // A move that is not legal is refused with others that are.
    let illegal = json!([{ "is": "move", "at": game["plies"][2]["place"], "san": "Qh8" }]);
    let (status, reply) = review.answer(&game, "d", &illegal);
    assert_eq!(status, 422);
    assert!(!reply["nearest"].as_array().expect("moves").is_empty());
}

#[test]
fn a_second_review_of_a_folder_says_that_one_is_running() {
    let dir = round(&["02_"]);
    let review = Review::start(&dir);
    let second = dir.run(&["review", "round", "--no-open"]);
    assert_eq!(second.status, 1);
    let address = format!("http://127.0.0.1:{}/", review.port);
    let told = second.stderr.join("\n");
    assert!(told.contains(&address), "{told}");
    assert!(!told.contains(&review.token), "the token is a secret");
}

#[test]
fn a_file_of_answers_that_is_changed_by_hand_is_taken_over() {
    let dir = round(&["02_"]);
    dir.write(
        "round.fixes.toml",
        "# by hand\n[\"02_exemplo_1_pt.jpg\"]\n1 = \"e4\"\n",
    );
    let review = Review::start(&dir);
    let game = review.game("02_");
    let first = game["plies"][0]["san"].clone();
    let text = "# by hand\n[\"02_exemplo_1_pt.jpg\"]\n2w = \"?\"\nwhite = \"Ana\"\n";
    dir.write("round.fixes.toml", text);
    let changed = review.game("02_");
    assert_eq!(changed["row"]["white"], "Ana");
    assert_eq!(changed["plies"][2]["seen"], true);
    let right = json!([{ "is": "move", "at": changed["plies"][0]["place"], "san": first }]);
    assert_eq!(review.answer(&changed, "a", &right).0, 200, "{first}");
    let text = dir.text("round.fixes.toml");
    assert!(
        text.contains("# by hand") && text.contains("white = \"Ana\""),
        "{text}"
    );
}

#[test]
fn a_clean_sheet_is_settled_by_one_answer_and_the_review_ends_well() {
    let dir = round(&["03_"]);
    let review = Review::start(&dir);
    let game = review.game("03_");
    let settle = json!([{ "is": "settled", "moves": sans(&game) }]);
    let (status, reply) = review.answer(&game, "a", &settle);
    assert_eq!(
        (status, reply["changed"].as_array().map(Vec::len)),
        (200, Some(0))
    );
    assert_eq!(reply["game"]["row"]["state"], "settled");
    assert_eq!(review.interrupt(), 0);
}

#[test]
fn a_review_without_answers_exports_what_scan_writes() {
    let dir = round(&["02_"]);
    let review = Review::start(&dir);
    assert_eq!(review.post("/api/export", &json!({})).0, 200);
    assert_eq!(review.interrupt(), 2);
    let scan = [
        "scan",
        "round",
        "-o",
        "again.pgn",
        "--fixes",
        "round.fixes.toml",
    ];
    assert_eq!(dir.run(&scan).status, 0);
    assert_eq!(dir.text("round.pgn"), dir.text("again.pgn"));
}

#[test]
fn pictures_that_come_in_are_read_and_none_replaces_another() {
    let dir = round(&["01_"]);
    let review = Review::start(&dir);
    let sample = |start: &str| {
        let mut all = samples().into_iter();
        let path = all.find(|path| path.to_string_lossy().contains(start));
        std::fs::read(path.expect("a sample")).expect("a picture")
    };
    let (second, third) = (sample("02_"), sample("03_"));
    for (name, bytes, expected) in [
        ("a.jpg", &second, "a.jpg"),
        ("a.jpg", &third, "a (2).jpg"),
        ("a.jpg", &second, "a.jpg"),
        ("scan", &third, "scan.jpg"),
    ] {
        let path = format!("/api/pictures?name={name}");
        let (status, reply) = review.ask("POST", &path, bytes);
        assert_eq!((status, reply["name"].as_str()), (200, Some(expected)));
    }
    let (status, _) = review.ask("POST", "/api/pictures?name=a.jpg", b"no picture");
    assert_eq!(status, 422);
    assert_eq!(
        std::fs::read(dir.path("round/inbox/a.jpg")).expect("it is kept"),
        second
    );
    // The third sheet came twice, which is one game.
    while review.get("/api/games")["games"].as_array().map(Vec::len) != Some(3) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let told = dir.run(&["review", "round/01_apendice_e_pt.jpg", "--listen"]);
    assert_eq!(told.status, 1, "no folder for what phones send");
}
