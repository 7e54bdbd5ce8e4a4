//! Words outside the table as a model of words reads them, small enough to be kept with their
//! sheet, and how well a string fits one.

use deunicode::deunicode_char;
use image::GrayImage;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ctc::best_strings;
use super::{Model, ModelError, Posteriors};
use crate::header::{WordBox, WordCrop};

/// The characters that are told apart: letters without case and accent, digits, and the signs of
/// dates and results. Class 0 is the CTC blank, class i + 1 is character i, and the last class
/// stands for all other characters.
const WORD_ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789.,-/:='";
/// Number of classes of a frame.
const CLASS_COUNT: usize = WORD_ALPHABET.len() + 2;
/// Log-probabilities are stored in whole steps of 1 / 16 nat.
const STEPS_PER_NAT: f32 = 16.0;
/// Smallest log-probability, in nats, that is stored; a class that is not stored counts as this.
const MIN_LOG_PROB: f32 = -8.0;

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

/// A word that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordReading {
    /// Left, upper, right and lower edge in rows of the table ([`WordBox`]).
    bounds: [f32; 4],
    /// Its likeliest string, without case and accents.
    pub text: String,
    /// For each frame the classes that are likely enough, with their log-probabilities times
    /// -[`STEPS_PER_NAT`].
    frames: Vec<Vec<(u8, u8)>>,
}

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
    /// Nats of the product of the sums of all frames.
    mass_nats: f64,
}

/// A string that is compared with many words.
#[derive(Debug)]
pub struct KnownString {
    text: String,
    /// The class of each character.
    classes: Vec<usize>,
    /// Each class that it has, and how many characters are of it.
    counts: Vec<(usize, f32)>,
}

