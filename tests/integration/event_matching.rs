//! Which sheet belongs to which pairing, and what the checks find, for invented header scores on a
//! small event.

use serde_json::{Value, json};
use sheetscan::event::checks::{self, Finding};
use sheetscan::event::coverage::{self, CoverageStatus};
use sheetscan::event::games::GameFormat;
use sheetscan::event::matching::MatchResult;
use sheetscan::event::matching::{EventSlot, GameHeaders, Unmatched, match_games};
use sheetscan::event::{
    CheckCode, Date, Event, Header, Ledger, MatchingParameters, Scope, Scores, TypedHeader,
    TypedHeaderParameters, audit, games,
};
use sheetscan::grid::Side;
use sheetscan::notation::Outcome;
use sheetscan::schema::GameRecord;

/// Matches games by the default parameters.
fn match_all(event: &Event, games: &[GameHeaders], round: Option<u32>) -> Vec<MatchResult> {
    match_games(event, games, round, &MatchingParameters::default())
}

/// A ledger with games matched by the default parameters.
fn match_ledger(event: Event, games: Vec<(GameRecord, Vec<Header>)>, scope: Scope) -> Ledger {
    Ledger::match_games(event, games, scope, &MatchingParameters::default())
}

/// Six players and three rounds; player 5 has a bye in round 3, and player 6 a forfeit win.
fn event() -> Event {
    let rounds = [
        (
            "Adler, Anna",
            "2301",
            "1001",
            ["   2 w 1", "   3 b =", "   4 w 0"],
        ),
        (
            "Brandt, Bernd",
            "2210",
            "1002",
            ["   1 b 0", "   5 w 1", "   6 b -"],
        ),
        ("Cohen, Clara", "", "", ["   4 b 0", "   1 w =", "       Z"]),
        (
            "Dumas, Denis",
            "1999",
            "1004",
            ["   3 w 1", "   6 b D", "   1 b 1"],
        ),
        (
            "Eriksen, Eva",
            "1800",
            "1005",
            ["   6 w =", "   2 b 0", "0000 - U"],
        ),
        (
            "Fuchs, Franz",
            "1750",
            "1006",
            ["   5 b =", "   4 w D", "   2 w +"],
        ),
    ];
    let mut text = "012 Open of Nowhere\n022 Nowhere\n032 GER\n".to_owned();
    text += &format!(
        "{:<91}{:<10}{:<10}{:<10}\n",
        "132", "24/12/01", "24/12/02", "24/12/03"
    );
    for ((name, rating, id, rounds), rank) in rounds.into_iter().zip(1..) {
        let title = if rank == 1 { "w wm" } else { "" };
        text += &format!(
            "001 {rank:>4} {title:<4} {name:<33} {rating:>4} GER {id:>11} 1990/01/01  1.0    1"
        );
        text += &rounds.map(|round| format!("  {round:<8}")).concat();
        text.push('\n');
    }
    let event = Event::parse_trf("event.trf", &text);
    assert_eq!(event.faults, []);
    assert_eq!((event.pairings.len(), event.byes.len()), (8, 2));
    event
}

/// The index of the pairing of two players by rank, whatever their colours.
fn pairing(event: &Event, round: u32, a: usize, b: usize) -> usize {
    let both = |w: usize, x: usize| (w + 1 == a && x + 1 == b) || (w + 1 == b && x + 1 == a);
    let index = event
        .pairings
        .iter()
        .position(|p| p.round == round && both(p.white, p.black));
    index.expect("a pairing of the event")
}

/// A name that is read well: 8 nats for the player, and −8 for every other.
fn name(rank: usize) -> Option<Scores<usize>> {
    Some(Scores::new(vec![(rank - 1, 8.0)], -8.0))
}

/// A number that is read well: 4 nats for it, and −4 for every other.
fn number(n: u32) -> Option<Scores<u32>> {
    Some(Scores::new(vec![(n, 4.0)], -4.0))
}

fn names(white: usize, black: usize) -> Header {
    Header {
        white: name(white),
        black: name(black),
        ..Header::default()
    }
}

/// A game of one sheet whose result was not read.
fn one_sheet(header: Header) -> GameHeaders {
    GameHeaders {
        headers: vec![header],
        outcome: Outcome::Unknown,
    }
}

