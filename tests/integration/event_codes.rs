//! Which pairing the sheets belong to that sheetscan has printed, and what is told of their codes.

use serde_json::json;
use sheetscan::event::checks::{self, Finding};
use sheetscan::event::matching::EventSlot;
use sheetscan::event::{
    CheckCode, Event, Header, Ledger, MatchingParameters, Scope, Scores, headers_of_sheets,
};
use sheetscan::form::{EventHash, FormCode, SheetForm, SheetSide, SheetSize};
use sheetscan::grid::Side;
use sheetscan::schema::{GameRecord, SheetCodeRecord};

/// Four players and two rounds, of which the second has no results yet.
fn event() -> Event {
    let players = [
        ("Adler, Anna", ["   2 w 1", "   3 b  "]),
        ("Brandt, Bernd", ["   1 b 0", "   4 w  "]),
        ("Cohen, Clara", ["   4 w =", "   1 w  "]),
        ("Dumas, Denis", ["   3 b =", "   2 b  "]),
    ];
    let mut text = "012 Open of Nowhere\n042 2026/11/28\n052 2026/11/29\n".to_owned();
    for ((name, rounds), rank) in players.into_iter().zip(1..) {
        text += &format!("001 {rank:>4}      {name:<33} 2000 GER {rank:>11} 1990/01/01  1.0    1");
        text += &rounds.map(|round| format!("  {round:<8}")).concat();
        text.push('\n');
    }
    let event = Event::parse_trf("event.trf", &text);
    assert_eq!(event.pairings.len(), 4, "{:?}", event.faults);
    event
}

/// The code of a sheet of the event: its round, White's starting rank, and whose sheet it is.
fn code(round: u32, white: u32, side: SheetSide) -> FormCode {
    let event = event();
    FormCode {
        event: Some(EventHash::new(&event.name, &event.city, event.start)),
        round: Some(round),
        board: None,
        white: Some(white),
        side: Some(side),
        page: 1,
        copy: 1,
        form: SheetForm::standard(SheetSize::A5, false),
    }
}

/// A game of some printed sheets on which nothing outside the table was read.
fn game(codes: &[FormCode]) -> (GameRecord, Vec<Header>) {
    let sheets: Vec<_> = codes
        .iter()
        .map(|code| {
            json!({
                "path": format!("{}.jpg", code.to_text()),
                "page": 1,
                "sha256": code.to_text(),
                "language": "en",
                "copy_of": code.side.map(Side::from),
                "code": SheetCodeRecord::from(code),
            })
        })
        .collect();
    let line = json!({
        "schema": 1,
        "sheets": sheets,
        "language": "en",
        "complete": true,
        "plies": [
            {"ply": 1, "san": "e4", "uci": "e2e4", "confidence": 0.99, "review": false},
            {"ply": 2, "san": "e5", "uci": "e7e5", "confidence": 0.99, "review": false},
        ],
    });
    let record = GameRecord::parse(&line.to_string()).expect("a game");
    let nothing = |_: &_| Header::default();
    let headers = headers_of_sheets(&record.sheets, nothing, nothing);
    (record, headers)
}

/// The pairing of each game as (round, White's rank), and the findings about which game is which.
fn match_round(
    games: Vec<(GameRecord, Vec<Header>)>,
    round: Option<u32>,
) -> (Vec<Option<(u32, u32)>>, Vec<Finding>) {
    let scope = Scope {
        round,
        ..Scope::default()
    };
    let ledger = Ledger::match_games(event(), games, scope, &MatchingParameters::default());
    let place = |i: usize| {
        let (pairing, _) = ledger.pairing_of(i)?;
        let pairing = &ledger.event.pairings[pairing];
        Some((pairing.round, ledger.event.players[pairing.white].rank))
    };
    let places = (0..ledger.records.len()).map(place).collect();
    let mut findings = checks::run_checks(&ledger, &[]);
    findings.retain(|finding| {
        use CheckCode::{M1, M2, M3, M4, M5};
        matches!(finding.code, M1 | M2 | M3 | M4 | M5)
    });
    (places, findings)
}

fn told(findings: &[Finding]) -> Vec<(CheckCode, &str)> {
    findings.iter().map(|f| (f.code, f.text.as_str())).collect()
}

use SheetSide::{Black, White};

