//! Whether a game that was written can be read again, and is the same.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, Position};

use super::record::Record;
use super::tags;

/// What is wrong with the text of a game; none for nothing.
pub(super) fn fault(text: &str, record: &Record) -> Option<String> {
    let (games, faults) = tags::games(text);
    if let Some((line, column, fault)) = faults.first() {
        return Some(format!("line {line}, column {column}: {fault}"));
    }
    let [game] = &games[..] else {
        return Some(format!("{} games are read from it", games.len()));
    };
    let Some((end, moves)) = game.moves.split_last() else {
        return Some("it has no end".to_owned());
    };
    if game
        .tags
        .iter()
        .find(|(name, _)| name == "Result")
        .map(|(_, value)| value)
        != Some(end)
    {
        return Some(format!("its Result is not {end}"));
    }
    if !moves.iter().eq(record.plies.iter().map(|ply| &ply.san)) {
        return Some("other moves are read from it".to_owned());
    }
    let mut position = Chess::default();
    for (i, san) in moves.iter().enumerate() {
        let played = San::from_ascii(san.trim_end_matches(['+', '#']).as_bytes()).ok();
        let Some(played) = played.and_then(|san| san.to_move(&position).ok()) else {
            return Some(format!("{} is no legal move", numbered(i, san)));
        };
        let before = position.clone();
        position.play_unchecked(played);
        let right = SanPlus::from_move(before, played).to_string();
        if right != *san {
            return Some(format!("{} should be {right}", numbered(i, san)));
        }
    }
    None
}

/// A move with its number: `3. Bb5`, `3... a6`.
pub(super) fn numbered(ply: usize, san: &str) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots} {san}", ply / 2 + 1)
}