/// The match of a game that is the only one: its slot, and whether the colours are reversed.
fn match_alone(header: Header) -> Result<(EventSlot, bool), Unmatched> {
    let result = match_all(&event(), &[one_sheet(header)], None)[0];
    result.map(|game_match| (game_match.slot, game_match.reversed))
}

#[test]
fn names_are_matched_with_their_pairing() {
    let event = event();
    let place = |round, a, b| EventSlot::Pairing(pairing(&event, round, a, b));
    assert_eq!(match_alone(names(1, 2)), Ok((place(1, 1, 2), false)));
    let one = Header {
        white: name(3),
        round: number(2),
        ..Header::default()
    };
    assert_eq!(
        match_alone(one),
        Ok((place(2, 3, 1), false)),
        "one name and the round"
    );
}

#[test]
fn reversed_colours_are_recognised() {
    let event = event();
    let place = EventSlot::Pairing(pairing(&event, 1, 1, 2));
    assert_eq!(match_alone(names(2, 1)), Ok((place, true)));
}

#[test]
fn a_match_needs_evidence_and_a_margin() {
    assert_eq!(match_alone(Header::default()), Err(Unmatched::LowScore));
    let white = Header {
        white: name(1),
        ..Header::default()
    };
    // Anna has White in rounds 1 and 3.
    assert!(matches!(
        match_alone(white.clone()),
        Err(Unmatched::Ambiguous(_))
    ));
    let event = event();
    let dated = Header {
        date: Some(Scores::new(
            vec![(Date::from_ymd(2024, 12, 3).unwrap(), 4.0)],
            -4.0,
        )),
        ..white.clone()
    };
    let third = EventSlot::Pairing(pairing(&event, 3, 1, 4));
    assert_eq!(match_alone(dated), Ok((third, false)));
    let lost = Header {
        result: Some(Scores::new(vec![(Outcome::BlackWins, 2.0)], -2.0)),
        ..white.clone()
    };
    assert_eq!(
        match_alone(lost),
        Ok((third, false)),
        "she won in round 1 and lost in round 3"
    );
    let third_round = match_all(&event, &[one_sheet(white)], Some(3))[0].unwrap();
    assert_eq!(third_round.slot, third, "the round of the whole batch");
}

#[test]
fn the_parameters_decide_how_much_evidence_a_match_needs() {
    let event = event();
    let game = one_sheet(names(1, 2));
    let defaults = MatchingParameters::default();
    let score = match_all(&event, std::slice::from_ref(&game), None)[0]
        .unwrap()
        .score;
    let strict = MatchingParameters {
        min_score_nats: score + 0.1,
        ..defaults
    };
    assert_eq!(
        match_games(&event, &[game], None, &strict)[0],
        Err(Unmatched::LowScore)
    );
}

#[test]
fn sheets_with_foreign_names_are_not_matched() {
    let stranger = Scores::new(vec![(0, -6.0), (1, -3.0)], -8.0);
    let header = Header {
        white: Some(stranger.clone()),
        black: Some(stranger),
        ..Header::default()
    };
    assert_eq!(match_alone(header), Err(Unmatched::LowScore));
}

#[test]
fn the_assignment_of_all_games_decides() {
    // On two sheets White is Adler. On the third White may as well be Cohen, who has White only in
    // round 2, against Adler.
    let event = event();
    let sure = names(1, 2);
    let unsure = Header {
        white: Some(Scores::new(vec![(0, 6.0), (2, 5.0)], -8.0)),
        ..Header::default()
    };
    let one = |header: &Header| one_sheet(header.clone());
    let both = match_all(&event, &[one(&unsure), one(&sure), one(&sure)], None);
    let first = EventSlot::Pairing(pairing(&event, 1, 1, 2));
    assert_eq!(both[1].unwrap().slot, first);
    assert_eq!(both[2].unwrap().slot, first, "the other player's copy");
    assert!(both[0].is_err(), "{:?}", both[0]);
}

#[test]
fn the_headers_of_two_copies_add_up() {
    let event = event();
    let place = EventSlot::Pairing(pairing(&event, 1, 3, 4));
    // Neither sheet says enough by itself.
    let white = Header {
        white: Some(Scores::new(vec![(3, 1.0)], -1.0)),
        ..Header::default()
    };
    let black = Header {
        black: Some(Scores::new(vec![(2, 1.0)], -1.0)),
        ..Header::default()
    };
    for single in [&white, &black] {
        assert!(match_alone(single.clone()).is_err());
    }
    let copies = GameHeaders {
        headers: vec![white, black],
        outcome: Outcome::WhiteWins,
    };
    assert_eq!(match_all(&event, &[copies], None)[0].unwrap().slot, place);
}

