//! The name fields: which groups hold the two players' names, and how well each player fits them.

use crate::event::names::{name_spellings, split_name};
use crate::fields::{Field, WordGroup, vertical_overlap};
use crate::reader::WordScorer;

use super::{HandwritingParameters, Scores, may_hold_name};

/// The words of a player's name, in lower case without accents.
pub(super) struct PlayerNameWords {
    /// The words that may be the last name: all words if the name has no comma.
    last: Vec<String>,
    /// The words that may be a first name.
    first: Vec<String>,
    /// The spellings of the whole name without spaces, for a name that was read as one word.
    whole: Vec<String>,
}

/// The score of the word of a group of words that fits best one of several texts.
struct BestWord {
    /// Score in nats.
    score: f64,
    /// Index of the word among all words of the sheet.
    word: usize,
    /// Index of the text.
    text: usize,
}

impl PlayerNameWords {
    /// The words of a name as the report file has it.
    pub(super) fn new(name: &str) -> Self {
        let mut whole: Vec<String> = name_spellings(name);
        whole.retain(|spelling| spelling.contains(' '));
        whole.iter_mut().for_each(|s| s.retain(|c| c != ' '));
        match name.split_once(',') {
            Some((last, first)) => {
                let mut last = split_name(last);
                if last.len() > 1 {
                    last.push(last.concat());
                }
                Self {
                    last,
                    first: split_name(first),
                    whole,
                }
            }
            None => Self {
                last: split_name(name),
                first: split_name(name),
                whole,
            },
        }
    }

    /// Log-likelihood ratio (nats) of a group of words holding this name against its holding no
    /// player's.
    ///
    /// It is the greater of two readings: the last name, plus a first name or an initial in another
    /// word; and the whole name as one word.
    fn score(
        &self,
        scorers: &[WordScorer],
        group: &WordGroup,
        parameters: &HandwritingParameters,
    ) -> f64 {
        let HandwritingParameters {
            min_last_name_nats: min_last,
            max_last_name_nats: max_last,
            min_first_name_nats: min_first,
            max_first_name_nats: max_first,
            max_initial_nats: max_initial,
            max_name_word_overlap: max_overlap,
            ..
        } = *parameters;
        let Some(last) = best_word(scorers, group, &self.last, min_last, max_last, |_, _| true)
        else {
            return min_last;
        };
        let last_text = self.last[last.text].as_str();
        let last_bounds = scorers[last.word].bounds;
        let is_other_word = |word: usize, text: &str| {
            text != last_text && scorers[word].bounds.overlap(&last_bounds) <= max_overlap
        };
        let initials = self.first.iter().filter_map(|word| word.get(..1));
        let initials: Vec<String> = initials.map(str::to_owned).collect();
        let with_dot = initials.iter().map(|letter| format!("{letter}."));
        let with_dot: Vec<String> = with_dot.collect();
        let first_scores = [
            (&initials, max_initial),
            (&with_dot, max_initial),
            (&self.first, max_first),
        ]
        .into_iter()
        .filter_map(|(texts, max)| best_word(scorers, group, texts, min_first, max, is_other_word))
        .map(|best| best.score);
        let separate = last.score + first_scores.reduce(f64::max).unwrap_or(0.0);
        let whole = best_word(scorers, group, &self.whole, min_last, max_last, |_, _| true);
        whole.map_or(separate, |whole| whole.score.max(separate))
    }
}

/// The word of a group of words that fits one of the texts best, with scores between `min` and
/// `max` (nats), among the words and texts that are `allowed`.
fn best_word(
    scorers: &[WordScorer],
    group: &WordGroup,
    texts: &[String],
    min: f64,
    max: f64,
    allowed: impl Fn(usize, &str) -> bool,
) -> Option<BestWord> {
    let mut best: Option<BestWord> = None;
    for (text_index, text) in texts.iter().enumerate() {
        for &word in group.words.iter().filter(|&&word| allowed(word, text)) {
            let score = scorers[word].score(text, min, max);
            if best.as_ref().is_none_or(|b| score > b.score) {
                best = Some(BestWord {
                    score,
                    word,
                    text: text_index,
                });
            }
        }
    }
    best
}

/// Finds the groups that hold the names of White and Black, and scores all players there.
///
/// A group of words with the label of a colour has that colour. Groups without a label are used
/// from top to bottom for the colours that are left, if a player fits them well enough.
pub(super) fn score_player_fields(
    scorers: &[WordScorer],
    groups: &[WordGroup],
    names: &[PlayerNameWords],
    parameters: &HandwritingParameters,
) -> [Option<Scores<usize>>; 2] {
    let score_group = |group: &WordGroup| -> Vec<f64> {
        let scores = names
            .iter()
            .map(|name| name.score(scorers, group, parameters));
        scores.collect()
    };
    let scores: Vec<Vec<f64>> = groups.iter().map(score_group).collect();
    let best_scores = scores
        .iter()
        .map(|scores| scores.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let best_scores: Vec<f64> = best_scores.collect();
    choose_name_groups(groups, &best_scores, parameters).map(|group| {
        let candidates = scores[group?].iter().copied().enumerate().collect();
        Some(Scores::new(candidates, parameters.min_last_name_nats))
    })
}

/// The groups of White's and of Black's name. `best_scores` has the score (nats) of the best player
/// for each group.
fn choose_name_groups(
    groups: &[WordGroup],
    best_scores: &[f64],
    parameters: &HandwritingParameters,
) -> [Option<usize>; 2] {
    let holds_name = |i: usize| best_scores[i] >= parameters.min_unlabelled_name_nats;
    let best_labelled = |field: Field| {
        let labelled = (0..groups.len()).filter(|&i| groups[i].field == Some(Some(field)));
        labelled.max_by(|&a, &b| best_scores[a].total_cmp(&best_scores[b]))
    };
    let labelled = [Field::White, Field::Black].map(best_labelled);
    let labelled_with_name = labelled.map(|group| group.filter(|&i| holds_name(i)));
    let mut unlabelled: Vec<usize> = (0..groups.len())
        .filter(|&i| groups[i].field.flatten().is_none())
        .filter(|&i| may_hold_name(&groups[i], parameters) && holds_name(i))
        .filter(|&i| {
            let overlap = |&other: &usize| groups[i].bounds.overlap(&groups[other].bounds);
            let mut labelled = labelled_with_name.iter().flatten();
            labelled.all(|other| overlap(other) < parameters.same_group_overlap)
        })
        .collect();
    unlabelled.sort_by(|&a, &b| groups[a].bounds.top.total_cmp(&groups[b].bounds.top));
    if let [first, second, ..] = unlabelled[..] {
        let (a, b) = (groups[first].bounds, groups[second].bounds);
        if vertical_overlap(&a, &b) > parameters.same_line_level && b.left < a.left {
            unlabelled.swap(0, 1);
        }
    }
    if labelled_with_name == [None, None] && unlabelled.len() < 2 {
        return labelled;
    }
    let mut unlabelled = unlabelled.into_iter();
    [0, 1].map(|side| {
        labelled_with_name[side]
            .or_else(|| unlabelled.next())
            .or(labelled[side])
    })
}
