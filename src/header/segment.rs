//! Words out of the ink of a picture: components that stand close together make up a word.
//!
//! How wide a writer leaves the gap between two words is not known beforehand, so that the same ink
//! is segmented in several ways. A superfluous word costs one reading; a missing one is lost.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::robust::theil_sen_slope;

use super::components::{ComponentParameters, InkComponent, PixelRect, find_components, find_root};

/// Tuned numbers of the segmentation, chosen by eye on the development pages; lengths in pixels
/// where small letters are 16 high.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SegmentParameters {
    /// The connected components.
    pub components: ComponentParameters,
    /// A component higher than this many times the median letter may belong to two lines that
    /// touch, and is split.
    pub max_letter_heights: f64,
    /// The segmentations that are tried: the largest gap within a word of each, as a share of the
    /// height of the letters beside the gap.
    pub gaps: [f64; 3],
    /// Smallest height of a letter that counts for the gap beside it.
    pub min_gap_letter_px: f64,
    /// Largest height of a letter that counts for the gap beside it.
    pub max_gap_letter_px: f64,
    /// Smallest vertical overlap of two neighbouring components of a word, as a share of the lower
    /// one's height.
    pub min_vertical_overlap: f64,
    /// Largest dot or accent, as a share of its letter's height.
    pub max_dot_share: f64,
    /// Largest dot or accent.
    pub max_dot_px: u32,
    /// Largest gap between a letter and a dot above or below it, as a share of the letter's height.
    pub max_dot_gap: f64,
    /// Smallest width of a word.
    pub min_word_width_px: u32,
    /// Smallest height of a word.
    pub min_word_height_px: u32,
    /// In a picture of one line, a component that touches the upper or lower edge and is lower than
    /// this share of the picture belongs to another line.
    pub min_edge_reach: f64,
    /// Smallest number of letters that tell a slope or a letter's height.
    pub min_letters: usize,
    /// Smallest slope (dy/dx) of a word; one that is less steep counts as level.
    pub min_slope: f64,
    /// Largest slope (dy/dx) of a word; one that is steeper is taken for a mistake.
    pub max_slope: f64,
    /// Two letters tell a slope where they stand at least this share of the word's width apart.
    pub min_letter_distance: f64,
}

impl Default for SegmentParameters {
    fn default() -> Self {
        Self {
            components: ComponentParameters::default(),
            max_letter_heights: 1.9,
            gaps: [0.22, 0.45, 0.85],
            min_gap_letter_px: 10.0,
            max_gap_letter_px: 36.0,
            min_vertical_overlap: 0.35,
            max_dot_share: 0.45,
            max_dot_px: 10,
            max_dot_gap: 0.5,
            min_word_width_px: 4,
            min_word_height_px: 7,
            min_edge_reach: 0.4,
            min_letters: 4,
            min_slope: 0.03,
            max_slope: 0.2,
            min_letter_distance: 0.4,
        }
    }
}

/// A word in a picture.
#[derive(Debug, Clone, Copy)]
pub struct PixelWord {
    pub bounds: PixelRect,
    /// Which segmentation is the first that finds it: from 0 on those of
    /// [`SegmentParameters::gaps`], then those in which bars are letters and lines that touch are
    /// split.
    pub segmentation: usize,
    /// Pixels by which it falls in one to the right.
    pub slope: f64,
    /// Its upper and lower edge in pixels if it were turned level about its middle.
    pub level_edges: (f64, f64),
}

/// The words in a binary picture by every segmentation, each once, and the height of its small
/// letters in pixels: the first quartile of all; none where there are few letters.
///
/// Bars are taken for sides of boxes first, which belong to no word, and then for letters; then
/// lines that touch are split too.
pub fn segment_words(
    ink: &GrayImage,
    parameters: &SegmentParameters,
) -> (Vec<PixelWord>, Option<f64>) {
    let components = find_components(ink, &parameters.components);
    let small = letter_height(&components, 0.25, parameters);
    (segment(components, parameters), small)
}

/// The same in a picture of one line of writing, without the ink that reaches into it from the
/// lines above and below.
pub fn segment_line(ink: &GrayImage, parameters: &SegmentParameters) -> Vec<PixelWord> {
    let last = ink.height().saturating_sub(1);
    let high = f64::from(ink.height());
    let mut components = find_components(ink, &parameters.components);
    components.retain(|InkComponent { bounds, .. }| {
        let inside = bounds.top > 0 && bounds.bottom < last;
        inside || f64::from(bounds.height()) >= parameters.min_edge_reach * high
    });
    segment(components, parameters)
}

fn segment(whole: Vec<InkComponent>, parameters: &SegmentParameters) -> Vec<PixelWord> {
    let letter = letter_height(&whole, 0.5, parameters).unwrap_or(f64::INFINITY);
    let max_height = parameters.max_letter_heights * letter;
    let mut split: Vec<InkComponent> = whole
        .iter()
        .flat_map(|component| component.split(max_height, &parameters.components))
        .collect();
    split
        .iter_mut()
        .for_each(|component| component.is_bar = false);
    split.sort_by_key(|component| (component.bounds.left, component.bounds.top));
    let mut words: Vec<PixelWord> = Vec::new();
    let gaps = parameters.gaps.len();
    for (first, components) in [(0, whole), (gaps, split)] {
        for (segmentation, &gap) in (first..).zip(&parameters.gaps) {
            for members in group_components(&components, gap, parameters) {
                let bounds = bounds_of(&members);
                let large = bounds.width() >= parameters.min_word_width_px
                    && bounds.height() >= parameters.min_word_height_px;
                let known = words.iter().any(|other| other.bounds == bounds);
                if large && bounds.height() <= parameters.components.max_height_px && !known {
                    words.push(PixelWord::new(&members, segmentation, parameters));
                }
            }
        }
    }
    words
}