#[test]
fn a_pairing_takes_one_sheet_of_each_player() {
    let copies = GameHeaders {
        headers: vec![names(1, 2), names(1, 2)],
        outcome: Outcome::WhiteWins,
    };
    let event = event();
    let place = EventSlot::Pairing(pairing(&event, 1, 1, 2));
    let results = match_all(&event, &[copies, one_sheet(names(1, 2))], None);
    assert_eq!(results[0].unwrap().slot, place);
    assert_eq!(results[1], Err(Unmatched::SlotFull(place)));
    let copy = |side| Header {
        writer: Some(side),
        ..names(1, 2)
    };
    let results = match_all(
        &event,
        &[one_sheet(copy(Side::White)), one_sheet(copy(Side::White))],
        None,
    );
    assert_eq!(results[0].unwrap().slot, place);
    assert_eq!(results[1], Err(Unmatched::SlotFull(place)));
    let results = match_all(
        &event,
        &[one_sheet(copy(Side::White)), one_sheet(copy(Side::Black))],
        None,
    );
    assert!(results.iter().all(|v| v.unwrap().slot == place));
}

#[test]
fn sheets_of_forfeits_and_byes_are_matched_with_them() {
    let event = event();
    let forfeit = EventSlot::Pairing(pairing(&event, 3, 2, 6));
    assert_eq!(match_alone(names(6, 2)), Ok((forfeit, false)));
    let bye = Header {
        white: name(5),
        round: number(3),
        ..Header::default()
    };
    assert!(matches!(match_alone(bye), Ok((EventSlot::Bye(_), false))));
}

#[test]
fn a_result_that_only_one_game_has_decides_alone() {
    let event = event();
    let only = |outcome, round| {
        let game = GameHeaders {
            headers: vec![Header::default()],
            outcome,
        };
        match_all(&event, &[game], Some(round))[0]
    };
    // Round 3 has one game that was played. Round 1 has two wins of White and a draw.
    assert_eq!(
        only(Outcome::BlackWins, 3).unwrap().slot,
        EventSlot::Pairing(pairing(&event, 3, 1, 4))
    );
    assert_eq!(
        only(Outcome::Draw, 1).unwrap().slot,
        EventSlot::Pairing(pairing(&event, 1, 5, 6))
    );
    assert!(matches!(
        only(Outcome::WhiteWins, 1),
        Err(Unmatched::Ambiguous(_))
    ));
}

#[test]
fn no_game_is_matched_only_because_one_pairing_is_left() {
    let event = event();
    assert_eq!(
        match_all(&event, &[one_sheet(Header::default())], Some(3))[0],
        Err(Unmatched::LowScore)
    );
    let rest = [
        one_sheet(names(1, 2)),
        one_sheet(names(4, 3)),
        one_sheet(Header::default()),
    ];
    let results = match_all(&event, &rest, Some(1));
    assert!(results[0].is_ok() && results[1].is_ok());
    assert_eq!(results[2], Err(Unmatched::LowScore));
}

#[test]
fn typed_headers_are_scored_against_the_players() {
    let event = event();
    let typed = |white: &str, black: &str, round| {
        let typed = TypedHeader {
            white: white.to_owned(),
            black: black.to_owned(),
            round,
            ..TypedHeader::default()
        };
        let game = one_sheet(Header::from_typed(
            &event,
            &typed,
            &TypedHeaderParameters::default(),
        ));
        match_all(&event, &[game], None)[0].map(|game_match| game_match.slot)
    };
    let place = |round, a, b| Ok(EventSlot::Pairing(pairing(&event, round, a, b)));
    assert_eq!(typed("A. Adler", "Brand", None), place(1, 1, 2));
    assert_eq!(typed("Cohen", "Anna Adler", None), place(2, 3, 1));
    assert_eq!(typed("Denis Dumas", "", Some(1)), place(1, 3, 4));
    assert!(typed("Smith", "Jones", None).is_err());
}

