//! What a person has said of the header of a game, with `--fixes` or in a review, decides which
//! pairing it belongs to.

use serde_json::json;
use sheetscan::event::games::{self, GameFormat};
use sheetscan::event::matching::{EventSlot, Unmatched};
use sheetscan::event::{
    CheckCode, Event, Header, Ledger, MatchingParameters, Scope, Scores, checks,
};
use sheetscan::schema::GameRecord;

/// Four players, who meet in round 1: 1-2 and 3-4, and in round 2: 3-1 and 4-2.
fn event() -> Event {
    let player = |rank: u32, name: &str, rounds: &str| {
        format!("001 {rank:>4} {:5}{name:<33} {:43}{rounds}\n", "", "")
    };
    let text = player(1, "Adler, Anna", "   2 w 1     3 b 0")
        + &player(2, "Brandt, Bernd", "   1 b 0     4 b =")
        + &player(3, "Cohen, Clara", "   4 w =     1 w 1")
        + &player(4, "Dumas, Denis", "   3 b =     2 w =");
    let event = Event::parse_trf("event.trf", &text);
    assert_eq!((event.faults.len(), event.pairings.len()), (0, 4));
    event
}

/// A game with these tags of a person.
fn game(name: &str, tags: &[(&str, &str)]) -> GameRecord {
    let mut all = serde_json::Map::new();
    all.insert("Result".to_owned(), json!("*"));
    for (tag, value) in tags {
        all.insert((*tag).to_owned(), json!(value));
    }
    let answered: Vec<String> = tags.iter().map(|(tag, _)| tag.to_lowercase()).collect();
    let line = json!({
        "schema": 1, "tags": all, "answered": answered, "language": "en", "complete": true, "unread": [],
        "sheets": [{ "path": name, "page": 1, "sha256": name, "language": "en" }],
        "plies": [{ "ply": 1, "san": "e4", "uci": "e2e4", "confidence": 0.99, "review": false,
                    "alternatives": [], "cells": [] }],
    });
    GameRecord::parse(&line.to_string()).expect("a game")
}

fn matched(games: Vec<(GameRecord, Vec<Header>)>) -> Ledger {
    Ledger::match_games(
        event(),
        games,
        Scope::default(),
        &MatchingParameters::default(),
    )
}

/// The pairing of a game by its round and the name of its White, and whether it is reversed.
fn place(ledger: &Ledger, record: usize) -> (u32, &str, bool) {
    let (pairing, own) = ledger.pairing_of(record).expect("it has a pairing");
    let pairing = &ledger.event.pairings[pairing];
    let white = ledger.event.players[pairing.white].name.as_str();
    (pairing.round, white, own.reversed)
}

/// A header that names Adler with White against Brandt beyond doubt.
fn adler_brandt() -> Header {
    Header {
        white: Some(Scores::new(vec![(0, 9.0)], -5.0)),
        black: Some(Scores::new(vec![(1, 9.0)], -5.0)),
        ..Header::default()
    }
}

#[test]
fn what_a_person_says_outweighs_the_sheet() {
    let tags = [
        ("White", "Dumas, Denis"),
        ("Black", "Brandt, Bernd"),
        ("Round", "2"),
    ];
    let ledger = matched(vec![(game("a", &tags), vec![adler_brandt()])]);
    assert_eq!(place(&ledger, 0), (2, "Dumas, Denis", false));
    let written = games::format_games(&ledger, GameFormat::default());
    assert!(
        written[0].text.contains("[White \"Dumas, Denis\"]"),
        "{}",
        written[0].text
    );
    // The colours may be the other way round on the sheet.
    let tags = [
        ("White", "Brandt, Bernd"),
        ("Black", "Dumas, Denis"),
        ("Round", "2"),
    ];
    let ledger = matched(vec![(game("a", &tags), vec![adler_brandt()])]);
    assert_eq!(place(&ledger, 0), (2, "Dumas, Denis", true));
}

#[test]
fn a_game_that_was_read_gives_way_to_one_that_a_person_put_there() {
    let tags = [
        ("White", "Adler, Anna"),
        ("Black", "Brandt, Bernd"),
        ("Round", "1"),
    ];
    let mut two_sheets = game("read", &[]);
    two_sheets.sheets.push(game("copy", &[]).sheets[0].clone());
    let read = (two_sheets, vec![adler_brandt(), Header::default()]);
    let ledger = matched(vec![read, (game("said", &tags), Vec::new())]);
    assert_eq!(place(&ledger, 1), (1, "Adler, Anna", false));
    assert_eq!(
        ledger.matches[0],
        Err(Unmatched::SlotFull(EventSlot::Pairing(0)))
    );
    let findings = checks::run_checks(&ledger, &[]);
    let full = findings
        .iter()
        .find(|f| f.code == CheckCode::M2)
        .expect("it is told");
    assert_eq!(
        (full.subject.record, full.subject.other),
        (Some(0), Some(1))
    );
}

#[test]
fn a_part_of_a_name_is_as_good_as_a_typed_header() {
    let tags = [("White", "Cohen"), ("Round", "2.1")];
    let ledger = matched(vec![(game("a", &tags), Vec::new())]);
    assert_eq!(place(&ledger, 0), (2, "Cohen, Clara", false));
}

#[test]
fn a_game_without_a_pairing_keeps_what_a_person_said() {
    let tags = [("White", "Nobody, Nina"), ("Date", "2024.12.01")];
    let ledger = matched(vec![(game("a", &tags), Vec::new())]);
    let written = games::format_games(&ledger, GameFormat::default());
    let text = &written[0].text;
    assert!(
        text.contains("[White \"Nobody, Nina\"]\n[Black \"?\"]"),
        "{text}"
    );
    assert!(text.contains("[Date \"2024.12.01\"]"), "{text}");
}

#[test]
fn pairings_are_ranked_by_their_probability() {
    let ledger = matched(vec![(game("a", &[]), vec![adler_brandt()])]);
    let ranked = ledger.rank_slots(0, 3);
    assert_eq!((ranked.len(), ranked[0].slot), (3, EventSlot::Pairing(0)));
    // 18 nats, and the prior of one of four boards: ln 99 - ln 4.
    let odds = (18.0_f64 + 4.6).exp() / 4.0;
    let none_and_others = 1.0 + 3.0 * 4.6_f64.exp() / 4.0;
    assert!(ranked[0].probability > 0.999 && ranked[0].probability < odds / (odds + 1.0));
    let unknown = matched(vec![(game("a", &[]), Vec::new())]);
    let probability = unknown.rank_slots(0, 1)[0].probability;
    let expected = 4.6_f64.exp() / 4.0 / (4.6_f64.exp() + 1.0);
    assert!(
        (probability - expected).abs() < 1e-9,
        "{probability} {none_and_others}"
    );
}
