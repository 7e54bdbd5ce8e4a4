//! Whether a game that was written as PGN reads back as the same game.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, Position};

use super::pgn_reader::{self, TextFault};
use crate::notation::move_number;
use crate::schema::GameRecord;

/// Reads the PGN of a game and describes the first difference to its record; `None` where there is
/// no difference.
pub(super) fn find_difference(text: &str, record: &GameRecord) -> Option<String> {
    let (games, faults) = pgn_reader::read_games(text);
    if let Some(TextFault { line, column, text }) = faults.first() {
        return Some(format!("line {line}, column {column}: {text}"));
    }
    let [game] = &games[..] else {
        return Some(format!("{} games are read from it", games.len()));
    };
    let Some((terminator, moves)) = game.moves.split_last() else {
        return Some("it has no end".to_owned());
    };
    let result = game.tags.iter().find(|(name, _)| name == "Result");
    if result.map(|(_, value)| value) != Some(terminator) {
        return Some(format!("its Result is not {terminator}"));
    }
    if !moves.iter().eq(record.plies.iter().map(|ply| &ply.san)) {
        return Some("other moves are read from it".to_owned());
    }
    let mut position = Chess::default();
    for (ply, san) in moves.iter().enumerate() {
        let parsed = San::from_ascii(san.trim_end_matches(['+', '#']).as_bytes()).ok();
        let Some(legal) = parsed.and_then(|san| san.to_move(&position).ok()) else {
            return Some(format!("{} is no legal move", number_move(ply, san)));
        };
        let before = position.clone();
        position.play_unchecked(legal);
        let canonical = SanPlus::from_move(before, legal).to_string();
        if canonical != *san {
            return Some(format!("{} should be {canonical}", number_move(ply, san)));
        }
    }
    None
}

/// A move with its number, as in `3. Bb5` and `3... a6`. `ply` counts from 0.
pub(super) fn number_move(ply: usize, san: &str) -> String {
    format!("{} {san}", move_number(ply))
}
