//! Which words of a header stand in one field, and behind which label, by their boxes alone.

use serde::{Deserialize, Serialize};

use crate::header::WordBox;

use super::{Field, Label};

/// Tuned numbers with which words are grouped to fields, chosen by eye on the development pages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroupParameters {
    /// A word that shares at least this much of the smaller box with a label is that label.
    pub min_label_overlap: f32,
    /// Largest gap in rows between two words of one field that has no label.
    pub max_gap_rows: f32,
    /// Smallest vertical overlap of two words of one field that has no label, as a share of the
    /// lower one's height.
    pub min_line_overlap: f32,
    /// Largest gap in rows between two words of one field that has a label.
    pub max_labelled_gap_rows: f32,
    /// Largest gap in rows from a label to a word on its line.
    pub max_label_gap_rows: f32,
    /// Rows by which a word may begin before its label's right edge.
    pub max_label_intrusion_rows: f32,
    /// Largest distance of a word's foot from the line of its label, as a share of the higher
    /// one's height.
    pub max_foot_offset: f32,
    /// A word's foot may lie above its lower edge by up to twice this share of its height:
    /// descenders.
    pub descender: f32,
    /// What a row between a word and its label counts beside the offset of the foot.
    pub gap_weight_per_row: f32,
    /// Steepest slope (dy/dx) of the header's lines that is tried.
    pub max_slope: f32,
    /// Number of slopes that are tried between 0 and the steepest, rising and falling each.
    pub slope_steps: u32,
    /// Largest gap in rows from a label down to a word written under it.
    pub max_below_label_rows: f32,
    /// Rows by which a word written under a label may reach up beside it.
    pub max_below_label_overlap_rows: f32,
}

impl Default for GroupParameters {
    fn default() -> Self {
        Self {
            min_label_overlap: 0.5,
            max_gap_rows: 1.8,
            min_line_overlap: 0.35,
            max_labelled_gap_rows: 3.5,
            max_label_gap_rows: 12.0,
            max_label_intrusion_rows: 0.5,
            max_foot_offset: 0.3,
            descender: 0.15,
            gap_weight_per_row: 0.02,
            max_slope: 0.08,
            slope_steps: 8,
            max_below_label_rows: 1.3,
            max_below_label_overlap_rows: 0.3,
        }
    }
}

/// Words that stand on one line without a label between them.
pub(crate) struct WordGroup {
    /// Indices of the words, from left to right.
    pub words: Vec<usize>,
    /// The box of all of them.
    pub bounds: WordBox,
    /// What the label says that they stand behind: none without a label, `Some(None)` for a label
    /// of a field that is not used.
    pub field: Option<Option<Field>>,
}

/// Vertical overlap of two boxes as a share of the lower one's height; negative where one lies
/// above the other.
pub(crate) fn vertical_overlap(a: &WordBox, b: &WordBox) -> f32 {
    let shared = a.bottom.min(b.bottom) - a.top.max(b.top);
    shared / (a.bottom - a.top).min(b.bottom - b.top).max(1e-6)
}

/// The words that are no labels, grouped by the label that they stand behind, or else by their
/// line; groups from top to bottom, then from left to right.
pub(crate) fn group_words(
    words: &[WordBox],
    labels: &[Label],
    parameters: &GroupParameters,
) -> Vec<WordGroup> {
    let mut free: Vec<usize> = (0..words.len()).collect();
    free.retain(|&i| {
        let no_label =
            |label: &Label| words[i].overlap(&label.bounds) < parameters.min_label_overlap;
        labels.iter().all(no_label)
    });
    free.sort_by(|&a, &b| words[a].left.total_cmp(&words[b].left));
    let boxes: Vec<WordBox> = free.iter().map(|&i| words[i]).collect();
    let slope = estimate_slope(&boxes, labels, parameters);
    let mut groups: Vec<WordGroup> = Vec::new();
    let mut group_of_label: Vec<Option<usize>> = vec![None; labels.len()];
    for i in free {
        let word = words[i];
        let label = label_of(&word, labels, slope, parameters);
        let labelled = label.and_then(|k| group_of_label[k]);
        let label = label.filter(|_| {
            let gap = |k: usize| word.left - groups[k].bounds.right;
            labelled.is_none_or(|k| gap(k) <= parameters.max_labelled_gap_rows)
        });
        let group = match label {
            Some(_) => labelled,
            None => groups
                .iter()
                .position(|group| continues(group, &word, words, parameters)),
        };
        if let Some(group) = group.map(|k| &mut groups[k]) {
            group.words.push(i);
            group.bounds = group.bounds.union(&word);
            continue;
        }
        if let Some(k) = label {
            group_of_label[k] = Some(groups.len());
        }
        groups.push(WordGroup {
            words: vec![i],
            bounds: word,
            field: label.map(|k| labels[k].field),
        });
    }
    groups.sort_by(|a, b| {
        let (a, b) = (a.bounds, b.bounds);
        a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
    });
    groups
}

