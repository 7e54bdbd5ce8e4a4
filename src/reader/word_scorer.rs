//! How well a string fits a word that was read.

use crate::header::WordBox;

use super::word_alphabet::{CLASS_COUNT, classes_of};

/// Log-probabilities are stored in whole steps of 1 / 16 nat.
pub(super) const STEPS_PER_NAT: f32 = 16.0;

/// Exponent of the reader's probabilities in a score: they are more confident than correct.
const LIKELIHOOD_EXPONENT: f64 = 0.6;
/// Nats that each character of a string costs that is no candidate. With [`FREE_STRING_NATS`], the
/// model of words gives a made-up name of the length of `Rossi` one in some thousands.
const FREE_CHARACTER_NATS: f64 = 1.6;
/// Nats that a string costs that is no candidate, beside those of its characters.
const FREE_STRING_NATS: f64 = -1.5;
/// Nats below the smallest score from which on a likelihood changes no digit of the score, since
/// e^-40 is less than half the last digit of a double.
const NEGLIGIBLE_NATS: f64 = 40.0;

/// A word that strings are compared with.
#[derive(Debug, Clone)]
pub struct WordScorer {
    /// Where the word stands.
    pub bounds: WordBox,
    /// Its likeliest string, without case and accents.
    pub text: String,
    /// Probabilities, `[T, C]`.
    frames: Vec<[f32; CLASS_COUNT]>,
    /// The number of frames that are expected to be of each class: the sum over all frames of its
    /// share of the frame's probabilities, which are rounded and do not make 1.
    expected: [f32; CLASS_COUNT],
    /// Logarithm of the product of the sums of all frames, in nats; 0 but for the rounding.
    mass_nats: f64,
}

/// A string that is compared with many words.
#[derive(Debug)]
pub struct KnownString {
    /// The string, without case and accents.
    text: String,
    /// The class of each character.
    classes: Vec<usize>,
    /// Each class that it has, and how many characters are of it.
    counts: Vec<(usize, f32)>,
}

impl KnownString {
    /// A string without case and accents.
    pub fn new(text: String) -> Self {
        let classes = classes_of(&text);
        let mut sorted = classes.clone();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|a, b| a == b);
        Self {
            counts: runs.map(|run| (run[0], run.len() as f32)).collect(),
            text,
            classes,
        }
    }
}

impl WordScorer {
    /// A word at a place with its likeliest string and its probabilities, `[T, C]`.
    pub(super) fn new(bounds: WordBox, text: String, frames: Vec<[f32; CLASS_COUNT]>) -> Self {
        let (mut expected, mut mass_nats) = ([0.0; CLASS_COUNT], 0.0);
        for frame in &frames {
            let mass: f32 = frame.iter().sum();
            mass_nats += f64::from(mass).ln();
            for (sum, p) in expected.iter_mut().zip(frame) {
                *sum += p / mass;
            }
        }
        Self {
            bounds,
            text,
            frames,
            expected,
            mass_nats,
        }
    }

    /// The word that this one and the next are together, where a writer has left a gap in it.
    #[must_use]
    pub fn join(&self, next: &Self) -> Self {
        Self::new(
            self.bounds.union(&next.bounds),
            self.text.clone() + &next.text,
            [self.frames.as_slice(), &next.frames].concat(),
        )
    }

    /// Log-likelihood ratio in nats of the word being a string against its being any other, between
    /// `min` and `max`. The other strings cost 1.6 x n - 1.5 nats for a string of n bytes
    /// ([`Self::score_against`]).
    pub fn score(&self, text: &str, min: f64, max: f64) -> f64 {
        self.score_against(free_nats(text), text, min, max)
    }

    /// The same against other strings that together cost `free` nats:
    /// min(max, ln(exp(0.6 x ln P(text) + free) + exp(min))), with ln P from
    /// [`Self::log_probability`]. A word that nobody can read is thus no evidence against any
    /// string. A string much longer or shorter than the likeliest one scores `min`.
    pub fn score_against(&self, free: f64, text: &str, min: f64, max: f64) -> f64 {
        if !self.is_of_length(text) {
            return min.min(max);
        }
        let negligible = (min - NEGLIGIBLE_NATS - free) / LIKELIHOOD_EXPONENT;
        self.score_above(negligible, free, &classes_of(text), min)
            .min(max)
    }

