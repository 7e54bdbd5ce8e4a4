//! The checks of the moves alone: where a record ends, and where two records part.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};

use crate::decode::Outcome;

use super::super::read_back::numbered;
use super::super::record::{CellFacts, PlyFacts, Record};
use super::{About, Code};

/// A reading that is surer than this is believed when it differs from another copy's.
const BELIEVED: f64 = 0.9;

/// How the last position ends the game by itself, and with which result.
pub(super) fn end_on_the_board(record: &Record) -> Option<(&'static str, Outcome)> {
    let mut position = Chess::default();
    for ply in &record.plies {
        let san: SanPlus = ply.san.parse().ok()?;
        let played = san.san.to_move(&position).ok()?;
        position.play_unchecked(played);
    }
    if position.is_checkmate() {
        let winner = match position.turn() {
            Color::White => Outcome::BlackWins,
            Color::Black => Outcome::WhiteWins,
        };
        Some(("mate", winner))
    } else if position.is_stalemate() {
        Some(("stalemate", Outcome::Draw))
    } else if position.is_insufficient_material() {
        Some(("a dead position", Outcome::Draw))
    } else {
        None
    }
}

/// What is to be said of the moves of a game.
pub(super) fn within(record: &Record, about: &mut About) {
    let name = record.name();
    if !record.complete {
        let last = record.plies.last();
        let behind = last.map_or("from the first move on".to_owned(), |last| {
            format!("after {}", numbered(record.plies.len() - 1, &last.san))
        });
        about(
            Code::G1,
            format!("{name} could not be followed {behind}; the game is cut there"),
        );
    }
    for (i, ply) in record.plies.iter().enumerate() {
        if let Some((a, b)) = differing_cells(ply) {
            let at = numbered(i, &ply.san);
            about(
                Code::G2,
                format!(
                    "the copies differ at {at}: \"{}\" and \"{}\"",
                    a.read, b.read
                ),
            );
        }
    }
    let plies = record.plies.iter().enumerate();
    let doubtful: Vec<String> = plies
        .filter(|(_, ply)| ply.review)
        .map(|(i, ply)| numbered(i, &ply.san))
        .collect();
    if !doubtful.is_empty() {
        about(
            Code::G3,
            format!("{name}: low confidence at {}", doubtful.join(", ")),
        );
    }
}

/// Two cells of a move that are read with confidence and name different squares, whatever the language.
fn differing_cells(ply: &PlyFacts) -> Option<(&CellFacts, &CellFacts)> {
    let believed =
        |cell: &&CellFacts| cell.read_confidence >= BELIEVED && target(&cell.read).is_some();
    let cells: Vec<&CellFacts> = ply.cells.iter().filter(believed).collect();
    let first = *cells.first()?;
    let other = cells
        .iter()
        .find(|cell| target(&cell.read) != target(&first.read))?;
    Some((first, other))
}

/// The square that a written move goes to, or how it castles.
fn target(read: &str) -> Option<String> {
    let letters: Vec<char> = read.chars().collect();
    let castles = letters
        .iter()
        .filter(|c| matches!(c, 'O' | '0' | 'o'))
        .count();
    if castles >= 2 {
        return Some("O".repeat(castles));
    }
    let square = |w: &&[char]| ('a'..='h').contains(&w[0]) && ('1'..='8').contains(&w[1]);
    letters.windows(2).rfind(square).map(|w| w.iter().collect())
}

/// Where the games of two sheets that were not found alike part.
pub(super) fn between(a: &Record, b: &Record, about: &mut About) {
    let both = a.plies.iter().zip(&b.plies).enumerate();
    let mut differing = both.filter(|(_, (a, b))| a.san != b.san);
    if let Some((i, (x, y))) = differing.next() {
        let text = format!(
            "{} and {} differ from {} on, which is {} on the second; the first is written",
            a.name(),
            b.name(),
            numbered(i, &x.san),
            y.san
        );
        about(Code::G2, text);
    }
}
