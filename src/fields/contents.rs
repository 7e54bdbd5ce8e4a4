//! What is written in each field, as words that share no ink.

use crate::header::WordBox;
use crate::reader::{WordReading, WordScorer};

use super::groups::group_words;
use super::labels::find_labels;
use super::lines::line_behind;
use super::{Field, Parameters};

/// What stands behind one label.
pub(crate) struct FieldContents {
    /// The field that the label names.
    pub field: Field,
    /// The words from left to right; none where the field is empty. No two share their ink.
    pub words: Vec<WordScorer>,
    /// The box of the words, or that of the line behind the label where there are none.
    pub bounds: WordBox,
}

/// The contents of all labelled fields, from top to bottom; two where two labels name one field.
pub(crate) fn find_contents(words: &[WordReading], parameters: &Parameters) -> Vec<FieldContents> {
    let scorers: Vec<WordScorer> = words.iter().map(WordReading::scorer).collect();
    let labels = find_labels(&scorers, &parameters.labels);
    let boxes: Vec<WordBox> = scorers.iter().map(|scorer| scorer.bounds).collect();
    let groups = group_words(&boxes, &labels, &parameters.groups);
    let written = groups.iter().filter_map(|group| {
        let words = group.words.iter().map(|&i| scorers[i].clone()).collect();
        let words = separate_words(words, parameters.max_shared_ink);
        Some(FieldContents {
            field: group.field??,
            bounds: group.bounds,
            words,
        })
    });
    let mut contents: Vec<FieldContents> = written.collect();
    for label in &labels {
        let Some(field) = label.field else { continue };
        let Some(bounds) = line_behind(&label.bounds, &labels, &parameters.lines) else {
            continue;
        };
        if contents.iter().all(|known| known.field != field) {
            contents.push(FieldContents {
                field,
                words: Vec::new(),
                bounds,
            });
        }
    }
    contents.sort_by(|a, b| a.bounds.top.total_cmp(&b.bounds.top));
    contents
}

/// Of words that share more than `max_shared` of the smaller one's box only the widest, from left
/// to right. Where narrower ones read together as it does, they stand in its place, since they show
/// where the writer left a gap.
fn separate_words(mut words: Vec<WordScorer>, max_shared: f32) -> Vec<WordScorer> {
    words.sort_by(|a, b| b.bounds.width().total_cmp(&a.bounds.width()));
    let shares = |a: &WordScorer, b: &WordScorer| a.bounds.overlap(&b.bounds) > max_shared;
    let mut separate: Vec<WordScorer> = Vec::new();
    let mut rest = words.as_slice();
    while let [word, narrower @ ..] = rest {
        rest = narrower;
        if separate.iter().any(|other| shares(other, word)) {
            continue;
        }
        let mut parts: Vec<&WordScorer> = Vec::new();
        for part in narrower.iter().filter(|part| shares(part, word)) {
            if parts.iter().all(|other| !shares(other, part)) {
                parts.push(part);
            }
        }
        parts.sort_by(|a, b| a.bounds.left.total_cmp(&b.bounds.left));
        let joined: String = parts.iter().map(|part| part.text.as_str()).collect();
        if parts.len() > 1 && joined == word.text {
            separate.extend(parts.into_iter().cloned());
        } else {
            separate.push(word.clone());
        }
    }
    separate.sort_by(|a, b| a.bounds.left.total_cmp(&b.bounds.left));
    separate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of words that are read without doubt, each given with its left and right edge.
    fn separate(words: &[(f32, f32, &str)]) -> Vec<String> {
        let words = words.iter().map(|&(left, right, text)| {
            let bounds = WordBox {
                left,
                right,
                top: -2.0,
                bottom: -1.0,
            };
            WordReading::certain(bounds, text).scorer()
        });
        let separate = separate_words(words.collect(), 0.3);
        separate.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn the_widest_word_stands_for_its_parts() {
        let words = [
            (0.0, 3.0, "rossetti"),
            (0.0, 1.0, "ros"),
            (1.2, 3.0, "seth"),
        ];
        assert_eq!(separate(&words), ["rossetti"]);
    }

    #[test]
    fn parts_that_read_as_the_whole_show_the_gap() {
        let words = [
            (2.0, 4.0, "matos"),
            (0.0, 4.0, "ruimatos"),
            (0.0, 1.5, "rui"),
        ];
        assert_eq!(separate(&words), ["rui", "matos"]);
    }
}