/// A game as `scan --json` writes it, where each sheet has a cell with the SAN of each ply.
fn game(sans: &str, result: &str, complete: bool, sheets: usize) -> Value {
    let sans: Vec<&str> = sans.split_whitespace().collect();
    let plies: Vec<Value> = sans
        .iter()
        .enumerate()
        .map(|(i, san)| {
            let side = if i.is_multiple_of(2) {
                "white"
            } else {
                "black"
            };
            let cell = |sheet: usize| {
                json!({"sheet": sheet, "move": i / 2 + 1, "side": side, "read": san,
                       "read_confidence": 0.97,
                       "box": [[1.0, 2.0], [3.0, 2.0], [3.0, 4.0], [1.0, 4.0]]})
            };
            json!({"ply": i + 1, "san": san, "uci": "", "confidence": 0.99, "review": false,
                   "alternatives": [], "cells": (0..sheets).map(cell).collect::<Vec<_>>()})
        })
        .collect();
    let sheet = |i: usize| {
        json!({"path": format!("s{i}.jpg"), "page": 1, "sha256": format!("{i:064}"),
               "language": "en"})
    };
    let sheets: Vec<Value> = (0..sheets).map(sheet).collect();
    json!({"schema": 1, "sheets": sheets, "tags": {"Result": result}, "language": "en",
           "complete": complete, "plies": plies, "unread": []})
}

fn record(game: &Value) -> GameRecord {
    // `GameRecord::parse` would refuse moves that are not legal.
    serde_json::from_value(game.clone()).unwrap()
}

const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6";
const MATE: &str = "f3 e5 g4 Qh4#";

/// The findings about round 1 of the event with these games, and the coverage.
fn check_games(
    games: Vec<(Value, Vec<Header>)>,
    norm_players: Vec<usize>,
) -> (Vec<Finding>, Vec<CoverageStatus>) {
    check_round(event(), 1, games, norm_players)
}

fn check_round(
    event: Event,
    round: u32,
    games: Vec<(Value, Vec<Header>)>,
    norm_players: Vec<usize>,
) -> (Vec<Finding>, Vec<CoverageStatus>) {
    let games = games
        .iter()
        .map(|(game, headers)| (record(game), headers.clone()))
        .collect();
    let scope = Scope {
        round: Some(round),
        norm_players,
    };
    let ledger = match_ledger(event, games, scope);
    let written = games::format_games(&ledger, GameFormat::default());
    let findings = checks::run_checks(&ledger, &written);
    let statuses = coverage::pairing_statuses(&ledger, &findings);
    (
        findings,
        statuses.into_iter().map(|(_, status)| status).collect(),
    )
}

fn codes(findings: &[Finding]) -> Vec<CheckCode> {
    findings.iter().map(|f| f.code).collect()
}

/// The codes found for one game of round 1 between players 1 and 2, which White won. The C1 of the
/// two other pairings, which have no sheet, are left out.
fn codes_of_game(game: Value, headers: Vec<Header>) -> Vec<CheckCode> {
    let (findings, _) = check_games(vec![(game, headers)], vec![]);
    let mut codes = codes(&findings);
    for _ in 0..2 {
        let last = codes
            .iter()
            .rposition(|&code| code == CheckCode::C1)
            .expect("the others are missing");
        codes.remove(last);
    }
    codes
}

/// A complete game between players 1 and 2, won by White, and its header.
fn plain() -> (Value, Vec<Header>) {
    (game(MOVES, "1-0", true, 1), vec![names(1, 2)])
}

#[test]
fn a_clean_game_has_no_finding() {
    let (game, headers) = plain();
    assert_eq!(codes_of_game(game, headers), []);
    let (findings, statuses) = check_games(vec![plain()], vec![]);
    assert_eq!(
        statuses,
        [
            CoverageStatus::Ok,
            CoverageStatus::Missing,
            CoverageStatus::Missing
        ]
    );
    assert_eq!(findings[0].place, "round 1: Dumas, Denis - Cohen, Clara");
}

#[test]
fn m1_is_a_sheet_without_a_pairing() {
    let (game, _) = plain();
    let (findings, _) = check_games(vec![(game, vec![Header::default()])], vec![]);
    assert_eq!(
        codes(&findings),
        [CheckCode::C1, CheckCode::C1, CheckCode::C1, CheckCode::M1]
    );
}

