//! Which sheet is which pairing, and what the checks say of it: made header scores on a small event.

use serde_json::{Value, json};
use sheetscan::decode::Outcome;
use sheetscan::event::checks::{self, Finding};
use sheetscan::event::coverage::{self, Status};
use sheetscan::event::matching::{Entry, Place, Unmatched, assign};
use sheetscan::event::{
    Code, Date, Event, Header, Ledger, Record, Scope, Scores, TypedHeader, audit, games,
};
use sheetscan::grid::Side;

/// Six players, three rounds; player 5 has a bye in round 3, and player 6 a forfeit win.
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
    let event = Event::read("event.trf", text.as_bytes());
    assert_eq!(event.faults, []);
    assert_eq!((event.pairings.len(), event.byes.len()), (8, 2));
    event
}

/// The pairing of two players by rank, whatever their colours.
fn pairing(event: &Event, round: u32, a: usize, b: usize) -> usize {
    let both = |w: usize, x: usize| (w + 1 == a && x + 1 == b) || (w + 1 == b && x + 1 == a);
    let found = event
        .pairings
        .iter()
        .position(|p| p.round == round && both(p.white, p.black));
    found.unwrap()
}

/// A name that is read well: 8 nats for the player, and against every other.
fn name(rank: usize) -> Option<Scores<usize>> {
    Some(Scores::new(vec![(rank - 1, 8.0)], -8.0))
}

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

fn entry(header: Header) -> Entry {
    Entry {
        headers: vec![header],
        outcome: Outcome::Unknown,
    }
}

/// Where the only game goes.
fn alone(header: Header) -> Result<(Place, bool), Unmatched> {
    let verdict = assign(&event(), &[entry(header)], None)[0];
    verdict.map(|found| (found.place, found.reversed))
}

#[test]
fn names_find_their_pairing() {
    let event = event();
    let place = |round, a, b| Place::Pairing(pairing(&event, round, a, b));
    assert_eq!(alone(names(1, 2)), Ok((place(1, 1, 2), false)));
    let one = Header {
        white: name(3),
        round: number(2),
        ..Header::default()
    };
    assert_eq!(
        alone(one),
        Ok((place(2, 3, 1), false)),
        "one name and the round"
    );
}

#[test]
fn reversed_colours_are_found() {
    let event = event();
    let place = Place::Pairing(pairing(&event, 1, 1, 2));
    assert_eq!(alone(names(2, 1)), Ok((place, true)));
}

#[test]
fn a_match_needs_evidence_and_a_margin() {
    assert_eq!(alone(Header::default()), Err(Unmatched::NoScore));
    let white = Header {
        white: name(1),
        ..Header::default()
    };
    // Anna has White in rounds 1 and 3.
    assert!(matches!(alone(white.clone()), Err(Unmatched::NoMargin(_))));
    let event = event();
    let dated = Header {
        date: Some(Scores::new(
            vec![(Date::day(2024, 12, 3).unwrap(), 4.0)],
            -4.0,
        )),
        ..white.clone()
    };
    let third = Place::Pairing(pairing(&event, 3, 1, 4));
    assert_eq!(alone(dated), Ok((third, false)));
    let lost = Header {
        result: Some(Scores::new(vec![(Outcome::BlackWins, 2.0)], -2.0)),
        ..white.clone()
    };
    let found = alone(lost);
    assert_eq!(
        found,
        Ok((third, false)),
        "she won in round 1 and lost in round 3"
    );
    let found = assign(&event, &[entry(white)], Some(3))[0].unwrap();
    assert_eq!(found.place, third, "the round of the whole batch");
}

#[test]
fn strangers_stay_by_themselves() {
    let stranger = Scores::new(vec![(0, -6.0), (1, -3.0)], -8.0);
    let header = Header {
        white: Some(stranger.clone()),
        black: Some(stranger),
        ..Header::default()
    };
    assert_eq!(alone(header), Err(Unmatched::NoScore));
}

