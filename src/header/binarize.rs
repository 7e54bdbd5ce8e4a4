//! Ink as a binary picture, without the lines and boxes that forms print for it.

use std::ops::Range;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use super::box_mean::box_mean;

/// Tuned numbers of the binarization, chosen by eye on the development pages; lengths in pixels
/// where small letters are 16 high.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BinarizationParameters {
    /// The grey of the paper is the mean of the square of (2 x radius + 1) pixels about a pixel.
    pub paper_radius_px: u32,
    /// A pixel is ink where it is darker than the paper by more than
    /// max(`min_contrast`, `min_contrast_share` x paper) grey levels of 255.
    pub min_contrast: f32,
    /// The contrast that is required as a share of the paper's grey, in the same formula.
    pub min_contrast_share: f32,
    /// Shortest horizontal line that is removed: longer than a stroke of a letter without a bend.
    pub min_horizontal_line_px: usize,
    /// Shortest vertical line that is removed: shorter than the sides of a box about a line of
    /// writing.
    pub min_vertical_line_px: usize,
    /// Shortest dotted line that is removed.
    pub min_dotted_line_px: usize,
    /// Largest gap between the dots of a dotted line.
    pub max_dot_gap_px: usize,
    /// Largest thickness of a line; ink that is thicker crosses it and stays.
    pub max_line_thickness_px: usize,
    /// Largest share of a line that may be crossed by ink.
    pub max_crossed_share: f32,
}

impl Default for BinarizationParameters {
    fn default() -> Self {
        Self {
            paper_radius_px: 20,
            min_contrast: 7.0,
            min_contrast_share: 0.06,
            min_horizontal_line_px: 64,
            min_vertical_line_px: 44,
            min_dotted_line_px: 96,
            max_dot_gap_px: 6,
            max_line_thickness_px: 7,
            max_crossed_share: 0.4,
        }
    }
}

/// Side in pixels of the squares in which a picture is transposed: one fits into the fastest cache.
const TRANSPOSED_SIDE: usize = 32;

/// A picture that is 255 where the given one has ink and 0 elsewhere.
pub fn binarize(picture: &GrayImage, parameters: &BinarizationParameters) -> GrayImage {
    let smooth = box_mean(picture, 1);
    let mut ink = box_mean(&smooth, parameters.paper_radius_px);
    for (paper, &grey) in ink.iter_mut().zip(smooth.as_raw()) {
        let [level, grey] = [*paper, grey].map(f32::from);
        let contrast = (parameters.min_contrast).max(parameters.min_contrast_share * level);
        *paper = if grey + contrast < level { 255 } else { 0 };
    }
    ink
}

/// The same without printed lines and boxes.
pub fn binarize_without_rules(
    picture: &GrayImage,
    parameters: &BinarizationParameters,
) -> GrayImage {
    let ink = binarize(picture, parameters);
    let ink = remove_horizontal_lines(&ink, parameters.min_horizontal_line_px, parameters);
    let turned = transpose(&ink);
    let turned = remove_horizontal_lines(&turned, parameters.min_vertical_line_px, parameters);
    transpose(&turned)
}

/// The picture with its rows as columns.
pub fn transpose(picture: &GrayImage) -> GrayImage {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let raw = picture.as_raw();
    let mut out = vec![0; width * height];
    for top in (0..height).step_by(TRANSPOSED_SIDE) {
        for left in (0..width).step_by(TRANSPOSED_SIDE) {
            for y in top..(top + TRANSPOSED_SIDE).min(height) {
                for x in left..(left + TRANSPOSED_SIDE).min(width) {
                    out[x * height + y] = raw[y * width + x];
                }
            }
        }
    }
    GrayImage::from_raw(picture.height(), picture.width(), out).expect("as many pixels as before")
}

/// Removes the horizontal lines of at least `min_length` pixels, and dotted ones; ink that crosses
/// a line stays.
fn remove_horizontal_lines(
    ink: &GrayImage,
    min_length: usize,
    parameters: &BinarizationParameters,
) -> GrayImage {
    let (width, height) = (ink.width() as usize, ink.height() as usize);
    let raw = ink.as_raw();
    let mut out = raw.clone();
    let max_thickness = parameters.max_line_thickness_px;
    let thickness = |x: usize, y: usize| {
        let up = (0..y).rev().take_while(|&v| raw[v * width + x] > 0);
        let down = (y + 1..height).take_while(|&v| raw[v * width + x] > 0);
        1 + up.take(max_thickness).count() + down.take(max_thickness).count()
    };
    let mut dark = vec![0u8; width];
    for y in 0..height {
        // A line that falls or rises by a pixel is still one line.
        dark.fill(0);
        for row in y.saturating_sub(1)..(y + 2).min(height) {
            let row = &raw[row * width..][..width];
            dark.iter_mut()
                .zip(row)
                .for_each(|(dark, ink)| *dark |= ink);
        }
        let runs = find_runs(&dark);
        let solid = runs.chunks(1);
        let dotted = runs.chunk_by(|a, b| b.start - a.end <= parameters.max_dot_gap_px);
        let is_long = |line: &&[Range<usize>], min_length: usize| {
            line[line.len() - 1].end - line[0].start > min_length
        };
        let solid = solid.filter(|line| is_long(line, min_length));
        let dotted = dotted.filter(|line| is_long(line, parameters.min_dotted_line_px));
        for line in solid.chain(dotted) {
            let here = line.iter().cloned().flatten();
            let here = here.filter(|&x| raw[y * width + x] > 0);
            let (thin, crossing): (Vec<usize>, Vec<usize>) =
                here.partition(|&x| thickness(x, y) <= max_thickness);
            let all = thin.len() + crossing.len();
            if crossing.len() as f32 <= parameters.max_crossed_share * all as f32 {
                for x in thin {
                    out[y * width + x] = 0;
                }
            }
        }
    }
    GrayImage::from_raw(ink.width(), ink.height(), out).expect("as many pixels as before")
}

/// The runs of ink in one row of pixels, from left to right.
pub fn find_runs(row: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(start) = row[at..].iter().position(|&p| p > 0) {
        let start = at + start;
        let length = row[start..].iter().position(|&p| p == 0);
        at = length.map_or(row.len(), |length| start + length);
        runs.push(start..at);
    }
    runs
}