#[test]
fn m2_is_two_sheets_for_one_side() {
    let three = game(MOVES, "1-0", true, 3);
    assert_eq!(codes_of_game(three, vec![names(1, 2); 3]), [CheckCode::M2]);
    let copy = |side| Header {
        writer: Some(side),
        ..names(1, 2)
    };
    let two = game(MOVES, "1-0", true, 2);
    assert_eq!(
        codes_of_game(two.clone(), vec![copy(Side::Black), copy(Side::Black)]),
        [CheckCode::M2]
    );
    assert_eq!(
        codes_of_game(two, vec![copy(Side::White), copy(Side::Black)]),
        []
    );
}

#[test]
fn m3_is_reversed_colours() {
    let reversed = game(MOVES, "0-1", true, 1);
    let (findings, statuses) = check_games(vec![(reversed.clone(), vec![names(2, 1)])], vec![]);
    assert_eq!(
        codes(&findings),
        [CheckCode::M3, CheckCode::C1, CheckCode::C1]
    );
    assert_eq!(statuses[0], CoverageStatus::Review);
    // The PGN follows the sheet, in colours and result.
    let scope = Scope {
        round: Some(1),
        norm_players: vec![],
    };
    let ledger = match_ledger(event(), vec![(record(&reversed), vec![names(2, 1)])], scope);
    let text = &games::format_games(&ledger, GameFormat::default())[0].text;
    assert!(
        text.contains("[White \"Brandt, Bernd\"]\n[Black \"Adler, Anna\"]\n[Result \"0-1\"]"),
        "{text}"
    );
}

#[test]
fn m4_is_a_sheet_for_a_forfeit_or_a_bye() {
    let game = game(MOVES, "1-0", true, 1);
    let in_three = |header| {
        let (findings, statuses) =
            check_round(event(), 3, vec![(game.clone(), vec![header])], vec![]);
        (codes(&findings), statuses)
    };
    let (found_codes, statuses) = in_three(names(6, 2));
    assert_eq!(found_codes, [CheckCode::C1, CheckCode::M4]);
    assert_eq!(statuses, [CoverageStatus::Missing, CoverageStatus::Review]);
    let bye = Header {
        white: name(5),
        round: number(3),
        ..Header::default()
    };
    let (found_codes, statuses) = in_three(bye);
    assert_eq!(found_codes, [CheckCode::C1, CheckCode::M4]);
    assert_eq!(
        statuses,
        [CoverageStatus::Missing, CoverageStatus::NotExpected]
    );
    assert_eq!(
        codes_of_game(game, vec![names(1, 2)]),
        [],
        "a game that was played is none"
    );
}

#[test]
fn m5_is_a_contradiction_of_round_date_or_board() {
    let (game, _) = plain();
    let with = |change: &dyn Fn(&mut Header)| {
        let mut header = names(1, 2);
        change(&mut header);
        let mut event = event();
        event.pairings[0].board = Some(7);
        let (findings, _) = check_round(event, 1, vec![(game.clone(), vec![header])], vec![]);
        codes(&findings).contains(&CheckCode::M5)
    };
    assert!(with(&|h| h.round = number(2)));
    assert!(!with(&|h| h.round = number(1)));
    assert!(with(&|h| h.board = number(8)));
    assert!(!with(&|h| h.board = number(7)));
    let day = |d| {
        Some(Scores::new(
            vec![(Date::from_ymd(2024, 12, d).unwrap(), 4.0)],
            -4.0,
        ))
    };
    assert!(with(&|h| h.date = day(2)));
    assert!(!with(&|h| h.date = day(1)));
    // A round that is not certain.
    assert!(!with(&|h| h.round = Some(Scores::new(vec![(2, 1.0)], 0.0))));
}

#[test]
fn r1_is_another_result_than_the_report_file_has() {
    let (_, headers) = plain();
    assert_eq!(
        codes_of_game(game(MOVES, "0-1", true, 1), headers),
        [CheckCode::R1]
    );
    let (game, mut headers) = plain();
    headers[0].result = Some(Scores::new(vec![(Outcome::Draw, 4.0)], -4.0));
    assert_eq!(
        codes_of_game(game, headers),
        [CheckCode::R1],
        "the header's result counts"
    );
}