#[test]
fn the_whole_batch_decides() {
    // Two sheets read `Adler` for White; the first may as well be Cohen, who has White in round 2 alone, against Adler.
    let event = event();
    let sure = names(1, 2);
    let unsure = Header {
        white: Some(Scores::new(vec![(0, 6.0), (2, 5.0)], -8.0)),
        ..Header::default()
    };
    let one = |header: &Header| entry(header.clone());
    let both = assign(&event, &[one(&unsure), one(&sure), one(&sure)], None);
    let first = Place::Pairing(pairing(&event, 1, 1, 2));
    assert_eq!(both[1].unwrap().place, first);
    assert_eq!(both[2].unwrap().place, first, "the other player's copy");
    assert!(both[0].is_err(), "{:?}", both[0]);
}

#[test]
fn copies_go_to_one_pairing_together() {
    let event = event();
    let place = Place::Pairing(pairing(&event, 1, 3, 4));
    // Neither sheet tells enough; both together do.
    let white = Header {
        white: Some(Scores::new(vec![(3, 1.0)], -1.0)),
        ..Header::default()
    };
    let black = Header {
        black: Some(Scores::new(vec![(2, 1.0)], -1.0)),
        ..Header::default()
    };
    for single in [&white, &black] {
        assert!(alone(single.clone()).is_err());
    }
    let copies = Entry {
        headers: vec![white, black],
        outcome: Outcome::WhiteWins,
    };
    assert_eq!(assign(&event, &[copies], None)[0].unwrap().place, place);
}

#[test]
fn a_third_sheet_is_one_too_many() {
    let copies = Entry {
        headers: vec![names(1, 2), names(1, 2)],
        outcome: Outcome::WhiteWins,
    };
    let event = event();
    let place = Place::Pairing(pairing(&event, 1, 1, 2));
    let verdicts = assign(&event, &[copies, entry(names(1, 2))], None);
    assert_eq!(verdicts[0].unwrap().place, place);
    assert_eq!(verdicts[1], Err(Unmatched::Taken(place)));
    let copy = |side| Header {
        writer: Some(side),
        ..names(1, 2)
    };
    let verdicts = assign(
        &event,
        &[entry(copy(Side::White)), entry(copy(Side::White))],
        None,
    );
    assert_eq!(verdicts[0].unwrap().place, place);
    assert_eq!(verdicts[1], Err(Unmatched::Taken(place)));
    let verdicts = assign(
        &event,
        &[entry(copy(Side::White)), entry(copy(Side::Black))],
        None,
    );
    assert!(verdicts.iter().all(|v| v.unwrap().place == place));
}

#[test]
fn sheets_of_forfeits_and_byes_find_them() {
    let event = event();
    let forfeit = Place::Pairing(pairing(&event, 3, 2, 6));
    assert_eq!(alone(names(6, 2)), Ok((forfeit, false)));
    let bye = Header {
        white: name(5),
        round: number(3),
        ..Header::default()
    };
    assert!(matches!(alone(bye), Ok((Place::Bye(_), false))));
}

#[test]
fn the_result_alone_decides_where_one_game_has_it() {
    let event = event();
    let only = |outcome, round| {
        let entry = Entry {
            headers: vec![Header::default()],
            outcome,
        };
        assign(&event, &[entry], Some(round))[0]
    };
    // Round 3 has one game that was played. Round 1 has two wins of White and a draw.
    assert_eq!(
        only(Outcome::BlackWins, 3).unwrap().place,
        Place::Pairing(pairing(&event, 3, 1, 4))
    );
    assert_eq!(
        only(Outcome::Draw, 1).unwrap().place,
        Place::Pairing(pairing(&event, 1, 5, 6))
    );
    assert!(matches!(
        only(Outcome::WhiteWins, 1),
        Err(Unmatched::NoMargin(_))
    ));
}