/// A quantile, from 0 to 1, of the heights of components that are no bars; none where there are
/// few.
fn letter_height(
    components: &[InkComponent],
    quantile: f64,
    parameters: &SegmentParameters,
) -> Option<f64> {
    let letters = components.iter().filter(|component| !component.is_bar);
    let heights = letters.map(|component| component.bounds.height());
    let min_height = parameters.components.min_size_px;
    let mut heights: Vec<u32> = heights.filter(|&high| high >= min_height).collect();
    let rank = (heights.len() as f64 * quantile) as usize;
    let enough = heights.len() >= parameters.min_letters;
    enough.then(|| f64::from(*heights.select_nth_unstable(rank).1))
}

impl PixelWord {
    /// The word of some components, of which there is at least one.
    fn new(components: &[PixelRect], segmentation: usize, parameters: &SegmentParameters) -> Self {
        let bounds = bounds_of(components);
        let slope = estimate_slope(components, &bounds, parameters);
        let middle = f64::from(bounds.left + bounds.right) / 2.0;
        let fall = |rect: &PixelRect| slope * (f64::from(rect.left + rect.right) / 2.0 - middle);
        let tops = components
            .iter()
            .map(|rect| f64::from(rect.top) - fall(rect));
        let bottoms = components
            .iter()
            .map(|rect| f64::from(rect.bottom) + 1.0 - fall(rect));
        let level_edges = (
            tops.fold(f64::INFINITY, f64::min),
            bottoms.fold(f64::NEG_INFINITY, f64::max),
        );
        Self {
            bounds,
            segmentation,
            slope,
            level_edges,
        }
    }
}

/// The smallest rectangle that holds some components, of which there is at least one.
fn bounds_of(components: &[PixelRect]) -> PixelRect {
    let first = components[0];
    components[1..]
        .iter()
        .fold(first, |all, &rect| all.union(rect))
}

/// Slope (dy/dx) of the feet of a word's letters: the median over all pairs that stand far enough
/// apart (the Theil-Sen estimator). 0 for words of few letters, and for nearly level or too steep
/// ones.
fn estimate_slope(
    components: &[PixelRect],
    word: &PixelRect,
    parameters: &SegmentParameters,
) -> f64 {
    let tallest = components.iter().map(PixelRect::height).max().unwrap_or(0);
    let letters = components
        .iter()
        .filter(|rect| 2 * rect.height() >= tallest);
    let feet: Vec<(f64, f64)> = letters
        .map(|rect| {
            (
                f64::from(rect.left + rect.right) / 2.0,
                f64::from(rect.bottom),
            )
        })
        .collect();
    if feet.len() < parameters.min_letters {
        return 0.0;
    }
    let min_distance = f64::from(word.width()) * parameters.min_letter_distance;
    let slope = theil_sen_slope(&feet, min_distance).unwrap_or(0.0);
    if (parameters.min_slope..=parameters.max_slope).contains(&slope.abs()) {
        slope
    } else {
        0.0
    }
}

/// Components, sorted by their left edges, that are connected by gaps of at most `gap` letter
/// heights; bars stay alone.
fn group_components(
    components: &[InkComponent],
    gap: f64,
    parameters: &SegmentParameters,
) -> Vec<Vec<PixelRect>> {
    let mut parents: Vec<usize> = (0..components.len()).collect();
    let max_gap = (gap * parameters.max_gap_letter_px) as u32 + 1;
    for (i, a) in components.iter().enumerate() {
        for (j, b) in components.iter().enumerate().skip(i + 1) {
            if b.bounds.left > a.bounds.right + max_gap {
                break;
            }
            let bar = a.is_bar || b.is_bar;
            if !bar && are_neighbours(&a.bounds, &b.bounds, gap, parameters) {
                let (a, b) = (find_root(&mut parents, i), find_root(&mut parents, j));
                parents[a.max(b)] = a.min(b);
            }
        }
    }
    let mut words: Vec<Vec<PixelRect>> = vec![Vec::new(); components.len()];
    for (i, component) in components.iter().enumerate() {
        words[find_root(&mut parents, i)].push(component.bounds);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether two components belong to one word where its gaps are at most `gap` letter heights: side
/// by side on a line, or a letter and its dot or accent.
fn are_neighbours(a: &PixelRect, b: &PixelRect, gap: f64, parameters: &SegmentParameters) -> bool {
    let distance = f64::from(a.left.max(b.left)) - f64::from(a.right.min(b.right)) - 1.0;
    let shared = f64::from(a.bottom.min(b.bottom)) - f64::from(a.top.max(b.top)) + 1.0;
    let low = f64::from(a.height().min(b.height()));
    let high = f64::from(a.height().max(b.height()));
    let size = |rect: &PixelRect| rect.width().max(rect.height());
    let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
    let letter = f64::from(large.height());
    let is_dot = size(small) <= parameters.max_dot_px
        && f64::from(size(small)) <= parameters.max_dot_share * letter;
    if is_dot && distance < 0.0 && shared <= 0.0 {
        return -shared <= parameters.max_dot_gap * letter;
    }
    let letter = high.clamp(parameters.min_gap_letter_px, parameters.max_gap_letter_px);
    shared >= parameters.min_vertical_overlap * low && distance <= gap * letter
}