#[test]
fn r2_is_a_final_position_that_contradicts_the_result() {
    let header = |white, black| vec![names(white, black)];
    assert_eq!(
        codes_of_game(game(MATE, "1-0", true, 1), header(1, 2)),
        [CheckCode::R2]
    );
    let stalemate =
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    assert_eq!(
        codes_of_game(game(stalemate, "1-0", true, 1), header(1, 2)),
        [CheckCode::R2]
    );
    // Anna lost as White in round 3, and White is mated on the board.
    let (findings, _) = check_round(
        event(),
        3,
        vec![(game(MATE, "0-1", true, 1), header(1, 4))],
        vec![],
    );
    assert_eq!(codes(&findings), []);
}

#[test]
fn r3_is_a_result_from_the_report_file() {
    let (_, headers) = plain();
    assert_eq!(
        codes_of_game(game(MOVES, "*", true, 1), headers),
        [CheckCode::R3]
    );
    let (findings, statuses) =
        check_games(vec![(game(MOVES, "*", true, 1), vec![names(1, 2)])], vec![]);
    assert_eq!(
        (findings[0].code, statuses[0]),
        (CheckCode::R3, CoverageStatus::Ok),
        "it is for information only"
    );
}

#[test]
fn r4_is_two_sheets_with_different_results() {
    let result = |outcome| Header {
        result: Some(Scores::new(vec![(outcome, 4.0)], -4.0)),
        ..names(1, 2)
    };
    let two = game(MOVES, "1-0", true, 2);
    let same = vec![result(Outcome::WhiteWins), result(Outcome::WhiteWins)];
    assert_eq!(codes_of_game(two.clone(), same), []);
    let other = vec![result(Outcome::WhiteWins), result(Outcome::Draw)];
    assert_eq!(codes_of_game(two, other), [CheckCode::R4, CheckCode::R1]);
}

#[test]
fn r5_is_a_played_game_with_under_one_move() {
    let (_, headers) = plain();
    assert_eq!(
        codes_of_game(game("e4", "1-0", true, 1), headers.clone()),
        [CheckCode::R5]
    );
    assert_eq!(
        codes_of_game(game("e4 e5", "1-0", true, 1), headers.clone()),
        []
    );
    // Not read is not the same as not played.
    assert_eq!(
        codes_of_game(game("e4", "1-0", false, 1), headers),
        [CheckCode::G1]
    );
    // In round 2 the game is coded as one of under one move.
    let (findings, _) = check_round(
        event(),
        2,
        vec![(game("e4", "1/2-1/2", true, 1), vec![names(6, 4)])],
        vec![],
    );
    assert_eq!(codes(&findings), [CheckCode::C1, CheckCode::C1]);
}

#[test]
fn g1_is_a_cut_game() {
    let (_, headers) = plain();
    assert_eq!(
        codes_of_game(game(MOVES, "1-0", false, 1), headers),
        [CheckCode::G1]
    );
}

#[test]
fn g2_is_a_difference_of_the_copies() {
    let headers = vec![names(1, 2), names(1, 2)];
    let reads = |other: &str, confidence: f64| {
        let mut game = game(MOVES, "1-0", true, 2);
        game["plies"][2]["cells"][1]["read"] = json!(other);
        game["plies"][2]["cells"][1]["read_confidence"] = json!(confidence);
        codes_of_game(game, headers.clone())
    };
    assert_eq!(reads("Nc3", 0.95), [CheckCode::G2]);
    assert_eq!(reads("Nc3", 0.5), [], "not read with confidence");
    assert_eq!(reads("Cg1-f3", 0.95), [], "another language and form");
    // Two sheets that were not found to be copies.
    let single = |moves| (game(moves, "1-0", true, 1), vec![names(1, 2)]);
    let (findings, _) = check_games(vec![single(MOVES), single("e4 e5 Nc3 Nc6")], vec![]);
    assert_eq!(
        codes(&findings),
        [CheckCode::G2, CheckCode::C1, CheckCode::C1]
    );
}

#[test]
fn g3_is_a_low_confidence() {
    let (mut game, headers) = plain();
    game["plies"][3]["review"] = json!(true);
    let (findings, statuses) = check_games(vec![(game, headers)], vec![]);
    assert_eq!(
        codes(&findings),
        [CheckCode::G3, CheckCode::C1, CheckCode::C1]
    );
    assert!(findings[0].text.contains("2... Nc6"), "{}", findings[0]);
    assert_eq!(statuses[0], CoverageStatus::Review);
}

