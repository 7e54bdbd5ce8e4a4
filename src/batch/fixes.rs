//! Moves that a person has read: the game of a sheet keeps to them wherever the board allows it.

use shakmaty::san::SanPlus;

use crate::decode::FixedMove;
use crate::scan::ScannedGame;

use super::sheet_names::{AmbiguousName, SheetNames};
use super::{BatchError, SheetId};

/// A move that a person has read on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// A name of the sheet ([`SheetId::has_name`]).
    pub sheet: String,
    /// The ply and its move.
    pub fixed: FixedMove,
    /// `SHEET:PLY=SAN`, with the move as it was written.
    text: String,
}

/// Why a text is no [`Fix`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FixError {
    /// The parts are not divided as they should be.
    #[error("not of the form SHEET:PLY=SAN, as in a.jpg:23=Nf3")]
    Form,
    /// The ply is no number, or 0.
    #[error("the ply is a number from 1: White's first move is 1, Black's 2")]
    Ply,
    /// The move is not SAN.
    #[error("the move is not SAN with English letters, as in Nf3, exd5, O-O")]
    San,
}

impl Fix {
    /// A fix from the name of a sheet, a ply and a move in SAN with English letters.
    ///
    /// # Errors
    /// [`FixError::Ply`] and [`FixError::San`].
    pub fn new(sheet: &str, ply: &str, san: &str) -> Result<Self, FixError> {
        let ply = ply.trim().parse::<u16>().ok().filter(|&ply| ply > 0);
        let ply = ply.ok_or(FixError::Ply)?;
        let san = san.trim();
        let parsed: SanPlus = san.parse().map_err(|_| FixError::San)?;
        Ok(Self {
            sheet: sheet.to_owned(),
            fixed: FixedMove {
                ply,
                san: parsed.san,
            },
            text: format!("{sheet}:{ply}={san}"),
        })
    }

    /// Whether its name means one of these sheets.
    fn names_any(&self, sheets: &[SheetId]) -> bool {
        sheets.iter().any(|sheet| sheet.has_name(&self.sheet))
    }
}

impl std::fmt::Display for Fix {
    /// Writes `SHEET:PLY=SAN`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Fix {
    type Err = FixError;

    /// Reads `SHEET:PLY=SAN`. The last colon counts, since paths may contain some.
    fn from_str(text: &str) -> Result<Self, FixError> {
        let (sheet, fixed) = text.rsplit_once(':').ok_or(FixError::Form)?;
        let (ply, san) = fixed.split_once('=').ok_or(FixError::Form)?;
        Self::new(sheet, ply, san)
    }
}

/// All fixes of a run.
#[derive(Debug, Default)]
pub struct Fixes {
    fixes: Vec<Fix>,
    /// How many of the fixes, the first ones, must name a sheet of the run.
    required: usize,
}

impl Fixes {
    /// The fixes of a run. Each required one must name a sheet of the run; the others may be of a
    /// whole event and name sheets of other runs.
    pub fn new(required: Vec<Fix>, others: Vec<Fix>) -> Self {
        Self {
            required: required.len(),
            fixes: required.into_iter().chain(others).collect(),
        }
    }

    /// Puts the path in the place of every name that means a file of the run. A name may stay that
    /// means none, or that is the hash of a picture.
    ///
    /// # Errors
    /// [`AmbiguousName`] if a name means two files.
    pub fn resolve_names(&mut self, names: &SheetNames) -> Result<(), AmbiguousName> {
        for fix in &mut self.fixes {
            match names.find_page(&fix.sheet)? {
                Some((path, Some(page))) => fix.sheet = format!("{path}#{page}"),
                Some((path, None)) => fix.sheet = path.to_owned(),
                None => {}
            }
        }
        Ok(())
    }

    /// The fixes that name one of these sheets, by ply.
    pub fn of_sheets(&self, sheets: &[SheetId]) -> Vec<Fix> {
        let fixes = self.fixes.iter().filter(|fix| fix.names_any(sheets));
        let mut fixes: Vec<Fix> = fixes.cloned().collect();
        fixes.sort_by_key(|fix| fix.fixed.ply);
        fixes
    }

    /// The fixes that name none of the sheets of the run.
    ///
    /// # Errors
    /// [`BatchError::UnmatchedFix`] where one of them is required.
    pub fn unmatched(&self, sheets: &[SheetId]) -> Result<Vec<&Fix>, BatchError> {
        let (required, others) = self.fixes.split_at(self.required);
        if let Some(fix) = required.iter().find(|fix| !fix.names_any(sheets)) {
            return Err(BatchError::UnmatchedFix(fix.to_string()));
        }
        Ok(others.iter().filter(|fix| !fix.names_any(sheets)).collect())
    }
}

/// Decodes the game of some sheets with the moves that are fixed in it. Fixes that no game can keep
/// to are left out and given back: the board does not allow the move, or the record ends before.
pub fn decode_with_fixes(
    mut fixes: Vec<Fix>,
    decode: impl Fn(&[FixedMove]) -> ScannedGame,
) -> (ScannedGame, Vec<Fix>) {
    let mut refused = Vec::new();
    loop {
        let fixed: Vec<FixedMove> = fixes.iter().map(|fix| fix.fixed.clone()).collect();
        let scanned = decode(&fixed);
        let plies = scanned.game.plies.len();
        // The game ends before the first fix that it cannot keep to.
        let Some(first) = fixed.iter().position(|f| usize::from(f.ply) > plies) else {
            return (scanned, refused);
        };
        refused.push(fixes.remove(first));
    }
}

/// Adds those of `more` whose ply and move are not among the fixes yet; the result is by ply.
pub fn add_fixes(fixes: &mut Vec<Fix>, more: Vec<Fix>) {
    for fix in more {
        if !fixes.iter().any(|known| known.fixed == fix.fixed) {
            fixes.push(fix);
        }
    }
    fixes.sort_by_key(|fix| fix.fixed.ply);
}
