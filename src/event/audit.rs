//! The audit file: for every move that is written, where it comes from.

use serde::Serialize;

use super::games::GamePgn;
use super::ledger::Ledger;
use crate::grid::CellId;
use crate::schema::{Alternative, CellRecord, Corners, GameRecord, PlyRecord};

/// A move with its evidence: one line of the audit file.
#[derive(Serialize)]
struct AuditLine<'a> {
    round: Option<u32>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    ply: usize,
    san: &'a str,
    confidence: f64,
    decided_by: &'static str,
    candidates: &'a [Alternative],
    cells: Vec<AuditCell<'a>>,
}

/// A cell that a move was read from.
#[derive(Serialize)]
struct AuditCell<'a> {
    path: &'a str,
    page: u32,
    sha256: &'a str,
    #[serde(flatten)]
    cell: CellId,
    #[serde(rename = "box")]
    corners: Corners,
    read: &'a str,
    read_confidence: f64,
}

/// Formats JSON lines, one a move, in the order of the games.
///
/// A line has the hash of the picture, the corners and the reading of each cell, the other
/// candidates, and who decided: `person`, `reader`, or `rules` for a move that no cell holds and
/// that the moves around it demand.
pub fn format_json_lines(ledger: &Ledger, games: &[GamePgn]) -> String {
    let mut text = String::new();
    for game in games {
        let record = &ledger.records[game.record];
        let names = player_names(ledger, game.record);
        for (ply, number) in record.plies.iter().zip(1..) {
            let cells = ply.cells.iter();
            let line = AuditLine {
                round: game.round,
                white: names.map(|names| names.0),
                black: names.map(|names| names.1),
                ply: number,
                san: &ply.san,
                confidence: ply.confidence,
                decided_by: decided_by(ply),
                candidates: &ply.alternatives,
                cells: cells.filter_map(|cell| audit_cell(record, cell)).collect(),
            };
            text += &serde_json::to_string(&line).expect("strings and numbers only");
            text.push('\n');
        }
    }
    text
}

/// The names of White and Black on the sheet of a game with a pairing.
fn player_names(ledger: &Ledger, record: usize) -> Option<(&str, &str)> {
    let (pairing, game_match) = ledger.pairing_of(record)?;
    let p = &ledger.event.pairings[pairing];
    let name = |player: usize| ledger.event.players[player].name.as_str();
    Some(if game_match.reversed {
        (name(p.black), name(p.white))
    } else {
        (name(p.white), name(p.black))
    })
}

/// A cell with the facts of its sheet; `None` if the record has no such sheet.
fn audit_cell<'a>(record: &'a GameRecord, cell: &'a CellRecord) -> Option<AuditCell<'a>> {
    let sheet = record.sheets.get(cell.sheet)?;
    Some(AuditCell {
        path: &sheet.path,
        page: sheet.page,
        sha256: &sheet.sha256,
        cell: cell.id(),
        corners: cell.corners,
        read: &cell.read,
        read_confidence: cell.read_confidence,
    })
}

fn decided_by(ply: &PlyRecord) -> &'static str {
    match ply {
        _ if ply.settled => "person",
        _ if ply.cells.is_empty() => "rules",
        _ => "reader",
    }
}
