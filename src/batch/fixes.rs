//! What a person has read on the sheets of a run: the games keep to it wherever the board allows
//! it.

use crate::decode::Answer;
use crate::scan::{RecordSheets, ScannedGame};

use super::fix::{Fix, FixContent};
use super::sheet_names::{AmbiguousName, SheetNames};
use super::{BatchError, SheetId};

/// All fixes of a run.
#[derive(Debug, Clone, Default)]
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
        let resolve = |name: &mut String| {
            match names.find_page(name)? {
                Some((path, Some(page))) => *name = format!("{path}#{page}"),
                Some((path, None)) => *name = path.to_owned(),
                None => {}
            }
            Ok(())
        };
        for fix in &mut self.fixes {
            resolve(&mut fix.sheet)?;
            if let FixContent::CopyOf(Some(other)) = &mut fix.content {
                resolve(other)?;
            }
        }
        Ok(())
    }

    /// The fixes that name one of these sheets, in the order of the game.
    pub fn of_sheets(&self, sheets: &[SheetId]) -> Vec<Fix> {
        let fixes = self.fixes.iter().filter(|fix| fix.names_any(sheets));
        let mut fixes: Vec<Fix> = fixes.cloned().collect();
        fixes.sort_by_key(Fix::order);
        fixes
    }

    /// The fixes that say which sheets record one game.
    pub(super) fn of_copies(&self) -> impl Iterator<Item = &Fix> {
        let says_so = |fix: &&Fix| matches!(fix.content, FixContent::CopyOf(_));
        self.fixes.iter().filter(says_so)
    }

    /// The fixes that name none of the sheets of the run.
    ///
    /// # Errors
    /// [`BatchError::UnmatchedFix`] where one of them is required.
    pub fn unmatched(&self, sheets: &[SheetId]) -> Result<Vec<&Fix>, BatchError> {
        let (required, others) = self.fixes.split_at(self.required);
        let is_there = |name: &str| sheets.iter().any(|sheet| sheet.has_name(name));
        let is_matched = |fix: &Fix| fix.names_any(sheets) && fix.copy_of().is_none_or(is_there);
        if let Some(fix) = required.iter().find(|fix| !is_matched(fix)) {
            return Err(BatchError::UnmatchedFix(fix.to_string()));
        }
        Ok(others.iter().filter(|fix| !is_matched(fix)).collect())
    }
}

/// Decodes the game of some sheets with the fixes of these. Fixes that no game can keep to are left
/// out and given back: the board does not allow the move, the record ends before, or the sheet has
/// no such cell. `decode` gives the game with some answers, and the indices of those that it cannot
/// keep to.
pub fn decode_with_fixes(
    fixes: &[Fix],
    record: &RecordSheets,
    decode: impl FnOnce(&[Answer]) -> (ScannedGame, Vec<usize>),
) -> (ScannedGame, Vec<Fix>) {
    let LocatedAnswers {
        answers,
        of_fix,
        mut refused,
    } = LocatedAnswers::new(fixes, record);
    let (mut scanned, unkept) = decode(&answers);
    refused.extend(unkept.into_iter().map(|at| of_fix[at]));
    refused.sort_unstable();
    for fix in fixes {
        if let FixContent::Tag(field, text) = &fix.content {
            scanned.set_field(*field, text);
        }
    }
    let refused = refused.into_iter().map(|i| fixes[i].clone()).collect();
    (scanned, refused)
}

/// The answers among the fixes of some sheets, with the indices of these sheets.
pub(crate) struct LocatedAnswers {
    /// The answers.
    pub answers: Vec<Answer>,
    /// For each of them the index of its fix.
    of_fix: Vec<usize>,
    /// The indices of the fixes whose sheet has no such cell.
    refused: Vec<usize>,
}

impl LocatedAnswers {
    /// Finds the sheets of fixes.
    pub(crate) fn new(fixes: &[Fix], record: &RecordSheets) -> Self {
        let mut located = Self {
            answers: Vec::new(),
            of_fix: Vec::new(),
            refused: Vec::new(),
        };
        for (i, fix) in fixes.iter().enumerate() {
            match fix.locate(record.sheets()) {
                Some(FixContent::Answer(answer)) => {
                    located.answers.push(answer);
                    located.of_fix.push(i);
                }
                // They are no answers about moves.
                Some(FixContent::Tag(..) | FixContent::CopyOf(_)) => {}
                None => located.refused.push(i),
            }
        }
        located
    }
}

/// Adds those of `more` that say something else than the fixes so far; the result is in the order
/// of the game.
pub fn add_fixes(fixes: &mut Vec<Fix>, more: Vec<Fix>) {
    for fix in more {
        if !fixes.iter().any(|known| known.content == fix.content) {
            fixes.push(fix);
        }
    }
    fixes.sort_by_key(Fix::order);
}
