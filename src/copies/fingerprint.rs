//! The texts of a sheet, by which its copies are found.

use super::cell_text::CellText;
use super::similarity::{SheetTexts, Similarity, compare};
use super::{Parameters, inked_cells};
use crate::reader::Reading;

/// Signs that some players leave out. A line break is no part of a text either, since it ends one
/// in a fingerprint.
const OPTIONAL_SIGNS: [char; 10] = ['+', '#', '=', '!', '?', '-', '.', ':', 'x', '\n'];

/// The texts of the cells with ink of a sheet, in little memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFingerprint {
    /// Each text without optional signs, with a line break behind it.
    lines: Box<str>,
    /// Whether the last row is written in.
    is_full: bool,
}

impl TextFingerprint {
    /// The fingerprint of the readings of a sheet.
    pub fn new(sheet: &[Reading]) -> Self {
        let line = |text: &str| text.replace(OPTIONAL_SIGNS, "") + "\n";
        let lines: String = inked_cells(sheet).map(|i| line(&sheet[i].text)).collect();
        let last = sheet.last().map(|reading| reading.id.number);
        let in_last = |i: usize| Some(sheet[i].id.number) == last && !sheet[i].text.is_empty();
        Self {
            lines: lines.into(),
            is_full: inked_cells(sheet).any(in_last),
        }
    }

    /// The fingerprint of this sheet and the one that continues it.
    #[must_use]
    pub fn join(&self, next: &Self) -> Self {
        Self {
            lines: [&*self.lines, &*next.lines].concat().into(),
            is_full: next.is_full,
        }
    }

    /// How sure the texts make it that both sheets are of one game.
    pub fn compare(&self, other: &Self, parameters: &Parameters) -> Similarity {
        compare(&self.legible_texts(), &other.legible_texts(), parameters)
    }

    /// Whether the texts allow that both sheets are of one game and of about the same length.
    pub fn is_same_game(&self, other: &Self, parameters: &Parameters) -> bool {
        let similarity = self.compare(other, parameters);
        !matches!(similarity, Similarity::None | Similarity::Beginning)
    }

    /// The texts of the cells in which something is read: specks in the empty rows of two forms are
    /// no moves in common.
    pub(super) fn legible_texts(&self) -> SheetTexts<'_> {
        let mut texts = self.texts();
        texts.retain(|cell| !cell.text.is_empty());
        SheetTexts {
            texts,
            is_full: self.is_full,
        }
    }

    /// The texts of all cells with ink.
    pub(super) fn texts(&self) -> Vec<CellText<'_>> {
        self.lines
            .split_terminator('\n')
            .map(CellText::new)
            .collect()
    }
}