#[test]
fn nothing_is_matched_only_because_a_place_is_left() {
    let event = event();
    assert_eq!(
        assign(&event, &[entry(Header::default())], Some(3))[0],
        Err(Unmatched::NoScore)
    );
    let rest = [
        entry(names(1, 2)),
        entry(names(4, 3)),
        entry(Header::default()),
    ];
    let verdicts = assign(&event, &rest, Some(1));
    assert!(verdicts[0].is_ok() && verdicts[1].is_ok());
    assert_eq!(verdicts[2], Err(Unmatched::NoScore));
}

#[test]
fn typed_headers_are_scored_against_the_list() {
    let event = event();
    let typed = |white: &str, black: &str, round| {
        let typed = TypedHeader {
            white: white.to_owned(),
            black: black.to_owned(),
            round,
            ..TypedHeader::default()
        };
        let entry = entry(Header::typed(&event, &typed));
        assign(&event, &[entry], None)[0].map(|found| found.place)
    };
    let place = |round, a, b| Ok(Place::Pairing(pairing(&event, round, a, b)));
    assert_eq!(typed("A. Adler", "Brand", None), place(1, 1, 2));
    assert_eq!(typed("Cohen", "Anna Adler", None), place(2, 3, 1));
    assert_eq!(typed("Denis Dumas", "", Some(1)), place(1, 3, 4));
    assert!(typed("Smith", "Jones", None).is_err());
}

/// A game as `scan --json` writes it; each sheet's cell of every ply reads the move itself.
fn game(sans: &str, result: &str, complete: bool, sheets: usize) -> Value {
    let sans: Vec<&str> = sans.split_whitespace().collect();
    let plies: Vec<Value> = sans
        .iter()
        .enumerate()
        .map(|(i, san)| {
            let side = if i.is_multiple_of(2) { "white" } else { "black" };
            let cell = |sheet: usize| {
                json!({"sheet": sheet, "move": i / 2 + 1, "side": side, "read": san, "read_confidence": 0.97,
                       "box": [[1.0, 2.0], [3.0, 2.0], [3.0, 4.0], [1.0, 4.0]]})
            };
            json!({"ply": i + 1, "san": san, "uci": "", "confidence": 0.99, "review": false, "alternatives": [],
                   "cells": (0..sheets).map(cell).collect::<Vec<_>>()})
        })
        .collect();
    let sheet = |i: usize| json!({"path": format!("s{i}.jpg"), "page": 1, "sha256": format!("{i:064}"), "language": "en"});
    json!({"schema": 1, "sheets": (0..sheets).map(sheet).collect::<Vec<_>>(), "tags": {"Result": result},
           "language": "en", "complete": complete, "plies": plies, "unread": []})
}

fn record(game: &Value) -> Record {
    Record::parse(&game.to_string()).unwrap()
}

const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6";
const MATE: &str = "f3 e5 g4 Qh4#";

/// What the checks find on round 1 of the event for these games, and its coverage.
fn checked(
    games: Vec<(Value, Vec<Header>)>,
    norm_players: Vec<usize>,
) -> (Vec<Finding>, Vec<Status>) {
    checked_in(event(), 1, games, norm_players)
}

fn checked_in(
    event: Event,
    round: u32,
    games: Vec<(Value, Vec<Header>)>,
    norm_players: Vec<usize>,
) -> (Vec<Finding>, Vec<Status>) {
    let games = games
        .iter()
        .map(|(game, headers)| (record(game), headers.clone()))
        .collect();
    let scope = Scope {
        round: Some(round),
        norm_players,
    };
    let ledger = Ledger::enter(event, games, scope);
    let written = games::write(&ledger, false);
    let findings = checks::run(&ledger, &written);
    let statuses = coverage::statuses(&ledger, &findings);
    (
        findings,
        statuses.into_iter().map(|(_, status)| status).collect(),
    )
}

