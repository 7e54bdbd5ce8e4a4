//! The words of single lines of a header, each line cut out of the page before its ink is
//! segmented, so that ink from the lines above and below connects nothing.

use image::{GrayImage, imageops};
use serde::{Deserialize, Serialize};

use super::WordBox;
use super::binarize::{binarize, transpose};
use super::frame::Region;
use super::segment::{PixelWord, segment_line};
use super::view::{HeaderView, SkewedBox};

/// Tuned numbers of the lines, chosen by eye on the development pages. Slopes are dy/dx.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineCropParameters {
    /// Height of a line's picture in pixels, as far as it does not enlarge the page by more than
    /// the picture of a region may.
    pub height_px: f64,
    /// Line heights above and below its expected place within which a line is searched, since the
    /// page is not flat there.
    pub search_heights: f32,
    /// Cost of moving a line by its height, in pixels of cut ink per pixel of the line's length.
    pub offset_cost: f64,
    /// Length of a line's beginning in line heights on which its slope is estimated.
    pub slope_length_heights: f64,
    /// Height in pixels of the picture on which the slope is estimated.
    pub slope_picture_px: f64,
    /// Number of coarse steps of slope that are tried up and down: far from the table, on a page
    /// that is not flat, the frame's slope is well off.
    pub coarse_steps: i32,
    /// Coarse step of slope.
    pub coarse_step: f64,
    /// Number of fine steps of slope that are tried about the best coarse one.
    pub fine_steps: i32,
    /// Fine step of slope.
    pub fine_step: f64,
    /// The contrast of a line with slope s is divided by 1 + `slope_penalty` x |s|.
    pub slope_penalty: f64,
}

impl Default for LineCropParameters {
    fn default() -> Self {
        Self {
            height_px: 56.0,
            search_heights: 0.4,
            offset_cost: 0.15,
            slope_length_heights: 4.0,
            slope_picture_px: 48.0,
            coarse_steps: 12,
            coarse_step: 0.04,
            fine_steps: 3,
            fine_step: 0.01,
            slope_penalty: 1.0,
        }
    }
}

impl HeaderView<'_> {
    /// Finds the words on a line of writing, from left to right. The line's box is that of its
    /// beginning; where the line rises or falls it is followed, and the boxes of its words are
    /// given as if it were level.
    pub fn find_words_on_line(&self, line: &WordBox) -> Vec<SkewedBox> {
        let parameters = &self.parameters.line_crops;
        let around = Region {
            left: line.left.into(),
            top: (line.top - parameters.search_heights * line.height()).into(),
            right: line.right.into(),
            bottom: (line.bottom + parameters.search_heights * line.height()).into(),
        };
        let slope = estimate_slope(self, &around);
        let max_row_px = self.parameters.view.row_px * self.parameters.view.max_enlargement;
        let row_px = parameters.height_px / f64::from(line.height());
        let row_px = row_px.min(self.frame.row_px.max(max_row_px));
        let ink_around = self.render_ink(row_px, &around, slope);
        let high = (f64::from(line.height()) * row_px).max(1.0) as u32;
        let top = least_cut_top(&ink_around, high, parameters.offset_cost);
        let line_crop =
            imageops::crop_imm(&ink_around, 0, top, ink_around.width(), high).to_image();
        let region = Region {
            top: around.top + f64::from(top) / row_px,
            ..around
        };
        let mut words = segment_line(&line_crop, &self.parameters.segment);
        words.sort_by_key(|word| (word.bounds.left, word.bounds.right));
        let level = |word: PixelWord| {
            let mut word = SkewedBox::from_pixels(word, row_px, &region, slope);
            let from_start = word.bounds.left + word.bounds.right - 2.0 * line.left;
            let fall = slope as f32 * from_start / 2.0;
            let offset = fall + region.top as f32 - line.top;
            word.bounds.top -= offset;
            word.bounds.bottom -= offset;
            word
        };
        words.into_iter().map(level).collect()
    }
}

