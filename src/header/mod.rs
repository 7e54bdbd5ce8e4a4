//! The words on a page outside its move table: what is printed and written about the players, the
//! round and the board.
//!
//! The page around the table is rendered in the table's coordinates ([`WordBox`]), binarized, freed
//! of printed lines, and its connected components are joined to words. Each word is cut out as a
//! picture of the size of a cell's patch, for a reader of words.

mod binarize;
mod box_mean;
mod components;
mod frame;
mod line_crops;
mod reduced;
mod segment;
mod view;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::geometry::Quad;
use crate::grid::Grid;
use crate::page::Page;

pub use binarize::BinarizationParameters;
pub use components::ComponentParameters;
pub use frame::FrameParameters;
pub use line_crops::LineCropParameters;
pub use segment::SegmentParameters;
pub use view::{CropParameters, HeaderView, SkewedBox, ViewParameters};

use frame::{Region, TableFrame};
use segment::segment_words;

/// The tuned numbers with which words are found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The table's coordinates and the regions about it.
    pub frame: FrameParameters,
    /// The pictures of these regions.
    pub view: ViewParameters,
    /// Ink and printed lines.
    pub binarization: BinarizationParameters,
    /// Words out of ink.
    pub segment: SegmentParameters,
    /// Single lines of writing.
    pub line_crops: LineCropParameters,
    /// The pictures of words.
    pub crop: CropParameters,
    /// Largest difference in rows of the edges of two boxes that are one word seen at two scales.
    pub max_duplicate_offset_rows: f32,
    /// Largest number of words above the table, and of those beside it and below it, the widest
    /// first; a page of prose beside a table has more.
    pub max_words: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            frame: FrameParameters::default(),
            view: ViewParameters::default(),
            binarization: BinarizationParameters::default(),
            segment: SegmentParameters::default(),
            line_crops: LineCropParameters::default(),
            crop: CropParameters::default(),
            max_duplicate_offset_rows: 0.08,
            max_words: 200,
        }
    }
}

/// The box of a word in rows of the table: x to the right from the table's left edge, y down from
/// the upper edge of its first row, so that y is negative above the table. One unit is the height
/// of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordBox {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
}

impl WordBox {
    /// The smallest box that holds both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Width in rows.
    pub fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Height in rows.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Area of the intersection of two boxes as a share of the smaller one's area.
    pub fn overlap(&self, other: &Self) -> f32 {
        let wide = (self.right.min(other.right) - self.left.max(other.left)).max(0.0);
        let high = (self.bottom.min(other.bottom) - self.top.max(other.top)).max(0.0);
        let area = |b: &Self| b.width() * b.height();
        wide * high / area(self).min(area(other)).max(1e-6)
    }

    /// Whether no edge differs by `max_offset` rows or more.
    pub fn is_near(&self, other: &Self, max_offset: f32) -> bool {
        let near = |a: f32, b: f32| (a - b).abs() < max_offset;
        near(self.left, other.left)
            && near(self.top, other.top)
            && near(self.right, other.right)
            && near(self.bottom, other.bottom)
    }
}

/// The picture of a word, or of what may be one.
#[derive(Debug, Clone)]
pub struct WordCrop {
    /// Where the word stands.
    pub bounds: WordBox,
    /// Luma of the size and with the margins of a cell's patch ([`crate::cell::Cell::patch`]): the
    /// word at its left, and paper for all else.
    pub patch: GrayImage,
}

/// The corners of boxes on the page, clockwise from the upper left one, in the order of the boxes;
/// none at all where the table's corners make no quadrilateral.
pub fn quads_of_boxes(
    grid: &Grid,
    boxes: impl Iterator<Item = WordBox>,
    parameters: &Parameters,
) -> Vec<Quad> {
    let Some(frame) = TableFrame::from_grid(grid, &parameters.frame) else {
        return Vec::new();
    };
    let quad = |bounds: WordBox| {
        let region = Region {
            left: bounds.left.into(),
            top: bounds.top.into(),
            right: bounds.right.into(),
            bottom: bounds.bottom.into(),
        };
        frame.quad_on_page(&region, 0.0)
    };
    boxes.map(quad).collect()
}

/// Cuts out the words above, below and beside the table, sorted from top to bottom and then from
/// left to right; none where the table's corners make no quadrilateral.
pub fn find_words(page: &Page, grid: &Grid, parameters: &Parameters) -> Vec<WordCrop> {
    let Some(view) = HeaderView::new(page, grid, parameters) else {
        return Vec::new();
    };
    let mut words = view.find_words_above();
    words.extend(view.find_words_beside());
    sort_words(&mut words);
    words.iter().map(|word| view.crop_word(word)).collect()
}

/// Sorts words from top to bottom and then from left to right.
fn sort_words(words: &mut [SkewedBox]) {
    words.sort_by(|a, b| {
        let (a, b) = (a.bounds, b.bounds);
        a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
    });
}

impl HeaderView<'_> {
    /// Finds the words above the table, sorted from top to bottom and then from left to right.
    pub fn find_words_above(&self) -> Vec<SkewedBox> {
        self.find_words_in(self.above.as_slice())
    }

    /// Finds the words beside the table and below it, in the same order.
    pub fn find_words_beside(&self) -> Vec<SkewedBox> {
        self.find_words_in(&self.beside)
    }

    fn find_words_in(&self, regions: &[Region]) -> Vec<SkewedBox> {
        let mut boxes: Vec<SkewedBox> = regions.iter().flat_map(|r| self.find_boxes(r)).collect();
        if boxes.len() > self.parameters.max_words {
            boxes.sort_by(|a, b| b.bounds.width().total_cmp(&a.bounds.width()));
            boxes.truncate(self.parameters.max_words);
        }
        sort_words(&mut boxes);
        boxes
    }

    /// The words of a region, each once. Where letters are small, the region is searched a second
    /// time at a larger scale.
    fn find_boxes(&self, region: &Region) -> Vec<SkewedBox> {
        let parameters = self.parameters;
        let at_scale = |row_px: f64| {
            let ink = self.render_ink(row_px, region, 0.0);
            let (words, letter_px) = segment_words(&ink, &parameters.segment);
            let boxes = words
                .into_iter()
                .map(|word| SkewedBox::from_pixels(word, row_px, region, 0.0));
            (boxes.collect::<Vec<_>>(), letter_px)
        };
        let ViewParameters {
            row_px,
            min_letter_px,
            max_enlargement,
            ..
        } = parameters.view;
        let (mut boxes, letter_px) = at_scale(row_px);
        let enlargement = min_letter_px / letter_px.unwrap_or(min_letter_px);
        if enlargement > 1.0 {
            let (finer, _) = at_scale(row_px * enlargement.min(max_enlargement));
            let max_offset = parameters.max_duplicate_offset_rows;
            let is_known = |word: &SkewedBox| {
                let mut known = boxes.iter();
                known.any(|other| word.bounds.is_near(&other.bounds, max_offset))
            };
            let new: Vec<SkewedBox> = finer.into_iter().filter(|word| !is_known(word)).collect();
            boxes.extend(new);
        }
        boxes
    }
}

#[cfg(test)]
mod tests;
