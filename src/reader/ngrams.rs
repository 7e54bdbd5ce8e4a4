//! What is usually written in a cell: characters after up to three others (Witten and Bell 1991, The zero-frequency
//! problem), the same in every language but for its piece letters.
//!
//! It knows habits of writing, no board: `Nf3` is likelier than `Nt3`, and no move is likelier for being legal.

use std::collections::HashMap;

/// Written by `models/train/fit_ngrams.py`, which says how it is laid out.
static COUNTS: &str = include_str!("../../models/ngrams.tsv");

/// Characters that the next one is told from.
const BEFORE: usize = 3;
/// Probability of a character that nothing is known of.
const UNSEEN: f32 = 1.0 / 110.0;
/// Share of the probability that any character has everywhere: what is plainly written is read, however odd.
const ODD: f32 = 0.1;
/// How much a context trusts the shorter one for every different character that was seen in it.
const ESCAPE: f32 = 2.0;
/// Share of the n-grams' log-probability in the choice among readings: on HCS dev 0.2 reads 88.00 %, 0.25 87.86 % (`models/README.md`).
const WEIGHT: f32 = 0.2;
/// Stands for a letter that means a piece in English and nothing in the language at hand.
const FOREIGN: char = '\u{1}';
const PIECES: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// A reading of a cell and its log-probability under the posteriors.
pub(super) type Candidate = (String, f32);

#[derive(Debug, Default)]
struct Context {
    total: f32,
    distinct: f32,
    next: Vec<(char, f32)>,
}

/// Counts of n-grams, and the letters of the languages that they are applied to.
#[derive(Debug)]
pub(super) struct Ngrams {
    languages: Vec<(Vec<char>, f32)>,
    contexts: HashMap<[char; BEFORE], Context>,
}

impl Ngrams {
    /// The counts that ship.
    pub(super) fn embedded() -> Self {
        Self::parse(COUNTS)
    }

    fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let languages = lines.by_ref().take_while(|line| !line.is_empty());
        let languages = languages.filter_map(|line| {
            let mut fields = line.split('\t').skip(1);
            let letters = fields.next()?.chars().collect();
            Some((letters, fields.next()?.parse::<f32>().ok()?.ln()))
        });
        let languages = languages.collect();
        let contexts = lines.map(|line| {
            let mut fields = line.split('\t');
            let key = key(fields.next().unwrap_or_default().chars());
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

    /// The likeliest candidate of every cell of a sheet, which one writer wrote in one language.
    pub(super) fn choose(&self, cells: &[Vec<Candidate>]) -> Vec<Option<usize>> {
        let mut scored: HashMap<String, f32> = HashMap::new();
        let mut best: Option<(f32, Vec<Option<usize>>)> = None;
        for (letters, weight) in &self.languages {
            let mut sum = *weight;
            let chosen = cells
                .iter()
                .map(|candidates| {
                    let weights = candidates.iter().map(|(text, log)| {
                        let english = english(text, letters);
                        let habit = match scored.get(&english) {
                            Some(&known) => known,
                            None => {
                                let value = self.log_probability(&english);
                                scored.insert(english, value);
                                value
                            }
                        };
                        log + WEIGHT * habit
                    });
                    let weights: Vec<f32> = weights.collect();
                    let likeliest = (0..weights.len())
                        .reduce(|a, b| if weights[b] > weights[a] { b } else { a })?;
                    let top = weights[likeliest];
                    sum += top + weights.iter().map(|w| (w - top).exp()).sum::<f32>().ln();
                    Some(likeliest)
                })
                .collect();
            if best.as_ref().is_none_or(|(most, _)| sum > *most) {
                best = Some((sum, chosen));
            }
        }
        best.map_or_else(|| vec![None; cells.len()], |(_, chosen)| chosen)
    }

    fn log_probability(&self, text: &str) -> f32 {
        let mut before = ['^'; BEFORE];
        let mut sum = 0.0;
        for c in text.chars().chain(['$']) {
            let mut p = UNSEEN;
            for kept in 0..=BEFORE {
                let Some(context) = self
                    .contexts
                    .get(&key(before[BEFORE - kept..].iter().copied()))
                else {
                    break;
                };
                let seen = context.next.iter().find(|n| n.0 == c).map_or(0.0, |n| n.1);
                let escape = ESCAPE * context.distinct;
                p = (seen + escape * p) / (context.total + escape);
            }
            sum += ((1.0 - ODD) * p + ODD * UNSEEN).ln();
            before.rotate_left(1);
            before[BEFORE - 1] = c;
        }
        sum
    }
}

/// The last characters of a context, filled up from the left with NUL.
fn key(context: impl Iterator<Item = char>) -> [char; BEFORE] {
    let mut key = ['\0'; BEFORE];
    for c in context {
        key.rotate_left(1);
        key[BEFORE - 1] = c;
    }
    key
}

/// A text of a language with the English letters for its pieces.
fn english(text: &str, letters: &[char]) -> String {
    let letter = |c: char| match letters.iter().position(|&l| l == c) {
        Some(piece) => PIECES.get(piece).copied().unwrap_or(c),
        None if PIECES.contains(&c) => FOREIGN,
        None => c,
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(list: &[(&str, f32)]) -> Vec<Candidate> {
        list.iter().map(|&(t, p)| (t.to_owned(), p.ln())).collect()
    }

    #[test]
    fn between_equals_it_takes_what_players_write() {
        let ngrams = Ngrams::embedded();
        let cells = [
            candidates(&[("Nt3", 0.4), ("Nf3", 0.38)]),
            candidates(&[("Bxe", 0.4), ("Bxe4", 0.3)]),
        ];
        assert_eq!(ngrams.choose(&cells), [Some(1), Some(1)]);
    }

    #[test]
    fn what_was_surely_written_stays_however_odd() {
        let cells = [candidates(&[("Nz9", 0.9), ("Nf3", 0.001)])];
        assert_eq!(Ngrams::embedded().choose(&cells), [Some(0)]);
    }

    #[test]
    fn the_other_cells_tell_the_language() {
        let portuguese = ["Cf3", "Te1", "Dd2", "Cc6", "Rh1"];
        let english = ["Nf3", "Re1", "Qd2", "Nc6", "Kh1"];
        for (sure, wanted) in [(portuguese, "Cd5"), (english, "Nd5")] {
            let mut cells: Vec<_> = sure.iter().map(|&t| candidates(&[(t, 0.9)])).collect();
            cells.push(candidates(&[("Cd5", 0.3), ("Nd5", 0.3)]));
            let chosen = Ngrams::embedded().choose(&cells)[5].unwrap();
            assert_eq!(cells[5][chosen].0, wanted);
        }
    }

    #[test]
    fn a_cell_without_candidates_is_none() {
        assert_eq!(Ngrams::embedded().choose(&[Vec::new()]), [None]);
    }
}