/// Whether a word follows one of a group without a label, on its line and close by.
fn continues(
    group: &WordGroup,
    word: &WordBox,
    words: &[WordBox],
    parameters: &GroupParameters,
) -> bool {
    let follows = |before: &WordBox| {
        vertical_overlap(before, word) > parameters.min_line_overlap
            && word.left - before.right <= parameters.max_gap_rows
    };
    group.field.is_none() && group.words.iter().any(|&j| follows(&words[j]))
}

/// The label that a word stands behind: the nearest on its line to the left, or else the nearest
/// above it.
fn label_of(
    word: &WordBox,
    labels: &[Label],
    slope: f32,
    parameters: &GroupParameters,
) -> Option<usize> {
    let left = labels.iter().enumerate().filter_map(|(k, label)| {
        let offset = foot_offset(word, &label.bounds, slope, parameters)?;
        let gap = (word.left - label.bounds.right).max(0.0);
        let cost = offset + parameters.gap_weight_per_row * gap;
        (offset <= parameters.max_foot_offset).then_some((k, cost))
    });
    let max_below = parameters.max_below_label_rows;
    let above = labels.iter().enumerate().filter_map(|(k, label)| {
        let gap = word.top - label.bounds.bottom;
        let below = label.bounds.left < word.right && word.left - max_below < label.bounds.right;
        let near = (-parameters.max_below_label_overlap_rows..max_below).contains(&gap);
        (near && below).then_some((k, gap))
    });
    let nearest = left.min_by(|a, b| a.1.total_cmp(&b.1));
    let nearest = nearest.or_else(|| above.min_by(|a, b| a.1.total_cmp(&b.1)));
    nearest.map(|(k, _)| k)
}

/// Distance of a word's foot from the line on which a label to its left stands, as a share of the
/// higher one's height; none where the label is not to its left or too far away.
///
/// The foot may be anywhere from the lower edge up to twice `descender` x height above it.
fn foot_offset(
    word: &WordBox,
    label: &WordBox,
    slope: f32,
    parameters: &GroupParameters,
) -> Option<f32> {
    let gap = word.left - label.right;
    let between_centres = (word.left + word.right - label.left - label.right) / 2.0;
    let line = label.bottom + slope * between_centres;
    let high = (word.bottom - word.top).max(label.bottom - label.top);
    let descender = parameters.descender * (word.bottom - word.top);
    let offset = (line - (word.bottom - descender)).abs() - descender;
    (-parameters.max_label_intrusion_rows..parameters.max_label_gap_rows)
        .contains(&gap)
        .then_some(offset.max(0.0) / high.max(1e-6))
}

/// Slope (dy/dx) of the header's lines: the one that minimises the sum over all words of
/// width x distance of the foot from the nearest label's line.
fn estimate_slope(words: &[WordBox], labels: &[Label], parameters: &GroupParameters) -> f32 {
    let cost = |slope: f32| -> f32 {
        let of_word = |word: &WordBox| {
            let offsets = labels
                .iter()
                .filter_map(|label| foot_offset(word, &label.bounds, slope, parameters));
            (word.right - word.left) * offsets.fold(parameters.max_foot_offset, f32::min)
        };
        words.iter().map(of_word).sum()
    };
    // The least steep first, so that it wins where two are equally good.
    let steps = (0..=parameters.slope_steps).flat_map(|k| [k as f32, -(k as f32)]);
    let slopes = steps.map(|k| k * parameters.max_slope / parameters.slope_steps as f32);
    let costs = slopes.map(|slope| (slope, cost(slope)));
    let best = costs.reduce(|a, b| if b.1 < a.1 { b } else { a });
    best.map_or(0.0, |best| best.0)
}