#[test]
fn c1_is_a_played_game_without_a_sheet() {
    let (findings, statuses) = check_round(event(), 3, vec![], vec![]);
    assert_eq!(codes(&findings), [CheckCode::C1]);
    assert_eq!(
        statuses,
        [CoverageStatus::Missing, CoverageStatus::NotExpected],
        "a forfeit needs no sheet"
    );
    let (_, statuses) = check_round(event(), 2, vec![], vec![]);
    let expected = [
        CoverageStatus::Missing,
        CoverageStatus::Missing,
        CoverageStatus::NotExpected,
    ];
    assert_eq!(statuses, expected, "nor does a game under one move");
}

#[test]
fn c2_is_a_game_that_a_title_result_needs() {
    let (findings, _) = check_games(vec![plain()], vec![0]);
    assert_eq!(codes(&findings), [CheckCode::C1, CheckCode::C1]);
    let (findings, _) = check_games(
        vec![(game(MOVES, "1-0", false, 1), vec![names(1, 2)])],
        vec![0],
    );
    assert_eq!(
        codes(&findings),
        [CheckCode::C2, CheckCode::G1, CheckCode::C1, CheckCode::C1]
    );
    let (findings, _) = check_games(vec![plain()], vec![3]);
    assert_eq!(
        codes(&findings),
        [CheckCode::C1, CheckCode::C2, CheckCode::C1]
    );
}

#[test]
fn faults_of_the_files_are_among_the_findings() {
    let player = format!("001 {:>4}      {:<33}", 1, "A, A");
    let broken = format!("001    x\n042 soon\n{player:<91}   2 w 1\n001    2      B, B\n");
    let event = Event::parse_trf("e.trf", &broken);
    let ledger = match_ledger(event, vec![], Scope::default());
    let findings = checks::run_checks(&ledger, &[]);
    let places: Vec<(CheckCode, &str)> = findings
        .iter()
        .map(|f| (f.code, f.place.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            (CheckCode::T1, "e.trf:1:5"),
            (CheckCode::T3, "e.trf:2:5"),
            (CheckCode::T2, "e.trf:3:92")
        ]
    );
    assert_eq!(
        checks::run_checks(
            &match_ledger(
                self::event(),
                vec![],
                Scope {
                    round: Some(9),
                    norm_players: vec![]
                }
            ),
            &[]
        ),
        []
    );
}

#[test]
fn p1_is_a_pgn_that_does_not_read_back() {
    let (game, headers) = plain();
    let ledger = match_ledger(event(), vec![(record(&game), headers)], Scope::default());
    let written = games::format_games(&ledger, GameFormat::default());
    let p1 = |from: &str, to: &str| {
        let mut damaged = written.clone();
        assert!(damaged[0].text.contains(from));
        damaged[0].text = damaged[0].text.replacen(from, to, 1);
        let found = checks::run_checks(&ledger, &damaged);
        codes(&found).contains(&CheckCode::P1)
    };
    assert!(!p1("Nf3", "Nf3"));
    assert!(p1("Nf3", "Nh3"), "another move");
    assert!(p1("[Result \"1-0\"]", "[Result \"0-1\"]"));
    assert!(p1("\"]", "]"));
    assert!(p1("1-0\n\n", ""), "no end");
    assert!(p1("3. Bb5", "{ 3. Bb5"));
    // A record that is itself no game.
    let (game, headers) = (self::game("e4 e5 Ke3", "1-0", true, 1), vec![names(1, 2)]);
    let ledger = match_ledger(event(), vec![(record(&game), headers)], Scope::default());
    let written = games::format_games(&ledger, GameFormat::default());
    assert!(codes(&checks::run_checks(&ledger, &written)).contains(&CheckCode::P1));
}