    /// The score of a string without an upper bound ([`Self::score`]); none below `floor`. Most
    /// strings are given up at once or after some frames.
    pub fn score_from(&self, floor: f64, string: &KnownString, min: f64) -> Option<f64> {
        let free = free_nats(&string.text);
        let at_floor = ((floor.exp() - min.exp()).max(0.0).ln() - free) / LIKELIHOOD_EXPONENT;
        // Stored probabilities are rounded, so that those of a frame may make up to half a step
        // more than 1.
        let rounding = self.frames.len() as f64 * 0.5 / f64::from(STEPS_PER_NAT);
        let negligible = at_floor - rounding;
        let is_likely =
            self.is_of_length(&string.text) && self.max_log_probability(string) >= negligible;
        let score = if is_likely {
            self.score_above(negligible, free, &string.classes, min)
        } else {
            min
        };
        Some(score).filter(|score| *score >= floor)
    }

    /// An upper bound of ln P(text | the word). With N frames of a class, of which the string has n
    /// characters, P(N >= n) <= E[N] / n (Markov's inequality). The numbers of frames of several
    /// classes are negatively associated (Joag-Dev and Proschan 1983), so that the bounds of all
    /// classes multiply.
    fn max_log_probability(&self, string: &KnownString) -> f64 {
        let bounds = string
            .counts
            .iter()
            .map(|&(class, count)| f64::from((self.expected[class] / count).min(1.0).ln()));
        self.mass_nats + bounds.sum::<f64>()
    }

    /// The score of a string with these classes without an upper bound; `min` where ln P falls
    /// below `negligible` nats.
    fn score_above(&self, negligible: f64, free: f64, classes: &[usize], min: f64) -> f64 {
        let log = f64::from(self.log_probability_above(negligible, classes));
        ((LIKELIHOOD_EXPONENT * log + free).exp() + min.exp()).ln()
    }

    /// Whether a string is about as long as the likeliest one.
    fn is_of_length(&self, text: &str) -> bool {
        let (long, read) = (text.len(), self.text.len());
        long.abs_diff(read) <= 1 + long.max(read) / 3
    }

    /// ln P(text | the word), the sum over all alignments, by the forward variables of Graves et
    /// al. 2006, section 4.1, which are normalised in each frame. `text` is without case and
    /// accents.
    pub fn log_probability(&self, text: &str) -> f32 {
        self.log_probability_above(f64::NEG_INFINITY, &classes_of(text))
    }

    /// The same of the string with these classes, but negative infinity as soon as it falls below
    /// `negligible` nats, as it does for most strings after some frames.
    fn log_probability_above(&self, negligible: f64, labels: &[usize]) -> f32 {
        // State 2i is the blank before character i, state 2i + 1 the character.
        let mut states = vec![0.0f32; 2 * labels.len() + 1];
        let mut log = 0.0f64;
        for (t, frame) in self.frames.iter().enumerate() {
            if t == 0 {
                states[0] = frame[0];
                if let Some(&first) = labels.first() {
                    states[1] = frame[first];
                }
            } else {
                advance(&mut states, labels, frame);
            }
            let total: f32 = states.iter().sum();
            log += f64::from(total).ln();
            if log < negligible || total <= 0.0 {
                return f32::NEG_INFINITY;
            }
            states.iter_mut().for_each(|p| *p /= total);
        }
        let last = states.len() - 1;
        let end = states[last] + if last > 0 { states[last - 1] } else { 0.0 };
        (log + f64::from(end).ln()) as f32
    }
}

/// Nats that a string costs that is no candidate.
fn free_nats(text: &str) -> f64 {
    FREE_CHARACTER_NATS * text.len() as f64 + FREE_STRING_NATS
}

