//! Where every move that is written comes from.

use serde::Serialize;

use super::games::Written;
use super::ledger::Ledger;
use super::record::{Candidate, PlyFacts};
use crate::grid::CellId;

/// A move with its evidence: one line of the audit.
#[derive(Serialize)]
struct Line<'a> {
    round: Option<u32>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    ply: usize,
    san: &'a str,
    confidence: f64,
    decided_by: &'static str,
    candidates: &'a [Candidate],
    cells: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    path: &'a str,
    page: u32,
    sha256: &'a str,
    #[serde(flatten)]
    cell: CellId,
    #[serde(rename = "box")]
    corners: [[f64; 2]; 4],
    read: &'a str,
    read_confidence: f64,
}

/// JSON lines, one a move, in the order of the games written: the picture's hash, each cell's box and reading, the
/// other candidates, and who decided (`person`; `reader`; `rules` for a move that no cell holds, and that the moves
/// around it demand).
pub fn lines(ledger: &Ledger, written: &[Written]) -> String {
    let mut text = String::new();
    for game in written {
        let record = &ledger.records[game.record];
        let matched = ledger.pairing_of(game.record);
        let name = |player: usize| ledger.event.players[player].name.as_str();
        let names = matched.map(|(pairing, found)| {
            let p = &ledger.event.pairings[pairing];
            let (white, black) = if found.reversed {
                (p.black, p.white)
            } else {
                (p.white, p.black)
            };
            (name(white), name(black))
        });
        for (ply, number) in record.plies.iter().zip(1..) {
            let cells = ply.cells.iter().filter_map(|cell| {
                let sheet = record.sheets.get(cell.sheet)?;
                Some(Cell {
                    path: &sheet.path,
                    page: sheet.page,
                    sha256: &sheet.sha256,
                    cell: cell.cell,
                    corners: cell.corners,
                    read: &cell.read,
                    read_confidence: cell.read_confidence,
                })
            });
            let line = Line {
                round: game.round,
                white: names.map(|names| names.0),
                black: names.map(|names| names.1),
                ply: number,
                san: &ply.san,
                confidence: ply.confidence,
                decided_by: decided_by(ply),
                candidates: &ply.alternatives,
                cells: cells.collect(),
            };
            text += &serde_json::to_string(&line).expect("strings and numbers only");
            text.push('\n');
        }
    }
    text
}

fn decided_by(ply: &PlyFacts) -> &'static str {
    match ply {
        _ if ply.settled => "person",
        _ if ply.cells.is_empty() => "rules",
        _ => "reader",
    }
}
