//! Which sheets record the same game, and how their cells lie side by side: by what is read, before
//! any chess.
//!
//! Two copies hold the same moves in the same order but for slips, so their readings are aligned as
//! strings are (Needleman and Wunsch 1970), with a cell in place of a character. Rows skipped or
//! written twice in one copy are gaps. The copies may be in different languages or notations:
//! `Pdxe5`, `de5` and `e4:Be5` have the square in common.

mod alignment;
mod cell_text;
mod fingerprint;
mod parameters;
mod similarity;

use rayon::prelude::*;

use self::alignment::align_cells;
use self::cell_text::CellText;
use self::similarity::{SheetTexts, compare};
use crate::reader::Reading;

pub use fingerprint::TextFingerprint;
pub use parameters::Parameters;
pub use similarity::Similarity;

/// For each slot of the record, the index of each copy's cell in it.
pub type Slots = Vec<Vec<Option<usize>>>;

/// Why the texts of two sheets that are alike do not show that they record one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// They are hardly legible.
    Legibility,
    /// The shorter one has few cells, and games share their openings.
    Length,
}

/// Groups sheets of the same game; the sheets of a group and the groups are in the order of the
/// input. `printed` says whether two sheets, by their indices, were printed for one game, where
/// that is known: such sheets are copies unless their texts contradict each other, and those of
/// different games are none unless their texts leave no doubt. Else, where the texts leave a doubt,
/// `confirm` decides.
pub fn group(
    sheets: &[&TextFingerprint],
    parameters: &Parameters,
    printed: impl Fn(usize, usize) -> Option<bool> + Sync,
    confirm: impl Fn(usize, usize, Doubt) -> bool + Sync,
) -> Vec<Vec<usize>> {
    let texts: Vec<SheetTexts> = sheets.iter().map(|sheet| sheet.legible_texts()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in 0..texts.len() {
        let is_copy_of = |j: usize| {
            let similarity = compare(&texts[j], &texts[i], parameters);
            match (printed(j, i), similarity) {
                (_, Similarity::Sure) => true,
                (Some(true), Similarity::None) => {
                    // Too little is written to contradict what is printed.
                    let cells = texts[j].texts.len().min(texts[i].texts.len());
                    cells < parameters.min_cells_to_contradict
                }
                (Some(true), _) => true,
                (_, Similarity::None | Similarity::Beginning) | (Some(false), Similarity::Few) => {
                    false
                }
                (None, Similarity::Few) => confirm(j, i, Doubt::Length),
                (_, Similarity::Likely) => confirm(j, i, Doubt::Legibility),
            }
        };
        let group = groups
            .par_iter()
            .position_first(|group| group.iter().any(|&j| is_copy_of(j)));
        match group {
            Some(group) => groups[group].push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

/// The pairs of sheets that are alike as far as the shorter one goes, which has few cells: the
/// shorter one's index, then the other's. They may be copies, or games with the same opening.
pub fn find_same_beginnings(
    sheets: &[&TextFingerprint],
    parameters: &Parameters,
) -> Vec<(usize, usize)> {
    let texts: Vec<SheetTexts> = sheets.iter().map(|sheet| sheet.legible_texts()).collect();
    let begins_alike = |&(a, b): &(usize, usize)| {
        let similarity = compare(&texts[a], &texts[b], parameters);
        matches!(similarity, Similarity::Few | Similarity::Beginning)
    };
    let pairs = (0..texts.len()).into_par_iter().flat_map_iter(|b| {
        let shorter_first = |a: usize| match texts[a].texts.len() <= texts[b].texts.len() {
            true => (a, b),
            false => (b, a),
        };
        let pairs = (0..b).map(shorter_first);
        let pairs = pairs.filter(|pair| texts[pair.0].has_few_cells(parameters));
        pairs.filter(begins_alike).collect::<Vec<_>>()
    });
    pairs.collect()
}

/// Aligns the inked cells of copies. Of a single sheet every cell is a slot, blank or not.
pub fn align(copies: &[&[Reading]], parameters: &Parameters) -> Slots {
    if let [only] = copies {
        return (0..only.len()).map(|i| vec![Some(i)]).collect();
    }
    let fingerprints: Vec<TextFingerprint> = copies
        .iter()
        .map(|copy| TextFingerprint::new(copy))
        .collect();
    let mut slots: Slots = Vec::new();
    // The texts of all copies so far in each slot.
    let mut slot_texts: Vec<Vec<CellText>> = Vec::new();
    for (n, copy) in copies.iter().enumerate() {
        let inked: Vec<usize> = inked_cells(copy).collect();
        let texts = fingerprints[n].texts();
        let likeness = |a: usize, b: usize| {
            let texts_before = slot_texts[a].iter();
            let likeness =
                texts_before.map(|text| text.likeness(&texts[b], parameters.same_line_likeness));
            likeness.fold(0.0, f32::max)
        };
        let lengths = (slot_texts.len(), texts.len());
        let band = parameters.max_lag_cells.max(lengths.0.abs_diff(lengths.1));
        let (_, pairs) = align_cells(lengths, band, parameters, likeness);
        let (mut joined, mut joined_texts) = (Slots::new(), Vec::new());
        for (a, b) in pairs {
            let mut slot = a.map_or_else(|| vec![None; n], |a| slots[a].clone());
            let mut text = a.map_or_else(Vec::new, |a| slot_texts[a].clone());
            slot.push(b.map(|b| inked[b]));
            text.extend(b.map(|b| texts[b]));
            joined.push(slot);
            joined_texts.push(text);
        }
        (slots, slot_texts) = (joined, joined_texts);
    }
    slots
}

/// Indices of the cells with ink.
fn inked_cells(sheet: &[Reading]) -> impl Iterator<Item = usize> {
    (0..sheet.len()).filter(|&i| sheet[i].state.has_ink())
}

#[cfg(test)]
mod tests;
