//! Words beside the table as a model of words reads them, small enough to travel with their sheet, and how well a string
//! fits one.

use deunicode::deunicode_char;
use image::GrayImage;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Model, ModelError, Posteriors, best_string};
use crate::header::{Place, Word};

/// The characters that are told apart: letters without case and accent, digits, and signs of dates and results. Class 0
/// is the blank, class i + 1 character i, and the class behind them all else.
const FOLDED: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789.,-/:='";
/// Classes of a frame.
const CLASSES: usize = FOLDED.len() + 2;
/// Steps of a nat in which log-probabilities are kept.
const STEPS: f32 = 16.0;
/// Log-probability below which a class is not kept; one that is missing counts as that.
const FAINTEST: f32 = -8.0;

/// A word as read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordReading {
    /// Left, upper, right and lower edge in rows of the table ([`Place`]).
    place: [f32; 4],
    /// What it says at its likeliest, without case and accents.
    pub text: String,
    /// Frame by frame the classes that are likely enough, and their log-probabilities in steps, turned positive.
    frames: Vec<Vec<(u8, u8)>>,
}

/// Share of the reader's log-probability that counts: it is surer than right.
const TRUST: f64 = 0.6;
/// Nats that a character of a free string costs, and what is known before the first: the model of words gives a made-up
/// name of the length of `Rossi` one in some thousands.
const CHARACTER: f64 = 1.6;
const FREE: f64 = -1.5;

/// A word to compare strings with.
pub struct Scorer {
    /// Where it stands.
    pub place: Place,
    /// What it says at its likeliest, without case and accents.
    pub text: String,
    /// Probabilities, frame by frame.
    frames: Vec<[f32; CLASSES]>,
}

/// Reads words with a model of words, in their order; those that say nothing are left out.
///
/// # Errors
/// [`ModelError`] of the first word on which the model fails.
pub fn read_words(model: &dyn Model, words: &[Word]) -> Result<Vec<WordReading>, ModelError> {
    let fold: Vec<usize> = model.alphabet().iter().map(|&c| class(c)).collect();
    let patches: Vec<GrayImage> = words.iter().map(|word| word.patch.clone()).collect();
    let posteriors = model.log_posteriors(&patches)?;
    let read = |(word, posteriors): (&Word, &Posteriors)| {
        let candidates = best_string::best_strings(posteriors, model.alphabet());
        let text = candidates.first().map_or("", |(text, _)| text);
        WordReading::new(&word.place, &folded(text), posteriors, &fold)
    };
    let mut read: Vec<WordReading> = words.par_iter().zip(&posteriors).map(read).collect();
    read.retain(|word| !word.text.is_empty());
    Ok(read)
}

/// A string with the characters that are told apart.
pub fn folded(text: &str) -> String {
    let plain = text
        .chars()
        .flat_map(|c| deunicode_char(c).unwrap_or("?").chars());
    plain.map(|c| c.to_ascii_lowercase()).collect()
}

fn class(c: char) -> usize {
    let plain = deunicode_char(c).and_then(|s| s.bytes().next());
    let plain = plain
        .filter(|_| c != '½')
        .unwrap_or(b'?')
        .to_ascii_lowercase();
    let place = FOLDED.iter().position(|&known| known == plain);
    place.unwrap_or(FOLDED.len()) + 1
}

impl WordReading {
    /// The reading of a word from the posteriors over an alphabet; `fold` has the class that each of its characters is
    /// counted with.
    fn new(place: &Place, text: &str, posteriors: &Posteriors, fold: &[usize]) -> Self {
        let frames = posteriors
            .log
            .chunks_exact(posteriors.classes)
            .map(|frame| {
                let mut sums = [0.0f32; CLASSES];
                for (i, log) in frame.iter().enumerate() {
                    let class = if i == 0 { 0 } else { fold[i - 1] };
                    sums[class] += log.exp();
                }
                let logs = sums.iter().zip(0u8..).map(|(p, class)| (class, p.ln()));
                logs.filter(|&(_, log)| log > FAINTEST)
                    .map(|(class, log)| (class, (-log * STEPS).round().max(0.0) as u8))
                    .collect()
            });
        Self {
            place: [place.left, place.top, place.right, place.bottom],
            text: text.to_owned(),
            frames: frames.collect(),
        }
    }

    /// A word that is read without doubt: every character nine times likelier than all else.
    #[cfg(test)]
    pub(crate) fn said(place: Place, text: &str) -> Self {
        let frame = |class: usize| {
            let mut log = vec![(0.1f32 / CLASSES as f32).ln(); CLASSES];
            log[class] = 0.9f32.ln();
            log
        };
        let classes = text.chars().flat_map(|c| [class(c), 0]);
        let log: Vec<f32> = std::iter::once(0).chain(classes).flat_map(frame).collect();
        let posteriors = Posteriors {
            frames: log.len() / CLASSES,
            classes: CLASSES,
            log,
        };
        let fold: Vec<usize> = (1..CLASSES).collect();
        Self::new(&place, &folded(text), &posteriors, &fold)
    }

