//! What is usually written in a cell: a language model of characters after up to three others, with
//! Witten-Bell smoothing (Witten and Bell 1991, The zero-frequency problem), the same in every
//! language but for its piece letters.
//!
//! It knows habits of writing, no board: `Nf3` is likelier than `Nt3`, and no move is likelier for
//! being legal.

use std::collections::HashMap;

use super::ctc::ScoredString;

/// The counts, written by `models/train/fit_ngrams.py`, whose documentation has the file's format.
static COUNTS: &str = include_str!("../../models/ngrams.tsv");

/// Largest number of characters of a context.
const MAX_CONTEXT: usize = 3;
/// Probability of every character in the absence of counts, about one over the alphabet's size.
const UNIFORM_PROB: f32 = 1.0 / 110.0;
/// Share of the uniform distribution in every prediction, so that what is clearly written is read,
/// however unusual. Chosen by eye.
const UNIFORM_SHARE: f32 = 0.1;
/// Weight of the next shorter context, as a multiple of the number of different characters that
/// were counted behind this one; Witten and Bell have 1. Chosen by eye.
const ESCAPE_WEIGHT: f32 = 2.0;
/// Weight of the n-grams' log-probability beside that of the posteriors. On HCS dev (n = 3,675) 0.2
/// reads 88.00 % of the cells, 0.25 reads 87.86 % (`models/ngrams.md`).
const NGRAM_WEIGHT: f32 = 0.2;
/// Stands for a letter that is a piece in English and none in the language at hand.
const FOREIGN_LETTER: char = '\u{1}';
/// The English piece letters, in the order in which the letters of other languages are given.
const ENGLISH_PIECES: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// The counts of the characters that follow a context.
#[derive(Debug, Default)]
struct Context {
    /// Sum of the counts.
    total: f32,
    /// Number of different characters.
    distinct: f32,
    /// The characters and their counts.
    next: Vec<(char, f32)>,
}

/// A language: its piece letters, in the order of [`ENGLISH_PIECES`], and its prior in nats.
#[derive(Debug)]
struct Letters {
    pieces: Vec<char>,
    log_prior: f32,
}

/// The language model.
#[derive(Debug)]
pub(super) struct Ngrams {
    languages: Vec<Letters>,
    contexts: HashMap<[char; MAX_CONTEXT], Context>,
}

impl Ngrams {
    /// The model that ships.
    pub(super) fn embedded() -> Self {
        Self::parse(COUNTS)
    }

    fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let languages = lines.by_ref().take_while(|line| !line.is_empty());
        let languages = languages.filter_map(|line| {
            let mut fields = line.split('\t').skip(1);
            Some(Letters {
                pieces: fields.next()?.chars().collect(),
                log_prior: fields.next()?.parse::<f32>().ok()?.ln(),
            })
        });
        let languages = languages.collect();
        let contexts = lines.map(|line| {
            let mut fields = line.split('\t');
            let key = context_key(fields.next().unwrap_or_default().chars());
            let mut context = Context::default();
            for field in fields {
                let mut chars = field.chars();
                let next = chars.next();
                if let (Some(next), Ok(count)) = (next, chars.as_str().parse::<f32>()) {
                    context.next.push((next, count));
                    context.total += count;
                    context.distinct += 1.0;
                }
            }
            (key, context)
        });
        Self {
            languages,
            contexts: contexts.collect(),
        }
    }

    /// The likeliest candidate of every cell of a sheet, which one writer wrote in one language;
    /// none for a cell without candidates.
    ///
    /// A candidate scores ln P(candidate | ink) + `NGRAM_WEIGHT` x ln P(candidate | language). The
    /// language is the one that maximises its log-prior plus, over all cells, the log-sum-exp of
    /// the scores.
    pub(super) fn choose(&self, cells: &[Vec<ScoredString>]) -> Vec<Option<usize>> {
        let mut known: HashMap<String, f32> = HashMap::new();
        let mut best: Option<(f32, Vec<Option<usize>>)> = None;
        for language in &self.languages {
            let mut evidence = language.log_prior;
            let mut choices = Vec::with_capacity(cells.len());
            for candidates in cells {
                let scores = candidates.iter().map(|candidate| {
                    let english = to_english(&candidate.text, &language.pieces);
                    let habit = match known.get(&english) {
                        Some(&known) => known,
                        None => {
                            let value = self.log_probability(&english);
                            known.insert(english, value);
                            value
                        }
                    };
                    candidate.log_prob + NGRAM_WEIGHT * habit
                });
                let scores: Vec<f32> = scores.collect();
                let likeliest =
                    (0..scores.len()).reduce(|a, b| if scores[b] > scores[a] { b } else { a });
                if let Some(likeliest) = likeliest {
                    let top = scores[likeliest];
                    evidence += top + scores.iter().map(|s| (s - top).exp()).sum::<f32>().ln();
                }
                choices.push(likeliest);
            }
            if best.as_ref().is_none_or(|(most, _)| evidence > *most) {
                best = Some((evidence, choices));
            }
        }
        best.map_or_else(|| vec![None; cells.len()], |(_, choices)| choices)
    }

    /// ln P(text) for a text with English piece letters. For each context from the empty one to the
    /// longest that was counted, p becomes (count + e x p) / (total + e), where e is
    /// `ESCAPE_WEIGHT` x the number of different characters that follow the context.
    fn log_probability(&self, text: &str) -> f32 {
        let mut before = ['^'; MAX_CONTEXT];
        let mut sum = 0.0;
        for c in text.chars().chain(['$']) {
            let mut p = UNIFORM_PROB;
            for length in 0..=MAX_CONTEXT {
                let key = context_key(before[MAX_CONTEXT - length..].iter().copied());
                let Some(context) = self.contexts.get(&key) else {
                    break;
                };
                let count = context.next.iter().find(|n| n.0 == c).map_or(0.0, |n| n.1);
                let escape = ESCAPE_WEIGHT * context.distinct;
                p = (count + escape * p) / (context.total + escape);
            }
            sum += ((1.0 - UNIFORM_SHARE) * p + UNIFORM_SHARE * UNIFORM_PROB).ln();
            before.rotate_left(1);
            before[MAX_CONTEXT - 1] = c;
        }
        sum
    }
}

