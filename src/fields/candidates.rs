//! Which words may be printed labels, told from their boxes before any is read.

use serde::{Deserialize, Serialize};

use crate::header::{SkewedBox, WordBox};

use super::groups::vertical_overlap;

/// Tuned numbers with which words that may be labels are chosen; shares are of a word's height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CandidateParameters {
    /// Smallest width of a label as a share of its height.
    pub min_aspect: f32,
    /// Largest width of a label as a share of its height.
    pub max_aspect: f32,
    /// Largest height of a label in rows; titles are higher.
    pub max_height_rows: f32,
    /// Height in rows of the labels of most forms; candidates whose height is nearer to it, by its
    /// ratio, are read first.
    pub usual_height_rows: f32,
    /// Largest number of places at which a label may begin.
    pub max_places: usize,
    /// A label begins at most this far behind the beginning of a word that holds it.
    pub max_start_offset: f32,
    /// Smallest vertical overlap of a word with one that holds it or begins where it does, as a
    /// share of the lower one's height.
    pub min_line_overlap: f32,
    /// The higher of two such words is at most this many times as high as the lower one.
    pub max_height_ratio: f32,
    /// Segmentations up to this one leave gaps between words free: what begins within one of their
    /// words is a part of it.
    pub last_word_segmentation: usize,
}

impl Default for CandidateParameters {
    fn default() -> Self {
        Self {
            min_aspect: 1.4,
            max_aspect: 8.0,
            max_height_rows: 1.2,
            usual_height_rows: 0.45,
            max_places: 32,
            max_start_offset: 0.25,
            min_line_overlap: 0.6,
            max_height_ratio: 1.7,
            last_word_segmentation: 1,
        }
    }
}

/// The words (indices) that may be labels, those that begin at one place together, first the one
/// with the narrowest gaps.
pub(crate) fn find_label_candidates(
    words: &[SkewedBox],
    parameters: &CandidateParameters,
) -> Vec<Vec<usize>> {
    let aspect = |word: &WordBox| word.width() / word.height().max(1e-6);
    let is_word = |word: &SkewedBox| word.segmentation <= parameters.last_word_segmentation;
    // Print beside a frame or below a stroke is no part of a word that holds these.
    let on_line = |a: &WordBox, b: &WordBox| {
        let (low, high) = (a.height().min(b.height()), a.height().max(b.height()));
        vertical_overlap(a, b) > parameters.min_line_overlap
            && high <= parameters.max_height_ratio * low
    };
    let is_part = |word: &WordBox| {
        let offset = parameters.max_start_offset * word.height();
        words.iter().any(|other| {
            let (whole, is_word) = (&other.bounds, is_word(other));
            is_word
                && whole.left < word.left - offset
                && whole.right > word.left + offset
                && on_line(whole, word)
        })
    };
    let mut indices: Vec<usize> = (0..words.len()).collect();
    indices.retain(|&i| {
        let word = &words[i].bounds;
        (parameters.min_aspect..=parameters.max_aspect).contains(&aspect(word))
            && word.height() <= parameters.max_height_rows
            && !is_part(word)
    });
    indices.sort_by(|&a, &b| {
        let [wide_a, wide_b] = [a, b].map(|i| words[i].bounds.width());
        let order = words[a].segmentation.cmp(&words[b].segmentation);
        order.then(wide_a.total_cmp(&wide_b))
    });
    let mut places: Vec<Vec<usize>> = Vec::new();
    for i in indices {
        let word = &words[i].bounds;
        let begins_with = |place: &&mut Vec<usize>| {
            let first = &words[place[0]].bounds;
            (first.left - word.left).abs() <= parameters.max_start_offset * word.height()
                && on_line(first, word)
        };
        match places.iter_mut().find(begins_with) {
            Some(place) => place.push(i),
            None => places.push(vec![i]),
        }
    }
    let unusual = |place: &Vec<usize>| {
        let height = words[place[0]].bounds.height() / parameters.usual_height_rows;
        height.max(1e-6).ln().abs()
    };
    places.sort_by(|a, b| unusual(a).total_cmp(&unusual(b)));
    places.truncate(parameters.max_places);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_within_a_word_or_is_no_line_of_print_is_no_label() {
        // `Round 3` by two segmentations, the end of a word and the word, a title, and an edge.
        let words = [
            (0.0, 4.0, -2.0, 2),
            (0.0, 2.0, -2.0, 0),
            (9.0, 11.0, -2.0, 0),
            (7.0, 11.0, -2.0, 1),
            (0.0, 9.0, -6.0, 0),
            (14.0, 14.3, -2.0, 0),
        ];
        let words = words.map(|(left, right, top, segmentation)| {
            let height = if top < -5.0 { 2.0 } else { 0.6 };
            let bounds = WordBox {
                left,
                right,
                top,
                bottom: top + height,
            };
            SkewedBox::level(bounds, segmentation)
        });
        let mut places = find_label_candidates(&words, &CandidateParameters::default());
        places.sort();
        assert_eq!(places, [vec![1, 0], vec![3]]);
    }
}
