//! The checks of moves: where a record ends, which moves are doubtful, where two records differ.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};

use crate::notation::Outcome;
use crate::schema::{CellRecord, GameRecord, PlyRecord};

use super::super::ledger::Ledger;
use super::super::read_back::number_move;
use super::{CheckCode, ReportFinding, Subject};

/// How the final position ends the game by the rules, and with which result; `None` where it does
/// not end it.
pub(super) fn end_on_board(record: &GameRecord) -> Option<(&'static str, Outcome)> {
    let mut position = Chess::default();
    for ply in &record.plies {
        let san: SanPlus = ply.san.parse().ok()?;
        let legal = san.san.to_move(&position).ok()?;
        position.play_unchecked(legal);
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

/// G1, G2 and G3 for the moves of one game.
pub(super) fn check_moves(ledger: &Ledger, game: usize, report: &mut ReportFinding) {
    let record = &ledger.records[game];
    let name = record.name();
    if !record.complete {
        let cut = match record.plies.last() {
            None => "from the first move on".to_owned(),
            Some(last) => format!("after {}", number_move(record.plies.len() - 1, &last.san)),
        };
        report(
            CheckCode::G1,
            format!("{name} could not be followed {cut}; the game is cut there"),
            Subject::ply(game, record.plies.len()),
        );
    }
    for (i, ply) in record.plies.iter().enumerate() {
        let min_confidence = ledger.parameters.min_differing_cell_confidence;
        if let Some((a, b)) = differing_cells(ply, min_confidence) {
            let ply = number_move(i, &ply.san);
            report(
                CheckCode::G2,
                format!(
                    "the copies differ at {ply}: \"{}\" and \"{}\"",
                    a.read, b.read
                ),
                Subject::ply(game, i),
            );
        }
    }
    let plies = record.plies.iter().enumerate();
    let doubtful: Vec<String> = plies
        .filter(|(_, ply)| ply.review)
        .map(|(i, ply)| number_move(i, &ply.san))
        .collect();
    if let Some(first) = record.plies.iter().position(|ply| ply.review) {
        report(
            CheckCode::G3,
            format!("{name}: low confidence at {}", doubtful.join(", ")),
            Subject::ply(game, first),
        );
    }
}

/// Two cells of a move that name different squares, both read with at least `min_confidence`.
fn differing_cells(ply: &PlyRecord, min_confidence: f64) -> Option<(&CellRecord, &CellRecord)> {
    let is_clear =
        |cell: &&CellRecord| cell.read_confidence >= min_confidence && target(&cell.read).is_some();
    let cells: Vec<&CellRecord> = ply.cells.iter().filter(is_clear).collect();
    let first = *cells.first()?;
    let other = cells
        .iter()
        .find(|cell| target(&cell.read) != target(&first.read))?;
    Some((first, other))
}

/// The target square of a move as written in any language, or `OO` or `OOO` for castling.
fn target(read: &str) -> Option<String> {
    let letters: Vec<char> = read.chars().collect();
    let castling_signs = letters
        .iter()
        .filter(|c| matches!(c, 'O' | '0' | 'o'))
        .count();
    if castling_signs >= 2 {
        return Some("O".repeat(castling_signs));
    }
    let is_square = |w: &[char]| ('a'..='h').contains(&w[0]) && ('1'..='8').contains(&w[1]);
    let square = letters.windows(2).rfind(|w| is_square(w))?;
    Some(square.iter().collect())
}

/// G2 for two games of one pairing that were not found to be copies: the first move that differs.
pub(super) fn check_same_moves(
    ledger: &Ledger,
    first: usize,
    second: usize,
    report: &mut ReportFinding,
) {
    let [a, b] = [first, second].map(|record| &ledger.records[record]);
    let both = a.plies.iter().zip(&b.plies).enumerate();
    let mut differing = both.filter(|(_, (a, b))| a.san != b.san);
    if let Some((i, (x, y))) = differing.next() {
        let text = format!(
            "{} and {} differ from {} on, which is {} on the second; the first is written",
            a.name(),
            b.name(),
            number_move(i, &x.san),
            y.san
        );
        let subject = Subject {
            other: Some(second),
            ..Subject::ply(first, i)
        };
        report(CheckCode::G2, text, subject);
    }
}