#[test]
fn both_sheets_of_a_game_are_matched_by_their_codes_alone() {
    let games = vec![
        game(&[code(2, 3, White), code(2, 3, Black)]),
        game(&[code(1, 3, Black)]),
        game(&[code(2, 2, White)]),
        game(&[code(2, 2, Black)]),
    ];
    let (places, findings) = match_round(games, None);
    assert_eq!(
        places,
        [Some((2, 3)), Some((1, 3)), Some((2, 2)), Some((2, 2))]
    );
    assert_eq!(told(&findings), []);
}

#[test]
fn a_sheet_of_another_round_stays_by_itself_and_is_told() {
    let sheet = code(1, 1, White);
    let (places, findings) = match_round(vec![game(&[sheet])], Some(2));
    assert_eq!(places, [None]);
    let text = format!(
        "{}.jpg has the code of round 1, White 1 of the starting list, and the sheets are of \
         another round; the game stays by itself",
        sheet.to_text()
    );
    assert_eq!(told(&findings), [(CheckCode::M5, text.as_str())]);
}

#[test]
fn a_sheet_of_another_event_is_told_even_if_the_same_players_met_there() {
    let sheet = FormCode {
        event: Some(EventHash::new("Open of Elsewhere", "", None)),
        ..code(2, 3, White)
    };
    let (record, mut headers) = game(&[sheet]);
    let name = |player: usize| Some(Scores::new(vec![(player, 11.0)], -5.0));
    (headers[0].white, headers[0].black) = (name(2), name(0));
    let (places, findings) = match_round(vec![(record, headers)], None);
    assert_eq!(places, [None]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].code, CheckCode::M1);
    assert!(findings[0].text.contains("the code of another event"));
}

#[test]
fn sheets_that_were_exchanged_between_boards_are_told_and_believed_for_neither() {
    // By their moves, these sheets were found to be copies.
    let games = vec![
        game(&[code(2, 3, White), code(2, 2, Black)]),
        game(&[code(2, 2, White), code(2, 3, Black)]),
    ];
    let (places, findings) = match_round(games, Some(2));
    assert_eq!(places, [None, None]);
    assert_eq!(findings.len(), 2, "{findings:?}");
    for finding in findings {
        assert_eq!(finding.code, CheckCode::M5);
        assert!(
            finding
                .text
                .contains("somebody wrote on another board's sheet")
        );
    }
}

#[test]
fn two_pictures_of_one_sheet_are_two_sheets_for_one_side_and_a_carbon_copy_is_not() {
    let sheet = code(2, 3, White);
    let twice = match_round(vec![game(&[sheet, sheet])], Some(2));
    assert_eq!(twice.0, [Some((2, 3))]);
    assert_eq!(twice.1.len(), 1, "{:?}", twice.1);
    assert_eq!(twice.1[0].code, CheckCode::M2);
    let carbon = FormCode { copy: 2, ..sheet };
    let copies = match_round(vec![game(&[sheet, carbon])], Some(2));
    assert_eq!((copies.0, told(&copies.1)), (vec![Some((2, 3))], vec![]));
}

#[test]
fn a_code_of_a_pairing_that_the_event_does_not_have_is_told() {
    let (places, findings) = match_round(vec![game(&[code(2, 4, White)])], Some(2));
    assert_eq!(places, [None]);
    assert_eq!(findings[0].code, CheckCode::M1);
    assert!(
        findings[0].text.contains("which no pairing has"),
        "{findings:?}"
    );
}

#[test]
fn a_board_that_differs_from_the_pairings_is_told() {
    let mut event = event();
    let last = event.pairings.len() - 1;
    let rank = event.players[event.pairings[last].white].rank;
    event.pairings[last].board = Some(2);
    let sheet = FormCode {
        board: Some(7),
        ..code(2, rank, White)
    };
    let parameters = MatchingParameters::default();
    let ledger = Ledger::match_games(event, vec![game(&[sheet])], Scope::default(), &parameters);
    assert_eq!(
        ledger.matches[0].map(|m| m.slot),
        Ok(EventSlot::Pairing(last))
    );
    let findings = checks::run_checks(&ledger, &[]);
    let is_told = |f: &Finding| f.code == CheckCode::M5 && f.text.contains("round 2, board 7");
    assert!(findings.iter().any(is_told), "{findings:?}");
}