impl KnownString {
    /// A string without case and accents.
    pub fn new(text: String) -> Self {
        let classes: Vec<usize> = text.chars().map(class_of).collect();
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

/// Reads words with a model of words, in their order; those in which nothing is read are left out.
///
/// # Errors
/// [`ModelError`] of the first word on which the model fails.
pub fn read_words(model: &dyn Model, crops: &[WordCrop]) -> Result<Vec<WordReading>, ModelError> {
    let classes: Vec<usize> = model.alphabet().iter().map(|&c| class_of(c)).collect();
    let patches: Vec<GrayImage> = crops.iter().map(|crop| crop.patch.clone()).collect();
    let posteriors = model.log_posteriors(&patches)?;
    let read = |(crop, posteriors): (&WordCrop, &Posteriors)| {
        let strings = best_strings(posteriors, model.alphabet());
        let text = strings.first().map_or("", |best| &best.text);
        WordReading::new(&crop.bounds, &fold_text(text), posteriors, &classes)
    };
    let mut readings: Vec<WordReading> = crops.par_iter().zip(&posteriors).map(read).collect();
    readings.retain(|word| !word.text.is_empty());
    Ok(readings)
}

/// A string without case and accents.
fn fold_text(text: &str) -> String {
    let plain = text
        .chars()
        .flat_map(|c| deunicode_char(c).unwrap_or("?").chars());
    plain.map(|c| c.to_ascii_lowercase()).collect()
}

/// The class that a character is counted with.
fn class_of(c: char) -> usize {
    let plain = deunicode_char(c).and_then(|s| s.bytes().next());
    let plain = plain
        .filter(|_| c != '½')
        .unwrap_or(b'?')
        .to_ascii_lowercase();
    let index = WORD_ALPHABET.iter().position(|&known| known == plain);
    index.unwrap_or(WORD_ALPHABET.len()) + 1
}

impl WordReading {
    /// The reading of a word from posteriors over a model's alphabet; `classes` has the class of
    /// each of its characters.
    fn new(bounds: &WordBox, text: &str, posteriors: &Posteriors, classes: &[usize]) -> Self {
        let frames = posteriors
            .log
            .chunks_exact(posteriors.classes)
            .map(|frame| {
                let mut sums = [0.0f32; CLASS_COUNT];
                for (i, log) in frame.iter().enumerate() {
                    let class = if i == 0 { 0 } else { classes[i - 1] };
                    sums[class] += log.exp();
                }
                let logs = sums.iter().zip(0u8..).map(|(p, class)| (class, p.ln()));
                logs.filter(|&(_, log)| log > MIN_LOG_PROB)
                    .map(|(class, log)| (class, (-log * STEPS_PER_NAT).round().max(0.0) as u8))
                    .collect()
            });
        Self {
            bounds: [bounds.left, bounds.top, bounds.right, bounds.bottom],
            text: text.to_owned(),
            frames: frames.collect(),
        }
    }

    /// A word that is read without doubt: every character has a probability of at least 0.9.
    #[cfg(test)]
    pub(crate) fn certain(bounds: WordBox, text: &str) -> Self {
        let frame = |class: usize| {
            let mut log = vec![(0.1f32 / CLASS_COUNT as f32).ln(); CLASS_COUNT];
            log[class] = 0.9f32.ln();
            log
        };
        let path = text.chars().flat_map(|c| [class_of(c), 0]);
        let log: Vec<f32> = std::iter::once(0).chain(path).flat_map(frame).collect();
        let posteriors = Posteriors {
            frames: log.len() / CLASS_COUNT,
            classes: CLASS_COUNT,
            log,
        };
        let classes: Vec<usize> = (1..CLASS_COUNT).collect();
        Self::new(&bounds, &fold_text(text), &posteriors, &classes)
    }

    /// A word that is read without doubt, one row high and half a row wide for each character.
    #[cfg(test)]
    pub(crate) fn certain_at(left: f32, top: f32, text: &str) -> Self {
        let bounds = WordBox {
            left,
            top,
            right: left + 0.5 * text.len() as f32,
            bottom: top + 1.0,
        };
        Self::certain(bounds, text)
    }

    /// Where the word stands.
    pub fn bounds(&self) -> WordBox {
        let [left, top, right, bottom] = self.bounds;
        WordBox {
            left,
            top,
            right,
            bottom,
        }
    }

    /// The word with its probabilities unpacked, for comparing strings with it.
    pub fn scorer(&self) -> WordScorer {
        let frame = |stored: &Vec<(u8, u8)>| {
            let mut dense = [MIN_LOG_PROB.exp(); CLASS_COUNT];
            for &(class, steps) in stored {
                if let Some(p) = dense.get_mut(usize::from(class)) {
                    *p = (-f32::from(steps) / STEPS_PER_NAT).exp();
                }
            }
            dense
        };
        WordScorer::new(
            self.bounds(),
            self.text.clone(),
            self.frames.iter().map(frame).collect(),
        )
    }
}

impl WordScorer {
    fn new(bounds: WordBox, text: String, frames: Vec<[f32; CLASS_COUNT]>) -> Self {
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
        let negligible = (min - NEGLIGIBLE_NATS - free) / LIKELIHOOD_EXPONENT;
        let classes: Vec<usize> = text.chars().map(class_of).collect();
        self.score_above(negligible, free, text, &classes, min)
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
        let score = match self.is_of_length(&string.text)
            && self.max_log_probability(string) >= negligible
        {
            true => self.score_above(negligible, free, &string.text, &string.classes, min),
            false => min,
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
    fn score_above(
        &self,
        negligible: f64,
        free: f64,
        text: &str,
        classes: &[usize],
        min: f64,
    ) -> f64 {
        if !self.is_of_length(text) {
            return min;
        }
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
        let classes: Vec<usize> = text.chars().map(class_of).collect();
        self.log_probability_above(f64::NEG_INFINITY, &classes)
    }

    /// The same, but negative infinity as soon as it falls below `negligible` nats, as it does for
    /// most strings after some frames.
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
        let schwarz = KnownString::new("schwarz".to_owned());
        assert!(scorer.log_probability_above(-10.0, &schwarz.classes) == f32::NEG_INFINITY);
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

    #[test]
    fn accents_and_case_are_folded() {
        assert_eq!(fold_text("Müller-ŁÉ"), "muller-le");
    }
}
