//! Round, board and date: the words of a field against the values that the event has.

use crate::fields::WordGroup;
use crate::reader::WordScorer;

use super::{HandwritingParameters, Scores};

/// Letters that the reader of words takes a handwritten 1 for.
const LETTERS_READ_FOR_ONE: &str = "il";
/// Signs that may stand in a number or date besides figures.
const NUMBER_SIGNS: &str = ".,/-:";

/// The scores of the event's values for a field, by one word of its group.
///
/// Of `13`, the parts `1` and `3` are words too, and a `3` may be joined with the edge of its
/// printed box. So only words that consist of figures and signs count, of these only those whose
/// best score is close to the best of all (`number_tolerance_nats`), and of these the widest
/// decides.
pub(super) fn score_number_field<T: PartialEq + Copy>(
    scorers: &[WordScorer],
    group: &WordGroup,
    values: impl Iterator<Item = T>,
    spell: impl Fn(T) -> Vec<String>,
    parameters: &HandwritingParameters,
) -> Option<Scores<T>> {
    let (min, max) = (parameters.min_number_nats, parameters.max_number_nats);
    let mut candidates: Vec<(T, Vec<String>)> = Vec::new();
    for value in values {
        if candidates.iter().all(|other| other.0 != value) {
            candidates.push((value, spell(value)));
        }
    }
    if candidates.is_empty() {
        return None;
    }
    let score_spellings = |scorer: &WordScorer, spellings: &[String]| {
        let scores = spellings
            .iter()
            .map(|text| scorer.score_against(max, text, min, max));
        scores.fold(min, f64::max)
    };
    let score_word = |scorer: &WordScorer| {
        let scores = candidates
            .iter()
            .map(|(_, spellings)| score_spellings(scorer, spellings));
        let scores: Vec<f64> = scores.collect();
        WordScores {
            width: scorer.bounds.width(),
            best: scores.iter().copied().fold(min, f64::max),
            scores,
        }
    };
    let words = group.words.iter().map(|&i| &scorers[i]);
    let words = words.filter(|scorer| is_number(&scorer.text));
    let mut words: Vec<WordScores> = words.map(score_word).collect();
    let best = words.iter().map(|word| word.best).fold(min, f64::max);
    words.retain(|word| word.best >= best - parameters.number_tolerance_nats);
    let widest = words
        .into_iter()
        .max_by(|a, b| a.width.total_cmp(&b.width))?;
    let values = candidates.into_iter().map(|(value, _)| value);
    Some(Scores::new(values.zip(widest.scores).collect(), min))
}

/// The scores of a word for every value.
struct WordScores {
    /// Width in rows of the move table.
    width: f32,
    /// The greatest of its scores, in nats.
    best: f64,
    /// A score (nats) for each value.
    scores: Vec<f64>,
}

/// Whether a text consists of figures and signs, with at least one figure.
fn is_number(text: &str) -> bool {
    let is_figure = |c: char| c.is_ascii_digit() || LETTERS_READ_FOR_ONE.contains(c);
    text.chars()
        .all(|c| is_figure(c) || NUMBER_SIGNS.contains(c))
        && text.chars().any(is_figure)
}