fn codes(findings: &[Finding]) -> Vec<Code> {
    findings.iter().map(|f| f.code).collect()
}

/// The codes for one game of round 1 between players 1 and 2, which White won; the other two pairings have no sheet.
fn of(game: Value, headers: Vec<Header>) -> Vec<Code> {
    let (findings, _) = checked(vec![(game, headers)], vec![]);
    let mut codes = codes(&findings);
    for _ in 0..2 {
        let last = codes
            .iter()
            .rposition(|&code| code == Code::C1)
            .expect("the others are missing");
        codes.remove(last);
    }
    codes
}

fn plain() -> (Value, Vec<Header>) {
    (game(MOVES, "1-0", true, 1), vec![names(1, 2)])
}

#[test]
fn a_clean_game_has_no_finding() {
    let (game, headers) = plain();
    assert_eq!(of(game, headers), []);
    let (findings, statuses) = checked(vec![plain()], vec![]);
    assert_eq!(statuses, [Status::Ok, Status::Missing, Status::Missing]);
    assert_eq!(findings[0].place, "round 1: Dumas, Denis - Cohen, Clara");
}

#[test]
fn m1_sheet_without_a_pairing() {
    let (game, _) = plain();
    let (findings, _) = checked(vec![(game, vec![Header::default()])], vec![]);
    assert_eq!(codes(&findings), [Code::C1, Code::C1, Code::C1, Code::M1]);
}

#[test]
fn m2_two_sheets_for_one_side() {
    let three = game(MOVES, "1-0", true, 3);
    assert_eq!(of(three, vec![names(1, 2); 3]), [Code::M2]);
    let copy = |side| Header {
        writer: Some(side),
        ..names(1, 2)
    };
    let two = game(MOVES, "1-0", true, 2);
    assert_eq!(
        of(two.clone(), vec![copy(Side::Black), copy(Side::Black)]),
        [Code::M2]
    );
    assert_eq!(of(two, vec![copy(Side::White), copy(Side::Black)]), []);
}

#[test]
fn m3_colours_reversed() {
    let reversed = game(MOVES, "0-1", true, 1);
    let (findings, statuses) = checked(vec![(reversed.clone(), vec![names(2, 1)])], vec![]);
    assert_eq!(codes(&findings), [Code::M3, Code::C1, Code::C1]);
    assert_eq!(statuses[0], Status::Review);
    // The PGN follows the sheet, in colours and result.
    let scope = Scope {
        round: Some(1),
        norm_players: vec![],
    };
    let ledger = Ledger::enter(event(), vec![(record(&reversed), vec![names(2, 1)])], scope);
    let text = &games::write(&ledger, false)[0].text;
    assert!(
        text.contains("[White \"Brandt, Bernd\"]\n[Black \"Adler, Anna\"]\n[Result \"0-1\"]"),
        "{text}"
    );
}

#[test]
fn m4_sheet_for_a_forfeit_or_a_bye() {
    let game = game(MOVES, "1-0", true, 1);
    let in_three = |header| {
        let (findings, statuses) =
            checked_in(event(), 3, vec![(game.clone(), vec![header])], vec![]);
        (codes(&findings), statuses)
    };
    let (found, statuses) = in_three(names(6, 2));
    assert_eq!(found, [Code::C1, Code::M4]);
    assert_eq!(statuses, [Status::Missing, Status::Review]);
    let bye = Header {
        white: name(5),
        round: number(3),
        ..Header::default()
    };
    let (found, statuses) = in_three(bye);
    assert_eq!(found, [Code::C1, Code::M4]);
    assert_eq!(statuses, [Status::Missing, Status::NotExpected]);
    assert_eq!(
        of(game, vec![names(1, 2)]),
        [],
        "a game that was played is none"
    );
}

