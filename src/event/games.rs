//! The games as PGN, with the names and numbers of the event.

use crate::notation::Outcome;
use crate::pgn::{self, Comments, Movetext, Tags};
use crate::schema::GameRecord;

use super::answers::answered_date;
use super::ledger::Ledger;
use super::players::Player;

/// A game as PGN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamePgn {
    /// Index of the game in the ledger.
    pub record: usize,
    /// Its round; `None` for a game without a pairing.
    pub round: Option<u32>,
    /// Tags and moves, with the empty line that ends the game.
    pub text: String,
}

/// How games are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GameFormat {
    /// Whether the round tag includes the board, as in `3.7`.
    pub dotted_rounds: bool,
    /// The comments that games get.
    pub comments: Comments,
}

/// Formats the games in the order Date, Round, Board, and after them the games without a pairing in
/// the order in which they were read.
///
/// If a pairing has two games that were not found to be copies, only one is written: the complete
/// one, or else the one with more moves.
pub fn format_games(ledger: &Ledger, format: GameFormat) -> Vec<GamePgn> {
    let mut paired: Vec<(usize, usize)> = ledger
        .pairings()
        .filter_map(|(pairing, _)| Some((pairing, *ledger.records_of(pairing).first()?)))
        .collect();
    paired.sort_by_key(|&(pairing, _)| {
        let p = &ledger.event.pairings[pairing];
        // A question mark in a date sorts behind every digit.
        (
            p.date.to_string(),
            p.round,
            p.board.unwrap_or(u32::MAX),
            pairing,
        )
    });
    let paired = paired.into_iter().map(|(pairing, record)| {
        let outcome = game_outcome(ledger, record);
        let tags = game_tags(ledger, record, format.dotted_rounds);
        GamePgn {
            record,
            round: Some(ledger.event.pairings[pairing].round),
            text: format_game(&ledger.records[record], &tags, outcome, format.comments),
        }
    });
    let unpaired = (0..ledger.records.len()).filter(|&i| ledger.pairing_of(i).is_none());
    let unpaired = unpaired.map(|record| GamePgn {
        record,
        round: None,
        text: format_without_event(&ledger.records[record], format.comments),
    });
    paired.chain(unpaired).collect()
}

/// Formats a game that belongs to no event, with the tags that its sheets and a person gave it.
pub fn format_without_event(record: &GameRecord, comments: Comments) -> String {
    let outcome = record.outcome();
    format_game(record, &record.tags.to_tags(outcome), outcome, comments)
}

/// The tags with which a game is written: those of its pairing, or else its own.
pub fn game_tags(ledger: &Ledger, record: usize, dotted_rounds: bool) -> Tags {
    match ledger.pairing_of(record) {
        Some((pairing, _)) => event_tags(ledger, pairing, record, dotted_rounds),
        None => {
            let record = &ledger.records[record];
            record.tags.to_tags(record.outcome())
        }
    }
}

fn format_game(record: &GameRecord, tags: &Tags, outcome: Outcome, comments: Comments) -> String {
    let moves = record.plies.iter().map(|ply| {
        let first = ply.cells.first();
        let read = first.map(|cell| (cell.read.as_str(), cell.read_confidence as f32));
        let others = ply.alternatives.iter();
        let others = others.map(|other| (other.san.as_str(), other.confidence));
        let is_commented = ply.review && comments == Comments::Doubts;
        let doubt = is_commented.then_some((ply.confidence, others));
        pgn::annotate_scanned(&ply.san, read, doubt)
    });
    let cut = "sheetscan: not readable beyond this move";
    let comment = record
        .break_off
        .as_deref()
        .or((!record.complete).then_some(cut));
    let movetext = Movetext {
        plies_before: 0,
        moves,
        comment,
    };
    pgn::export_game(tags, outcome, movetext)
}

/// The result that is written for a game of a pairing: the report file's if it has one, in the
/// colours of the sheet, because the moves show who had White.
fn game_outcome(ledger: &Ledger, record: usize) -> Outcome {
    let pairing = ledger.pairing_of(record);
    match pairing.map(|(i, own)| ledger.pairing_outcome(i, own.reversed)) {
        None | Some(Outcome::Unknown) => ledger.records[record].outcome(),
        Some(known) => known,
    }
}

/// The PGN tags of a game of a pairing.
fn event_tags(ledger: &Ledger, pairing: usize, record: usize, dotted_rounds: bool) -> Tags {
    let event = &ledger.event;
    let p = &event.pairings[pairing];
    let site = format!("{} {}", event.city, event.federation);
    let board = p.board.or_else(|| board_of_sheet(ledger, record));
    let round = match board {
        Some(board) if dotted_rounds => format!("{}.{board}", p.round),
        _ => p.round.to_string(),
    };
    let (white, black) = if ledger.is_reversed(record) {
        (p.black, p.white)
    } else {
        (p.white, p.black)
    };
    let mut tags = Tags::with_result(game_outcome(ledger, record));
    tags.set("Event", or_question_mark(&event.name));
    tags.set("Site", or_question_mark(site.trim()));
    let date = Some(p.date).filter(|date| date.is_whole());
    let date = date.or_else(|| answered_date(&ledger.records[record]));
    tags.set("Date", &date.unwrap_or(p.date).to_string());
    tags.set("Round", &round);
    if let Some(board) = board {
        tags.set("Board", &board.to_string());
    }
    set_player_tags(&mut tags, "White", &event.players[white]);
    set_player_tags(&mut tags, "Black", &event.players[black]);
    tags
}

/// A text, or `?`, which PGN writes for an unknown value.
fn or_question_mark(text: &str) -> &str {
    if text.is_empty() { "?" } else { text }
}

/// The board that the codes or the headers of a game's sheets give with certainty, if they give
/// only one.
fn board_of_sheet(ledger: &Ledger, record: usize) -> Option<u32> {
    let headers = ledger.headers[record].iter();
    let boards = headers.filter_map(|header| {
        let printed = header.code.and_then(|code| code.board);
        printed.or_else(|| ledger.certain(&header.board).copied())
    });
    let mut boards: Vec<u32> = boards.collect();
    boards.dedup();
    match boards[..] {
        [board] => Some(board),
        _ => None,
    }
}

fn set_player_tags(tags: &mut Tags, colour: &str, player: &Player) {
    let mut set = |tag: &str, value: &str| tags.set(&format!("{colour}{tag}"), value);
    set("", or_question_mark(&player.name));
    let rating = player.rating.map(|rating| rating.to_string());
    set("Elo", rating.as_deref().unwrap_or("-"));
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
