//! The header PGN of a pairing program: tags without moves, for boards and dates.

use super::faults::{Code, Fault};
use super::tags::{self, Tagged};
use super::{Date, Event, Kind, Pairing, names};
use crate::decode::Outcome;

/// What programs write where there is no opponent.
const NOBODY: [&str; 4] = ["bye", "spielfrei", "vacant", "free"];

/// Takes boards and dates from header PGN into an event.
pub(super) fn add(event: &mut Event, source: &str, text: &str) {
    let (games, complaints) = tags::games(text);
    let known_rounds = event.rounds();
    let mut faults: Vec<Fault> = Vec::new();
    let mut fault = |code, line, column, text| {
        faults.push(Fault {
            code,
            source_name: source.to_owned(),
            line,
            column,
            text,
        });
    };
    for (line, column, text) in complaints {
        fault(Code::T1, line, column, text);
    }
    for game in &games {
        if let Err((code, text)) = join(event, game, known_rounds) {
            fault(code, game.line, 1, text);
        }
    }
    event.faults.extend(faults);
}

/// Finds the pairing that a game's tags are of, and fills it.
fn join(event: &mut Event, game: &Tagged, known_rounds: u32) -> Result<(), (Code, String)> {
    let nobody = |tag| {
        game.tag(tag)
            .is_none_or(|name| NOBODY.contains(&names::key(name).as_str()))
    };
    if nobody("White") || nobody("Black") {
        return Ok(());
    }
    let (round, behind_dot) = round(game).ok_or_else(|| {
        let text = "a game whose Round is no number; it is left out";
        (Code::T1, text.to_owned())
    })?;
    let (white, black) = (player(event, game, "White")?, player(event, game, "Black")?);
    let number = |tag| game.tag(tag).and_then(|value| value.parse().ok());
    let board = number("Board").or_else(|| number("Table")).or(behind_dot);
    let date = game
        .tag("Date")
        .map(Date::parse_tag)
        .filter(|date| date.is_whole());
    let told = format!(
        "round {round}: {} - {}",
        event.players[white].name, event.players[black].name
    );
    let both = |p: &Pairing| {
        p.round == round && [(p.white, p.black), (p.black, p.white)].contains(&(white, black))
    };
    let place = event.pairings.iter().position(both);
    if place.is_none() && round <= known_rounds {
        return Err((Code::T2, format!("{told} is no pairing of the report file")));
    }
    let default = event.date_of(round);
    let place = place.unwrap_or_else(|| {
        event.pairings.push(Pairing {
            round,
            board: None,
            date: default,
            white,
            black,
            kind: Kind::Open,
            outcome: Outcome::Unknown,
        });
        event.pairings.len() - 1
    });
    let pairing = &mut event.pairings[place];
    pairing.board = board.or(pairing.board);
    pairing.date = date.unwrap_or(pairing.date);
    if pairing.white == white {
        Ok(())
    } else {
        Err((
            Code::T2,
            format!("{told} has the colours the other way round in the report file"),
        ))
    }
}

/// The round, and what stands behind a dot in it.
fn round(game: &Tagged) -> Option<(u32, Option<u32>)> {
    let text = game.tag("Round")?;
    let (round, board) = text.split_once('.').unwrap_or((text, ""));
    Some((round.trim().parse().ok()?, board.trim().parse().ok()))
}

/// The player whom a colour's tags name: by FIDE number, else by name.
fn player(event: &Event, game: &Tagged, colour: &str) -> Result<usize, (Code, String)> {
    let id = game
        .tag(&format!("{colour}FideId"))
        .and_then(|id| id.parse::<u64>().ok());
    let by_id = id.and_then(|id| event.players.iter().position(|p| p.fide_id == Some(id)));
    if let Some(player) = by_id {
        return Ok(player);
    }
    let name = game.tag(colour).unwrap_or_default();
    let key = names::key(name);
    let mut namesakes =
        (0..event.players.len()).filter(|&i| names::key(&event.players[i].name) == key);
    match (namesakes.next(), namesakes.next()) {
        (Some(player), None) => Ok(player),
        (None, _) => Err((
            Code::T2,
            format!("\"{name}\" is no player of the report file; the game is left out"),
        )),
        (Some(_), Some(_)) => {
            let text = format!(
                "\"{name}\" may be several players of the report file; the game is left out"
            );
            Err((Code::T1, text))
        }
    }
}