#[test]
fn m5_round_date_or_board_contradict() {
    let (game, _) = plain();
    let with = |change: &dyn Fn(&mut Header)| {
        let mut header = names(1, 2);
        change(&mut header);
        let mut event = event();
        event.pairings[0].board = Some(7);
        let (findings, _) = checked_in(event, 1, vec![(game.clone(), vec![header])], vec![]);
        codes(&findings).contains(&Code::M5)
    };
    assert!(with(&|h| h.round = number(2)));
    assert!(!with(&|h| h.round = number(1)));
    assert!(with(&|h| h.board = number(8)));
    assert!(!with(&|h| h.board = number(7)));
    let day = |d| {
        Some(Scores::new(
            vec![(Date::day(2024, 12, d).unwrap(), 4.0)],
            -4.0,
        ))
    };
    assert!(with(&|h| h.date = day(2)));
    assert!(!with(&|h| h.date = day(1)));
    // Not beyond doubt.
    assert!(!with(&|h| h.round = Some(Scores::new(vec![(2, 1.0)], 0.0))));
}

#[test]
fn r1_result_differs_from_the_report_file() {
    let (_, headers) = plain();
    assert_eq!(of(game(MOVES, "0-1", true, 1), headers), [Code::R1]);
    let (game, mut headers) = plain();
    headers[0].result = Some(Scores::new(vec![(Outcome::Draw, 4.0)], -4.0));
    assert_eq!(of(game, headers), [Code::R1], "the header's result counts");
}

#[test]
fn r2_board_contradicts_the_result() {
    let header = |white, black| vec![names(white, black)];
    assert_eq!(of(game(MATE, "1-0", true, 1), header(1, 2)), [Code::R2]);
    let stalemate =
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    assert_eq!(
        of(game(stalemate, "1-0", true, 1), header(1, 2)),
        [Code::R2]
    );
    // Anna lost as White in round 3, and mated she was.
    let (findings, _) = checked_in(
        event(),
        3,
        vec![(game(MATE, "0-1", true, 1), header(1, 4))],
        vec![],
    );
    assert_eq!(codes(&findings), []);
}

#[test]
fn r3_result_from_the_report_file() {
    let (_, headers) = plain();
    assert_eq!(of(game(MOVES, "*", true, 1), headers), [Code::R3]);
    let (findings, statuses) =
        checked(vec![(game(MOVES, "*", true, 1), vec![names(1, 2)])], vec![]);
    assert_eq!(
        (findings[0].code, statuses[0]),
        (Code::R3, Status::Ok),
        "it is to know, and no fault"
    );
}

#[test]
fn r4_the_two_sheets_disagree() {
    let result = |outcome| Header {
        result: Some(Scores::new(vec![(outcome, 4.0)], -4.0)),
        ..names(1, 2)
    };
    let two = game(MOVES, "1-0", true, 2);
    let same = vec![result(Outcome::WhiteWins), result(Outcome::WhiteWins)];
    assert_eq!(of(two.clone(), same), []);
    let other = vec![result(Outcome::WhiteWins), result(Outcome::Draw)];
    assert_eq!(of(two, other), [Code::R4, Code::R1]);
}

#[test]
fn r5_played_with_under_one_move() {
    let (_, headers) = plain();
    assert_eq!(of(game("e4", "1-0", true, 1), headers.clone()), [Code::R5]);
    assert_eq!(of(game("e4 e5", "1-0", true, 1), headers.clone()), []);
    // Not read is not the same as not played.
    assert_eq!(of(game("e4", "1-0", false, 1), headers), [Code::G1]);
    // Coded as under one move.
    let (findings, _) = checked_in(
        event(),
        2,
        vec![(game("e4", "1/2-1/2", true, 1), vec![names(6, 4)])],
        vec![],
    );
    assert_eq!(codes(&findings), [Code::C1, Code::C1]);
}

#[test]
fn g1_cut_games() {
    let (_, headers) = plain();
    assert_eq!(of(game(MOVES, "1-0", false, 1), headers), [Code::G1]);
}

