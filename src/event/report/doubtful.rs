//! The doubtful moves of a game: the board before each, its cells, its candidates, and how to
//! answer.

use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use super::super::games::GamePgn;
use super::super::ledger::Ledger;
use super::super::read_back::number_move;
use super::pictures::{CellPicture, cell_pictures};
use super::{CropSource, board, capitalize, format_percent};
use crate::schema::{CellRecord, GameRecord, PlyRecord};

/// Hexadecimal digits of a picture's SHA-256 by which a file of answers names the sheet.
const SHEET_KEY_DIGITS: usize = 16;

/// The values of the template `game.html`.
#[derive(Serialize)]
pub(super) struct GameSection {
    title: String,
    sheets: String,
    /// Why the game is cut, if it is.
    pub(super) notes: Vec<String>,
    pub(super) moves: Vec<DoubtfulMove>,
}

/// A move to look at.
#[derive(Serialize)]
pub(super) struct DoubtfulMove {
    /// Number and SAN.
    label: String,
    /// Ply, from 1.
    ply: usize,
    san: String,
    confidence: String,
    /// The pieces on the board before the move.
    board: Vec<board::PieceOnBoard>,
    /// The same in words.
    pieces: String,
    crops: Vec<CellPicture>,
    candidates: Vec<CandidateRow>,
    /// The key by which a file of answers names the sheet.
    fix: Option<String>,
}

#[derive(Serialize)]
struct CandidateRow {
    san: String,
    percent: String,
}

/// The section of a game, with its moves to look at.
pub(super) fn game_section(ledger: &Ledger, game: &GamePgn, crops: &CropSource) -> GameSection {
    let record = &ledger.records[game.record];
    let title = match ledger.pairing_of(game.record) {
        Some((pairing, _)) => capitalize(&ledger.describe_pairing(pairing)),
        None if ledger.has_event() => format!("Without a pairing: {}", record.name()),
        None => name_by_tags(record).unwrap_or_else(|| record.name()),
    };
    let doubtful = record.plies.iter().filter(|ply| ply.review);
    let cells: Vec<&CellRecord> = doubtful.flat_map(|ply| &ply.cells).collect();
    let mut pictures = cell_pictures(record, &cells, crops).into_iter();
    let mut position = Some(Chess::default());
    let mut moves = Vec::new();
    for (i, ply) in record.plies.iter().enumerate() {
        if ply.review {
            let crops = pictures.by_ref().take(ply.cells.len()).collect();
            moves.push(doubtful_move(record, i, ply, position.as_ref(), crops));
        }
        position = position.and_then(|position| play_san(position, &ply.san));
    }
    let cut = "The record could not be followed further";
    GameSection {
        title,
        sheets: record.name(),
        notes: match (&record.break_off, record.complete) {
            (Some(why), _) => vec![capitalize(why.trim_start_matches("sheetscan: "))],
            (None, false) => vec![cut.to_owned()],
            (None, true) => Vec::new(),
        },
        moves,
    }
}

/// The names of the players by the tags of a game; none where one is unknown.
fn name_by_tags(record: &GameRecord) -> Option<String> {
    let name = |tag| record.tags.get(tag).filter(|name| *name != "?");
    Some(format!("{} - {}", name("White")?, name("Black")?))
}

/// The position after a move; `None` if the move is not legal.
fn play_san(position: Chess, san: &str) -> Option<Chess> {
    let san: SanPlus = san.parse().ok()?;
    let legal = san.san.to_move(&position).ok()?;
    position.play(legal).ok()
}

/// A move to look at; `index` is its index among the plies of the game.
fn doubtful_move(
    record: &GameRecord,
    index: usize,
    ply: &PlyRecord,
    position: Option<&Chess>,
    crops: Vec<CellPicture>,
) -> DoubtfulMove {
    let board = position.map(Position::board);
    let others = ply.alternatives.iter().map(|c| (&c.san, c.confidence));
    let candidates = std::iter::once((&ply.san, ply.confidence)).chain(others);
    let candidates = candidates.map(|(san, confidence)| CandidateRow {
        san: san.clone(),
        percent: format_percent(confidence),
    });
    DoubtfulMove {
        label: number_move(index, &ply.san),
        ply: index + 1,
        san: ply.san.clone(),
        confidence: format_percent(ply.confidence),
        board: board.map_or_else(Vec::new, board::list_pieces),
        pieces: board.map_or_else(String::new, board::describe_pieces),
        crops,
        candidates: candidates.collect(),
        fix: sheet_key(record, ply),
    }
}

/// The key by which a file of answers names the sheet of a move: digits of its hash, and the page
/// if it is not the first. A move without a cell belongs to the first sheet.
fn sheet_key(record: &GameRecord, ply: &PlyRecord) -> Option<String> {
    let cell = ply.cells.first();
    let sheet = cell.and_then(|cell| record.sheets.get(cell.sheet));
    let sheet = sheet.or(record.sheets.first())?;
    let digits: String = sheet.sha256.chars().take(SHEET_KEY_DIGITS).collect();
    Some(match sheet.page {
        1 => digits,
        page => format!("{digits}#{page}"),
    })
}
