//! The header PGN of a pairing program: tags without moves, read for board numbers and dates.

use super::codes::{CheckCode, FileFault};
use super::pgn_reader::{self, TaggedGame, TextFault};
use super::{Date, Event, Pairing, PairingKind, names};
use crate::notation::Outcome;

/// Names that pairing programs write for a missing opponent, as keys of [`names::name_key`].
const BYE_NAMES: [&str; 4] = ["bye", "spielfrei", "vacant", "free"];

/// Takes board numbers and dates from header PGN into an event.
pub(super) fn add_header_pgn(event: &mut Event, source: &str, text: &str) {
    let (games, text_faults) = pgn_reader::read_games(text);
    let last_round = event.last_round();
    let mut faults: Vec<FileFault> = Vec::new();
    let mut add_fault = |code, line, column, text| {
        faults.push(FileFault {
            code,
            source_name: source.to_owned(),
            line,
            column,
            text,
        });
    };
    for TextFault { line, column, text } in text_faults {
        add_fault(CheckCode::T1, line, column, text);
    }
    for game in &games {
        if let Err((code, text)) = apply_tags(event, game, last_round) {
            add_fault(code, game.line, 1, text);
        }
    }
    event.faults.extend(faults);
}

/// Finds the pairing that the tags of a game belong to, and sets its board and date.
///
/// A pairing after `last_round`, the last one of the report file, is added to the event. The error
/// is a finding about the game's first line.
fn apply_tags(
    event: &mut Event,
    game: &TaggedGame,
    last_round: u32,
) -> Result<(), (CheckCode, String)> {
    let has_no_player = |tag| {
        game.tag(tag)
            .is_none_or(|name| BYE_NAMES.contains(&names::name_key(name).as_str()))
    };
    if has_no_player("White") || has_no_player("Black") {
        return Ok(());
    }
    let (round, round_board) = parse_round(game).ok_or_else(|| {
        let text = "a game whose Round is no number; it is left out";
        (CheckCode::T1, text.to_owned())
    })?;
    let white = find_player(event, game, "White")?;
    let black = find_player(event, game, "Black")?;
    let number = |tag| game.tag(tag).and_then(|value| value.parse().ok());
    let board = number("Board").or_else(|| number("Table")).or(round_board);
    let date = game.tag("Date").map(Date::parse_tag);
    let date = date.filter(|date| date.is_whole());
    let description = format!(
        "round {round}: {} - {}",
        event.players[white].name, event.players[black].name
    );
    let same_players = |p: &Pairing| {
        p.round == round && [(p.white, p.black), (p.black, p.white)].contains(&(white, black))
    };
    let index = event.pairings.iter().position(same_players);
    if index.is_none() && round <= last_round {
        let text = format!("{description} is no pairing of the report file");
        return Err((CheckCode::T2, text));
    }
    let round_date = event.round_date(round);
    let index = index.unwrap_or_else(|| {
        event.pairings.push(Pairing {
            round,
            board: None,
            date: round_date,
            white,
            black,
            kind: PairingKind::Pending,
            outcome: Outcome::Unknown,
        });
        event.pairings.len() - 1
    });
    let pairing = &mut event.pairings[index];
    pairing.board = board.or(pairing.board);
    pairing.date = date.unwrap_or(pairing.date);
    if pairing.white == white {
        Ok(())
    } else {
        let text = format!("{description} has the colours the other way round in the report file");
        Err((CheckCode::T2, text))
    }
}

/// The round, and the board where the tag has one behind a dot, as in `3.7`.
fn parse_round(game: &TaggedGame) -> Option<(u32, Option<u32>)> {
    let text = game.tag("Round")?;
    let (round, board) = text.split_once('.').unwrap_or((text, ""));
    Some((round.trim().parse().ok()?, board.trim().parse().ok()))
}

/// The player whom the tags of a colour name: by FIDE number, or else by name.
fn find_player(
    event: &Event,
    game: &TaggedGame,
    colour: &str,
) -> Result<usize, (CheckCode, String)> {
    let id = game.tag(&format!("{colour}FideId"));
    let id = id.and_then(|id| id.parse::<u64>().ok());
    let by_id = id.and_then(|id| event.players.iter().position(|p| p.fide_id == Some(id)));
    if let Some(player) = by_id {
        return Ok(player);
    }
    let name = game.tag(colour).unwrap_or_default();
    let key = names::name_key(name);
    let mut namesakes =
        (0..event.players.len()).filter(|&i| names::name_key(&event.players[i].name) == key);
    match (namesakes.next(), namesakes.next()) {
        (Some(player), None) => Ok(player),
        (None, _) => {
            let text = format!("\"{name}\" is no player of the report file; the game is left out");
            Err((CheckCode::T2, text))
        }
        (Some(_), Some(_)) => {
            let text = format!(
                "\"{name}\" may be several players of the report file; the game is left out"
            );
            Err((CheckCode::T1, text))
        }
    }
}
