//! Words outside the table as a model of words reads them, small enough to be kept with their
//! sheet.

use deunicode::deunicode_char;
use image::GrayImage;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ctc::best_strings;
use super::word_alphabet::{CLASS_COUNT, class_of};
use super::word_scorer::{STEPS_PER_NAT, WordScorer};
use super::{Model, ModelError, Posteriors};
use crate::header::{WordBox, WordCrop};

/// Smallest log-probability, in nats, that is stored; a class that is not stored counts as this.
const MIN_LOG_PROB: f32 = -8.0;

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

impl WordReading {
    /// The reading of a word from posteriors over a model's alphabet; `classes` has the class of
    /// each of its characters.
    pub(super) fn new(
        bounds: &WordBox,
        text: &str,
        posteriors: &Posteriors,
        classes: &[usize],
    ) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_case_are_folded() {
        assert_eq!(fold_text("Müller-ŁÉ"), "muller-le");
    }
}