#[test]
fn games_are_written_with_names_in_the_order_of_the_event() {
    let mut event = event();
    event.players[1].team = Some("Süd".to_owned());
    for (round, a, b, board) in [(1, 1, 2, 2), (1, 3, 4, 1)] {
        let place = pairing(&event, round, a, b);
        event.pairings[place].board = Some(board);
    }
    let one = |header| (record(&game(MOVES, "1-0", true, 1)), vec![header]);
    let games = vec![
        one(Header::default()),
        one(names(2, 5)),
        one(names(1, 2)),
        one(names(4, 3)),
    ];
    let ledger = match_ledger(event, games, Scope::default());
    let written = games::format_games(&ledger, GameFormat::default());
    let order: Vec<(Option<u32>, usize)> = written.iter().map(|w| (w.round, w.record)).collect();
    assert_eq!(order, [(Some(1), 3), (Some(1), 2), (Some(2), 1), (None, 0)]);
    let tags = "[Event \"Open of Nowhere\"]\n[Site \"Nowhere GER\"]\n[Date \"2024.12.01\"]\n\
                [Round \"1\"]\n[White \"Adler, Anna\"]\n[Black \"Brandt, Bernd\"]\n\
                [Result \"1-0\"]\n[BlackElo \"2210\"]\n[BlackFideId \"1002\"]\n\
                [BlackTeam \"Süd\"]\n[Board \"2\"]\n[WhiteElo \"2301\"]\n\
                [WhiteFideId \"1001\"]\n[WhiteTitle \"WIM\"]\n\n\
                1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
    assert_eq!(written[1].text, tags);
    assert!(
        written[0].text.contains("[BlackElo \"-\"]"),
        "unrated: {}",
        written[0].text
    );
    assert!(!written[0].text.contains("BlackFideId"));
    assert!(written[3].text.contains("[White \"?\"]"));
    let dotted = GameFormat {
        dotted_rounds: true,
        ..GameFormat::default()
    };
    let dotted = games::format_games(&ledger, dotted);
    assert!(dotted[1].text.contains("[Round \"1.2\"]"));
}

#[test]
fn the_result_of_the_report_file_is_written_where_results_differ() {
    let ledger = match_ledger(
        event(),
        vec![(record(&game(MOVES, "0-1", true, 1)), vec![names(1, 2)])],
        Scope::default(),
    );
    let text = &games::format_games(&ledger, GameFormat::default())[0].text;
    assert!(
        text.contains("[Result \"1-0\"]") && text.trim_end().ends_with("1-0"),
        "{text}"
    );
}

#[test]
fn the_board_of_the_sheet_is_written_where_the_pairing_has_none() {
    let header = Header {
        board: number(4),
        ..names(1, 2)
    };
    let ledger = match_ledger(
        event(),
        vec![(plain().0, vec![header])]
            .into_iter()
            .map(|(g, h)| (record(&g), h))
            .collect(),
        Scope::default(),
    );
    assert!(
        games::format_games(&ledger, GameFormat::default())[0]
            .text
            .contains("[Board \"4\"]")
    );
}

#[test]
fn coverage_and_audit_have_every_pairing_and_every_move() {
    let mut game = game(MOVES, "1-0", true, 1);
    game["plies"][1]["settled"] = json!(true);
    game["plies"][2]["cells"] = json!([]);
    game["plies"][3]["alternatives"] = json!([{"san": "Nf6", "confidence": 0.01}]);
    let scope = Scope {
        round: Some(1),
        norm_players: vec![],
    };
    let ledger = match_ledger(event(), vec![(record(&game), vec![names(1, 2)])], scope);
    let written = games::format_games(&ledger, GameFormat::default());
    let findings = checks::run_checks(&ledger, &written);
    let csv = coverage::format_csv(&ledger, &findings);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[1],
        "1,,2024.12.01,1,\"Adler, Anna\",2,\"Brandt, Bernd\",1-0,played,ok,s0.jpg,"
    );
    assert!(
        lines[2].ends_with("1-0,played,missing,,C1 no sheet"),
        "{}",
        lines[2]
    );
    let audit = audit::format_json_lines(&ledger, &written);
    let moves: Vec<Value> = audit
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(moves.len(), 6);
    let who: Vec<&str> = moves
        .iter()
        .map(|m| m["decided_by"].as_str().unwrap())
        .collect();
    assert_eq!(
        who,
        ["reader", "person", "rules", "reader", "reader", "reader"]
    );
    assert_eq!(moves[0]["cells"][0]["sha256"], json!(format!("{:064}", 0)));
    assert_eq!(moves[0]["cells"][0]["box"][1], json!([3.0, 2.0]));
    assert_eq!(moves[3]["candidates"][0]["san"], json!("Nf6"));
    assert_eq!(moves[0]["white"], json!("Adler, Anna"));
    assert!(checks::format_csv(&findings).starts_with(
        "level,code,where,what\nW,C1,\"round 1: Dumas, Denis - Cohen, Clara\",no sheet\n"
    ));
}