/// Moves the forward variables on by one frame.
fn advance(states: &mut [f32], labels: &[usize], frame: &[f32; CLASS_COUNT]) {
    for s in (0..states.len()).rev() {
        let mut sum = states[s];
        if s > 0 {
            sum += states[s - 1];
        }
        let is_label = s % 2 == 1;
        if is_label && s > 1 && labels[s / 2] != labels[s / 2 - 1] {
            sum += states[s - 2];
        }
        let class = if is_label { labels[s / 2] } else { 0 };
        states[s] = sum * frame[class];
    }
}

#[cfg(test)]
mod tests {
    use super::super::word_alphabet::class_of;
    use super::super::{Posteriors, WordReading};
    use super::*;

    const BOUNDS: WordBox = WordBox {
        left: 0.0,
        top: -2.0,
        right: 3.0,
        bottom: -1.0,
    };

    /// Two frames over the blank, `A`, `a` and `b`.
    fn reading() -> WordReading {
        let log = [0.5f32, 0.2, 0.2, 0.1, 0.25, 0.25, 0.25, 0.25].map(f32::ln);
        let posteriors = Posteriors {
            frames: 2,
            classes: 4,
            log: log.to_vec(),
        };
        let classes: Vec<usize> = ['A', 'a', 'b'].map(class_of).to_vec();
        WordReading::new(&BOUNDS, "a", &posteriors, &classes)
    }

    #[test]
    fn a_string_is_as_likely_as_all_its_alignments_whatever_the_case() {
        let scorer = reading().scorer();
        // Without case, `a` has 0.4 in the first frame and 0.5 in the second. Its alignments are
        // a and blank, blank and a, and a twice.
        let expected = [
            ("a", 0.4 * 0.25 + 0.5 * 0.5 + 0.4 * 0.5),
            ("ab", 0.4 * 0.25),
            ("", 0.5 * 0.25),
        ];
        for (text, p) in expected {
            let got = scorer.log_probability(text).exp();
            assert!((got - p).abs() < 0.02, "{text}: {got}, not {p}");
        }
        // A doubled letter needs a blank between, for which there is no frame.
        assert!(scorer.log_probability("aa") < -20.0);
    }

    #[test]
    fn a_string_far_from_the_word_scores_the_least() {
        let scorer = WordReading::certain(BOUNDS, "blanca").scorer();
        assert!((scorer.score("schwarz", -2.5, 9.0) + 2.5).abs() < 1e-4);
        assert!(scorer.score("blanca", -2.5, 99.0) > 5.0);
        let schwarz = classes_of("schwarz");
        assert!(scorer.log_probability_above(-10.0, &schwarz) == f32::NEG_INFINITY);
        assert!(scorer.log_probability("schwarz").is_finite());
    }

    #[test]
    fn a_score_is_the_same_from_any_floor_below_it() {
        let scorer = WordReading::certain(BOUNDS, "blanca").scorer();
        for text in [
            "blanca", "blanco", "bianca", "banca", "schwarz", "weiss", "b",
        ] {
            let score = scorer.score(text, -2.5, f64::INFINITY);
            for floor in [-9.0, -2.0, score - 0.01, score + 0.01, 3.0] {
                let expected = Some(score).filter(|score| *score >= floor);
                assert_eq!(
                    scorer.score_from(floor, &KnownString::new(text.to_owned()), -2.5),
                    expected,
                    "{text} {floor}"
                );
            }
        }
    }

    #[test]
    fn no_string_is_likelier_than_its_bound() {
        let scorers = [reading(), WordReading::certain(BOUNDS, "blanca")].map(|word| word.scorer());
        for scorer in scorers {
            for text in [
                "", "a", "ab", "aa", "blanca", "blanco", "banana", "bianca", "b.",
            ] {
                let string = KnownString::new(text.to_owned());
                let (log, bound) = (
                    scorer.log_probability(text),
                    scorer.max_log_probability(&string),
                );
                assert!(f64::from(log) <= bound + 1e-5, "{text}: {log} {bound}");
            }
        }
    }
}