    /// The same one row high, as wide as its letters want.
    #[cfg(test)]
    pub(crate) fn said_at(left: f32, top: f32, text: &str) -> Self {
        let place = Place {
            left,
            top,
            right: left + 0.5 * text.len() as f32,
            bottom: top + 1.0,
        };
        Self::said(place, text)
    }

    /// Where it stands.
    pub fn place(&self) -> Place {
        let [left, top, right, bottom] = self.place;
        Place {
            left,
            top,
            right,
            bottom,
        }
    }

    /// For comparing strings with it.
    pub fn scorer(&self) -> Scorer {
        let frame = |kept: &Vec<(u8, u8)>| {
            let mut dense = [FAINTEST.exp(); CLASSES];
            for &(class, steps) in kept {
                if let Some(p) = dense.get_mut(usize::from(class)) {
                    *p = (-f32::from(steps) / STEPS).exp();
                }
            }
            dense
        };
        Scorer {
            place: self.place(),
            text: self.text.clone(),
            frames: self.frames.iter().map(frame).collect(),
        }
    }
}

impl Scorer {
    /// The word that this one and the next are together, where a hand has left a gap in it.
    #[must_use]
    pub fn with(&self, next: &Self) -> Self {
        Self {
            place: self.place.with(&next.place),
            text: self.text.clone() + &next.text,
            frames: [self.frames.as_slice(), &next.frames].concat(),
        }
    }

    /// Nats for the word saying a string, against its saying any other; from `least` to `most`.
    pub fn score(&self, text: &str, least: f64, most: f64) -> f64 {
        let free = CHARACTER * text.len() as f64 + FREE;
        self.score_against(free, text, least, most)
    }

    /// The same against strings that together cost so many nats.
    pub fn score_against(&self, free: f64, text: &str, least: f64, most: f64) -> f64 {
        let (long, read) = (text.len(), self.text.len());
        if long.abs_diff(read) > 1 + long.max(read) / 3 {
            // Too long or too short by far: not worth the sum.
            return least;
        }
        let log = f64::from(self.log_probability(text));
        // A word that nobody can read says nothing against any string.
        let mixed = ((TRUST * log + free).exp() + least.exp()).ln();
        mixed.min(most)
    }

    /// ln P(the word says this), the sum over all alignments (Graves et al. 2006, section 4.1). `text` is folded.
    pub fn log_probability(&self, text: &str) -> f32 {
        let labels: Vec<usize> = text.chars().map(class).collect();
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
                for s in (0..states.len()).rev() {
                    let mut sum = states[s];
                    if s > 0 {
                        sum += states[s - 1];
                    }
                    let character = s % 2 == 1;
                    if character && s > 1 && labels[s / 2] != labels[s / 2 - 1] {
                        sum += states[s - 2];
                    }
                    states[s] = sum
                        * if character {
                            frame[labels[s / 2]]
                        } else {
                            frame[0]
                        };
                }
            }
            let total: f32 = states.iter().sum();
            if total <= 0.0 {
                return f32::NEG_INFINITY;
            }
            log += f64::from(total).ln();
            states.iter_mut().for_each(|p| *p /= total);
        }
        let last = states.len() - 1;
        let end = states[last] + if last > 0 { states[last - 1] } else { 0.0 };
        (log + f64::from(end).ln()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place {
        left: 0.0,
        top: -2.0,
        right: 3.0,
        bottom: -1.0,
    };

    /// Two frames over blank, `A`, `a`, `b`.
    fn reading() -> WordReading {
        let log = [0.5f32, 0.2, 0.2, 0.1, 0.25, 0.25, 0.25, 0.25].map(f32::ln);
        let posteriors = Posteriors {
            frames: 2,
            classes: 4,
            log: log.to_vec(),
        };
        let fold: Vec<usize> = ['A', 'a', 'b'].map(class).to_vec();
        WordReading::new(&PLACE, "a", &posteriors, &fold)
    }

    #[test]
    fn a_string_is_as_likely_as_all_its_alignments_whatever_the_case() {
        let scorer = reading().scorer();
        // Of `a`: a and blank, blank and a, a twice; case counts for nothing: 0.4 a frame, then 0.5.
        let wanted = [
            ("a", 0.4 * 0.25 + 0.5 * 0.5 + 0.4 * 0.5),
            ("ab", 0.4 * 0.25),
            ("", 0.5 * 0.25),
        ];
        for (text, p) in wanted {
            let got = scorer.log_probability(text).exp();
            assert!((got - p).abs() < 0.02, "{text}: {got}, not {p}");
        }
        // The two need a blank between them, for which there is no frame.
        assert!(scorer.log_probability("aa") < -20.0);
    }

    #[test]
    fn accents_and_case_are_folded() {
        assert_eq!(folded("Müller-ŁÉ"), "muller-le");
    }
}
