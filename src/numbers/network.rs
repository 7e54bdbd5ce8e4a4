//! The network that reads a printed number (`models/numbers.onnx`, trained by `models/train/digits.py`).

use std::sync::LazyLock;

use image::GrayImage;

use crate::onnx::Onnx;

use super::strip::{HEIGHT, WIDTH};

static EMBEDDED: &[u8] = include_bytes!("../../models/numbers.onnx");
/// Classes of the tens: 0 to 12, and that there is no number.
const TENS: usize = 14;
/// Classes of the units.
const UNITS: usize = 10;
/// Least deviation of a strip's luma, in shares of 255.
const FLATTEST: f32 = 0.02;
/// Log-probability of a digit that the network rules out: it errs too, where a hand runs over the print, and in one of two digits
/// more often than in both.
const FLOOR: f32 = -3.0;

static NETWORK: LazyLock<Option<Onnx>> = LazyLock::new(|| Onnx::new(EMBEDDED, (WIDTH, HEIGHT)));

/// What the network makes of a strip: log-probabilities of the tens, then of the units.
#[derive(Debug, Clone)]
pub struct Digits([f32; TENS + UNITS]);

impl Digits {
    /// The last number that the network knows.
    pub const LAST: i32 = 10 * (TENS as i32 - 1) - 1;

    /// Reads a strip; None where the network fails on it.
    pub fn read(strip: &GrayImage) -> Option<Self> {
        let logs = NETWORK.as_ref()?.run(&standard(strip))?;
        logs.try_into().ok().map(Self)
    }

    /// Log-probability that this number stands there.
    pub fn says(&self, number: i32) -> f32 {
        match usize::try_from(number) {
            Ok(n) if n / 10 < TENS - 1 => {
                self.0[n / 10].max(FLOOR) + self.0[TENS + n % 10].max(FLOOR)
            }
            _ => 2.0 * FLOOR,
        }
    }

    /// Log-probability that no number does.
    pub fn empty(&self) -> f32 {
        self.0[TENS - 1].max(2.0 * FLOOR)
    }
}

/// A strip with mean 0 and deviation 1; `standard` in models/train/digits.py is the same.
fn standard(strip: &GrayImage) -> Vec<f32> {
    let luma: Vec<f32> = strip
        .as_raw()
        .iter()
        .map(|&v| f32::from(v) / 255.0)
        .collect();
    let count = luma.len() as f32;
    let mean = luma.iter().sum::<f32>() / count;
    let squares = luma.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>();
    let deviation = (squares / count).sqrt().max(FLATTEST);
    luma.into_iter().map(|v| (v - mean) / deviation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rendered strips and the trainer's log-probabilities for them, as models/train/digits.py writes them.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden-numbers.bin");

    #[test]
    fn agrees_with_the_trainer() {
        let word = |at: usize| -> [u8; 4] { GOLDEN[at..at + 4].try_into().unwrap() };
        let [strips, classes] = [0, 4].map(|at| u32::from_le_bytes(word(at)) as usize);
        assert_eq!(classes, TENS + UNITS);
        let pixels = (WIDTH * HEIGHT) as usize;
        let mut at = 8;
        for _ in 0..strips {
            let luma = GOLDEN[at..at + pixels].to_vec();
            let strip = GrayImage::from_raw(WIDTH, HEIGHT, luma).unwrap();
            at += pixels;
            for got in Digits::read(&strip).unwrap().0 {
                let wanted = f32::from_le_bytes(word(at));
                assert!((got - wanted).abs() < 1e-3, "{got}, not {wanted}");
                at += 4;
            }
        }
        assert!(strips > 0 && at == GOLDEN.len());
    }
}