/// Number of ink pixels in each row.
fn ink_by_row(ink: &GrayImage) -> Vec<f64> {
    let rows = ink.as_raw().chunks(ink.width().max(1) as usize);
    rows.map(|row| row.iter().filter(|&&p| p > 0).count() as f64)
        .collect()
}

/// The first row of the band of `high` pixels that minimises ink in its first row + ink in its last
/// row + `offset_cost` x (distance from the middle / `high`) x width.
fn least_cut_top(ink: &GrayImage, high: u32, offset_cost: f64) -> u32 {
    let by_row = ink_by_row(ink);
    let last = ink.height().saturating_sub(high);
    let middle = f64::from(last) / 2.0;
    let cost = |top: u32| {
        let at = |y: u32| by_row.get(y as usize).copied().unwrap_or(0.0);
        let offset = (f64::from(top) - middle).abs() / f64::from(high.max(1));
        at(top) + at(top + high - 1) + offset_cost * offset * f64::from(ink.width())
    };
    let tops = (0..=last).map(|top| (top, cost(top)));
    let best = tops.min_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(0, |best| best.0)
}

/// Number of ink pixels in each row of a picture that loses `margin` pixels above and below, and
/// whose columns are moved up by `slope` (dy/dx) times their distance from the left edge. The
/// picture is given transposed, its columns as rows.
fn sheared_ink_by_row(transposed: &GrayImage, margin: f64, slope: f64) -> Vec<u16> {
    let height = transposed.width() as usize;
    let rows = (height as f64 - 2.0 * margin).max(0.0) as usize;
    let mut by_row = vec![0; rows];
    for (x, column) in transposed.chunks_exact(height.max(1)).enumerate() {
        let top = (margin + slope * (x as f64 + 0.5)).round().max(0.0) as usize;
        let column = &column[top.min(height)..];
        for (count, &ink) in by_row.iter_mut().zip(column) {
            *count += u16::from(ink > 0);
        }
    }
    by_row
}

/// Slope (dy/dx) of a line: the one at which its writing and rulings fill some rows of pixels and
/// leave others free (a projection profile). With n(y) ink pixels in row y it maximises
/// sum (n(y + 1) - n(y))^2 / sum n(y) / (1 + `slope_penalty` x |slope|).
fn estimate_slope(view: &HeaderView, around: &Region) -> f64 {
    let parameters = &view.parameters.line_crops;
    let high = around.bottom - around.top;
    let start = Region {
        right: (around.right).min(around.left + parameters.slope_length_heights * high),
        ..*around
    };
    let px_per_row = parameters.slope_picture_px / high;
    let max_slope = f64::from(parameters.coarse_steps) * parameters.coarse_step
        + f64::from(parameters.fine_steps) * parameters.fine_step;
    let max_fall = max_slope * (start.right - start.left);
    let tall = Region {
        top: start.top - max_fall,
        bottom: start.bottom + max_fall,
        ..start
    };
    let picture = view.render(px_per_row, &tall, 0.0);
    let ink = transpose(&binarize(&picture, &view.parameters.binarization));
    let contrast = |slope: f64| {
        let by_row = sheared_ink_by_row(&ink, max_fall * px_per_row, slope);
        let all = by_row.iter().map(|&n| f64::from(n)).sum::<f64>().max(1.0);
        let steps = by_row
            .windows(2)
            .map(|pair| (f64::from(pair[1]) - f64::from(pair[0])).powi(2));
        steps.sum::<f64>() / all / (1.0 + parameters.slope_penalty * slope.abs())
    };
    let best = |from: f64, steps: i32, step: f64| {
        // The least steep first, so that it wins where two are equally good.
        let slopes = (0..=steps).flat_map(|k| [k, -k]);
        let slopes = slopes.map(|k| from + f64::from(k) * step);
        let contrasts = slopes.map(|slope| (slope, contrast(slope)));
        let best = contrasts.reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map_or(from, |best| best.0)
    };
    let coarse = best(0.0, parameters.coarse_steps, parameters.coarse_step);
    best(coarse, parameters.fine_steps, parameters.fine_step)
}
