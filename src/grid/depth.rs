//! Widths across a page that was photographed at a slant.

use super::ladder::Ladder;
use super::ruling;

/// Takes perspective out of widths: where rows are narrower they are farther away, and widths shrink with the square.
pub struct Straighten {
    sums: Vec<f32>,
}

impl Straighten {
    const STEP: f32 = 8.0;
    const BEYOND: usize = 64;

    /// Measures the row heights along the middle of a ladder.
    pub fn new(ladder: &Ladder, middle: f32) -> Self {
        let right = ruling::centre(ladder.strips.1);
        let nominal = ladder
            .pitch(middle, (ruling::centre(ladder.strips.0) + right) / 2.0)
            .max(1.0);
        let steps = (right / Self::STEP) as usize + 2 * Self::BEYOND;
        let mut sum = 0.0;
        let sums = (0..steps)
            .map(|i| {
                let x = (i as f32 - Self::BEYOND as f32) * Self::STEP;
                let ratio = (nominal / ladder.pitch(middle, x).max(1.0)).clamp(0.5, 2.0);
                let at = sum;
                sum += ratio * ratio * Self::STEP;
                at
            })
            .collect();
        Self { sums }
    }

    /// Place across the page of a pixel x, in pixels as wide as those in the middle of the ladder.
    pub fn at(&self, x: f32) -> f32 {
        let i = (x / Self::STEP + Self::BEYOND as f32).clamp(0.0, (self.sums.len() - 2) as f32);
        let k = i as usize;
        self.sums[k] + (i - k as f32) * (self.sums[k + 1] - self.sums[k])
    }
}
