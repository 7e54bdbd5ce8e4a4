//! Ink as a binary picture, without the lines and boxes that forms print for it.

use image::imageops::{rotate90, rotate270};
use image::{GrayImage, Luma};
use imageproc::definitions::Image;
use imageproc::filter::box_filter;
use serde::{Deserialize, Serialize};

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

/// A picture that is 255 where the given one has ink and 0 elsewhere.
pub fn binarize(picture: &GrayImage, parameters: &BinarizationParameters) -> GrayImage {
    let radius = parameters.paper_radius_px;
    let smooth: Image<Luma<u8>> = box_filter(picture, 1, 1);
    let around: Image<Luma<u8>> = box_filter(&smooth, radius, radius);
    let (width, height) = picture.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let [paper, grey] = [&around, &smooth].map(|p| f32::from(p.get_pixel(x, y).0[0]));
        let contrast = (parameters.min_contrast).max(parameters.min_contrast_share * paper);
        Luma([if grey + contrast < paper { 255 } else { 0 }])
    })
}

/// The same without printed lines and boxes.
pub fn binarize_without_rules(
    picture: &GrayImage,
    parameters: &BinarizationParameters,
) -> GrayImage {
    let ink = binarize(picture, parameters);
    let ink = remove_horizontal_lines(&ink, parameters.min_horizontal_line_px, parameters);
    let turned = rotate90(&ink);
    let turned = remove_horizontal_lines(&turned, parameters.min_vertical_line_px, parameters);
    rotate270(&turned)
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
    for y in 0..height {
        // A line that falls or rises by a pixel is still one line.
        let near = y.saturating_sub(1)..(y + 2).min(height);
        let dark = |x: usize| near.clone().any(|v| raw[v * width + x] > 0);
        let inked: Vec<usize> = (0..width).filter(|&x| dark(x)).collect();
        let solid = inked.chunk_by(|a, b| b - a <= 1);
        let dotted = inked.chunk_by(|a, b| b - a <= parameters.max_dot_gap_px + 1);
        let solid = solid.filter(|run| run[run.len() - 1] - run[0] >= min_length);
        let min_dotted = parameters.min_dotted_line_px;
        let dotted = dotted.filter(|run| run[run.len() - 1] - run[0] >= min_dotted);
        for run in solid.chain(dotted) {
            let here = run.iter().copied().filter(|&x| raw[y * width + x] > 0);
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
