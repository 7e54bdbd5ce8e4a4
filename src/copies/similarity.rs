//! Whether two sheets record one game, by their texts.

use super::Parameters;
use super::alignment::{Pair, align_cells};
use super::cell_text::CellText;

/// What is compared of a sheet.
pub(super) struct SheetTexts<'a> {
    /// The texts of its cells.
    pub texts: Vec<CellText<'a>>,
    /// Whether the last row is written in.
    pub is_full: bool,
}

impl SheetTexts<'_> {
    /// Whether the sheet has so few cells that another game may be alike as far as it goes.
    pub fn has_few_cells(&self, parameters: &Parameters) -> bool {
        let min_cells = if self.is_full {
            parameters.min_cells_of_full_copy
        } else {
            parameters.min_cells_of_stopped_copy
        };
        self.texts.len() < min_cells
    }
}

/// How sure it is that two sheets are of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// They are of different games, as far as the texts tell.
    None,
    /// One has few cells, all of them like the first ones of the other, which goes on for long.
    Beginning,
    /// They are alike and of nearly the same length, but the shorter one has few cells.
    Few,
    /// They are rather alike.
    Likely,
    /// They are alike beyond doubt.
    Sure,
}

/// Compares two sheets by their texts.
pub(super) fn compare(a: &SheetTexts, b: &SheetTexts, parameters: &Parameters) -> Similarity {
    let a_is_shorter = a.texts.len() <= b.texts.len();
    let shorter = if a_is_shorter { a } else { b };
    let length = shorter.texts.len();
    if length == 0 {
        return Similarity::None;
    }
    let (a, b): (&[CellText], &[CellText]) = (&a.texts, &b.texts);
    let texts = common_share(a, b, |a, b| a.text == b.text);
    let is_comparable = texts >= parameters.min_common_texts
        || common_share(a, b, CellText::has_square_of) >= parameters.min_common_squares;
    if !is_comparable {
        return Similarity::None;
    }
    let likeness = |i: usize, j: usize| a[i].likeness(&b[j], parameters.same_line_likeness);
    let lengths = (a.len(), b.len());
    let (gain, pairs) = align_cells(lengths, parameters.max_lag_cells, parameters, likeness);
    let gain = gain / length as f32;
    let later = later_half(&pairs);
    let sum: f32 = later
        .iter()
        .map(|&(i, j)| i.zip(j).map_or(0.0, |(i, j)| likeness(i, j)))
        .sum();
    let stays_alike = sum >= parameters.min_later_likeness * later.len() as f32;
    if gain < parameters.min_gain || !stays_alike {
        Similarity::None
    } else if shorter.has_few_cells(parameters) {
        if a.len().abs_diff(b.len()) > parameters.max_lag_cells {
            Similarity::Beginning
        } else {
            Similarity::Few
        }
    } else if gain < parameters.min_sure_gain {
        Similarity::Likely
    } else {
        Similarity::Sure
    }
}

/// How many cells of one sheet have something in common with a cell of the other at most two cells
/// up or down, by the number of cells of the shorter sheet.
fn common_share<'a>(
    a: &[CellText<'a>],
    b: &[CellText<'a>],
    is_common: impl Fn(&CellText<'a>, &CellText<'a>) -> bool,
) -> f32 {
    let has_common = |i: usize| {
        let near = b.get(i.saturating_sub(2)..b.len().min(i + 3));
        near.is_some_and(|near| near.iter().any(|other| is_common(&a[i], other)))
    };
    (0..a.len()).filter(|&i| has_common(i)).count() as f32 / a.len().min(b.len()) as f32
}

/// The second half of an alignment up to the last cell that both sheets have.
fn later_half(pairs: &[Pair]) -> &[Pair] {
    match pairs.iter().rposition(|p| p.0.is_some() && p.1.is_some()) {
        Some(last) => &pairs[last.div_ceil(2)..=last],
        None => &[],
    }
}
