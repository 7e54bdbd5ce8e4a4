//! The network that reads a printed number: `models/numbers.onnx`, which `models/train/digits.py`
//! trains.

use std::sync::LazyLock;

use image::GrayImage;

use super::crop::{CROP_HEIGHT, CROP_WIDTH};
use crate::models;
use crate::onnx::Onnx;

/// Classes of the tens: 0 to 12, and one for "no number".
const TENS: usize = 14;
/// Classes of the units: 0 to 9.
const UNITS: usize = 10;
/// Smallest standard deviation of a crop's luma, with white as 1, by which it is divided: paper
/// grain must not be stretched to the contrast of print.
const MIN_DEVIATION: f32 = 0.02;

static NETWORK: LazyLock<Option<Onnx>> =
    LazyLock::new(|| Onnx::new(models::NUMBERS, (CROP_WIDTH, CROP_HEIGHT)));

/// What the network reads in one number crop.
#[derive(Debug, Clone)]
pub struct NumberPosterior {
    /// Log-probabilities in nats of the [`TENS`] classes, then of the [`UNITS`] classes.
    log_probs: [f32; TENS + UNITS],
    /// Smallest log-probability that a digit is given.
    digit_floor: f32,
}

impl NumberPosterior {
    /// The largest number that the network knows.
    pub const MAX_NUMBER: i32 = 10 * (TENS as i32 - 1) - 1;

    /// Reads a crop of [`CROP_WIDTH`] x [`CROP_HEIGHT`] pixels; None where the network fails on it.
    pub fn read(crop: &GrayImage, digit_floor: f32) -> Option<Self> {
        let log_probs = NETWORK.as_ref()?.run(&standardize(crop))?;
        let log_probs = log_probs.try_into().ok()?;
        Some(Self {
            log_probs,
            digit_floor,
        })
    }

    /// Log-probability in nats that this number stands there, as the sum of its two digits'.
    pub fn log_prob(&self, number: i32) -> f32 {
        let digit = |class: usize| self.log_probs[class].max(self.digit_floor);
        match usize::try_from(number) {
            Ok(n) if n / 10 < TENS - 1 => digit(n / 10) + digit(TENS + n % 10),
            _ => 2.0 * self.digit_floor,
        }
    }

    /// Log-probability in nats that no number stands there.
    pub fn log_prob_of_none(&self) -> f32 {
        self.log_probs[TENS - 1].max(2.0 * self.digit_floor)
    }
}

/// A crop's luma with mean 0 and standard deviation 1. `standardize` in models/train/digits.py
/// does the same.
fn standardize(crop: &GrayImage) -> Vec<f32> {
    let luma = crop.as_raw().iter().map(|&v| f32::from(v) / 255.0);
    let luma: Vec<f32> = luma.collect();
    let count = luma.len() as f32;
    let mean = luma.iter().sum::<f32>() / count;
    let squares = luma.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>();
    let deviation = (squares / count).sqrt().max(MIN_DEVIATION);
    luma.into_iter().map(|v| (v - mean) / deviation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rendered crops and the trainer's log-probabilities for them, as models/train/digits.py
    /// writes them.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden-numbers.bin");

    #[test]
    fn agrees_with_the_trainer() {
        let word = |at: usize| -> [u8; 4] { GOLDEN[at..at + 4].try_into().unwrap() };
        let [crops, classes] = [0, 4].map(|at| u32::from_le_bytes(word(at)) as usize);
        assert_eq!(classes, TENS + UNITS);
        let pixels = (CROP_WIDTH * CROP_HEIGHT) as usize;
        let mut at = 8;
        for _ in 0..crops {
            let luma = GOLDEN[at..at + pixels].to_vec();
            let crop = GrayImage::from_raw(CROP_WIDTH, CROP_HEIGHT, luma).unwrap();
            at += pixels;
            for got in NumberPosterior::read(&crop, f32::NEG_INFINITY)
                .unwrap()
                .log_probs
            {
                let wanted = f32::from_le_bytes(word(at));
                assert!((got - wanted).abs() < 1e-3, "{got}, not {wanted}");
                at += 4;
            }
        }
        assert!(crops > 0 && at == GOLDEN.len());
    }
}