#[test]
fn g2_the_copies_differ() {
    let headers = vec![names(1, 2), names(1, 2)];
    let reads = |other: &str, confidence: f64| {
        let mut game = game(MOVES, "1-0", true, 2);
        game["plies"][2]["cells"][1]["read"] = json!(other);
        game["plies"][2]["cells"][1]["read_confidence"] = json!(confidence);
        of(game, headers.clone())
    };
    assert_eq!(reads("Nc3", 0.95), [Code::G2]);
    assert_eq!(reads("Nc3", 0.5), [], "not read with confidence");
    assert_eq!(reads("Cg1-f3", 0.95), [], "another language and form");
    // Two sheets that were not found alike.
    let single = |moves| (game(moves, "1-0", true, 1), vec![names(1, 2)]);
    let (findings, _) = checked(vec![single(MOVES), single("e4 e5 Nc3 Nc6")], vec![]);
    assert_eq!(codes(&findings), [Code::G2, Code::C1, Code::C1]);
}

#[test]
fn g3_low_confidence() {
    let (mut game, headers) = plain();
    game["plies"][3]["review"] = json!(true);
    let (findings, statuses) = checked(vec![(game, headers)], vec![]);
    assert_eq!(codes(&findings), [Code::G3, Code::C1, Code::C1]);
    assert!(findings[0].text.contains("2... Nc6"), "{}", findings[0]);
    assert_eq!(statuses[0], Status::Review);
}

#[test]
fn c1_is_for_games_that_were_played() {
    let (findings, statuses) = checked_in(event(), 3, vec![], vec![]);
    assert_eq!(codes(&findings), [Code::C1]);
    assert_eq!(
        statuses,
        [Status::Missing, Status::NotExpected],
        "a forfeit needs no sheet"
    );
    let (_, statuses) = checked_in(event(), 2, vec![], vec![]);
    let expected = [Status::Missing, Status::Missing, Status::NotExpected];
    assert_eq!(statuses, expected, "nor does a game under one move");
}

#[test]
fn c2_games_of_players_with_a_title_result() {
    let (findings, _) = checked(vec![plain()], vec![0]);
    assert_eq!(codes(&findings), [Code::C1, Code::C1]);
    let (findings, _) = checked(
        vec![(game(MOVES, "1-0", false, 1), vec![names(1, 2)])],
        vec![0],
    );
    assert_eq!(codes(&findings), [Code::C2, Code::G1, Code::C1, Code::C1]);
    let (findings, _) = checked(vec![plain()], vec![3]);
    assert_eq!(codes(&findings), [Code::C1, Code::C2, Code::C1]);
}