/// The last characters of a context, padded on the left with NUL.
fn context_key(context: impl Iterator<Item = char>) -> [char; MAX_CONTEXT] {
    let mut key = ['\0'; MAX_CONTEXT];
    for c in context {
        key.rotate_left(1);
        key[MAX_CONTEXT - 1] = c;
    }
    key
}

/// A text with the English letters in place of a language's piece letters.
fn to_english(text: &str, pieces: &[char]) -> String {
    let letter = |c: char| match pieces.iter().position(|&piece| piece == c) {
        Some(piece) => ENGLISH_PIECES.get(piece).copied().unwrap_or(c),
        None if ENGLISH_PIECES.contains(&c) => FOREIGN_LETTER,
        None => c,
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(list: &[(&str, f32)]) -> Vec<ScoredString> {
        let candidate = |&(text, p): &(&str, f32)| ScoredString {
            text: text.to_owned(),
            log_prob: p.ln(),
        };
        list.iter().map(candidate).collect()
    }

    #[test]
    fn of_nearly_equal_candidates_the_usual_one_is_chosen() {
        let ngrams = Ngrams::embedded();
        let cells = [
            candidates(&[("Nt3", 0.4), ("Nf3", 0.38)]),
            candidates(&[("Bxe", 0.4), ("Bxe4", 0.3)]),
        ];
        assert_eq!(ngrams.choose(&cells), [Some(1), Some(1)]);
    }

    #[test]
    fn what_is_clearly_written_is_chosen_however_unusual() {
        let cells = [candidates(&[("Nz9", 0.9), ("Nf3", 0.001)])];
        assert_eq!(Ngrams::embedded().choose(&cells), [Some(0)]);
    }

    #[test]
    fn the_other_cells_tell_the_language() {
        let portuguese = ["Cf3", "Te1", "Dd2", "Cc6", "Rh1"];
        let english = ["Nf3", "Re1", "Qd2", "Nc6", "Kh1"];
        for (certain, expected) in [(portuguese, "Cd5"), (english, "Nd5")] {
            let mut cells: Vec<_> = certain.iter().map(|&t| candidates(&[(t, 0.9)])).collect();
            cells.push(candidates(&[("Cd5", 0.3), ("Nd5", 0.3)]));
            let choice = Ngrams::embedded().choose(&cells)[5].unwrap();
            assert_eq!(cells[5][choice].text, expected);
        }
    }

    #[test]
    fn a_cell_without_candidates_has_no_choice() {
        assert_eq!(Ngrams::embedded().choose(&[Vec::new()]), [None]);
    }
}
