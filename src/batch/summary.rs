//! What a batch remembers of each sheet that was read: a kilobyte or two.

use crate::cache::Digest;
use crate::copies::TextFingerprint;
use crate::form::FormCode;
use crate::scan::Sheet;

use super::{Parameters, SheetId};

/// What is remembered of a sheet.
#[derive(Debug, Clone)]
pub struct SheetSummary {
    /// The sheet's name in messages.
    pub name: String,
    /// Which sheet it is.
    pub id: SheetId,
    /// The texts of its cells, by which its copies are found.
    pub fingerprint: TextFingerprint,
    /// The hash of what was read, by which the same picture under another name is found.
    pub digest: Digest,
    /// Its row numbers, by which the pages before and after it are found.
    pub numbers: MoveNumberRange,
    /// The code of a sheet that sheetscan has printed.
    pub code: Option<FormCode>,
    /// Its table, by which sheets are found whose tables are doubtful.
    pub table: TableSummary,
    /// Index of the form with whose layout it was read again; none where its own table is used.
    pub form: Option<usize>,
}

impl SheetSummary {
    /// The summary of a sheet.
    pub fn new(name: String, sheet: &Sheet, digest: Digest) -> Self {
        Self {
            name,
            id: SheetId::new(sheet),
            fingerprint: TextFingerprint::new(&sheet.cells),
            digest,
            numbers: MoveNumberRange::new(sheet),
            code: sheet.code,
            table: TableSummary::new(sheet),
            form: None,
        }
    }
}

/// The row numbers of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumberRange {
    /// The number of the first row, where the sheet continues another one.
    pub continues_from: Option<u32>,
    /// The number of the last row.
    pub last: u32,
    /// The number of the last row with ink; 0 where none has.
    pub last_inked: u32,
}

impl MoveNumberRange {
    /// The row numbers of a sheet.
    pub fn new(sheet: &Sheet) -> Self {
        let numbers = sheet.cells.iter().map(|cell| cell.id.number);
        let inked = sheet.inked().map(|cell| cell.id.number);
        Self {
            continues_from: sheet.continues_from(),
            last: numbers.max().unwrap_or(0),
            last_inked: inked.max().unwrap_or(0),
        }
    }

    /// Whether the numbers of another sheet begin where these end, and at most so many of the last
    /// rows are empty here.
    pub fn leads_to(&self, next: &Self, max_empty_last_rows: u32) -> bool {
        next.continues_from == Some(self.last + 1)
            && self.last_inked + max_empty_last_rows >= self.last
    }
}

/// The rows of a table and how well it could be read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableSummary {
    /// Number of the first row, and how many rows there are.
    pub rows: (u32, usize),
    /// Number of cells with ink.
    pub inked: usize,
    /// Number of those that read like moves ([`Sheet::move_like_cells`]).
    pub move_like: usize,
    /// Mean confidence of the readings of the cells with ink.
    pub mean_confidence: f32,
}

impl TableSummary {
    /// The summary of a sheet's table.
    pub fn new(sheet: &Sheet) -> Self {
        let inked = sheet.inked_cells();
        let sum: f32 = sheet.inked().map(|r| r.confidence).sum();
        Self {
            rows: (
                sheet.cells.first().map_or(0, |cell| cell.id.number),
                sheet.cells.len() / 2,
            ),
            inked,
            move_like: sheet.move_like_cells(),
            mean_confidence: sum / inked.max(1) as f32,
        }
    }

    /// Share of the cells with ink that read like moves; 0 where no cell has ink.
    pub fn move_like_share(&self) -> f64 {
        self.move_like as f64 / self.inked.max(1) as f64
    }

    /// Whether so large a share of it reads like moves that the table is not doubted.
    pub(super) fn reads_like_moves(&self, parameters: &Parameters) -> bool {
        self.move_like_share() >= parameters.min_move_like_share
    }
}
