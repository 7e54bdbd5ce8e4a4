//! The games as PGN, with the names and numbers of the event.

use crate::decode::Outcome;
use crate::pgn::{self, Tags};

use super::ledger::Ledger;
use super::players::Player;
use super::record::Record;

/// A game as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Index of the game in the ledger.
    pub record: usize,
    /// Its round; none for a game that belongs to no pairing.
    pub round: Option<u32>,
    /// Tags and moves, with the empty line that ends it.
    pub text: String,
}

/// Games in the order Date, Round, Board; behind them, in the order in which they were read, those without a pairing.
/// A pairing with two games that were not found alike is written as the one that was followed furthest. `dotted` puts
/// the board behind the round, `3.7`.
pub fn write(ledger: &Ledger, dotted: bool) -> Vec<Written> {
    let mut matched: Vec<(usize, usize)> = ledger
        .pairings()
        .filter_map(|(pairing, _)| Some((pairing, *ledger.records_of(pairing).first()?)))
        .collect();
    matched.sort_by_key(|&(pairing, _)| {
        let p = &ledger.event.pairings[pairing];
        // A question mark sorts behind every digit.
        (
            p.date.to_string(),
            p.round,
            p.board.unwrap_or(u32::MAX),
            pairing,
        )
    });
    let matched = matched.into_iter().map(|(pairing, record)| {
        let (tags, outcome) = tags(ledger, pairing, record, dotted);
        Written {
            record,
            round: Some(ledger.event.pairings[pairing].round),
            text: text(&ledger.records[record], &tags, outcome),
        }
    });
    let alone = (0..ledger.records.len()).filter(|&i| ledger.pairing_of(i).is_none());
    let alone = alone.map(|record| Written {
        record,
        round: None,
        text: self::alone(&ledger.records[record]),
    });
    matched.chain(alone).collect()
}

/// A game by itself, without an event.
pub fn alone(record: &Record) -> String {
    let outcome = record.outcome();
    text(record, &Tags::unknown(outcome), outcome)
}

fn text(record: &Record, tags: &Tags, outcome: Outcome) -> String {
    let moves = record.plies.iter().map(|ply| {
        let first = ply.cells.first();
        let glyph = first.and_then(|cell| pgn::sure_glyph(&cell.read, cell.read_confidence as f32));
        (ply.san.as_str(), glyph)
    });
    let cut = "sheetscan: not readable beyond this move";
    let comment = record
        .break_off
        .as_deref()
        .or((!record.complete).then_some(cut));
    pgn::export(tags, outcome, moves, comment)
}

/// The tags of a matched game and its result: the report file's where it has one, in the colours of the sheet, since
/// who moved first is what the moves show.
fn tags(ledger: &Ledger, pairing: usize, record: usize, dotted: bool) -> (Tags, Outcome) {
    let reversed = ledger.pairing_of(record).is_some_and(|(_, m)| m.reversed);
    let outcome = match ledger.paired_result(pairing, reversed) {
        Outcome::Unknown => ledger.records[record].outcome(),
        known => known,
    };
    let event = &ledger.event;
    let p = &event.pairings[pairing];
    let or_unknown = |text: String| {
        if text.is_empty() {
            "?".to_owned()
        } else {
            text
        }
    };
    let board = p.board.or_else(|| board_of_sheet(ledger, record));
    let mut tags = Tags::unknown(outcome);
    tags.set("Event", &or_unknown(event.name.clone()));
    tags.set(
        "Site",
        &or_unknown(
            format!("{} {}", event.city, event.federation)
                .trim()
                .to_owned(),
        ),
    );
    tags.set("Date", &p.date.to_string());
    tags.set(
        "Round",
        &match board {
            Some(board) if dotted => format!("{}.{board}", p.round),
            _ => p.round.to_string(),
        },
    );
    if let Some(board) = board {
        tags.set("Board", &board.to_string());
    }
    let (white, black) = if reversed {
        (p.black, p.white)
    } else {
        (p.white, p.black)
    };
    player_tags(&mut tags, "White", &event.players[white]);
    player_tags(&mut tags, "Black", &event.players[black]);
    (tags, outcome)
}

/// The board that the headers of the sheets name beyond doubt, where none names another.
fn board_of_sheet(ledger: &Ledger, record: usize) -> Option<u32> {
    let headers = ledger.headers[record].iter();
    let mut boards: Vec<u32> = headers
        .filter_map(|h| h.board.as_ref()?.sure().copied())
        .collect();
    boards.dedup();
    match boards[..] {
        [board] => Some(board),
        _ => None,
    }
}

fn player_tags(tags: &mut Tags, colour: &str, player: &Player) {
    let mut set = |tag: &str, value: &str| tags.set(&format!("{colour}{tag}"), value);
    set(
        "",
        if player.name.is_empty() {
            "?"
        } else {
            &player.name
        },
    );
    set(
        "Elo",
        &player
            .rating
            .map_or("-".to_owned(), |rating| rating.to_string()),
    );
    if let Some(id) = player.fide_id {
        set("FideId", &id.to_string());
    }
    if let Some(title) = player.title {
        set("Title", title);
    }
    if let Some(team) = &player.team {
        set("Team", team);
    }
}