#[test]
fn t_codes_of_the_files_are_among_the_findings() {
    let player = format!("001 {:>4}      {:<33}", 1, "A, A");
    let broken = format!("001    x\n042 soon\n{player:<91}   2 w 1\n001    2      B, B\n");
    let event = Event::read("e.trf", broken.as_bytes());
    let ledger = Ledger::enter(event, vec![], Scope::default());
    let findings = checks::run(&ledger, &[]);
    let told: Vec<(Code, &str)> = findings
        .iter()
        .map(|f| (f.code, f.place.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (Code::T1, "e.trf:1:5"),
            (Code::T3, "e.trf:2:5"),
            (Code::T2, "e.trf:3:92")
        ]
    );
    assert_eq!(
        checks::run(
            &Ledger::enter(
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
fn p1_what_is_written_reads_back() {
    let (game, headers) = plain();
    let ledger = Ledger::enter(event(), vec![(record(&game), headers)], Scope::default());
    let written = games::write(&ledger, false);
    let p1 = |from: &str, to: &str| {
        let mut damaged = written.clone();
        assert!(damaged[0].text.contains(from));
        damaged[0].text = damaged[0].text.replacen(from, to, 1);
        let found = checks::run(&ledger, &damaged);
        codes(&found).contains(&Code::P1)
    };
    assert!(!p1("Nf3", "Nf3"));
    assert!(p1("Nf3", "Nh3"), "another move");
    assert!(p1("[Result \"1-0\"]", "[Result \"0-1\"]"));
    assert!(p1("\"]", "]"));
    assert!(p1("1-0\n\n", ""), "no end");
    assert!(p1("3. Bb5", "{ 3. Bb5"));
    // A record that is itself no game.
    let (game, headers) = (self::game("e4 e5 Ke3", "1-0", true, 1), vec![names(1, 2)]);
    let ledger = Ledger::enter(event(), vec![(record(&game), headers)], Scope::default());
    let written = games::write(&ledger, false);
    assert!(codes(&checks::run(&ledger, &written)).contains(&Code::P1));
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
    let ledger = Ledger::enter(event, games, Scope::default());
    let written = games::write(&ledger, false);
    let order: Vec<(Option<u32>, usize)> = written.iter().map(|w| (w.round, w.record)).collect();
    assert_eq!(order, [(Some(1), 3), (Some(1), 2), (Some(2), 1), (None, 0)]);
    let tags = "[Event \"Open of Nowhere\"]\n[Site \"Nowhere GER\"]\n[Date \"2024.12.01\"]\n[Round \"1\"]\n\
                [White \"Adler, Anna\"]\n[Black \"Brandt, Bernd\"]\n[Result \"1-0\"]\n[BlackElo \"2210\"]\n\
                [BlackFideId \"1002\"]\n[BlackTeam \"Süd\"]\n[Board \"2\"]\n[WhiteElo \"2301\"]\n\
                [WhiteFideId \"1001\"]\n[WhiteTitle \"WIM\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
    assert_eq!(written[1].text, tags);
    assert!(
        written[0].text.contains("[BlackElo \"-\"]"),
        "unrated: {}",
        written[0].text
    );
    assert!(!written[0].text.contains("BlackFideId"));
    assert!(written[3].text.contains("[White \"?\"]"));
    let dotted = games::write(&ledger, true);
    assert!(dotted[1].text.contains("[Round \"1.2\"]"));
}

#[test]
fn the_report_file_wins_where_results_differ() {
    let ledger = Ledger::enter(
        event(),
        vec![(record(&game(MOVES, "0-1", true, 1)), vec![names(1, 2)])],
        Scope::default(),
    );
    let text = &games::write(&ledger, false)[0].text;
    assert!(
        text.contains("[Result \"1-0\"]") && text.trim_end().ends_with("1-0"),
        "{text}"
    );
}

#[test]
fn the_board_of_the_sheet_stands_in() {
    let header = Header {
        board: number(4),
        ..names(1, 2)
    };
    let ledger = Ledger::enter(
        event(),
        vec![(plain().0, vec![header])]
            .into_iter()
            .map(|(g, h)| (record(&g), h))
            .collect(),
        Scope::default(),
    );
    assert!(
        games::write(&ledger, false)[0]
            .text
            .contains("[Board \"4\"]")
    );
}

#[test]
fn coverage_and_audit_tell_it_all() {
    let mut game = game(MOVES, "1-0", true, 1);
    game["plies"][1]["settled"] = json!(true);
    game["plies"][2]["cells"] = json!([]);
    game["plies"][3]["alternatives"] = json!([{"san": "Nf6", "confidence": 0.01}]);
    let scope = Scope {
        round: Some(1),
        norm_players: vec![],
    };
    let ledger = Ledger::enter(event(), vec![(record(&game), vec![names(1, 2)])], scope);
    let written = games::write(&ledger, false);
    let findings = checks::run(&ledger, &written);
    let csv = coverage::csv(&ledger, &findings);
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
    let audit = audit::lines(&ledger, &written);
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
    assert!(checks::csv(&findings).starts_with(
        "level,code,where,what\nW,C1,\"round 1: Dumas, Denis - Cohen, Clara\",no sheet\n"
    ));
}
