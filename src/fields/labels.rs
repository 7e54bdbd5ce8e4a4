//! Which words of a page are printed labels.

use serde::{Deserialize, Serialize};

use crate::reader::WordScorer;

use super::groups::vertical_overlap;
use super::vocabulary::printed_labels;
use super::{Field, Label};

/// Tuned numbers with which words are recognised as labels, chosen by eye on the development pages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelParameters {
    /// Smallest log-likelihood ratio, in nats, at which a word is taken for a label.
    pub min_score_nats: f64,
    /// Lower bound of a word's log-likelihood ratio for any one label, in nats.
    pub score_floor_nats: f64,
    /// Two labels may share less than this much of the smaller one's box; of two that share more,
    /// the less likely is dropped.
    pub max_overlap: f32,
    /// Smallest vertical overlap of two words on one line, as a share of the lower one's height.
    pub min_line_overlap: f32,
    /// A label that starts within so many heights behind the label of another field is what was
    /// written there: a player may be called `Bianco`.
    pub max_value_gap_heights: f32,
}

impl Default for LabelParameters {
    fn default() -> Self {
        Self {
            min_score_nats: 3.0,
            score_floor_nats: -2.5,
            max_overlap: 0.3,
            min_line_overlap: 0.5,
            max_value_gap_heights: 2.0,
        }
    }
}

/// The words that are labels, the likeliest first; of several that share their ink only the
/// likeliest.
pub(crate) fn find_labels(words: &[WordScorer], parameters: &LabelParameters) -> Vec<Label> {
    let mut scored: Vec<(f64, Label)> = Vec::new();
    for word in words {
        if let Some((score, field)) = best_label(word, parameters) {
            let bounds = word.bounds;
            scored.push((score, Label { bounds, field }));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut labels: Vec<Label> = Vec::new();
    for (_, label) in scored {
        let disjoint = |other: &Label| label.bounds.overlap(&other.bounds) < parameters.max_overlap;
        if labels.iter().all(disjoint) {
            labels.push(label);
        }
    }
    let values: Vec<bool> = labels
        .iter()
        .map(|a| labels.iter().any(|b| is_value_of(a, b, parameters)))
        .collect();
    let mut values = values.into_iter();
    labels.retain(|_| values.next() != Some(true));
    labels
}

/// The likeliest label for a word and its log-likelihood ratio in nats; none below the threshold.
/// Of equally likely ones the last.
fn best_label(word: &WordScorer, parameters: &LabelParameters) -> Option<(f64, Option<Field>)> {
    let mut best = None;
    let mut floor = parameters.min_score_nats;
    for (field, label) in printed_labels() {
        if let Some(score) = word.score_from(floor, label, parameters.score_floor_nats) {
            (best, floor) = (Some((score, *field)), score);
        }
    }
    best
}

/// Whether the first stands right behind the second, which is the label of another field.
fn is_value_of(value: &Label, label: &Label, parameters: &LabelParameters) -> bool {
    let gap = value.bounds.left - label.bounds.right;
    let max_gap = label.bounds.height() * parameters.max_value_gap_heights;
    let two_fields = value.field.is_some() && label.field.is_some() && value.field != label.field;
    two_fields
        && vertical_overlap(&value.bounds, &label.bounds) > parameters.min_line_overlap
        && (0.0..max_gap).contains(&gap)
}
