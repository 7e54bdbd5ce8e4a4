//! Scanned games as wire types. Numbers are rounded here, so that a game is the same to the event
//! whether it comes from the scan itself or from a line of JSON.

use super::{
    Alternative, BreakRecord, CellRecord, Corners, GameRecord, GapRecord, HeaderFieldRecord,
    PackedWords, PlyRecord, RunnerUpRecord, SheetCodeRecord, SheetRecord, TableCellRecord,
    TagRecord, UnreadRecord, VERSION,
};
use crate::decode::{Gap, Ply, RunnerUp, Unread};
use crate::geometry::Quad;
use crate::grid::{CellId, Side};
use crate::pgn;
use crate::reader::Reading;
use crate::scan::{HeaderReading, ScannedGame, Sheet};

impl From<&ScannedGame> for GameRecord {
    fn from(scanned: &ScannedGame) -> Self {
        let game = &scanned.game;
        let language = |sheet: usize| game.languages.get(sheet).cloned();
        let sheets = scanned.sheets.iter().enumerate();
        let sheets = sheets.map(|(i, sheet)| SheetRecord {
            continues: scanned.continued.contains(&i).then(|| i - 1),
            ..sheet_record(sheet, language(i))
        });
        let same = scanned.same.iter().map(|(sheet, i)| SheetRecord {
            same_as: Some(*i),
            ..sheet_record(sheet, language(*i))
        });
        let plies = game.plies.iter().zip(1..);
        let unread = game.unread.iter();
        Self {
            schema: VERSION,
            sheets: sheets.chain(same).collect(),
            tags: TagRecord::from(&pgn::scanned_tags(scanned)),
            answered: scanned.fields.iter().map(|(field, _)| *field).collect(),
            language: language(0),
            complete: game.complete,
            plies: plies
                .map(|(ply, number)| ply_record(scanned, ply, number))
                .collect(),
            unread: unread
                .filter_map(|unread| unread_record(scanned, unread))
                .collect(),
            gap: game.gap.and_then(|gap| gap_record(scanned, gap)),
            break_at: scanned.break_off().and_then(|(sheet, cell)| {
                Some(BreakRecord {
                    ply: game.plies.len() + 1,
                    cell: cell_record(scanned, sheet, cell)?,
                    candidates: scanned
                        .break_candidates
                        .iter()
                        .map(|candidate| alternative(&candidate.san, candidate.share))
                        .collect(),
                })
            }),
            break_off: pgn::break_off_comment(scanned),
            runners_up: game.runners_up.iter().map(runner_up_record).collect(),
            evidence: None,
        }
    }
}

fn sheet_record(sheet: &Sheet, language: Option<String>) -> SheetRecord {
    SheetRecord {
        path: sheet.path.to_string_lossy().into_owned(),
        page: sheet.page,
        sha256: sheet.sha256.clone(),
        language,
        copy_of: sheet.code.and_then(|code| code.side).map(Side::from),
        code: sheet.code.as_ref().map(SheetCodeRecord::from),
        continues: None,
        words: PackedWords::pack(&sheet.words),
        header: sheet.header.iter().map(header_field_record).collect(),
        same_as: None,
        width: sheet.width,
        height: sheet.height,
        cells: sheet.cells.iter().map(table_cell_record).collect(),
    }
}

fn header_field_record(reading: &HeaderReading) -> HeaderFieldRecord {
    HeaderFieldRecord {
        field: reading.field,
        text: reading.text.clone(),
        confidence: four_decimals(reading.confidence),
        corners: corners(&reading.quad),
    }
}

fn table_cell_record(reading: &Reading) -> TableCellRecord {
    TableCellRecord {
        number: reading.id.number,
        side: reading.id.side,
        state: reading.state,
        read: reading.text.clone(),
        read_confidence: four_decimals(reading.confidence),
        corners: corners(&reading.quad),
    }
}

fn ply_record(scanned: &ScannedGame, ply: &Ply, number: u16) -> PlyRecord {
    let alternatives = ply.alternatives.iter();
    let alternatives = alternatives.map(|(san, confidence)| alternative(san, *confidence));
    let cells = ply.cells.iter();
    let cells = cells.filter_map(|&(sheet, cell)| cell_record(scanned, sheet, cell));
    PlyRecord {
        ply: number.into(),
        san: ply.san.clone(),
        uci: ply.uci.clone(),
        confidence: four_decimals(ply.confidence),
        review: ply.review,
        why: scanned.review_reason(ply),
        settled: ply.settled,
        seen: ply.seen,
        alternatives: alternatives.collect(),
        cells: cells.collect(),
    }
}

fn alternative(san: &str, confidence: f32) -> Alternative {
    Alternative {
        san: san.to_owned(),
        confidence: four_decimals(confidence),
    }
}

fn cell_record(scanned: &ScannedGame, sheet: usize, cell: CellId) -> Option<CellRecord> {
    let reading = scanned.reading(sheet, cell)?;
    Some(CellRecord {
        sheet,
        number: cell.number,
        side: cell.side,
        read: reading.text.clone(),
        read_confidence: four_decimals(reading.confidence),
        corners: corners(&reading.quad),
    })
}

fn unread_record(scanned: &ScannedGame, unread: &Unread) -> Option<UnreadRecord> {
    let Unread {
        sheet,
        cell,
        reason,
    } = *unread;
    let reading = scanned.reading(sheet, cell)?;
    Some(UnreadRecord {
        sheet,
        number: cell.number,
        side: cell.side,
        read: reading.text.clone(),
        reason,
        corners: corners(&reading.quad),
    })
}

fn gap_record(scanned: &ScannedGame, gap: Gap) -> Option<GapRecord> {
    let record = |(sheet, cell)| cell_record(scanned, sheet, cell);
    let resumed = gap.resumed.map(|cells| cells.map(record));
    Some(GapRecord {
        first: record(gap.first)?,
        resumed: match resumed {
            Some([Some(first), Some(last)]) => Some([first, last]),
            _ => None,
        },
    })
}

fn runner_up_record(game: &RunnerUp) -> RunnerUpRecord {
    RunnerUpRecord {
        sans: game.sans.clone(),
        behind: four_decimals(game.behind),
    }
}

/// Rounds to four decimals; calibration does not know more.
fn four_decimals(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// Rounds to tenths of a pixel; the edges of cells are not known better.
fn corners(quad: &Quad) -> Corners {
    quad.map(|point| [point.x, point.y].map(|v| (v * 10.0).round() / 10.0))
}
