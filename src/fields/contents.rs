//! Which words stand in each field, as far as their boxes tell, and which of these share no ink.

use serde::{Deserialize, Serialize};

use crate::header::WordBox;

use super::groups::group_words;
use super::lines::line_behind;
use super::{Field, Label, Parameters};

/// Tuned numbers that tell writing from the edges of paper and boxes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ValueParameters {
    /// Largest height of a word in rows.
    pub max_height_rows: f32,
    /// Smallest width of a word as a share of its height.
    pub min_aspect: f32,
    /// Smallest height of a number as a share of that of its label; what is lower is a speck.
    pub min_number_height: f32,
}

impl Default for ValueParameters {
    fn default() -> Self {
        Self {
            max_height_rows: 2.2,
            min_aspect: 0.12,
            min_number_height: 0.75,
        }
    }
}

impl ValueParameters {
    /// Whether a word may have been written into a field, by its size.
    pub(crate) fn is_likely(&self, word: &WordBox) -> bool {
        word.height() <= self.max_height_rows && word.width() >= self.min_aspect * word.height()
    }
}

/// Where one field stands.
#[derive(Debug, Clone)]
pub(crate) struct FieldPlace {
    /// The field that a label names.
    pub field: Field,
    /// Indices of the words behind the label; none where the field is empty.
    pub words: Vec<usize>,
    /// The box of the words, or that of the line behind the label where there are none.
    pub bounds: WordBox,
}

/// A word of a field, and the parts that the writer may have made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordWithParts {
    /// Its index.
    pub word: usize,
    /// Indices of words that share their ink with it and not with one another, from left to right.
    pub parts: Vec<usize>,
}

/// The places of all labelled fields, from top to bottom; two where two labels name one field.
pub(crate) fn locate_fields(
    words: &[WordBox],
    labels: &[Label],
    parameters: &Parameters,
) -> Vec<FieldPlace> {
    let groups = group_words(words, labels, &parameters.groups);
    let written = groups.into_iter().filter_map(|group| {
        Some(FieldPlace {
            field: group.field??,
            bounds: group.bounds,
            words: group.words,
        })
    });
    let mut places: Vec<FieldPlace> = written.collect();
    for label in labels {
        let Some(field) = label.field else { continue };
        let Some(bounds) = line_behind(&label.bounds, labels, &parameters.lines) else {
            continue;
        };
        if places.iter().all(|known| known.field != field) {
            places.push(FieldPlace {
                field,
                words: Vec::new(),
                bounds,
            });
        }
    }
    places.sort_by(|a, b| a.bounds.top.total_cmp(&b.bounds.top));
    places
}

/// Of some words (indices) those that share no ink, from left to right: of words that share more
/// than `max_shared` of the smaller one's box only the widest.
pub(crate) fn separate_words(
    words: &[WordBox],
    indices: &[usize],
    max_shared: f32,
) -> Vec<WordWithParts> {
    let mut rest = indices.to_vec();
    rest.sort_by(|&a, &b| words[b].width().total_cmp(&words[a].width()));
    let shares = |a: usize, b: usize| words[a].overlap(&words[b]) > max_shared;
    let from_left = |a: usize, b: usize| words[a].left.total_cmp(&words[b].left);
    let mut separate: Vec<WordWithParts> = Vec::new();
    for (i, &word) in rest.iter().enumerate() {
        if separate.iter().any(|other| shares(other.word, word)) {
            continue;
        }
        let mut parts: Vec<usize> = Vec::new();
        for &part in rest[i + 1..].iter().filter(|&&part| shares(part, word)) {
            if parts.iter().all(|&other| !shares(other, part)) {
                parts.push(part);
            }
        }
        parts.sort_by(|&a, &b| from_left(a, b));
        separate.push(WordWithParts { word, parts });
    }
    separate.sort_by(|a, b| from_left(a.word, b.word));
    separate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_word_stands_for_its_parts() {
        // From 0 to 3 a word, from 0 to 1 and from 1.2 to 3 its parts, and a word beside it.
        let words = [(1.2, 3.0), (0.0, 3.0), (0.0, 1.0), (3.5, 5.0)];
        let words = words.map(|(left, right)| WordBox {
            left,
            right,
            top: -2.0,
            bottom: -1.0,
        });
        let expected = [(1, vec![2, 0]), (3, vec![])];
        let expected = expected.map(|(word, parts)| WordWithParts { word, parts });
        assert_eq!(separate_words(&words, &[0, 1, 2, 3], 0.3), expected);
    }
}
